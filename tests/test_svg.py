"""SVG icons: what is read, and that nothing which cannot be drawn passes in silence."""

from __future__ import annotations

from math import hypot

import pytest

from kitwright.load.svg import read_svg
from kitwright.model.geometry import Path, end_of, path_bounds, transform_path
from kitwright.model.svg import Svg, SvgGradient, SvgGroup, SvgShape
from kitwright.problems import InvalidInputError


def icon(body: str, view: str = "0 0 24 24") -> Svg:
    return read_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{body}</svg>')


def shapes(body: str) -> tuple[SvgShape, ...]:
    return tuple(item for item in icon(body).items if isinstance(item, SvgShape))


def path_of(data: str) -> Path:
    (shape,) = shapes(f'<path d="{data}"/>')
    return shape.path


def faults(text: str) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        read_svg(text, "icons/coil.svg")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ("M1 2L3 4", (("M", 1, 2), ("L", 3, 4))),
        ("m1,2 3,4 5,6z", (("M", 1, 2), ("L", 4, 6), ("L", 9, 12), ("Z",))),
        ("M1 2 3 4", (("M", 1, 2), ("L", 3, 4))),
        ("M1 2H5V7h-1v-1", (("M", 1, 2), ("L", 5, 2), ("L", 5, 7), ("L", 4, 7), ("L", 4, 6))),
        ("M0 0C1 2 3 4 5 6", (("M", 0, 0), ("C", 1, 2, 3, 4, 5, 6))),
        ("M1 1c1 2 3 4 5 6", (("M", 1, 1), ("C", 2, 3, 4, 5, 6, 7))),
        (
            "M0 0C1 2 3 4 5 6S9 8 10 6",
            (("M", 0, 0), ("C", 1, 2, 3, 4, 5, 6), ("C", 7, 8, 9, 8, 10, 6)),
        ),
        ("M0 0S9 8 10 6", (("M", 0, 0), ("C", 0, 0, 9, 8, 10, 6))),
        ("M0 0Q3 3 6 0T12 0", (("M", 0, 0), ("C", 2, 2, 4, 2, 6, 0), ("C", 8, -2, 10, -2, 12, 0))),
        ("M1 1h2zl1 1", (("M", 1, 1), ("L", 3, 1), ("Z",), ("M", 1, 1), ("L", 2, 2))),
        ("M.5.5-1-1", (("M", 0.5, 0.5), ("L", -1, -1))),
        ("M1e1 2E-1", (("M", 10, 0.2),)),
        ("M0 0A0 5 0 0 1 9 9", (("M", 0, 0), ("L", 9, 9))),
    ],
)
def test_every_path_command_is_read(data: str, path: Path) -> None:
    assert path_of(data) == path


def test_an_arc_stays_on_its_circle_even_with_touching_flags() -> None:
    path = path_of("M10 5a5 5 0 11-5-5")
    assert path[-1][0] == "C"
    assert path_bounds(path) == pytest.approx((0, 0, 10, 10), abs=0.01)
    for segment in path[1:]:
        x, y = end_of(segment)
        assert hypot(x - 5, y - 5) == pytest.approx(5)
    assert end_of(path_of("M0 0A1 1 0 0 1 10 0")[-1]) == pytest.approx((10, 0))


def test_plain_shapes_become_paths() -> None:
    rect, square, round_one, oval, line, lines, corners = shapes(
        '<rect x="1" y="2" width="10" height="6" rx="2"/><rect width="4" height="4"/>'
        '<circle cx="5" cy="5" r="5"/><ellipse cx="5" cy="5" rx="4" ry="2"/>'
        '<line x1="1" y1="1" x2="9" y2="1"/><polyline points="1,1 2,2 3 1"/>'
        '<polygon points="1,1 2,2 3-1"/>'
    )
    assert path_bounds(rect.path) == (1, 2, 11, 8)
    assert sum(segment[0] == "C" for segment in rect.path) == 4
    assert len(square.path) == 5
    assert path_bounds(round_one.path) == (0, 0, 10, 10)
    assert path_bounds(oval.path) == (1, 3, 9, 7)
    assert list(line.path) == [("M", 1, 1), ("L", 9, 1)]
    assert list(lines.path) == [("M", 1, 1), ("L", 2, 2), ("L", 3, 1)]
    assert list(corners.path) == [("M", 1, 1), ("L", 2, 2), ("L", 3, -1), ("Z",)]


def test_shapes_without_extent_are_left_out() -> None:
    assert shapes('<rect width="0" height="4"/><circle r="0"/><path d=""/><polygon/>') == ()


def test_paints_are_inherited_and_style_wins() -> None:
    (shape,) = shapes(
        '<g fill="#abc" stroke="currentColor" stroke-width="2"><g stroke-linecap="round">'
        '<path d="M0 0h9" stroke="red" style="stroke: var(--copper, #b87333); fill-rule:evenodd"'
        ' stroke-dasharray="1 2 3"/></g></g>'
    )
    assert shape == SvgShape(
        (("M", 0, 0), ("L", 9, 0)),
        fill="#aabbcc",
        even_odd=True,
        stroke="var(--copper)",
        stroke_width=2,
        dash=(1, 2, 3, 1, 2, 3),
        cap="round",
    )


def test_colours_may_be_left_to_the_theme() -> None:
    paints = ["#a1B2c3", "none", "currentColor", "var(--brass)", "teal"]
    found = shapes("".join(f'<path d="M0 0h1" fill="{paint}"/>' for paint in paints))
    assert [shape.fill for shape in found] == [
        "#a1b2c3",
        "none",
        "currentColor",
        "var(--brass)",
        "#008080",
    ]


@pytest.mark.parametrize(
    ("transform", "end"),
    [
        ("translate(3)", (4, 2)),
        ("translate(3,4)", (4, 6)),
        ("scale(2)", (2, 4)),
        ("scale(2 -1)", (2, -2)),
        ("rotate(90)", (-2, 1)),
        ("rotate(180 5 5)", (9, 8)),
        ("skewX(45)", (3, 2)),
        ("skewY(45)", (1, 3)),
        ("matrix(1 0 0 1 7 8)", (8, 10)),
        ("translate(10) scale(2)", (12, 4)),
    ],
)
def test_every_transform_is_read(transform: str, end: tuple[float, float]) -> None:
    (shape,) = shapes(f'<path d="M0 0L1 2" transform="{transform}"/>')
    assert transform_path(shape.path, shape.matrix)[-1][1:] == pytest.approx(end)


def test_transforms_of_groups_are_multiplied() -> None:
    (shape,) = shapes(
        '<g transform="translate(10,0)"><g transform="scale(2)"><path d="M1 1h1"/></g></g>'
    )
    assert transform_path(shape.path, shape.matrix) == (("M", 12, 2), ("L", 14, 2))


def test_opacity_belongs_to_the_whole_group() -> None:
    (group,) = icon('<g opacity=".5"><path d="M0 0h9"/><path d="M0 0v9" opacity="25%"/></g>').items
    assert isinstance(group, SvgGroup)
    inner = group.items[1]
    assert isinstance(inner, SvgGroup)
    assert (group.opacity, len(group.items), inner.opacity) == (0.5, 2, 0.25)


def test_gradients_may_be_defined_after_their_use() -> None:
    (shape,) = shapes(
        '<circle r="4" fill="url(#glow)"/><defs><radialGradient id="glow" cx="50%" cy=".4" r="1">'
        '<stop offset="0" stop-color="#fff"/><stop offset="100%" style="stop-color:var(--dark)"/>'
        "</radialGradient></defs>"
    )
    assert shape.fill == SvgGradient(
        "radial", (0.5, 0.4, 1), ((0, "#ffffff"), (1, "var(--dark)")), boxed=True
    )


def test_a_size_stands_in_for_the_view_box() -> None:
    svg = read_svg('<svg xmlns="http://www.w3.org/2000/svg" width="20px" height="10"></svg>')
    assert svg.view == (0, 0, 20, 10)


def test_what_drawing_programs_note_for_themselves_is_passed_over() -> None:
    svg = read_svg(
        '<?xml version="1.0" encoding="UTF-16"?>\n<svg xmlns="http://www.w3.org/2000/svg"'
        ' xmlns:i="http://example.org/i" viewBox="0 0 9 9" i:zoom="3" data-x="1" class="k">'
        "<title>t</title><desc>d</desc><metadata><i:x/></metadata><i:view/>"
        '<path d="M0 0h1" i:kind="star" aria-label="x"/></svg>'
    )
    assert len(svg.items) == 1


NAMES = (
    "filter mask pattern text image use symbol style script clipPath marker a switch svg "
    "foreignObject animate"
)


@pytest.mark.parametrize("name", NAMES.split())
def test_an_element_that_cannot_be_drawn_is_named_with_its_line(name: str) -> None:
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n <g>\n  <{name}/></g></svg>'
    )
    in_defs = text.replace("<g>", "<defs>").replace("</g>", "</defs>")
    message = (
        f"icons/coil.svg:3:3: <{name}> cannot be drawn; expected one of svg, g, path, rect, "
        "circle, ellipse, line, polyline, polygon, defs, linearGradient, radialGradient, stop, "
        "title, desc; turn it into plain paths [svg-unsupported]"
    )
    assert faults(text) == [message]
    assert faults(in_defs) == [message]


def test_an_attribute_that_cannot_be_drawn_is_refused() -> None:
    text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g filter="url(#f)"/></svg>'
    assert faults(text) == [
        "icons/coil.svg:1:59: <g> has 'filter', which cannot be drawn; expected one of class, "
        "fill, fill-opacity, fill-rule, id, opacity, role, stroke, stroke-dasharray, "
        "stroke-linecap, stroke-linejoin, stroke-miterlimit, stroke-opacity, stroke-width, "
        "style, transform; did you mean 'fill'? [svg-unsupported]"
    ]


def test_all_faults_of_a_file_are_shown_at_once() -> None:
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9">\n'
        '<path d="M0 0 L1"/>\n'
        '<path d="L1 1"/>\n'
        '<path d="M0 0 1 1 Z 5"/>\n'
        '<rect width="-3" height="1mm" fill="tomatoe"/>\n'
        '<circle r="1" fill="url(#glw)" stroke-linecap="rond"/>\n'
        '<path d="M0 0h1" opacity="7" transform="turn(3)"/>\n'
        '<path d="M0 0h1e999" stroke="url(#glow)"/>\n'
        '<path d="M0 0h1" transform="scale(0)"/>\n'
        '<linearGradient id="glow"><stop/></linearGradient>\n'
        '<polygon points="1 2 3"/>\n'
        "</svg>"
    )
    assert faults(text) == [
        "icons/coil.svg:1:1: viewBox is '0 0 9'; expected left, top, width and height, such as "
        "'0 0 24 24' [bad-svg]",
        "icons/coil.svg:2:1: d is 'M0 0 L1'; expected a number at character 8 [bad-svg]",
        "icons/coil.svg:3:1: d is 'L1 1'; expected path data that begins with M [bad-svg]",
        "icons/coil.svg:4:1: d is 'M0 0 1 1 Z 5'; expected a path command at character 12"
        " [bad-svg]",
        "icons/coil.svg:5:1: fill is 'tomatoe'; expected #rrggbb, none, currentColor, "
        "var(--name) or a basic colour name [bad-svg]",
        "icons/coil.svg:5:1: height is '1mm'; expected a plain number [bad-svg]",
        "icons/coil.svg:5:1: width is '-3'; expected 0 or more [bad-svg]",
        "icons/coil.svg:6:1: fill is 'url(#glw)'; expected the id of a gradient in <defs>"
        " [bad-svg]",
        "icons/coil.svg:6:1: stroke-linecap is 'rond'; expected one of butt, round, square; "
        "did you mean 'round'? [bad-svg]",
        "icons/coil.svg:7:1: opacity is '7'; expected 0 to 1 [bad-svg]",
        "icons/coil.svg:7:1: transform is 'turn(3)'; expected matrix, translate, scale, rotate, "
        "skewX or skewY with their numbers [bad-svg]",
        "icons/coil.svg:8:1: d is 'M0 0h1e999'; expected a number at character 6 [bad-svg]",
        "icons/coil.svg:8:1: stroke is 'url(#glow)'; expected #rrggbb, none, currentColor, "
        "var(--name) or a basic colour name [bad-svg]",
        "icons/coil.svg:9:1: transform is 'scale(0)'; expected a transform that does not "
        "flatten the drawing [bad-svg]",
        "icons/coil.svg:10:1: <linearGradient> has 1 stops; expected 2 or more [bad-svg]",
        "icons/coil.svg:11:1: points has an odd count of numbers; expected pairs of x and y"
        " [bad-svg]",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<svg>&b;</svg>',
            "icons/coil.svg:1:15: a document type (<!DOCTYPE …>) is there; expected the <svg> "
            "element alone; delete that line [bad-svg]",
        ),
        (
            "<svg>\n<g>\n</svg>",
            "icons/coil.svg:3:3: the file is not well-formed XML (mismatched tag); expected an "
            "SVG drawing [bad-svg]",
        ),
        (
            "",
            "icons/coil.svg:1:1: the file is not well-formed XML (no element found); expected "
            "an SVG drawing [bad-svg]",
        ),
        ("<html/>", "icons/coil.svg:1:1: the file holds <html>; expected <svg> [bad-svg]"),
        (
            "<svg>&big;</svg>",
            "icons/coil.svg:1:6: the file is not well-formed XML (undefined entity); expected "
            "an SVG drawing [bad-svg]",
        ),
    ],
)
def test_a_file_that_is_no_drawing_is_refused(text: str, message: str) -> None:
    assert faults(text) == [message]


def test_depth_without_end_is_refused() -> None:
    assert faults("<svg>" + "<g>" * 30000) == [
        "icons/coil.svg:1:195: elements nest more than 64 deep; expected a flatter drawing"
        " [bad-svg]"
    ]
