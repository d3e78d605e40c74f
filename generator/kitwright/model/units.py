"""Lengths with their unit, as designers write them.

An error's text goes on where the name of a key ends: `w is '3', which has no unit; …`.
"""

from __future__ import annotations

import re

from kitwright.formulas import describe

MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
LONGEST = 2000.0  # mm; nothing that a printer takes is longer
LENGTH_PATTERN = r"^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*(mm|cm|in|pt)$"
SHARE_PATTERN = LENGTH_PATTERN.replace("(mm|", "(%|mm|")
_LENGTH = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z%]*)\Z")


def parse_length(value: object, longest: float = LONGEST) -> float:
    """Return millimetres; 0 needs no unit."""
    amount, unit = split_length(value, longest)
    if unit == "%":
        raise ValueError(f"is the share '{value}'; expected a length such as 3mm")
    return amount


def split_length(value: object, longest: float = LONGEST) -> tuple[float, str]:
    """Return (millimetres, "mm") or (share, "%")."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"is {describe(value)}; expected a length such as 3mm, 0.5in or 12pt")
    match = _LENGTH.match(str(value).strip())
    if match is None:
        raise ValueError(f"is '{value}'; expected a length such as 3mm, 0.5in or 12pt")
    number, unit = float(match[1]), match[2]
    if not unit and number:
        raise ValueError(f"is '{value}', which has no unit; expected a length such as {value}mm")
    if unit and unit not in (*MILLIMETRES, "%"):
        raise ValueError(f"is '{value}', whose unit is unknown; expected mm, cm, in or pt")
    length = number * MILLIMETRES.get(unit, 1.0)
    if not abs(length) <= longest:
        raise ValueError(f"is '{value}'; expected {-longest:g}mm to {longest:g}mm")
    return length, unit if unit == "%" else "mm"
