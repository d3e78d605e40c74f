"""The layout language: what may stand in layouts/<game>/<layout>.yaml.

Boxes say where, draws say what; the verbs are in model/verbs.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import Field

from kitwright.model.components import LayoutName, Size, Strict
from kitwright.model.lengths import Fixed, Natural, Share
from kitwright.model.verbs import Verb
from kitwright.problems import Place


class Box(Strict):
    """A rectangle, from the top left of the trimmed card or of the box it is inside."""

    x: Annotated[Share | None, Field(description="its left edge: 3mm, or 50% of the outer box")] = (
        None
    )
    y: Annotated[Share | None, Field(description="its top edge")] = None
    right: Annotated[
        Share | None, Field(description="the distance of its right edge from the outer one")
    ] = None
    bottom: Annotated[
        Share | None, Field(description="the distance of its bottom edge from the outer one")
    ] = None
    w: Annotated[Share | None, Field(description="its width; what is left by default")] = None
    h: Annotated[Share | None, Field(description="its height; what is left by default")] = None
    inside: Annotated[str | None, Field(description="the outer box; the face by default")] = None
    below: Annotated[
        str | None, Field(description="a box under which it begins, as wide as that one")
    ] = None
    above: Annotated[
        str | None, Field(description="a box over which it ends, as wide as that one")
    ] = None
    right_of: Annotated[
        str | None, Field(description="a box right of which it begins, as high as that one")
    ] = None
    left_of: Annotated[
        str | None, Field(description="a box left of which it ends, as high as that one")
    ] = None
    gap: Annotated[Fixed, Field(description="the distance to that box")] = 0.0
    inset: Annotated[Fixed, Field(description="a length by which all four sides shrink")] = 0.0
    center: Annotated[
        Literal["x", "y", "both"] | None,
        Field(description="x, y or both: the middle of the outer box"),
    ] = None
    mirror: Annotated[
        str | None, Field(description="a box that it mirrors, left to right across the face")
    ] = None
    flip: Annotated[
        str | None, Field(description="a box that it mirrors, top to bottom across the face")
    ] = None
    bleed: Annotated[
        bool, Field(description="true to grow out to the bleed where it touches the cut")
    ] = False
    rows: Annotated[
        int | None, Field(ge=1, le=200, description="cuts it into rows: name.1, name.2 …")
    ] = None
    columns: Annotated[
        int | None,
        Field(ge=1, le=200, description="cuts it into columns; with rows: name.2.3 (row, column)"),
    ] = None
    row_gap: Annotated[Natural, Field(description="the distance between rows")] = 0.0
    column_gap: Annotated[Natural, Field(description="the distance between columns")] = 0.0


BOX_PATTERN = r"^[a-z][a-z0-9_-]*$"
BoxName = Annotated[str, Field(pattern=BOX_PATTERN, max_length=60)]


class LayoutFile(Strict):
    """A layout, without its draws, which are read one by one."""

    layout: Annotated[LayoutName, Field(description="its name: folder/file")]
    extends: Annotated[
        LayoutName | None, Field(description="a layout whose boxes and draws it takes over")
    ] = None
    size: Annotated[
        Size | None, Field(description="the size of a layout that is drawn by itself")
    ] = None
    bleed: Annotated[
        Natural | None, Field(le=10, description="the bleed round the cut; 3mm by default")
    ] = None
    safe: Annotated[
        Natural | None, Field(le=20, description="the safe area inside the cut; 3mm by default")
    ] = None
    corner: Annotated[
        Natural | None, Field(le=20, description="the rounding of images; 3mm by default")
    ] = None
    boxes: Annotated[dict[BoxName, Box], Field(description="names of boxes: where things go")] = {}
    draw: Annotated[list[Any], Field(description="what is painted, in this order")] = []


class Draw(Struct, frozen=True):
    """One draw of a layout with its place, and the places of its keys."""

    verb: str
    args: Verb
    draws: tuple[Draw, ...]
    name: str
    place: Place
    places: Mapping[str, Place]

    def at(self, key: str) -> Place:
        """Return where a key's value stands, for messages."""
        return self.places.get(key, self.place)


class Layout(Struct, frozen=True):
    """A layout with all that it inherits."""

    name: str
    bleed: float
    safe: float
    corner: float
    boxes: Mapping[str, Box]
    box_places: Mapping[str, Place]
    draws: tuple[Draw, ...]
    size: Any  # a name, a CustomSize, or None
    place: Place
