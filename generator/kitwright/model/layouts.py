"""The layout language: what may stand in layouts/<game>/<layout>.yaml.

Boxes say where, draws say what; the verbs are in model/verbs.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from kitwright.model.components import LayoutName, Size, Strict
from kitwright.model.lengths import Fixed, Share
from kitwright.model.verbs import Verb
from kitwright.problems import Place


class Box(Strict):
    """A rectangle, from the top left of the trimmed card or of the box it is inside."""

    x: Annotated[Share | None, Field(description="left edge: 3mm, or 50% of the outer box")] = None
    y: Annotated[Share | None, Field(description="top edge")] = None
    right: Annotated[Share | None, Field(description="distance from the outer right edge")] = None
    bottom: Annotated[Share | None, Field(description="distance from the outer bottom")] = None
    w: Annotated[Share | None, Field(description="width; what is left by default")] = None
    h: Annotated[Share | None, Field(description="height; what is left by default")] = None
    inside: Annotated[str | None, Field(description="the outer box; the face by default")] = None
    below: Annotated[str | None, Field(description="starts under that box, as wide")] = None
    above: Annotated[str | None, Field(description="ends over that box, as wide")] = None
    right_of: Annotated[str | None, Field(description="starts right of that box, as high")] = None
    left_of: Annotated[str | None, Field(description="ends left of that box, as high")] = None
    gap: Annotated[Fixed, Field(description="the distance to that box")] = 0.0
    inset: Annotated[Fixed, Field(description="shrinks the box on all four sides")] = 0.0
    center: Annotated[
        Literal["x", "y", "both"] | None, Field(description="centres it in the outer box")
    ] = None
    mirror: Annotated[
        str | None, Field(description="that box, mirrored at the upright middle of the face")
    ] = None
    flip: Annotated[
        str | None, Field(description="that box, mirrored at the level middle of the face")
    ] = None
    bleed: Annotated[bool, Field(description="grows to the bleed where it touches the cut")] = False
    rows: Annotated[int | None, Field(ge=1, le=200, description="divides it: name.1, name.2 …")] = (
        None
    )
    columns: Annotated[
        int | None, Field(ge=1, le=200, description="divides it; with rows: name.2.3")
    ] = None
    row_gap: Annotated[Fixed, Field(description="between rows")] = 0.0
    column_gap: Annotated[Fixed, Field(description="between columns")] = 0.0


class LayoutFile(Strict):
    """A layout, without its draws, which are read one by one."""

    layout: Annotated[LayoutName, Field(description="its name: folder/file")]
    extends: Annotated[LayoutName | None, Field(description="inherits boxes and draws")] = None
    size: Annotated[Size | None, Field(description="for a layout that is drawn by itself")] = None
    bleed: Annotated[Fixed | None, Field(ge=0, le=10, description="3mm")] = None
    safe: Annotated[Fixed | None, Field(ge=0, le=20, description="3mm inside the cut")] = None
    corner: Annotated[Fixed | None, Field(ge=0, le=20, description="rounding of images")] = None
    boxes: Annotated[dict[str, Box], Field(description="where things go")] = {}
    draw: Annotated[list[Any], Field(description="what is painted, in this order")] = []


@dataclass(frozen=True, slots=True)
class Draw:
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


@dataclass(frozen=True, slots=True)
class Layout:
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
