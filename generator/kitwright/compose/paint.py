"""The verbs that hold or set other things: text, table, use, group, each; and the table of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from kitwright.compose import plain
from kitwright.compose.boxes import Rect, resolve_boxes
from kitwright.compose.markup import TextFault
from kitwright.compose.pen import DrawFault, Pen
from kitwright.compose.plain import Ops, faded
from kitwright.compose.shapes import flip, mirror, multiply, rectangle, rotation, translation
from kitwright.compose.tables import Column, TableLook, set_table
from kitwright.compose.text import set_text
from kitwright.formulas import Formula, FormulaError, compile_template, describe, show
from kitwright.model.each import split_each
from kitwright.model.late import Late
from kitwright.model.layouts import Draw
from kitwright.model.verbs import Each, Group, Table, Text, Use
from kitwright.ops import IDENTITY, Matrix, Op
from kitwright.ops import Group as GroupOp
from kitwright.problems import Problem

DEEPEST_USE = 8
MOST_ITEMS = 500


def paint_draws(
    draws: Iterable[Draw], pen: Pen, problems: list[Problem]
) -> Iterator[tuple[Draw, Ops]]:
    """Do the draws in order; one that cannot be done is noted, and the rest go on."""
    waiting = list(draws)
    while waiting:
        draw = waiting.pop(0)
        try:
            if not pen.holds(draw):
                continue
            if draw.verb == "curve":
                riders = []
                while waiting and getattr(waiting[0].args, "on", None) is not None:
                    riders.append(waiting.pop(0))
                from kitwright.compose.wires import paint_curve  # few games have curves

                ops = paint_curve(draw, riders, pen)
            else:
                ops = paint(draw, pen, problems)
            pen.materials.note_makers(draw, ops)
            yield draw, ops
        except DrawFault as fault:
            problems.append(fault.problem)


def paint(draw: Draw, pen: Pen, problems: list[Problem]) -> Ops:
    """Do one draw."""
    if draw.verb in PLAIN:
        return PLAIN[draw.verb](draw, pen)
    return HOLDING[draw.verb](draw, pen, problems)


def text(draw: Draw, pen: Pen) -> Ops:
    """Set a text in its box."""
    args = draw.args
    assert isinstance(args, Text)
    said = pen.value(draw, "text")
    if not said:
        return ()
    style = pen.style(draw)
    changes: dict[str, Any] = {}
    if color := pen.color(draw):
        changes["color"] = color
    if (size := pen.value(draw, "size")) is not None:
        changes["size_pt"] = size
    for key in ("align", "valign"):
        if (value := getattr(args, key)) is not None:
            changes[key] = value
    style = replace(style, **changes) if changes else style
    rect, name = pen.rect(draw), f"box '{pen.value(draw, 'box')}'"
    matrix, room = _turned(rect, args.rotate)
    icons = pen.inline_icons(style.color)
    try:
        ops = set_text(said, style, room, pen.materials.fonts, icons, args.overflow, name).ops
    except TextFault as fault:
        raise pen.text_fault(draw, fault) from None
    return (GroupOp(ops, matrix),) if matrix != IDENTITY else ops


def _turned(rect: Rect, degrees: int) -> tuple[Matrix, Rect]:
    """Return the box that text is set in, and the matrix that turns it into place."""
    if degrees == 0:
        return IDENTITY, rect
    cx, cy = rect.point(0.5, 0.5)
    upright = degrees in (90, 270)
    w, h = (rect.h, rect.w) if upright else (rect.w, rect.h)
    return rotation(degrees, cx, cy), Rect(cx - w / 2, cy - h / 2, w, h)


def table(draw: Draw, pen: Pen) -> Ops:
    """Draw rows of data."""
    args = draw.args
    assert isinstance(args, Table)
    rows = pen.evaluate(draw, "rows", args.rows)
    if not isinstance(rows, tuple | list | range):
        raise pen.fault(draw.at("rows"), "bad-value", f"rows is {describe(rows)}; expected a list")
    columns = [
        Column(
            show(_late(column.title, pen, draw)),
            column.width or 0.0,
            0.0 if column.width else column.share,
            column.align,
        )
        for column in args.columns
    ]
    cells = [
        [show(_late(c.text, pen.knowing(row=row, number=i), draw)) for c in args.columns]
        for i, row in enumerate(rows, 1)
    ]
    look = _table_look(draw, pen)
    try:
        icons = pen.inline_icons(look.body.color)
        rect, name = pen.rect(draw), f"box '{pen.value(draw, 'box')}'"
        return set_table(
            cells, columns, look, rect, pen.materials.fonts, icons, name, args.fill_height
        )
    except TextFault as fault:
        raise pen.text_fault(draw, fault, "box") from None


def _table_look(draw: Draw, pen: Pen) -> TableLook:
    body = pen.style(draw)
    headed = pen.value(draw, "header_style") is not None
    padding = pen.value(draw, "padding")
    return TableLook(
        pen.style(draw, "header_style") if headed else body,
        body,
        padding_x=padding,
        padding_y=padding * 0.6,
        header_fill=pen.color(draw, "header_color"),
        zebra=pen.color(draw, "stripe"),
        row_line=pen.color(draw, "line"),
        row_line_width=pen.value(draw, "line_width"),
    )


def _late(value: Any, pen: Pen, draw: Draw) -> Any:
    return pen.evaluate(draw, "columns", value) if isinstance(value, Late) else value


def use(draw: Draw, pen: Pen, problems: list[Problem]) -> Ops:
    """Draw another layout with a box as its face."""
    args = draw.args
    assert isinstance(args, Use)
    name = pen.value(draw, "layout")
    name = pen.materials.theme.replace.get(name, name)
    layout = pen.materials.layouts(name)
    if layout is None:
        text = f"layout is '{name}', which is not there or has a fault; expected a sound layout"
        raise pen.fault(draw.at("layout"), "unknown-layout", text)
    depth = pen.context.get("_depth", 0) + 1
    if depth > DEEPEST_USE:
        text = f"layouts use each other {depth} levels deep; expected at most {DEEPEST_USE}"
        raise pen.fault(draw.at("layout"), "include-cycle", text)
    given = {key: _given(value, pen, draw) for key, value in args.give.items()}
    rect = pen.rect(draw)
    if "deck" in pen.context:
        pen.materials.note_room(pen.context["deck"]["id"], name, rect)
    inner = replace(
        pen.knowing(**given, _depth=depth),
        layout=layout,
        boxes=resolve_boxes(layout, rect.w, rect.h, problems),
    )
    ops = _all(layout.draws, inner, problems)
    return (GroupOp(ops, translation(rect.x, rect.y)),) if ops else ()


def _given(value: Any, pen: Pen, draw: Draw) -> Any:
    if isinstance(value, str) and "{{" in value:
        try:
            return pen.evaluate(draw, "with", compile_template(value))
        except FormulaError as error:
            raise pen.fault(draw.at("with"), "bad-formula", str(error)) from None
    return value


def group(draw: Draw, pen: Pen, problems: list[Problem]) -> Ops:
    """Draw things together, then turn, mirror, clip or fade them."""
    args = draw.args
    assert isinstance(args, Group)
    rect = pen.rect(draw) if args.box is not None else pen.boxes.rect("face")
    ops = _all(draw.draws, pen, problems)
    if not ops:
        return ()
    x, y = rect.point(0.5, 0.5)
    matrix = IDENTITY
    if args.mirror is not None:
        matrix = mirror(x) if args.mirror == "x" else flip(y)
    if turn := pen.value(draw, "rotate"):
        matrix = multiply(rotation(turn, x, y), matrix)
    clip = rectangle(*rect, pen.value(draw, "radius")) if args.clip else ()
    if matrix != IDENTITY or clip:
        ops = (GroupOp(ops, matrix, clip),)
    return faded(ops, pen.value(draw, "opacity"))


def each(draw: Draw, pen: Pen, problems: list[Problem]) -> Ops:
    """Draw once for each item of a list."""
    args = draw.args
    assert isinstance(args, Each)
    name, formula = split_each(args.each)
    items = _items(draw, pen, formula)
    pens = [_item_pen(draw, pen, name, items, index) for index in range(len(items))]
    if args.crossings is not None:
        from kitwright.compose.wires import paint_wires

        return paint_wires(draw, pens, problems, paint)
    ops: list[Op] = []
    for item_pen in pens:
        ops.extend(_all(draw.draws, item_pen, problems))
    return tuple(ops)


def _items(draw: Draw, pen: Pen, formula: Formula) -> tuple[Any, ...]:
    items = pen.evaluate(draw, "each", formula)
    if isinstance(items, Mapping):
        items = tuple({"key": key, "value": value} for key, value in items.items())
    if not isinstance(items, tuple | list | range):
        raise pen.fault(draw.at("each"), "bad-value", f"each is {describe(items)}; expected a list")
    if len(items) > MOST_ITEMS:
        text = f"the list has {len(items)} items; expected at most {MOST_ITEMS}"
        raise pen.fault(draw.at("each"), "bad-value", text)
    return tuple(items)


def _item_pen(draw: Draw, pen: Pen, name: str, items: tuple[Any, ...], index: int) -> Pen:
    args = draw.args
    assert isinstance(args, Each)
    loop = {"index": index + 1, "first": index == 0, "last": index == len(items) - 1}
    item_pen = pen.knowing(**{name: items[index], "loop": {**loop, "length": len(items)}})
    if args.down is None and args.across is None:
        return item_pen
    key = "down" if args.down is not None else "across"
    rect = pen.rect(draw, key)
    gap = pen.value(draw, "gap")
    slots = pen.value(draw, "slots") or len(items)
    if slots < len(items):
        text = f"slots is {slots}; expected at least {len(items)}, one for each item"
        raise pen.fault(draw.at("slots"), "bad-value", text)
    if key == "down":
        h = (rect.h - gap * (slots - 1)) / slots
        cell = Rect(rect.x, rect.y + index * (h + gap), rect.w, h)
    else:
        w = (rect.w - gap * (slots - 1)) / slots
        cell = Rect(rect.x + index * (w + gap), rect.y, w, rect.h)
    if cell.w <= 0 or cell.h <= 0:
        text = f"gap is {gap:g}mm, which leaves no room for {slots} cells; expected less"
        raise pen.fault(draw.at("gap"), "bad-value", text)
    return item_pen.with_box("cell", cell)


def _all(draws: Iterable[Draw], pen: Pen, problems: list[Problem]) -> Ops:
    return tuple(op for _, ops in paint_draws(draws, pen, problems) for op in ops)


PLAIN: Mapping[str, Callable[[Draw, Pen], Ops]] = {
    "fill": plain.fill,
    "stroke": plain.stroke,
    "line": plain.line,
    "polygon": plain.polygon,
    "circle": plain.circle,
    "icon": plain.icon,
    "picture": plain.picture,
    "grid": plain.grid,
    "track": plain.track,
    "text": text,
    "table": table,
}
HOLDING: Mapping[str, Callable[[Draw, Pen, list[Problem]], Ops]] = {
    "use": use,
    "group": group,
    "each": each,
}
