"""Where the edges of cards meet when they lie side by side. Knows no face and no drawing."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Joint(Struct, frozen=True):
    """A stretch of a card's edge that must look the same on every card that has one.

    `middle` is in millimetres from the top of the card, `low` and `high` from the middle.
    """

    face: str
    side: Literal["left", "right"]
    name: str
    middle: float
    low: float
    high: float
