"""The kinds of length in a layout that are known at once: fixed, or a share of the outer box."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from kitwright.formulas import describe
from kitwright.model.units import LENGTH_PATTERN, SHARE_PATTERN, parse_length, split_length


def length_schema(pattern: str = LENGTH_PATTERN) -> WithJsonSchema:
    """Describe a length to an editor."""
    return WithJsonSchema({"anyOf": [{"const": 0}, {"type": "string", "pattern": pattern}]})


def _natural(value: Any) -> float:
    length = parse_length(value)
    if length < 0:
        raise ValueError(f"is '{value}'; expected 0mm or more")
    return length


def _dash(lengths: list[float]) -> list[float]:
    if lengths and not any(lengths):
        raise ValueError("has no length above 0; expected on and off, such as [2mm, 1mm]")
    return lengths


def _corner(value: Any) -> tuple[tuple[float, str], tuple[float, str]]:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"is {describe(value)}; expected two lengths or shares: [50%, 0%]")
    return split_length(value[0]), split_length(value[1])


Share = Annotated[tuple[float, str], BeforeValidator(split_length), length_schema(SHARE_PATTERN)]
Fixed = Annotated[float, BeforeValidator(parse_length), length_schema()]
Natural = Annotated[float, BeforeValidator(_natural), length_schema()]
Dash = Annotated[list[Natural], AfterValidator(_dash)]
Corner = Annotated[
    tuple[tuple[float, str], tuple[float, str]],
    BeforeValidator(_corner),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"anyOf": [{"const": 0}, {"type": "string", "pattern": SHARE_PATTERN}]},
            "minItems": 2,
            "maxItems": 2,
        }
    ),
]
