"""The verbs of the layout language: one model each; its fields are the keys, with their manual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from kitwright.model.components import Strict
from kitwright.model.late import (
    Color,
    Count,
    Expression,
    Extent,
    Flag,
    Length,
    Name,
    Number,
    Offset,
    Part,
    Points,
    Whole,
    Words,
)
from kitwright.model.lengths import Corner, Dash, Natural


class Verb(Strict):
    """What every verb takes."""

    when: Annotated[
        Expression, Field(description="an expression; the draw is left out unless it holds")
    ] = None
    edge: Annotated[bool, Field(description="true for what is meant to come close to the cut")] = (
        False
    )


class Fill(Verb):
    """Fill a box with a colour or a gradient."""

    box: Annotated[Name, Field(description="the box to fill")]
    color: Annotated[Color, Field(description="a colour or gradient of the theme")]
    radius: Annotated[Length, Field(description="the rounding of its corners")] = 0.0
    inset: Annotated[Offset, Field(description="a length by which the box shrinks first")] = 0.0
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0


class Stroke(Verb):
    """Draw the outline of a box."""

    box: Annotated[Name, Field(description="the box to outline")]
    color: Annotated[Color, Field(description="a colour of the theme")]
    width: Annotated[Extent, Field(description="the width of the line")]
    radius: Annotated[Length, Field(description="the rounding of its corners")] = 0.0
    inset: Annotated[Offset, Field(description="a length by which the box shrinks first")] = 0.0
    dash: Annotated[Dash, Field(description="lengths on, off, on, off …")] = []
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0


class _Stroked(Verb):
    style: Annotated[Name, Field(description="a line style of the theme")] = None
    color: Annotated[Color, Field(description="a colour instead of the style's")] = None
    width: Annotated[Extent, Field(description="a width instead of the style's")] = None


class Line(_Stroked):
    """Draw a straight line, or one through several points."""

    start: Annotated[Name, Field(alias="from", description="the point where it begins")] = None
    to: Annotated[Name, Field(description="the point where it ends")] = None
    points: Annotated[list[Name], Field(description="a list of points instead")] = []
    dash: Annotated[Dash, Field(description="lengths on, off, on, off …")] = []
    cap: Annotated[
        Literal["butt", "round", "square"] | None, Field(description="how the line ends")
    ] = None
    closed: Annotated[bool, Field(description="true to join the last point to the first")] = False

    @model_validator(mode="after")
    def _two_ends(self) -> Line:
        if bool(self.points) == (self.start is not None or self.to is not None) or (
            not self.points and (self.start is None or self.to is None)
        ):
            raise ValueError("line has no two ends; expected from and to, or points")
        if self.points and len(self.points) < 2:
            raise ValueError("line has one point; expected two or more")
        return self


class Curve(_Stroked):
    """Draw a curve that leaves and arrives level."""

    start: Annotated[Name, Field(alias="from", description="the point where it begins")]
    to: Annotated[Name, Field(description="the point where it ends")]
    bend: Annotated[Part, Field(description="0 (straight) to 1 (strongly bent)")] = 0.5


class Polygon(Verb):
    """Fill or outline a shape with corners."""

    box: Annotated[Name, Field(description="the box that the shape fits")]
    sides: Annotated[Count, Field(description="the number of sides of a regular shape")] = None
    star: Annotated[
        Part, Field(description="0 to 1: makes it a star, with its inner corners so far out")
    ] = None
    points: Annotated[
        list[Corner], Field(description="corners instead: [[50%, 0%], [100%, 100%], …]")
    ] = []
    rotate: Annotated[Number, Field(description="degrees, clockwise")] = 0.0
    color: Annotated[Color, Field(description="the colour or gradient that fills it")] = None
    stroke: Annotated[Color, Field(description="the colour of its outline")] = None
    width: Annotated[Extent, Field(description="the width of its outline")] = 0.3
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0

    @model_validator(mode="after")
    def _some_shape(self) -> Polygon:
        if bool(self.points) == (self.sides is not None):
            raise ValueError("polygon has no shape, or two; expected either sides or points")
        if self.points and len(self.points) < 3:
            raise ValueError(f"polygon has {len(self.points)} corners; expected 3 or more")
        _needs_paint("polygon", self.color, self.stroke)
        return self


class Circle(Verb):
    """Fill or outline a circle that fits a box, or one round a point."""

    box: Annotated[Name, Field(description="the box; an oblong one gives an ellipse")] = None
    at: Annotated[Name, Field(description="the point of its centre instead")] = None
    radius: Annotated[Extent, Field(description="its radius, with at")] = None
    color: Annotated[Color, Field(description="the colour or gradient that fills it")] = None
    stroke: Annotated[Color, Field(description="the colour of its outline")] = None
    width: Annotated[Extent, Field(description="the width of its outline")] = 0.3
    inset: Annotated[Offset, Field(description="a length by which the box shrinks first")] = 0.0
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0

    @model_validator(mode="after")
    def _one_place(self) -> Circle:
        if (self.box is None) == (self.at is None or self.radius is None):
            raise ValueError("circle has no place, or two; expected box, or at and radius")
        _needs_paint("circle", self.color, self.stroke)
        return self


def _needs_paint(verb: str, color: Any, stroke: Any) -> None:
    if color is None and stroke is None:
        raise ValueError(f"{verb} would be invisible; expected color or stroke")


class Text(Verb):
    """Set text: icons as :name:, *italic*, **bold**; it never runs out of its box."""

    box: Annotated[Name, Field(description="the box that the text must fit")]
    style: Annotated[Name, Field(description="a text style of the theme")]
    text: Annotated[Words, Field(description="what the text says")]
    overflow: Annotated[
        Literal["shrink", "error"],
        Field(description="shrink or error: what happens when it does not fit"),
    ]
    color: Annotated[Color, Field(description="a colour instead of the style's")] = None
    size: Annotated[Points, Field(description="a size instead of the style's: 9pt")] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None,
        Field(description="another alignment than the style's"),
    ] = None
    valign: Annotated[
        Literal["top", "middle", "bottom"] | None,
        Field(description="another height in the box than the style's"),
    ] = None
    rotate: Annotated[
        Literal[0, 90, 180, 270], Field(description="degrees, clockwise, within its box")
    ] = 0


class Icon(Verb):
    """Draw an icon of layouts/<game>/icons/, in a box, at a point, or on a curve."""

    name: Annotated[Name, Field(description="the name of the icon's file, without .svg")]
    box: Annotated[Name, Field(description="the box that it fits, in the middle of it")] = None
    at: Annotated[Name, Field(description="the point of its centre instead")] = None
    on: Annotated[
        Literal["curve", "part"] | None,
        Field(description="curve: on the curve just before; part: beside the icon on it"),
    ] = None
    size: Annotated[Extent, Field(description="its height, with at or on: part")] = None
    length: Annotated[Extent, Field(description="its length along the curve")] = None
    follow: Annotated[bool, Field(description="false to keep it from bending with it")] = True
    rotate: Annotated[Number, Field(description="degrees, clockwise")] = 0.0
    mirror: Annotated[Flag, Field(description="true to swap its left and right")] = False
    color: Annotated[Color, Field(description="the colour of its currentColor")] = None
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0

    @model_validator(mode="after")
    def _one_place(self) -> Icon:
        if sum(value is not None for value in (self.box, self.at, self.on)) != 1:
            raise ValueError("icon has no place, or several; expected one of box, at and on")
        wants = "length" if self.on == "curve" else "size" if self.box is None else ""
        if wants and getattr(self, wants) is None:
            raise ValueError(f"icon has no {wants}; expected one such as '{wants}: 5mm'")
        return self


class Picture(Verb):
    """Place a PNG, JPEG or WebP file of layouts/<game>/."""

    box: Annotated[Name, Field(description="the box for the picture")]
    file: Annotated[Name, Field(description="the path of its file within layouts/<game>/")]
    fit: Annotated[
        Literal["cover", "contain", "stretch"],
        Field(description="cover fills the box, contain shows all, stretch does both"),
    ] = "cover"
    radius: Annotated[Length, Field(description="the rounding of its corners")] = 0.0
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0


class Column(Strict):
    """A column of a table."""

    title: Annotated[Words, Field(description="its heading")] = ""
    text: Annotated[Words, Field(description='what its cells say: "{{ row.points }}"')]
    width: Annotated[
        Natural | None, Field(description="a fixed width; its share of the rest otherwise")
    ] = None
    share: Annotated[
        float, Field(gt=0, le=100, description="its weight when the rest is shared out")
    ] = 1.0
    align: Annotated[
        Literal["left", "center", "right"], Field(description="the alignment of its cells")
    ] = "left"


class Table(Verb):
    """Draw rows of data."""

    box: Annotated[Name, Field(description="the box that the table must fit")]
    rows: Annotated[Expression, Field(description="the list of its rows: game.tables.scores.rows")]
    columns: Annotated[list[Column], Field(min_length=1, description="its columns, left to right")]
    style: Annotated[Name, Field(description="the text style of the cells")]
    header_style: Annotated[Name, Field(description="the text style of the headings")] = None
    header_color: Annotated[Color, Field(description="the colour behind the headings")] = None
    stripe: Annotated[Color, Field(description="the colour behind every second row")] = None
    line: Annotated[Color, Field(description="the colour of rules between rows")] = None
    line_width: Annotated[Extent, Field(description="the width of those rules")] = 0.2
    padding: Annotated[Length, Field(description="the room round each cell")] = 1.0
    fill_height: Annotated[bool, Field(description="true to stretch the rows to the box")] = False


class Grid(Verb):
    """Rule a box into cells."""

    box: Annotated[Name, Field(description="the box to rule")]
    rows: Annotated[Count, Field(description="the number of rows")]
    columns: Annotated[Count, Field(description="the number of columns")]
    color: Annotated[Color, Field(description="the colour of the lines")]
    width: Annotated[Extent, Field(description="the width of the lines")] = 0.2
    dash: Annotated[Dash, Field(description="lengths on, off, on, off …")] = []
    outline: Annotated[bool, Field(description="false to leave the outer edge out")] = True


class Track(Verb):
    """Draw numbered spaces: a score track."""

    box: Annotated[Name, Field(description="the box for the track")]
    first: Annotated[Whole, Field(alias="from", description="the first number")]
    to: Annotated[Whole, Field(description="the last number")]
    columns: Annotated[Count, Field(description="the number of spaces in a row")]
    style: Annotated[Name, Field(description="the text style of the numbers")]
    color: Annotated[Color, Field(description="the colour that fills the spaces")] = None
    stroke: Annotated[Color, Field(description="the colour of their outlines")] = None
    width: Annotated[Extent, Field(description="the width of their outlines")] = 0.2
    gap: Annotated[Length, Field(description="the distance between spaces")] = 0.5
    radius: Annotated[Length, Field(description="the rounding of their corners")] = 0.0
    snake: Annotated[bool, Field(description="true to run every second row back")] = False
    accent: Annotated[Color, Field(description="the colour of every fifth space")] = None
    every: Annotated[Count, Field(description="the step of the accent instead of 5")] = 5


class Use(Verb):
    """Draw another layout in a box, as a fragment of this one."""

    layout: Annotated[Name, Field(description="the name of that layout")]
    box: Annotated[Name, Field(description="the box that is its face")]
    give: Annotated[
        dict[str, Any],
        Field(alias="with", description='names that it may look up: {label: "{{ card.title }}"}'),
    ] = {}


class Group(Verb):
    """Draw things together: turned, mirrored, clipped or faded. Stands beside `draw:`."""

    box: Annotated[
        Name, Field(description="the box it turns about and clips to; the face by default")
    ] = None
    rotate: Annotated[Number, Field(description="degrees, clockwise, about the middle")] = 0.0
    mirror: Annotated[
        Literal["x", "y"] | None, Field(description="x swaps left and right, y top and bottom")
    ] = None
    clip: Annotated[bool, Field(description="true to paint inside the box only")] = False
    radius: Annotated[Length, Field(description="the rounding of the clip's corners")] = 0.0
    opacity: Annotated[Part, Field(description="0 (nothing to see) to 1 (solid)")] = 1.0


class Each(Verb):
    """Draw once for each item of a list. Stands beside `draw:`."""

    each: Annotated[str, Field(description="a name and a list: wire in card.wires")]
    down: Annotated[
        str | None, Field(description="a box to cut into rows; an item's row is the box cell")
    ] = None
    across: Annotated[
        str | None, Field(description="a box to cut into columns; an item's is the box cell")
    ] = None
    gap: Annotated[Length, Field(description="the distance between those cells")] = 0.0
    slots: Annotated[
        Count, Field(description="the number of cells to cut; as many as items by default")
    ] = None
    crossings: Annotated[
        Literal["bridge"] | None,
        Field(description="bridge: lay the curves of all items so that crossings read well"),
    ] = None
    sleeve: Annotated[Name, Field(description="an icon where one curve bridges another")] = None
    sleeve_length: Annotated[Extent, Field(description="the sleeve's length on the curve")] = 6.0
    clearance: Annotated[
        Length, Field(description="the distance of icons from the ends of their curve")
    ] = 3.0

    @model_validator(mode="after")
    def _one_way(self) -> Each:
        if self.down is not None and self.across is not None:
            raise ValueError("each has down and across; expected one of them")
        return self


VERBS: Mapping[str, type[Verb]] = {
    "fill": Fill,
    "stroke": Stroke,
    "line": Line,
    "curve": Curve,
    "polygon": Polygon,
    "circle": Circle,
    "text": Text,
    "icon": Icon,
    "picture": Picture,
    "table": Table,
    "grid": Grid,
    "track": Track,
    "each": Each,
    "use": Use,
    "group": Group,
}
NESTING = ("each", "group")
