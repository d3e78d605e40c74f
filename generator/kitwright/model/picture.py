"""What is known of a raster picture without unpacking it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PictureInfo:
    """A PNG, JPEG or WebP file that has been looked at; `hash` is that of its bytes."""

    path: Path
    width_px: int
    height_px: int
    hash: str
