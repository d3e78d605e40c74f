"""A part of a face as a face of its own, so that a figure can show a corner of a sheet enlarged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec.structs import replace

from kitwright.model.geometry import rectangle, translation
from kitwright.ops import Group, Use, symbol_of
from kitwright.problems import Place, Problem
from kitwright.rulebook.blocks import Shown

Area = Sequence[float]  # x, y, width, height


def part_of(shown: Shown, area: Area) -> Shown:
    """Return the part of a face that lies in an area, its top left at 0, 0."""
    face, (x, y, w, h) = shown.face, area
    ops = (Group((Use(symbol_of(face)),), translation(-x, -y), rectangle(x, y, w, h)),)
    name = f"{face.id}@{x:g},{y:g},{w:g},{h:g}"
    code = sha256(f"{face.hash} {name}".encode()).hexdigest()[: len(face.hash)]
    return Shown(replace(face, id=name, width=w, height=h, bleed=0.0, ops=ops, hash=code), 1.5)


def off_the_face(shown: Shown, area: Area, place: Place) -> Iterator[Problem]:
    """Find an area that does not lie on its face."""
    x, y, w, h = area
    wide, high = shown.face.width, shown.face.height
    if not (x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= wide and y + h <= high):
        said = (
            f"area is {_told(area)}; expected a part of the card, which is {wide:g}mm x {high:g}mm"
        )
        yield Problem(place, "bad-value", said)


def off_the_part(area: Area, x: float, y: float, place: Place) -> Iterator[Problem]:
    """Find a spot that is not in the area shown."""
    left, top, w, h = area
    if not (left <= x <= left + w and top <= y <= top + h):
        said = f"at is {_told((x, y))}; expected a spot in the area {_told(area)}"
        yield Problem(place, "bad-value", said)


def _told(lengths: Sequence[float]) -> str:
    return f"[{', '.join(f'{length:g}mm' for length in lengths)}]"
