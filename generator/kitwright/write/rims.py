"""The rims of faces drawn on nothing: how opaque the bleed is, and what lies along the cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from kitwright.fonts import Fonts
from kitwright.write.encoded import EncodedFace
from kitwright.write.pdf import single_face_pdf
from kitwright.write.pictures import PictureData
from kitwright.write.png import opened, paint_page
from kitwright.write.views import Window, window_matrix

if TYPE_CHECKING:
    from PIL import Image

Pixel = tuple[int, int, int, int]
_HAIR = 0.02  # pixels; a cut on the line between two pixels is not in the outer one
SIDES = ("left", "top", "right", "bottom")


class Rim(Struct, frozen=True):
    """One side of an image, pixel by pixel along it."""

    side: str
    outer: tuple[int, ...]  # the least opacity between the edge of the image and the cut
    inner: tuple[Pixel, ...]  # red, green, blue and opacity just inside the cut


def rims(
    faces: Sequence[EncodedFace],
    windows: Sequence[Window],
    fonts: Fonts,
    pictures: Mapping[str, PictureData],
) -> Iterator[tuple[Rim, ...]]:
    """Draw faces without paper below them; yield the four rims of each."""
    if not faces:
        return
    with opened(single_face_pdf(faces, fonts, pictures)) as pdf:
        for number, (face, window) in enumerate(zip(faces, windows, strict=True)):
            image = _drawn(pdf, number, face, window)
            yield tuple(_rim(image, side, face, window) for side in SIDES)


def _drawn(pdf: Any, number: int, face: EncodedFace, window: Window) -> Image.Image:
    import pypdfium2.raw as pdfium
    from PIL import Image

    size = window.pixels
    pixels = bytearray(4 * size[0] * size[1])
    layout = (pdfium.FPDFBitmap_BGRA, 4 * size[0], 0)
    whole = (0, 0, *size)
    paint_page(
        pdf, number, window_matrix(window, face.bleed), whole, size, pixels, layout, ground=0
    )
    return Image.frombytes("RGBA", size, bytes(pixels))


def _rim(image: Image.Image, side: str, face: EncodedFace, window: Window) -> Rim:
    """Turn the image so that the side lies on the left, and read it row by row."""
    from PIL import Image

    turn = {
        "left": None,
        "top": Image.Transpose.TRANSPOSE,
        "right": Image.Transpose.FLIP_LEFT_RIGHT,
        "bottom": Image.Transpose.TRANSVERSE,
    }[side]
    upright = image if turn is None else image.transpose(turn)
    a_mm = window.pixels[0] / window.width
    beyond = {
        "left": -window.left,
        "top": -window.top,
        "right": window.left + window.width - face.width,
        "bottom": window.top + window.height - face.height,
    }[side]
    depth = max(1, ceil(beyond * a_mm - _HAIR))
    strip = upright.crop((0, 0, depth, upright.height)).getchannel("A").tobytes()
    outer = tuple(min(strip[at : at + depth]) for at in range(0, len(strip), depth))
    line = upright.crop((depth, 0, depth + 1, upright.height)).tobytes()
    inner = tuple(
        (line[at], line[at + 1], line[at + 2], line[at + 3]) for at in range(0, len(line), 4)
    )
    return Rim(side, outer, inner)
