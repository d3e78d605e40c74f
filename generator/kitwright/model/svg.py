"""An icon as its SVG file says it: shapes whose colours may still be names of a theme.

No files and no drawing; `compose` turns it into ops once it knows the theme.
"""

from __future__ import annotations

from msgspec import Struct

from kitwright.model.geometry import IDENTITY, Matrix, Path

NONE = "none"
TINT = "currentColor"


class SvgGradient(Struct, frozen=True):
    """A gradient; `ends` is x0 y0 x1 y1, or x y r when radial."""

    kind: str  # linear radial
    ends: tuple[float, ...]
    stops: tuple[tuple[float, str], ...]
    boxed: bool  # whether the ends are shares of the shape's box
    matrix: Matrix = IDENTITY


SvgPaint = str | SvgGradient  # "#rrggbb", "none", "currentColor" or "var(--name)"


class SvgShape(Struct, frozen=True):
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


class SvgGroup(Struct, frozen=True):
    """Shapes that are seen through together."""

    items: tuple[SvgItem, ...]
    opacity: float


SvgItem = SvgShape | SvgGroup


class Svg(Struct, frozen=True):
    """A whole icon; `view` is the left, top, width and height of its view box."""

    view: tuple[float, float, float, float]
    items: tuple[SvgItem, ...]
