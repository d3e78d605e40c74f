"""The plain verbs: fill, stroke, line, polygon, circle, icon, picture, grid, track."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from kitwright.compose.boxes import Rect
from kitwright.compose.markup import TextFault
from kitwright.compose.pen import Pen
from kitwright.compose.shapes import (
    ellipse,
    mirror,
    multiply,
    polyline,
    rectangle,
    regular_polygon,
    rotation,
    scaling,
    star,
    transform_path,
    translation,
)
from kitwright.compose.text import set_text
from kitwright.model import verbs
from kitwright.model.layouts import Draw
from kitwright.model.theme import LineStyle
from kitwright.model.verbs import Grid, Line, Polygon, Track, Verb
from kitwright.ops import Fill, Group, Matrix, Op, Path, Picture, Stroke, Use
from kitwright.problems import Problem

Ops = tuple[Op, ...]
LEAST_PPI = 150
V = TypeVar("V", bound=Verb)


def _as(kind: type[V], draw: Draw) -> V:
    assert isinstance(draw.args, kind)
    return draw.args


def faded(ops: Ops, opacity: float) -> Ops:
    """Wrap ops in an opacity where it is less than one."""
    return ops if opacity >= 1 or not ops else (Group(ops, opacity=max(opacity, 0.0)),)


def fill(draw: Draw, pen: Pen) -> Ops:
    """Fill a box."""
    rect = pen.rect(draw)
    path = rectangle(*rect, pen.value(draw, "radius"))
    return faded((Fill(path, pen.paint(draw, rect)),), pen.value(draw, "opacity"))


def stroke(draw: Draw, pen: Pen) -> Ops:
    """Outline a box."""
    path = rectangle(*pen.rect(draw), pen.value(draw, "radius"))
    dash = tuple(_as(verbs.Stroke, draw).dash)
    op = Stroke(path, pen.color(draw), pen.value(draw, "width"), dash)
    return faded((op,), pen.value(draw, "opacity"))


def styled(path: Path, style: LineStyle) -> Ops:
    """Draw a path as a line style says: casing, core, shine."""
    ops: list[Op] = []
    if style.casing:
        width = style.casing_width or style.width + 0.4
        ops.append(Stroke(path, style.casing, width, (), style.cap, "round"))
    ops.append(Stroke(path, style.color, style.width, style.dash, style.cap, "round"))
    if style.shine:
        width = style.shine_width or style.width / 4
        ops.append(Stroke(path, style.shine, width, style.shine_dash, style.cap, "round"))
    return tuple(ops)


def line(draw: Draw, pen: Pen) -> Ops:
    """Draw a straight line or one through several points."""
    args = _as(Line, draw)
    if args.points:
        said = [pen.evaluate(draw, "points", p) if callable(p) else p for p in args.points]
        points = [pen.point(draw, "points", text) for text in said]
    else:
        points = [pen.point(draw, "start"), pen.point(draw, "to")]
    style = pen.line(draw)
    if args.dash:
        style = replace(style, dash=tuple(args.dash))
    if args.cap is not None:
        style = replace(style, cap=args.cap)
    return styled(polyline(points, args.closed), style)


def painted(draw: Draw, pen: Pen, path: Path, rect: Rect) -> Ops:
    """Fill and outline a path as `color`, `stroke` and `width` say."""
    ops: list[Op] = []
    if pen.value(draw, "color") is not None:
        ops.append(Fill(path, pen.paint(draw, rect)))
    if outline := pen.color(draw, "stroke"):
        ops.append(Stroke(path, outline, pen.value(draw, "width"), (), "butt", "round"))
    if not ops:
        raise pen.fault(draw.place, "missing-key", f"{draw.verb} has no color and no stroke")
    return faded(tuple(ops), pen.value(draw, "opacity"))


def polygon(draw: Draw, pen: Pen) -> Ops:
    """Draw a shape with corners."""
    args = _as(Polygon, draw)
    rect = pen.rect(draw)
    cx, cy = rect.point(0.5, 0.5)
    turn = pen.value(draw, "rotate")
    if args.points:
        corners = [
            (rect.x + _part(across, rect.w), rect.y + _part(down, rect.h))
            for across, down in args.points
        ]
        path = transform_path(polyline(corners, True), rotation(turn, cx, cy))
        return painted(draw, pen, path, rect)
    sides, r = pen.value(draw, "sides"), min(rect.w, rect.h) / 2
    if not 3 <= sides <= 100:
        raise pen.fault(draw.at("sides"), "bad-value", f"sides is {sides}; expected 3 to 100")
    inner = pen.value(draw, "star")
    path = (
        regular_polygon(cx, cy, r, sides, turn)
        if inner is None
        else star(cx, cy, r, sides, inner, turn)
    )
    return painted(draw, pen, path, rect)


def _part(share: tuple[float, str], whole: float) -> float:
    amount, unit = share
    return amount * whole / 100 if unit == "%" else amount


def circle(draw: Draw, pen: Pen) -> Ops:
    """Draw a circle or an ellipse."""
    if pen.value(draw, "box") is not None:
        rect = pen.rect(draw)
    else:
        (x, y), r = pen.point(draw, "at"), pen.value(draw, "radius")
        rect = Rect(x - r, y - r, 2 * r, 2 * r)
    path = ellipse(*rect.point(0.5, 0.5), rect.w / 2, rect.h / 2)
    return painted(draw, pen, path, rect)


def icon(draw: Draw, pen: Pen) -> Ops:
    """Draw an icon in a box or at a point."""
    found = pen.icon(draw, pen.value(draw, "name"), pen.color(draw))
    if pen.value(draw, "box") is not None:
        rect = pen.rect(draw)
        height = min(rect.h, rect.w / found.aspect)
        x, y = rect.point(0.5, 0.5)
    else:
        height = pen.value(draw, "size")
        x, y = pen.point(draw, "at")
    matrix = centred(x, y, height, found.aspect)
    if pen.value(draw, "mirror"):
        matrix = multiply(mirror(x), matrix)
    if turn := pen.value(draw, "rotate"):
        matrix = multiply(rotation(turn, x, y), matrix)
    return faded((Use(found.symbol, matrix),), pen.value(draw, "opacity"))


def centred(x: float, y: float, height: float, aspect: float) -> Matrix:
    """Return the matrix that puts a 1 mm high symbol at (x, y), this high."""
    move = translation(x - height * aspect / 2, y - height / 2)
    return multiply(move, scaling(height, height))


def picture(draw: Draw, pen: Pen) -> Ops:
    """Place a raster picture."""
    rect = pen.rect(draw)
    info = pen.materials.picture(pen.value(draw, "file"), draw.at("file"))
    if isinstance(info, Problem):
        raise pen.fault(info.place, info.code, info.message)
    pen.materials.pictures[info.hash] = info
    fit = _as(verbs.Picture, draw).fit
    scales = (rect.w / info.width_px, rect.h / info.height_px)
    if fit == "stretch":
        w, h = rect.w, rect.h
    else:
        scale = max(scales) if fit == "cover" else min(scales)
        w, h = info.width_px * scale, info.height_px * scale
    ppi = min(info.width_px / w, info.height_px / h) * 25.4
    if ppi < LEAST_PPI:
        text = f"'{info.path.name}' prints at {ppi:.0f} ppi; expected at least {LEAST_PPI}"
        place = draw.at("file")
        problem = Problem(place, "low-resolution", f"{pen.subject}: {text}", warning=True)
        pen.materials.faults.append(problem)
    x, y = rect.x + (rect.w - w) / 2, rect.y + (rect.h - h) / 2
    radius = pen.value(draw, "radius")
    op: Op = Picture(x, y, w, h, info.hash)
    if fit == "cover" or radius:
        op = Group((op,), clip=rectangle(*rect, radius))
    return faded((op,), pen.value(draw, "opacity"))


def grid(draw: Draw, pen: Pen) -> Ops:
    """Rule a box into rows and columns."""
    rect = pen.rect(draw)
    rows, columns = pen.value(draw, "rows"), pen.value(draw, "columns")
    if not (1 <= rows <= 200 and 1 <= columns <= 200):
        text = f"the grid has {rows} rows and {columns} columns; expected 1 to 200 of each"
        raise pen.fault(draw.place, "bad-value", text)
    args = _as(Grid, draw)
    path: Path = rectangle(*rect) if args.outline else ()
    left, top, right, bottom = rect.edges
    for row in range(1, rows):
        y = top + row * rect.h / rows
        path += (("M", left, y), ("L", right, y))
    for column in range(1, columns):
        x = left + column * rect.w / columns
        path += (("M", x, top), ("L", x, bottom))
    look = (pen.color(draw), pen.value(draw, "width"), tuple(args.dash))
    return (Stroke(path, *look),) if path else ()


def track(draw: Draw, pen: Pen) -> Ops:
    """Draw numbered spaces."""
    first, last, columns = (pen.value(draw, key) for key in ("first", "to", "columns"))
    count = last - first + 1
    if not (1 <= count <= 500 and 1 <= columns <= 200):
        text = f"the track runs from {first} to {last} in rows of {columns}; expected 1 to 500"
        raise pen.fault(draw.place, "bad-value", f"{text} spaces")
    ops: list[Op] = []
    for index in range(count):
        ops += _space(draw, pen, index, first + index, columns, -(-count // columns))
    return tuple(ops)


def _space(draw: Draw, pen: Pen, index: int, number: int, columns: int, rows: int) -> list[Op]:
    rect, gap = pen.rect(draw), pen.value(draw, "gap")
    row, column = divmod(index, columns)
    if _as(Track, draw).snake and row % 2:
        column = columns - 1 - column
    w, h = (rect.w - gap * (columns - 1)) / columns, (rect.h - gap * (rows - 1)) / rows
    space = Rect(rect.x + column * (w + gap), rect.y + row * (h + gap), w, h)
    path = rectangle(*space, pen.value(draw, "radius"))
    accented = pen.value(draw, "accent") is not None and number % pen.value(draw, "every") == 0
    ops: list[Op] = []
    key = "accent" if accented else "color"
    if pen.value(draw, key) is not None:
        ops.append(Fill(path, pen.paint(draw, space, key)))
    if outline := pen.color(draw, "stroke"):
        ops.append(Stroke(path, outline, pen.value(draw, "width")))
    style = pen.style(draw)
    try:
        shown = set_text(str(number), style, space, pen.materials.fonts, lambda _: None, "shrink")
    except TextFault as fault:
        raise pen.text_fault(draw, fault, "style") from None
    return [*ops, *shown.ops]
