"""The draws of a layout against theme, icons, boxes and data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from kitwright.formulas import Formula, FormulaError, compile_template, is_template
from kitwright.model.each import split_each
from kitwright.model.late import Late
from kitwright.model.layouts import Box, Draw, Layout
from kitwright.model.spots import anchor_fault, box_fault, split_point
from kitwright.model.svg import Svg
from kitwright.model.theme import Theme
from kitwright.model.verbs import Column, Curve, Each, Icon, Line, Table, Text, Use
from kitwright.problems import Place, Problem, did_you_mean
from kitwright.validate.boxes import check_boxes
from kitwright.validate.lookups import Scope

DEEPEST = 8  # layouts that use each other
GRADIENT_KEYS = {
    ("fill", "color"),
    ("polygon", "color"),
    ("circle", "color"),
    ("track", "color"),
    ("track", "accent"),
}
COLOR_KEYS = ("color", "stroke", "accent", "header_color", "stripe", "line")
BOX_KEYS = ("box", "down", "across")
POINT_KEYS = ("start", "to", "at", "points")
STYLE_KEYS = ("style", "header_style")


class _At(Struct, frozen=True):
    """Where a draw stands: the boxes and the names in its reach."""

    boxes: Mapping[str, Box]
    extra: tuple[str, ...]
    scope: Scope
    depth: int = 0


class DrawChecker(Struct):
    """Checks layouts, and those that they use."""

    theme: Theme
    layouts: Callable[[str], Layout | None]
    icons: Mapping[str, Svg]
    problems: list[Problem] = field(default_factory=list)

    def check_layout(self, layout: Layout, scope: Scope, depth: int = 0) -> None:
        """Check the boxes and all draws of a layout."""
        self.problems.extend(check_boxes(layout))
        self._check_all(layout.draws, _At(layout.boxes, (), scope, depth))

    def _note(self, place: Place, code: str, text: str, warning: bool = False) -> None:
        self.problems.append(Problem(place, code, text, warning))

    def _check_all(self, draws: Sequence[Draw], at: _At, solved: bool = False) -> None:
        """Check a list of draws; in one whose curves are solved together any order will do."""
        curve = part = False
        for draw in draws:
            on = draw.args.on if isinstance(draw.args, Icon) else None
            if draw.verb == "curve":
                curve, part = True, False
            elif on is None:
                curve = curve and solved
            if on == "curve" and not curve:
                text = "the icon is on a curve; expected a curve just before it"
                self._note(draw.at("on"), "bad-order", text)
            elif on == "part" and not part:
                text = "the icon is beside a part; expected an icon with 'on: curve' before it"
                self._note(draw.at("on"), "bad-order", text)
            part = part or on == "curve"
            self._check(draw, at)

    def _check(self, draw: Draw, at: _At) -> None:
        when = draw.args.when
        if isinstance(when, Formula):
            self._lookups(draw, "when", [when], at.scope)
            if at.scope.never(when):
                return
            at = replace(at, scope=at.scope.guarding(when))
        for name, info in type(draw.args).model_fields.items():
            if name != "when":
                key = info.alias or name
                self._value(draw, name, key, getattr(draw.args, name), at)
        self._own(draw, at)

    def _value(self, draw: Draw, name: str, key: str, value: Any, at: _At) -> None:
        """Check one key: a name against what is there, an expression against what it may see."""
        if isinstance(value, Late):
            self._lookups(draw, key, value.template.formulas, at.scope)
        elif isinstance(value, Formula):
            self._lookups(draw, key, [value], at.scope)
        elif isinstance(value, str):
            self._constant(draw, name, key, value, at)
        elif name == "points" and draw.verb == "line":
            for point in value:
                self._value(draw, name, key, point, at)

    def _constant(self, draw: Draw, name: str, key: str, value: str, at: _At) -> None:
        place = draw.at(key)
        if name in COLOR_KEYS:
            self._color(place, value, (draw.verb, name) in GRADIENT_KEYS)
        elif name in BOX_KEYS:
            if fault := box_fault(at.boxes, value, at.extra):
                self._note(place, "unknown-box", fault)
        elif name in POINT_KEYS:
            fault = box_fault(at.boxes, split_point(value)[0], at.extra) or anchor_fault(value)
            if fault:
                self._note(place, "unknown-box", fault)
        elif name in STYLE_KEYS:
            lines = isinstance(draw.args, Line | Curve)
            self._known(place, "line style" if lines else "text style", value)
        elif (draw.verb, name) in (("icon", "name"), ("each", "sleeve")):
            self._known(place, "icon", value)

    def _color(self, place: Place, value: str, gradients: bool) -> None:
        if value.startswith("#") or value in self.theme.colors:
            return
        if value in self.theme.gradients:
            if not gradients:
                text = f"'{value}' is a gradient; expected a colour here"
                self._note(place, "unknown-color", text)
            return
        known = [*self.theme.colors, *(self.theme.gradients if gradients else ())]
        text = f"the colour '{value}' is not there; expected a colour of the theme"
        self._note(place, "unknown-color", text + did_you_mean(value, known))

    def _known(self, place: Place, what: str, value: str) -> None:
        among, code, whose = {
            "icon": (self.icons, "unknown-icon", "the name of an icon's file"),
            "line style": (self.theme.lines, "unknown-style", "a line style of the theme"),
            "text style": (self.theme.styles, "unknown-style", "a text style of the theme"),
        }[what]
        if value not in among:
            text = f"the {what} '{value}' is not there; expected {whose}"
            self._note(place, code, text + did_you_mean(value, among))

    def _lookups(self, draw: Draw, key: str, formulas: Iterable[Formula], scope: Scope) -> None:
        for formula in formulas:
            for fault in scope.faults(formula):
                self._note(draw.at(key), "bad-formula", f"{key}: {fault}")

    def _own(self, draw: Draw, at: _At) -> None:
        """Check what only one verb has, and the draws inside it."""
        args = draw.args
        if isinstance(args, Line | Curve) and args.style is None and args.color is None:
            text = f"the {draw.verb} has no look; expected style or color"
            self._note(draw.place, "missing-key", text)
        elif isinstance(args, Text):
            self._shrinking(draw, args)
        elif isinstance(args, Table):
            for column in args.columns:
                self._column(draw, column, at.scope)
        elif isinstance(args, Use):
            self._use(draw, args, at)
        elif isinstance(args, Each):
            self._each(draw, args, at)
        elif draw.draws:
            self._check_all(draw.draws, at)

    def _shrinking(self, draw: Draw, args: Text) -> None:
        style = self.theme.styles.get(args.style) if isinstance(args.style, str) else None
        if args.overflow == "shrink" and style is not None and not style.least_pt:
            text = f"overflow is 'shrink' but the style '{args.style}' has no least size"
            text += "; expected 'least' in the style, or 'overflow: error'"
            self._note(draw.at("overflow"), "never-shrinks", text, warning=True)

    def _column(self, draw: Draw, column: Column, scope: Scope) -> None:
        if isinstance(column.title, Late):
            self._lookups(draw, "columns", column.title.template.formulas, scope)
        if isinstance(column.text, Late):
            inner = scope.knowing("row", "number")
            self._lookups(draw, "columns", column.text.template.formulas, inner)

    def _use(self, draw: Draw, args: Use, at: _At) -> None:
        for value in args.give.values():
            if isinstance(value, str) and is_template(value):
                try:
                    formulas = compile_template(value).formulas
                except FormulaError as error:
                    self._note(draw.at("with"), "bad-formula", f"with: {error}")
                else:
                    self._lookups(draw, "with", formulas, at.scope)
        if isinstance(args.layout, str) and at.depth < DEEPEST:
            layout = self.layouts(self.theme.replace.get(args.layout, args.layout))
            if layout is not None:
                self.check_layout(layout, at.scope.knowing(*args.give), at.depth + 1)

    def _each(self, draw: Draw, args: Each, at: _At) -> None:
        name, formula = split_each(args.each)
        self._lookups(draw, "each", [formula], at.scope)
        inner = replace(at, scope=at.scope.knowing(name, "loop"))
        if args.down is not None or args.across is not None:
            inner = replace(inner, extra=(*at.extra, "cell"))
        self._check_all(draw.draws, inner, args.crossings is not None)
