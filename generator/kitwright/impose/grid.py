"""How many cards of a size fit on a paper, and where. Knows sizes; names no card and draws nothing.

Paper is always upright. Where lying cards fit in greater number the cards are
turned, not the page: pages of two orientations in one print job make duplex
printers turn some backs over.
"""

from __future__ import annotations

from msgspec import Struct

from kitwright.model.game import Size
from kitwright.model.geometry import (
    Box,
    Matrix,
    flip,
    mirror,
    multiply,
    rotation,
    translation,
)
from kitwright.model.paper import Paper
from kitwright.problems import InvalidInputError, Place, Problem

SIDES = ("long", "short", "fold", "two-pass", "fronts")
HAIR = 1e-6  # sums of decimal lengths are off by less than this


class Grid(Struct, frozen=True):
    """Columns and rows of equal cards; with a fold, those of the half that holds the fronts."""

    size: Size
    paper: Paper
    columns: int
    rows: int
    turned: bool  # cards lie on their side, their tops to the right
    gap: float
    left: float
    top: float
    fold: str = ""  # "x": the paper is folded on an upright line; "y": on a level one

    @property
    def count(self) -> int:
        """The number of cards on one sheet."""
        return self.columns * self.rows

    @property
    def cell(self) -> tuple[float, float]:
        """The width and height that one card takes on the page."""
        size = (self.size.width, self.size.height)
        return size[::-1] if self.turned else size

    @property
    def block(self) -> Box:
        """The box round all fronts of a full sheet."""
        first, last = self.box(0), self.box(self.count - 1)
        return first[0], first[1], last[2], last[3]

    def box(self, index: int) -> Box:
        """Return the trimmed box of the card at `index`, counted in reading order."""
        row, column = divmod(index, self.columns)
        w, h = self.cell
        x, y = self.left + column * (w + self.gap), self.top + row * (h + self.gap)
        return x, y, x + w, y + h

    def front(self, index: int) -> Matrix:
        """Return the matrix from a face to the page."""
        left, top, right, _ = self.box(index)
        return multiply(translation(right, top), rotation(90)) if self.turned else (
            translation(left, top)
        )  # fmt: skip

    def turn_over(self, sides: str) -> Matrix:
        """Return where a point of the front page is found on the page of the backs.

        Upright paper turned over its long edge, like the page of a book, swaps
        left and right; over its short edge, top and bottom. A fold does the
        same about its own line. Paper that is fed a second time is turned like a book.
        """
        level = self.fold == "y" if self.fold else sides == "short"
        return flip(self.paper.height / 2) if level else mirror(self.paper.width / 2)

    def back(self, index: int, sides: str) -> Matrix:
        """Return the matrix of the back behind `index`, its top behind the top of the front."""
        turned_card = mirror(self.size.width / 2)
        return multiply(multiply(self.turn_over(sides), self.front(index)), turned_card)


def arrange(size: Size, paper: Paper, sides: str, gap: float, bleed: float, place: Place) -> Grid:
    """Return the grid that holds most cards, upright ones first where it is a draw."""
    folds = ("x", "y") if sides == "fold" else ("",)
    grids = [_grid(size, paper, turned, gap, bleed, fold)
             for turned in (False, True) for fold in folds]  # fmt: skip
    best = max(grids, key=lambda grid: grid.count)
    if best.count == 0:
        raise InvalidInputError([_too_large(size, paper, bleed, sides, place)])
    return best


def _room(paper: Paper, fold: str, gutter: float) -> tuple[float, float]:
    """Return the width and height that cards may use, in one half if the paper is folded."""
    across, down = paper.width - 2 * paper.margin, paper.height - 2 * paper.margin
    if fold == "x":
        across = across / 2 - gutter
    if fold == "y":
        down = down / 2 - gutter
    return across, down


def _grid(size: Size, paper: Paper, turned: bool, gap: float, bleed: float, fold: str) -> Grid:
    w, h = (size.height, size.width) if turned else (size.width, size.height)
    gutter = max(bleed, gap / 2) if fold else 0.0
    across, down = _room(paper, fold, gutter)
    columns = max(0, int((across + gap) / (w + gap) + HAIR))
    rows = max(0, int((down + gap) / (h + gap) + HAIR))
    wide, high = columns * (w + gap) - gap, rows * (h + gap) - gap
    left, top = (paper.width - wide) / 2, (paper.height - high) / 2
    if fold == "x":
        left = paper.width / 2 - gutter - wide
    if fold == "y":
        top = paper.height / 2 - gutter - high
    return Grid(size, paper, columns, rows, turned, gap, left, top, fold)


def _too_large(size: Size, paper: Paper, bleed: float, sides: str, place: Place) -> Problem:
    fold = "y" if sides == "fold" else ""
    across, down = _room(paper, fold, bleed)
    where = f"{paper.name} can print beside its fold" if fold else f"{paper.name} can print"
    message = (
        f"a card of size '{size.name}' is {size.width:g} x {size.height:g} mm; "
        f"expected at most {across:g} x {down:g} mm, which is what {where}"
    )
    return Problem(place, "card-too-large", message)
