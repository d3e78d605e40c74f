"""Faces -> sheets of paper: which face lies where, on fronts and behind them.

Knows the names and sizes of faces, never their ops. What it returns is
geometry: pages for the writer, and what the footer and the marks need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kitwright.impose.grid import Grid, arrange
from kitwright.impose.strips import Strip, find_strip
from kitwright.model.game import Size
from kitwright.model.geometry import Box, Matrix, apply, join_boxes
from kitwright.model.paper import Paper
from kitwright.ops import Page, Placed
from kitwright.problems import Place

NOWHERE = Place("the command line")


class Slotted(Struct, frozen=True):
    """One physical card that waits for its slot; `copy` counts from 1."""

    face: str
    back: str | None
    deck: str
    card: str
    copy: int = 1


class Slot(Struct, frozen=True):
    """A face on a page: its card, its trimmed box, and the box that its bleed may fill."""

    face: str
    card: Slotted
    index: int  # of the card's place among those of the sheet, in reading order of the fronts
    box: Box
    clip: Box
    matrix: Matrix

    @property
    def turn(self) -> int:
        """By how many degrees the face is turned, clockwise."""
        across, down, _, _, _, _ = self.matrix
        return {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[round(across), round(down)]


class Sheet(Struct, frozen=True):
    """One side of one sheet of paper."""

    number: int  # of the sheet of paper, from 1
    side: str  # front, back, or both for paper that is folded
    paper: Paper
    slots: tuple[Slot, ...]
    cards: tuple[Slotted, ...]  # of this sheet of paper, also those without a back
    block: Box  # round all cards that are on the sheet: the TrimBox
    bleed: Box  # the block and the bleed round it: the BleedBox
    cuts_x: tuple[float, ...]  # upright cut lines, from the left
    cuts_y: tuple[float, ...]  # level cut lines, from the top
    fold: str  # "x" or "y" if the paper is folded in the middle, across that axis
    marks: str  # edge, full or none
    strip: Strip | None  # where a footer fits

    @property
    def page(self) -> Page:
        """The page for the writer, without marks and footer."""
        placed = tuple(Placed(slot.face, slot.matrix, slot.clip) for slot in self.slots)
        return Page(self.paper.width, self.paper.height, self.block, self.bleed, placed)

    @property
    def decks(self) -> tuple[str, ...]:
        """The decks whose cards are on this sheet of paper, in order."""
        return tuple(dict.fromkeys(card.deck for card in self.cards))


def impose(
    cards: Sequence[Slotted],
    size: Size,
    paper: Paper,
    sides: str = "long",
    gap: float = 0.0,
    bleed: float = 3.0,
    marks: str = "edge",
    place: Place = NOWHERE,
) -> tuple[Sheet, ...]:
    """Lay cards of one size on sheets; `place` is blamed if they are too large for the paper.

    The order of the sheets is that of printing. `long` and `short` (duplex):
    each front, then its back; a sheet without any back has an empty one, so
    that the next front is not printed behind it. `two-pass`: all fronts, then
    all backs in the same order, for paper whose whole stack is turned over
    like the page of a book and fed again unsorted. `fold`: fronts and backs on
    one side of the paper. `fronts`: no backs.
    """
    grid = arrange(size, paper, sides, gap, bleed, place)
    fronts, backs = [], []
    for number, start in enumerate(range(0, len(cards), grid.count), 1):
        some = tuple(cards[start : start + grid.count])
        maker = _Maker(grid, sides, bleed, marks, number, some)
        fronts.append(maker.folded() if sides == "fold" else maker.front())
        backs.append(maker.back())
    if sides in ("fronts", "fold"):
        return tuple(fronts)
    if sides == "two-pass":
        return (*fronts, *backs)
    return tuple(sheet for pair in zip(fronts, backs, strict=True) for sheet in pair)


class _Maker(Struct, frozen=True):
    """Makes the sides of one sheet of paper."""

    grid: Grid
    sides: str
    bleed: float
    marks: str
    number: int
    cards: tuple[Slotted, ...]

    def front(self) -> Sheet:
        return self._sheet("front", tuple(self._fronts()), tuple(self._boxes()))

    def back(self) -> Sheet:
        return self._sheet("back", tuple(self._backs()), tuple(map(self._behind, self._boxes())))

    def folded(self) -> Sheet:
        boxes = tuple(self._boxes())
        slots = (*self._fronts(), *self._backs())
        return self._sheet("both", slots, (*boxes, *map(self._behind, boxes)))

    def _boxes(self) -> Iterator[Box]:
        return (self.grid.box(index) for index in range(len(self.cards)))

    def _behind(self, box: Box) -> Box:
        over = self.grid.turn_over(self.sides)
        (a, b), (c, d) = apply(over, *box[:2]), apply(over, *box[2:])
        return min(a, c), min(b, d), max(a, c), max(b, d)

    def _clip(self, index: int) -> Box:
        """Return the box that a front may fill: half the gap where it has a neighbour."""
        left, top, right, bottom = self.grid.box(index)
        row, column = divmod(index, self.grid.columns)
        near = min(self.bleed, self.grid.gap / 2)
        last = len(self.cards)
        by_right = column + 1 < self.grid.columns and index + 1 < last
        by_bottom = index + self.grid.columns < last
        out = (
            near if column else self.bleed,
            near if row else self.bleed,
            near if by_right else self.bleed,
            near if by_bottom else self.bleed,
        )
        return left - out[0], top - out[1], right + out[2], bottom + out[3]

    def _fronts(self) -> Iterator[Slot]:
        for index, card in enumerate(self.cards):
            box, clip = self.grid.box(index), self._clip(index)
            yield Slot(card.face, card, index, box, clip, self.grid.front(index))

    def _backs(self) -> Iterator[Slot]:
        for index, card in enumerate(self.cards):
            if card.back is not None:
                box, clip = self._behind(self.grid.box(index)), self._behind(self._clip(index))
                yield Slot(card.back, card, index, box, clip, self.grid.back(index, self.sides))

    def _full(self, side: str) -> Box:
        """Return the block of a full sheet with its bleed, so that footers keep their place."""
        front = self.grid.block
        behind = self._behind(front)
        block = {"front": front, "back": behind, "both": join_boxes((front, behind))}[side]
        left, top, right, bottom = block
        return left - self.bleed, top - self.bleed, right + self.bleed, bottom + self.bleed

    def _sheet(self, side: str, slots: tuple[Slot, ...], boxes: tuple[Box, ...]) -> Sheet:
        paper = self.grid.paper
        block = join_boxes(boxes)
        outer = (
            max(0.0, block[0] - self.bleed),
            max(0.0, block[1] - self.bleed),
            min(paper.width, block[2] + self.bleed),
            min(paper.height, block[3] + self.bleed),
        )
        cuts_x = _lines(edge for box in boxes for edge in (box[0], box[2]))
        cuts_y = _lines(edge for box in boxes for edge in (box[1], box[3]))
        stops_x = (*cuts_x, paper.width / 2) if self.grid.fold == "x" else cuts_x
        stops_y = (*cuts_y, paper.height / 2) if self.grid.fold == "y" else cuts_y
        marks = "edge" if self.grid.fold and self.marks == "none" else self.marks
        strip = find_strip(paper, self._full(side), sorted(stops_x), sorted(stops_y), marks)
        return Sheet(
            self.number, side, paper, slots, self.cards, block, outer,
            cuts_x, cuts_y, self.grid.fold, self.marks, strip,
        )  # fmt: skip


def _lines(edges: Iterator[float]) -> tuple[float, ...]:
    """Return cut lines in order; edges that touch are one cut."""
    out: list[float] = []
    for edge in sorted(edges):
        if not out or edge - out[-1] > 0.001:
            out.append(edge)
    return tuple(out)
