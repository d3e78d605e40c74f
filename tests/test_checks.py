"""The checks of Hard Wired: its own game passes, and a spoilt one fails the check meant for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.hard_wired import HardWiredEngine
from kitwright.load import load_game
from kitwright.model.game import Card, Game
from kitwright.model.record import Record, freeze
from kitwright.play import checks as general
from kitwright.play.figures import Check
from kitwright.play.games import hard_wired_checks as own
from kitwright.play.simulate import Played

ROOT = Path(__file__).parent.parent


@cache
def hard_wired(variant: str | None = None) -> Game:
    return load_game(ROOT, "hard-wired", variant)


def with_rules(**numbers: Any) -> Game:
    game = hard_wired()
    return replace(game, rules=Record({**game.rules, **numbers}))


def with_cards(deck_id: str, change: Callable[[Card], Card | None]) -> Game:
    game = hard_wired()
    decks = []
    for deck in game.decks:
        cards = [change(card) if deck.id == deck_id else card for card in deck.cards]
        decks.append(replace(deck, cards=tuple(card for card in cards if card is not None)))
    return replace(game, decks=tuple(decks))


def static_checks(game: Game) -> Iterator[Check]:
    engine = HardWiredEngine(game)
    yield from own.deck_checks(engine.view)
    yield from own.closure_checks(engine.view)
    yield from own.path_checks(engine)
    yield from own.deal_checks(engine)


def failed(game: Game) -> set[str]:
    return {check.name for check in static_checks(game) if not check.ok}


def rewired(card: Card, wires: Sequence[dict[str, Any]]) -> Card:
    return replace(card, fields=Record({**card.fields, "wires": freeze(list(wires))}))


def without_parts(card: Card) -> Card:
    return rewired(card, [{"from": w["from"], "to": w["to"]} for w in card.fields["wires"]])


def straightened(card: Card) -> Card:
    return rewired(card, [{**wire, "to": wire["from"]} for wire in card.fields["wires"]])


def test_the_figures_of_the_decks_are_the_proved_ones() -> None:
    figures = {check.name: check.figure for check in static_checks(hard_wired())}
    assert failed(hard_wired()) == set()
    assert figures == {
        "displays: every triple": 27,
        "circuits: all different": 44,
        "circuits: parts in balance": (21, 21),
        "circuits: closed under inductors for resistors": 44,
        "circuits: closed under top for bottom": 44,
        "circuits: closed under half a turn": 44,
        "circuits: closed under undoing": 44,
        "circuits: nothing lost on the way": 44,
        "circuits: transforms reached": 162,
        "pairs of displays joined": 729,
        "pairs joined by two circuits": 729,
        "two-circuit ways a pair": (12, 70.07, 248),
        "circuits for the deal": 21,
        "displays never run out": 52,
        "a segment on the first turn": 0.9996,
    }


@pytest.mark.parametrize("copies", [1, 3])
def test_a_missing_or_third_copy_of_a_display_is_found(copies: int) -> None:
    spoilt = with_cards(
        "displays",
        lambda card: replace(card, copies=copies) if card.id == "display-213" else card,
    )
    assert failed(spoilt) == {"displays: every triple"}


def test_two_circuits_that_do_the_same_are_found() -> None:
    spoilt = with_cards(
        "circuits", lambda card: without_parts(card) if card.id == "straight-inductor-1" else card
    )
    assert {"circuits: all different", "circuits: parts in balance"} <= failed(spoilt)


@pytest.mark.parametrize(
    ("missing", "symmetries"),
    [
        ("straight-inductor-2", {"inductors for resistors", "undoing"}),
        (
            "straight-inductor-1",
            {"inductors for resistors", "top for bottom", "half a turn", "undoing"},
        ),
        ("high-swap-plain", {"top for bottom", "half a turn"}),
        ("roll-up-plain", {"top for bottom", "undoing"}),
    ],
)
def test_a_circuit_without_its_partner_is_found(missing: str, symmetries: set[str]) -> None:
    spoilt = with_cards("circuits", lambda card: None if card.id == missing else card)
    closed = {name for name in failed(spoilt) if "closed" in name}
    assert closed == {f"circuits: closed under {symmetry}" for symmetry in symmetries}


def test_a_deck_that_cannot_reach_every_display_is_found() -> None:
    paths = {
        "circuits: transforms reached",
        "pairs of displays joined",
        "pairs joined by two circuits",
        "two-circuit ways a pair",
    }
    assert paths <= failed(with_cards("circuits", without_parts))
    assert "a segment on the first turn" in failed(with_cards("circuits", without_parts))
    assert "circuits: transforms reached" in failed(with_cards("circuits", straightened))


def test_no_games_are_played_with_a_deck_in_which_they_need_not_end() -> None:
    checks = {check.name: check for check in own.checks(with_cards("circuits", without_parts), 1)}
    assert not any("players" in name for name in checks)
    assert checks[own.JOINED].about == (
        "93 of 729 pairs are joined by 2 to 5 circuits; games need not end, so none were played"
    )


def test_a_wire_that_ends_with_another_loses_displays() -> None:
    class Shorted(HardWiredEngine):
        """The game with one circuit that turns everything into the first display."""

        def __init__(self, game: Game) -> None:
            super().__init__(game)
            self.box.wiring.acts = ((0,) * 27, *self.box.wiring.acts[1:])

    names = {check.name for check in own.path_checks(Shorted(hard_wired())) if not check.ok}
    assert "circuits: nothing lost on the way" in names


def test_too_small_decks_are_found() -> None:
    assert failed(with_rules(hand=7)) == {"circuits for the deal"}
    assert failed(with_rules(goal=10)) == {"displays never run out"}


def test_the_round_end_may_run_short_of_displays_which_is_a_finding() -> None:
    (short,) = [check for check in static_checks(hard_wired("round-end")) if not check.ok]
    assert short == Check(
        "displays never run out",
        "finding",
        57,
        "<= 54",
        False,
        "machines of 6 players and the table hold at most 57 displays of 54; "
        "in the last round fewer may be face up on the table",
    )


def games_won(wins: Sequence[int], turns: int = 28) -> list[Played]:
    seats = len(wins)
    return [
        Played(("greedy",) * seats, turns, (9,) * seats, (seat,), True)
        for seat, count in enumerate(wins)
        for _ in range(count)
    ]


def test_a_favoured_seat_is_a_finding_in_the_printed_game() -> None:
    checks = list(own.game_checks(hard_wired(), 2, games_won([62, 38])))
    assert [(check.name, check.level, check.ok) for check in checks] == [
        ("2 players: games end", "must", True),
        ("2 players: rounds", "must", True),
        ("2 players: seat shares", "finding", False),
    ]
    assert checks[-1].about == (
        "of 100 games seat 1 wins most (62.0%) and seat 2 fewest (38.0%); a fair share is 50.0%; "
        "the 'handicap' variant evens the seats out"
    )


def test_a_favoured_seat_is_a_fault_of_the_handicap() -> None:
    good, bad = (
        list(own.game_checks(hard_wired("handicap"), 2, games_won(wins)))[-1]
        for wins in ([57, 43], [59, 41])
    )
    assert (good.level, good.ok, good.figure) == ("must", True, (0.57, 0.43))
    assert (bad.level, bad.ok, bad.bound) == ("must", False, "0.500 +- 0.08")


def test_games_that_do_not_end_or_take_too_long_are_found() -> None:
    stuck = replace(games_won([1, 0])[0], winners=(), finished=False)
    ends, *_ = own.game_checks(hard_wired(), 2, [*games_won([5, 5]), stuck])
    assert (ends.figure, ends.bound, ends.ok) == (10, "= 11", False)
    (alone,) = own.game_checks(hard_wired(), 2, [stuck])
    assert not alone.ok
    rounds = list(own.game_checks(hard_wired(), 2, games_won([5, 5], turns=40)))[1]
    assert (rounds.figure, rounds.bound, rounds.ok) == (20.0, "13 to 15", False)


def test_more_games_are_played_while_the_shares_leave_doubt() -> None:
    assert not own.is_decided(games_won([100, 0]), 2)
    assert not own.is_decided(games_won([570, 430]), 2)
    assert own.is_decided(games_won([500, 500]), 2)
    assert own.is_decided(games_won([700, 300]), 2)
    assert own.is_decided(games_won([500, 500, 0]), 3)
    assert own.is_decided([replace(games_won([1, 0])[0], finished=False)], 2)


def test_greedy_games_pass_and_tell_their_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "LOOKS", (50,))
    game, told = replace(hard_wired(), players=(2, 3)), []
    checks = list(own.play_checks(game, 1, lambda done, of: told.append((done, of))))
    assert [check.ok for check in checks if check.level == "must"] == [True] * 4
    assert (told[0], told[-1]) == ((50, 100), (100, 100))


def test_all_checks_run_with_plain_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "LOOKS", (20,))
    checks = general.run_checks(hard_wired(), 1)
    assert len({check.name for check in checks}) == len(checks)
    assert json.loads(json.dumps([check.as_dict() for check in checks]))[-1]["level"] == "finding"


def test_a_game_without_an_engine_gets_the_general_checks_only() -> None:
    stranger = replace(hard_wired(), id="kelp-run")
    assert [check.name for check in general.run_checks(stranger, 1)] == [
        f"{deck.id}: no two cards alike" for deck in stranger.decks
    ]


def test_cards_that_look_alike_are_a_finding() -> None:
    spoilt = with_cards("circuits", without_parts)
    (finding,) = [check for check in general.general_checks(spoilt) if not check.ok]
    assert finding == Check(
        "circuits: no two cards alike",
        "finding",
        6,
        "= 44",
        False,
        "6 of 44 cards differ; alike ones could be copies of one",
    )


@pytest.mark.slow
@pytest.mark.parametrize("variant", [None, "handicap", "round-end"])
def test_hard_wired_keeps_every_must(variant: str | None) -> None:
    checks = general.run_checks(hard_wired(variant))
    assert [check for check in checks if check.level == "must" and not check.ok] == []


def test_a_player_aid_that_shows_a_wrong_value_fails_its_check() -> None:
    game = hard_wired()
    view = HardWiredEngine(game).view
    assert [check.ok for check in own.example_checks(game, view)] == [True]
    aids = game.deck("aids")
    example = {**aids.data["example"], "end": (1, 1, 1)}
    wrong = replace(aids, data=Record({"example": example}))
    spoilt = replace(game, decks=tuple(wrong if deck is aids else deck for deck in game.decks))
    assert [check.ok for check in own.example_checks(spoilt, view)] == [False]
