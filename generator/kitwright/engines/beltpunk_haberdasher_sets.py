"""What does not change in a game of Beltpunk Haberdasher: its cards, and every set with its score.

A card is its number in Machine Order, and a bit of a mask. Knows no hands and no turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from kitwright.model.games.beltpunk_haberdasher import Beltpunk, SetRow


class GearSet(NamedTuple):
    """Cards that score together."""

    points: int
    cards: tuple[int, ...]
    kind: int  # its row in the rules
    mask: int


def mask_of(cards: Iterable[int]) -> int:
    """Return cards as bits."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


class SetBook:
    """All sets of a deck; where two kinds are made of the same cards, the better one."""

    def __init__(self, view: Beltpunk) -> None:
        suits = {suit: number for number, suit in enumerate(view.suits)}
        ordered = sorted((suits[card.suit], card.rank) for _, card in view.cards)
        self.at = {key: number for number, key in enumerate(ordered)}
        self.kinds = tuple(row.id for row in view.rules.sets)
        self._suits, self._ranks = len(suits), view.rules.ranks
        best: dict[int, GearSet] = {}
        for kind, row in enumerate(view.rules.sets):
            for cards in self._of_kind(row):
                mask = mask_of(cards)
                found = GearSet(row.score(len(cards)), cards, kind, mask)
                if mask not in best or found.points > best[mask].points:
                    best[mask] = found
        self.sets = tuple(best.values())
        self._best = best
        self._lowest: dict[int, list[GearSet]] = {}  # by the bit of the lowest card
        for one in self.sets:
            self._lowest.setdefault(one.mask & -one.mask, []).append(one)
        self.within = lru_cache(maxsize=20_000)(self._within)

    def _of_kind(self, row: SetRow) -> Iterator[tuple[int, ...]]:
        if row.shape == "same-rank":
            for rank in range(1, self._ranks + 1):
                there = [self.at[s, rank] for s in range(self._suits) if (s, rank) in self.at]
                for count in range(row.fewest, row.most + 1):
                    yield from combinations(there, count)
            return
        for count in range(row.fewest, row.most + 1):
            for first in range(1, self._ranks - count + 2):
                for suits in self._suits_of_run(row, count):
                    keys = [(suit, first + step) for step, suit in enumerate(suits)]
                    if all(key in self.at for key in keys):
                        yield tuple(self.at[key] for key in keys)

    def _suits_of_run(self, row: SetRow, count: int) -> Iterator[tuple[int, ...]]:
        if row.shape == "one-suit-run":
            return ((suit,) * count for suit in range(self._suits))
        return permutations(range(self._suits), count)

    def _within(self, hand: int) -> tuple[GearSet, ...]:
        """List the sets that can be laid from the cards of a mask."""
        found: list[GearSet] = []
        rest = hand
        while rest:
            low = rest & -rest
            found.extend(one for one in self._lowest.get(low, ()) if one.mask & hand == one.mask)
            rest ^= low
        return tuple(found)

    def find(self, cards: Iterable[int]) -> GearSet | None:
        """Return the set that just these cards make."""
        return self._best.get(mask_of(cards))


class Box:
    """What does not change during a game: the rules, the sets, the names of the cards."""

    def __init__(self, view: Beltpunk) -> None:
        self.rules = view.rules
        self.book = SetBook(view)
        suits = {suit: number for number, suit in enumerate(view.suits)}
        ordered = sorted(view.cards, key=lambda item: (suits[item[1].suit], item[1].rank))
        self.names = tuple(name for name, _ in ordered)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.suits = tuple(suits[card.suit] for _, card in ordered)
        self.ranks = tuple(card.rank for _, card in ordered)
        self.suit_names = view.suits
        self.actions = tuple(view.rules.suits[suit].actions for suit in view.suits)
        self.deals = {row.players: row for row in view.rules.deal}


@dataclass(frozen=True, slots=True)
class Round:
    """One line of the score pad, and how that round went."""

    scores: tuple[int, ...]
    scrap: tuple[int, ...]
    turns: int
    overflows: int
    kinds: tuple[int, ...]  # of each set that was laid
    emptied: bool  # whether a hand ran out, not the deck
