"""The physical cards of a kit, each known by the hashes of its faces, and two kits compared.

Pure values: knows no file, no drawing and no paper. A card that lies in the box is the same as
one that would be printed when both of its faces and its size are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

Copy = tuple[str, str | None]  # the hashes of front and back
Key = tuple[str, str]  # deck, card
NEW, GONE, RENAMED = "new", "gone", "renamed"


class Design(Struct, frozen=True):
    """One card of a deck with all its copies; a copy may be of an older print than the next."""

    deck: str
    card: str
    title: str
    width: float
    height: float
    fields: Mapping[str, Any]
    copies: tuple[Copy, ...]

    @property
    def key(self) -> Key:
        """What stays the same when the card changes."""
        return self.deck, self.card

    @property
    def faces(self) -> tuple[str, ...]:
        """The hashes of all its faces, each once."""
        return tuple(dict.fromkeys(mark for copy in self.copies for mark in copy if mark))

    def things(self) -> Counter[tuple[Copy, float, float]]:
        """Count its physical cards by what they look like."""
        return Counter((copy, round(self.width, 2), round(self.height, 2)) for copy in self.copies)


Stock = tuple[Design, ...]


class Change(Struct, frozen=True):
    """What became of one card: `take` copies leave the box, `put` new ones come into it."""

    old: Design | None
    new: Design | None
    take: int
    put: int
    why: str

    @property
    def any(self) -> Design:
        """The card as it is now or, where it is gone, as it was."""
        design = self.new or self.old
        assert design is not None
        return design


def compare(old: Stock, new: Stock) -> tuple[Change, ...]:
    """Match the cards in the box with those of the kit; list what does not match, in kit order.

    A card that only got another id or another deck is matched by its faces.
    """
    before = {design.key: design for design in old}
    after = {design.key: design for design in new}
    order = [*after, *(key for key in before if key not in after)]
    spare = {key: before[key].things() for key in before}
    wanted = {key: after[key].things() for key in after}
    for key in order:
        if key in before and key in after:
            _match(spare[key], wanted[key])
    kept = dict(_rename(order, spare, wanted))
    changes = []
    for key in order:
        take = spare[key].total() if key in before else 0
        put = wanted[key].total() if key in after else 0
        why = _why(before.get(key), after.get(key), key in kept and not (take or put))
        if why:
            changes.append(Change(before.get(key), after.get(key), take, put, why))
    return tuple(changes)


def _match(spare: Counter[Any], wanted: Counter[Any]) -> int:
    """Take what both have out of both; return how many that were."""
    both = spare & wanted
    spare.subtract(both)
    wanted.subtract(both)
    return both.total()


def _rename(
    order: Sequence[Key], spare: dict[Key, Counter[Any]], wanted: dict[Key, Counter[Any]]
) -> Iterator[tuple[Key, bool]]:
    """Match what is left over of one card with what is wanted of another that looks the same."""
    for key in order:
        for other in spare if key in wanted and wanted[key].total() else ():
            if other != key and _match(spare[other], wanted[key]):
                yield key, True
                yield other, True


def _why(old: Design | None, new: Design | None, renamed: bool) -> str:
    """Say in a few words what is different; nothing where nothing is."""
    if renamed and (old is None or new is None):
        return RENAMED
    if old is None:
        return NEW
    if new is None:
        return GONE
    parts = []
    if (round(old.width, 2), round(old.height, 2)) != (round(new.width, 2), round(new.height, 2)):
        parts.append("size")
    if {copy[0] for copy in old.copies} != {copy[0] for copy in new.copies}:
        parts.append("front")
    if {copy[1] for copy in old.copies} != {copy[1] for copy in new.copies}:
        parts.append("back")
    words = [" and ".join(parts) + " changed"] if parts else []
    if len(old.copies) != len(new.copies):
        words.append(f"copies {len(old.copies)} -> {len(new.copies)}")
    return ", ".join(words)


def chosen(stock: Iterable[Design], decks: Sequence[str]) -> Stock:
    """Return the cards of some decks, or all where none is named."""
    return tuple(design for design in stock if not decks or design.deck in decks)
