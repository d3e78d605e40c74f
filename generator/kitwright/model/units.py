"""Lengths with their unit, as designers write them."""

from __future__ import annotations

import re

MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
LONGEST = 2000.0  # mm; nothing that a printer takes is longer
_LENGTH = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)\s*([a-z%]*)\Z")


def parse_length(value: object) -> float:
    """Return millimetres; 0 needs no unit."""
    amount, unit = split_length(value)
    if unit == "%":
        raise ValueError("a share (%) cannot stand here; expected a length such as 3mm")
    return amount


def split_length(value: object) -> tuple[float, str]:
    """Return (millimetres, "mm") or (share, "%")."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("expected a length such as 3mm, 0.5in or 12pt")
    match = _LENGTH.match(str(value).strip())
    if match is None:
        raise ValueError(f"'{value}' is not a length; expected one such as 3mm, 0.5in or 12pt")
    number, unit = float(match[1]), match[2]
    if unit == "%":
        return number, unit
    if not unit and number:
        raise ValueError(f"'{value}' has no unit; expected a length such as {value}mm")
    if unit and unit not in MILLIMETRES:
        raise ValueError(f"'{value}' has an unknown unit; expected mm, cm, in or pt")
    length = number * MILLIMETRES.get(unit, 1.0)
    if abs(length) > LONGEST:
        raise ValueError(f"'{value}' is longer than {LONGEST:g}mm")
    return length, "mm"


def show_length(length: float) -> str:
    """Write millimetres so that they read back as the same length."""
    return f"{round(length, 4):g}mm"
