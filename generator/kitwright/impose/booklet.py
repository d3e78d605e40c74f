"""A saddle-stitched booklet: pages two by two on sheets that are folded into one another.

The page count is padded to a multiple of four. Inner sheets stick out at the open edge by
the thickness of those round them, so their pages move towards the fold by as much.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.model.geometry import translation
from kitwright.model.paper import Paper
from kitwright.ops import Page, Placed

THICKNESS = 0.1  # mm of a sheet of 80 g paper


def booklet_order(count: int) -> tuple[tuple[int, int], ...]:
    """Return the pages left and right on each side of each sheet, outermost first; 0 is empty."""
    padded = -(-count // 4) * 4
    sides = []
    for sheet in range(padded // 4):
        low, high = 2 * sheet, padded - 2 * sheet
        sides += [(high, low + 1), (low + 2, high - 1)]
    return tuple(
        (left if left <= count else 0, right if right <= count else 0) for left, right in sides
    )


def impose_booklet(faces: Sequence[str], paper: Paper) -> tuple[Page, ...]:
    """Lay the pages of a booklet on sheets that turn over on their short edge."""
    width, height = paper.height, paper.width
    whole = (0.0, 0.0, width, height)
    pages = []
    for index, pair in enumerate(booklet_order(len(faces))):
        creep = THICKNESS * (index // 2)
        placed = tuple(
            Placed(faces[number - 1], translation(x, 0.0), clip)
            for number, x, clip in (
                (pair[0], creep, (0.0, 0.0, width / 2, height)),
                (pair[1], width / 2 - creep, (width / 2, 0.0, width, height)),
            )
            if number
        )
        pages.append(Page(width, height, whole, whole, placed))
    return tuple(pages)
