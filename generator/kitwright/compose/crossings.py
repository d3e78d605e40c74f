"""Wires that cross: which goes over, and where the parts on them sit, once they are bent.

All wires of a set are solved together. Choices compare scores rounded to 0.1
and break ties by order, so every machine draws the same card. Geometry only;
nothing is painted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from math import hypot, radians, sin, tan

from msgspec import Struct

from kitwright.compose.bends import AROUND, Spacing, angle_between, bend, felt, pair_cost, turn
from kitwright.compose.curves import Curve, Meeting, cut, spot
from kitwright.model.geometry import Point


class Wire(Struct, frozen=True):
    """A wire to be solved: its ends, drawn width, and the lengths of the parts on it."""

    start: Point
    end: Point
    width: float = 2.0
    parts: tuple[float, ...] = ()
    start_angle: float = 0.0
    end_angle: float = 0.0
    round_caps: bool = False  # whether its cut ends are drawn half a width longer


class Crossing(Struct, frozen=True):
    """Where one wire passes over another; `angle` is the upper wire's direction in degrees."""

    point: Point
    angle: float
    upper: int
    lower: int
    upper_at: float
    lower_at: float
    gap: float  # how much of the lower wire is cut away, half of it on each side


class Part(Struct, frozen=True):
    """A part on a wire, by arc length of its middle, with the best place for a badge beside it."""

    wire: int
    at: float
    length: float
    point: Point
    angle: float
    badge: Point
    side: int  # +1 along the normal, -1 against it
    crowded: float  # millimetres of room that it lacks; 0 when it sits well


class Solved(Struct, frozen=True):
    """The finished geometry of a set of wires."""

    curves: tuple[Curve, ...]
    crossings: tuple[Crossing, ...]
    parts: tuple[Part, ...]  # in the order of the wires, then of their parts

    def pieces(self, wire: int, through_parts: bool = False) -> tuple[Curve, ...]:
        """Return what is drawn of a wire: it is cut below bridges and, as a rule, at parts."""
        gaps = [(c.lower_at - c.gap / 2, c.lower_at + c.gap / 2)
                for c in self.crossings if c.lower == wire]  # fmt: skip
        if not through_parts:
            gaps += [(p.at - p.length / 2, p.at + p.length / 2)
                     for p in self.parts if p.wire == wire]  # fmt: skip
        return cut(self.curves[wire], gaps)


USUAL = Spacing()


@lru_cache(maxsize=1024)
def solve(wires: tuple[Wire, ...], spacing: Spacing = USUAL) -> Solved:
    """Bend the wires, decide who goes over, and place the parts."""
    ends = tuple((w.start, w.end, w.start_angle, w.end_angle) for w in wires)
    curves = bend(ends, spacing)
    crossings = _weave(curves, wires, spacing)
    return Solved(curves, crossings, _place_parts(curves, wires, crossings, spacing))


def _weave(
    curves: tuple[Curve, ...], wires: tuple[Wire, ...], spacing: Spacing
) -> tuple[Crossing, ...]:
    """Decide who goes over at each crossing: no wire is cut more often than need be."""
    found = [
        (i, j, meeting)
        for i, j in combinations(range(len(curves)), 2)
        for meeting, _ in pair_cost(curves[i], curves[j], spacing)[1]
    ]
    out = []
    overs = _overs(curves, found)
    for (i, j, meeting), first_over in zip(found, overs, strict=True):
        upper, lower = (i, j) if first_over else (j, i)
        at = (meeting.first_at, meeting.second_at)
        upper_at, lower_at = at if first_over else at[::-1]
        angle = max(20.0, angle_between(curves[i], curves[j], meeting))
        gap = _gap(wires[upper].width, wires[lower], radians(angle), spacing)
        way = spot(curves[upper], upper_at).angle
        out.append(Crossing(meeting.point, way, upper, lower, upper_at, lower_at, gap))
    return tuple(out)


def _overs(
    curves: tuple[Curve, ...], found: Sequence[tuple[int, int, Meeting]]
) -> tuple[bool, ...]:
    """Tell for each crossing whether the first wire of its pair goes over."""
    if len(found) <= 8:
        tried = product((True, False), repeat=len(found))
        return min(tried, key=lambda over: round(_weave_cost(curves, found, over), 1))
    best = [True] * len(found)
    cost = _weave_cost(curves, found, tuple(best))
    better = True
    while better:
        better = False
        for index in range(len(found)):
            tried_one = [over != (k == index) for k, over in enumerate(best)]
            other = _weave_cost(curves, found, tuple(tried_one))
            if round(other, 1) < round(cost, 1):
                best, cost, better = tried_one, other, True
    return tuple(best)


def _gap(over: float, lower: Wire, angle: float, spacing: Spacing) -> float:
    """Return how much of the lower wire must go, so that air shows on both sides."""
    free = max(over, spacing.bridge_width) + 2 * spacing.air
    if lower.round_caps:
        return (free + lower.width) / sin(angle)
    return free / sin(angle) + lower.width / tan(angle)


def _weave_cost(
    curves: tuple[Curve, ...], found: Sequence[tuple[int, int, Meeting]], overs: tuple[bool, ...]
) -> float:
    cuts = [0] * len(curves)
    cost = 0.0
    for (i, j, meeting), first_over in zip(found, overs, strict=True):
        cuts[j if first_over else i] += 1
        level = abs(spot(curves[i], meeting.first_at).tangent[0])
        other = abs(spot(curves[j], meeting.second_at).tangent[0])
        cost += 0.2 if (level > other) == first_over and abs(level - other) > 0.05 else 0.0
    return cost + sum(count * count for count in cuts)


def _place_parts(
    curves: tuple[Curve, ...],
    wires: tuple[Wire, ...],
    crossings: tuple[Crossing, ...],
    spacing: Spacing,
) -> tuple[Part, ...]:
    spots: list[tuple[int, float, float, float]] = []
    for index, wire in enumerate(wires):
        for length in wire.parts:
            at, lack = _best_place(curves, index, length, crossings, spots, spacing)
            spots.append((index, at, length, lack))
    out: list[Part] = []
    for index, at, length, lack in spots:
        badge, side = _badge(curves, (index, at, length), spots, out, crossings, spacing)
        here = spot(curves[index], at)
        out.append(Part(index, at, length, here.point, here.angle, badge, side, lack))
    return tuple(out)


@lru_cache(maxsize=4096)
def _room(curves: tuple[Curve, ...], index: int) -> tuple[float, ...]:
    """Return, for each felt place of a wire, how far the nearest other wire is."""
    others = [b.point for k, other in enumerate(curves) if k != index for b in felt(other)]
    return tuple(
        min((hypot(a.point[0] - x, a.point[1] - y) for x, y in others), default=99.0)
        for a in felt(curves[index])
    )


def _best_place(
    curves: tuple[Curve, ...],
    index: int,
    length: float,
    crossings: Sequence[Crossing],
    taken: Sequence[tuple[int, float, float, float]],
    spacing: Spacing,
) -> tuple[float, float]:
    """Return the arc length for a part's middle, and how much room it lacks there."""
    curve, half = curves[index], length / 2
    places = felt(curve)
    step = curve.length / (len(places) - 1)
    room = _room(curves, index)
    own = [c.upper_at if c.upper == index else c.lower_at
           for c in crossings if index in (c.upper, c.lower)]  # fmt: skip
    blocks = [(at, spacing.bridge / 2 + 0.8) for at in own]
    blocks += [(at, other / 2 + 1.5) for wire, at, other, _ in taken if wire == index]
    rivals = [spot(curves[w], a).point for w, a, _, _ in taken if w != index]
    first = spacing.contact + 0.8
    wish = max(first + half, curve.length * 0.22)
    best = (9e9, 0.0, 0.0)
    for at in range(int(curve.length) + 1):
        low, high = int((at - half) / step + 0.999), int((at + half) / step)
        lack = max(0.0, first + half - at) + max(0.0, at + half + first - curve.length)
        lack += sum(max(0.0, half + reach - abs(at - block)) for block, reach in blocks)
        lack += max(0.0, spacing.part + AROUND - min(room[max(0, low) : high + 1]))
        x, y = places[min(int(at / step), len(places) - 1)].point
        lack += sum(max(0.0, 2 * spacing.part + 2 - hypot(x - a, y - b)) for a, b in rivals)
        turned = turn(places[max(0, low)], places[min(high, len(places) - 1)])
        cost = round(20 * lack + 0.2 * abs(at - wish) + 0.8 * turned, 1)
        if cost < best[0]:
            best = (cost, at, lack)
    return best[1], round(best[2], 1)


def _badge(
    curves: tuple[Curve, ...],
    part: tuple[int, float, float],
    parts: Sequence[tuple[int, float, float, float]],
    done: Sequence[Part],
    crossings: Sequence[Crossing],
    spacing: Spacing,
) -> tuple[Point, int]:
    """Return the freest place beside a part, the upper side first, and which side it is."""
    index, at, length = part
    blocks = [(s.point, 1.0) for curve in curves for s in felt(curve)[::2]]
    blocks += [(end, spacing.contact) for curve in curves for end in (curve.start, curve.end)]
    blocks += [(crossing.point, spacing.bridge / 2) for crossing in crossings]
    blocks += [(other.badge, spacing.badge) for other in done]
    for wire, middle, long, _ in parts:
        shares = (-0.5, -0.25, 0.0, 0.25, 0.5)
        blocks += [(spot(curves[wire], middle + k * long).point, spacing.part) for k in shares]
    off = spacing.part + spacing.badge + 0.5
    best: tuple[float, Point, int] = (-9e9, (0.0, 0.0), 1)
    for shift, side in product((0.0, 0.2, -0.2, 0.4, -0.4), (-1, 1)):
        x, y = spot(curves[index], at + shift * length).beside(0.0, side * off)
        free = min(hypot(x - a, y - b) - r for (a, b), r in blocks) - spacing.badge
        score = round(min(free, 1.5) - abs(shift) / 2, 1)
        if score > best[0]:
            best = (score, (x, y), side)
    return best[1], best[2]
