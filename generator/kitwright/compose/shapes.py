"""Outlines, gradients and icons as ops. Knows themes' colours, but no boxes, cards or paper.

The plain geometry (matrices, rectangles, circles, bounds) is the model's; it
is offered from here as well, so that a verb needs one import.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, radians, sin

from msgspec import Struct

from kitwright.model.geometry import (
    IDENTITY,
    Box,
    Matrix,
    Path,
    Point,
    apply,
    circle,
    ellipse,
    flip,
    invert,
    is_similarity,
    join_boxes,
    mirror,
    multiply,
    path_bounds,
    polyline,
    rectangle,
    rotation,
    scale_of,
    scaling,
    transform_path,
    translation,
)
from kitwright.model.svg import NONE, TINT, Svg, SvgGradient, SvgItem, SvgShape
from kitwright.model.theme import GradientStyle
from kitwright.ops import Fill, Group, Linear, Op, Paint, Radial, Stroke, Symbol, digest, dump

__all__ = (
    "IDENTITY",
    "Box",
    "Matrix",
    "Path",
    "Point",
    "UnknownColors",
    "apply",
    "circle",
    "ellipse",
    "flip",
    "gradient_over",
    "icon_symbol",
    "invert",
    "join_boxes",
    "mirror",
    "multiply",
    "path_bounds",
    "pill",
    "polyline",
    "rectangle",
    "regular_polygon",
    "rotation",
    "scaling",
    "star",
    "transform_path",
    "translation",
)

FINE = 1000.0  # icons are named by their look at this size, where 0.01 mm is a hair


class UnknownColors(Struct, frozen=True):
    """Names that an icon asks of the theme and the theme does not have."""

    names: tuple[str, ...]


def pill(x: float, y: float, w: float, h: float) -> Path:
    """Return a rectangle whose shorter sides are half circles."""
    return rectangle(x, y, w, h, min(w, h) / 2)


def regular_polygon(x: float, y: float, r: float, sides: int, turn: float = 0.0) -> Path:
    """Return a polygon of equal sides about (x, y), a corner on top, turned by degrees."""
    return polyline(_round_about(x, y, (r,), sides, turn), closed=True)


def star(x: float, y: float, r: float, points: int, inner: float = 0.5, turn: float = 0.0) -> Path:
    """Return a star, a point on top; `inner` is the share of r that the notches reach to."""
    return polyline(_round_about(x, y, (r, r * inner), 2 * points, turn), closed=True)


def _round_about(
    x: float, y: float, radii: Sequence[float], count: int, turn: float
) -> tuple[Point, ...]:
    corners = []
    for index in range(count):
        angle = radians(turn - 90) + 2 * pi * index / count
        r = radii[index % len(radii)]
        corners.append((x + r * cos(angle), y + r * sin(angle)))
    return tuple(corners)


def gradient_over(style: GradientStyle, box: Box) -> Linear | Radial:
    """Lay a theme's gradient over a box, so that its end stops touch the box's corners."""
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    if style.kind == "radial":
        reach = ((right - left) ** 2 + (bottom - top) ** 2) ** 0.5 / 2
        return Radial(x, y, reach, style.stops)
    along = (cos(radians(style.angle)), sin(radians(style.angle)))
    half = (abs((right - left) * along[0]) + abs((bottom - top) * along[1])) / 2
    dx, dy = along[0] * half, along[1] * half
    return Linear(x - dx, y - dy, x + dx, y + dy, style.stops)


def icon_symbol(
    svg: Svg,
    tint: str,
    colors: Mapping[str, str],
    height: float = 1.0,
    width: float | None = None,
) -> Symbol | UnknownColors:
    """Dress an icon for a theme; its view box becomes a box `height` high from (0, 0).

    With `width` the icon is stretched over width x height, else it keeps its shape.
    """
    missing = tuple(sorted(_names(svg.items) - set(colors)))
    if missing:
        return UnknownColors(missing)
    left, top, w, h = svg.view
    across = height / h if width is None else width / w
    dress = _Dress(tint, colors)
    place = multiply(scaling(across, height / h), translation(-left, -top))
    ops = dress.items(svg.items, place)
    large = multiply(scaling(FINE / height, FINE / height), place)
    named = _Dress(tint, colors).items(svg.items, large)
    box = join_boxes([(0.0, 0.0, w * across, height), *dress.painted])
    return Symbol(digest(dump(named)), ops, box)


def _names(items: Sequence[SvgItem]) -> set[str]:
    names: set[str] = set()
    for item in items:
        if not isinstance(item, SvgShape):
            names |= _names(item.items)
            continue
        paints = [item.stroke]
        if isinstance(item.fill, str):
            paints.append(item.fill)
        else:
            paints += [color for _, color in item.fill.stops]
        names |= {paint[6:-1] for paint in paints if paint.startswith("var(")}
    return names


class _Dress:
    """Turns SVG items into ops with the colours of one theme, and notes what they cover."""

    def __init__(self, tint: str, colors: Mapping[str, str]) -> None:
        self.tint = tint
        self.colors = colors
        self.painted: list[Box] = []

    def items(self, items: Sequence[SvgItem], place: Matrix) -> tuple[Op, ...]:
        """Return the ops of `items`, their view box taken through `place`."""
        out: list[Op] = []
        for item in items:
            if isinstance(item, SvgShape):
                out += self._shape(item, multiply(place, item.matrix))
            else:
                out.append(Group(self.items(item.items, place), opacity=item.opacity))
        return tuple(out)

    def _shape(self, shape: SvgShape, matrix: Matrix) -> list[Op]:
        out: list[Op] = []
        if shape.fill != NONE:
            out.append(_seen_through(self._filled(shape, matrix), shape.fill_opacity))
        if shape.stroke != NONE and shape.stroke_width > 0:
            out.append(_seen_through(self._stroked(shape, matrix), shape.stroke_opacity))
        return out

    def _filled(self, shape: SvgShape, matrix: Matrix) -> Op:
        path = transform_path(shape.path, matrix)
        self.painted.append(path_bounds(path))
        if isinstance(shape.fill, str):
            return Fill(path, self._color(shape.fill), shape.even_odd)
        paint, local = self._gradient(shape.fill, shape.path, matrix)
        if local == IDENTITY:
            return Fill(path, paint, shape.even_odd)
        own = transform_path(shape.path, multiply(invert(local), matrix))
        return Group((Fill(own, paint, shape.even_odd),), local)

    def _gradient(self, gradient: SvgGradient, path: Path, matrix: Matrix) -> tuple[Paint, Matrix]:
        """Return the paint, and the matrix that it must be drawn through to look right."""
        whole = multiply(matrix, gradient.matrix)
        if gradient.boxed:
            left, top, right, bottom = path_bounds(path)
            size = scaling(right - left or 1.0, bottom - top or 1.0)
            boxed = multiply(multiply(translation(left, top), size), gradient.matrix)
            whole = multiply(matrix, boxed)
        stops = tuple((at, self._color(color)) for at, color in gradient.stops)
        if gradient.kind == "linear":
            return _straightened(gradient.ends, whole, stops), IDENTITY
        x, y, r = gradient.ends
        if is_similarity(whole):
            return Radial(*apply(whole, x, y), r * scale_of(whole), stops), IDENTITY
        return Radial(x, y, r, stops), whole

    def _stroked(self, shape: SvgShape, matrix: Matrix) -> Op:
        scale = scale_of(matrix)
        path = transform_path(shape.path, matrix)
        left, top, right, bottom = path_bounds(path)
        reach = shape.stroke_width * scale * (1.5 if shape.join == "miter" else 0.5)
        self.painted.append((left - reach, top - reach, right + reach, bottom + reach))
        color = self._color(shape.stroke)
        look = (shape.cap, shape.join)
        if not is_similarity(matrix):
            own = Stroke(shape.path, color, shape.stroke_width, shape.dash, *look)
            return Group((own,), matrix)
        dash = tuple(length * scale for length in shape.dash)
        return Stroke(path, color, shape.stroke_width * scale, dash, *look)

    def _color(self, paint: str) -> str:
        if paint == TINT:
            return self.tint
        return self.colors[paint[6:-1]] if paint.startswith("var(") else paint


def _seen_through(op: Op, opacity: float) -> Op:
    return Group((op,), opacity=opacity) if opacity < 1 else op


def _straightened(
    ends: Sequence[float], matrix: Matrix, stops: tuple[tuple[float, str], ...]
) -> Linear:
    """Return the gradient line that gives, after `matrix`, the colours that `ends` gave before.

    A slanting or stretching matrix tilts the bands of colour, so its end is
    not simply where the matrix takes the old end.
    """
    x0, y0, x1, y1 = ends
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy or 1.0
    a, b, c, d, _, _ = invert(matrix)
    nx, ny = (a * dx + b * dy) / length, (c * dx + d * dy) / length
    size = nx * nx + ny * ny or 1.0
    x, y = apply(matrix, x0, y0)
    return Linear(x, y, x + nx / size, y + ny / size, stops)
