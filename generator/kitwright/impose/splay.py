"""Cards as a hand holds them, as one picture. Places faces and never composes one anew.

The card on top lies furthest to the right, so that each card below shows its left edge. One
card may peek over the deck from behind, and others, turned by a quarter, over that one: to the
right, so that their left edge is up, or to the left, so that their right edge is.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kitwright.model.geometry import multiply, rectangle, rotation, translation
from kitwright.ops import Face, Fill, Group, Matrix, Op, Path, Stroke, content_hash

EDGE, EDGE_WIDTH = "#8a8a86", 0.15
TABLE = "#ffffff"
MARGIN = 3.0


class Splay(Struct, frozen=True):
    """What is held: the cards from the top one down, the one behind, and what is turned."""

    cards: tuple[Face, ...]
    behind: Face | None = None
    turned: tuple[Face, ...] = ()  # to the right, so that the left edge is up
    turned_left: tuple[Face, ...] = ()  # behind those, so that the right edge is up
    step: float = 14.0  # mm that a card shows of its left edge
    peek: float = 9.0  # mm that the card behind shows of its top


def splay_face(splay: Splay, corner: float, table: str | None = TABLE) -> Face:
    """Lay the cards of a splay on one face, corners rounded off; None has no ground."""
    quarter = [(face, _turned_left) for face in splay.turned_left]
    quarter += [(face, _turned) for face in splay.turned]
    raised = len(quarter) * splay.step
    top = MARGIN + raised + (splay.peek if splay.behind is not None else 0.0)
    ops: list[Op] = []
    for index, (face, turn) in enumerate(quarter):
        ops += _laid(face, turn(face, MARGIN, MARGIN + index * splay.step), corner)
    if splay.behind is not None:
        ops += _laid(splay.behind, translation(MARGIN, MARGIN + raised), corner)
    for index, face in enumerate(reversed(splay.cards)):
        ops += _laid(face, translation(MARGIN + index * splay.step, top), corner)
    first = splay.cards[0]
    width = first.width + (len(splay.cards) - 1) * splay.step
    width = max([width, *(face.height for face, _ in quarter)]) + 2 * MARGIN
    height = top + first.height + MARGIN
    ground = (Fill(rectangle(0, 0, width, height), table),) if table else ()
    whole = (*ground, *ops)
    return Face("splay", width, height, 0.0, whole, content_hash(whole, {}))


def _turned(face: Face, x: float, y: float) -> Matrix:
    """Turn a face clockwise, the top left corner of what it then covers at x, y."""
    return multiply(translation(x + face.height, y), rotation(90))


def _turned_left(face: Face, x: float, y: float) -> Matrix:
    """Turn a face the other way, the top left corner of what it then covers at x, y."""
    return multiply(translation(x, y + face.width), rotation(270))


def _laid(face: Face, matrix: Matrix, corner: float) -> Sequence[Op]:
    outline: Path = rectangle(0, 0, face.width, face.height, corner)
    card = Group(face.ops, clip=outline)
    return (Group((card, Stroke(outline, EDGE, EDGE_WIDTH)), matrix=matrix),)
