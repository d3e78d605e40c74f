"""The small languages inside SVG attributes: path data, transforms, lengths, colours.

Each reader takes an attribute's text and returns a value, or raises
`SvgSyntaxError` with what it found. Knows nothing of elements or files.
"""

from __future__ import annotations

import re
from math import isfinite

from kitwright.model.geometry import (
    IDENTITY,
    Matrix,
    Path,
    Point,
    Segment,
    arc,
    end_of,
    multiply,
    rotation,
    scaling,
    skewing,
    translation,
)
from kitwright.model.svg import NONE, TINT

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
SPACE = re.compile(r"[\s,]*")
COMMANDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
TRANSFORM = re.compile(r"\s*,?\s*([A-Za-z]+)\s*\(([^()]*)\)\s*")
VARIABLE = re.compile(r"var\(\s*--([A-Za-z0-9_-]+)\s*(?:,[^()]*)?\)")
NAMES = {
    "aqua": "#00ffff",
    "black": "#000000",
    "blue": "#0000ff",
    "fuchsia": "#ff00ff",
    "gray": "#808080",
    "green": "#008000",
    "grey": "#808080",
    "lime": "#00ff00",
    "maroon": "#800000",
    "navy": "#000080",
    "olive": "#808000",
    "orange": "#ffa500",
    "purple": "#800080",
    "red": "#ff0000",
    "silver": "#c0c0c0",
    "teal": "#008080",
    "white": "#ffffff",
    "yellow": "#ffff00",
}


class SvgSyntaxError(Exception):
    """An attribute's text does not read; the message says what was expected."""


def read_number(text: str, share: bool = False) -> float:
    """Read a plain number, `px` allowed; with `share`, a percentage too."""
    bare = text.strip()
    percent = share and bare.endswith("%")
    bare = bare[:-1] if percent else bare.removesuffix("px")
    if not NUMBER.fullmatch(bare) or not isfinite(float(bare)):
        raise SvgSyntaxError("a plain number")
    return float(bare) / 100 if percent else float(bare)


def read_numbers(text: str) -> tuple[float, ...]:
    """Read numbers with blanks or commas between them, or none where a sign parts them."""
    numbers = tuple(map(float, NUMBER.findall(text)))
    if SPACE.sub("", NUMBER.sub("", text)) or not all(map(isfinite, numbers)):
        raise SvgSyntaxError("plain numbers")
    return numbers


def read_color(text: str) -> str:
    """Read a colour as #rrggbb, none, currentColor or var(--name)."""
    bare = text.strip()
    if re.fullmatch(r"#[0-9A-Fa-f]{6}", bare):
        return bare.lower()
    if re.fullmatch(r"#[0-9A-Fa-f]{3}", bare):
        return "#" + "".join(digit * 2 for digit in bare[1:].lower())
    if found := VARIABLE.fullmatch(bare):
        return f"var(--{found[1]})"
    if bare.lower() in (NONE, "transparent"):
        return NONE
    if bare.lower() == TINT.lower():
        return TINT
    if bare.lower() in NAMES:
        return NAMES[bare.lower()]
    raise SvgSyntaxError("#rrggbb, none, currentColor, var(--name) or a basic colour name")


def read_transform(text: str) -> Matrix:
    """Read a list of transforms into one matrix."""
    matrix, at = IDENTITY, 0
    while text[at:].strip():
        found = TRANSFORM.match(text, at)
        if not found:
            raise SvgSyntaxError("matrix, translate, scale, rotate, skewX or skewY")
        matrix = multiply(matrix, _one_transform(found[1], read_numbers(found[2])))
        at = found.end()
    a, b, c, d, _, _ = matrix
    if abs(a * d - b * c) < 1e-12:
        raise SvgSyntaxError("a transform that does not flatten the drawing")
    return matrix


def _one_transform(name: str, n: tuple[float, ...]) -> Matrix:
    match name, n:
        case "matrix", (a, b, c, d, e, f):
            return (a, b, c, d, e, f)
        case "translate", (x,):
            return translation(x, 0.0)
        case "translate", (x, y):
            return translation(x, y)
        case "scale", (x,):
            return scaling(x, x)
        case "scale", (x, y):
            return scaling(x, y)
        case "rotate", (angle,):
            return rotation(angle)
        case "rotate", (angle, x, y):
            return rotation(angle, x, y)
        case "skewX", (angle,):
            return skewing(angle, 0.0)
        case "skewY", (angle,):
            return skewing(0.0, angle)
        case _:
            raise SvgSyntaxError(
                "matrix, translate, scale, rotate, skewX or skewY with their numbers"
            )


def read_path(text: str) -> Path:
    """Read path data into moves, lines and curves, all absolute."""
    pen = _Pen()
    at, command = _skip(text, 0), ""
    while at < len(text):
        if text[at].upper() in COMMANDS:
            command = text[at]
            at = _skip(text, at + 1)
        elif command in ("", "Z", "z"):
            raise SvgSyntaxError(f"a path command at character {at + 1}")
        else:
            command = {"M": "L", "m": "l"}.get(command, command)
        numbers, at = _arguments(text, at, command.upper())
        if not pen.path and command not in "Mm":
            raise SvgSyntaxError("path data that begins with M")
        pen.draw(command, numbers)
    return tuple(pen.path)


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _arguments(text: str, at: int, command: str) -> tuple[list[float], int]:
    numbers = []
    for index in range(COMMANDS[command]):
        if command == "A" and index in (3, 4):  # flags may touch what follows them
            if text[at : at + 1] not in ("0", "1"):
                raise SvgSyntaxError(f"an arc flag 0 or 1 at character {at + 1}")
            numbers.append(float(text[at]))
            at += 1
        else:
            found = NUMBER.match(text, at)
            if not found or not isfinite(float(found[0])):
                raise SvgSyntaxError(f"a number at character {at + 1}")
            numbers.append(float(found[0]))
            at = found.end()
        at = _skip(text, at)
    return numbers, at


class _Pen:
    """Where the path has come to, and what it has drawn."""

    def __init__(self) -> None:
        self.path: list[Segment] = []
        self.at: Point = (0.0, 0.0)
        self.start: Point = (0.0, 0.0)
        self.handle: Point | None = None  # the last control point, for S and T
        self.last = ""

    def draw(self, command: str, n: list[float]) -> None:
        """Add what one command with its numbers draws."""
        name = command.upper()
        if command.islower():
            n = self._absolute(name, n)
        if self.last == "Z" and name not in "MZ":
            self.path.append(("M", *self.at))
        handle = None
        if name in "ML":
            self.path.append((name, n[0], n[1]))
            self.start = (n[0], n[1]) if name == "M" else self.start
        elif name == "H":
            self.path.append(("L", n[0], self.at[1]))
        elif name == "V":
            self.path.append(("L", self.at[0], n[0]))
        elif name == "Z":
            self.path.append(("Z",))
        elif name == "A":
            self.path += arc(self.at, (n[0], n[1]), n[2], n[3] > 0, n[4] > 0, (n[5], n[6]))
        else:
            handle = self._curve(name, n)
        self.handle, self.last = handle, name
        if name == "Z":
            self.at = self.start
        elif len(self.path[-1]) > 1:
            self.at = end_of(self.path[-1])

    def _absolute(self, name: str, n: list[float]) -> list[float]:
        x, y = self.at
        if name == "H":
            return [n[0] + x]
        if name == "V":
            return [n[0] + y]
        if name == "A":
            return [*n[:5], n[5] + x, n[6] + y]
        return [value + (y if index % 2 else x) for index, value in enumerate(n)]

    def _curve(self, name: str, n: list[float]) -> Point:
        x, y = self.at
        reflected = self.at
        if self.handle and self.last in ("CS" if name in "CS" else "QT"):
            reflected = (2 * x - self.handle[0], 2 * y - self.handle[1])
        if name == "C":
            first, second, end = (n[0], n[1]), (n[2], n[3]), (n[4], n[5])
            self.path.append(("C", *first, *second, *end))
            return second
        if name == "S":
            self.path.append(("C", *reflected, n[0], n[1], n[2], n[3]))
            return n[0], n[1]
        handle = (n[0], n[1]) if name == "Q" else reflected
        end = n[-2], n[-1]
        first = (x + 2 / 3 * (handle[0] - x), y + 2 / 3 * (handle[1] - y))
        second = (end[0] + 2 / 3 * (handle[0] - end[0]), end[1] + 2 / 3 * (handle[1] - end[1]))
        self.path.append(("C", *first, *second, *end))
        return handle
