"""Plots as ops: the same drawing goes into a PDF and, as SVG, onto a screen.

A plot draws itself in the dress of the report, at the width that the page has. Shapes and
labels tell everything; colour only helps. Knows no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.text import set_text
from kitwright.model.geometry import circle, polyline, rectangle
from kitwright.ops import Fill, Op, Path, Stroke
from kitwright.rulebook.figures import Artist, Drawing

LINE = 4.4  # mm of a line of labels
_BAR_HEIGHT = 34.0
_ROW = 6.6
_CURVE = 52.0
_FINE = 0.2
_TICKS = 6


class Pen(Struct, frozen=True):
    """Puts labels and lines on a drawing."""

    artist: Artist

    def text(
        self, text: str, x: float, y: float, width: float, align: str = "left", strong: bool = False
    ) -> tuple[Op, ...]:
        """Set one line of small words, smaller where it is long."""
        style = self.artist.dress.styles["caption"]
        color = self.color("ink" if strong else "soft")
        style = replace(style, align=align, hyphenate="", least_pt=4.5, color=color, leading=1.2)
        box = (x, y, width, LINE)
        fonts, icons = self.artist.fonts, self.artist.icons
        words = f"**{text}**" if strong else text
        return set_text(words, style, box, fonts, icons, "shrink", "the plot").ops

    def color(self, name: str) -> str:
        """Return a colour of the dress."""
        return self.artist.dress.colors[name]

    def line(
        self, *points: tuple[float, float], color: str = "line", width: float = _FINE
    ) -> Stroke:
        """Draw a line."""
        return Stroke(polyline(points), self.color(color), width, cap="round")

    def dashed(self, *points: tuple[float, float], color: str = "soft") -> Stroke:
        """Draw a dashed line."""
        return Stroke(polyline(points), self.color(color), 0.3, dash=(1.2, 1.0))


class Scale(Struct, frozen=True):
    """From values to millimetres."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def scale_for(values: Sequence[float], start: float, end: float) -> tuple[Scale, list[float]]:
    """Return a scale that holds all values, and round numbers to mark on it."""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = _step((high - low) / _TICKS)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    ticks = [round(n * step, 10) for n in range(first, last + 1)]
    return Scale(ticks[0], ticks[-1], start, end), ticks


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(least))
    return next(power * n for n in (1, 2, 2.5, 5, 10) if power * n >= least - 1e-12)


def number(value: float, percent: bool = False) -> str:
    """Write a value as a plot shows it."""
    if percent:
        return f"{value * 100:.3g} %"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


class Histogram(Struct, frozen=True):
    """How often values came: bars, the mean as a line."""

    values: tuple[float, ...]
    unit: str
    bins: int = 14

    def draw(self, artist: Artist, width: float) -> Drawing:
        """Draw the bars over their axis."""
        pen, values = Pen(artist), self.values
        whole = all(float(value).is_integer() for value in values)
        size = _bin_size(min(values), max(values), self.bins, whole)
        first = floor(min(values) / size)
        counts = [0] * (floor(max(values) / size) - first + 1)
        for value in values:
            counts[floor(value / size) - first] += 1
        left, top = first * size, LINE + 1.0
        across = Scale(left, left + size * len(counts), 2.0, width - 2.0)
        bottom = top + _BAR_HEIGHT
        ops: list[Op] = []
        wide = (width - 4.0) / len(counts)
        for at, count in enumerate(counts):
            high = _BAR_HEIGHT * count / max(counts)
            bar = rectangle(2.0 + at * wide + 0.25, bottom - high, max(wide - 0.5, 0.3), high)
            ops.append(Fill(bar, pen.color("note-edge")))
        ops.append(pen.line((0.0, bottom), (width, bottom), color="soft", width=0.3))
        ops += self.axis(pen, across, size, len(counts), bottom, whole)
        mean = sum(values) / len(values)
        # a bar of whole numbers stands for the number at its left edge, so its middle is meant
        x = across.at(mean + (size / 2 if whole and size == 1 else 0.0))
        ops.append(pen.line((x, top - 1.0), (x, bottom), color="rule", width=0.5))
        label = f"mean {number(mean)} {self.unit}"
        place = min(max(x - 30.0, 0.0), width - 60.0)
        align = "center" if place == x - 30.0 else "left" if place == 0.0 else "right"
        ops += pen.text(label, place, 0.0, 60.0, align, strong=True)
        return Drawing(tuple(ops), width, bottom + LINE + 1.6)

    def axis(
        self, pen: Pen, across: Scale, size: float, count: int, bottom: float, whole: bool
    ) -> list[Op]:
        """Mark round values below the bars."""
        ops: list[Op] = []
        every = max(1, ceil(count / 9))
        wide = across.at(across.low + size) - across.at(across.low)
        for at in range(0, count, every):
            value = across.low + at * size
            x = across.at(value) + (wide / 2 if whole and size == 1 else 0.0)
            ops.append(pen.line((x, bottom), (x, bottom + 1.0), color="soft"))
            ops += pen.text(number(value), x - 10.0, bottom + 1.4, 20.0, "center")
        return ops


def _bin_size(low: float, high: float, bins: int, whole: bool) -> float:
    size = _step(max(high - low, 1e-6) / bins)
    return max(1.0, float(ceil(size))) if whole else size


class Interval(Struct, frozen=True):
    """A mean with its interval, and what it is called."""

    label: str
    mean: float
    low: float
    high: float


class Intervals(Struct, frozen=True):
    """Means as dots with whiskers, one a row, against a line that stands for fair or none."""

    rows: tuple[Interval, ...]
    line: float | None = None
    line_label: str = ""
    percent: bool = False
    label_width: float = 44.0

    def draw(self, artist: Artist, width: float) -> Drawing:
        """Draw the rows below their axis."""
        pen = Pen(artist)
        left, right = self.label_width, width - 26.0
        every = [v for row in self.rows for v in (row.low, row.high)]
        every += [self.line] if self.line is not None else []
        across, ticks = scale_for(every, left, right)
        top, bottom = LINE + 1.6, LINE + 1.6 + _ROW * len(self.rows)
        ops: list[Op] = []
        for tick in ticks:
            x = across.at(tick)
            ops.append(pen.line((x, top), (x, bottom)))
            ops += pen.text(number(tick, self.percent), x - 9.0, bottom + 0.8, 18.0, "center")
        if self.line is not None:
            x = across.at(self.line)
            ops.append(pen.dashed((x, top - 1.2), (x, bottom), color="ink"))
            ops += pen.text(self.line_label, x - 30.0, 0.0, 60.0, "center")
        for at, row in enumerate(self.rows):
            y = top + (at + 0.5) * _ROW
            ops += pen.text(row.label, 0.0, y - LINE / 2 + 0.4, left - 3.0, "left", strong=True)
            ops += whisker(pen, across, row, y)
            told = number(row.mean, self.percent)
            ops += pen.text(told, right + 4.0, y - LINE / 2 + 0.4, 22.0, "left", strong=True)
        return Drawing(tuple(ops), width, bottom + LINE + 1.4)


def whisker(pen: Pen, across: Scale, row: Interval, y: float) -> list[Op]:
    """Draw a dot with the ends of its interval."""
    low, high = across.at(row.low), across.at(row.high)
    return [
        pen.line((low, y), (high, y), color="rule", width=0.5),
        pen.line((low, y - 0.9), (low, y + 0.9), color="rule", width=0.4),
        pen.line((high, y - 0.9), (high, y + 0.9), color="rule", width=0.4),
        Fill(circle(across.at(row.mean), y, 1.1), pen.color("rule")),
    ]


class Curve(Struct, frozen=True):
    """A figure over a number that is varied: a line in its band, the target, the value chosen."""

    points: tuple[tuple[float, Interval], ...]
    named: str
    target: float | None = None
    chosen: float | None = None
    percent: bool = False

    def draw(self, artist: Artist, width: float) -> Drawing:
        """Draw the curve over its axis."""
        pen = Pen(artist)
        values = [v for _, row in self.points for v in (row.low, row.high)]
        values += [self.target] if self.target is not None else []
        across, marks = scale_for([x for x, _ in self.points], 16.0, width - 4.0)
        up, ticks = scale_for(values, _CURVE, 2.0)
        ops: list[Op] = []
        for tick in ticks:
            y = up.at(tick)
            ops.append(pen.line((16.0, y), (width - 4.0, y)))
            ops += pen.text(number(tick, self.percent), 0.0, y - 2.0, 14.0, "right")
        for mark in marks:
            x = across.at(mark)
            ops.append(pen.line((x, _CURVE), (x, _CURVE + 1.0), color="soft"))
            ops += pen.text(number(mark), x - 10.0, _CURVE + 1.4, 20.0, "center")
        ops += pen.text(self.named, 16.0, _CURVE + 1.8 + LINE, width - 20.0, "center", strong=True)
        ops += self.line(pen, across, up)
        if self.target is not None:
            y = up.at(self.target)
            ops.append(pen.dashed((16.0, y), (width - 4.0, y), color="ink"))
        return Drawing(tuple(ops), width, _CURVE + 3.0 + 2 * LINE)

    def line(self, pen: Pen, across: Scale, up: Scale) -> list[Op]:
        """Draw the band, the line, its dots, and a ring round the value chosen."""
        upper = [(across.at(x), up.at(row.high)) for x, row in self.points]
        lower = [(across.at(x), up.at(row.low)) for x, row in reversed(self.points)]
        middle = [(across.at(x), up.at(row.mean)) for x, row in self.points]
        band: Path = polyline([*upper, *lower], closed=True)
        ops: list[Op] = [Fill(band, pen.color("note")), pen.line(*middle, color="rule", width=0.5)]
        ops += [Fill(circle(x, y, 0.9), pen.color("rule")) for x, y in middle]
        for value, row in self.points:
            if value == self.chosen:
                ring = circle(across.at(value), up.at(row.mean), 2.0)
                ops.append(Stroke(ring, pen.color("ink"), 0.45))
        return ops
