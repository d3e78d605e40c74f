"""Text in a box: measured, broken into lines, shrunk where allowed, and turned into ops.

All that is ever decided about text is decided here and in words.py and breaking.py; a writer
only replays it. A text that does not fit is a TextFault, never clipped. Knows no card and no
file: the caller says whose text it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from unicodedata import normalize

from msgspec import Struct

from kitwright.compose.breaking import (
    SLACK,
    Broken,
    Line,
    balance_lines,
    fill_lines,
    line_width,
    mend_last_line,
    never_split,
)
from kitwright.compose.markup import TextFault, parse_markup
from kitwright.compose.words import Chunk, Icons, InlineIcon, Measurer
from kitwright.fonts import Fonts
from kitwright.model.theme import TextStyle
from kitwright.ops import Op, Use, Word

__all__ = ["InlineIcon", "SetText", "TextBlock", "TextFault", "measure_text", "set_text"]

MM_PER_PT = 25.4 / 72
_STEP_PT = 0.1
_FLAT = frozenset("0123456789ABCDEFGHIJKLMNOPRSTUVWXYZ +-=.:!?%'\"\ufffc")  # cap height, no tail
_OVERSHOOT = 0.03  # em by which round letters pass the cap height and the baseline

Box = tuple[float, float, float, float]  # x, y, width, height
Paragraphs = tuple[tuple[Line, ...], ...]


class SetText(Struct, frozen=True):
    """A text in its box: what to draw, at which size, and the millimetres that it takes."""

    ops: tuple[Op, ...]
    size_pt: float
    lines: int
    height: float
    width: float


class TextBlock:
    """A text measured in em, ready to be broken at any width and size."""

    def __init__(self, text: str, measurer: Measurer) -> None:
        self.style = measurer.style
        self._measurer = measurer
        paragraphs = parse_markup(text if text.isascii() else normalize("NFC", text))
        chunks = (measurer.chunks(paragraph) for paragraph in paragraphs)
        self.paragraphs = tuple(found for found in chunks if found)
        self._track = measurer.tracking / 1000
        self._set_heights(measurer)

    def _set_heights(self, measurer: Measurer) -> None:
        parts = [part for chunks in self.paragraphs for chunk in chunks for part in chunk.parts]
        fonts = {part.font for part in parts if part.font} or {self.style.regular}
        metrics = [measurer.fonts.metrics(font) for font in sorted(fonts)]
        self.cap = measurer.fonts.metrics(self.style.regular).cap_height
        self.rise = max(m.ascent for m in metrics)  # where a first baseline likes to be
        self.fall = max(m.descent for m in metrics)
        flat = all(_FLAT.issuperset(part.text) for part in parts)
        over = (measurer.tallest_icon - self.cap) / 2
        above = self.cap + _OVERSHOOT if flat else self.rise
        below = _OVERSHOOT if flat else self.fall
        self.above = max(above, self.cap + over)
        self.below = max(below, over)

    def break_at(self, width: float, size_pt: float) -> tuple[Paragraphs, Chunk | None]:
        """Break into lines of `width` mm; also return a word that is wider than that."""
        measure = width / (size_pt * MM_PER_PT) + self._track
        broken = [self._break(chunks, measure) for chunks in self.paragraphs]
        too_wide = next((each.too_wide for each in broken if each.too_wide), None)
        return tuple(each.lines for each in broken), too_wide

    def _break(self, chunks: tuple[Chunk, ...], measure: float) -> Broken:
        split = self._measurer.split
        if self.style.align != "center":
            return fill_lines(chunks, measure, split)
        # Centred text is hyphenated only where a word is too wide for any line.
        broken = fill_lines(chunks, measure, never_split)
        return fill_lines(chunks, measure, split) if broken.too_wide else broken

    def height(self, paragraphs: Paragraphs, size_pt: float) -> float:
        """Return the millimetres from the top of the first line to the bottom of the last."""
        if not paragraphs:
            return 0.0
        return (self.above + self._drop(paragraphs) + self.below) * size_pt * MM_PER_PT

    def row_height(self, paragraphs: Paragraphs, size_pt: float) -> float:
        """Return the millimetres of whole lines, the same for any letters; at least one line."""
        drop = self._drop(paragraphs) if paragraphs else 0.0
        above, below = max(self.rise, self.above), max(self.fall, self.below)
        return (above + drop + below) * size_pt * MM_PER_PT

    def _drop(self, paragraphs: Paragraphs) -> float:
        """Return the em from the first baseline to the last."""
        gaps = sum(map(len, paragraphs)) - 1
        return gaps * self.style.leading + (len(paragraphs) - 1) * self.style.space_after

    def natural_width(self, size_pt: float) -> float:
        """Return the millimetres that the text takes when only paragraphs break lines."""
        widths = (line_width(chunks) - self._track for chunks in self.paragraphs)
        return max(widths, default=0.0) * size_pt * MM_PER_PT

    def least_width(self, size_pt: float) -> float:
        """Return the millimetres of the widest word."""
        words = (chunk for chunks in self.paragraphs for chunk in chunks)
        return max((self.word_width(word, size_pt) for word in words), default=0.0)

    def word_width(self, word: Chunk, size_pt: float) -> float:
        """Return the millimetres of one word."""
        return (word.width - self._track) * size_pt * MM_PER_PT

    def place(self, paragraphs: Paragraphs, box: Box, size_pt: float) -> SetText:
        """Turn broken lines into ops; they are known to fit the box."""
        if not paragraphs:
            return SetText((), size_pt, 0, 0.0, 0.0)
        x, _, width, _ = box
        scale = size_pt * MM_PER_PT
        measure = width / scale
        baseline = self._first_baseline(paragraphs, box, scale)
        ops: list[Op] = []
        widest = 0.0
        for paragraph in paragraphs:
            lines = self._polish(paragraph, measure)
            for line in lines:
                used = line_width(line) - self._track
                widest = max(widest, used)
                justified = self.style.align == "justify" and line is not lines[-1]
                spare = measure - used
                extra = int(max(spare, 0.0) * 1000) if justified else 0
                left = x + spare * scale * _SHIFTS.get(self.style.align, 0.0)
                ops.extend(self._line_ops(line, left, baseline, size_pt, extra))
                baseline += self.style.leading * scale
            baseline += self.style.space_after * scale
        height = self.height(paragraphs, size_pt)
        return SetText(tuple(ops), size_pt, sum(map(len, paragraphs)), height, widest * scale)

    def _polish(self, lines: tuple[Line, ...], measure: float) -> tuple[Line, ...]:
        """Improve how full the lines are without changing their number."""
        if len(lines) < 2:
            return lines
        room = measure + self._track
        if self.style.align == "justify":
            return lines  # a line that gives a word away would gape
        if self.style.align != "center":
            return mend_last_line(lines, room)
        whole = all(chunk.space_font for line in lines[1:] for chunk in line)
        chunks = tuple(chunk for line in lines for chunk in line)
        return balance_lines(chunks, room) if whole else lines

    def _first_baseline(self, paragraphs: Paragraphs, box: Box, scale: float) -> float:
        _, y, _, height = box
        drop = self._drop(paragraphs)
        highest = y + self.above * scale
        lowest = y + height - (drop + self.below) * scale
        if self.style.valign == "middle":
            # By the eye: from the top of the capitals to the last baseline.
            wanted = y + (height + (self.cap - drop) * scale) / 2
        elif self.style.valign == "bottom":
            wanted = lowest
        else:
            wanted = y + self.rise * scale
        return max(min(wanted, lowest), highest)

    def _line_ops(
        self, line: Line, x: float, baseline: float, size_pt: float, extra: int
    ) -> Iterator[Op]:
        """Yield one word op for every stretch of one font, spaces and all, and one for each icon.

        `extra` thousandths of an em are shared out among the spaces.
        """
        scale = size_pt * MM_PER_PT
        stretch, left_over = divmod(extra, len(line) - 1) if len(line) > 1 else (0, 0)
        run: list[tuple[str, tuple[int, ...]]] = []
        font, start, at = "", 0.0, 0.0
        for index, chunk in enumerate(line):
            if index:
                gap = stretch + (index <= left_over)
                at += chunk.space + gap / 1000
                if font == chunk.space_font == chunk.parts[0].font:
                    run.append((" ", (gap,) if gap else ()))
                elif run:
                    yield self._word(run, x + start * scale, baseline, font, size_pt)
                    run, font = [], ""
            for part in chunk.parts:
                if run and part.font != font:
                    yield self._word(run, x + start * scale, baseline, font, size_pt)
                    run = []
                font = part.font
                if part.icon:
                    yield self._use(part.icon, x + at * scale, baseline, scale)
                else:
                    start = start if run else at
                    run.append((part.text, part.kerns))
                at += part.width
        if run:
            yield self._word(run, x + start * scale, baseline, font, size_pt)

    def _word(
        self,
        run: list[tuple[str, tuple[int, ...]]],
        x: float,
        baseline: float,
        font: str,
        pt: float,
    ) -> Word:
        track = self._measurer.tracking
        text = "".join(piece for piece, _ in run)
        kerns: tuple[int, ...] = ()
        if track or any(kern for _, kern in run):
            kerns = tuple(k + track for piece, kern in run for k in kern or (0,) * len(piece))
        return Word(x, baseline, font, pt, self.style.color, text, kerns, self.style.name)

    def _use(self, icon: InlineIcon, x: float, baseline: float, scale: float) -> Use:
        size = icon.height * scale
        top = baseline - (self.cap + icon.height) / 2 * scale
        return Use(icon.symbol, (size, 0.0, 0.0, size, x + icon.bearing * scale, top))


_SHIFTS = {"center": 0.5, "right": 1.0}


def measure_text(text: str, style: TextStyle, fonts: Fonts, icons: Icons) -> TextBlock:
    """Read the markup of `text` and measure its words."""
    return TextBlock(text, Measurer(style, fonts, icons))


def set_text(
    text: str,
    style: TextStyle,
    box: Box,
    fonts: Fonts,
    icons: Icons,
    overflow: str,
    room: str = "its box",
) -> SetText:
    """Set `text` in `box`, smaller where `overflow` is shrink; `room` is the box in messages."""
    block = measure_text(text, style, fonts, icons)
    _, _, width, height = box

    def fits(size_pt: float) -> Paragraphs | None:
        paragraphs, too_wide = block.break_at(width, size_pt)
        tall = block.height(paragraphs, size_pt) > height + SLACK
        return None if too_wide or tall else paragraphs

    paragraphs = fits(style.size_pt)
    if paragraphs is not None:
        return block.place(paragraphs, box, style.size_pt)
    steps = _steps(style) if overflow == "shrink" else 0
    found = fits(_size(style, steps)) if steps else None
    if found is None:
        raise _overflow(block, box, _size(style, steps), room)
    too_big, good = 0, steps
    while good - too_big > 1:
        middle = (too_big + good) // 2
        paragraphs = fits(_size(style, middle))
        if paragraphs is None:
            too_big = middle
        else:
            good, found = middle, paragraphs
    return block.place(found, box, _size(style, good))


def _steps(style: TextStyle) -> int:
    """Return how many times the size may be lessened; 0 where the style names no least size."""
    if not 0 < style.least_pt < style.size_pt:
        return 0
    return ceil(round((style.size_pt - style.least_pt) / _STEP_PT, 6))


def _size(style: TextStyle, steps: int) -> float:
    return (
        max(round(style.size_pt - steps * _STEP_PT, 4), style.least_pt) if steps else style.size_pt
    )


def _overflow(block: TextBlock, box: Box, size_pt: float, room: str) -> TextFault:
    _, _, width, height = box
    paragraphs, too_wide = block.break_at(width, size_pt)
    shrunk = f" at its least size of {size_pt:g}pt" if size_pt < block.style.size_pt else ""
    if too_wide is None:
        needs = needed(block.height(paragraphs, size_pt))
        message = f"needs {needs}{shrunk} but {room} has {given(height)}"
        return TextFault("text-overflow", message)
    needs = needed(block.word_width(too_wide, size_pt))
    word = too_wide.text
    message = f"needs {needs} of width for '{word}'{shrunk} but {room} has {given(width)}"
    return TextFault("text-overflow", message, word)


def needed(length: float) -> str:
    """Write a length that is wanted, rounded up so that it never reads as what there is."""
    return f"{ceil(length * 10 - SLACK) / 10:g}mm"


def given(length: float) -> str:
    """Write a length that there is, rounded down."""
    return f"{floor(length * 100 + SLACK) / 100:g}mm"
