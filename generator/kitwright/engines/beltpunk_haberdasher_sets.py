"""What does not change in a game of Beltpunk Haberdasher: its cards, and every set with its score.

A card is its number in Machine Order, and a bit of a mask. Knows no hands and no turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from msgspec import Struct

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


def mask_of_bits(bits: Iterable[int]) -> int:
    """Return bits together."""
    mask = 0
    for bit in bits:
        mask |= bit
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
        self._place = {one.mask: place for place, one in enumerate(self.sets)}
        self._joined: dict[int, dict[int, list[GearSet]]] = {}  # by a card, then its lowest partner
        for one in self.sets:
            for card in one.cards:
                rest = one.mask ^ (1 << card)
                partners = self._joined.setdefault(1 << card, {})
                partners.setdefault(rest & -rest, []).append(one)
        self._partners = {bit: mask_of_bits(found) for bit, found in self._joined.items()}
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
            rest ^= low
            found += self.joining(low, rest)
        return tuple(found)

    def joining(self, card: int, others: int) -> list[GearSet]:
        """List the sets that a card, given as a bit, makes with others, in the order of `sets`."""
        partners = others & self._partners.get(card, 0)
        if not partners:
            return []
        found, outside = [], ~(others | card)
        joined = self._joined[card]
        while partners:
            partner = partners & -partners
            partners ^= partner
            for one in joined[partner]:
                if not one.mask & outside:
                    found.append(one)
        if len(found) > 1:
            found.sort(key=self._order)
        return found

    def _order(self, one: GearSet) -> int:
        return self._place[one.mask]

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


class Round(Struct, frozen=True):
    """One line of the score pad, and how that round went."""

    scores: tuple[int, ...]
    scrap: tuple[int, ...]
    turns: int
    overflows: int
    kinds: tuple[int, ...]  # of each set that was laid
    emptied: bool  # whether a hand ran out, not the deck
