"""The rules of Hand Solo, one by one, and a year replayed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.hand_solo import HandSoloEngine
from kitwright.engines.hand_solo_moves import (
    Accept,
    Bribe,
    Buy,
    Complete,
    Deliver,
    Drop,
    GoOn,
    Land,
    Meet,
    Move,
    Retire,
    Sell,
)
from kitwright.engines.hand_solo_state import State
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import Record
from kitwright.play.bots import bots_of, random_bot

ROOT = Path(__file__).parent.parent
PLAYTHROUGH = ROOT / "tests/golden/playthroughs/hand-solo.txt"


@cache
def hand_solo(variant: str | None = None) -> Game:
    return load_game(ROOT, "hand-solo", variant)


def with_rules(**numbers: Any) -> Game:
    game = hand_solo()
    return replace(game, rules=Record({**game.rules, **numbers}))


def career(
    *deck: str,
    goods: Sequence[str] = (),
    jobs: Sequence[str] = (),
    renowned: Sequence[str] = (),
    credits: int = 10,
    year: int = 1,
    game: Game | None = None,
) -> State:
    """Meet the first of `deck`, with these cards aboard; the rest has been met this year."""
    engine = HandSoloEngine(game or hand_solo())
    number = engine.box.number
    cards = [number[card] for card in deck]
    hold = (*((number[card], False) for card in goods), *((number[card], True) for card in jobs))
    aboard = {card for card, _ in hold}
    met = (card for card in range(len(number)) if card not in cards and card not in aboard)
    return replace(
        engine.deal(cards),
        hold=hold,
        discard=tuple(met),
        renowned=sum(1 << number[card] for card in renowned),
        credits=credits,
        year=year,
    )


def run(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(next(move for move in state.legal_moves() if str(move) == text))
    return state


def moves(state: State) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def holds(state: State) -> tuple[str, ...]:
    return state.cards()["holds"]


def is_renowned(state: State, card: str) -> bool:
    return state.is_renowned(state.box.number[card])


def refused(state: State, move: Move) -> str:
    with pytest.raises(IllegalMoveError) as error:
        state.apply(move)
    assert move not in state.legal_moves()
    return str(error.value)


GANYMEDE = ("ganymede", "phobos", "freighter", "earth")


@pytest.mark.parametrize(("ship", "times"), [("shuttle", 1), ("transport", 2), ("hauler", 3)])
def test_the_pricing_example_holds_to_the_credit(ship: str, times: int) -> None:
    state = run(career(*GANYMEDE, credits=99, game=with_rules(ship=ship)), "land")
    goods = ("FO", "IN", "MI", "FU", "TE", "CN", "MI+")
    assert [state.price(good) for good in goods] == [times * n for n in (7, 5, 4, 2, 3, 10, 7)]
    assert 99 - run(state, "buy phobos").credits == 2 * times
    assert 99 - run(state, "buy freighter").credits == 3 * times
    assert 99 - run(state, "buy ganymede").credits == 5 * times


def test_an_advanced_good_follows_its_basic_price_unless_it_is_listed() -> None:
    state = run(career(*GANYMEDE), "land")
    assert state.price("TE+") == state.price("TE") == 3
    assert state.price("MI+") == 7
    # Titan and the Trader raise MI by 2 each, and a modifier names one exact good
    state = run(career("ganymede", "titan", "trader"), "land")
    assert (state.price("MI"), state.price("MI+")) == (4 + 2 + 2, 7)


def test_no_price_falls_below_one() -> None:
    state = run(career("phobos", "trader"), "land")
    assert state.price("TE") == 9
    state = run(career("mercury", "venus"), "land")
    assert state.price("MI") == 1


def test_a_landing_reveals_what_is_left_of_the_deck() -> None:
    assert run(career("earth", "mars", "venus", "luna", "titan"), "land").market == (1, 2, 4)
    assert run(career("earth", "mars"), "land").market == (1,)


def test_what_is_sold_or_met_is_discarded_and_the_next_card_is_met() -> None:
    state = run(career("ganymede", "luna", "venus", "mars", goods=["courier"]), "land")
    state = run(state, "sell courier", "leave")
    assert (state.credits, holds(state), state.cards()["met"]) == (15, (), ("mars",))
    assert state.cards()["discard"][-4:] == ("courier", "ganymede", "luna", "venus")


def test_goods_are_bought_once_each_until_the_holds_are_full() -> None:
    state = run(career("earth", "mars", "titan", "luna", "venus"), "land", "buy mars", "buy titan")
    assert state.credits == 10 - (2 + 2) - 3  # Titan makes minerals dearer
    assert holds(state) == ("mars", "titan")
    assert refused(state, Buy("luna")) == "buy luna: the holds are full"
    assert refused(state, Buy("mars")) == "buy mars: the card is not for sale"


def test_a_card_bought_and_dropped_is_not_for_sale_again() -> None:
    state = run(career("earth", "mars", "venus"), "land", "buy earth", "drop earth")
    assert refused(state, Buy("earth")) == "buy earth: the card is not for sale"
    assert sum(map(len, run(state, "leave").cards().values())) == 18


def test_a_delivery_pays_nothing_and_turns_the_port_at_once() -> None:
    state = run(career("earth", "mars", goods=["pirate-1", "pirate-2"]), "land")
    assert state.price("CN") == 18 - 4
    state = run(state, "deliver")
    assert (state.credits, holds(state), is_renowned(state, "earth")) == (10, (), True)
    assert state.price("FO") == 7
    assert state.good(state.here) == "TE+"
    assert refused(state, Deliver()) == "deliver: the port is friendly"


def test_half_a_delivery_is_none() -> None:
    state = run(career("earth", "mars", goods=["pirate-1"]), "land")
    assert refused(state, Deliver()) == "deliver: it takes 2 cards of CN"


def test_pirates_take_valuable_cargo_and_fuel_is_valuable() -> None:
    state = run(career("pirate-1", "mars", goods=["pirate-2", "phobos"]), "meet")
    assert holds(state) == ("pirate-2",)
    assert state.credits == 10


def test_a_patrol_takes_illegal_cargo_and_fines_once() -> None:
    aboard = ["pirate-1", "pirate-2"]
    assert run(career("federation-1", "mars", goods=aboard), "meet").credits == 5
    state = run(career("federation-1", "mars", goods=aboard, credits=3), "meet")
    assert (state.credits, holds(state)) == (0, ())
    assert run(career("federation-1", "mars", goods=["mars"]), "meet").credits == 10


def test_nothing_is_dropped_while_a_contact_has_its_say() -> None:
    state = career("pirate-1", "mars", goods=["phobos"])
    assert moves(state) == ["meet"]
    assert refused(state, Drop("phobos")) == "drop phobos: the contact's text comes first"
    assert refused(state, Sell("phobos")) == "sell phobos: there is nobody to deal with"


def test_a_merchant_makes_one_deal_at_the_average() -> None:
    state = career("courier", "mars", "venus", goods=["luna"])
    assert moves(state) == ["sell luna", "buy courier", "accept", "leave", "drop luna"]
    assert run(state, "sell luna").credits == 17
    bought = run(state, "buy courier")
    assert (bought.credits, holds(bought), bought.here) == (3, ("luna", "courier"), 1)
    assert refused(career("trader", goods=["luna"]), Sell("luna")) == (
        "sell luna: the merchant trades FU"
    )


def test_a_port_contract_costs_its_deposit_and_gives_it_back() -> None:
    state = run(career("venus", "luna", "titan", "mars"), "land", "accept")
    assert (state.credits, holds(state)) == (3, ("venus",))
    state = run(state, "land")
    assert run(state, "complete venus for credits").credits == 3 + 7 + 7
    famous = run(state, "complete venus for renown")
    assert (famous.credits, is_renowned(famous, "venus")) == (10, True)


def test_a_friendly_port_pays_in_credits_only() -> None:
    state = run(career("mars", "venus", jobs=["ganymede"], renowned=["ganymede"]), "land")
    assert refused(state, Complete("ganymede", "renown")) == (
        "complete ganymede for renown: only an unknown port gives renown"
    )
    assert run(state, "complete ganymede for credits").credits == 10 + 23 + 22


def test_a_specific_contract_ends_at_its_port_and_a_government_one_at_any_of_its_ports() -> None:
    state = run(career("earth", "mars", jobs=["freighter"]), "land")
    assert run(state, "complete freighter for credits").credits == 41
    state = run(career("venus", "mars", jobs=["freighter"]), "land")
    assert refused(state, Complete("freighter", "credits")) == (
        "complete freighter for credits: the contract goes to Earth"
    )
    for port in ("europa", "ganymede"):
        state = run(career(port, "earth", jobs=["mars"]), "land")
        assert "complete mars for credits" in moves(state)


def test_a_bulk_contract_needs_an_empty_ship_and_counts_every_hold() -> None:
    state = run(career("phobos", "luna", "earth", "mars"), "land")
    state = run(state, "accept", "land")
    assert (state.credits, state.free_holds) == (0, 0)
    assert run(state, "complete phobos for credits").credits == 2 * (5 + 6)
    state = run(career("phobos", "luna", goods=["mars"]), "land")
    assert refused(state, Accept()) == "accept: a bulk contract needs an empty ship"


def test_buying_and_accepting_exclude_each_other() -> None:
    state = run(career("venus", "mars", "luna"), "land", "buy venus")
    assert refused(state, Accept()) == "accept: buying and accepting exclude each other"
    assert refused(state, Sell("venus")) == "sell venus: selling comes before buying"


def test_a_contract_needs_its_holds_and_its_deposit() -> None:
    state = run(career("luna", "mars", credits=60), "land")
    assert refused(state, Accept()) == "accept: the contract fills 3 holds"
    state = run(career("earth", "mars", credits=40), "land")
    assert refused(state, Accept()) == "accept: the deposit is 41 credits"


def test_a_failed_port_contract_loses_the_deposit_and_the_friend() -> None:
    state = career("federation-1", "mars", jobs=["europa"], renowned=["europa"])
    after = run(state, "meet")
    assert (after.credits, holds(after), is_renowned(after, "europa")) == (5, (), False)


def test_a_failed_merchant_contract_turns_the_merchant_hostile() -> None:
    state = career("mars", "venus", jobs=["smuggler"])
    assert is_renowned(run(state, "drop smuggler"), "smuggler")
    seized = run(career("pirate-1", "mars", jobs=["smuggler"]), "meet")
    assert is_renowned(seized, "smuggler")


def test_a_mercenary_is_bribed_or_takes_everything_and_turns_neutral() -> None:
    state = career("courier", "mars", goods=["luna", "mercury"], renowned=["courier"])
    assert moves(state) == ["bribe", "refuse"]
    paid, robbed = run(state, "bribe"), run(state, "refuse")
    assert (paid.credits, holds(paid), paid.renown) == (3, ("luna", "mercury"), 0)
    assert (robbed.credits, holds(robbed), robbed.renown) == (10, (), 0)
    poor = career("courier", "mars", credits=6, renowned=["courier"])
    assert refused(poor, Bribe()) == "bribe: the bribe is 7 credits"


def test_rush_contracts_fail_at_the_years_end_and_others_stay() -> None:
    state = run(career("pirate-1", jobs=["mercury"]), "meet")
    assert holds(state) == ()
    state = run(career("federation-1", jobs=["freighter"]), "meet")
    assert (holds(state), is_renowned(state, "freighter")) == ((), True)
    state = run(career("federation-1", jobs=["venus"]), "meet")
    assert (holds(state), moves(state)) == (("venus",), ["go on", "retire"])


def test_a_new_year_costs_the_fee_and_leaves_cargo_out_of_the_deck() -> None:
    state = run(career("pirate-1", goods=["mars"]), "meet", "go on")
    assert (state.year, state.credits, holds(state)) == (2, 5, ("mars",))
    assert len(state.deck) == 16
    assert state.discard == ()


def test_a_career_ends_when_the_fee_cannot_be_paid_or_after_the_last_year() -> None:
    state = run(career("pirate-1", credits=4), "meet")
    assert refused(state, GoOn()) == "go on: the fee is 5 credits"
    state = run(career("pirate-1", credits=99, year=30), "meet")
    assert refused(state, GoOn()) == "go on: a career ends after 30 years"
    over = run(state, "retire")
    assert over.is_over()
    assert refused(over, Retire()) == "retire: the career is over"


def test_the_score_is_credits_times_all_renowned_cards() -> None:
    known = ["mars", "venus", "courier"]
    assert career("earth", credits=40, renowned=known, goods=["mars"]).scores() == (120,)
    game = hand_solo("good-name")
    assert career("earth", credits=40, renowned=known, game=game).scores() == (80,)


def test_ranks_begin_where_the_table_says() -> None:
    rank = HandSoloEngine(hand_solo()).view.rank
    found = [rank(score) for score in (0, 10, 11, 120, 121, 880, 881, 99_999)]
    wanted = ["Citizen", "Citizen", "Pilot", "Mercenary", "Free Trader", "Privateer"]
    assert found == [*wanted, "Star Hustler", "Star Hustler"]


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Buy("titan"), "buy titan: the card is not for sale"),
        (Sell("titan"), "sell titan: the card is not aboard"),
        (Drop("titan"), "drop titan: the card is not aboard"),
        (Complete("titan", "credits"), "complete titan for credits: the contract is not aboard"),
        (Land(), "land: there is no starport to land at"),
        (Meet(), "meet: there is nothing to wait for"),
        (Bribe(), "bribe: there is no mercenary"),
        (GoOn(), "go on: the year is not over"),
    ],
)
def test_an_illegal_move_is_refused_by_name(move: Move, said: str) -> None:
    assert refused(run(career("earth", "mars", "venus", "luna"), "land"), move) == said


def test_what_was_seized_cannot_be_sold() -> None:
    state = run(career("pirate-1", "luna", goods=["phobos"]), "meet", "land")
    assert refused(state, Sell("phobos")) == "sell phobos: the card is not aboard"


def test_no_contract_is_offered_when_the_rules_have_none() -> None:
    state = run(career("venus", "mars", game=hand_solo("no-contracts")), "land")
    assert refused(state, Accept()) == "accept: there is no contract"


def test_the_fee_is_the_ships() -> None:
    assert run(career("pirate-1", game=hand_solo("easy-fees")), "meet", "go on").credits == 7


@pytest.mark.parametrize("seed", range(20))
def test_after_every_move_eighteen_cards_are_there_and_no_debt(seed: int) -> None:
    rng = Random(seed)
    state = HandSoloEngine(hand_solo()).new_game(1, rng)
    while not state.is_over():
        state = state.apply(random_bot(state, rng))
        cards = [card for place in state.cards().values() for card in place]
        assert len(cards) == len(set(cards)) == 18
        assert state.credits >= 0
        assert state.free_holds >= 0


def test_the_cap_on_turns_is_every_card_and_a_decision_each_year() -> None:
    assert HandSoloEngine(hand_solo()).turn_cap(1) == 30 * 19


def test_the_tree_of_moves_has_the_known_number_of_nodes() -> None:
    def leaves(state: State, depth: int) -> int:
        if not depth:
            return 1
        return sum(leaves(state.apply(move), depth - 1) for move in state.legal_moves())

    state = career("earth", "courier", "mars", "venus", goods=["luna"], credits=30)
    assert [leaves(state, depth) for depth in range(1, 5)] == [3, 14, 48, 179]


def test_the_playthrough_still_replays() -> None:
    recorded = PLAYTHROUGH.read_text(encoding="utf-8").splitlines()
    engine = HandSoloEngine(hand_solo())
    deck = [engine.box.number[card] for card in recorded[1].split()[1:]]
    state = engine.deal(deck, int(recorded[2].split()[1]))
    told = recorded[:3]
    for line in recorded:
        if line.startswith("> "):
            told += describe(state)
            state = run(state, line[2:])
            told.append(line)
    told.append(f"score {state.scores()[0]} rank {engine.view.rank(state.scores()[0])}")
    assert told == recorded


def describe(state: State) -> list[str]:
    cards = state.cards()
    met = " ".join((*cards["met"], *cards["market"]))
    aboard = " ".join(
        f"{state.box.cards[card]}:{'contract' if job else state.good(card)}"
        for card, job in state.hold
    )
    return [
        f"year {state.year}, {state.credits} credits, renown {state.renown}, {state.phase}: "
        f"{met or '-'} | {aboard or '-'}",
        f"  moves: {'; '.join(moves(state))}",
    ]


def test_every_captain_finishes_and_the_planner_beats_the_rest() -> None:
    engine = HandSoloEngine(hand_solo())
    totals = {}
    for name, bot in bots_of("hand-solo").items():
        totals[name] = 0
        for seed in range(6):
            rng = Random(seed)
            state = engine.new_game(1, rng)
            while not state.is_over():
                state = state.apply(bot(state.as_seen_by(0, rng), rng))
            totals[name] += state.scores()[0]
    assert totals["random"] < totals["trader"] < totals["planner"]
