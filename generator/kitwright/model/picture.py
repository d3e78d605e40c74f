"""What is known of a raster picture without unpacking it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class PictureInfo(Struct, frozen=True):
    """A PNG, JPEG or WebP file that has been looked at; `hash` is that of its bytes."""

    path: Path
    width_px: int
    height_px: int
    hash: str
