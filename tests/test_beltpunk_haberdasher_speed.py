"""What makes Beltpunk Haberdasher quick must change nothing: shortcuts beside the long way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from kitwright.engines.beltpunk_haberdasher import BeltpunkEngine, State, engine
from kitwright.engines.beltpunk_haberdasher_legal import allows
from kitwright.engines.beltpunk_haberdasher_moves import (
    MACHINE,
    Choose,
    Draw,
    Exchange,
    Give,
    Lay,
    Look,
    Move,
    NoSet,
    Put,
    Skip,
    Swap,
    Take,
)
from kitwright.engines.beltpunk_haberdasher_sets import mask_of
from kitwright.load import load_game
from kitwright.play.bots import bots_of, random_bot
from kitwright.play.games.beltpunk_haberdasher_hands import NEAR, Hands, hands_of

ROOT = Path(__file__).parent.parent


@cache
def rules() -> BeltpunkEngine:
    return engine(load_game(ROOT, "beltpunk-haberdasher"))


def states(players: int, seed: int, most: int) -> Iterator[State]:
    state, rng = rules().new_game(players, Random(seed)), Random(seed)
    for _ in range(most):
        yield state
        state = state.apply(random_bot(state, rng))


def thinkable(state: State) -> Iterator[Move]:
    """Yield every move that can be written down, wise or not."""
    names = (*state.box.names, "no-such-card")
    piles = range(MACHINE, len(state.hands) + 1)
    yield from (Skip(), Draw(), NoSet())
    yield from (Look(pile) for pile in piles)
    yield from (Swap(None, pile) for pile in piles)
    for name in names:
        yield from (Choose(name), Give(name), Put(name))
    for name, pile in product(names, piles):
        yield from (Take(name, pile), Swap(name, pile), Exchange(name, pile))
    for one in state.box.book.sets:
        yield Lay(tuple(names[card] for card in one.cards))
        yield Lay(tuple(names[card] for card in reversed(one.cards)))
    yield Lay(names[:2])
    yield Lay(())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_move_is_allowed_exactly_when_it_is_listed(players: int) -> None:
    seen = set()
    for state in states(players, seed=players, most=120):
        listed = set(state.legal_moves())
        assert {move for move in thinkable(state) if allows(state, move)} == listed
        seen.add(state.phase)
    assert seen >= {"choose", "act", "declare", "put"}


def test_a_state_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rules().new_game(2, Random(1)).turn = 3  # type: ignore[misc]  # that is the point


def long_way(hands: Hands, cards: tuple[int, ...]) -> float:
    """Value a hand pair by pair."""
    suits, ranks = hands.box.suits, hands.box.ranks
    promise = sum(
        NEAR.get((suits[a] == suits[b], abs(ranks[a] - ranks[b])), 0)
        for a in cards
        for b in cards
        if a < b
    )
    return hands.best(cards)[0] + promise / 100


@pytest.mark.parametrize("size", [1, 4, 7, 9])
def test_a_card_more_or_less_is_worth_what_the_whole_hand_says(size: int) -> None:
    hands, rng = hands_of(rules().box), Random(size)
    for _ in range(40):
        drawn = rng.sample(range(52), size + 1)
        card, cards = drawn[0], tuple(drawn[1:])
        hand, more = mask_of(cards), mask_of(drawn)
        assert hands.value(hand) == pytest.approx(long_way(hands, cards))
        assert hands.value_with(hand, card) == pytest.approx(long_way(hands, tuple(drawn)))
        assert hands.value_without(more, card) == pytest.approx(long_way(hands, cards))


@pytest.mark.parametrize("bot", ["greedy", "planner"])
def test_a_bot_looks_at_nothing_that_is_hidden(bot: str) -> None:
    move_of = bots_of("beltpunk-haberdasher")[bot]
    for state in states(4, seed=9, most=150):
        one, other = (state.as_seen_by(state.to_move, Random(seed)) for seed in (1, 2))
        assert move_of(one, Random(3)) == move_of(other, Random(4))
