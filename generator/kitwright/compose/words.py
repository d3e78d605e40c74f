"""Words measured in em: what a line break may not part, except at a hyphen.

Knows fonts and text styles; knows no box and no size, so that one measuring serves every size
that is tried. Draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple
from unicodedata import bidirectional, category, normalize

from msgspec import Struct

from kitwright.compose.hyphens import breaks_in
from kitwright.compose.markup import IconName, Paragraph, Run, TextFault
from kitwright.fonts import SHIPPED, Fonts
from kitwright.model.theme import TextStyle
from kitwright.ops import Symbol

SOFT_HYPHEN = "\u00ad"
_IGNORED = str.maketrans("", "", "\u200d\u2060\ufeff")  # joiners: nothing is joined or parted
_JOINING = ("Mn", "Mc", "Me")  # marks that need a shaper to find their place


class InlineIcon(Struct, frozen=True):
    """An icon among words; its symbol stands in a box 1 mm high and width / height mm wide."""

    symbol: Symbol
    width: float = 1.0  # in em of the text
    height: float = 1.0
    bearing: float = 0.05  # free space on either side


Icons = Callable[[str], InlineIcon | None]


class Part(NamedTuple):
    """Characters of one font, or an icon; `raw` still has its soft hyphens."""

    font: str
    text: str
    kerns: tuple[int, ...]
    width: float
    raw: str
    icon: InlineIcon | None = None


class Chunk(NamedTuple):
    """What stands between two spaces; `space` is the width of the one before it."""

    parts: tuple[Part, ...]
    width: float
    space: float
    space_font: str  # empty for the rest of a hyphenated word

    @property
    def text(self) -> str:
        """The word as a message shows it."""
        return "".join("(icon)" if part.icon else part.text for part in self.parts)


class Measurer:
    """Turns the paragraphs of one style into chunks, and chunks into halves."""

    def __init__(self, style: TextStyle, fonts: Fonts, icons: Icons) -> None:
        self.style = style
        self.fonts = fonts
        self.tracking = round(style.tracking)
        self.tallest_icon = 0.0
        self._icons = icons
        self._families = {
            (False, False): style.regular,
            (True, False): style.bold,
            (False, True): style.italic,
            (True, True): style.bold_italic,
        }

    def chunks(self, paragraph: Paragraph) -> tuple[Chunk, ...]:
        """Measure a paragraph word by word; spaces are U+0020 alone."""
        found: list[Chunk] = []
        parts: list[Part] = []
        space, space_font = 0.0, ""
        for piece in paragraph:
            if isinstance(piece, IconName):
                parts.append(self._icon(piece.name))
                continue
            font = self._families[piece.bold, piece.italic]
            blank = self._part(font, " ").width
            for index, raw in enumerate(self._characters(piece, font).split(" ")):
                if index:
                    if parts:
                        found.append(_chunk(parts, space, space_font))
                        parts = []
                    space, space_font = blank, font
                if raw.strip(SOFT_HYPHEN):
                    parts.append(self._part(font, raw))
        if parts:
            found.append(_chunk(parts, space, space_font))
        return tuple(found)

    def split(self, chunk: Chunk, room: float) -> tuple[Chunk, Chunk] | None:
        """Break a word so that its first half and a hyphen fill `room` best, if it can be."""
        for index in reversed(range(len(chunk.parts))):
            part = chunk.parts[index]
            before = sum(each.width for each in chunk.parts[:index])
            for start, end in reversed(self._breaks(part)) if before < room else ():
                head = self._part(part.font, part.raw[:start] + "-")
                if before + head.width <= room:
                    tail = self._part(part.font, part.raw[end:])
                    first = _chunk([*chunk.parts[:index], head], chunk.space, chunk.space_font)
                    return first, _chunk([tail, *chunk.parts[index + 1 :]], 0.0, "")
        return None

    def _part(self, font: str, raw: str) -> Part:
        text = raw.replace(SOFT_HYPHEN, "") if SOFT_HYPHEN in raw else raw
        shaped = self.fonts.shape(font, text)
        width = shaped.width + len(text) * self.tracking / 1000
        return Part(font, text, shaped.kerns, width, raw)

    def _icon(self, name: str) -> Part:
        icon = self._icons(name)
        if icon is None:
            raise TextFault("unknown-icon", f"has ':{name}:', which is not an icon", name)
        self.tallest_icon = max(self.tallest_icon, icon.height)
        width = icon.width + 2 * icon.bearing + self.tracking / 1000
        return Part("", "\ufffc", (), width, "", icon)

    def _characters(self, run: Run, font: str) -> str:
        text = run.text
        if self.style.caps:
            text = text.upper()
        if not text.isascii():
            text = normalize("NFC", text.translate(_IGNORED))
        missing = self.fonts.missing(font, text.replace(SOFT_HYPHEN, ""))
        if missing:
            raise _missing_glyph(missing[0], font, self.fonts)
        if not text.isascii():
            _refuse_scripts(text)
        return text

    def _breaks(self, part: Part) -> list[tuple[int, int]]:
        """List where `raw` may be cut: the end of the head and the start of the tail."""
        raw = part.raw
        if SOFT_HYPHEN in raw:
            ends = len(raw) - 1
            return [
                (i, i + 1) for i, char in enumerate(raw) if char == SOFT_HYPHEN and 0 < i < ends
            ]
        if not self.style.hyphenate:
            return []
        return [(at, at) for at in breaks_in(raw, self.style.hyphenate)]


def _chunk(parts: list[Part], space: float, space_font: str) -> Chunk:
    if len(parts) == 1:
        return Chunk((parts[0],), parts[0].width, space, space_font)
    return Chunk(tuple(parts), sum(part.width for part in parts), space, space_font)


def _missing_glyph(char: str, font: str, fonts: Fonts) -> TextFault:
    shown = f"'{char}' (U+{ord(char):04X})" if char.isprintable() else f"U+{ord(char):04X}"
    hint = "use an icon" if char.isprintable() else "delete it"
    for name in sorted(set(fonts.names) | SHIPPED.keys()):
        if not _fonts_with(fonts, name).missing(name, char):
            hint = f"font '{name}' has it"
            break
    return TextFault("missing-glyph", f"has {shown}, which font '{font}' lacks; {hint}", char)


def _fonts_with(fonts: Fonts, name: str) -> Fonts:
    return fonts if name in fonts.names else Fonts({name: SHIPPED[name].path})


def _refuse_scripts(text: str) -> None:
    for char in text:
        if bidirectional(char) in ("R", "AL"):
            why = "which runs from right to left; expected text from left to right"
        elif category(char) in _JOINING:
            why = "a mark that joins its neighbours; expected characters that stand alone"
        else:
            continue
        message = f"has '{char}' (U+{ord(char):04X}), {why}; use a picture"
        raise TextFault("unsupported-script", message, char)
