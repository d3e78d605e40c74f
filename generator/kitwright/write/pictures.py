"""Raster pictures as PDF wants them: JPEG files as they are, others as compressed pixels.

Knows Pillow and nothing of documents. Whether a file is a sound picture was checked by load.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from PIL import Image

FORMATS = ("PNG", "JPEG", "WEBP")
_ORIENTATION = 0x0112  # the EXIF tag; a PDF viewer does not look at it
_LEVEL = 6


class EncodedPicture(Struct, frozen=True):
    """Pixels ready for a document; `alpha` is empty where the picture is opaque."""

    width: int
    height: int
    gray: bool
    jpeg: bool
    data: bytes
    alpha: bytes


class PictureData(Struct, frozen=True, dict=True):
    """A PNG, JPEG or WebP picture, from a file or from memory."""

    source: Path | bytes

    @property
    def raw(self) -> bytes:
        """The picture file as it is."""
        return self.source if isinstance(self.source, bytes) else self.source.read_bytes()

    @cached_property
    def encoded(self) -> EncodedPicture:
        """The picture for a document; made once, however many documents show it."""
        return encode_picture(self.raw)


def read_picture(path: Path) -> PictureData | None:
    """Read a picture that may be missing or damaged: then there is none."""
    try:
        picture = PictureData(path.read_bytes())
        encode_picture(picture.raw)
    except (OSError, SyntaxError, ValueError, zlib.error):  # Pillow's words for a broken file
        return None
    return picture


def encode_picture(data: bytes) -> EncodedPicture:
    """Encode the bytes of a picture file."""
    from PIL import Image, ImageOps  # only builds with pictures pay for the import

    with Image.open(BytesIO(data), formats=FORMATS) as picture:
        upright = picture.getexif().get(_ORIENTATION, 1) == 1
        if picture.format == "JPEG" and upright and picture.mode in ("L", "RGB"):
            gray = picture.mode == "L"
            return EncodedPicture(picture.width, picture.height, gray, True, data, b"")
        return _flate(ImageOps.exif_transpose(picture))


def up_filtered(data: bytes | bytearray, stride: int, rows: int) -> bytes:
    """Return each row minus the one above, byte by byte: what PNG calls filter "up"."""
    from PIL import Image, ImageChops

    size = (stride, rows)
    here = Image.frombuffer("L", size, data, "raw", "L", 0, 1)
    above = Image.frombuffer("L", size, bytes(stride) + data[:-stride], "raw", "L", 0, 1)
    return ImageChops.subtract_modulo(here, above).tobytes()


def _flate(picture: Image.Image) -> EncodedPicture:
    if picture.mode.startswith("I;16"):
        picture = picture.point(lambda value: value / 257.0).convert("L")
    alpha = b""
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        alpha = _packed(picture.getchannel("A"), 1)
        picture = picture.convert("RGB")
    gray = picture.mode in ("1", "L")
    picture = picture.convert("L" if gray else "RGB")
    pixels = _packed(picture, 1 if gray else 3)
    return EncodedPicture(picture.width, picture.height, gray, False, pixels, alpha)


def _packed(picture: Image.Image, channels: int) -> bytes:
    stride = picture.width * channels
    rows = up_filtered(picture.tobytes(), stride, picture.height)
    marked = b"".join(b"\2" + rows[at : at + stride] for at in range(0, len(rows), stride))
    return zlib.compress(marked, _LEVEL)
