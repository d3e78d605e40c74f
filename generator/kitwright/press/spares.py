"""Slots that would stay empty, filled with blanks or with chosen cards that go missing easily.

Knows batches of cards and how many fit on a sheet; composes only the blank face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from msgspec import Struct

from kitwright.impose.grid import arrange
from kitwright.impose.sheets import Slotted
from kitwright.model.paper import Paper
from kitwright.ops import Face, content_hash
from kitwright.press.kit import DeckFaces, Kit, Sides
from kitwright.problems import RequestError, did_you_mean

BLANKS = "blanks"
BLANK = "blank"  # what a blank is called among the cards of its deck


class Batch(Struct, frozen=True):
    """Physical cards that share sheets: one size, one gap."""

    decks: tuple[DeckFaces, ...]
    cards: tuple[Slotted, ...]
    gap: float
    bleed: float

    def slots(self, paper: Paper, sides: str) -> int:
        """Return how many cards fit on one of its sheets."""
        deck = self.decks[0].deck
        return arrange(deck.size, paper, sides, self.gap, self.bleed, deck.place).count

    def sides(self, wanted: str) -> str:
        """Return how its sheets are printed: cards without any back need no second side."""
        return wanted if any(card.back for card in self.cards) else "fronts"


def check_fill(fill: Sequence[str], kit: Kit) -> None:
    """Refuse a card that the game does not have."""
    known = [f"{each.deck.id}/{sides.card.id}" for each in kit.decks for sides in each.cards]
    for name in fill:
        if name != BLANKS and name not in known:
            hint = did_you_mean(name, [BLANKS, *known])
            raise RequestError(
                f"--fill is '{name}'; expected blanks, or DECK/CARD of {kit.game.id}{hint}"
            )


def filled(batch: Batch, fill: Sequence[str], paper: Paper, sides: str) -> Batch:
    """Return a batch whose last sheet is full, where `fill` has something of its decks."""
    slots = batch.slots(paper, batch.sides(sides))
    spare = -len(batch.cards) % slots
    found = list(_spares(batch, fill))
    if not spare or not found:
        return batch
    more = tuple(islice(cycle(found), spare))
    return Batch(batch.decks, (*batch.cards, *more), batch.gap, batch.bleed)


def _spares(batch: Batch, fill: Sequence[str]) -> Iterator[Slotted]:
    cards = {f"{each.deck.id}/{pair.card.id}": pair for each in batch.decks for pair in each.cards}
    for name in fill:
        if name == BLANKS and batch.cards:
            yield _blank(batch)
        elif name in cards:
            pair: Sides = cards[name]
            yield Slotted(
                pair.front, pair.back, name.partition("/")[0], pair.card.id, pair.card.copies + 1
            )


def _blank(batch: Batch) -> Slotted:
    """Return a card to write on, with the back of the deck that leaves slots empty."""
    last = batch.cards[-1]
    deck = next(each for each in batch.decks if each.deck.id == last.deck)
    back = None if deck.own_backs else last.back
    return Slotted(blank_name(deck), back, deck.deck.id, BLANK)


def blank_name(deck: DeckFaces) -> str:
    """Return the id of the empty face of a deck."""
    return f"{BLANK}/{deck.deck.id}"


def blank_face(deck: DeckFaces) -> Face:
    """Compose a face with nothing on it."""
    size = deck.deck.size
    return Face(blank_name(deck), size.width, size.height, 0.0, (), content_hash((), {}))
