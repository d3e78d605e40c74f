"""Values of a layout that may be given at once or as `{{ }}`, to be known when a card is drawn.

An error's text goes on where the name of a key ends: `width is '-1mm'; …`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BeforeValidator, WithJsonSchema

from kitwright.formulas import (
    Formula,
    Template,
    compile_formula,
    compile_template,
    describe,
    is_template,
    show,
)
from kitwright.model.units import LENGTH_PATTERN, parse_length, split_length

_COLOR = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z|[a-z][a-z0-9-]*\Z")
_BRACES = r"\{\{"
_SMALLEST_PT, _LARGEST_PT = 1, 400


class Late(Struct, frozen=True):
    """A template, and how its result is read."""

    template: Template
    parse: Callable[[Any], Any]

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value for this card."""
        return self.parse(self.template(context))


def _late(parse: Callable[[Any], Any]) -> BeforeValidator:
    def check(value: Any) -> Any:
        if isinstance(value, Late) or value is None:
            return value
        if isinstance(value, str) and is_template(value):
            return Late(compile_template(value), parse)
        return parse(value)

    return BeforeValidator(check)


def parse_number(value: Any) -> float:
    """Read a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"is {describe(value)}; expected a number")
    return float(value)


def parse_part(value: Any) -> float:
    """Read a number from 0 to 1."""
    number = parse_number(value)
    if not 0 <= number <= 1:
        raise ValueError(f"is {value}; expected a number from 0 to 1")
    return number


def parse_whole(value: Any) -> int:
    """Read a whole number."""
    number = parse_number(value)
    if number != int(number):
        raise ValueError(f"is {describe(value)}; expected a whole number")
    return int(number)


def parse_count(value: Any) -> int:
    """Read a whole number from 1."""
    number = parse_whole(value)
    if number < 1:
        raise ValueError(f"is {number}; expected a whole number from 1")
    return number


def parse_flag(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"is {describe(value)}; expected true or false")
    return value


def parse_name(value: Any) -> str:
    """Read a word."""
    if not isinstance(value, str):
        raise ValueError(f"is {describe(value)}; expected a name")
    return value


def parse_words(value: Any) -> str:
    """Read what a text shows; numbers are written out."""
    if isinstance(value, dict | list | tuple):
        raise ValueError(f"is {describe(value)}; expected text")
    return show(value)


def parse_natural(value: Any) -> float:
    """Read a length that is not negative."""
    length = parse_length(value)
    if length < 0:
        raise ValueError(f"is '{value}'; expected 0mm or more")
    return length


def parse_extent(value: Any) -> float:
    """Read a length above nothing."""
    length = parse_length(value)
    if length <= 0:
        raise ValueError(f"is '{value}'; expected more than 0mm")
    return length


def parse_color(value: Any) -> str:
    """Read the name of a colour, or #rrggbb."""
    if not isinstance(value, str) or not _COLOR.match(value):
        shown = f"'{value}'" if isinstance(value, str) else describe(value)
        raise ValueError(f'is {shown}; expected a colour of the theme, or one such as "#c8342b"')
    return value


def parse_points(value: Any) -> float:
    """Read a size of type: 9pt."""
    length, unit = split_length(value)
    size_pt = length * 72 / 25.4
    if unit == "%" or not _SMALLEST_PT <= size_pt <= _LARGEST_PT:
        text = f"is '{value}'; expected a size of type from {_SMALLEST_PT}pt to {_LARGEST_PT}pt"
        raise ValueError(text)
    return round(size_pt, 3)


def _expression(value: Any) -> Any:
    if value is None or isinstance(value, Formula):
        return value
    if isinstance(value, bool | int | float):
        return compile_formula(str(value))
    if not isinstance(value, str):
        raise ValueError(f"is {describe(value)}; expected an expression such as card.title")
    source = value.strip()
    if source.startswith("{{") and source.endswith("}}"):
        source = source[2:-2]
    return compile_formula(source.strip())


def _schema(*kinds: Mapping[str, Any]) -> WithJsonSchema:
    template = {"type": "string", "pattern": _BRACES}
    return WithJsonSchema({"anyOf": [*kinds, template]})


_TEXT = {"type": "string"}
_LENGTH = ({"const": 0}, {"type": "string", "pattern": LENGTH_PATTERN})
_COLOR_PATTERN = r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$|^[a-z][a-z0-9-]*$"

Offset = Annotated[Any, _late(parse_length), _schema(*_LENGTH)]
Length = Annotated[Any, _late(parse_natural), _schema(*_LENGTH)]
Extent = Annotated[Any, _late(parse_extent), _schema(*_LENGTH)]
Points = Annotated[Any, _late(parse_points), _schema(*_LENGTH)]
Number = Annotated[Any, _late(parse_number), _schema({"type": "number"})]
Part = Annotated[Any, _late(parse_part), _schema({"type": "number", "minimum": 0, "maximum": 1})]
Whole = Annotated[Any, _late(parse_whole), _schema({"type": "integer"})]
Count = Annotated[Any, _late(parse_count), _schema({"type": "integer", "minimum": 1})]
Flag = Annotated[Any, _late(parse_flag), _schema({"type": "boolean"})]
Name = Annotated[Any, _late(parse_name), WithJsonSchema(_TEXT)]
Words = Annotated[
    Any, _late(parse_words), WithJsonSchema({"type": ["string", "number", "boolean"]})
]
Color = Annotated[Any, _late(parse_color), _schema({"type": "string", "pattern": _COLOR_PATTERN})]
Expression = Annotated[
    Any,
    BeforeValidator(_expression),
    WithJsonSchema({"type": ["string", "boolean", "number"]}),
]
