"""The two kinds of length in a layout: fixed, or a share of the outer box."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from kitwright.model.units import parse_length, split_length

Share = Annotated[
    tuple[float, str], BeforeValidator(split_length, json_schema_input_type=str | int)
]
Fixed = Annotated[float, BeforeValidator(parse_length, json_schema_input_type=str | int)]
