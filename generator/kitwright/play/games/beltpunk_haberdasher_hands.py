"""What a hand of Beltpunk Haberdasher is worth: the best way to part it into sets, found exactly.

Knows the sets and their scores; plays no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kitwright.engines.beltpunk_haberdasher import engine
from kitwright.engines.beltpunk_haberdasher_sets import Box, GearSet, mask_of
from kitwright.model.game import Game

NEAR = {  # what two cards promise that make no set yet: (same suit, steps apart)
    (True, 1): 0.30,
    (True, 2): 0.15,
    (False, 1): 0.18,
    (False, 2): 0.08,
}


class Hands:
    """Values of hands, each worked out once."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self._best = lru_cache(maxsize=200_000)(self._search)
        size = range(len(box.names))
        self._near = [
            [(other, worth) for other in size if (worth := self._promise(card, other))]
            for card in size
        ]

    def _promise(self, card: int, other: int) -> float:
        box = self.box
        steps = abs(box.ranks[card] - box.ranks[other])
        return NEAR.get((box.suits[card] == box.suits[other], steps), 0.0)

    def best(self, cards: Iterable[int]) -> tuple[int, tuple[GearSet, ...]]:
        """Return the most points of a hand, scrap taken off, and the sets that bring them."""
        mask = mask_of(cards)
        saved, sets = self._best(mask)
        return saved - self.box.rules.scrap * mask.bit_count(), sets

    def _search(self, hand: int) -> tuple[int, tuple[GearSet, ...]]:
        """Return the most that sets of a hand add to it as mere scrap, and those sets."""
        sets = self.box.book.within(hand)
        if not sets:
            return 0, ()
        inside = 0
        for one in sets:
            inside |= one.mask
        if inside != hand:  # what fits no set changes nothing
            return self._best(inside)
        low = hand & -hand
        best, found = self._best(hand ^ low)
        for one in sets:
            if one.mask & low:
                rest, others = self._best(hand ^ one.mask)
                worth = rest + one.points + self.box.rules.scrap * len(one.cards)
                if worth > best:
                    best, found = worth, (one, *others)
        return best, found

    def value(self, cards: Sequence[int]) -> float:
        """Return the points of a hand, and a little for what its cards may still become."""
        there, promise = set(cards), 0.0
        for card in cards:
            for other, worth in self._near[card]:
                if other in there:
                    promise += worth
        return self.best(cards)[0] + promise / 2


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set with its names."""

    kind: str
    title: str
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parted:
    """A hand parted into sets as well as can be."""

    points: int
    sets: tuple[NamedSet, ...]  # the best first
    scrap: tuple[str, ...]
    lost: int


def solve_hand(game: Game, names: Sequence[str]) -> Parted:
    """Part a hand into the sets that score most."""
    box = engine(game).box
    for name in names:
        if name not in box.numbers:
            raise ValueError(f"there is no card '{name}'; expected one such as {box.names[6]}")
    if not names or len(set(names)) < len(names):
        said = "a card is named twice" if names else "no cards are named"
        raise ValueError(f"{said}; expected the cards of a hand, each once")
    cards = [box.numbers[name] for name in names]
    points, sets = hands_of(box).best(cards)
    left = [card for card in sorted(cards) if not any(card in one.cards for one in sets)]
    rows, named = box.rules.sets, sorted(sets, key=lambda one: (-one.points, one.cards))
    return Parted(
        points,
        tuple(
            NamedSet(
                rows[one.kind].id,
                rows[one.kind].title,
                one.points,
                tuple(box.names[card] for card in one.cards),
            )
            for one in named
        ),
        tuple(box.names[card] for card in left),
        box.rules.scrap * len(left),
    )


@lru_cache(maxsize=8)
def hands_of(box: Box) -> Hands:
    """Return the hands of a box, one table of values for all bots."""
    return Hands(box)
