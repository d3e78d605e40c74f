"""Wires that cross: how each bends, which goes over, and where the parts on them sit.

All wires of a set are solved together. Choices compare scores rounded to 0.1
and break ties by order, so every machine draws the same card. Geometry only;
nothing is painted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import acos, degrees, hypot, radians, sin, tan

from kitwright.compose.curves import (
    Curve,
    Meeting,
    Spot,
    curve_between,
    cut,
    meetings,
    sample,
    spot,
)
from kitwright.model.geometry import Point

# How long a wire holds its direction at the start and at the end, as shares of the way.
BENDS = ((0.5, 0.5), (0.35, 0.7), (0.7, 0.35), (0.2, 0.85), (0.85, 0.2), (0.7, 0.7))
MOST_TRIED = 1500  # above this many combinations, wires are bent one after the other
AROUND = 1.5  # between a part and the middle of another wire
STEP = 1.0  # wires are felt for at this distance
TIGHT = 3.2  # a bend of a smaller radius is ugly


@dataclass(frozen=True, slots=True)
class Spacing:
    """How much room things on the wires need, in millimetres."""

    contact: float = 3.0  # radius of what sits on a wire's ends
    bridge: float = 5.0  # length of the sleeve on the upper wire
    bridge_width: float = 3.2
    air: float = 0.3  # between the sleeve and the cut ends of the lower wire
    part: float = 2.6  # half the height of a part
    badge: float = 2.6  # radius of a badge beside a part
    run: float = 13.0  # a stretch of each wire to keep free of crossings, for parts


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire to be solved: its ends, drawn width, and the lengths of the parts on it."""

    start: Point
    end: Point
    width: float = 2.0
    parts: tuple[float, ...] = ()
    start_angle: float = 0.0
    end_angle: float = 0.0
    round_caps: bool = False  # whether its cut ends are drawn half a width longer


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where one wire passes over another; `angle` is the upper wire's direction in degrees."""

    point: Point
    angle: float
    upper: int
    lower: int
    upper_at: float
    lower_at: float
    gap: float  # how much of the lower wire is cut away, half of it on each side


@dataclass(frozen=True, slots=True)
class Part:
    """A part on a wire, by arc length of its middle, with the best place for a badge beside it."""

    wire: int
    at: float
    length: float
    point: Point
    angle: float
    badge: Point
    side: int  # +1 along the normal, -1 against it
    crowded: float  # millimetres of room that it lacks; 0 when it sits well


@dataclass(frozen=True, slots=True)
class Solved:
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


@lru_cache(maxsize=1024)
def solve(wires: tuple[Wire, ...], spacing: Spacing = Spacing()) -> Solved:
    """Bend the wires, decide who goes over, and place the parts."""
    ends = tuple((w.start, w.end, w.start_angle, w.end_angle) for w in wires)
    curves = bend(ends, spacing)
    crossings = _weave(curves, wires, spacing)
    return Solved(curves, crossings, _place_parts(curves, wires, crossings, spacing))


Ends = tuple[Point, Point, float, float]


@lru_cache(maxsize=256)
def bend(ends: tuple[Ends, ...], spacing: Spacing) -> tuple[Curve, ...]:
    """Choose each wire's bend so that crossings are few, apart, and near right angles."""
    choices = tuple(_candidates(*end) for end in ends)
    count = 1
    for options in choices:
        count *= len(options)
    if count <= MOST_TRIED:
        picks = product(*(range(len(options)) for options in choices))
        return min((_scored(choices, pick, spacing) for pick in picks), key=lambda x: x[:2])[2]
    return _one_by_one(choices, spacing)


Scored = tuple[float, tuple[int, ...], tuple[Curve, ...]]


def _scored(choices: Sequence[Sequence[Curve]], pick: tuple[int, ...], spacing: Spacing) -> Scored:
    curves = tuple(options[index] for options, index in zip(choices, pick, strict=True))
    return round(_cost(curves, spacing), 1), pick, curves


def _one_by_one(choices: Sequence[Sequence[Curve]], spacing: Spacing) -> tuple[Curve, ...]:
    """Improve one wire at a time, or two, until nothing gets better."""
    best = _scored(choices, (0,) * len(choices), spacing)
    better = True
    while better:
        better = False
        for one, two in combinations(range(len(choices)), 2):
            for i, j in product(range(len(choices[one])), range(len(choices[two]))):
                pick = list(best[1])
                pick[one], pick[two] = i, j
                tried = _scored(choices, tuple(pick), spacing)
                if tried[0] < best[0]:
                    best, better = tried, True
    return best[2]


def _candidates(
    start: Point, end: Point, start_angle: float, end_angle: float
) -> tuple[Curve, ...]:
    """Return the ways one wire may bend; a straight one has no choice."""
    curves = [curve_between(start, end, start_angle, end_angle, shares) for shares in BENDS]
    direct = hypot(end[0] - start[0], end[1] - start[1])
    return tuple(curves[:1]) if curves[0].length - direct < 0.01 else tuple(curves)


def _cost(curves: tuple[Curve, ...], spacing: Spacing) -> float:
    """Score a set of bends; lower is better, 10 is about one thing that looks wrong."""
    cost = sum(_smooth_cost(curve) for curve in curves)
    points: list[Point] = []
    marks: list[list[tuple[float, float]]] = [[] for _ in curves]
    for i, j in combinations(range(len(curves)), 2):
        pair, found = _pair_cost(curves[i], curves[j], spacing)
        cost += pair
        for meeting, reach in found:
            points.append(meeting.point)
            marks[i].append((meeting.first_at, reach))
            marks[j].append((meeting.second_at, reach))
    for (ax, ay), (bx, by) in combinations(points, 2):
        apart = hypot(ax - bx, ay - by)
        for want, weight in ((3, 1.5), (1.8, 4.0), (1, 20.0)):
            cost += weight * max(0.0, want * spacing.bridge - apart)
    for curve, found_at in zip(curves, marks, strict=True):
        cost += _run_cost(curve, sorted(found_at), spacing)
    return cost


def _run_cost(curve: Curve, marks: Sequence[tuple[float, float]], spacing: Spacing) -> float:
    """Score the stretches between crossings: one must hold a part, best the first."""
    stops = [spacing.contact]
    for at, reach in marks:
        stops += (at - reach, at + reach)
    stops.append(curve.length - spacing.contact)
    runs = [high - low for low, high in zip(stops[::2], stops[1::2], strict=True)]
    return 2 * max(0.0, spacing.run - max(runs)) + 0.8 * max(0.0, spacing.run - runs[0])


@lru_cache(maxsize=4096)
def _smooth_cost(curve: Curve) -> float:
    """Score tight turns: the angle between places a little apart tells the radius."""
    places = _felt(curve)
    tightest = max((_turn(a, b) for a, b in zip(places, places[2:], strict=False)), default=0.0)
    radius = 2 * STEP / tightest if tightest > 1e-6 else 1000.0
    uneven = abs(places[len(places) // 2].point[0] - (curve.start[0] + curve.end[0]) / 2)
    return 3 * max(0.0, TIGHT - radius) + 0.15 * uneven


def _turn(a: Spot, b: Spot) -> float:
    dot = a.tangent[0] * b.tangent[0] + a.tangent[1] * b.tangent[1]
    return acos(max(-1.0, min(1.0, dot)))


@lru_cache(maxsize=4096)
def _felt(curve: Curve) -> tuple[Spot, ...]:
    return sample(curve, STEP)


@lru_cache(maxsize=8192)
def _pair_cost(
    one: Curve, two: Curve, spacing: Spacing
) -> tuple[float, tuple[tuple[Meeting, float], ...]]:
    """Score how two wires get on; return where they cross and how far they then stay close."""
    found = meetings(one, two)
    reaches = []
    cost = 100.0 * len(found)
    for meeting in found:
        angle = _angle_between(one, two, meeting)
        reaches.append(1.2 * (spacing.part + AROUND) / sin(radians(max(20.0, angle))))
        cost += (90 - angle) / 10 + 0.5 * max(0.0, 40 - angle)
        ends = (
            meeting.first_at,
            meeting.second_at,
            one.length - meeting.first_at,
            two.length - meeting.second_at,
        )
        room = min(ends) - spacing.contact - spacing.bridge / 2
        cost += 4 * max(0.0, 3 - room) + max(0.0, 6 - room)
    if not found:
        cost += 3 * max(0.0, 7 - _nearest(one, two))
    return cost, tuple(zip(found, reaches, strict=True))


def _nearest(one: Curve, two: Curve) -> float:
    return min(
        hypot(a.point[0] - b.point[0], a.point[1] - b.point[1])
        for a in _felt(one)[::4]
        for b in _felt(two)[::2]
    )


def _angle_between(one: Curve, two: Curve, meeting: Meeting) -> float:
    """Return the angle at a crossing, 0 to 90 degrees."""
    a, b = spot(one, meeting.first_at).tangent, spot(two, meeting.second_at).tangent
    return degrees(acos(min(1.0, abs(a[0] * b[0] + a[1] * b[1]))))


def _weave(
    curves: tuple[Curve, ...], wires: tuple[Wire, ...], spacing: Spacing
) -> tuple[Crossing, ...]:
    """Decide who goes over at each crossing: no wire is cut more often than need be."""
    found = [
        (i, j, meeting)
        for i, j in combinations(range(len(curves)), 2)
        for meeting, _ in _pair_cost(curves[i], curves[j], spacing)[1]
    ]
    if len(found) > 10:
        overs: tuple[bool, ...] = tuple(bool(index % 2) for index in range(len(found)))
    else:
        tried = product((True, False), repeat=len(found))
        overs = min(tried, key=lambda over: round(_weave_cost(curves, found, over), 1))
    out = []
    for (i, j, meeting), first_over in zip(found, overs, strict=True):
        upper, lower = (i, j) if first_over else (j, i)
        at = (meeting.first_at, meeting.second_at)
        upper_at, lower_at = at if first_over else at[::-1]
        angle = max(20.0, _angle_between(curves[i], curves[j], meeting))
        gap = _gap(wires[upper].width, wires[lower], radians(angle), spacing)
        way = spot(curves[upper], upper_at).angle
        out.append(Crossing(meeting.point, way, upper, lower, upper_at, lower_at, gap))
    return tuple(out)


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
    others = [b.point for k, other in enumerate(curves) if k != index for b in _felt(other)]
    return tuple(
        min((hypot(a.point[0] - x, a.point[1] - y) for x, y in others), default=99.0)
        for a in _felt(curves[index])
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
    places = _felt(curve)
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
        turned = _turn(places[max(0, low)], places[min(high, len(places) - 1)])
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
    blocks = [(s.point, 1.0) for curve in curves for s in _felt(curve)[::2]]
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
