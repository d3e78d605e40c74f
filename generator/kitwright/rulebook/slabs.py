"""Blocks become slabs: pieces of a column that no page break may part, with their spacing.

All measuring and breaking of a rulebook's words is done here, with the means of compose.
Knows the width of the column; knows no page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.markup import TextFault
from kitwright.compose.tables import Column, TableLook, set_table
from kitwright.compose.text import MM_PER_PT, given, measure_text, needed
from kitwright.compose.words import Icons
from kitwright.fonts import Fonts
from kitwright.model.geometry import circle, path_bounds, rectangle, translation
from kitwright.model.theme import TextStyle, Theme
from kitwright.ops import Fill, Group, Op, Use, Word
from kitwright.problems import Place, Problem
from kitwright.rulebook.blocks import (
    Block,
    Callout,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Rulebook,
    Table,
)
from kitwright.rulebook.figures import Artist, Drawing
from kitwright.rulebook.rows import LONG, TOGETHER, part_rows

_INDENT = 6.5  # mm of a list
_PAD = 3.0  # mm round a call-out
_AFTER = 1.2  # mm below a figure or table
_DOT = 1.8  # mm from dot to dot
_LEAST_SIDE = 25.0  # mm of a column that headings can hang in
_ENDLESS = 100_000.0
_FEW_LINES = 2
_LEAD = [Heading, Paragraph]
_SHORT_CALLOUT = 0.4  # of a page: a call-out that long is not parted


class Frame(Struct, frozen=True):
    """The column: its whole width, and where in it running text stands."""

    width: float
    height: float
    text: float  # mm from the left edge of the column to the text

    @property
    def text_width(self) -> float:
        """The length of a line."""
        return self.width - self.text


class Slab(Struct, frozen=True):
    """A piece of the column; `before` is dropped at the top of a page."""

    ops: tuple[Op, ...]
    height: float
    before: float = 0.0
    keep: bool = False  # stays with the next slab
    band: str = ""  # the call-out that it belongs to, with its kind: "example 3"
    floats: bool = False  # may go to the next page while text goes on
    side: float = 0.0  # how far down the side column its heading reaches
    heading: Heading | None = None
    link: str = ""  # the anchor that its whole area leads to
    key: tuple[str, int] | None = None  # where a galley has its ops


class Typesetter:
    """Sets the blocks of one rulebook in one column."""

    def __init__(
        self, dress: Theme, fonts: Fonts, icons: Icons, frame: Frame, problems: list[Problem]
    ) -> None:
        self.dress, self.fonts, self.icons = dress, fonts, icons
        self.frame, self.problems = frame, problems
        self.artist = Artist(dress, fonts, icons)
        self.bands = 0

    def blocks(self, blocks: Sequence[Block], x: float, width: float, band: str = "") -> list[Slab]:
        """Set blocks one below the other; what leads up to a list or table stays with it."""
        return join_blocks(blocks, lambda block: self.block(block, x, width, band))

    def opening(self, book: Rulebook, place: Place) -> list[Slab]:
        """Set the lines below the title."""
        style = self.dress.styles["tagline"]
        return [
            slab
            for text, before in ((book.tagline, 2.0), (f"**{book.facts}**", 1.0))
            if text.strip("*")
            for slab in self.words(text, style, 0.0, self.frame.width, place, before)
        ]

    def entry(self, heading: Heading, page: int, before: float) -> list[Slab]:
        """Set a line of the table of contents, which is a link."""
        style = self.dress.styles["contents"]
        x, width = self.frame.text, self.frame.text_width
        title = self.line(f"§{heading.section}  {heading.text}", style, x, width, heading.place)
        at_end = replace(style, align="right")
        number = self.line(str(page), at_end, x, width, heading.place)
        ops = (*title.ops, *number.ops, *self.dots(title, number))
        return [Slab(ops, title.height, before, keep=True, link=heading.anchor)]

    def dots(self, title: Drawing, page: Drawing) -> tuple[Op, ...]:
        """Draw the dots that lead from a title to its page number."""
        start = max((w.x + self.width_of(w) for w in _words(title.ops)), default=0.0) + 2.0
        end = min((word.x for word in _words(page.ops)), default=0.0) - 2.0
        y, color = title.height * 0.72, self.dress.colors["line"]
        count = max(0, int((end - start) / _DOT))
        return tuple(Fill(circle(end - index * _DOT, y, 0.22), color) for index in range(count))

    def width_of(self, word: Word) -> float:
        """Return the millimetres that a word takes."""
        return self.fonts.shape(word.font, word.text).width * word.size_pt * MM_PER_PT

    def block(self, block: Block, x: float, width: float, band: str = "") -> list[Slab]:
        """Set one block."""
        match block:
            case Heading():
                return self.heading(block, x, width, band)
            case Paragraph():
                body = self.dress.styles["body"]
                return self.words(block.text, body, x, width, block.place, 1.9, band)
            case Listing():
                return self.listing(block, x, width, band)
            case Table():
                return self.table(block, x, width, band)
            case Figure():
                return self.figure(block, x, width, band)
            case Callout():
                return self.callout(block, x, width)

    def words(
        self,
        text: str,
        style: TextStyle,
        x: float,
        width: float,
        place: Place,
        before: float,
        band: str = "",
    ) -> list[Slab]:
        """Set a paragraph as one slab a line; its first and last two lines stay together."""
        lines, high = self.lines(text, style, x, width, place)
        last = len(lines) - 1
        return [
            Slab(
                ops,
                high,
                0.0 if index else before,
                keep=index < last and (index in (0, last - 1)),
                band=band,
            )
            for index, ops in enumerate(lines)
        ]

    def lines(
        self, text: str, style: TextStyle, x: float, width: float, place: Place
    ) -> tuple[list[tuple[Op, ...]], float]:
        """Break and set words; return the ops of each line from its own top, and their distance."""
        scale = style.size_pt * MM_PER_PT
        high = style.leading * scale
        try:
            block = measure_text(text, style, self.fonts, self.icons)
        except TextFault as fault:
            self.problems.append(Problem(place, fault.code, f"the text {fault.message}"))
            return [], high
        paragraphs, too_wide = block.break_at(width, style.size_pt)
        if too_wide is not None:
            needs = needed(block.word_width(too_wide, style.size_pt))
            said = f"the text needs {needs} of width for '{too_wide.text}' but has {given(width)}"
            self.problems.append(Problem(place, "text-overflow", said))
        placed = block.place(paragraphs, (x, 0.0, width, _ENDLESS), style.size_pt)
        found: list[list[Op]] = [[] for _ in range(placed.lines)]
        first = max(block.rise, block.above) * scale
        for op in placed.ops:
            index = min(max(round((_baseline(op, block.cap * scale) - first) / high), 0),
                        placed.lines - 1)  # fmt: skip
            found[index].append(op)
        return [
            (Group(tuple(ops), translation(0.0, -index * high)),) for index, ops in enumerate(found)
        ], high

    def line(self, text: str, style: TextStyle, x: float, width: float, place: Place) -> Drawing:
        """Set words that are known to fit one line."""
        lines, high = self.lines(text, style, x, width, place)
        return Drawing(lines[0] if lines else (), width, high)

    def heading(self, block: Heading, x: float, width: float, band: str) -> list[Slab]:
        """Set a title, a section with a bar above it, or a part of a section."""
        styles = self.dress.styles
        if block.level == 1:
            return self.words(
                block.text, styles["title"], 0.0, self.frame.width, block.place, 0.0, band
            )
        if block.level == 2:
            return self.section(block)
        style = styles["subhead"]
        text = f"§{block.section}  {block.text}"
        side = x if x >= _LEAST_SIDE and not band else 0.0
        if not side:
            slabs = self.words(text, style, x, width, block.place, 3.6, band)
            first = replace(slabs[0], heading=block)
            return [replace(slab, keep=True) for slab in (first, *slabs[1:])]
        lines, high = self.lines(text, style, 0.0, side - 5.0, block.place)
        ops = tuple(Group(line, translation(0.0, i * high + 0.25)) for i, line in enumerate(lines))
        return [Slab(ops, 0.0, 3.6, keep=True, side=len(lines) * high, heading=block)]

    def section(self, block: Heading) -> list[Slab]:
        """Set the heading of a section across the whole column."""
        style = self.dress.styles["head"]
        number = replace(style, color=self.dress.colors["rule"])
        width = self.frame.width
        mark = self.line(f"§{block.section}", number, 0.0, width, block.place)
        left = max(self.frame.text, 15.0)
        lines, high = self.lines(block.text, style, left, width - left, block.place)
        bar = Fill(rectangle(0.0, 0.0, width, 0.7), self.dress.colors["rule"])
        ops: list[Op] = [bar, Group(mark.ops, translation(0.0, 2.2))]
        ops += [Group(line, translation(0.0, 2.2 + i * high)) for i, line in enumerate(lines)]
        return [Slab(tuple(ops), 2.6 + len(lines) * high, 7.2, keep=True, heading=block)]

    def listing(self, block: Listing, x: float, width: float, band: str) -> list[Slab]:
        """Set a list, its bullets or numbers hung at the left."""
        body = self.dress.styles["body"]
        found: list[Slab] = []
        for index, item in enumerate(block.items):
            slabs = self.blocks(item, x + _INDENT, width - _INDENT, band)
            if not slabs:
                continue
            if found and index in (1, len(block.items) - 1):
                found[-1] = replace(found[-1], keep=True)  # no item stands alone on a page
            first = slabs[0]
            mark = self.marker(block, index, x, body)
            slabs[0] = replace(first, ops=(*mark, *first.ops), before=1.9 if not index else 1.0)
            found += slabs
        return found

    def marker(self, block: Listing, index: int, x: float, style: TextStyle) -> tuple[Op, ...]:
        """Draw the bullet or the number of an item."""
        color = self.dress.colors["rule"]
        if block.start is None:
            middle = self.fonts.metrics(style.regular)
            y = (middle.ascent - middle.x_height / 2) * style.size_pt * MM_PER_PT
            return (Fill(circle(x + 2.4, y, 0.75), color),)
        number = f"**{block.start + index}**"
        tinted = replace(style, color=color)
        return self.line(number, tinted, x + 1.2, _INDENT, block.place).ops

    def table(self, block: Table, x: float, width: float, band: str) -> list[Slab]:
        """Set a table; one that is too tall for a page is parted between rows."""
        columns = [
            Column(title, align=align)
            for title, align in zip(block.header, block.aligns, strict=True)
        ]
        styles, colors = self.dress.styles, self.dress.colors
        look = TableLook(
            styles["cell-head"], styles["cell"], 1.6, 0.9,
            fill=colors["paper"], zebra=colors["zebra"], row_line=colors["line"],
            header_line=colors["rule"],
        )  # fmt: skip
        try:
            box = (x, 0.0, width, _ENDLESS)
            ops = set_table(block.rows, columns, look, box, self.fonts, self.icons, "the page")
        except TextFault as fault:
            said = f"the table {fault.message}"
            self.problems.append(Problem(block.place, fault.code, said))
            return []
        height = max((path_bounds(op.path)[3] for op in ops if isinstance(op, Fill)), default=0.0)
        if len(block.rows) >= LONG and not any(block.header) and not band:
            return self.rows(ops, x, width, height) + self.caption(
                block.caption, x, width, block.place, band
            )
        half = len(block.rows) // 2
        if height > 0.9 * self.frame.height and half:
            parts = (block.rows[:half], block.rows[half:])
            tables = (replace(block, rows=rows, caption="") for rows in parts)
            return [slab for part in tables for slab in self.table(part, x, width, band)]
        slabs = [Slab(ops, height + _AFTER, 2.6, keep=bool(block.caption), band=band)]
        return slabs + self.caption(block.caption, x, width, block.place, band)

    def rows(self, ops: tuple[Op, ...], x: float, width: float, height: float) -> list[Slab]:
        """Part a long table without a header, so that a page may end between its rows."""
        parts = list(part_rows(ops, x, width, height))
        last = len(parts) - 1
        return [
            Slab(
                row,
                tall + (_AFTER if at == last else 0.0),
                0.0 if at else 2.6,
                keep=at < TOGETHER - 1 or last - TOGETHER < at < last,
            )
            for at, (row, tall) in enumerate(parts)
        ]

    def caption(self, text: str, x: float, width: float, place: Place, band: str) -> list[Slab]:
        """Set the words below a figure or table."""
        if not text:
            return []
        slabs = self.words(text, self.dress.styles["caption"], x, width, place, 1.4, band)
        return [replace(slab, keep=slab is not slabs[-1]) for slab in slabs]

    def figure(self, block: Figure, x: float, width: float, band: str) -> list[Slab]:
        """Set a figure with its caption as one slab."""
        if block.wide and not band:
            x, width = 0.0, self.frame.width
        try:
            drawing = self.artist.draw(block.scene, width)
        except TextFault as fault:
            said = f"the figure '{block.name}' {fault.message}"
            self.problems.append(Problem(block.place, fault.code, said))
            return []
        left = x + (width - drawing.width) / 2
        ops: list[Op] = [Group(drawing.ops, translation(left, 0.0))]
        height = drawing.height
        for slab in self.caption(block.caption, x, width, block.place, band):
            height += slab.before
            ops.append(Group(slab.ops, translation(0.0, height)))
            height += slab.height
        return [Slab(tuple(ops), height + _AFTER, 3.4, band=band, floats=block.floats and not band)]

    def callout(self, block: Callout, x: float, width: float) -> list[Slab]:
        """Set blocks on a tinted ground; a short call-out is not parted."""
        self.bands += 1
        band = f"{block.kind} {self.bands}"
        inner = self.blocks(block.blocks, x + _PAD + 1.5, width - 2 * _PAD - 1.5, band)
        if not inner:
            return []
        inner[0] = replace(inner[0], before=0.0)
        slabs = [
            Slab((), _PAD - 1.0, 3.4, keep=True, band=band),
            *inner[:-1],
            replace(inner[-1], keep=True),
            Slab((), _PAD - 0.5, band=band),
        ]
        tall = sum(slab.height + slab.before for slab in slabs)
        if tall < _SHORT_CALLOUT * self.frame.height:
            slabs = [replace(slab, keep=slab is not slabs[-1]) for slab in slabs]
        return slabs


def join_blocks(
    blocks: Sequence[Block], set_block: Callable[[Block], Sequence[Slab]]
) -> list[Slab]:
    """Set blocks one below the other; what leads up to a list or table stays with it.

    So do a few words between a heading and a call-out.
    """
    found: list[Slab] = []
    lines = 0
    for index, block in enumerate(blocks):
        few = isinstance(block, Callout) and lines <= _FEW_LINES
        led = few and [type(each) for each in blocks[max(index - 2, 0) : index]] == _LEAD
        if found and (led or isinstance(block, Listing | Table)):
            found[-1] = replace(found[-1], keep=True)
        slabs = set_block(block)
        lines = len(slabs)
        found += slabs
    return found


def _baseline(op: Op, cap: float) -> float:
    """Return the line that a word or an icon stands on."""
    if isinstance(op, Word):
        return op.baseline
    assert isinstance(op, Use)
    return op.matrix[5] + (op.matrix[3] + cap) / 2


def _words(ops: Sequence[Op]) -> Iterator[Word]:
    for op in ops:
        if isinstance(op, Group):
            yield from _words(op.ops)
        elif isinstance(op, Word):
            yield op
