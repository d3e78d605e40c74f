"""What every engine offers, and the one error it may raise. Knows no game and no bot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

M = TypeVar("M")
Item = TypeVar("Item")


class IllegalMoveError(ValueError):
    """A move was applied to a state that does not allow it: always a bug in the caller."""


class State(Protocol[M]):
    """One immutable moment of a game; a move prints as text and is found again by it."""

    @property
    def turn(self) -> int:
        """The number of turns that have been completed."""

    @property
    def to_move(self) -> int:
        """The seat that acts next, counted from 0."""

    def legal_moves(self) -> tuple[M, ...]:
        """Every move open to `to_move`, in a fixed order; empty exactly when the game is over."""

    def apply(self, move: M) -> Self:
        """The state after `move`; `self` is unchanged."""

    def is_over(self) -> bool:
        """Whether the game has ended."""

    def scores(self) -> tuple[int, ...]:
        """One score a seat, so far."""

    def winners(self) -> tuple[int, ...]:
        """The seats that have won: several share a victory, none while the game is on."""

    def as_seen_by(self, seat: int, rng: Random) -> Self:
        """A state that looks the same from `seat`, every card hidden from it dealt anew."""

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """The ids of all cards by the place where they lie, in their order there."""

    def hidden_from(self, seat: int) -> frozenset[str]:
        """The places of `cards` that `seat` may not look at."""


@runtime_checkable
class Telling(Protocol):
    """A state that can tell more than its cards; rulebooks look it up for their examples."""

    def facts(self) -> Mapping[str, Any]:
        """What a player sees on the table that no single card shows, by name."""


@runtime_checkable
class InRounds(Protocol):
    """A state of a game that is scored round by round, each round several turns long."""

    @property
    def rounds(self) -> int:
        """The number of rounds that have been scored."""


class Engine(Protocol[M]):
    """The rules of one game, every number and card read from its model."""

    def new_game(self, players: int, rng: Random) -> State[M]:
        """Shuffle and deal."""

    def turn_cap(self, players: int) -> int:
        """The number of turns after which a game counts as not finished."""

    def score_bounds(self, players: int) -> tuple[int, int]:
        """The lowest and the highest score that a seat can have."""


def shuffled(items: Iterable[Item], rng: Random) -> tuple[Item, ...]:
    """Return the items in random order.

    Only `random()` is promised to give the same numbers in every version of Python.
    """
    there, draw = tuple(items), rng.random
    keys = [draw() for _ in there]
    order = sorted(range(len(there)), key=keys.__getitem__)
    return tuple(map(there.__getitem__, order))
