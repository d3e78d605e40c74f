"""Outlines, gradients and icons as ops."""

from __future__ import annotations

from math import hypot

import pytest

from kitwright.compose.shapes import (
    UnknownColors,
    apply,
    circle,
    flip,
    gradient_over,
    icon_symbol,
    invert,
    mirror,
    multiply,
    path_bounds,
    pill,
    rectangle,
    regular_polygon,
    rotation,
    scaling,
    star,
    transform_path,
    translation,
)
from kitwright.load.svg import read_svg
from kitwright.model.theme import GradientStyle
from kitwright.ops import Fill, Group, Linear, Op, Radial, Stroke, Symbol

STOPS = ((0.0, "#000000"), (1.0, "#ffffff"))


def dress(body: str, view: str = "0 0 10 20", **more: float) -> tuple[Op, ...]:
    return symbol(body, view, **more).ops


def symbol(body: str, view: str = "0 0 10 20", **more: float) -> Symbol:
    svg = read_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{body}</svg>')
    answer = icon_symbol(svg, "#112233", {"copper": "#b87333"}, **more)
    assert isinstance(answer, Symbol)
    return answer


def test_matrices_multiply_turn_mirror_and_undo() -> None:
    turn = rotation(90, 10, 10)
    assert apply(turn, 12, 10) == (10, 12)
    assert apply(multiply(translation(1, 0), scaling(2, 2)), 3, 3) == (7, 6)
    assert apply(mirror(5), 1, 2) == (9, 2)
    assert apply(flip(5), 1, 2) == (1, 8)
    skewed = multiply(rotation(33, 1, 2), scaling(2, 5))
    assert multiply(skewed, invert(skewed)) == pytest.approx((1, 0, 0, 1, 0, 0))


def test_outlines_fill_their_boxes() -> None:
    assert path_bounds(rectangle(1, 2, 10, 4, 1)) == (1, 2, 11, 6)
    assert path_bounds(pill(0, 0, 10, 4)) == (0, 0, 10, 4)
    assert path_bounds(circle(5, 5, 2)) == (3, 3, 7, 7)
    assert path_bounds(transform_path(circle(5, 5, 2), scaling(2, 1))) == (6, 3, 14, 7)
    assert path_bounds((("M", 0, 0), ("C", 0, 4, 4, 4, 4, 0))) == (0, 0, 4, 3)
    assert path_bounds(()) == (0, 0, 0, 0)


def test_a_rounded_corner_is_never_larger_than_half_the_side() -> None:
    assert rectangle(0, 0, 10, 4, 9) == rectangle(0, 0, 10, 4, 5, 2)


def test_polygons_and_stars_stand_on_a_circle_with_a_corner_on_top() -> None:
    hexagon = regular_polygon(5, 5, 3, 6)
    assert len(hexagon) == 7
    assert hexagon[0][1:] == pytest.approx((5, 2))
    for segment in hexagon[:-1]:
        x, y = segment[1:]
        assert hypot(x - 5, y - 5) == pytest.approx(3)
    five = star(0, 0, 2, 5, 0.4)
    assert len(five) == 11
    assert [round(hypot(*segment[1:]), 3) for segment in five[:4]] == [2, 0.8, 2, 0.8]


@pytest.mark.parametrize(
    ("angle", "ends"), [(0, (0, 3, 10, 3)), (90, (5, 0, 5, 6)), (180, (10, 3, 0, 3))]
)
def test_a_linear_gradient_spans_its_box(angle: float, ends: tuple[float, ...]) -> None:
    paint = gradient_over(GradientStyle("linear", angle, STOPS), (0, 0, 10, 6))
    assert isinstance(paint, Linear)
    assert (paint.x0, paint.y0, paint.x1, paint.y1) == pytest.approx(ends)


def test_the_ends_of_a_slanting_gradient_touch_the_corners() -> None:
    paint = gradient_over(GradientStyle("linear", 30, STOPS), (0, 0, 10, 6))
    assert isinstance(paint, Linear)
    along = (paint.x1 - paint.x0, paint.y1 - paint.y0)
    size = hypot(*along)
    reach = [((x - paint.x0) * along[0] + (y - paint.y0) * along[1]) / size**2
             for x, y in ((0, 0), (10, 6))]  # fmt: skip
    assert reach == pytest.approx([0, 1])


def test_a_radial_gradient_reaches_the_corners() -> None:
    paint = gradient_over(GradientStyle("radial", 0, STOPS), (0, 0, 8, 6))
    assert paint == Radial(4, 3, 5, STOPS)


def test_an_icon_is_one_millimetre_high_and_dressed_by_the_theme() -> None:
    made = symbol(
        '<rect x="5" width="5" height="10" fill="currentColor"/>'
        '<path d="M0 10h10" stroke="var(--copper)" stroke-width="2" fill="none"'
        ' stroke-dasharray="2 4"/>'
    )
    box, line = made.ops
    assert box == Fill((("M", 0.25, 0), ("L", 0.5, 0), ("L", 0.5, 0.5), ("L", 0.25, 0.5), ("Z",)),
                       "#112233")  # fmt: skip
    assert isinstance(line, Stroke)
    assert line.color == "#b87333"
    assert (line.width, *line.dash) == pytest.approx((0.1, 0.1, 0.2))
    assert made.box == pytest.approx((-0.15, 0, 0.65, 1))


def test_a_view_box_that_begins_elsewhere_is_moved() -> None:
    (op,) = dress('<circle cx="100" cy="50" r="10"/>', "90 40 20 20", height=40)
    assert isinstance(op, Fill)
    assert path_bounds(op.path) == pytest.approx((0, 0, 40, 40))


def test_a_stretched_icon_keeps_its_strokes_true_through_a_matrix() -> None:
    (op,) = dress('<path d="M0 0h10" stroke="red" fill="none"/>', width=10, height=10)
    assert op == Group((Stroke((("M", 0, 0), ("L", 10, 0)), "#ff0000", 1),), (1, 0, 0, 0.5, 0, 0))


def test_opacities_become_groups() -> None:
    (group,) = dress('<g opacity=".5"><path d="M0 0h9v9z" fill-opacity=".2"/></g>')
    assert isinstance(group, Group)
    (inner,) = group.ops
    assert isinstance(inner, Group)
    assert (group.opacity, inner.opacity) == (0.5, 0.2)


def test_a_boxed_gradient_follows_the_shape() -> None:
    gradient = (
        '<linearGradient id="g" x2="0" y2="1"><stop stop-color="currentColor"/>'
        '<stop offset="1" stop-color="var(--copper)"/></linearGradient>'
    )
    shape = '<rect x="2" y="4" width="6" height="10" fill="url(#g)"/>'
    (op,) = dress(gradient + shape, height=20)
    assert isinstance(op, Fill)
    assert isinstance(op.paint, Linear)
    assert list(op.paint.stops) == [(0, "#112233"), (1, "#b87333")]
    assert (op.paint.x0, op.paint.y0, op.paint.x1, op.paint.y1) == pytest.approx((2, 4, 2, 14))


def test_a_slanted_linear_gradient_keeps_its_bands() -> None:
    gradient = (
        '<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="10" y2="0"'
        ' gradientTransform="skewX(45)"><stop/><stop offset="1"/></linearGradient>'
    )
    (op,) = dress(gradient + '<rect width="9" height="9" fill="url(#g)"/>', height=20)
    assert isinstance(op, Fill)
    assert isinstance(op.paint, Linear)
    along = (op.paint.x1, op.paint.y1)
    for x, y, share in ((10.0, 0.0, 1.0), (13.0, 3.0, 1.0), (3.0, 3.0, 0.0), (8.0, 3.0, 0.5)):
        at = (x * along[0] + y * along[1]) / (along[0] ** 2 + along[1] ** 2)
        assert at == pytest.approx(share)


def test_a_round_gradient_in_an_oblong_box_is_drawn_through_a_matrix() -> None:
    gradient = '<radialGradient id="g"><stop/><stop offset="1"/></radialGradient>'
    (op,) = dress(gradient + '<rect width="10" height="20" fill="url(#g)"/>', height=20)
    assert isinstance(op, Group)
    assert list(op.matrix) == [10, 0, 0, 20, 0, 0]
    (fill,) = op.ops
    assert isinstance(fill, Fill)
    assert path_bounds(fill.path) == (0, 0, 1, 1)
    assert isinstance(fill.paint, Radial)
    assert (fill.paint.x, fill.paint.y, fill.paint.r) == (0.5, 0.5, 0.5)
    (round_one,) = dress(gradient + '<circle cx="5" cy="5" r="5" fill="url(#g)"/>', height=20)
    assert isinstance(round_one, Fill)
    assert isinstance(round_one.paint, Radial)
    assert (round_one.paint.x, round_one.paint.y, round_one.paint.r) == pytest.approx((5, 5, 5))


def test_colours_that_the_theme_lacks_are_named() -> None:
    svg = read_svg(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g stroke="var(--zinc)">'
        '<path d="M0 0h1" fill="var(--tin)"/></g></svg>'
    )
    assert icon_symbol(svg, "#000000", {"copper": "#b87333"}) == UnknownColors(("tin", "zinc"))


def test_icons_that_differ_by_a_hair_have_different_names() -> None:
    one, two = symbol('<path d="M0 0h9"/>'), symbol('<path d="M0 0h9.01"/>')
    assert one.id != two.id
    assert one.id == symbol('<path d="M0 0h9"/>').id
