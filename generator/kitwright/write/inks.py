"""From red, green and blue to the four inks of a press, by formula, with black generation.

What cyan, magenta and yellow share is printed as black. In the shadows some of the three comes
back, so that a black area is the rich black of the press; type and thin lines stay black ink alone,
which needs no register. No profile is applied: the colours are those of the device. Knows no
document.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kitwright.write.encode import color_parts

if TYPE_CHECKING:
    from PIL import Image

Ink = tuple[float, float, float, float]  # cyan, magenta, yellow, black, each from 0 to 1
_SHADOWS = 0.5  # the share of black from which rich black begins
_STEPS = 256


@dataclass(frozen=True, slots=True)
class Inks:
    """How a press prints black; shares from 0 to 1."""

    rich: Ink
    thin: float  # mm; lines up to this width are black ink alone

    def of(self, color: str, *, alone: bool = False) -> Ink:
        """Return the inks of `#rrggbb`; `alone` keeps black by itself."""
        return _inks(color, self.rich, alone)

    def picture(self, image: Image.Image) -> Image.Image:
        """Return an RGB picture in CMYK, by the same formula."""
        from PIL import Image, ImageChops

        shares = [ImageChops.invert(channel) for channel in image.split()]
        black = ImageChops.darker(ImageChops.darker(shares[0], shares[1]), shares[2])
        parts = []
        for share, rich in zip(shares, self.rich, strict=False):
            added = black.point([round(255 * rich * _shadow(k / 255)) for k in range(_STEPS)])
            parts.append(ImageChops.add(ImageChops.subtract(share, black), added))
        kept = black.point([round(self.rich[3] * k) for k in range(_STEPS)])
        return Image.merge("CMYK", [*parts, kept])


@lru_cache(maxsize=4096)
def _inks(color: str, rich: Ink, alone: bool) -> Ink:
    shares = [1 - part for part in color_parts(color)]
    black = min(shares)
    added = 0.0 if alone else _shadow(black)
    cyan, magenta, yellow = (
        min(1.0, share - black + full * added) for share, full in zip(shares, rich, strict=False)
    )
    return cyan, magenta, yellow, black if alone else black * rich[3]


def _shadow(black: float) -> float:
    """Return how much of the rich black is printed at a share of black."""
    return max(0.0, (black - _SHADOWS) / (1 - _SHADOWS)) ** 2
