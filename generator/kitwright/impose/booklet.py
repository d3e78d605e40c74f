"""A saddle-stitched booklet: pages two by two on sheets that are folded into one another.

The page count is padded to a multiple of four. Inner sheets stick out at the open edge by
the thickness of those round them, so their pages move towards the fold by as much.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kitwright.model.geometry import translation
from kitwright.model.paper import Paper
from kitwright.ops import Anchor, Link, Page, Placed

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


class Leaf(Struct, frozen=True):
    """A page of a booklet: its face, and the spots that links lead to and from."""

    face: str
    anchors: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()


def impose_booklet(leaves: Sequence[Leaf], paper: Paper, bookmark: str = "") -> tuple[Page, ...]:
    """Lay the pages of a booklet on sheets that turn over on their short edge."""
    width, height = paper.height, paper.width
    whole = (0.0, 0.0, width, height)
    pages = []
    for index, (left, right) in enumerate(booklet_order(len(leaves))):
        creep = THICKNESS * (index // 2)
        halves = [
            (leaves[number - 1], x, clip)
            for number, x, clip in (
                (left, creep, (0.0, 0.0, width / 2, height)),
                (right, width / 2 - creep, (width / 2, 0.0, width, height)),
            )
            if number
        ]
        placed = tuple(Placed(leaf.face, translation(x, 0.0), clip) for leaf, x, clip in halves)
        anchors = tuple(anchor for leaf, _, _ in halves for anchor in leaf.anchors)
        links = tuple(_moved(link, x) for leaf, x, _ in halves for link in leaf.links)
        title = "" if index else bookmark
        pages.append(Page(width, height, whole, whole, placed, title, anchors, links))
    return tuple(pages)


def _moved(link: Link, x: float) -> Link:
    left, top, right, bottom = link.box
    return Link((left + x, top, right + x, bottom), link.to)
