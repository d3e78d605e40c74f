"""The free strips of a sheet, between its cards and what a printer can reach, for a footer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from kitwright.model.geometry import Box
from kitwright.model.paper import Paper

MARK = 3.0  # length of a cut mark, from the edge of the printable area inwards
LOWEST, HIGHEST = 3.0, 5.0  # of a strip: a line of small type, near the page's edge
LENGTHS = (80.0, 40.0)  # a strip of the first length is looked for everywhere, then the second
AIR = 1.0


class Strip(Struct, frozen=True):
    """A free box; text in it is turned by `turn` degrees, clockwise."""

    box: Box
    turn: int  # 0, or 270 along the left side, 90 along the right

    @property
    def length(self) -> float:
        """How long a line of text may be."""
        left, top, right, bottom = self.box
        return bottom - top if self.turn else right - left

    @property
    def height(self) -> float:
        """How high the type may be."""
        left, top, right, bottom = self.box
        return right - left if self.turn else bottom - top


def find_strip(
    paper: Paper, cards: Box, cuts_x: Sequence[float], cuts_y: Sequence[float], marks: str
) -> Strip | None:
    """Return the best place for a footer: below, above, else along a side; none if all is full.

    `cards` is the block with its bleed. A strip lies between marks and cards
    where that is high enough, else between two neighbouring marks.
    """
    edge = paper.margin
    left, top, right, bottom = edge, edge, paper.width - edge, paper.height - edge
    below = (left, cards[3], right, bottom)
    above = (left, top, right, cards[1])
    beside = (left, top, cards[0], bottom)
    beyond = (cards[2], top, right, bottom)
    reach = {"none": 0.0, "edge": MARK, "full": 1000.0}[marks]
    zones = ((below, 0, "bottom"), (above, 0, "top"), (beside, 270, "left"), (beyond, 90, "right"))
    for least in LENGTHS:
        for zone, turn, at in zones:
            for box in _choices(zone, at, reach, cuts_y if turn else cuts_x):
                strip = Strip(box, turn)
                if strip.height >= LOWEST and strip.length >= least:
                    return strip
    return None


def _choices(zone: Box, at: str, reach: float, cuts: Sequence[float]) -> Iterator[Box]:
    """Yield the part of a zone inside the marks, then the longest stretch between two marks."""
    yield _along(zone, at, reach)
    left, top, right, bottom = _along(zone, at, 0.0)
    upright = at in ("left", "right")
    low, high = (top, bottom) if upright else (left, right)
    stops = [low - AIR, *(cut for cut in cuts if low <= cut <= high), high + AIR]
    middle = (low + high) / 2
    spans = [(a + AIR, b - AIR) for a, b in pairwise(stops)]
    first, last = min(
        spans,
        key=lambda span: (
            round(span[0] - span[1], 1),
            round(abs((span[0] + span[1]) / 2 - middle), 1),
        ),
    )
    yield (left, first, right, last) if upright else (first, top, last, bottom)


def _along(zone: Box, at: str, reach: float) -> Box:
    """Return the outermost part of a zone, `reach` away from the edge that it lies along."""
    left, top, right, bottom = zone
    match at:
        case "bottom":
            return left, max(top, bottom - reach - HIGHEST), right, bottom - reach
        case "top":
            return left, top + reach, right, min(bottom, top + reach + HIGHEST)
        case "left":
            return left + reach, top, min(right, left + reach + HIGHEST), bottom
        case _:
            return max(left, right - reach - HIGHEST), top, right - reach, bottom
