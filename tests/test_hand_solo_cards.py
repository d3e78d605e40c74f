"""The cards of Hand Solo: the friendly prices of the original cards, and what the models refuse."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.hand_solo import HandSoloEngine
from kitwright.load import load_game
from kitwright.model.game import Card, Game
from kitwright.model.games.hand_solo import HandSolo, check_game
from kitwright.model.record import Record, freeze
from kitwright.play.games import hand_solo_checks as own
from kitwright.play.simulate import Played
from kitwright.play.solvers import SolverError, solve

ROOT = Path(__file__).parent.parent

# The friendly sides as they were printed: FO IN MI FU TE CN, and the advanced good.
FRIENDLY = {
    "earth": (7, 10, 1, 2, 4, 19, "FO+", 12),
    "mars": (2, 10, 3, 5, 6, 7, "IN+", 18),
    "venus": (1, 12, 3, 8, 9, 15, "MI+", 9),
    "europa": (4, 3, 3, 8, 13, 7, "FU+", 14),
    "luna": (2, 4, 5, 9, 15, 10, "FO+", 12),
    "titan": (7, 7, 1, 5, 9, 5, "FU+", 14),
    "mercury": (8, 7, 1, 5, 13, 10, "TE+", 23),
    "ganymede": (4, 4, 5, 1, 6, 10, "MI+", 9),
    "phobos": (4, 7, 6, 2, 9, 15, "IN+", 18),
}


@cache
def hand_solo(variant: str | None = None) -> Game:
    return load_game(ROOT, "hand-solo", variant)


def with_card(deck_id: str, card_id: str, **fields: Any) -> Game:
    game = hand_solo()
    decks = []
    for deck in game.decks:
        cards: tuple[Card, ...] = deck.cards
        if deck.id == deck_id:
            cards = tuple(
                replace(card, fields=Record({**card.fields, **freeze(fields)}))
                if card.id == card_id
                else card
                for card in cards
            )
        decks.append(replace(deck, cards=cards))
    return replace(game, decks=tuple(decks))


@pytest.mark.parametrize("port", FRIENDLY)
def test_the_rule_gives_the_friendly_prices_that_were_printed(port: str) -> None:
    *basic, good, price = FRIENDLY[port]
    wanted = dict(zip(("FO", "IN", "MI", "FU", "TE", "CN"), basic, strict=True))
    assert HandSolo.of(hand_solo()).prices(port, True) == {**wanted, good: price}


def test_one_edit_prices_both_sides_anew() -> None:
    prices = {**hand_solo().deck("starports").cards[0].fields["prices"], "FO": 3}
    view = HandSolo.of(with_card("starports", "earth", prices=prices))
    assert (view.prices("earth", False)["FO"], view.prices("earth", True)["FO"]) == (3, 2)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (
            with_card("contacts", "courier", contract=None),
            "card 'courier': a merchant has a price and a contract; expected both",
        ),
        (
            with_card(
                "starports",
                "mars",
                contract={"job": "Delivery", "to": "Pluto", "pays": 1, "deposit": 1, "cargo": 1},
            ),
            "card 'mars': the contract goes to 'Pluto'; expected a government or a starport",
        ),
        (
            with_card("starports", "mars", prices={"FO": 1, "IN": 2, "MI": 1, "FU": 1, "TE": 1}),
            "card 'mars': no price for CN; expected every good",
        ),
        (
            replace(hand_solo(), rules=Record({**hand_solo().rules, "ship": "raft"})),
            "ship is 'raft'; expected one of shuttle, explorer, patrolcraft, transport, fighter, "
            "hauler",
        ),
        (
            replace(
                hand_solo(),
                tables=Record(
                    {
                        **hand_solo().tables,
                        "ranks": freeze(
                            {"rows": [{"rank": "A", "from": 0}, {"rank": "B", "from": 0}]}
                        ),
                    }
                ),
            ),
            "ranks begin at 0, 0; expected rising scores from 0",
        ),
    ],
)
def test_cards_that_do_not_agree_are_told(game: Game, said: str) -> None:
    assert [problem.message for problem in check_game(game)] == [said]


def test_a_game_without_its_tables_is_told_so() -> None:
    (problem,) = check_game(replace(hand_solo(), tables=Record({"ranks": freeze({"rows": []})})))
    assert problem.message == "the game has no table 'commodities'"


def static_checks(game: Game) -> dict[str, tuple[bool, Any]]:
    rules = HandSoloEngine(game)
    found = [
        *own.card_checks(game, rules.view),
        *own.price_checks(rules),
        *own.delivery_checks(rules.view),
        *own.contract_checks(rules.view),
        own.passive_check(rules),
    ]
    return {check.name: (check.ok, check.figure) for check in found}


def test_the_cards_keep_every_must_and_the_stuck_contracts_are_found() -> None:
    assert static_checks(hand_solo()) == {
        "cards of the box": (True, 31),
        "faces of each basic good": (True, (3, 3, 3, 3, 3, 3)),
        "merchants at the average price": (True, 5),
        "friendly prices": (True, 54),
        "pricing example": (True, (7, 5, 4, 2, 3, 10, 7)),
        "ports that a delivery turns": (True, 9),
        "ports turned by deliveries alone": (True, 8),
        "contracts that no ship can take": (False, 2),
        "forced out in the first year": (True, 0),
    }


def test_a_spoilt_card_is_noticed() -> None:
    prices = hand_solo().deck("starports").cards[7].fields["prices"]
    spoilt = with_card("starports", "ganymede", prices={**prices, "FO": 5})
    assert static_checks(spoilt)["pricing example"] == (False, (8, 5, 4, 2, 3, 10, 7))
    side = hand_solo().deck("contacts").cards[4].fields["neutral"]
    spoilt = with_card("contacts", "courier", neutral={**side, "commodity": "MI"})
    found = static_checks(spoilt)
    assert found["faces of each basic good"] == (False, (3, 2, 4, 3, 3, 3))
    assert found["merchants at the average price"] == (False, 4)


def careers(*scores: int, finished: bool = True) -> tuple[Played, ...]:
    return tuple(Played(("planner",), 9, (score,), (0,), finished) for score in scores)


def test_careers_are_told_by_rank_and_what_is_missing_is_found() -> None:
    rules = HandSoloEngine(hand_solo())
    played = {
        "random": careers(0, 15, 30, 50, 71, 121, 201, 331, 541, 881),
        "trader": careers(0, 100, 150, 250, 400, 600),
        "planner": careers(0, 1000),
        "infamous": careers(0, 1200),
    }
    found = {check.name: check for check in own.career_checks(rules, played)}
    assert found["careers end"].ok
    assert found["planner: ranks"].figure == (0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.5)
    assert found["planner: ranks"].about == "Citizen 50.0%, Star Hustler 50.0%"
    assert found["ranks that nobody reaches"].ok
    hole = found["ranks that no trader or planner reaches"]
    assert (hole.figure, hole.level) == (3, "finding")
    assert hole.about == "under 0.5% of careers: Pilot, Free Agent, Entrepreneur"
    assert found["free renown of dropped contracts"].figure == 1.2
    assert not found["free renown of dropped contracts"].ok


def test_a_career_without_end_fails() -> None:
    stuck = {bot: careers(5) for bot in ("trader", "infamous")}
    played = {**stuck, "planner": careers(5, finished=False)}
    first = next(iter(own.career_checks(HandSoloEngine(hand_solo()), played)))
    assert (first.name, first.ok, first.figure) == ("careers end", False, 2)


def test_the_solver_prices_a_market() -> None:
    answer = solve(hand_solo(), ["ganymede+", "phobos", "freighter"])
    assert answer.lines == ("FO 7", "IN 4", "MI 5", "FU 1", "TE 2", "CN 10", "MI+ 9")
    assert answer.data["prices"]["MI+"] == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "0 words given; expected a starport, and the cards revealed there"),
        (
            ["ganymed"],
            "there is no starport 'ganymed'; expected one of earth, mars, venus, europa, luna, "
            "titan, mercury, ganymede, phobos",
        ),
        (
            ["mars", "traders"],
            "there is no card 'traders'; expected one of earth, mars, venus, europa, luna, titan, "
            "mercury, ganymede, phobos, federation-1, federation-2, pirate-1, pirate-2, courier, "
            "smuggler, trader, freighter, bulk-trader",
        ),
    ],
)
def test_a_market_that_cannot_be_is_told(words: list[str], said: str) -> None:
    with pytest.raises(SolverError) as error:
        solve(hand_solo(), words)
    assert str(error.value) == said


@pytest.mark.slow
@pytest.mark.parametrize("variant", [None, "good-name", "no-contracts", "easy-fees"])
def test_hand_solo_keeps_every_must(variant: str | None) -> None:
    failed = [c.name for c in own.checks(hand_solo(variant)) if not c.ok and c.level == "must"]
    assert failed == []
