"""Curves, what is drawn along them, and wires that cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import hypot, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitwright.compose.along import line_ops, warp_ops, warp_path
from kitwright.compose.bends import Spacing
from kitwright.compose.crossings import Crossing, Solved, Wire, solve
from kitwright.compose.curves import (
    Curve,
    curve_between,
    cut,
    meetings,
    part_of,
    sample,
    spot,
    straight,
)
from kitwright.model.geometry import IDENTITY, Point, circle, path_bounds, polyline
from kitwright.model.theme import LineStyle
from kitwright.ops import Fill, Group, Linear, Radial, Stroke, Use, Word, make_symbol

EXACT = settings(derandomize=True, deadline=None, max_examples=60)
HEIGHTS = (28.0, 44.5, 61.0)
LEFT, RIGHT = 10.0, 53.5
PART = 11.0
coordinate = st.floats(0, 60).map(lambda value: round(value, 2))
points = st.tuples(coordinate, coordinate)


def quarter(r: float = 10.0) -> Curve:
    k = r * 0.5522847498307936
    return Curve(((r, 0.0, r, k, k, r, 0.0, r),))


def line_through(corners: Sequence[Point]) -> Curve:
    return Curve(tuple(straight(a, b) for a, b in pairwise(corners)))


def far(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def card(order: tuple[int, ...], parts: tuple[int, ...] = ()) -> tuple[Wire, ...]:
    return tuple(
        Wire((LEFT, HEIGHTS[i]), (RIGHT, HEIGHTS[order[i]]), 2.2, (PART,) * (i in parts))
        for i in range(3)
    )


def test_length_of_a_straight_line_and_of_a_quarter_circle() -> None:
    assert line_through(((0, 0), (3, 4), (3, 14))).length == pytest.approx(15)
    assert quarter().length == pytest.approx(5 * pi, abs=0.005)


def test_a_spot_has_its_point_tangent_and_normal() -> None:
    half = spot(quarter(), quarter().length / 2)
    assert half.point == pytest.approx((7.071, 7.071), abs=0.01)
    assert half.tangent == pytest.approx((-0.7071, 0.7071), abs=0.001)
    assert half.angle == pytest.approx(135)
    assert half.beside(0, 10) == pytest.approx((0, 0), abs=0.01)
    flat = spot(line_through(((0, 5), (10, 5))), 4)
    assert flat.beside(1, 2) == pytest.approx((5, 7))


def test_arc_length_beyond_the_ends_is_held_to_them() -> None:
    curve = quarter()
    assert spot(curve, -5).point == curve.start
    assert spot(curve, 99).point == pytest.approx(curve.end)


def test_a_control_point_on_the_end_still_gives_a_direction() -> None:
    curve = Curve(((0.0, 0.0, 0.0, 0.0, 10.0, 0.0, 10.0, 0.0),))
    assert spot(curve, 0).tangent == pytest.approx((1, 0))
    assert spot(curve, curve.length).tangent == pytest.approx((1, 0))


@EXACT
@given(points, points, st.floats(0, 1), st.floats(0, 1))
def test_samples_lie_evenly_along_any_curve_to_the_right(
    a: Point, b: Point, p: float, q: float
) -> None:
    a, b = sorted((a, b))  # a hairpin stands still where it turns, and is measured less finely
    curve = curve_between(a, b, bend=(p, q))
    places = sample(curve, 1.0)
    assert places[0].point == pytest.approx(curve.start)
    assert places[-1].point == pytest.approx(curve.end, abs=1e-6)
    step = curve.length / (len(places) - 1)
    for index, place in enumerate(places):
        walked = part_of(curve, 0, index * step)
        assert walked.end == pytest.approx(place.point, abs=0.01)
        assert walked.length == pytest.approx(index * step, abs=0.02)


def test_a_curve_leaves_and_arrives_as_asked() -> None:
    level = curve_between((0, 0), (40, 20))
    assert spot(level, 0).angle == pytest.approx(0)
    assert spot(level, level.length).angle == pytest.approx(0, abs=1e-6)
    upright = curve_between((0, 0), (10, 40), 90, 45)
    assert spot(upright, 0).angle == pytest.approx(90)
    assert spot(upright, upright.length).angle == pytest.approx(45)


def test_the_first_share_of_a_bend_moves_the_steep_part_to_the_start() -> None:
    early = curve_between((0, 0), (40, 20), bend=(0.2, 0.85))
    late = curve_between((0, 0), (40, 20), bend=(0.85, 0.2))
    level = line_through(((0, 10), (40, 10)))
    (first,), (second,) = meetings(early, level), meetings(late, level)
    assert first.point[0] < 15 < 25 < second.point[0]


def test_part_of_is_exact_over_several_pieces() -> None:
    curve = Curve((*quarter().pieces, *line_through(((0, 10), (-10, 10), (-10, 0))).pieces))
    middle = part_of(curve, 10, 30)
    assert middle.length == pytest.approx(20, abs=1e-4)
    assert middle.start == pytest.approx(spot(curve, 10).point)
    assert middle.end == pytest.approx(spot(curve, 30).point)
    assert len(middle.pieces) == 3


def test_cut_leaves_what_is_between_the_gaps() -> None:
    line = line_through(((0, 0), (20, 0)))
    left = cut(line, [(12, 14), (-1, 2), (13, 15)])
    assert [(round(c.start[0], 3), round(c.end[0], 3)) for c in left] == [(2, 12), (15, 20)]
    assert cut(line, [(0, 20)]) == ()
    assert [c.length for c in cut(line, [])] == pytest.approx([20])


def test_two_curves_may_meet_often() -> None:
    wave = curve_between((0, 0), (40, 0), 80, 80, (1.5, 1.5))
    level = line_through(((-5, 1), (45, -1)))
    found = meetings(wave, level)
    assert len(found) == 3
    assert [m.first_at for m in found] == sorted(m.first_at for m in found)


def test_parallel_and_distant_curves_do_not_meet() -> None:
    one = curve_between((0, 0), (40, 20))
    assert meetings(one, curve_between((0, 5), (40, 25))) == ()
    assert meetings(one, curve_between((0, 50), (40, 70))) == ()
    assert meetings(one, one) == ()


@settings(EXACT, max_examples=40)
@given(points, points, points, points)
def test_meetings_are_all_found_and_exact(a: Point, b: Point, c: Point, d: Point) -> None:
    one, two = curve_between(a, b), curve_between(c, d)
    found = meetings(one, two)
    for meeting in found:
        assert far(spot(one, meeting.first_at).point, meeting.point) < 0.01
        assert far(spot(two, meeting.second_at).point, meeting.point) < 0.01
    for point in crossings_of_chords(one, two):
        assert any(far(meeting.point, point) < 0.5 for meeting in found)


def crossings_of_chords(one: Curve, two: Curve) -> Iterator[Point]:
    """Yield clear crossings of two fine polylines: the slow way, to compare with."""
    first = [s.point for s in sample(one, 0.8)]
    second = [s.point for s in sample(two, 0.8)]
    for (ax, ay), (bx, by) in pairwise(first):
        for (cx, cy), (dx, dy) in pairwise(second):
            area = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
            size = hypot(bx - ax, by - ay) * hypot(dx - cx, dy - cy)
            if abs(area) < 0.1 * size or size < 1e-6:
                continue
            t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / area
            u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / area
            if 0.1 < t < 0.9 and 0.1 < u < 0.9:
                yield ax + t * (bx - ax), ay + t * (by - ay)


def test_a_warped_path_follows_its_curve() -> None:
    bar = polyline(((0, -1), (8, -1), (8, 1), (0, 1)), closed=True)
    level = line_through(((10, 5), (40, 5)))
    assert path_bounds(warp_path(bar, level, 3)) == pytest.approx((13, 4, 21, 6))
    arched = warp_path(bar, quarter(), 2)
    assert arched[-1] == ("Z",)
    for segment in arched[1:-1]:
        x, y = segment[1:][4:]
        assert min(abs(hypot(x, y) - 9), abs(hypot(x, y) - 11), abs(hypot(x, y) - 10)) < 0.3


def test_a_path_longer_than_its_curve_goes_straight_on() -> None:
    line = polyline(((-2, 0), (12, 0)))
    assert path_bounds(warp_path(line, line_through(((0, 0), (10, 0))), 0)) == pytest.approx(
        (-2, 0, 12, 0)
    )


def test_ops_are_warped_with_their_paints_groups_and_symbols() -> None:
    level = line_through(((10, 20), (40, 20)))
    stops = ((0.0, "#000000"), (1.0, "#ffffff"))
    dot = Fill(circle(1, 0, 1), Linear(0, 0, 2, 0, stops))
    glow = Fill(circle(1, 0, 1), Radial(1, 0, 1, stops))
    line = Stroke(polyline(((0, 0), (2, 0))), "#aa0000", 0.5, (0.2, 0.1))
    symbol = make_symbol((line,), (0, 0, 2, 0))
    group = Group((Use(symbol, (1, 0, 0, 1, 1, 0)),), clip=circle(1, 0, 1), opacity=0.5)
    out = warp_ops((dot, glow, group), (2, 0, 0, 2, 0, 0), level, 5)
    first, second, third = out
    assert isinstance(first, Fill)
    assert isinstance(first.paint, Linear)
    assert (first.paint.x0, first.paint.y0, first.paint.x1) == pytest.approx((15, 20, 19))
    assert path_bounds(first.path) == pytest.approx((15, 18, 19, 22))
    assert isinstance(second, Fill)
    assert isinstance(second.paint, Radial)
    assert (second.paint.x, second.paint.y, second.paint.r) == pytest.approx((17, 20, 2))
    assert isinstance(third, Group)
    assert third.opacity == 0.5
    assert path_bounds(third.clip) == pytest.approx((15, 18, 19, 22))
    (stroke,) = third.ops
    assert isinstance(stroke, Stroke)
    assert (stroke.width, *stroke.dash) == pytest.approx((1, 0.4, 0.2))
    assert path_bounds(stroke.path) == pytest.approx((17, 20, 21, 20))


def test_a_word_cannot_bend_and_is_turned_instead() -> None:
    word = Word(0, 0, "sans", 8, "#000000", "IN")
    (group,) = warp_ops((word,), IDENTITY, line_through(((5, 5), (5, 40))), 10)
    assert isinstance(group, Group)
    assert group.ops == (word,)
    assert group.matrix == pytest.approx((0, 1, -1, 0, 5, 15))


def test_a_line_is_drawn_casing_core_shine() -> None:
    style = LineStyle(1.6, "#c99a2e", (), "butt", "#6b4d0e", 2.2, "#f0cf7a", 0.3, (1, 1))
    pieces = cut(line_through(((0, 0), (20, 0))), [(8, 12)])
    ops = line_ops(pieces, style)
    assert [(op.color, op.width, op.dash) for op in ops if isinstance(op, Stroke)] == [
        ("#6b4d0e", 2.2, ()),
        ("#c99a2e", 1.6, ()),
        ("#f0cf7a", 0.3, (1, 1)),
    ]
    assert all(isinstance(op, Stroke) and op.path[2][0] == "M" for op in ops)
    assert line_ops((), style) == ()
    assert len(line_ops(pieces, LineStyle(1, "#000000"))) == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_wires_cross_as_seldom_as_they_can_well_apart_and_steeply(order: tuple[int, ...]) -> None:
    solved = solve(card(order))
    swaps = sum(order[i] > order[j] for i, j in combinations(range(3), 2))
    assert len(solved.crossings) == swaps
    for one, two in combinations(solved.crossings, 2):
        assert far(one.point, two.point) >= 12
    for crossing in solved.crossings:
        assert angle_at(solved, crossing) >= 55
        for index in (crossing.upper, crossing.lower):
            curve = solved.curves[index]
            assert min(far(crossing.point, curve.start), far(crossing.point, curve.end)) >= 9


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_no_wire_is_cut_twice_on_a_card_of_three(order: tuple[int, ...]) -> None:
    lowers = [crossing.lower for crossing in solve(card(order)).crossings]
    assert len(set(lowers)) == len(lowers)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_only_the_lower_wire_is_cut_and_it_shows_air(order: tuple[int, ...]) -> None:
    solved = solve(card(order))
    spacing = Spacing()
    for index in range(3):
        below = sum(crossing.lower == index for crossing in solved.crossings)
        assert len(solved.pieces(index)) == 1 + below
    for crossing in solved.crossings:
        for piece in solved.pieces(crossing.lower):
            for end in (piece.start, piece.end):
                over = spot(solved.curves[crossing.upper], crossing.upper_at)
                if far(end, crossing.point) < 6:
                    across = abs(
                        (end[0] - over.point[0]) * over.tangent[1]
                        - (end[1] - over.point[1]) * over.tangent[0]
                    )
                    assert across >= spacing.bridge_width / 2 + spacing.air - 0.1


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("wire", range(3))
def test_every_part_finds_a_free_place_and_so_does_its_badge(
    order: tuple[int, ...], wire: int
) -> None:
    solved = solve(card(order, (wire,)))
    (part,) = solved.parts
    curve = solved.curves[wire]
    assert part.crowded == 0
    assert part.point == pytest.approx(spot(curve, part.at).point)
    others = [c for index, c in enumerate(solved.curves) if index != wire]
    body = [s.point for s in sample(part_of(curve, part.at - PART / 2, part.at + PART / 2), 1)]
    assert all(far(p, s.point) > 3.5 for p in body for c in others for s in sample(c, 1))
    assert all(far(part.badge, s.point) > 2.6 + 0.9 for c in others for s in sample(c, 1))
    assert all(far(part.badge, p) > 2.6 + 2.0 for p in body)
    if order != (2, 1, 0) or wire != 1:
        assert part.point[0] < LEFT + (RIGHT - LEFT) * 0.4
    pieces = solved.pieces(wire)
    assert sum(p.length for p in solved.pieces(wire, through_parts=True)) == pytest.approx(
        sum(p.length for p in pieces) + PART, abs=0.01
    )


def test_the_same_wires_bend_alike_whatever_parts_they_carry() -> None:
    plain = solve(card((1, 2, 0)))
    assert all(solve(card((1, 2, 0), (i,))).curves == plain.curves for i in range(3))


def test_two_parts_on_one_wire_keep_apart() -> None:
    wire = Wire((LEFT, 40.0), (RIGHT, 40.0), 2.2, (PART, PART))
    one, two = solve((wire,)).parts
    assert abs(one.at - two.at) >= PART + 1
    assert one.crowded == two.crowded == 0


def test_a_part_without_room_says_how_much_it_lacks() -> None:
    (part,) = solve((Wire((0, 0), (12, 0), 2.2, (PART,)),)).parts
    assert part.crowded > 5


@pytest.mark.parametrize("count", [2, 4, 5, 6])
def test_more_wires_are_solved_too(count: int) -> None:
    wires = tuple(
        Wire((LEFT, 12.0 * i), (RIGHT + 30, 12.0 * (count - 1 - i))) for i in range(count)
    )
    solved = solve(wires)
    assert len(solved.crossings) == count * (count - 1) // 2
    apart = min((far(a.point, b.point) for a, b in combinations(solved.crossings, 2)), default=99)
    assert apart > {2: 98, 4: 6, 5: 4, 6: 2}[count]
    assert max(sum(c.lower == i for c in solved.crossings) for i in range(count)) <= count // 2 + 1


def test_wires_that_share_a_contact_do_not_cross_there() -> None:
    wires = (Wire((LEFT, 20), (RIGHT, 40)), Wire((LEFT, 60), (RIGHT, 40)))
    assert solve(wires).crossings == ()


def test_wires_may_run_downwards() -> None:
    wires = tuple(
        Wire((20.0 * i, 0.0), (20.0 * (1 - i), 50.0), start_angle=90, end_angle=90)
        for i in range(2)
    )
    (crossing,) = solve(wires).crossings
    assert crossing.point == pytest.approx((10, 25), abs=2)


def angle_at(solved: Solved, crossing: Crossing) -> float:
    a = spot(solved.curves[crossing.upper], crossing.upper_at).angle
    b = spot(solved.curves[crossing.lower], crossing.lower_at).angle
    turn = abs(a - b) % 180
    return min(turn, 180 - turn)
