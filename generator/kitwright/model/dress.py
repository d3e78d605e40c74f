"""The theme language: what may stand in layouts/<game>/theme.yaml and in a skin."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from kitwright.model.components import LayoutName, Strict
from kitwright.model.late import parse_color, parse_points
from kitwright.model.lengths import Dash, Natural, length_schema
from kitwright.model.units import parse_length

HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")


def _hex(value: Any) -> Any:
    if isinstance(value, str) and not HEX.match(value):
        raise ValueError(f"is '{value}'; expected a colour such as \"#c8342b\"")
    return value


def _width(value: Any) -> float:
    length = parse_length(value)
    if not 0 < length <= WIDEST:
        raise ValueError(f"is '{value}'; expected more than 0mm and at most {WIDEST}mm")
    return length


WIDEST = 50  # mm of a line
Pattern = WithJsonSchema({"type": "string", "pattern": r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"})
ColorName = Annotated[str, BeforeValidator(parse_color), WithJsonSchema({"type": "string"})]
Hex = Annotated[str, BeforeValidator(_hex), Pattern]
Size = Annotated[float, BeforeValidator(parse_points), length_schema()]
Width = Annotated[float, BeforeValidator(_width), length_schema()]


class FontRow(Strict):
    """A family of up to four fonts: names of fonts that ship with Kitwright, or .ttf files."""

    regular: Annotated[str, Field(description="the plain font: source-sans-pro, or fonts/mine.ttf")]
    bold: Annotated[str | None, Field(description="the font of **bold** words")] = None
    italic: Annotated[str | None, Field(description="the font of *italic* words")] = None
    bold_italic: Annotated[str | None, Field(description="the font of words that are both")] = None


class StyleRow(Strict):
    """A text style; what it does not say it takes from the style it extends."""

    extends: Annotated[str | None, Field(description="another style of the theme")] = None
    font: Annotated[str | None, Field(description="a family of fonts of the theme")] = None
    size: Annotated[Size | None, Field(description="the size of type: 9pt")] = None
    color: Annotated[ColorName | None, Field(description="a colour of the theme")] = None
    leading: Annotated[
        float | None, Field(ge=0.7, le=4, description="the distance of lines, in sizes: 1.25")
    ] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None,
        Field(description="how lines stand in the width of the box"),
    ] = None
    valign: Annotated[
        Literal["top", "middle", "bottom"] | None,
        Field(description="how the text stands in the height of the box"),
    ] = None
    caps: Annotated[bool | None, Field(description="true to set all in capitals")] = None
    tracking: Annotated[
        float | None,
        Field(ge=-200, le=1000, description="extra space between letters, in 1/1000 of the size"),
    ] = None
    least: Annotated[
        Size | None, Field(description="the size down to which overflow: shrink may go")
    ] = None
    hyphenate: Annotated[
        str | None, Field(description="a language such as en_US, to hyphenate by its rules")
    ] = None
    space_after: Annotated[
        float | None, Field(ge=0, le=5, description="the space between paragraphs, in sizes")
    ] = None
    flavour: Annotated[
        bool | None,
        Field(description="true for what no rule needs: it may be smaller where it is printed"),
    ] = None


class LineRow(Strict):
    """A line style: a casing under a core, and a shine on top."""

    width: Annotated[Width, Field(description="the width of the core")]
    color: Annotated[ColorName, Field(description="the colour of the core")]
    dash: Annotated[Dash, Field(description="lengths on, off, on, off …")] = []
    cap: Annotated[Literal["butt", "round", "square"], Field(description="how the line ends")] = (
        "round"
    )
    casing: Annotated[ColorName | None, Field(description="the colour of a line below")] = None
    casing_width: Annotated[Natural, Field(le=WIDEST, description="its width")] = 0.0
    shine: Annotated[ColorName | None, Field(description="the colour of a line on top")] = None
    shine_width: Annotated[Natural, Field(le=WIDEST, description="its width")] = 0.0
    shine_dash: Annotated[Dash, Field(description="its lengths on, off, on, off …")] = []


class GradientRow(Strict):
    """A gradient over whatever it fills."""

    kind: Annotated[
        Literal["linear", "radial"], Field(description="linear (in a line) or radial (outwards)")
    ] = "linear"
    angle: Annotated[
        float, Field(description="of a linear one: 0 runs to the right, 90 downwards")
    ] = 90.0
    stops: Annotated[
        list[Any],
        Field(min_length=2, description="its colours: [sky, sea], or [[0, sky], [0.7, sea]]"),
    ]


class ToldRow(Strict):
    """Colours that tell things apart in play; `check` looks at them through other eyes."""

    colors: Annotated[
        list[ColorName], Field(min_length=2, max_length=12, description="colours of the theme")
    ]
    cue: Annotated[
        str, Field(description="what else tells them apart: a shape, a letter, a place")
    ] = ""


class ThemeFile(Strict):
    """A theme, or a skin that extends one."""

    theme: Annotated[LayoutName, Field(description="its name: folder/file")]
    extends: Annotated[
        LayoutName | None, Field(description="the theme that has what is not said here")
    ] = None
    title: Annotated[str, Field(description="its name in print")] = ""
    colors: Annotated[
        dict[str, Hex], Field(description='names of colours, each with its "#rrggbb"')
    ] = {}
    gradients: Annotated[
        dict[str, GradientRow], Field(description="names of gradients, used like colours")
    ] = {}
    fonts: Annotated[dict[str, FontRow], Field(description="families of fonts")] = {}
    styles: Annotated[dict[str, StyleRow], Field(description="text styles")] = {}
    lines: Annotated[dict[str, LineRow], Field(description="line styles")] = {}
    replace: Annotated[
        dict[LayoutName, LayoutName],
        Field(description="layouts that this skin draws otherwise, and which it draws instead"),
    ] = {}
    tells_apart: Annotated[
        dict[str, ToldRow], Field(description="things that colours tell apart, each by a name")
    ] = {}
