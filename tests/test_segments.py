"""The segment solver against a plain search of every order of every choice of circuits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitwright.engines.hard_wired_wiring import Wiring
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.games.hard_wired import HardWired
from kitwright.play.segments import Segment, UnknownCardError, cheapest, shortest, solve

ROOT = Path(__file__).parent.parent

cards_of_a_turn = st.lists(st.integers(0, 43), min_size=0, max_size=7, unique=True)
values = st.integers(0, 26)
table_displays = st.lists(values, min_size=1, max_size=3)
exhaustive = settings(deadline=None, derandomize=True, max_examples=300)


@cache
def hard_wired() -> Game:
    return load_game(ROOT, "hard-wired")


@cache
def view() -> HardWired:
    return HardWired.of(hard_wired())


@cache
def wiring() -> Wiring:
    return Wiring(view())


def plain_follow(card: int, values: Sequence[int]) -> tuple[int, ...]:
    """Follow the wires as a player does, without any table."""
    result = {}
    for wire in view().circuits[card][1].wires:
        value = values[wire.start - 1]
        if wire.part == "inductor":
            value = 1 if value == 3 else value + 1
        elif wire.part == "resistor":
            value = 3 if value == 1 else value - 1
        result[wire.to] = value
    return tuple(result[line] for line in (1, 2, 3))


def plain_segments(
    start: tuple[int, ...], ends: set[tuple[int, ...]], cards: Sequence[int], lengths: range
) -> list[tuple[int, ...]]:
    """Return every segment of the first length that has one, by trying everything."""
    for length in lengths:
        found = []
        for order in permutations(cards, length):
            values = start
            for card in order:
                values = plain_follow(card, values)
            if values in ends:
                found.append(order)
        if found:
            return found
    return []


def mask(targets: Sequence[int]) -> int:
    return sum(1 << value for value in set(targets))


def lineups(numbers: Sequence[int]) -> set[tuple[int, ...]]:
    return {wiring().lineups[number] for number in numbers}


@exhaustive
@given(values, table_displays, cards_of_a_turn, st.integers(0, 7))
def test_the_solver_agrees_with_trying_everything(
    start: int, ends: list[int], cards: list[int], in_hand: int
) -> None:
    hand, public = cards[:in_hand], cards[in_hand:]
    expected = plain_segments(wiring().lineups[start], lineups(ends), cards, range(2, 6))
    assert sorted(shortest(wiring(), start, mask(ends), cards)) == sorted(expected)
    assert wiring().can_finish(start, 0, cards, mask(ends)) == bool(expected)
    found = cheapest(wiring(), start, mask(ends), hand, public)
    if found is None:
        assert not expected
    else:
        assert found in expected
        assert from_hand(found, hand) == min(from_hand(way, hand) for way in expected)


def from_hand(way: Sequence[int], hand: Sequence[int]) -> int:
    return sum(card in hand for card in way)


@exhaustive
@given(values, table_displays, cards_of_a_turn, st.integers(1, 5))
def test_a_segment_that_is_begun_is_finished_as_trying_everything_would(
    value: int, ends: list[int], cards: list[int], laid: int
) -> None:
    lengths = range(max(2 - laid, 0), 5 - laid + 1)
    expected = plain_segments(wiring().lineups[value], lineups(ends), cards, lengths)
    assert wiring().can_finish(value, laid, cards, mask(ends)) == bool(expected)
    found = cheapest(wiring(), value, mask(ends), (), cards, laid)
    assert (found is None) == (not expected)
    assert found is None or found in expected


def test_a_segment_is_told_in_card_ids_with_the_values_on_the_way() -> None:
    found = solve(
        hard_wired(),
        "display-111",
        ["display-222", "display-333"],
        ["straight-inductors", "straight-plain", "roll-up-inductor-1"],
    )
    assert found == (
        Segment(
            ("straight-inductors", "straight-plain"),
            "display-222",
            ((1, 1, 1), (2, 2, 2), (2, 2, 2)),
        ),
        Segment(
            ("straight-plain", "straight-inductors"),
            "display-222",
            ((1, 1, 1), (1, 1, 1), (2, 2, 2)),
        ),
    )


def test_longer_segments_are_found_only_when_there_is_no_shorter() -> None:
    parts = [f"straight-inductor-{line}" for line in (1, 2, 3)]
    found = solve(hard_wired(), "display-111", ["display-222"], parts)
    assert [len(segment.circuits) for segment in found] == [3] * 6
    assert solve(hard_wired(), "display-111", ["display-222"], parts[:2]) == ()


@pytest.mark.parametrize(
    ("current", "displays", "circuits", "said"),
    [
        ("display-444", ["display-111"], [], "'display-444' is no display of the game"),
        ("display-111", ["display-11"], [], "'display-11' is no display of the game"),
        ("display-111", ["display-222"], ["roll-upp"], "'roll-upp' is no circuit of the game"),
        (
            "display-111",
            ["display-222"],
            ["roll-up-plain"] * 2,
            "circuit 'roll-up-plain' is named 2 times; the deck has 1",
        ),
    ],
)
def test_a_card_that_is_not_there_is_refused(
    current: str, displays: list[str], circuits: list[str], said: str
) -> None:
    with pytest.raises(UnknownCardError) as error:
        solve(hard_wired(), current, displays, circuits)
    assert str(error.value) == said
    assert error.value.wrong in said
