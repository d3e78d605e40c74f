"""Boxes for cards: what lies in one, how thick stock is, and how a box is dressed.

Lengths are millimetres. Knows no file, no net and no drawing.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from kitwright.model.theme import Theme
from kitwright.problems import Place

FACE = "face:"  # begins the name of an icon that is a card: face:orders/back
SMALLEST = 30.0  # mm; what is smaller is a token, and has no sleeve
PANELS = ("front", "back", "left", "right", "top", "bottom", "tuck")


class BoxPlan(Struct, frozen=True):
    """A box of game.yaml: the decks that share it, in so many stacks side by side."""

    id: str
    title: str
    decks: tuple[str, ...]
    stacks: int
    place: Place


class Stock(Struct, frozen=True):
    """How thick a card is, what a sleeve adds to it, and the air that cards in a box need."""

    card: float
    sleeve: float  # thickness that a sleeve adds
    sleeve_width: float
    sleeve_height: float
    ease: float  # added to the depth of a box
    ease_width: float
    ease_height: float
    least: float  # no box is thinner


class BoxDress(Struct, frozen=True):
    """What boxes are made of: stock, a theme, and the layout of each panel by its name."""

    stock: Stock
    theme: Theme
    layouts: Mapping[str, str]
