"""The page that finds a printer's error: combs on the front, and finer ones behind them.

A front comb has a line every millimetre, the comb behind it one every 0.9 mm. Held against the
light, the two lines that meet tell the error in tenths: line 4 meets its partner when the back
lies 0.4 mm off. Knows the geometry of the page; the words come from the caller's theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, tan

from kitwright.compose.notes import Box, Notes
from kitwright.compose.pen import Materials
from kitwright.model.geometry import Matrix, transform_path
from kitwright.model.paper import Paper
from kitwright.ops import Face, Path, Stroke

LINES = 25  # on either side of the middle
FRONT_PITCH, BACK_PITCH = 1.0, 0.9
TICK, FIFTH, TENTH = 4.0, 5.5, 7.0  # mm
THIN = 0.12
INK = "#000000"
DEGREES_A_MM = 0.4  # of turn for each mm between the upright scales
APART = 1 / tan(DEGREES_A_MM / degrees(1))  # mm between them, so that it comes out even
EDGE = 15.0


def front_page(materials: Materials, paper: Paper, name: str, words: str) -> Face:
    """Compose the first side: three combs with their figures, and how to read them."""
    notes = Notes(materials)
    wide = paper.width - 2 * EDGE
    notes.words("Calibrate", "title", (EDGE, EDGE, wide, 14))
    notes.words(f"Printer: {name}", "tagline", (EDGE, EDGE + 16, wide, 6.5))
    notes.fill((EDGE, EDGE + 24, wide, 0.7), "accent")
    notes.words(words, "body", (EDGE, EDGE + 30, wide, 62), hyphenate="")
    for x, y, upright, label in _spots(paper):
        notes.ops.append(Stroke(_comb(x, y, upright, FRONT_PITCH, -1), INK, THIN))
        _figures(notes, x, y, upright)
        box = (x - 30, y - 17, 60, 5) if not upright else (x - 20, y - LINES - 11, 40, 5)
        notes.words(label, "head", box, align="center", size_pt=11.0)
    notes.words("front", "small", (EDGE, paper.height - EDGE - 4, wide, 4))
    return notes.face("calibrate/front", paper.width, paper.height)


def back_page(materials: Materials, paper: Paper, over: Matrix) -> Face:
    """Compose the second side: the finer combs, where `over` puts them when paper is turned."""
    notes = Notes(materials)
    for x, y, upright, _ in _spots(paper):
        comb = _comb(x, y, upright, BACK_PITCH, 1)
        notes.ops.append(Stroke(transform_path(comb, over), INK, THIN))
    wide = paper.width - 2 * EDGE
    notes.words("back", "small", (EDGE, paper.height - EDGE - 4, wide, 4))
    return notes.face("calibrate/back", paper.width, paper.height)


def _spots(paper: Paper) -> Iterator[tuple[float, float, bool, str]]:
    """Yield the middle of each comb: all at half height, so that a turn shows in two of them."""
    x, y = paper.width / 2, paper.height / 2
    yield x, y, False, "X"
    yield x - APART / 2, y, True, "Y left"
    yield x + APART / 2, y, True, "Y right"


def _comb(x: float, y: float, upright: bool, pitch: float, side: int) -> Path:
    """Return lines from the middle to one side of the comb's base, longer ones at 5 and 10."""
    path: list[tuple[str, float, float]] = []
    for n in range(-LINES, LINES + 1):
        long = TENTH if n % 10 == 0 else FIFTH if n % 5 == 0 else TICK
        along, across = n * pitch, side * long
        ends = ((0.0, along), (across, along)) if upright else ((along, 0.0), (along, across))
        for verb, (dx, dy) in zip("ML", ends, strict=True):
            path.append((verb, x + dx, y + dy))
    return tuple(path)


def _figures(notes: Notes, x: float, y: float, upright: bool) -> None:
    for n in range(-LINES, LINES + 1, 5):
        text = f"{n / 10:g}"
        box: Box = (
            (x - TENTH - 11, y + n - 2, 10, 4) if upright else (x + n - 4, y - TENTH - 5, 8, 4)
        )
        look = {"align": "right" if upright else "center", "valign": "middle"}
        notes.words(text, "small", box, size_pt=7.0, color="ink", **look)
