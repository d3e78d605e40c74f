"""Colours as other eyes see them, and how far apart two then are.

The only file that knows coloraide. Colour blindness is simulated by Brettel's method, in full
strength; differences are CIEDE2000.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

WAYS = ("protan", "deutan", "tritan", "grey")
NORMAL = "normal"
LEAST = 10.0  # CIEDE2000; side by side, about 2 is the least that an eye can tell
STEPS = 17  # along each edge of the cube of colours that a table covers


@cache
def _color() -> type[Any]:
    from coloraide import Color  # a quarter of a second that only these checks pay

    return Color


@cache
def seen(color: str, way: str) -> str:
    """Return #rrggbb as it is seen in a way."""
    if way == NORMAL:
        return color
    made = _color()(color)
    made = made.filter("grayscale") if way == "grey" else made.filter(way, method="brettel")
    return str(made.convert("srgb").fit("srgb", method="clip").to_string(hex=True))


@cache
def difference(one: str, other: str, way: str) -> float:
    """Return how far apart two colours are when they are seen in a way."""
    made = _color()
    return float(made(seen(one, way)).delta_e(made(seen(other, way)), method="2000"))


def nearest(colors: tuple[tuple[str, str], ...], way: str) -> tuple[float, tuple[str, str]]:
    """Return the least difference among named colours, and the two names."""
    pairs = (
        (difference(one[1], other[1], way), (one[0], other[0]))
        for one, other in combinations(colors, 2)
    )
    return min(pairs)


def table(way: str) -> Iterator[tuple[float, float, float]]:
    """Yield what a regular cube of colours becomes, red running fastest; channels are 0 to 1."""
    for blue in range(STEPS):
        for green in range(STEPS):
            for red in range(STEPS):
                text = "#" + "".join(
                    f"{round(255 * step / (STEPS - 1)):02x}" for step in (red, green, blue)
                )
                shown = seen(text, way)
                yield (
                    int(shown[1:3], 16) / 255,
                    int(shown[3:5], 16) / 255,
                    int(shown[5:7], 16) / 255,
                )


@cache
def luminance(red: int, green: int, blue: int) -> float:
    """Return the relative luminance of a colour, as the contrast of the web's guidelines wants."""
    linear = [_linear(value / 255) for value in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def contrast(one: float, other: float) -> float:
    """Return the contrast of two luminances, 1 to 21."""
    light, dark = max(one, other), min(one, other)
    return (light + 0.05) / (dark + 0.05)
