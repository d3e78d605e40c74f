"""Cut and fold marks as ops: at the page's edge, or as lines right across.

Marks stay inside the printable area. Where the cards leave too little room, a
mark runs over the bleed and is drawn light under dark, to be seen on any colour.
"""

from __future__ import annotations

from kitwright.impose.sheets import Sheet
from kitwright.impose.strips import MARK
from kitwright.ops import Op, Path, Stroke

THIN = 0.15
HALO = 0.5
SHORTEST = 0.6
CLEAR = 0.3  # between the end of a mark and the trimmed card
INK, PAPER, FAINT = "#000000", "#ffffff", "#808080"
FOLD_DASH = (1.5, 1.0)


def marks(sheet: Sheet) -> tuple[Op, ...]:
    """Return the marks of a sheet, as its `marks` asks for them."""
    out: list[Op] = []
    if sheet.marks == "full":
        out.append(Stroke(_across(sheet), FAINT, THIN))
    elif sheet.marks == "edge":
        path = _at_the_edges(sheet)
        if path:
            out += (Stroke(path, PAPER, HALO), Stroke(path, INK, THIN))
    if sheet.fold:
        out.append(Stroke(_fold_line(sheet), INK, THIN, FOLD_DASH))
    return tuple(out)


def _across(sheet: Sheet) -> Path:
    edge = sheet.paper.margin
    right, bottom = sheet.paper.width - edge, sheet.paper.height - edge
    path: list[tuple[str, float, float]] = []
    for x in sheet.cuts_x:
        path += (("M", x, edge), ("L", x, bottom))
    for y in sheet.cuts_y:
        path += (("M", edge, y), ("L", right, y))
    return tuple(path)


def _at_the_edges(sheet: Sheet) -> Path:
    edge = sheet.paper.margin
    left, top, right, bottom = sheet.block
    path: list[tuple[str, float, float]] = []
    for near, far, cuts, upright in (
        (top, sheet.paper.height - bottom, sheet.cuts_x, True),
        (left, sheet.paper.width - right, sheet.cuts_y, False),
    ):
        whole = sheet.paper.height if upright else sheet.paper.width
        for room, sign in ((near, 1), (far, -1)):
            length = _mark_length(room - edge, sheet, upright, sign)
            if length >= SHORTEST:
                start = edge if sign > 0 else whole - edge
                ends = (start, start + sign * length)
                for cut in cuts:
                    points = [(cut, end) if upright else (end, cut) for end in ends]
                    path += (("M", *points[0]), ("L", *points[1]))
    return tuple(path)


def _mark_length(room: float, sheet: Sheet, upright: bool, sign: int) -> float:
    """Return how long a mark may be in `room`: it ends before the bleed if that leaves enough."""
    side = (1 if upright else 0) + (0 if sign > 0 else 2)
    bleed = abs(sheet.block[side] - sheet.bleed[side])
    free = room - bleed - CLEAR
    return min(MARK, free if free >= SHORTEST else room - CLEAR)


def _fold_line(sheet: Sheet) -> Path:
    """Return the fold: a mark at each edge of the page, and a line between fronts and backs."""
    upright = sheet.fold == "x"
    whole, other = sheet.paper.height, sheet.paper.width
    low, high = sheet.bleed[1], sheet.bleed[3]
    if not upright:
        whole, other = other, whole
        low, high = sheet.bleed[0], sheet.bleed[2]
    edge, middle = sheet.paper.margin, other / 2
    path: list[tuple[str, float, float]] = []
    for start, end in (
        (edge, edge + MARK),
        (max(low, edge + MARK), min(high, whole - edge - MARK)),
        (whole - edge - MARK, whole - edge),
    ):
        points = [(middle, at) if upright else (at, middle) for at in (start, end)]
        path += (("M", *points[0]), ("L", *points[1]))
    return tuple(path)
