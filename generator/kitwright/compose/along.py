"""What is drawn along a curve: lines with casing and shine, sleeves, and icons bent to follow it.

Turns curves and ops into ops; where they lie is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from kitwright.compose.curves import Cubic, Curve, split, spot, straight
from kitwright.model.geometry import (
    Matrix,
    Path,
    Point,
    Segment,
    apply,
    end_of,
    multiply,
    scale_of,
    transform_path,
)
from kitwright.model.theme import LineStyle
from kitwright.ops import Fill, Group, Linear, Op, Paint, Radial, Stroke, Use

FINE = 2.0  # pieces of a warped path are at most this long


def warp_path(path: Path, curve: Curve, at: float) -> Path:
    """Bend a path along a curve: its x runs on from arc length `at`, its y along the normal."""
    out: list[Segment] = []
    here: Point = (0.0, 0.0)
    start = here
    for segment in path:
        if segment[0] == "M":
            here = start = end_of(segment)
            out.append(("M", *_warp_point(curve, at, *here)))
        elif segment[0] == "Z":
            if here != start:
                out += _warp_piece(straight(here, start), curve, at)
            out.append(segment)
            here = start
        else:
            end = end_of(segment)
            if segment[0] == "L":
                piece = straight(here, end)
            else:
                x1, y1, x2, y2, x3, y3 = segment[1:]
                piece = (*here, x1, y1, x2, y2, x3, y3)
            out += _warp_piece(piece, curve, at)
            here = end
    return tuple(out)


def _warp_piece(piece: Cubic, curve: Curve, at: float) -> list[Segment]:
    long = max(max(piece[::2]) - min(piece[::2]), max(piece[1::2]) - min(piece[1::2]))
    if long > FINE:
        left, right = split(piece, 0.5)
        return _warp_piece(left, curve, at) + _warp_piece(right, curve, at)
    points = zip(piece[2::2], piece[3::2], strict=True)
    (a, b, c) = (_warp_point(curve, at, x, y) for x, y in points)
    return [("C", *a, *b, *c)]


def _warp_point(curve: Curve, at: float, u: float, v: float) -> Point:
    along = at + u
    over = min(along, 0.0) + max(along - curve.length, 0.0)
    return spot(curve, along).beside(over, v)


def warp_ops(ops: Iterable[Op], matrix: Matrix, curve: Curve, at: float) -> tuple[Op, ...]:
    """Bend ops along a curve, once `matrix` has taken them to lengths along and across it."""
    out: list[Op] = []
    for op in ops:
        match op:
            case Fill(path, paint, even_odd):
                shape = warp_path(transform_path(path, matrix), curve, at)
                out.append(Fill(shape, _warp_paint(paint, matrix, curve, at), even_odd))
            case Stroke(path, _, width, dash):
                shape = warp_path(transform_path(path, matrix), curve, at)
                scale = scale_of(matrix)
                dashes = tuple(length * scale for length in dash)
                out.append(replace(op, path=shape, width=width * scale, dash=dashes))
            case Use(symbol, inner):
                out += warp_ops(symbol.ops, multiply(matrix, inner), curve, at)
            case Group(inside, inner, clip, opacity):
                whole = multiply(matrix, inner)
                shape = warp_path(transform_path(clip, whole), curve, at)
                out.append(Group(warp_ops(inside, whole, curve, at), clip=shape, opacity=opacity))
            case _:  # words and pictures cannot bend: turn them with the curve
                u, v = matrix[4], matrix[5]
                turned = spot(curve, at + u)
                (tx, ty), (x, y) = turned.tangent, turned.beside(0.0, v)
                frame = multiply((tx, ty, -ty, tx, x, y), (*matrix[:4], 0.0, 0.0))
                out.append(Group((op,), frame))
    return tuple(out)


def _warp_paint(paint: Paint, matrix: Matrix, curve: Curve, at: float) -> Paint:
    if isinstance(paint, Linear):
        x0, y0 = _warp_point(curve, at, *apply(matrix, paint.x0, paint.y0))
        x1, y1 = _warp_point(curve, at, *apply(matrix, paint.x1, paint.y1))
        return replace(paint, x0=x0, y0=y0, x1=x1, y1=y1)
    if isinstance(paint, Radial):
        x, y = _warp_point(curve, at, *apply(matrix, paint.x, paint.y))
        return replace(paint, x=x, y=y, r=paint.r * scale_of(matrix))
    return paint


def line_ops(curves: Iterable[Curve], style: LineStyle) -> tuple[Op, ...]:
    """Draw the pieces of one line: all casings, then all cores, then the shine."""
    paths = tuple(segment for curve in curves for segment in curve.path)
    if not paths:
        return ()
    out: list[Op] = []
    if style.casing and style.casing_width > 0:
        out.append(Stroke(paths, style.casing, style.casing_width, (), style.cap, "round"))
    out.append(Stroke(paths, style.color, style.width, style.dash, style.cap, "round"))
    if style.shine and style.shine_width > 0:
        look = (style.shine_width, style.shine_dash, style.cap, "round")
        out.append(Stroke(paths, style.shine, *look))
    return tuple(out)
