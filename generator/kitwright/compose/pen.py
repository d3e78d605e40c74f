"""What a verb needs to draw: the values of its keys, boxes, colours, styles and icons.

Every look-up that fails becomes a Problem at the place of the key that asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from kitwright.compose.boxes import Boxes, BoxFault, Rect
from kitwright.compose.markup import TextFault
from kitwright.compose.shapes import UnknownColors, gradient_over, icon_symbol
from kitwright.compose.words import InlineIcon
from kitwright.fonts import Fonts
from kitwright.formulas import FormulaError
from kitwright.model.late import Late
from kitwright.model.layouts import Draw, Layout
from kitwright.model.picture import PictureInfo
from kitwright.model.svg import Svg
from kitwright.model.theme import LineStyle, TextStyle, Theme
from kitwright.ops import Op, Paint, Symbol
from kitwright.problems import Place, Problem, did_you_mean


class DrawFault(Exception):  # noqa: N818  # the designer's fault, not the program's
    """A draw that cannot be done, as a Problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class Icon(Struct, frozen=True):
    """An icon dressed for a theme, in a box 1 mm high."""

    symbol: Symbol
    aspect: float  # width / height


Dressed = dict[tuple[str, str], Icon | UnknownColors]  # by name and tint
Makers = dict[int, tuple[Op, list[Draw]]]


class Materials(Struct):
    """All that faces of one game and theme are made of."""

    theme: Theme
    fonts: Fonts
    icons: Mapping[str, Svg]
    layouts: Callable[[str], Layout | None]
    picture: Callable[[str, Place], PictureInfo | Problem]
    dressed: Dressed = field(default_factory=dict)
    bent: dict[tuple[Any, ...], tuple[Op, ...]] = field(default_factory=dict)  # along curves
    pictures: dict[str, PictureInfo] = field(default_factory=dict)  # by content hash
    faults: list[Problem] = field(default_factory=list)
    rooms: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)  # the names of icons that were asked for
    makers: Makers | None = None  # filled where it is asked for: which draws made an op

    def note_makers(self, draw: Draw, ops: Iterable[Op]) -> None:
        """Remember which draw made some ops; what holds it comes after it."""
        if self.makers is not None:
            for op in ops:
                # The op is kept with its draws, or another could come to have its number.
                self.makers.setdefault(id(op), (op, []))[1].append(draw)

    def note_room(self, deck: str, fragment: str, rect: Rect) -> None:
        """Remember the least width and height in which a deck uses a fragment."""
        known = self.rooms.setdefault(deck, {})
        w, h = known.get(fragment, (rect.w, rect.h))
        known[fragment] = min(w, rect.w), min(h, rect.h)

    def icon(self, name: str, tint: str) -> Icon | UnknownColors | None:
        """Dress an icon once for each tint; None when there is no such icon."""
        key = (name, tint)
        if key not in self.dressed:
            svg = self.icons.get(name)
            if svg is None:
                return None
            symbol = icon_symbol(svg, tint, self.theme.colors)
            _, _, w, h = svg.view
            self.dressed[key] = symbol if isinstance(symbol, UnknownColors) else Icon(symbol, w / h)
        self.shown.add(name)
        return self.dressed[key]


class Pen(Struct, frozen=True):
    """A hand that draws one face: it knows the card, the boxes and the materials."""

    materials: Materials
    layout: Layout
    boxes: Boxes
    context: Mapping[str, Any]
    subject: str  # "card 'urchin-garden'", or the layout's name when all cards share the draw

    def knowing(self, **names: Any) -> Pen:
        """Return a pen whose expressions know more names."""
        return replace(self, context={**self.context, **names})

    def with_box(self, name: str, rect: Rect) -> Pen:
        """Return a pen that knows one more box."""
        return replace(self, boxes=self.boxes.with_cell(name, rect))

    def fault(self, place: Place, code: str, text: str) -> DrawFault:
        """Make the fault of a draw, naming the card it was drawn for."""
        return DrawFault(Problem(place, code, f"{self.subject}: {text}"))

    def holds(self, draw: Draw) -> bool:
        """Tell whether the draw's `when` holds."""
        when = draw.args.when
        return True if when is None else bool(self.evaluate(draw, "when", when))

    def evaluate(self, draw: Draw, key: str, formula: Callable[[Mapping[str, Any]], Any]) -> Any:
        """Return the value of an expression or template at `key`."""
        try:
            return formula(self.context)
        except FormulaError as error:
            raise self.fault(draw.at(key), "bad-formula", f"{key}: {error}") from None
        except ValueError as error:
            raise self.fault(draw.at(key), "bad-value", f"{key} {error}") from None

    def value(self, draw: Draw, key: str) -> Any:
        """Return the value of a key, its template filled in."""
        said = getattr(draw.args, key)
        return self.evaluate(draw, _yaml_key(key), said) if isinstance(said, Late) else said

    def rect(self, draw: Draw, key: str = "box") -> Rect:
        """Return the box that a key names, shrunk by the draw's inset."""
        name = self.value(draw, key)
        try:
            rect = self.boxes.rect(name)
        except BoxFault as fault:
            raise self.fault(draw.at(key), "unknown-box", str(fault)) from None
        inset = self.value(draw, "inset") if "inset" in type(draw.args).model_fields else 0.0
        shrunk = rect.inset(inset) if inset else rect
        if shrunk.w <= 0 or shrunk.h <= 0:
            text = f"inset is {inset:g}mm, which leaves nothing of box '{name}'; expected less"
            raise self.fault(draw.at("inset"), "bad-value", text)
        return shrunk

    def point(self, draw: Draw, key: str, text: str | None = None) -> tuple[float, float]:
        """Return the point that a key names."""
        said = self.value(draw, key) if text is None else text
        try:
            return self.boxes.point(said)
        except BoxFault as fault:
            raise self.fault(draw.at(_yaml_key(key)), "unknown-box", str(fault)) from None

    def color(self, draw: Draw, key: str = "color") -> str:
        """Return #rrggbb for a key, or nothing where it is not given."""
        name = self.value(draw, key)
        if name is None:
            return ""
        if name.startswith("#"):
            return str(name) if len(name) == 7 else "#" + "".join(c * 2 for c in name[1:])
        colors = self.materials.theme.colors
        if name in colors:
            return colors[name]
        hint = did_you_mean(name, colors)
        text = f"the colour '{name}' is not there; expected a colour of the theme{hint}"
        if name in self.materials.theme.gradients:
            text = f"'{name}' is a gradient; expected a colour here"
        raise self.fault(draw.at(key), "unknown-color", text)

    def paint(self, draw: Draw, rect: Rect, key: str = "color") -> Paint:
        """Return a colour, or a gradient laid over `rect`."""
        name = self.value(draw, key)
        gradient = self.materials.theme.gradients.get(name) if name else None
        return gradient_over(gradient, rect.edges) if gradient else self.color(draw, key)

    def style(self, draw: Draw, key: str = "style") -> TextStyle:
        """Return the text style that a key names."""
        name = self.value(draw, key)
        styles = self.materials.theme.styles
        if name not in styles:
            hint = did_you_mean(name, styles)
            text = f"the text style '{name}' is not there; expected a text style of the theme{hint}"
            raise self.fault(draw.at(key), "unknown-style", text)
        return styles[name]

    def line(self, draw: Draw) -> LineStyle:
        """Return the line style of a draw with its own colour and width laid over it."""
        name = self.value(draw, "style")
        lines = self.materials.theme.lines
        style = LineStyle(0.3, "#000000", cap="butt")
        if name is not None:
            if name not in lines:
                hint = did_you_mean(name, lines)
                text = f"the line style '{name}' is not there; expected one of the theme{hint}"
                raise self.fault(draw.at("style"), "unknown-style", text)
            style = lines[name]
        color, width = self.color(draw), self.value(draw, "width")
        if name is None and not color:
            raise self.fault(draw.place, "missing-key", "expected a style or a color")
        style = replace(style, color=color) if color else style
        return replace(style, width=width) if width is not None else style

    def icon(self, draw: Draw, name: str, tint: str, key: str = "name") -> Icon:
        """Return an icon dressed in a tint."""
        found = self.materials.icon(name, tint or "#000000")
        if isinstance(found, Icon):
            return found
        if found is None:
            hint = did_you_mean(name, self.materials.icons)
            text = f"the icon '{name}' is not there; expected the name of an icon's file{hint}"
            raise self.fault(draw.at(key), "unknown-icon", text)
        missing = ", ".join(f"'{each}'" for each in found.names)
        text = f"the icon '{name}' asks for the colour {missing}; expected it in the theme"
        raise self.fault(draw.at(key), "unknown-color", text)

    def inline_icons(self, tint: str) -> Callable[[str], InlineIcon | None]:
        """Return the look-up of icons among words."""

        def find(name: str) -> InlineIcon | None:
            found = self.materials.icon(name, tint)
            if not isinstance(found, Icon):
                return None
            return InlineIcon(found.symbol, width=found.aspect)

        return find

    def text_fault(self, draw: Draw, fault: TextFault, key: str = "text") -> DrawFault:
        """Place a fault of a text: at the card's own field where that is what was shown."""
        text = fault.message
        if fault.code == "unknown-icon":
            text += "; expected the name of an icon's file"
            text += did_you_mean(fault.subject, self.materials.icons)
        place = self.source_place(draw, key)
        if fault.code == "text-overflow":
            place = draw.at(key)
        elif fault.code == "unknown-language":  # the style's fault, whatever the text
            place = draw.at("style")
        return DrawFault(Problem(place, fault.code, f"the text of {self.subject} {text}"))

    def source_place(self, draw: Draw, key: str) -> Place:
        """Return where the words come from: the card's field, when only one is looked up."""
        said = getattr(draw.args, key, None)
        places: Mapping[str, Place] = self.context.get("_places", {})
        if isinstance(said, Late):
            for name, place in places.items():
                if f"card.{name}" in said.template.source:
                    return place
        return draw.at(key)


def _yaml_key(key: str) -> str:
    return {"start": "from", "first": "from", "give": "with"}.get(key, key)
