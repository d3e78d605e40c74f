"""Whether the bleed is really filled: a face is drawn on nothing, and its rim must not be bare.

Where the cut runs over plain white paper, bare paper outside it is the same white: no fault.
Most faces have a ground that covers them whole, which is proved without drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from kitwright.fonts import Fonts
from kitwright.model.geometry import multiply
from kitwright.ops import IDENTITY, Face, Fill, Group, Matrix, Op, Use
from kitwright.write.bounds import Box, transformed
from kitwright.write.encoded import EncodedFace
from kitwright.write.pictures import PictureData
from kitwright.write.rims import Rim, rims
from kitwright.write.views import Window

SOLID, WHITE = 250, 250  # of 255: how opaque, and how light
SLACK = 0.02  # mm


class Bare(Struct, frozen=True):
    """A side of a face where paper would show."""

    side: str
    length: float  # mm of it that are bare


def is_covered(face: Face, window: Window) -> bool:
    """Tell whether one opaque rectangle covers all that is seen."""
    wanted = window.left, window.top, window.left + window.width, window.top + window.height
    return _covers(face.ops, IDENTITY, wanted)


def _covers(ops: Sequence[Op], matrix: Matrix, wanted: Box) -> bool:
    for op in ops:
        inner: Sequence[Op] = ()
        if isinstance(op, Fill) and _is_rectangle(op):
            values = [value for _, *numbers in op.path for value in numbers]
            xs, ys = values[::2], values[1::2]
            if _holds(transformed((min(xs), min(ys), max(xs), max(ys)), matrix), wanted):
                return True
        elif isinstance(op, Use):
            inner = op.symbol.ops
        elif isinstance(op, Group) and not op.clip and op.opacity >= 1:
            inner = op.ops
        if isinstance(op, Use | Group) and _covers(inner, multiply(matrix, op.matrix), wanted):
            return True
    return False


def _holds(outer: Box, inner: Box) -> bool:
    grown = outer[0] - SLACK, outer[1] - SLACK, outer[2] + SLACK, outer[3] + SLACK
    low = grown[0] <= inner[0] and grown[1] <= inner[1]
    return low and grown[2] >= inner[2] and grown[3] >= inner[3]


def _is_rectangle(op: Fill) -> bool:
    corners = {segment[1:] for segment in op.path if segment[0] in "ML"}
    straight = all(segment[0] in "MLZ" for segment in op.path)
    xs, ys = {corner[0] for corner in corners}, {corner[1] for corner in corners}
    return straight and len(corners) == 4 and len(xs) == 2 and len(ys) == 2


def bare_sides(
    faces: Sequence[EncodedFace],
    windows: Sequence[Window],
    fonts: Fonts,
    pictures: Mapping[str, PictureData],
) -> list[tuple[Bare, ...]]:
    """Draw some faces on nothing, and tell for each which sides of the image stay bare."""
    found = []
    for window, seen in zip(windows, rims(faces, windows, fonts, pictures), strict=True):
        a_mm = window.pixels[0] / window.width
        sides = [Bare(rim.side, _bare(rim) / a_mm) for rim in seen]
        found.append(tuple(side for side in sides if side.length > 1 / a_mm))
    return found


def _bare(rim: Rim) -> int:
    """Count the pixels of a rim that are bare while the cut beside them is not white."""
    return sum(
        outer < SOLID and alpha >= SOLID and min(color) < WHITE
        for outer, (*color, alpha) in zip(rim.outer, rim.inner, strict=True)
    )
