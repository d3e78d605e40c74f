"""Curves between points: how long they are, where they cross, how they are cut.

A curve is cubic Béziers end to end. Places on it are told by arc length in
millimetres from its start; the normal points to the right of travel, which is
down for a curve that runs to the right. Knows no wires, cards or themes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from math import atan2, cos, degrees, hypot, radians, sin, sqrt

from msgspec import Struct

from kitwright.model.geometry import Path, Point, Segment

Cubic = tuple[float, float, float, float, float, float, float, float]
STEPS = 24  # arc length is tabled at this many places a piece
GAUSS = ((-sqrt(0.6), 5 / 9), (0.0, 8 / 9), (sqrt(0.6), 5 / 9))
FLAT = 0.05  # how far a curve may leave its chord and still pass for it while searching


class Curve(Struct, frozen=True):
    """Cubic Béziers, each beginning where the one before ends."""

    pieces: tuple[Cubic, ...]

    @property
    def start(self) -> Point:
        """The first point."""
        return self.pieces[0][0], self.pieces[0][1]

    @property
    def end(self) -> Point:
        """The last point."""
        return self.pieces[-1][6], self.pieces[-1][7]

    @property
    def length(self) -> float:
        """The arc length in millimetres."""
        return _table(self)[0][-1]

    @property
    def path(self) -> Path:
        """The curve as a path for an op."""
        rest: list[Segment] = [("C", *piece[2:]) for piece in self.pieces]
        return (("M", *self.start), *rest)


class Spot(Struct, frozen=True):
    """A place on a curve, with the unit vector of travel there."""

    point: Point
    tangent: Point

    @property
    def angle(self) -> float:
        """The direction of travel in degrees; 0 runs to the right, 90 down."""
        return degrees(atan2(self.tangent[1], self.tangent[0]))

    def beside(self, along: float, off: float) -> Point:
        """Return the point `along` further on the tangent and `off` along the normal."""
        (x, y), (tx, ty) = self.point, self.tangent
        return x + along * tx - off * ty, y + along * ty + off * tx


class Meeting(Struct, frozen=True):
    """Where two curves cross: the arc length on each, and the point."""

    first_at: float
    second_at: float
    point: Point


def curve_between(
    start: Point,
    end: Point,
    start_angle: float = 0.0,
    end_angle: float = 0.0,
    bend: tuple[float, float] = (0.5, 0.5),
) -> Curve:
    """Return a curve that leaves and arrives at the given angles of travel, in degrees.

    `bend` says how long it holds each direction, as shares of the way: a small
    first share puts the steep part near the start, a small second near the end.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = hypot(dx, dy)
    ends = []
    for angle, share in ((start_angle, bend[0]), (end_angle, bend[1])):
        tx, ty = cos(radians(angle)), sin(radians(angle))
        reach = share * max(abs(dx * tx + dy * ty), 0.4 * far)
        ends.append((tx * reach, ty * reach))
    (ax, ay), (bx, by) = ends
    return Curve(((*start, start[0] + ax, start[1] + ay, end[0] - bx, end[1] - by, *end),))


def straight(a: Point, b: Point) -> Cubic:
    """Return a straight line as a Bézier."""
    dx, dy = (b[0] - a[0]) / 3, (b[1] - a[1]) / 3
    return (*a, a[0] + dx, a[1] + dy, b[0] - dx, b[1] - dy, *b)


@lru_cache(maxsize=4096)
def _table(curve: Curve) -> tuple[tuple[float, ...], float]:
    """Return the arc length at every step of every piece, and the width of a step."""
    lengths = [0.0]
    step = 1 / STEPS
    for piece in curve.pieces:
        for index in range(STEPS):
            middle = (index + 0.5) * step
            part = 0.0
            for node, weight in GAUSS:
                dx, dy = _speed(piece, middle + node * step / 2)
                part += weight * hypot(dx, dy)
            lengths.append(lengths[-1] + part * step / 2)
    return tuple(lengths), step


def _speed(piece: Cubic, t: float) -> Point:
    x0, y0, x1, y1, x2, y2, x3, y3 = piece
    u = 1 - t
    a, b, c = 3 * u * u, 6 * u * t, 3 * t * t
    return (
        a * (x1 - x0) + b * (x2 - x1) + c * (x3 - x2),
        a * (y1 - y0) + b * (y2 - y1) + c * (y3 - y2),
    )


def _point(piece: Cubic, t: float) -> Point:
    x0, y0, x1, y1, x2, y2, x3, y3 = piece
    u = 1 - t
    a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


def _locate(curve: Curve, at: float) -> tuple[int, float]:
    """Return the piece and its parameter at an arc length, which is held to the curve."""
    lengths, step = _table(curve)
    at = max(0.0, min(at, lengths[-1]))
    index = min(bisect_right(lengths, at) - 1, len(lengths) - 2)
    number, place = divmod(index, STEPS)
    piece = curve.pieces[number]
    span = lengths[index + 1] - lengths[index]
    if span <= 0:
        return number, place * step
    share = (at - lengths[index]) / span
    t = (place + share) * step
    done = lengths[index] + _stretch(piece, place * step, t)
    speed = hypot(*_speed(piece, t))
    return number, max(0.0, min(1.0, t + (at - done) / speed if speed > 1e-9 else t))


def _stretch(piece: Cubic, low: float, high: float) -> float:
    """Return the arc length between two near parameters."""
    middle, half = (low + high) / 2, (high - low) / 2
    return half * sum(w * hypot(*_speed(piece, middle + n * half)) for n, w in GAUSS)


def spot(curve: Curve, at: float) -> Spot:
    """Return the place at an arc length; beyond the ends it is the end."""
    number, t = _locate(curve, at)
    piece = curve.pieces[number]
    dx, dy = _speed(piece, t)
    if hypot(dx, dy) < 1e-9:  # a control point lies on the end: look a little further in
        dx, dy = _speed(piece, 0.001 if t < 0.5 else 0.999)
    speed = hypot(dx, dy) or 1.0
    return Spot(_point(piece, t), (dx / speed, dy / speed))


def sample(curve: Curve, step: float) -> tuple[Spot, ...]:
    """Return places at most `step` apart, both ends included."""
    count = max(1, int(curve.length / step + 0.999))
    return tuple(spot(curve, curve.length * index / count) for index in range(count + 1))


def split(piece: Cubic, t: float) -> tuple[Cubic, Cubic]:
    """Cut a Bézier in two at parameter `t` (de Casteljau)."""
    x0, y0, x1, y1, x2, y2, x3, y3 = piece
    ax, ay = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
    bx, by = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
    cx, cy = x2 + (x3 - x2) * t, y2 + (y3 - y2) * t
    dx, dy = ax + (bx - ax) * t, ay + (by - ay) * t
    ex, ey = bx + (cx - bx) * t, by + (cy - by) * t
    mx, my = dx + (ex - dx) * t, dy + (ey - dy) * t
    return (x0, y0, ax, ay, dx, dy, mx, my), (mx, my, ex, ey, cx, cy, x3, y3)


def part_of(curve: Curve, low: float, high: float) -> Curve:
    """Return the curve between two arc lengths, split exactly."""
    first, t = _locate(curve, low)
    last, u = _locate(curve, high)
    if first == last:
        _, rest = split(curve.pieces[first], t)
        share = (u - t) / (1 - t) if t < 1 else 0.0
        return Curve((split(rest, max(0.0, share))[0],))
    pieces = [split(curve.pieces[first], t)[1], *curve.pieces[first + 1 : last]]
    return Curve((*pieces, split(curve.pieces[last], u)[0]))


def meetings(one: Curve, two: Curve) -> tuple[Meeting, ...]:
    """Return all crossings of two curves, in order along the first."""
    found: list[Meeting] = []
    if one == two:
        return ()
    for i, p in enumerate(one.pieces):
        for j, q in enumerate(two.pieces):
            for t, u in _piece_meetings(p, q):
                at, other = _length_at(one, i, t), _length_at(two, j, u)
                point = _point(p, t)
                if all(hypot(m.point[0] - point[0], m.point[1] - point[1]) > 0.02 for m in found):
                    found.append(Meeting(at, other, point))
    return tuple(sorted(found, key=lambda meeting: meeting.first_at))


def _length_at(curve: Curve, number: int, t: float) -> float:
    """Return the arc length at a piece's parameter."""
    lengths, step = _table(curve)
    place = min(int(t * STEPS), STEPS - 1)
    low = place * step
    return lengths[number * STEPS + place] + _stretch(curve.pieces[number], low, t)


def _piece_meetings(p: Cubic, q: Cubic) -> list[tuple[float, float]]:
    """Halve both pieces until they are straight, cross the chords, then polish."""
    found = []
    work = [(p, 0.0, 1.0, q, 0.0, 1.0)]
    while work:
        a, a0, a1, b, b0, b1 = work.pop()
        if not _overlap(a, b):
            continue
        bent_a, bent_b = _bent(a), _bent(b)
        if bent_a <= FLAT and bent_b <= FLAT:
            crossing = _chords(a, b)
            if crossing:
                t, u = crossing
                polished = _polish(p, q, a0 + t * (a1 - a0), b0 + u * (b1 - b0))
                found += [polished] if polished else []
        elif bent_a >= bent_b:
            left, right = split(a, 0.5)
            middle = (a0 + a1) / 2
            work += [(right, middle, a1, b, b0, b1), (left, a0, middle, b, b0, b1)]
        else:
            left, right = split(b, 0.5)
            middle = (b0 + b1) / 2
            work += [(a, a0, a1, right, middle, b1), (a, a0, a1, left, b0, middle)]
    return found


def _overlap(a: Cubic, b: Cubic) -> bool:
    ax, bx, ay, by = a[::2], b[::2], a[1::2], b[1::2]
    return (
        min(ay) <= max(by) + FLAT
        and min(by) <= max(ay) + FLAT
        and min(ax) <= max(bx) + FLAT
        and min(bx) <= max(ax) + FLAT
    )


def _bent(piece: Cubic) -> float:
    """Return a bound on how far a piece leaves its chord (and its even speed)."""
    x0, y0, x1, y1, x2, y2, x3, y3 = piece
    x = max(abs(3 * x1 - 2 * x0 - x3), abs(3 * x2 - x0 - 2 * x3))
    y = max(abs(3 * y1 - 2 * y0 - y3), abs(3 * y2 - y0 - 2 * y3))
    return (x + y) / 4


def _chords(a: Cubic, b: Cubic) -> tuple[float, float] | None:
    ax, ay = a[6] - a[0], a[7] - a[1]
    bx, by = b[6] - b[0], b[7] - b[1]
    area = ax * by - ay * bx
    if abs(area) < 1e-9:
        return None
    dx, dy = b[0] - a[0], b[1] - a[1]
    t, u = (dx * by - dy * bx) / area, (dx * ay - dy * ax) / area
    slack = 0.1
    inside = -slack <= t <= 1 + slack and -slack <= u <= 1 + slack
    return (t, u) if inside else None


def _polish(p: Cubic, q: Cubic, t: float, u: float) -> tuple[float, float] | None:
    """Follow both curves to where they truly meet; none if that is off their ends."""
    for _ in range(4):
        (px, py), (qx, qy) = _point(p, t), _point(q, u)
        (ax, ay), (bx, by) = _speed(p, t), _speed(q, u)
        area = ax * by - ay * bx
        if abs(area) < 1e-9:
            break
        dx, dy = qx - px, qy - py
        t += (dx * by - dy * bx) / area
        u += (dx * ay - dy * ax) / area
    (px, py), (qx, qy) = _point(p, t), _point(q, u)
    on_both = -1e-6 <= t <= 1 + 1e-6 and -1e-6 <= u <= 1 + 1e-6
    close = hypot(px - qx, py - qy) < 0.005
    return (max(0.0, min(1.0, t)), max(0.0, min(1.0, u))) if on_both and close else None


def cut(curve: Curve, gaps: Iterable[tuple[float, float]]) -> tuple[Curve, ...]:
    """Return what is left of a curve once stretches of it are taken away."""
    out, done = [], 0.0
    for low, high in sorted(gaps):
        if low - done > 0.05:
            out.append(part_of(curve, done, low))
        done = max(done, high)
    if curve.length - done > 0.05:
        out.append(part_of(curve, done, curve.length))
    return tuple(out)
