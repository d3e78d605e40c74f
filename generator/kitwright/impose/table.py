"""Faces laid side by side as on a table: a picture of cards in play. Never re-composes a face."""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.model.geometry import rectangle, translation
from kitwright.ops import Face, Group, content_hash

MARGIN = 4.0  # mm round the cards


def lay_faces(spots: Sequence[tuple[Face, float, float]]) -> Face:
    """Return one face on which others lie, cut at their trim; places are in widths and heights."""
    left = min(column * face.width for face, column, _ in spots)
    top = min(row * face.height for face, _, row in spots)
    ops, right, bottom = [], 0.0, 0.0
    for face, column, row in spots:
        x = column * face.width - left + MARGIN
        y = row * face.height - top + MARGIN
        cut = rectangle(0.0, 0.0, face.width, face.height)
        ops.append(Group(face.ops, translation(x, y), cut))
        right, bottom = max(right, x + face.width), max(bottom, y + face.height)
    laid = tuple(ops)
    return Face("table", right + MARGIN, bottom + MARGIN, 0.0, laid, content_hash(laid, {}))
