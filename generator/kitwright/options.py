"""What is asked of a command that makes files, and what it answers. Imports as good as nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from kitwright.model.paper import Printer
from kitwright.problems import Problem

STANDARD = "standard"
Progress = Callable[[int, int], None]


class UnknownNameError(ValueError):
    """A deck or paper was asked for that does not exist: a fault of the command line."""


class BuildOptions(Struct, frozen=True):
    """How a kit is to be printed.

    The cache takes a kit for unchanged when these and the files of the workspace are, so
    whatever else a build looks at has to be a value here.
    """

    papers: tuple[str, ...] = ("a4", "letter")
    sides: str = "long"
    gap: float | None = None  # mm; None chooses by deck
    marks: str = "edge"
    decks: tuple[str, ...] = ()  # only these; all when empty
    skin: str = STANDARD
    variant: str | None = None
    strict: bool = False
    workers: int | None = None
    printer: Printer | None = None  # whose second side is set right
    fill: tuple[str, ...] = ()  # what goes into empty slots: blanks, or deck/card
    sleeved: bool = False  # boxes for cards in sleeves
    stock: float | None = None  # mm that a card is thick; None is that of stock.yaml


class ImageOptions(Struct, frozen=True):
    """How faces become images."""

    dpi: float = 300.0
    bleed: bool = False
    rounded: bool = False
    decks: tuple[str, ...] = ()
    skin: str = STANDARD
    variant: str | None = None
    strict: bool = False
    workers: int | None = None


class Made(Struct, frozen=True):
    """A file that was written."""

    path: str  # from the output folder
    pages: int
    size: int


class PlanRow(Struct, frozen=True):
    """One way to print a kit; without figures, something is too large for it."""

    paper: str
    sides: str
    sheets: int | None  # of paper, for the cards alone
    cards: int
    spares: int  # blanks and chosen cards in slots that would be empty
    empty: int
    cuts: int  # straight lines across a sheet, over all sheets
    chosen: bool = False  # what this build prints


class Report(Struct, frozen=True):
    """What a command made of one game."""

    game: str
    folder: Path
    files: tuple[Made, ...]
    warnings: tuple[Problem, ...]
    drawn: int = 0  # faces
    recalled: int = 0  # faces that were taken from the cache
    unchanged: bool = False  # the kit was there already, and nothing was written
    plan: tuple[PlanRow, ...] = ()  # the paper that it takes, and would take otherwise


def folder_of(game: str, variant: str | None, skin: str) -> str:
    """Name the folder of a game, a variant and a skin."""
    with_variant = game + (f"+{variant}" if variant else "")
    return with_variant + (f"+{skin}" if skin != STANDARD else "")
