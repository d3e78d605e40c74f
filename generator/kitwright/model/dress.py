"""The theme language: what may stand in layouts/<game>/theme.yaml and in a skin."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from kitwright.model.components import LayoutName, Strict
from kitwright.model.late import parse_color, parse_points
from kitwright.model.lengths import Fixed

ColorName = Annotated[str, BeforeValidator(parse_color)]
Hex = Annotated[str, Field(pattern=r"^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")]
Size = Annotated[float, BeforeValidator(parse_points, json_schema_input_type=str)]


class FontRow(Strict):
    """A family: names of fonts that ship with Kitwright, or .ttf files of the game's folder."""

    regular: Annotated[str, Field(description="source-sans-pro, or fonts/mine.ttf")]
    bold: Annotated[str | None, Field(description="for **bold**; regular by default")] = None
    italic: Annotated[str | None, Field(description="for *italic*; regular by default")] = None
    bold_italic: Annotated[str | None, Field(description="for both; bold by default")] = None


class StyleRow(Strict):
    """A text style; what it does not say it takes from the style it extends."""

    extends: Annotated[str | None, Field(description="another style of the theme")] = None
    font: Annotated[str | None, Field(description="a family of the theme")] = None
    size: Annotated[Size | None, Field(description="9pt")] = None
    color: Annotated[ColorName | None, Field(description="a colour of the theme")] = None
    leading: Annotated[
        float | None, Field(ge=0.7, le=4, description="line distance, in sizes")
    ] = None
    align: Annotated[
        Literal["left", "center", "right", "justify"] | None, Field(description="across")
    ] = None
    valign: Annotated[
        Literal["top", "middle", "bottom"] | None, Field(description="up and down")
    ] = None
    caps: Annotated[bool | None, Field(description="all in capitals")] = None
    tracking: Annotated[
        float | None, Field(ge=-200, le=1000, description="1/1000 em between letters")
    ] = None
    least: Annotated[
        Size | None, Field(description="how small overflow: shrink may make it")
    ] = None
    hyphenate: Annotated[str | None, Field(description="a language such as en_US")] = None
    space_after: Annotated[
        float | None, Field(ge=0, le=5, description="between paragraphs, in sizes")
    ] = None


class LineRow(Strict):
    """A line style: a casing under a core, and a shine on top."""

    width: Annotated[Fixed, Field(gt=0, le=50, description="of the core")]
    color: Annotated[ColorName, Field(description="of the core")]
    dash: Annotated[list[Fixed], Field(description="on, off, on, off …")] = []
    cap: Annotated[Literal["butt", "round", "square"], Field(description="how it ends")] = "round"
    casing: Annotated[ColorName | None, Field(description="a wider line below")] = None
    casing_width: Annotated[Fixed, Field(ge=0, le=50, description="its width")] = 0.0
    shine: Annotated[ColorName | None, Field(description="a thin line on top")] = None
    shine_width: Annotated[Fixed, Field(ge=0, le=50, description="its width")] = 0.0
    shine_dash: Annotated[list[Fixed], Field(description="on, off, on, off …")] = []


class GradientRow(Strict):
    """A gradient over whatever it fills."""

    kind: Annotated[Literal["linear", "radial"], Field(description="its form")] = "linear"
    angle: Annotated[float, Field(description="0 runs to the right, 90 downwards")] = 90.0
    stops: Annotated[
        list[Any], Field(min_length=2, description="[colour, colour …] or [[0, colour], …]")
    ]


class ThemeFile(Strict):
    """A theme, or a skin that extends one."""

    theme: Annotated[LayoutName, Field(description="its name: folder/file")]
    extends: Annotated[LayoutName | None, Field(description="takes what is not said here")] = None
    title: Annotated[str, Field(description="its name in print")] = ""
    colors: Annotated[dict[str, Hex], Field(description='name: "#rrggbb"')] = {}
    gradients: Annotated[dict[str, GradientRow], Field(description="used like colours")] = {}
    fonts: Annotated[dict[str, FontRow], Field(description="families")] = {}
    styles: Annotated[dict[str, StyleRow], Field(description="text styles")] = {}
    lines: Annotated[dict[str, LineRow], Field(description="line styles")] = {}
    replace: Annotated[
        dict[LayoutName, LayoutName], Field(description="layouts this skin draws otherwise")
    ] = {}
