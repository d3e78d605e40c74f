"""How far ops reach: a box that holds all that they paint, a little large rather than small.

Knows ops and font widths; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from kitwright.fonts import Fonts
from kitwright.ops import Fill, Group, Matrix, Op, Path, Picture, Stroke, Use, Word

Box = tuple[float, float, float, float]  # left, top, right, bottom
MM_A_POINT = 25.4 / 72
_MITER_LIMIT = 10  # the default of PDF
_NOTHING: Box = (0.0, 0.0, 0.0, 0.0)


def bounds(ops: Iterable[Op], fonts: Fonts) -> Box:
    """Return a box around all that `ops` paint."""
    return _join([_bounds(op, fonts) for op in ops])


def transformed(box: Box, matrix: Matrix) -> Box:
    """Return the upright box around `box` seen through `matrix`."""
    a, b, c, d, e, f = matrix
    left, top, right, bottom = box
    corners = [(x, y) for x in (left, right) for y in (top, bottom)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _bounds(op: Op, fonts: Fonts) -> Box:
    match op:
        case Fill(path):
            return _around(path, 0.0)
        case Stroke(path, _, width, _, _, join):
            pointed = join == "miter" and len(path) > 2
            return _around(path, width / 2 * (_MITER_LIMIT if pointed else 1.5))
        case Word(x, baseline, font, size_pt, _, text, kerns):
            em = size_pt * MM_A_POINT
            width = em * (fonts.shape(font, text).width + sum(kerns) / 1000)
            # Swashes and stacked accents may leave the em box by half an em.
            return x - em / 2, baseline - 1.5 * em, x + width + em / 2, baseline + em
        case Picture(x, y, w, h):
            return x, y, x + w, y + h
        case Use(symbol, matrix):
            return transformed(symbol.box, matrix)
        case Group(ops, matrix, clip):
            inner = _around(clip, 0.0) if clip else bounds(ops, fonts)
            return transformed(inner, matrix)
        case _:
            assert_never(op)


def _around(path: Path, more: float) -> Box:
    values = [value for _, *numbers in path for value in numbers]
    xs, ys = values[::2], values[1::2]
    if not xs:
        return _NOTHING
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


def _join(boxes: list[Box]) -> Box:
    if not boxes:
        return _NOTHING
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
