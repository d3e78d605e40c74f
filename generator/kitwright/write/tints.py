"""Rasters with their colours exchanged by a table, as PNG. Knows Pillow; chooses no colour."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

from kitwright.write.png import Raster

Row = tuple[float, float, float]


def tinted_png(raster: Raster, steps: int, table: Iterable[Row] | None) -> bytes:
    """Return a raster as PNG, each colour looked up in a cube of `steps` along its edges."""
    from PIL import Image, ImageFilter

    image = Image.frombytes("RGB", (raster.width, raster.height), raster.pixels)
    if table is not None:
        flat = [channel for row in table for channel in row]
        image = image.filter(ImageFilter.Color3DLUT(steps, flat))
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()
