"""Values of a layout that may be given at once or as `{{ }}`, to be known when a card is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from kitwright.formulas import Formula, Template, compile_formula, compile_template, describe, show
from kitwright.model.units import parse_length, split_length

_COLOR = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z|[a-z][a-z0-9-]*\Z")


@dataclass(frozen=True, slots=True)
class Late:
    """A template, and how its result is read."""

    template: Template
    parse: Callable[[Any], Any]

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value for this card."""
        return self.parse(self.template(context))


def _late(parse: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if isinstance(value, Late) or value is None:
            return value
        if isinstance(value, str) and ("{{" in value or "{%" in value):
            return Late(compile_template(value), parse)
        return parse(value)

    return check


def parse_number(value: Any) -> float:
    """Read a number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{describe(value)} stands here; expected a number")
    return float(value)


def parse_whole(value: Any) -> int:
    """Read a whole number."""
    number = parse_number(value)
    if number != int(number):
        raise ValueError(f"the number {number:g} stands here; expected a whole number")
    return int(number)


def parse_flag(value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{describe(value)} stands here; expected true or false")
    return value


def parse_name(value: Any) -> str:
    """Read a word."""
    if not isinstance(value, str):
        raise ValueError(f"{describe(value)} stands here; expected a name")
    return value


def parse_words(value: Any) -> str:
    """Read what a text shows; numbers are written out."""
    if isinstance(value, dict | list | tuple):
        raise ValueError(f"{describe(value)} stands here; expected text")
    return show(value)


def parse_color(value: Any) -> str:
    """Read the name of a colour, or #rrggbb."""
    if not isinstance(value, str) or not _COLOR.match(value):
        shown = f"'{value}'" if isinstance(value, str) else describe(value)
        raise ValueError(f'{shown} is not a colour; expected a name of the theme or "#rrggbb"')
    return value


def parse_points(value: Any) -> float:
    """Read a size of type: 9pt."""
    length, unit = split_length(value)
    if unit == "%" or not 1 <= length * 72 / 25.4 <= 400:
        raise ValueError(f"'{value}' is not a size of type; expected one such as 9pt")
    return round(length * 72 / 25.4, 3)


def _expression(value: Any) -> Any:
    if value is None or isinstance(value, Formula):
        return value
    if isinstance(value, bool | int | float):
        return compile_formula(str(value))
    if not isinstance(value, str):
        raise ValueError(f"{describe(value)} stands here; expected an expression")
    source = value.strip()
    if source.startswith("{{") and source.endswith("}}"):
        source = source[2:-2]
    return compile_formula(source.strip())


def _schema(kind: str | list[str], about: str) -> WithJsonSchema:
    return WithJsonSchema({"type": kind, "description": about})


Length = Annotated[
    Any, BeforeValidator(_late(parse_length)), _schema(["string", "number"], "a length: 3mm")
]
Points = Annotated[Any, BeforeValidator(_late(parse_points)), _schema("string", "a size: 9pt")]
Number = Annotated[
    Any, BeforeValidator(_late(parse_number)), _schema(["number", "string"], "a number")
]
Whole = Annotated[
    Any, BeforeValidator(_late(parse_whole)), _schema(["integer", "string"], "a whole number")
]
Flag = Annotated[
    Any, BeforeValidator(_late(parse_flag)), _schema(["boolean", "string"], "true or false")
]
Name = Annotated[Any, BeforeValidator(_late(parse_name)), _schema("string", "a name")]
Words = Annotated[
    Any, BeforeValidator(_late(parse_words)), _schema(["string", "number"], "text to show")
]
Color = Annotated[
    Any, BeforeValidator(_late(parse_color)), _schema("string", "a colour: a name or '#rrggbb'")
]
Expression = Annotated[
    Any, BeforeValidator(_expression), _schema(["string", "boolean", "number"], "an expression")
]
