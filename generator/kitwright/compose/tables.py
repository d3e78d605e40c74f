"""Tables in a box: columns and rows sized by their text, then fills, lines and words as ops.

A table that does not fit its box is a TextFault. Knows no card and no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.breaking import SLACK
from kitwright.compose.markup import TextFault
from kitwright.compose.text import Box, Paragraphs, TextBlock, given, measure_text, needed
from kitwright.compose.words import Icons
from kitwright.fonts import Fonts
from kitwright.model.theme import TextStyle
from kitwright.ops import Fill, Op, Path, Stroke


class Column(Struct, frozen=True):
    """A column of `width` mm, or of a `share` of what is left, or else as wide as its text."""

    title: str = ""
    width: float = 0.0
    share: float = 0.0
    align: str = ""  # left center right justify; empty = as the style says


class TableLook(Struct, frozen=True):
    """How a table is drawn; an empty colour draws nothing. Lengths are millimetres."""

    header: TextStyle
    body: TextStyle
    padding_x: float = 1.0
    padding_y: float = 0.6
    header_fill: str = ""
    fill: str = ""
    zebra: str = ""  # the fill of every second row
    row_line: str = ""
    row_line_width: float = 0.15
    column_line: str = ""
    column_line_width: float = 0.15
    header_line: str = ""
    header_line_width: float = 0.3
    frame: str = ""
    frame_width: float = 0.3


class _Cell(Struct, frozen=True):
    """A measured cell and the words that a fault uses for its place."""

    block: TextBlock
    place: str
    column: int


class _Row(Struct, frozen=True):
    """The cells of one row with their lines, broken at the width of their columns."""

    cells: tuple[tuple[_Cell, Paragraphs], ...]
    height: float


def set_table(
    rows: Sequence[Sequence[str]],
    columns: Sequence[Column],
    look: TableLook,
    box: Box,
    fonts: Fonts,
    icons: Icons,
    room: str = "its box",
    stretch: bool = False,
) -> tuple[Op, ...]:
    """Set a table at the top left of `box`; a header row stands above it where columns have titles.

    `room` is the box in messages; `stretch` shares the height that is left among the rows.
    """
    x, y, width, height = box
    has_header = any(column.title for column in columns)
    measured = _measure(rows, columns, look, fonts, icons, has_header)
    if not columns or not measured:
        return ()
    widths = _widths(measured, columns, look, width, room)
    broken = [_break(cells, widths, look) for cells in measured]
    tall = sum(row.height for row in broken)
    if tall > height + SLACK:
        message = f"needs {needed(tall)} but {room} has {given(height)}"
        raise TextFault("text-overflow", message)
    if stretch:
        more = (height - tall) / len(broken)
        broken = [replace(row, height=row.height + more) for row in broken]
    xs = tuple(accumulate(widths, initial=x))
    ys = tuple(accumulate((row.height for row in broken), initial=y))
    header = 1 if has_header else 0
    return (
        *_fills(xs, ys, look, header),
        *_lines(xs, ys, look, header),
        *_words(broken, xs, ys, look),
    )


def _measure(
    rows: Sequence[Sequence[str]],
    columns: Sequence[Column],
    look: TableLook,
    fonts: Fonts,
    icons: Icons,
    has_header: bool,
) -> list[tuple[_Cell, ...]]:
    """Measure every cell, the header's first."""
    titles = [column.title for column in columns]
    texts: list[tuple[str, Sequence[str], TextStyle]] = []
    if has_header:
        texts.append(("the header", titles, look.header))
    texts.extend((f"row {number}", row, look.body) for number, row in enumerate(rows, start=1))
    found: list[tuple[_Cell, ...]] = []
    for where, row, style in texts:
        if len(row) != len(columns):
            message = f"has {_count(len(row), 'cell')} in {where}; expected {len(columns)}"
            raise TextFault("bad-table", message, where)
        cells = []
        for index, (text, column) in enumerate(zip(row, columns, strict=True)):
            dress = replace(style, align=column.align) if column.align else style
            name = f"column '{column.title}'" if column.title else f"column {index + 1}"
            place = f"in {where}, {name}"
            try:
                block = measure_text(text, dress, fonts, icons)
            except TextFault as fault:
                raise TextFault(fault.code, f"{place} {fault.message}", fault.subject) from None
            cells.append(_Cell(block, place, index))
        found.append(tuple(cells))
    return found


def _widths(
    rows: list[tuple[_Cell, ...]],
    columns: Sequence[Column],
    look: TableLook,
    width: float,
    room: str,
) -> list[float]:
    """Share out the width: fixed columns first, then those by content, then the shares."""
    padding = 2 * look.padding_x
    cells = [[row[index].block for row in rows] for index in range(len(columns))]
    natural = [max(b.natural_width(b.style.size_pt) for b in each) + padding for each in cells]
    least = [max(b.least_width(b.style.size_pt) for b in each) + padding for each in cells]
    found = [column.width or least[index] for index, column in enumerate(columns)]
    spare = width - sum(found)
    if spare < -SLACK:
        message = f"needs {needed(sum(found))} of width but {room} has {given(width)}"
        raise TextFault("text-overflow", message)
    loose = [i for i, column in enumerate(columns) if not column.width and not column.share]
    wanted = sum(natural[i] - least[i] for i in loose)
    part = min(1.0, spare / wanted) if wanted else 0.0
    for i in loose:
        found[i] += (natural[i] - least[i]) * part
    spare = max(0.0, spare - wanted * part)
    shares = [column.share for column in columns]
    if any(shares):
        return _shared(found, shares, spare)
    total = sum(found[i] for i in loose)
    return [w + spare * w / total if i in loose else w for i, w in enumerate(found)]


def _shared(found: list[float], shares: list[float], spare: float) -> list[float]:
    """Give the shares their parts of the spare width; none is cut below its widest word."""
    open_shares = {i for i, share in enumerate(shares) if share}
    total = spare + sum(found[i] for i in open_shares)
    while True:
        weight = sum(shares[i] for i in open_shares)
        held = {i for i in open_shares if total * shares[i] / weight < found[i] - SLACK}
        if not held:
            break
        total -= sum(found[i] for i in held)
        open_shares -= held
    return [total * shares[i] / weight if i in open_shares else w for i, w in enumerate(found)]


def _break(cells: tuple[_Cell, ...], widths: list[float], look: TableLook) -> _Row:
    """Break the cells of a row; only a column of fixed width can be too narrow for a word."""
    found = []
    tallest = 0.0
    for cell in cells:
        width = widths[cell.column] - 2 * look.padding_x
        size_pt = cell.block.style.size_pt
        paragraphs, too_wide = cell.block.break_at(width, size_pt)
        if too_wide is not None:
            needs = needed(cell.block.word_width(too_wide, size_pt))
            message = f"{cell.place} needs {needs} of width for '{too_wide.text}' but has "
            raise TextFault("text-overflow", message + given(width), too_wide.text)
        tallest = max(tallest, cell.block.row_height(paragraphs, size_pt))
        found.append((cell, paragraphs))
    return _Row(tuple(found), tallest + 2 * look.padding_y)


def _words(
    rows: list[_Row], xs: tuple[float, ...], ys: tuple[float, ...], look: TableLook
) -> list[Op]:
    ops: list[Op] = []
    for row, top in zip(rows, ys, strict=False):
        for cell, paragraphs in row.cells:
            left, right = xs[cell.column], xs[cell.column + 1]
            box = (
                left + look.padding_x,
                top + look.padding_y,
                right - left - 2 * look.padding_x,
                row.height - 2 * look.padding_y,
            )
            ops.extend(cell.block.place(paragraphs, box, cell.block.style.size_pt).ops)
    return ops


def _fills(xs: tuple[float, ...], ys: tuple[float, ...], look: TableLook, header: int) -> list[Op]:
    left, right = xs[0], xs[-1]
    bands = list(pairwise(ys))
    body = bands[header:]
    ops: list[Op] = []
    if look.fill and body:
        ops.append(Fill(_rectangle(left, body[0][0], right, body[-1][1]), look.fill))
    if look.zebra and len(body) > 1:
        path = tuple(s for top, bottom in body[1::2] for s in _rectangle(left, top, right, bottom))
        ops.append(Fill(path, look.zebra))
    if look.header_fill and header:
        ops.append(Fill(_rectangle(left, ys[0], right, ys[1]), look.header_fill))
    return ops


def _lines(xs: tuple[float, ...], ys: tuple[float, ...], look: TableLook, header: int) -> list[Op]:
    inner = ys[1 + header : -1]
    ops: list[Op] = []
    path: Path
    if look.row_line and inner:
        path = tuple(s for y in inner for s in (("M", xs[0], y), ("L", xs[-1], y)))
        ops.append(Stroke(path, look.row_line, look.row_line_width))
    if look.column_line and len(xs) > 2:
        path = tuple(s for x in xs[1:-1] for s in (("M", x, ys[0]), ("L", x, ys[-1])))
        ops.append(Stroke(path, look.column_line, look.column_line_width))
    if look.header_line and header:
        path = (("M", xs[0], ys[1]), ("L", xs[-1], ys[1]))
        ops.append(Stroke(path, look.header_line, look.header_line_width))
    if look.frame:
        path = _rectangle(xs[0], ys[0], xs[-1], ys[-1])
        ops.append(Stroke(path, look.frame, look.frame_width))
    return ops


def _rectangle(left: float, top: float, right: float, bottom: float) -> Path:
    return (("M", left, top), ("L", right, top), ("L", right, bottom), ("L", left, bottom), ("Z",))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
