"""What a hand of Beltpunk Haberdasher is worth: the best way to part it into sets, found exactly.

Knows the sets and their scores; plays no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from kitwright.engines.beltpunk_haberdasher import engine
from kitwright.engines.beltpunk_haberdasher_sets import Box, GearSet, mask_of
from kitwright.model.game import Game
from kitwright.problems import did_you_mean

NEAR = {  # what two cards promise that make no set yet, in hundredths: (same suit, steps apart)
    (True, 1): 30,
    (True, 2): 15,
    (False, 1): 18,
    (False, 2): 8,
}


class Nearness(dict[int, int]):
    """What a card promises with the cards near it, in hundredths, by their mask."""

    def __init__(self, box: Box, card: int) -> None:
        super().__init__()
        suits, ranks = box.suits, box.ranks
        self.worth = {
            1 << other: NEAR[how]
            for other in range(len(box.names))
            if (how := (suits[card] == suits[other], abs(ranks[card] - ranks[other]))) in NEAR
        }
        self.reach = sum(self.worth)

    def __missing__(self, near: int) -> int:
        self[near] = sum(worth for bit, worth in self.worth.items() if near & bit)
        return self[near]


class Hands:
    """Values of hands, each worked out once. A hand is a mask of its cards."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.book = box.book
        self.scrap = box.rules.scrap
        self._best = lru_cache(maxsize=50_000)(self._search)
        self._near = tuple(Nearness(box, card) for card in range(len(box.names)))
        self.promise = lru_cache(maxsize=10_000)(self._promise)

    def best(self, cards: Iterable[int]) -> tuple[int, tuple[GearSet, ...]]:
        """Return the most points of a hand, scrap taken off, and the sets that bring them."""
        mask = mask_of(cards)
        saved, sets, _ = self._best(mask)
        return saved - self.scrap * mask.bit_count(), sets

    def _search(self, hand: int) -> tuple[int, tuple[GearSet, ...], int]:
        """Return the most that sets add to a hand of scrap, those sets, and what is in any set."""
        if not hand:
            return 0, (), 0
        low = hand & -hand
        hand ^= low
        best, found, inside = self._best(hand)
        for one in self.book.joining(low, hand):
            rest, others, _ = self._best(hand & ~one.mask)
            worth = rest + one.points + self.scrap * len(one.cards)
            inside |= one.mask
            if worth > best:
                best, found = worth, (one, *others)
        return best, found, inside

    def _promise(self, hand: int) -> int:
        """Return what the cards of a hand may still become, in hundredths."""
        promise, rest = 0, hand
        while rest:
            low = rest & -rest
            rest ^= low
            near = self._near[low.bit_length() - 1]
            promise += near[rest & near.reach]
        return promise

    def value(self, hand: int) -> float:
        """Return the points of a hand, and a little for what its cards may still become."""
        return self._best(hand)[0] - self.scrap * hand.bit_count() + self.promise(hand) / 100

    def value_with(self, hand: int, card: int) -> float:
        """Return the value of a hand with one card more."""
        saved, near = self._best(hand)[0], self._near[card]
        for one in self.book.joining(1 << card, hand):
            rest = self._best(hand & ~one.mask)[0] + one.points + self.scrap * len(one.cards)
            if rest > saved:
                saved = rest
        promise = self.promise(hand) + near[hand & near.reach]
        return saved - self.scrap * (hand.bit_count() + 1) + promise / 100

    def value_without(self, hand: int, card: int) -> float:
        """Return the value of a hand with one card less."""
        saved, _, inside = self._best(hand)
        near, bit = self._near[card], 1 << card
        if inside & bit:
            saved = self._best(hand ^ bit)[0]
        promise = self.promise(hand) - near[hand & near.reach]
        return saved - self.scrap * (hand.bit_count() - 1) + promise / 100


class NamedSet(Struct, frozen=True):
    """A set with its names."""

    kind: str
    title: str
    points: int
    cards: tuple[str, ...]


class Parted(Struct, frozen=True):
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
            hint = did_you_mean(name, box.numbers)
            raise ValueError(
                f"there is no card '{name}'; expected one such as {box.names[6]}{hint}"
            )
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
