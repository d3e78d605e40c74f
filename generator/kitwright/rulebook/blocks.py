"""The blocks of a rulebook: finished values that every output is made from.

Words keep the markup of card text: `:name:`, `*…*` and `**…**`. Knows no page and no file.
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from kitwright.ops import Face
from kitwright.problems import Place


class Heading(Struct, frozen=True):
    """The title (level 1), a section (2) or a part of one (3)."""

    level: int
    section: str  # "3.1"; empty for the title
    text: str
    place: Place

    @property
    def anchor(self) -> str:
        """The name that links use."""
        return anchor_of(self.section)


class Paragraph(Struct, frozen=True):
    """Running words."""

    text: str
    place: Place


class Listing(Struct, frozen=True):
    """A list; numbered from `start` where that is not None."""

    items: tuple[tuple[Block, ...], ...]
    start: int | None
    place: Place


class Table(Struct, frozen=True):
    """Rows of cells, all as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    aligns: tuple[str, ...]
    caption: str
    place: Place


class Shown(Struct, frozen=True):
    """A face as a figure shows it, with its rounded corners."""

    face: Face
    corner: float
    of: tuple[Face, ...] = ()  # the faces of cards in a picture of several


class CardScene(Struct, frozen=True):
    """A card with numbered spots, in millimetres on the card."""

    card: Shown
    height: float
    spots: tuple[tuple[float, float], ...]
    notes: tuple[str, ...]
    pins: bool = False  # numbers on the spots instead of lines to them


class RowScene(Struct, frozen=True):
    """Cards side by side, `step` widths apart, with a label below each."""

    cards: tuple[Shown, ...]
    labels: tuple[str, ...]
    step: float
    tallest: float


Spot = tuple[float, float]


class LaidScene(Struct, frozen=True):
    """Cards at their places with numbered spots, in millimetres of full-sized cards."""

    cards: tuple[tuple[Shown, Spot], ...]
    tallest: float
    spots: tuple[Spot, ...]
    notes: tuple[str, ...]


class Pile(Struct, frozen=True):
    """Cards that lie together: in a row, as a fan or as a pile, or at the sides of the first."""

    cards: tuple[Shown, ...]
    lie: str
    label: str
    sides: tuple[tuple[Shown, ...], ...] = ()  # clockwise from the top
    slots: int = 0  # that are outlined at each side


class TableScene(Struct, frozen=True):
    """What lies in the middle of the table and before each player."""

    centre: tuple[Pile, ...]
    seats: tuple[tuple[Pile, ...], ...]
    largest: float  # of the size of a card


class Sketch(Protocol):
    """A figure that draws itself, such as a plot."""

    def draw(self, artist: Any, width: float) -> Any:
        """Return a drawing at most `width` mm wide, made with the means of an artist."""


Scene = CardScene | RowScene | LaidScene | TableScene | Sketch


class Figure(Struct, frozen=True):
    """A picture of real cards with its caption."""

    name: str
    scene: Scene
    caption: str
    wide: bool
    place: Place
    floats: bool = True  # may wait for the next page while text goes on


class Callout(Struct, frozen=True):
    """Blocks set apart: a worked `example` or a `note`."""

    kind: str
    blocks: tuple[Block, ...]
    place: Place


Block = Heading | Paragraph | Listing | Table | Figure | Callout


class Rulebook(Struct, frozen=True):
    """A whole rulebook."""

    title: str
    tagline: str
    facts: str  # players, minutes, age in a line
    blocks: tuple[Block, ...]

    @property
    def headings(self) -> tuple[Heading, ...]:
        """The sections, in order."""
        return tuple(b for b in self.blocks if isinstance(b, Heading) and b.section)


def anchor_of(section: str) -> str:
    """Name the spot that a link to a section leads to."""
    return "s" + section.replace(".", "-")
