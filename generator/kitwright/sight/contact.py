"""All faces of a kit on one sheet, small, each with its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kitwright.compose.notes import Notes
from kitwright.compose.pen import Materials
from kitwright.model.geometry import multiply, rectangle, scaling, translation
from kitwright.ops import Face, Group

WIDE = 760.0  # mm across the sheet, at the size of the cards
MOST = 130.0  # mm of the longer side; what is larger is shown smaller
GAP, LABEL = 5.0, 8.0
GROUND = "#ffffff"


def contact_sheet(faces: Iterable[Face], materials: Materials, title: str) -> Face:
    """Lay faces in rows under a title."""
    notes = Notes(materials)
    rows = list(_rows(faces))
    height = GAP + 14 + sum(_height(row) for row in rows)
    notes.fill((0, 0, WIDE, height), GROUND)
    notes.words(title, "title", (GAP, GAP, WIDE - 2 * GAP, 12))
    y = GAP + 14.0
    for row in rows:
        x = GAP
        for face, scale in row:
            w, h = face.width * scale, face.height * scale
            matrix = multiply(translation(x, y), scaling(scale, scale))
            clip = rectangle(0, 0, face.width, face.height)
            notes.ops.append(Group(face.ops, matrix, clip))
            notes.frame((x, y, w, h), "line", 0.3)
            notes.words(face.id, "small", (x, y + h + 0.8, w, LABEL - 2), size_pt=12.0)
            x += w + GAP
        y += _height(row)
    return notes.face("contact", WIDE, height)


def _rows(faces: Iterable[Face]) -> Iterator[list[tuple[Face, float]]]:
    row: list[tuple[Face, float]] = []
    used = GAP
    for face in faces:
        scale = min(1.0, MOST / max(face.width, face.height))
        wide = face.width * scale + GAP
        if row and used + wide > WIDE:
            yield row
            row, used = [], GAP
        row.append((face, scale))
        used += wide
    if row:
        yield row


def _height(row: list[tuple[Face, float]]) -> float:
    return max(face.height * scale for face, scale in row) + LABEL + GAP
