"""Backs that lie right behind their fronts, though the printer puts the second side elsewhere.

The whole back page is moved and turned against the printer's error, and the bleed of the backs
grows by as much, so that no paper shows at a cut. Knows geometry; composes nothing.
"""

from __future__ import annotations

from math import hypot

from msgspec.structs import replace

from kitwright.impose.sheets import Sheet, Slot
from kitwright.model.geometry import (
    Box,
    Matrix,
    apply,
    flip,
    invert,
    mirror,
    multiply,
    rotation,
    scaling,
    translation,
)
from kitwright.model.paper import Paper, Printer
from kitwright.ops import Page, Placed

HAIR = 1e-6
TWO_SIDED = ("long", "short", "two-pass")


def registered(sheet: Sheet, sides: str, printer: Printer | None) -> Page:
    """Return the page of a sheet, set right if it is the back of paper that is turned over."""
    page = sheet.page
    if printer is None or sheet.side != "back" or sides not in TWO_SIDED:
        return page
    grow = reach(printer, sheet.paper)
    under = tuple(
        Placed(slot.face, _enlarged(slot, sheet, grow), _grown(slot, sheet, grow))
        for slot in sheet.slots
    )
    left, top, right, bottom = sheet.bleed
    bleed = (
        max(0.0, left - grow),
        max(0.0, top - grow),
        min(sheet.paper.width, right + grow),
        min(sheet.paper.height, bottom + grow),
    )
    matrix = correction(printer, sheet.paper, sides)
    return replace(page, placed=(*under, *page.placed), bleed=bleed, matrix=matrix)


def error(printer: Printer, paper: Paper) -> Matrix:
    """Return where a point of the back comes out, both seen from the front."""
    middle = (paper.width / 2, paper.height / 2)
    return multiply(translation(printer.x, printer.y), rotation(printer.angle, *middle))


def correction(printer: Printer, paper: Paper, sides: str) -> Matrix:
    """Return the matrix of the back page that undoes the error, in the back's own directions."""
    over = turned_over(paper, sides)
    return multiply(over, multiply(invert(error(printer, paper)), over))


def turned_over(paper: Paper, sides: str) -> Matrix:
    """Return where a point of the front is found on the back of paper that is turned over."""
    return flip(paper.height / 2) if sides == "short" else mirror(paper.width / 2)


def reach(printer: Printer, paper: Paper) -> float:
    """Return the farthest that the error moves any point of a sheet, in mm."""
    moved = error(printer, paper)
    corners = [(x, y) for x in (0.0, paper.width) for y in (0.0, paper.height)]
    ways = [(apply(moved, x, y), x, y) for x, y in corners]
    return max(hypot(there[0] - x, there[1] - y) for there, x, y in ways)


def _bleed(sheet: Sheet) -> float:
    """Return the bleed that the sheet gives its outer cards."""
    return max(
        abs(edge - cut)
        for slot in sheet.slots
        for edge, cut in zip(slot.clip, slot.box, strict=True)
    )


def _grown(slot: Slot, sheet: Sheet, grow: float) -> Box:
    """Return the clip of a back, wider where nothing lies beside it."""
    full = _bleed(sheet)
    signs = (-1, -1, 1, 1)
    grown = [
        edge + sign * grow if full and abs(edge - cut) > full - HAIR else edge
        for edge, cut, sign in zip(slot.clip, slot.box, signs, strict=True)
    ]
    return grown[0], grown[1], grown[2], grown[3]


def _enlarged(slot: Slot, sheet: Sheet, grow: float) -> Matrix:
    """Return a matrix under which the face, drawn below itself, reaches into the grown bleed."""
    left, top, right, bottom = slot.box
    full = _bleed(sheet)
    wide, high = right - left + 2 * full, bottom - top + 2 * full
    middle = ((left + right) / 2, (top + bottom) / 2)
    larger = multiply(
        translation(*middle),
        multiply(
            scaling((wide + 2 * grow) / wide, (high + 2 * grow) / high),
            translation(-middle[0], -middle[1]),
        ),
    )
    return multiply(larger, slot.matrix)
