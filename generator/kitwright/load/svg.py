"""SVG icons -> model. Draws nothing and knows no theme.

Reads the part of SVG that our writer can paint and refuses all else by name
and line, so that an icon never loses a piece in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from kitwright.load.svg_syntax import (
    SvgSyntaxError,
    read_color,
    read_number,
    read_numbers,
    read_path,
    read_transform,
)
from kitwright.load.svg_tree import Node, all_nodes, parse_tree
from kitwright.model.geometry import Path, ellipse, multiply, polyline, rectangle
from kitwright.model.svg import NONE, Svg, SvgGradient, SvgGroup, SvgItem, SvgShape
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean

SHAPES: dict[str, tuple[str, ...]] = {
    "path": ("d",),
    "rect": ("x", "y", "width", "height", "rx", "ry"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
    "polyline": ("points",),
    "polygon": ("points",),
}
GRADIENTS: dict[str, tuple[str, ...]] = {
    "linearGradient": ("x1", "y1", "x2", "y2", "gradientUnits", "gradientTransform"),
    "radialGradient": ("cx", "cy", "r", "gradientUnits", "gradientTransform"),
}
ELEMENTS = ("svg", "g", *SHAPES, "defs", *GRADIENTS, "stop", "title", "desc")
SILENT = ("title", "desc", "metadata")
PAINTS = (
    "fill",
    "fill-opacity",
    "fill-rule",
    "opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
)
OWN: dict[str, tuple[str, ...]] = {
    **SHAPES,
    **GRADIENTS,
    "svg": ("viewBox", "width", "height", "version", "preserveAspectRatio"),
    "stop": ("offset", "stop-color", "stop-opacity"),
}
ANYWHERE = ("id", "class", "role", "style", "stroke-miterlimit")
T = TypeVar("T")


def read_svg(text: str, file: str = "icon.svg") -> Svg:
    """Read an icon; every fault in it is raised at once, placed in `file`."""
    reader = _Reader(file)
    root = parse_tree(text, file)
    svg = reader.read(root)
    if reader.problems:
        raise InvalidInputError(reader.problems)
    return svg


class _Reader:
    """Walks the tree, collecting problems on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.gradients: dict[str, SvgGradient] = {}

    def read(self, root: Node) -> Svg:
        if root.tag != "svg":
            self._fault(root, f"the file holds <{root.tag.split()[-1]}>; expected <svg>")
            return Svg((0.0, 0.0, 1.0, 1.0), ())
        for node in all_nodes(root):
            if node.tag in GRADIENTS:
                self._gradient(node)
        return Svg(self._view(root), self._container(root, SvgShape(())))

    def _fault(self, node: Node, message: str, code: str = "bad-svg") -> None:
        self.problems.append(Problem(Place(self.file, node.line, node.column), code, message))

    def _view(self, root: Node) -> tuple[float, float, float, float]:
        given = root.attributes
        text = given.get("viewBox")
        if text is None and "width" in given and "height" in given:
            text = f"0 0 {given['width'].removesuffix('px')} {given['height'].removesuffix('px')}"
        try:
            view = read_numbers(text or "")
        except SvgSyntaxError:
            view = ()
        if len(view) == 4 and view[2] > 0 and view[3] > 0:
            return view[0], view[1], view[2], view[3]
        there = f"viewBox is '{given['viewBox']}'" if "viewBox" in given else "viewBox is missing"
        self._fault(root, f"{there}; expected left, top, width and height, such as '0 0 24 24'")
        return 0.0, 0.0, 1.0, 1.0

    def _container(self, node: Node, inherited: SvgShape) -> tuple[SvgItem, ...]:
        """Read a group's children with what it hands down to them."""
        look, opacity = self._look(node, inherited)
        items: list[SvgItem] = []
        for child in node.children:
            items += self._item(child, look)
        if opacity < 1 and items:
            return (SvgGroup(tuple(items), opacity),)
        return tuple(items)

    def _item(self, node: Node, look: SvgShape) -> tuple[SvgItem, ...]:
        if " " in node.tag or node.tag in SILENT or node.tag in GRADIENTS:
            return ()
        if node.tag == "g":
            return self._container(node, look)
        if node.tag == "defs":
            for child in node.children:
                if child.tag not in GRADIENTS and child.tag not in SILENT and " " not in child.tag:
                    self._unsupported(child)
            return ()
        if node.tag not in SHAPES:
            self._unsupported(node)
            return ()
        for child in node.children:
            if child.tag not in SILENT and " " not in child.tag:
                self._unsupported(child)
        own, opacity = self._look(node, look)
        path = self._outline(node)
        if not path:
            return ()
        shape = replace(own, path=path)
        return (SvgGroup((shape,), opacity),) if opacity < 1 else (shape,)

    def _unsupported(self, node: Node) -> None:
        self._fault(
            node,
            f"<{node.tag}> cannot be drawn; expected one of {', '.join(ELEMENTS)}; "
            "turn it into plain paths",
            "svg-unsupported",
        )

    def _look(self, node: Node, look: SvgShape) -> tuple[SvgShape, float]:
        """Return the paints that hold for a node, and its own opacity."""
        given = self._attributes(node)
        opacity = 1.0
        for name, text in given.items():
            if name == "transform":
                matrix = self._value(node, name, text, read_transform)
                if matrix is not None:
                    look = replace(look, matrix=multiply(look.matrix, matrix))
            elif name == "opacity":
                opacity = self._share(node, name, text)
            elif name in PAINTS:
                look = self._paint(node, look, name, text)
        return look, opacity

    def _attributes(self, node: Node) -> dict[str, str]:
        """Merge `style` over the attributes, and refuse what would change the picture."""
        given = dict(node.attributes)
        for rule in given.pop("style", "").split(";"):
            name, colon, value = rule.partition(":")
            if colon:
                given[name.strip()] = value.strip()
        allowed = (*OWN.get(node.tag, ()), *ANYWHERE)
        if node.tag not in GRADIENTS and node.tag != "stop":
            allowed = (*allowed, "transform", *PAINTS)
        out = {}
        for name, value in given.items():
            if name in allowed:
                out[name] = value.strip()
            elif not name.startswith(("data-", "aria-", "-")):
                self._fault(
                    node,
                    f"<{node.tag}> has '{name}', which cannot be drawn; "
                    f"expected one of {', '.join(sorted(allowed))}{did_you_mean(name, allowed)}",
                    "svg-unsupported",
                )
        return out

    def _value(self, node: Node, name: str, text: str, read: Callable[[str], T]) -> T | None:
        try:
            return read(text)
        except SvgSyntaxError as error:
            self._fault(node, f"{name} is '{_short(text)}'; expected {error}")
            return None

    def _share(self, node: Node, name: str, text: str) -> float:
        value = self._value(node, name, text, lambda t: read_number(t, share=True))
        if value is not None and not 0 <= value <= 1:
            self._fault(node, f"{name} is '{text}'; expected 0 to 1")
        return 1.0 if value is None else max(0.0, min(1.0, value))

    def _paint(self, node: Node, look: SvgShape, name: str, text: str) -> SvgShape:
        match name:
            case "fill" if text.startswith("url("):
                return self._gradient_fill(node, look, text)
            case "fill" | "stroke":
                color = self._value(node, name, text, read_color)
                if color is None:
                    return look
                return replace(look, fill=color) if name == "fill" else replace(look, stroke=color)
            case "fill-opacity":
                return replace(look, fill_opacity=self._share(node, name, text))
            case "stroke-opacity":
                return replace(look, stroke_opacity=self._share(node, name, text))
            case "fill-rule":
                rule = self._choice(node, name, text, ("nonzero", "evenodd"))
                return replace(look, even_odd=rule == "evenodd")
            case "stroke-linecap":
                cap = self._choice(node, name, text, ("butt", "round", "square"))
                return replace(look, cap=cap)
            case "stroke-linejoin":
                join = self._choice(node, name, text, ("miter", "round", "bevel"))
                return replace(look, join=join)
            case "stroke-width":
                width = self._length(node, name, text)
                return replace(look, stroke_width=width)
            case _:
                return replace(look, dash=self._dash(node, text))

    def _gradient_fill(self, node: Node, look: SvgShape, text: str) -> SvgShape:
        name = text.removeprefix("url(").rstrip(")").strip(" '\"").removeprefix("#")
        gradient = self.gradients.get(name)
        if gradient is None:
            hint = did_you_mean(name, self.gradients)
            self._fault(node, f"fill is '{text}'; expected the id of a gradient in <defs>{hint}")
            return look
        return replace(look, fill=gradient)

    def _choice(self, node: Node, name: str, text: str, choices: tuple[str, ...]) -> str:
        if text not in choices:
            expected = ", ".join(choices)
            hint = did_you_mean(text, choices)
            self._fault(node, f"{name} is '{text}'; expected one of {expected}{hint}")
            return choices[0]
        return text

    def _length(self, node: Node, name: str, text: str) -> float:
        value = self._value(node, name, text, read_number)
        if value is not None and value < 0:
            self._fault(node, f"{name} is '{text}'; expected 0 or more")
        return max(0.0, value or 0.0)

    def _dash(self, node: Node, text: str) -> tuple[float, ...]:
        if text == "none":
            return ()
        dash = self._value(node, "stroke-dasharray", text, read_numbers) or ()
        if any(length < 0 for length in dash):
            self._fault(node, f"stroke-dasharray is '{text}'; expected 0 or more")
            return ()
        if not any(dash):
            return ()
        return dash if len(dash) % 2 == 0 else dash + dash

    def _outline(self, node: Node) -> Path:
        """Return the path of a shape; a shape without extent has none."""
        given = node.attributes
        if node.tag == "path":
            return self._value(node, "d", given.get("d", ""), read_path) or ()
        if node.tag in ("polyline", "polygon"):
            numbers = self._value(node, "points", given.get("points", ""), read_numbers) or ()
            if len(numbers) % 2:
                self._fault(node, "points has an odd count of numbers; expected pairs of x and y")
                return ()
            points = tuple(zip(numbers[::2], numbers[1::2], strict=True))
            return polyline(points, closed=node.tag == "polygon") if points else ()
        size = {name: self._number_of(node, name) for name in SHAPES[node.tag]}
        return _plain_outline(node.tag, size, given)

    def _number_of(self, node: Node, name: str) -> float:
        text = node.attributes.get(name, "0")
        if name in ("width", "height", "r", "rx", "ry"):
            return self._length(node, name, text)
        return self._value(node, name, text, read_number) or 0.0

    def _gradient(self, node: Node) -> None:
        given = self._attributes(node)
        units = given.get("gradientUnits", "objectBoundingBox")
        choices = ("objectBoundingBox", "userSpaceOnUse")
        boxed = self._choice(node, "gradientUnits", units, choices) == "objectBoundingBox"
        linear = node.tag == "linearGradient"
        names, defaults = ("x1 y1 x2 y2", "0 0 1 0") if linear else ("cx cy r", ".5 .5 .5")
        ends = []
        for name, default in zip(names.split(), defaults.split(), strict=True):
            if not boxed and name not in given:
                self._fault(node, f"{name} is missing; expected it with userSpaceOnUse")
            text = given.get(name, default)
            ends.append(self._value(node, name, text, lambda t: read_number(t, boxed)) or 0.0)
        matrix = self._value(
            node, "gradientTransform", given.get("gradientTransform", ""), read_transform
        )
        stops = tuple(self._stop(child) for child in node.children if child.tag == "stop")
        for child in node.children:
            if child.tag != "stop" and child.tag not in SILENT and " " not in child.tag:
                self._unsupported(child)
        if len(stops) < 2:
            self._fault(node, f"<{node.tag}> has {len(stops)} stops; expected 2 or more")
            return
        gradient = SvgGradient("linear" if linear else "radial", tuple(ends), stops, boxed)
        if matrix is not None:
            gradient = replace(gradient, matrix=matrix)
        self.gradients[given.get("id", "")] = gradient

    def _stop(self, node: Node) -> tuple[float, str]:
        given = self._attributes(node)
        offset = self._share(node, "offset", given.get("offset", "0"))
        if self._share(node, "stop-opacity", given.get("stop-opacity", "1")) < 1:
            self._fault(
                node,
                f"stop-opacity is '{given['stop-opacity']}'; expected 1; "
                "give the stop the colour that is seen, or the shape an opacity",
                "svg-unsupported",
            )
        text = given.get("stop-color", "#000000")
        color = self._value(node, "stop-color", text, read_color)
        if color == NONE:
            self._fault(node, f"stop-color is '{text}'; expected a colour")
        return offset, color or "#000000"


def _plain_outline(tag: str, size: Mapping[str, float], given: Mapping[str, str]) -> Path:
    if tag == "line":
        return polyline(((size["x1"], size["y1"]), (size["x2"], size["y2"])))
    if tag == "rect":
        rx = size["rx"] if "rx" in given else size["ry"]
        ry = size["ry"] if "ry" in given else size["rx"]
        if size["width"] == 0 or size["height"] == 0:
            return ()
        return rectangle(size["x"], size["y"], size["width"], size["height"], rx, ry)
    rx, ry = (size["r"], size["r"]) if tag == "circle" else (size["rx"], size["ry"])
    return ellipse(size["cx"], size["cy"], rx, ry) if rx and ry else ()


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}…"
