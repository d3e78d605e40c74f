"""What a diff shows: one entry a card that is new, gone or changed, and one a back that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from kitwright.reprint.stock import GONE, NEW, RENAMED, Change, Design, Stock, compare
from kitwright.reprint.words import field_changes
from kitwright.write.contrast import Box, difference_boxes

KINDS = (NEW, GONE, "changed")


class Entry(Struct, frozen=True):
    """One thing that differs; `before` and `after` are the hashes of the faces to show."""

    kind: str
    name: str  # deck/card
    title: str
    why: str
    lines: tuple[str, ...]  # price 3 -> 2
    width: float
    height: float
    before: str | None
    after: str | None
    boxes: tuple[Box, ...] = ()


def entries_of(old: Stock, new: Stock) -> tuple[Entry, ...]:
    """List what differs between two kits, data that no face shows included."""
    changes = list(compare(old, new))
    told = {change.any.key for change in changes}
    before = {design.key: design for design in old}
    for design in new:
        was = before.get(design.key)
        if design.key not in told and was and field_changes(was.fields, design.fields):
            changes.append(Change(was, design, 0, 0, "data changed"))
    cards = [_entry(change) for change in changes]
    return (*cards, *_backs(changes))


def _entry(change: Change) -> Entry:
    old, new, some = change.old, change.new, change.any
    kind = change.why if change.why in (NEW, GONE, RENAMED) else "changed"
    lines = field_changes(old.fields, new.fields) if old and new else ()
    return Entry(
        kind, f"{some.deck}/{some.card}", some.title, change.why, lines, some.width, some.height,
        _front(old), _front(new),
    )  # fmt: skip


def _front(design: Design | None) -> str | None:
    return design.copies[-1][0] if design is not None and design.copies else None


def _backs(changes: Iterable[Change]) -> Iterator[Entry]:
    """Show each back that changed once, however many cards have it."""
    pairs: dict[tuple[str | None, str | None], list[Design]] = {}
    for change in changes:
        old, new = change.old, change.new
        if old and new and old.copies and new.copies and old.copies[-1][1] != new.copies[-1][1]:
            pairs.setdefault((old.copies[-1][1], new.copies[-1][1]), []).append(new)
    for (before, after), designs in pairs.items():
        first = designs[0]
        alone = len(designs) == 1
        name = f"{first.deck}/{first.card}, back" if alone else f"{first.deck}, back"
        title = f"Back of {first.title}" if alone else f"Back of {len(designs)} cards"
        yield Entry(
            "changed", name, title, "back changed", (), first.width, first.height, before, after
        )


def marked(entries: Iterable[Entry], pictures: Mapping[str, bytes]) -> tuple[Entry, ...]:
    """Find in each pair of pictures where they differ."""
    return tuple(_marked(entry, pictures) for entry in entries)


def _marked(entry: Entry, pictures: Mapping[str, bytes]) -> Entry:
    if entry.before is None or entry.after is None or entry.before == entry.after:
        return entry
    before, after = pictures.get(entry.before), pictures.get(entry.after)
    if before is None or after is None:
        return entry
    boxes = difference_boxes(before, after)
    why = entry.why if boxes else f"{entry.why} (too faint to see, or outside the cut)"
    return replace(entry, why=why, boxes=boxes)
