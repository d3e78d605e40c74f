"""How wires bend: a set of them is bent together, so that it can be followed at a glance.

Crossings become few, far from each other and from the ends, and near to right
angles. Scores are rounded to 0.1 and ties go to the first, so every machine
bends alike. Knows curves; paints nothing and places nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from math import acos, degrees, hypot, prod, radians, sin

from msgspec import Struct
from msgspec.structs import astuple

from kitwright.compose.curves import Curve, Meeting, Spot, curve_between, meetings, sample, spot
from kitwright.lore import lore
from kitwright.model.geometry import Point

# How long a wire holds its direction at the start and at the end, as shares of the way.
BENDS = ((0.5, 0.5), (0.35, 0.7), (0.7, 0.35), (0.2, 0.85), (0.85, 0.2), (0.7, 0.7))
MOST_TRIED = 1500  # above this many combinations, wires are bent one after the other
AROUND = 1.5  # between a part and the middle of another wire
STEP = 1.0  # wires are felt for at this distance
TIGHT = 3.2  # a bend of a smaller radius is ugly


class Spacing(Struct, frozen=True):
    """How much room things on the wires need, in millimetres."""

    contact: float = 3.0  # radius of what sits on a wire's ends
    bridge: float = 5.0  # length of the sleeve on the upper wire
    bridge_width: float = 3.2
    air: float = 0.3  # between the sleeve and the cut ends of the lower wire
    part: float = 2.6  # half the height of a part
    badge: float = 2.6  # radius of a badge beside a part
    run: float = 13.0  # a stretch of each wire to keep free of crossings, for parts


Ends = tuple[Point, Point, float, float]


Choices = Sequence[Sequence[Curve]]
Pick = tuple[int, ...]  # which of its choices each wire takes
Scored = tuple[float, Pick]
_PICKS: dict[tuple[tuple[Ends, ...], tuple[float, ...]], Pick] = lore("bends")


@lru_cache(maxsize=256)
def bend(ends: tuple[Ends, ...], spacing: Spacing) -> tuple[Curve, ...]:
    """Choose each wire's bend so that crossings are few, apart, and near right angles."""
    choices = tuple(_candidates(*end) for end in ends)
    key = (ends, astuple(spacing))
    if key not in _PICKS:
        _PICKS[key] = _best(choices, spacing)
    return _picked(choices, _PICKS[key])


def _best(choices: Choices, spacing: Spacing) -> Pick:
    if prod(map(len, choices)) > MOST_TRIED:
        return _one_by_one(choices, spacing)
    picks = product(*(range(len(options)) for options in choices))
    return min(_scored(choices, pick, spacing) for pick in picks)[1]


def _picked(choices: Choices, pick: Pick) -> tuple[Curve, ...]:
    return tuple(options[index] for options, index in zip(choices, pick, strict=True))


def _scored(choices: Choices, pick: Pick, spacing: Spacing) -> Scored:
    return round(_cost(_picked(choices, pick), spacing), 1), pick


def _one_by_one(choices: Choices, spacing: Spacing) -> Pick:
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
    return best[1]


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
        pair, found = pair_cost(curves[i], curves[j], spacing)
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
    places = felt(curve)
    tightest = max((turn(a, b) for a, b in zip(places, places[2:], strict=False)), default=0.0)
    radius = 2 * STEP / tightest if tightest > 1e-6 else 1000.0
    uneven = abs(places[len(places) // 2].point[0] - (curve.start[0] + curve.end[0]) / 2)
    return 3 * max(0.0, TIGHT - radius) + 0.15 * uneven


def turn(a: Spot, b: Spot) -> float:
    """Return by how much the direction changes between two places, in radians."""
    dot = a.tangent[0] * b.tangent[0] + a.tangent[1] * b.tangent[1]
    return acos(max(-1.0, min(1.0, dot)))


@lru_cache(maxsize=4096)
def felt(curve: Curve) -> tuple[Spot, ...]:
    """Return places about STEP apart."""
    return sample(curve, STEP)


@lru_cache(maxsize=8192)
def pair_cost(
    one: Curve, two: Curve, spacing: Spacing
) -> tuple[float, tuple[tuple[Meeting, float], ...]]:
    """Score how two wires get on; return where they cross and how far they then stay close."""
    found = [m for m in meetings(one, two) if not _shared_end(one, two, m)]
    reaches = []
    cost = 100.0 * len(found)
    for meeting in found:
        angle = angle_between(one, two, meeting)
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


def _shared_end(one: Curve, two: Curve, meeting: Meeting) -> bool:
    """Tell whether two wires only share a contact."""
    first = min(meeting.first_at, one.length - meeting.first_at)
    return first < 0.5 and min(meeting.second_at, two.length - meeting.second_at) < 0.5


def _nearest(one: Curve, two: Curve) -> float:
    return min(
        hypot(a.point[0] - b.point[0], a.point[1] - b.point[1])
        for a in felt(one)[::4]
        for b in felt(two)[::2]
    )


def angle_between(one: Curve, two: Curve, meeting: Meeting) -> float:
    """Return the angle at a crossing, 0 to 90 degrees."""
    a, b = spot(one, meeting.first_at).tangent, spot(two, meeting.second_at).tangent
    return degrees(acos(min(1.0, abs(a[0] * b[0] + a[1] * b[1]))))
