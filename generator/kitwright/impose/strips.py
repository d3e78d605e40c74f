"""The free strips of a sheet, between its cards and what a printer can reach, for a footer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from kitwright.model.geometry import Box
from kitwright.model.paper import Paper

MARK = 3.0  # length of a cut mark, from the edge of the printable area inwards
LOWEST = 3.0  # a strip must be this high for a line of small type
SHORTEST = 40.0
AIR = 1.0


@dataclass(frozen=True, slots=True)
class Strip:
    """A free box; text in it is turned by `turn` degrees, clockwise."""

    box: Box
    turn: int  # 0, or 270 along the left side, 90 along the right

    @property
    def length(self) -> float:
        """How long a line of text may be."""
        left, top, right, bottom = self.box
        return bottom - top if self.turn else right - left


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
    for zone, turn, at in zones:
        cuts = cuts_y if turn else cuts_x
        for box in _choices(zone, at, reach, cuts):
            strip = Strip(box, turn)
            high = box[2] - box[0] if turn else box[3] - box[1]
            if high >= LOWEST and strip.length >= SHORTEST:
                return strip
    return None


def _choices(zone: Box, at: str, reach: float, cuts: Sequence[float]) -> Iterator[Box]:
    """Yield the part of a zone inside the marks, then the longest stretch between two marks."""
    left, top, right, bottom = zone
    inner = {
        "bottom": (left, top, right, bottom - reach),
        "top": (left, top + reach, right, bottom),
        "left": (left + reach, top, right, bottom),
        "right": (left, top, right - reach, bottom),
    }
    yield inner[at]
    upright = at in ("left", "right")
    low, high = (top, bottom) if upright else (left, right)
    stops = [low - AIR, *(cut for cut in cuts if low <= cut <= high), high + AIR]
    middle = (low + high) / 2
    spans = [(a + AIR, b - AIR) for a, b in pairwise(stops)]
    spans.sort(key=lambda s: (round(s[0] - s[1], 1), round(abs((s[0] + s[1]) / 2 - middle), 1)))
    for first, last in spans[:1]:
        yield (left, first, right, last) if upright else (first, top, last, bottom)
