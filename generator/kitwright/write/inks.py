"""From red, green and blue to the four inks of a press, by formula, with black generation.

What cyan, magenta and yellow share is printed as black, little of it in light colours and most in
dark ones, so that black areas are the rich black of the press. Where that would be too much ink,
more of it becomes black. Type and thin lines have all of it as black: they need no register. No
profile is applied: the colours are those of the device. Knows no document.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from kitwright.write.encode import color_parts

if TYPE_CHECKING:
    from PIL import Image, ImageFilter

Ink = tuple[float, float, float, float]  # cyan, magenta, yellow, black, each from 0 to 1
Shares = tuple[float, float, float]  # of cyan, magenta and yellow before there is black
_NODES = 33  # a side of the table of colours that pictures are looked up in
_HALVINGS = 8  # of the room between the black that is wanted and the most there can be
_TINT = 4  # how late in the shadows the tint of the rich black begins


class Inks(Struct, frozen=True):
    """How a press prints; shares from 0 to 1."""

    rich: Ink
    thin: float  # mm; lines up to this width have no colour in their black
    limit: float  # the most ink in one spot, such as 2.4

    def of(self, color: str, *, alone: bool = False) -> Ink:
        """Return the inks of `#rrggbb`; `alone` prints all that is dark as black."""
        return _inks(self, color, alone)

    def prepare(self) -> None:
        """Make the table that pictures are looked up in."""
        _table(self)

    def picture(self, image: Image.Image) -> Image.Image:
        """Return an RGB picture in CMYK, by the same formula."""
        return image.filter(_table(self))


@lru_cache(maxsize=4096)
def _inks(inks: Inks, color: str, alone: bool) -> Ink:
    red, green, blue = color_parts(color)
    shares = 1 - red, 1 - green, 1 - blue
    return _parted(shares, min(shares)) if alone else _rich(inks, shares)


def _rich(inks: Inks, shares: Shares) -> Ink:
    """Choose as little black as the rich black and the limit of ink allow."""
    most = min(shares)
    mean = sum(inks.rich[:3]) / 3
    least = most ** (1 / (1 - mean)) * inks.rich[3]  # grey then ends in the rich black
    found = _tinted(inks, _parted(shares, least), most)
    if sum(found) <= inks.limit:
        return found
    low, high = least, most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(_parted(shares, middle)) > inks.limit:
            low = middle
        else:
            high = middle
    return _parted(shares, high)


def _parted(shares: Shares, black: float) -> Ink:
    """Take a share of black out of three inks; what is left shows through it as before."""
    if black >= 1:
        return 0.0, 0.0, 0.0, 1.0
    cyan, magenta, yellow = (max(0.0, (share - black) / (1 - black)) for share in shares)
    return cyan, magenta, yellow, black


def _tinted(inks: Inks, ink: Ink, most: float) -> Ink:
    """Give the darkest greys the tint of the rich black."""
    if most >= 1:
        return inks.rich
    mean = sum(inks.rich[:3]) / 3 or 1.0
    weight = most**_TINT
    tints = (1 + weight * (rich / mean - 1) for rich in inks.rich[:3])
    cyan, magenta, yellow = (
        min(1.0, part * tint) for part, tint in zip(ink[:3], tints, strict=True)
    )
    return cyan, magenta, yellow, ink[3]


@lru_cache(maxsize=4)
def _table(inks: Inks) -> ImageFilter.Color3DLUT:
    from PIL import ImageFilter

    def node(red: float, green: float, blue: float) -> Ink:
        cyan, magenta, yellow, black = _rich(inks, (1 - red, 1 - green, 1 - blue))
        over = cyan + magenta + yellow + black - inks.limit
        if over > 0:  # a blend or a photograph has no designer to ask
            kept = 1 - over / (cyan + magenta + yellow)
            cyan, magenta, yellow = cyan * kept, magenta * kept, yellow * kept
        return cyan, magenta, yellow, black

    return ImageFilter.Color3DLUT.generate(_NODES, node, channels=4, target_mode="CMYK")
