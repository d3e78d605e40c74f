"""Two pictures of the same size compared: the boxes in which they differ.

Knows pixels alone. Where something differs plainly, what is fainter is not marked; where all
that differs is faint, that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

Box = tuple[float, float, float, float]  # left, top, right, bottom as shares of the picture
Cell = tuple[int, int]
CELL = 6  # pixels on a side of the squares that are compared
PLAIN, FAINT = 24, 3  # of 255, in any channel
_WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
_NEAR = 2  # squares apart that still count as one place


def difference_boxes(before: bytes, after: bytes) -> tuple[Box, ...]:
    """Return boxes round everything that differs, from top to bottom; none where nothing does."""
    from PIL import Image, ImageChops

    with Image.open(BytesIO(before)) as first, Image.open(BytesIO(after)) as second:
        if first.size != second.size:
            return (_WHOLE,)
        apart = ImageChops.difference(first.convert("RGB"), second.convert("RGB"))
    for least in (PLAIN, FAINT):
        boxes = _boxes(apart, least)
        if boxes:
            return boxes
    return ()


def _boxes(apart: Image.Image, least: int) -> tuple[Box, ...]:
    """Return boxes round the pixels of a difference that are at least so bright."""
    from PIL import ImageChops

    width, height = apart.size
    red, green, blue = apart.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    squares = most.point([0 if value < least else 255 for value in range(256)]).reduce(CELL)
    across = squares.width
    cells = {divmod(at, across)[::-1] for at, value in enumerate(squares.tobytes()) if value}
    boxes = [
        (
            max(0.0, left * CELL / width),
            max(0.0, top * CELL / height),
            min(1.0, right * CELL / width),
            min(1.0, bottom * CELL / height),
        )
        for left, top, right, bottom in map(_box, _places(cells))
    ]
    return tuple(sorted(boxes, key=lambda box: (box[1], box[0])))


def _places(cells: set[Cell]) -> Iterator[set[Cell]]:
    """Gather squares that lie close together."""
    steps = range(-_NEAR, _NEAR + 1)
    while cells:
        place = {cells.pop()}
        edge = list(place)
        while edge:
            x, y = edge.pop()
            near = {(x + dx, y + dy) for dx in steps for dy in steps} & cells
            cells -= near
            place |= near
            edge += near
        yield place


def _box(place: set[Cell]) -> tuple[int, int, int, int]:
    xs, ys = zip(*place, strict=True)
    return min(xs), min(ys), max(xs) + 1, max(ys) + 1
