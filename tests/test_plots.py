"""Plots: what is drawn stays on the drawing, and a small one is kept as text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kitwright.fonts import Fonts
from kitwright.load import Workspace
from kitwright.load.themes import load_theme
from kitwright.load.workspace import shipped_root
from kitwright.model.geometry import rectangle
from kitwright.ops import Face, Fill, Op, dump
from kitwright.reports.cards import CardRow, CardRows, Pair
from kitwright.reports.plots import Curve, Histogram, Interval, Intervals
from kitwright.rulebook.blocks import Shown, Sketch
from kitwright.rulebook.figures import Artist
from kitwright.write.bounds import bounds

FACE = Shown(Face("a", 63.5, 88.9, 3.0, (Fill(rectangle(0, 0, 9, 9), "#123456"),), "ab"), 3.0)
ROW = CardRow("Roll up", FACE, 1.5, 2.0, Interval("", 0.1, -0.1, 0.3), 0.4, True, "dominant")
POINTS = tuple((x, Interval("", x * x, x * x - 1, x * x + 2)) for x in (1, 2, 3, 5))
PLOTS: dict[str, Sketch] = {
    "histogram": Histogram(tuple(n % 17 * 0.75 for n in range(90)), "minutes"),
    "whole numbers": Histogram((3, 4, 4, 5, 9), "points"),
    "one value": Histogram((7.25,), "minutes"),
    "intervals": Intervals((Interval("Seat 1", 0.3, 0.2, 0.4),), 0.25, "fair", percent=True),
    "many": Intervals(tuple(Interval(f"bot {n}", n * 900, n * 800, n * 950) for n in range(6))),
    "curve": Curve(POINTS, "rules.hand", 12.0, 3),
    "cards": CardRows((ROW, ROW)),
    "a lone card": CardRows((ROW,)),
    "pair": Pair(FACE, FACE, "roll-up", "copies: 1, now 2"),
    "new card": Pair(None, FACE, "roll-up", "It is new."),
}


@cache
def artist() -> Artist:
    workspace = Workspace(shipped_root())
    dress = load_theme(workspace, "shared/rulebook", [])
    assert dress is not None
    fonts = Fonts({name: Path(path) for name, path in dress.fonts.items()})
    return Artist(dress, fonts, lambda name: None)


@pytest.mark.parametrize("width", [118.0, 170.0])
@pytest.mark.parametrize("name", PLOTS)
def test_nothing_leaves_the_drawing(name: str, width: float) -> None:
    drawing = artist().draw(PLOTS[name], width)
    left, top, right, bottom = bounds(drawing.ops, artist().fonts)
    assert drawing.width <= width
    assert left > -4.0  # a word's box is drawn wide, and a card has its bleed
    assert top > -4.0
    assert right < width + 4.0
    assert bottom < drawing.height + 4.0


def test_a_bar_stands_for_every_value() -> None:
    drawing = artist().draw(Histogram((3, 4, 4, 5, 9), "points"), 100.0)
    heights = [_height(op) for op in drawing.ops if isinstance(op, Fill)]
    assert [round(height / max(heights) * 2) for height in heights] == [1, 2, 1, 0, 0, 0, 1]


def _height(op: Op) -> float:
    _, top, _, bottom = bounds([op], artist().fonts)
    return bottom - top


def test_a_small_plot_is_drawn_like_this(golden: Callable[[str, str], None]) -> None:
    rows = (Interval("Seat 1", 0.3, 0.2, 0.4), Interval("Seat 2", 0.2, 0.1, 0.3))
    drawing = artist().draw(Intervals(rows, 0.25, "fair", percent=True), 100.0)
    golden("ops/reports/intervals.txt", dump(drawing.ops))
