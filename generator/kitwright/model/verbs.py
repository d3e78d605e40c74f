"""The verbs of the layout language: one model each; its fields are the keys, with their manual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from kitwright.model.components import Strict
from kitwright.model.late import Color, Expression, Flag, Length, Name, Number, Points, Whole, Words
from kitwright.model.lengths import Fixed, Share


class Verb(Strict):
    """What every verb takes."""

    when: Annotated[Expression, Field(description="draws only when this holds")] = None
    edge: Annotated[bool, Field(description="meant to reach the cut; no safe area")] = False


class Fill(Verb):
    """Fill a box."""

    box: Annotated[Name, Field(description="where")]
    color: Annotated[Color, Field(description="a colour or gradient of the theme")]
    radius: Annotated[Length, Field(description="of its corners")] = 0.0
    inset: Annotated[Length, Field(description="shrinks the box first")] = 0.0
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0


class Stroke(Verb):
    """Draw the outline of a box."""

    box: Annotated[Name, Field(description="where")]
    color: Annotated[Color, Field(description="a colour of the theme")]
    width: Annotated[Length, Field(description="of the line")]
    radius: Annotated[Length, Field(description="of its corners")] = 0.0
    inset: Annotated[Length, Field(description="shrinks the box first")] = 0.0
    dash: Annotated[list[Fixed], Field(description="on, off, on, off …")] = []
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0


class _Stroked(Verb):
    style: Annotated[Name, Field(description="a line style of the theme")] = None
    color: Annotated[Color, Field(description="instead of the style's")] = None
    width: Annotated[Length, Field(description="instead of the style's")] = None


class Line(_Stroked):
    """Draw a straight line, or one through several points."""

    start: Annotated[Name, Field(alias="from", description="a point: box@anchor")] = None
    to: Annotated[Name, Field(description="a point: box@anchor")] = None
    points: Annotated[list[Name], Field(description="or a list of points")] = []
    dash: Annotated[list[Fixed], Field(description="on, off, on, off …")] = []
    cap: Annotated[Literal["butt", "round", "square"] | None, Field(description="how it ends")] = (
        None
    )
    closed: Annotated[bool, Field(description="joins the last point to the first")] = False

    @model_validator(mode="after")
    def _two_ends(self) -> Line:
        if bool(self.points) == (self.start is not None and self.to is not None):
            raise ValueError("expected from and to, or points")
        return self


class Curve(_Stroked):
    """Draw a curve that leaves and arrives level."""

    start: Annotated[Name, Field(alias="from", description="a point: box@anchor")]
    to: Annotated[Name, Field(description="a point: box@anchor")]
    bend: Annotated[Number, Field(description="0 straight … 1 strongly bent")] = 0.5


class Polygon(Verb):
    """Fill or outline a shape with corners."""

    box: Annotated[Name, Field(description="where")]
    sides: Annotated[Whole, Field(description="a regular shape with so many corners")] = None
    star: Annotated[Number, Field(description="makes it a star: inner radius, 0 to 1")] = None
    points: Annotated[
        list[tuple[Share, Share]], Field(strict=False, description="or corners: [[0%, 0%], …]")
    ] = []
    rotate: Annotated[Number, Field(description="degrees, clockwise")] = 0.0
    color: Annotated[Color, Field(description="fills it")] = None
    stroke: Annotated[Color, Field(description="outlines it")] = None
    width: Annotated[Length, Field(description="of the outline")] = 0.3
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0

    @model_validator(mode="after")
    def _some_shape(self) -> Polygon:
        if bool(self.points) == (self.sides is not None):
            raise ValueError("expected sides or points")
        return self


class Circle(Verb):
    """Fill or outline a circle that fits the box, or one round a point."""

    box: Annotated[Name, Field(description="where; an oblong box gives an ellipse")] = None
    at: Annotated[Name, Field(description="or its centre: box@anchor")] = None
    radius: Annotated[Length, Field(description="with at")] = None
    color: Annotated[Color, Field(description="fills it: a colour or gradient")] = None
    stroke: Annotated[Color, Field(description="outlines it")] = None
    width: Annotated[Length, Field(description="of the outline")] = 0.3
    inset: Annotated[Length, Field(description="shrinks the box first")] = 0.0
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0

    @model_validator(mode="after")
    def _one_place(self) -> Circle:
        if (self.box is None) == (self.at is None or self.radius is None):
            raise ValueError("expected box, or at and radius")
        return self


class Text(Verb):
    """Set text: icons as :name:, *italic*, **bold**; it never runs out of its box."""

    box: Annotated[Name, Field(description="where")]
    style: Annotated[Name, Field(description="a text style of the theme")]
    text: Annotated[Words, Field(description="what it says")]
    overflow: Annotated[
        Literal["shrink", "error"], Field(description="what to do when it does not fit")
    ]
    color: Annotated[Color, Field(description="instead of the style's")] = None
    size: Annotated[Points, Field(description="instead of the style's: 9pt")] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None,
        Field(description="instead of the style's"),
    ] = None
    valign: Annotated[
        Literal["top", "middle", "bottom"] | None, Field(description="instead of the style's")
    ] = None
    rotate: Annotated[
        Literal[0, 90, 180, 270], Field(description="turns the text in its box, clockwise")
    ] = 0


class Icon(Verb):
    """Draw an SVG of layouts/<game>/icons."""

    name: Annotated[Name, Field(description="the file's name without .svg")]
    box: Annotated[Name, Field(description="where; it is fitted and centred")] = None
    at: Annotated[Name, Field(description="or its centre: box@anchor")] = None
    on: Annotated[
        Literal["curve", "part"] | None,
        Field(description="or the curve drawn just before, or beside the part on it"),
    ] = None
    size: Annotated[Length, Field(description="its height, with at or on: part")] = None
    length: Annotated[Length, Field(description="how much of the curve it takes up")] = None
    follow: Annotated[bool, Field(description="bends with the curve")] = True
    rotate: Annotated[Number, Field(description="degrees, clockwise")] = 0.0
    mirror: Annotated[Flag, Field(description="left and right swapped")] = False
    color: Annotated[Color, Field(description="for its currentColor")] = None
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0

    @model_validator(mode="after")
    def _one_place(self) -> Icon:
        if sum(value is not None for value in (self.box, self.at, self.on)) != 1:
            raise ValueError("expected exactly one of box, at and on")
        wants = "length" if self.on == "curve" else "size" if self.box is None else ""
        if wants and getattr(self, wants) is None:
            raise ValueError(f"'{wants}' is missing")
        return self


class Picture(Verb):
    """Place a PNG, JPEG or WebP file of layouts/<game>/."""

    box: Annotated[Name, Field(description="where")]
    file: Annotated[Name, Field(description="its path within layouts/<game>/")]
    fit: Annotated[
        Literal["cover", "contain", "stretch"], Field(description="how it meets the box")
    ] = "cover"
    radius: Annotated[Length, Field(description="rounds its corners")] = 0.0
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0


class Column(Strict):
    """A column of a table."""

    title: Annotated[Words, Field(description="its heading")] = ""
    text: Annotated[Words, Field(description='a cell: "{{ row.points }}"')]
    width: Annotated[Fixed | None, Field(description="fixed; by share otherwise")] = None
    share: Annotated[float, Field(gt=0, le=100, description="of the width that is left")] = 1.0
    align: Annotated[Literal["left", "center", "right"], Field(description="of its cells")] = "left"


class Table(Verb):
    """Draw rows of data."""

    box: Annotated[Name, Field(description="where")]
    rows: Annotated[Expression, Field(description="the list: game.tables.scores.rows")]
    columns: Annotated[list[Column], Field(min_length=1, description="left to right")]
    style: Annotated[Name, Field(description="text style of the cells")]
    header_style: Annotated[Name, Field(description="of the headings; the cells' by default")] = (
        None
    )
    header_color: Annotated[Color, Field(description="fills the heading row")] = None
    stripe: Annotated[Color, Field(description="fills every second row")] = None
    line: Annotated[Color, Field(description="rules between rows")] = None
    line_width: Annotated[Length, Field(description="of the rules")] = 0.2
    padding: Annotated[Length, Field(description="round each cell")] = 1.0
    fill_height: Annotated[bool, Field(description="stretches the rows to fill the box")] = False


class Grid(Verb):
    """Rule a box into cells."""

    box: Annotated[Name, Field(description="where")]
    rows: Annotated[Whole, Field(description="how many")]
    columns: Annotated[Whole, Field(description="how many")]
    color: Annotated[Color, Field(description="of the lines")]
    width: Annotated[Length, Field(description="of the lines")] = 0.2
    dash: Annotated[list[Fixed], Field(description="on, off, on, off …")] = []
    outline: Annotated[bool, Field(description="draws the outer edge too")] = True


class Track(Verb):
    """Draw numbered spaces: a score track."""

    box: Annotated[Name, Field(description="where")]
    first: Annotated[Whole, Field(alias="from", description="the first number")]
    to: Annotated[Whole, Field(description="the last number")]
    columns: Annotated[Whole, Field(description="spaces in a row")]
    style: Annotated[Name, Field(description="text style of the numbers")]
    color: Annotated[Color, Field(description="fills the spaces")] = None
    stroke: Annotated[Color, Field(description="outlines them")] = None
    width: Annotated[Length, Field(description="of the outline")] = 0.2
    gap: Annotated[Length, Field(description="between spaces")] = 0.5
    radius: Annotated[Length, Field(description="of their corners")] = 0.0
    snake: Annotated[bool, Field(description="every second row runs back")] = False
    accent: Annotated[Color, Field(description="fills every `every`th space")] = None
    every: Annotated[Whole, Field(description="which spaces are accented")] = 5


class Use(Verb):
    """Draw another layout in a box."""

    layout: Annotated[Name, Field(description="its name")]
    box: Annotated[Name, Field(description="where: its face is this box")]
    give: Annotated[
        dict[str, Any], Field(alias="with", description="names it may look up: {value: …}")
    ] = {}


class Group(Verb):
    """Draw things together: turned, mirrored, clipped or faded."""

    box: Annotated[Name, Field(description="what it turns about and clips to; the face")] = None
    rotate: Annotated[Number, Field(description="degrees, clockwise, about the middle")] = 0.0
    mirror: Annotated[
        Literal["x", "y"] | None, Field(description="x swaps left and right, y top and bottom")
    ] = None
    clip: Annotated[bool, Field(description="paints inside the box only")] = False
    radius: Annotated[Length, Field(description="of the clip's corners")] = 0.0
    opacity: Annotated[Number, Field(description="0 to 1")] = 1.0


class Each(Verb):
    """Draw once for each item of a list; stands beside `draw:`."""

    each: Annotated[str, Field(description="wire in card.wires")]
    down: Annotated[str | None, Field(description="cuts this box into rows, one an item: cell")] = (
        None
    )
    across: Annotated[str | None, Field(description="cuts it into columns: cell")] = None
    gap: Annotated[Length, Field(description="between those cells")] = 0.0
    slots: Annotated[Whole, Field(description="how many cells to cut; one an item")] = None
    crossings: Annotated[
        Literal["bridge"] | None, Field(description="solves the curves of all items together")
    ] = None
    sleeve: Annotated[Name, Field(description="icon drawn where a wire bridges another")] = None
    sleeve_length: Annotated[Length, Field(description="of the sleeve along the wire")] = 6.0
    clearance: Annotated[Length, Field(description="that parts keep from the wires' ends")] = 3.0


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
