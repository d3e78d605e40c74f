"""How a game is dressed: colours, gradients, lines, fonts and text styles, names resolved."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class TextStyle(Struct, frozen=True):
    """How a text is set. The four fonts are names that `Fonts` knows."""

    regular: str
    bold: str
    italic: str
    bold_italic: str
    size_pt: float
    color: str  # "#rrggbb"
    leading: float = 1.25  # baseline to baseline, in sizes
    align: str = "left"  # left center right justify
    valign: str = "top"  # top middle bottom
    caps: bool = False  # set in capitals
    tracking: float = 0.0  # extra space after each character, in 1/1000 em
    least_pt: float = 0.0  # how far overflow: shrink may go; 0 = not at all
    hyphenate: str = ""  # a pyphen language such as en_US; empty = never
    space_after: float = 0.0  # between paragraphs, in sizes
    flavour: bool = False  # nothing that a rule needs, so it may be small
    name: str = ""  # what the theme calls it


class LineStyle(Struct, frozen=True):
    """How a line or curve is drawn: a casing under a core, and a shine on top of it."""

    width: float
    color: str
    dash: tuple[float, ...] = ()
    cap: str = "round"
    casing: str = ""  # colour of a wider line below; empty = none
    casing_width: float = 0.0
    shine: str = ""  # colour of a thin line on top; empty = none
    shine_width: float = 0.0
    shine_dash: tuple[float, ...] = ()


class GradientStyle(Struct, frozen=True):
    """A gradient over whatever box it fills: linear at an angle, or radial."""

    kind: str  # linear radial
    angle: float  # degrees; 0 runs to the right, 90 downwards
    stops: tuple[tuple[float, str], ...]


class Told(Struct, frozen=True):
    """Colours that tell things apart in play, and what else does for who cannot see them."""

    colors: tuple[tuple[str, str], ...]  # name, "#rrggbb"
    cue: str  # a second sign, such as a shape or a letter; empty = colour alone


class Theme(Struct, frozen=True):
    """One dress of a game; a skin is another Theme for the same layouts."""

    name: str
    colors: Mapping[str, str]
    gradients: Mapping[str, GradientStyle]
    lines: Mapping[str, LineStyle]
    styles: Mapping[str, TextStyle]
    fonts: Mapping[str, str]  # font name -> path of its file
    replace: Mapping[str, str]  # layouts that this skin draws otherwise
    tells_apart: Mapping[str, Told] = field(default_factory=dict)
