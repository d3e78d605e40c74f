"""An icon as its SVG file says it: shapes whose colours may still be names of a theme.

No files and no drawing; `compose` turns it into ops once it knows the theme.
"""

from __future__ import annotations

from dataclasses import dataclass

from kitwright.model.geometry import IDENTITY, Matrix, Path

NONE = "none"
TINT = "currentColor"


@dataclass(frozen=True, slots=True)
class SvgGradient:
    """A gradient; `ends` is x0 y0 x1 y1, or x y r when radial."""

    kind: str  # linear radial
    ends: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]
    boxed: bool  # whether the ends are shares of the shape's box
    matrix: Matrix = IDENTITY


SvgPaint = str | SvgGradient  # "#rrggbb", "none", "currentColor" or "var(--name)"


@dataclass(frozen=True, slots=True)
class SvgShape:
    """A path in its own coordinates, its paints, and the matrix to those of the view box."""

    path: Path
    matrix: Matrix = IDENTITY
    fill: SvgPaint = "#000000"
    even_odd: bool = False
    fill_opacity: float = 1.0
    stroke: str = NONE
    stroke_width: float = 1.0
    stroke_opacity: float = 1.0
    dash: tuple[float, ...] = ()
    cap: str = "butt"
    join: str = "miter"


@dataclass(frozen=True, slots=True)
class SvgGroup:
    """Shapes that are seen through together."""

    items: tuple[SvgItem, ...]
    opacity: float


SvgItem = SvgShape | SvgGroup


@dataclass(frozen=True, slots=True)
class Svg:
    """A whole icon; `view` is the left, top, width and height of its view box."""

    view: tuple[float, float, float, float]
    items: tuple[SvgItem, ...]
