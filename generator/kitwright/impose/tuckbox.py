"""The net of a tuckbox: panels, flaps, cut and fold lines. Pure geometry; draws no art.

Seen from the printed side: a glue tab, then the left side, the front, the right side and the
back in a row. The lid hangs on the back, its tuck on the lid, the bottom on the front; dust flaps
close the ends. The tab goes behind the free edge of the back, the bottom over the flap of the back.
"""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from kitwright.model.box import Stock
from kitwright.model.game import Size
from kitwright.model.geometry import (
    ROUND,
    Box,
    Matrix,
    Path,
    Point,
    Segment,
    apply,
    multiply,
    rotation,
    translation,
)
from kitwright.model.paper import Paper

BLEED = 3.0
GLUE = 10.0  # the width of the glue tab
TUCK, DUST, NOTCH = 15.0, 14.0, 9.0
LEAST_DUST = 6.0
SLIM = 0.5  # by which a flap is narrower than its panel on each side
HAIR = 1e-6

Dimensions = tuple[float, float, float]  # width, height and depth


class Panel(Struct, frozen=True):
    """A part of a net that shows; `turn` is how its art lies on the net, in degrees."""

    name: str
    box: Box
    turn: int
    clip: Box  # the box and its bleed, which stops where a fold leads to other art

    def matrix(self) -> Matrix:
        """Return where a point of the panel's own face lies on the net."""
        left, top, right, bottom = self.box
        place = translation(left, top)
        if self.turn == 0:
            return place
        return multiply(place, rotation(180, (right - left) / 2, (bottom - top) / 2))


class Net(Struct, frozen=True):
    """A box unfolded, its print to the eye."""

    width: float
    height: float
    panels: tuple[Panel, ...]
    glued: tuple[Box, ...]  # flaps that take glue, on their printed side
    cut: Path
    folds: Path


class Spot(Struct, frozen=True):
    """Where a net lies on a paper."""

    matrix: Matrix
    box: Box
    turned: bool


def box_size(
    size: Size, count: int, stacks: int, stock: Stock, sleeved: bool, thickness: float | None = None
) -> Dimensions:
    """Return width, height and depth inside a box for cards of one size.

    `thickness` is that of a bare card; the stock's own by default.
    """
    each = stock.card if thickness is None else thickness
    wide, high = size.width, size.height
    if sleeved:
        each += stock.sleeve
        wide, high = wide + stock.sleeve_width, high + stock.sleeve_height
    deep = ceil(count / stacks) * each + stock.ease
    return stacks * wide + stock.ease_width, high + stock.ease_height, max(deep, stock.least)


def make_net(dimensions: Dimensions) -> Net:
    """Unfold a box of some width, height and depth."""
    return _Maker(*dimensions).net()


def place_net(net: Net, paper: Paper) -> Spot | None:
    """Lay a net at the top of a paper, turned if that alone fits; None if nothing does."""
    across, down = paper.width - 2 * paper.margin, paper.height - 2 * paper.margin
    for turned in (False, True):
        wide, high = (net.height, net.width) if turned else (net.width, net.height)
        if wide + 2 * BLEED <= across + HAIR and high + 2 * BLEED <= down + HAIR:
            left, top = (paper.width - wide) / 2, paper.margin + BLEED
            matrix = translation(left, top)
            if turned:
                matrix = multiply(translation(left + wide, top), rotation(90))
            return Spot(matrix, (left, top, left + wide, top + high), turned)
    return None


def on_page(box: Box, matrix: Matrix) -> Box:
    """Return a box of the net as it lies on the page."""
    (a, b), (c, d) = apply(matrix, box[0], box[1]), apply(matrix, box[2], box[3])
    return min(a, c), min(b, d), max(a, c), max(b, d)


class _Maker:
    """Works out one net; x runs through the row of panels, y from the tuck to the bottom."""

    def __init__(self, wide: float, high: float, deep: float) -> None:
        self.wide, self.high, self.deep = wide, high, deep
        self.tuck = min(TUCK, 0.6 * high)
        self.dust = min(DUST, 0.5 * wide - 1.0, max(2 * deep, LEAST_DUST))
        self.left = GLUE
        self.front = self.left + deep
        self.right = self.front + wide
        self.back = self.right + deep
        self.end = self.back + wide
        self.lid = max(self.tuck, self.dust - deep)
        self.top = self.lid + deep
        self.base = self.top + high
        self.foot = self.base + deep

    def net(self) -> Net:
        inner = (self.back + SLIM, self.base, self.end - SLIM, self.base + 0.8 * self.deep)
        tab = (0.0, self.top, self.left, self.base)
        bottom = max(self.foot, self.base + self.dust)
        return Net(self.end, bottom, self.panels(), (tab, inner), self.cut(), self.folds())

    def panels(self) -> tuple[Panel, ...]:
        """Return what shows; art bleeds over cuts and hidden flaps, not over other art."""
        top, base, lid = self.top, self.base, self.lid
        rows: tuple[tuple[str, Box, int, str], ...] = (
            ("left", (self.left, top, self.front, base), 0, "left top bottom"),
            ("front", (self.front, top, self.right, base), 0, "top"),
            ("right", (self.right, top, self.back, base), 0, "top bottom"),
            ("back", (self.back, top, self.end, base), 0, "right bottom"),
            ("top", (self.back, lid, self.end, top), 180, "left right"),
            ("tuck", (self.back, lid - self.tuck, self.end, lid), 180, "left top right"),
            ("bottom", (self.front, base, self.right, self.foot), 0, "left right bottom"),
        )
        return tuple(Panel(name, box, turn, _bled(box, open_)) for name, box, turn, open_ in rows)

    def cut(self) -> Path:
        """Walk round the net clockwise, from the top of the left side."""
        notch = min(NOTCH, 0.2 * self.wide, 0.3 * self.high)
        middle = (self.front + self.right) / 2
        path: list[Segment] = [("M", self.left, self.top)]
        path += _lines(*_flap(self.left, self.front, self.top, -self.dust), (self.front, self.top))
        path += _lines((middle - notch, self.top))
        path += _bowl(middle, self.top, notch)
        path += _lines((self.right, self.top))
        path += _lines(*_flap(self.right, self.back, self.top, -self.dust), (self.back, self.top))
        path += self._lid()
        path += _lines((self.end, self.base))
        path += _lines(*_flap(self.end, self.back, self.base, 0.8 * self.deep))
        path += _lines((self.back, self.base))
        path += _lines(*_flap(self.back, self.right, self.base, self.dust), (self.right, self.base))
        path += _lines((self.right, self.foot), (self.front, self.foot), (self.front, self.base))
        path += _lines(*_flap(self.front, self.left, self.base, self.dust), (self.left, self.base))
        slant = min(4.0, 0.2 * self.high)
        path += _lines((0.0, self.base - slant), (0.0, self.top + slant))
        return (*path, ("Z",))

    def _lid(self) -> list[Segment]:
        """Return the cut round the lid and its tuck, whose corners are rounded."""
        left, right, lid = self.back + SLIM, self.end - SLIM, self.lid
        bend = min(0.8 * self.tuck, 0.3 * self.wide)
        high = lid - self.tuck
        far = bend * (1 - ROUND)
        return [
            *_lines((self.back, lid), (left, lid), (left, high + bend)),
            ("C", left, high + far, left + far, high, left + bend, high),
            *_lines((right - bend, high)),
            ("C", right - far, high, right, high + far, right, high + bend),
            *_lines((right, lid), (self.end, lid), (self.end, self.top)),
        ]

    def folds(self) -> Path:
        """Return the lines that are scored and folded back."""
        upright = (self.left, self.front, self.right, self.back)
        lines: list[tuple[Point, Point]] = [((x, self.top), (x, self.base)) for x in upright]
        lines += [
            ((self.left, self.top), (self.front, self.top)),
            ((self.right, self.top), (self.end, self.top)),
            ((self.back, self.lid), (self.end, self.lid)),
            ((self.left, self.base), (self.end, self.base)),
        ]
        return tuple(segment for start, end in lines for segment in (("M", *start), ("L", *end)))


def _bled(box: Box, sides: str) -> Box:
    """Grow a box by the bleed at some sides."""
    left, top, right, bottom = (BLEED * (side in sides.split()) for side in
                                ("left", "top", "right", "bottom"))  # fmt: skip
    return box[0] - left, box[1] - top, box[2] + right, box[3] + bottom


def _flap(start: float, end: float, base: float, reach: float) -> tuple[Point, ...]:
    """Return the corners of a flap that tapers, from the end of its fold where the walk comes."""
    sign = 1.0 if end > start else -1.0
    wide = abs(end - start)
    slim = min(SLIM, wide / 8)
    slant = min(abs(reach) / 2, wide / 4, 4.0)
    shoulder = base + reach - (slant if reach > 0 else -slant)
    return (
        (start + sign * slim, base),
        (start + sign * slim, shoulder),
        (start + sign * (slim + slant), base + reach),
        (end - sign * (slim + slant), base + reach),
        (end - sign * slim, shoulder),
        (end - sign * slim, base),
    )


def _bowl(x: float, y: float, radius: float) -> list[Segment]:
    """Return half a circle that dips below a level line, from left to right."""
    far = radius * ROUND
    return [
        ("C", x - radius, y + far, x - far, y + radius, x, y + radius),
        ("C", x + far, y + radius, x + radius, y + far, x + radius, y),
    ]


def _lines(*points: Point) -> list[Segment]:
    return [("L", x, y) for x, y in points]
