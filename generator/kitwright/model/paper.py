"""Paper that a printer takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paper:
    """A sheet of paper, upright; `margin` is what printers leave white along every edge."""

    name: str
    width: float
    height: float
    margin: float = 5.0
