"""Plane geometry that several rooms share: matrices and the outlines of plain shapes.

Paths and matrices have the form of the drawing ops, y downwards. Pure
arithmetic: no units, no colours, no drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import acos, cos, hypot, pi, radians, sin, sqrt, tan

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Segment = tuple[str, *tuple[float, ...]]
Path = tuple[Segment, ...]  # ("M", x, y) ("L", x, y) ("C", x1, y1, x2, y2, x, y) ("Z",)
Matrix = tuple[float, float, float, float, float, float]  # x' = ax + cy + e, y' = bx + dy + f
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
ROUND = 0.5522847498307936  # how far a control point lies along a quarter circle's tangent


def multiply(after: Matrix, before: Matrix) -> Matrix:
    """Return the matrix that does `before` first, then `after`."""
    a, b, c, d, e, f = after
    p, q, r, s, t, u = before
    return (
        a * p + c * q,
        b * p + d * q,
        a * r + c * s,
        b * r + d * s,
        a * t + c * u + e,
        b * t + d * u + f,
    )


def invert(matrix: Matrix) -> Matrix:
    """Return the matrix that undoes `matrix`; a flat one raises ZeroDivisionError."""
    a, b, c, d, e, f = matrix
    size = a * d - b * c
    return (
        d / size,
        -b / size,
        -c / size,
        a / size,
        (c * f - d * e) / size,
        (b * e - a * f) / size,
    )


def translation(x: float, y: float) -> Matrix:
    """Return the matrix that moves by x, y."""
    return (1.0, 0.0, 0.0, 1.0, x, y)


def scaling(x: float, y: float) -> Matrix:
    """Return the matrix that stretches from the origin."""
    return (x, 0.0, 0.0, y, 0.0, 0.0)


def rotation(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """Return the turn about (x, y); clockwise to the eye, because y runs down."""
    quarter = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    turn = degrees % 360
    c, s = quarter.get(turn) or (cos(radians(turn)), sin(radians(turn)))
    return (c, s, -s, c, x - c * x + s * y, y - s * x - c * y)


def mirror(x: float) -> Matrix:
    """Return the left-right mirror in the upright line at `x`."""
    return (-1.0, 0.0, 0.0, 1.0, 2 * x, 0.0)


def flip(y: float) -> Matrix:
    """Return the top-bottom mirror in the level line at `y`."""
    return (1.0, 0.0, 0.0, -1.0, 0.0, 2 * y)


def skewing(x_degrees: float, y_degrees: float) -> Matrix:
    """Return the matrix that slants along x and along y."""
    return (1.0, tan(radians(y_degrees)), tan(radians(x_degrees)), 1.0, 0.0, 0.0)


def apply(matrix: Matrix, x: float, y: float) -> Point:
    """Return where `matrix` takes a point."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def is_similarity(matrix: Matrix) -> bool:
    """Tell whether `matrix` keeps circles round."""
    a, b, c, d, _, _ = matrix
    room = 1e-6 * (abs(a) + abs(b) + abs(c) + abs(d))
    same = abs(a - d) <= room and abs(b + c) <= room
    mirrored = abs(a + d) <= room and abs(b - c) <= room
    return same or mirrored


def scale_of(matrix: Matrix) -> float:
    """Return how much longer `matrix` makes a line, on average."""
    a, b, c, d, _, _ = matrix
    return sqrt(abs(a * d - b * c))


def transform_path(path: Path, matrix: Matrix) -> Path:
    """Return the path with every point taken through `matrix`."""
    if matrix == IDENTITY:
        return path
    a, b, c, d, e, f = matrix
    out: list[Segment] = []
    for segment in path:
        numbers = segment[1:]
        moved: list[float] = []
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            moved += (a * x + c * y + e, b * x + d * y + f)
        out.append((segment[0], *moved))
    return tuple(out)


def path_bounds(path: Path) -> Box:
    """Return the tight box round a path's line, curves measured at their extremes."""
    xs: list[float] = []
    ys: list[float] = []
    x = y = 0.0
    for segment in path:
        if segment[0] == "Z":
            continue
        if segment[0] == "C":
            numbers = segment[1:]
            xs += _extremes(x, *numbers[::2])
            ys += _extremes(y, *numbers[1::2])
        x, y = end_of(segment)
        xs.append(x)
        ys.append(y)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def end_of(segment: Segment) -> Point:
    """Return the point that a move, line or curve comes to."""
    numbers = segment[1:]
    return numbers[-2], numbers[-1]


def _extremes(a: float, b: float, c: float, d: float) -> list[float]:
    if min(a, d) <= min(b, c) and max(b, c) <= max(a, d):
        return []
    i, j, k = d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a
    if abs(i) < 1e-12:
        roots = [-k / j] if abs(j) > 1e-12 else []
    else:
        inside = j * j - 4 * i * k
        root = sqrt(inside) if inside > 0 else 0.0
        roots = [(-j + root) / (2 * i), (-j - root) / (2 * i)] if inside >= 0 else []
    out = []
    for t in roots:
        if 0 < t < 1:
            u = 1 - t
            out.append(u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d)
    return out


def join_boxes(boxes: Iterable[Box]) -> Box:
    """Return the smallest box round all of `boxes`."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def polyline(points: Sequence[Point], closed: bool = False) -> Path:
    """Return straight lines through `points`."""
    first, *rest = points
    lines: list[Segment] = [("M", *first), *(("L", *point) for point in rest)]
    return (*lines, ("Z",)) if closed else tuple(lines)


def rectangle(x: float, y: float, w: float, h: float, rx: float = 0.0, ry: float = -1.0) -> Path:
    """Return a rectangle with corners rounded by `rx` (and `ry`, if it differs)."""
    rx = min(rx, w / 2)
    ry = min(ry if ry >= 0 else rx, h / 2)
    if rx <= 0 or ry <= 0:
        return polyline(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), closed=True)
    right, bottom = x + w, y + h
    kx, ky = rx * (1 - ROUND), ry * (1 - ROUND)
    return (
        ("M", x + rx, y),
        ("L", right - rx, y),
        ("C", right - kx, y, right, y + ky, right, y + ry),
        ("L", right, bottom - ry),
        ("C", right, bottom - ky, right - kx, bottom, right - rx, bottom),
        ("L", x + rx, bottom),
        ("C", x + kx, bottom, x, bottom - ky, x, bottom - ry),
        ("L", x, y + ry),
        ("C", x, y + ky, x + kx, y, x + rx, y),
        ("Z",),
    )


def ellipse(x: float, y: float, rx: float, ry: float) -> Path:
    """Return an ellipse about (x, y), beginning at its right end."""
    kx, ky = rx * ROUND, ry * ROUND
    return (
        ("M", x + rx, y),
        ("C", x + rx, y + ky, x + kx, y + ry, x, y + ry),
        ("C", x - kx, y + ry, x - rx, y + ky, x - rx, y),
        ("C", x - rx, y - ky, x - kx, y - ry, x, y - ry),
        ("C", x + kx, y - ry, x + rx, y - ky, x + rx, y),
        ("Z",),
    )


def circle(x: float, y: float, r: float) -> Path:
    """Return a circle about (x, y)."""
    return ellipse(x, y, r, r)


def arc(
    start: Point, radii: Point, turn: float, large: bool, sweep: bool, end: Point
) -> tuple[Segment, ...]:
    """Return the curves of an SVG arc from `start` to `end` (SVG 1.1, appendix F.6)."""
    rx, ry = abs(radii[0]), abs(radii[1])
    if start == end:
        return ()
    if rx == 0 or ry == 0:
        return (("L", *end),)
    back = rotation(-turn)
    x, y = apply(back, (start[0] - end[0]) / 2, (start[1] - end[1]) / 2)
    grow = sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    under = max(0.0, (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2)
    far = sqrt(under / ((rx * y) ** 2 + (ry * x) ** 2)) * (1 if large != sweep else -1)
    cx, cy = far * rx * y / ry, -far * ry * x / rx
    first = _angle((x - cx) / rx, (y - cy) / ry)
    last = _angle((-x - cx) / rx, (-y - cy) / ry)
    span = (last - first) % (2 * pi)
    span = span if sweep else span - 2 * pi
    middle = apply(rotation(turn), cx, cy)
    centre = (start[0] + end[0]) / 2 + middle[0], (start[1] + end[1]) / 2 + middle[1]
    place = multiply(translation(*centre), multiply(rotation(turn), scaling(rx, ry)))
    return transform_path(_unit_arc(first, span), place)


def _angle(x: float, y: float) -> float:
    length = hypot(x, y)
    angle = acos(max(-1.0, min(1.0, x / length)))
    return -angle if y < 0 else angle


def _unit_arc(first: float, span: float) -> Path:
    pieces = max(1, int(abs(span) / (pi / 2) + 0.999999))
    step = span / pieces
    k = 4 / 3 * tan(step / 4)
    out: list[Segment] = []
    for index in range(pieces):
        a, b = first + index * step, first + (index + 1) * step
        out.append(
            (
                "C",
                cos(a) - k * sin(a),
                sin(a) + k * cos(a),
                cos(b) + k * sin(b),
                sin(b) - k * cos(b),
                cos(b),
                sin(b),
            )
        )
    return tuple(out)
