"""From a composed kit to its stock, and from what changed to the fewest sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from kitwright.impose.sheets import Slotted
from kitwright.model.game import Card
from kitwright.model.paper import Paper
from kitwright.press.bindery import gap_of, impose_batch
from kitwright.press.kit import BuildOptions, DeckFaces, Kit
from kitwright.press.spares import Batch
from kitwright.reprint.stock import Change, Design, Key, Stock

NAMES = ("title", "name")  # fields that a card may be called by


def title_of(card: Card) -> str:
    """Return what people call a card."""
    said = (card.fields.get(name) for name in NAMES)
    return next((str(name) for name in said if isinstance(name, str) and name), card.id)


def stock_of(kit: Kit, sides: str = "long") -> Stock:
    """Return the physical cards of a kit; printed on one side only, they have no backs."""
    return tuple(
        Design(
            each.deck.id,
            pair.card.id,
            title_of(pair.card),
            each.deck.size.width,
            each.deck.size.height,
            pair.card.fields,
            ((kit.faces[pair.front].hash, _back(kit, pair.back, sides)),) * pair.card.copies,
        )
        for each in kit.decks
        for pair in each.cards
    )


def _back(kit: Kit, name: str | None, sides: str) -> str | None:
    return kit.faces[name].hash if name is not None and sides != "fronts" else None


def batches_for(
    kit: Kit, changes: Iterable[Change], paper: Paper, options: BuildOptions
) -> tuple[Batch, ...]:
    """Gather the cards to be printed into as few sheets as they need, decks of a size together.

    Decks that want another gap share sheets only where that saves one.
    """
    puts = {change.any.key: change.put for change in changes if change.put}
    wanted = [each for each in kit.decks if any(key[0] == each.deck.id for key in puts)]
    batches: list[Batch] = []
    for _, same in groupby(sorted(wanted, key=_size), key=_size):
        decks = tuple(same)
        apart = [
            _batch(tuple(group), puts, options)
            for _, group in groupby(
                sorted(decks, key=lambda each: gap_of(each, options)),
                key=lambda each: gap_of(each, options),
            )
        ]
        together = [_batch(decks, puts, options)]
        fewer = _sheets(together, paper, options) < _sheets(apart, paper, options)
        batches += together if fewer else apart
    return tuple(batches)


def _size(each: DeckFaces) -> tuple[float, float]:
    return each.deck.size.width, each.deck.size.height


def _batch(decks: tuple[DeckFaces, ...], puts: Mapping[Key, int], options: BuildOptions) -> Batch:
    cards = tuple(
        Slotted(pair.front, pair.back, each.deck.id, pair.card.id, copy)
        for each in decks
        for pair in each.cards
        for copy in _last(pair.card.copies, puts.get((each.deck.id, pair.card.id), 0))
    )
    gap = max(gap_of(each, options) for each in decks)
    return Batch(decks, cards, gap, max(each.bleed for each in decks))


def _last(copies: int, put: int) -> range:
    return range(copies - put + 1, copies + 1)


def _sheets(batches: Sequence[Batch], paper: Paper, options: BuildOptions) -> int:
    return sum(sheets_of(batch, paper, options) for batch in batches)


def sheets_of(batch: Batch, paper: Paper, options: BuildOptions) -> int:
    """Count the sheets of paper that a batch needs."""
    return max((sheet.number for sheet in impose_batch(batch, paper, options)), default=0)
