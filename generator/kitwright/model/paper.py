"""Paper that a printer takes."""

from __future__ import annotations

from msgspec import Struct


class Paper(Struct, frozen=True):
    """A sheet of paper, upright; `margin` is what printers leave white along every edge."""

    name: str
    width: float
    height: float
    margin: float = 5.0


class Printer(Struct, frozen=True):
    """Where a printer puts the second side, seen through the paper from the first.

    The back comes out `x` mm too far right, `y` mm too far down, and turned by `angle`
    degrees, clockwise, about the middle of the sheet.
    """

    name: str
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
