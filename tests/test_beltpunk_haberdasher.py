"""The rules of Beltpunk Haberdasher, one by one, and a whole game replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.beltpunk_haberdasher import BeltpunkEngine, State, engine
from kitwright.engines.beltpunk_haberdasher_moves import Draw, Skip, Take
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import Record
from kitwright.play.bots import find_bot

ROOT = Path(__file__).parent.parent
PLAYTHROUGH = "playthroughs/beltpunk-haberdasher.txt"


@cache
def beltpunk(variant: str | None = None) -> Game:
    return load_game(ROOT, "beltpunk-haberdasher", variant)


@cache
def rules(variant: str | None = None) -> BeltpunkEngine:
    return engine(beltpunk(variant))


def numbers(text: str) -> tuple[int, ...]:
    """Read cards such as `S3 E13` as numbers."""
    suits = {"S": "steam", "G": "gears", "P": "parts", "E": "electricity"}
    return tuple(rules().box.numbers[f"{suits[w[0]]}-{w[1:]}"] for w in text.split())


def table(
    *hands: str,
    machine: str = "",
    scraps: Sequence[str] = (),
    deck: int = 20,
    target: int = 35,
) -> State:
    """Set up a table where everybody has drawn; the deck holds what lies nowhere else."""
    players = len(hands)
    game = beltpunk()
    box = engine(replace(game, rules=Record({**game.rules, "target": target}))).box
    held = tuple(numbers(hand) for hand in hands)
    cards = numbers(machine)
    piles = tuple(numbers(pile) for pile in (*scraps, *[""] * (players - len(scraps))))
    used = {card for group in (*held, *piles, cards) for card in group}
    left = [card for card in range(52) if card not in used]
    return replace(
        rules().new_game(players, Random(1)),
        box=box,
        hands=held,
        belts=tuple(tuple(c for c in cards if box.suits[c] == suit) for suit in range(4)),
        scraps=piles,
        deck=tuple(left[:deck]),
    )


def moves(state: State) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def run(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(next(move for move in state.legal_moves() if str(move) == text))
    return state


def acting(state: State, *cards: str) -> State:
    """Let every seat choose its card, from the Foreman on."""
    return run(state, *(f"choose {name(card)}" for card in cards))


def name(card: str) -> str:
    return rules().box.names[numbers(card)[0]]


def in_place(state: State, place: str) -> set[str]:
    return set(state.cards()[place])


@pytest.mark.parametrize(("players", "hand"), [(2, 8), (3, 7), (4, 6)])
def test_the_deal_gives_hands_a_card_drawn_and_a_card_for_each_player_in_the_machine(
    players: int, hand: int
) -> None:
    places = rules().new_game(players, Random(1)).cards()
    assert [len(places[f"hand {seat}"]) for seat in range(1, players + 1)] == [hand + 1] * players
    assert sum(len(cards) for place, cards in places.items() if "belt" in place) == players
    assert len(places["deck"]) == 52 - players * (hand + 2)
    assert sum(map(len, places.values())) == 52


def test_cards_in_the_machine_lie_on_the_belt_of_their_suit() -> None:
    for seed in range(10):
        places = rules().new_game(4, Random(seed)).cards()
        for suit in rules().box.suit_names:
            assert all(card.startswith(suit) for card in places[f"belt {suit}"])


def test_the_order_is_that_of_the_example_in_the_original_rules() -> None:
    state = acting(table("S3 G1", "S10 G2", "P1 G3"), "S3", "S10", "P1")
    assert (state.to_move, state.queue) == (0, (0, 1, 2))
    state = acting(table("P1 G3", "S10 G2", "S3 G1"), "P1", "S10", "S3")
    assert state.queue == (2, 1, 0)


def test_electricity_comes_after_parts_whatever_the_number() -> None:
    state = acting(table("E1 G1", "P13 G2"), "E1", "P13")
    assert state.queue == (1, 0)


def test_a_card_is_put_into_the_machine_only_when_its_turn_comes() -> None:
    state = acting(table("S3 G1", "S10 G2"), "S3", "S10")
    assert state.cards()["belt steam"] == ("steam-3",)
    assert state.cards()["chosen 2"] == ("steam-10",)
    assert run(state, "no action").cards()["belt steam"] == ("steam-3", "steam-10")


@pytest.mark.parametrize(
    ("card", "actions"),
    [
        ("S5", {"draw", "exchange"}),
        ("G5", {"swap", "exchange"}),
        ("P5", {"swap", "take"}),
        ("E5", {"draw", "take"}),
    ],
)
def test_a_suit_offers_its_own_two_actions_and_none(card: str, actions: set[str]) -> None:
    hands = [f"{card} S1", "E13 S2"]
    state = acting(table(*hands, machine="G9"), card, "E13")
    assert {move.split()[0] for move in moves(state)} == {*actions, "no"}
    assert moves(state)[-1] == "no action"


def test_an_action_of_another_suit_is_refused() -> None:
    state = acting(table("G5 S1", "E13 S2", machine="P4"), "G5", "E13")
    for wrong in (Draw(), Take("parts-4", -1)):
        with pytest.raises(IllegalMoveError) as caught:
            state.apply(wrong)
        assert str(caught.value) == f"{wrong}: the rules do not allow it now"


def test_drawing_takes_the_top_card_and_needs_a_deck() -> None:
    state = acting(table("S5 S1", "E13 S2"), "S5", "E13")
    top = state.cards()["deck"][0]
    assert in_place(run(state, "draw"), "hand 1") == {"steam-1", top}
    empty = acting(table("S5 S1", "E13 S2", deck=0), "S5", "E13")
    assert "draw" not in moves(empty)


def test_an_exchange_lets_each_choose_what_they_give() -> None:
    state = acting(table("S5 S1 P1", "E13 S2 G2"), "S5", "E13")
    state = run(state, "exchange parts-1 with seat 2")
    assert (state.to_move, moves(state)) == (1, ["give steam-2", "give gears-2"])
    state = run(state, "give gears-2")
    assert in_place(state, "hand 1") == {"steam-1", "gears-2"}
    assert in_place(state, "hand 2") == {"steam-2", "parts-1"}


def test_the_card_that_is_offered_is_seen_by_its_owner_only() -> None:
    state = acting(table("S5 S1 P1", "E13 S2 G2"), "S5", "E13")
    state = run(state, "exchange parts-1 with seat 2")
    assert "held" in state.hidden_from(1)
    assert "held" not in state.hidden_from(0)


def test_an_empty_hand_cannot_be_exchanged_with() -> None:
    state = acting(table("S5 S1", "E13", "P2 S2"), "S5", "E13", "P2")
    assert [move for move in moves(state) if "exchange" in move] == ["exchange steam-1 with seat 3"]


def test_a_swap_takes_a_card_and_puts_another_on_the_belt_of_its_suit() -> None:
    state = acting(table("G5 S1 P1", "E13 S2", machine="E4"), "G5", "E13")
    state = run(state, "swap electricity-4 from machine")
    assert moves(state) == ["put steam-1", "put parts-1"]
    state = run(state, "put parts-1")
    assert in_place(state, "hand 1") == {"steam-1", "electricity-4"}
    assert state.cards()["belt parts"] == ("parts-1",)


def test_a_swap_needs_a_card_in_hand() -> None:
    state = acting(table("G5", "E13 S2", machine="E4"), "G5", "E13")
    assert moves(state) == ["no action"]


def test_a_swap_may_cause_an_overflow() -> None:
    state = acting(table("G5 S1 P1", "E13 S2", machine="P2 P3 S9"), "G5", "E13")
    state = run(state, "swap steam-9 from machine", "put parts-1")
    assert in_place(state, "scrap 1") == {"parts-1", "parts-2", "parts-3"}
    assert state.cards()["belt parts"] == ()


def test_a_swap_with_the_scrap_of_another_player_is_blind() -> None:
    state = acting(table("G5 S1", "E13 S2", scraps=("P1 P2", "P8 P9 P10")), "G5", "E13")
    swaps = [move for move in moves(state) if "swap" in move]
    assert swaps == [
        "swap gears-5 from machine",
        "swap parts-1 from scrap 1",
        "swap parts-2 from scrap 1",
        "swap a card from scrap 2",
    ]
    taken = {
        run(replace(state, seed=seed), "swap a card from scrap 2").cards()["held"][0]
        for seed in range(20)
    }
    assert taken == {"parts-8", "parts-9", "parts-10"}


def test_taking_from_another_players_scrap_lets_one_look_first() -> None:
    state = acting(table("P5 S1", "E13 S2", scraps=("", "G8 G9")), "P5", "E13")
    assert "scrap 2" in state.hidden_from(0)
    state = run(state, "look at scrap 2")
    assert "scrap 2" not in state.hidden_from(0)
    assert moves(state) == ["take gears-8 from scrap 2", "take gears-9 from scrap 2"]
    state = run(state, "take gears-9 from scrap 2")
    assert in_place(state, "hand 1") == {"steam-1", "gears-9"}
    assert "scrap 2" in state.hidden_from(0)


def test_a_full_belt_stays_and_one_card_more_goes_to_whoever_put_it_there() -> None:
    state = acting(table("S5 S1", "S6 S2", machine="S9"), "S5", "S6")
    assert len(state.cards()["belt steam"]) == 2, "a belt of two players holds two cards"
    state = run(state, "no action")
    assert state.cards()["scrap 1"] == ()
    state = run(state, "no action")
    assert in_place(state, "scrap 2") == {"steam-5", "steam-6", "steam-9"}
    assert state.cards()["belt steam"] == ()
    assert state.overflows == 1


@pytest.mark.parametrize("suit", ["P", "E"])
def test_taking_the_card_back_prevents_the_overflow(suit: str) -> None:
    state = acting(table(f"{suit}5 S1", "S2 S3", machine=f"{suit}8 {suit}9"), f"{suit}5", "S2")
    state = run(state, "no action", f"take {name(f'{suit}5')} from machine")
    assert state.cards()["scrap 1"] == ()
    assert in_place(state, "hand 1") == {"steam-1", name(f"{suit}5")}


def test_several_belts_that_are_too_full_are_all_taken() -> None:
    state = acting(table("S5 S1", "E13 E12", machine="S8 S9 G1 G2 G3"), "S5", "E13")
    state = run(state, "no action")
    assert len(state.cards()["scrap 1"]) == 6
    assert state.overflows == 2


def declaring(*hands: str, **more: Any) -> State:
    dealt = [f"{hand} {card}" for hand, card in zip(hands, ("E12", "E13"), strict=True)]
    return run(acting(table(*dealt, **more), "E12", "E13"), "no action", "no action")


def test_each_player_may_lay_one_set_a_turn() -> None:
    state = declaring("S3 G3 P7 E7 S12", "S1 G9")
    assert moves(state) == ["lay steam-3 gears-3", "lay parts-7 electricity-7", "no set"]
    state = run(state, "lay steam-3 gears-3")
    assert (state.to_move, state.cards()["sets 1"]) == (1, ())
    state = run(state, "no set")
    assert state.cards()["sets 1"] == ("steam-3", "gears-3")
    assert state.phase == "choose"


def test_a_declared_set_is_hidden_until_all_have_declared() -> None:
    state = run(declaring("S3 G3 S12", "S1 G9"), "lay steam-3 gears-3")
    assert "declared 1" in state.hidden_from(1)
    assert "sets 1" not in run(state, "no set").hidden_from(1)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("S3 G3", 3),
        ("S3 G3 P3", 5),
        ("S3 G3 P3 E3", 10),
        ("S3 S4 S5", 5),
        ("S3 S4 S5 S6", 7),
        ("S3 S4 S5 S6 S7", 9),
        ("G1 G2 G3 G4 G5 G6 G7", 13),
        ("S3 G4 P5", 3),
        ("S3 G4 P5 E6", 4),
    ],
)
def test_sets_score_by_the_table(cards: str, points: int) -> None:
    found = rules().box.book.find(numbers(cards))
    assert found is not None
    assert found.points == points


@pytest.mark.parametrize("cards", ["S3 S4", "S3 S4 G5", "S12 S13 S1", "S3 G4", "S3 S5 S6", "S3"])
def test_what_is_no_set_scores_nothing(cards: str) -> None:
    assert rules().box.book.find(numbers(cards)) is None


def test_an_empty_hand_ends_the_round_only_after_the_sets() -> None:
    state = acting(table("E12", "E13 S4 G9 P11"), "E12", "E13")
    assert state.hands[0] == ()
    again = run(state, "draw", "no action", "no set", "no set")
    assert again.rounds == 0, "a hand that an action has filled again ends nothing"
    over = run(state, "no action", "no action", "no set", "no set")
    assert over.rounds == 1


def test_a_round_scores_sets_less_scrap_and_cards_in_hand() -> None:
    state = declaring("S3 G3", "S1 G9 P4", scraps=("P10", "P11 P12"))
    state = run(state, "lay steam-3 gears-3", "no set")
    (line,) = state.pad
    assert (line.scores, line.scrap, line.emptied) == ((3 - 1, -2 - 3), (1, 5), True)
    assert state.scores() == (2, -5)


def test_an_empty_deck_ends_the_round() -> None:
    state = declaring("S3 G5", "S1 G9", deck=0)
    state = run(state, "no set", "no set")
    assert (state.rounds, state.pad[0].emptied) == (1, False)


def test_who_draws_from_a_deck_that_runs_dry_gets_nothing() -> None:
    state = run(declaring("S3 G5", "S1 G9", deck=1), "no set", "no set")
    assert state.foreman == 1
    assert [len(hand) for hand in state.hands] == [2, 3]
    assert state.deck == ()


def test_the_foreman_goes_round_and_into_the_next_round() -> None:
    state = run(declaring("S3 G5", "S1 G9"), "no set", "no set")
    assert (state.foreman, state.to_move, state.turn) == (1, 1, 2)
    over = run(declaring("S3 G3", "S1 G9"), "lay steam-3 gears-3", "no set")
    assert (over.foreman, over.to_move, over.rounds) == (1, 1, 1)
    assert len(over.hands[0]) == 9


def test_the_target_is_looked_at_when_a_round_is_over() -> None:
    state = run(declaring("S3 G3 P5", "S1 G9", target=3), "lay steam-3 gears-3", "no set")
    assert not state.is_over()
    won = run(declaring("S3 G3", "S1 G9", target=3), "lay steam-3 gears-3", "no set")
    assert (won.is_over(), won.winners(), won.scores()) == (True, (0,), (3, -2))


def test_a_tie_at_the_target_plays_on() -> None:
    tied = run(declaring("S3 G3", "S1 G1", target=3), "lay steam-3 gears-3", "lay steam-1 gears-1")
    assert (tied.scores(), tied.is_over(), tied.rounds) == ((3, 3), False, 1)


def test_the_quick_game_goes_to_25() -> None:
    assert (rules().box.rules.target, rules("quick").box.rules.target) == (35, 25)


def test_no_round_outlasts_its_deck() -> None:
    assert [rules().longest_round(players) for players in (2, 3, 4)] == [17, 10, 6]


def test_the_next_rounds_cards_are_not_to_be_known() -> None:
    state = rules().new_game(2, Random(1))
    assert state.as_seen_by(0, Random(2)).seed != state.seed


def test_moves_after_the_end_are_refused() -> None:
    won = run(declaring("S3 G3", "S1 G9", target=3), "lay steam-3 gears-3", "no set")
    with pytest.raises(IllegalMoveError):
        won.apply(Skip())


def told(state: State) -> list[str]:
    places = state.cards()
    belts = [f"{suit} {' '.join(places[f'belt {suit}'])}" for suit in state.box.suit_names]
    seats = range(1, len(state.hands) + 1)
    hands = [f"  hand {seat}: {' '.join(places[f'hand {seat}'])}" for seat in seats]
    return [
        f"round {state.rounds + 1}, turn {state.played + 1}: scores {state.scores()}, "
        f"foreman {state.foreman + 1}",
        f"  machine: {'; '.join(belts)}",
        *hands,
    ]


def playthrough(state: State, choose: Callable[[State], str]) -> list[str]:
    lines = ["game beltpunk-haberdasher", f"seed {state.seed}"]
    shown = (-1, -1)
    while not state.is_over():
        now = (state.rounds, state.played)
        if now != shown:
            lines += told(state)
            shown = now
        move = choose(state)
        lines.append(f"> seat {state.to_move + 1}: {move}")
        state = run(state, move)
    return [*lines, f"over: scores {state.scores()}, winner seat {state.winners()[0] + 1}"]


def test_a_planned_game_plays_as_recorded(golden: Callable[[str, str], None]) -> None:
    bot, rng = find_bot("beltpunk-haberdasher", "planner"), Random(1)
    first = rules().new_game(3, Random(7))
    lines = playthrough(first, lambda s: str(bot(s.as_seen_by(s.to_move, rng), rng)))
    golden(PLAYTHROUGH, "\n".join(lines) + "\n")


def test_the_recorded_game_replays_from_its_moves() -> None:
    recorded = (ROOT / "tests/golden" / PLAYTHROUGH).read_text(encoding="utf-8").splitlines()
    said = iter([line.split(": ", 1)[1] for line in recorded if line.startswith("> ")])
    assert playthrough(rules().new_game(3, Random(7)), lambda _: next(said)) == recorded
