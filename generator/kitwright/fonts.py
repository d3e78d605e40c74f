"""Font files: what is wrong with one, how wide its words are, which glyphs they take, its subset.

Knows TrueType files through HarfBuzz and draws nothing. Lengths are in em, with the
ascent and the descent both counted away from the baseline. Imports nothing of ours.
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import uharfbuzz as hb
from msgspec import Struct

OPEN_FONT_LICENCE = "SIL Open Font License 1.1"

# A glyph has one place and one character here, so that words stay searchable and can be cut
# anywhere; whatever would join, swap or stack glyphs is off.
_FEATURES = dict.fromkeys(
    ("liga", "clig", "dlig", "rlig", "calt", "rclt", "locl", "ccmp", "mark", "mkmk"), False
) | {"kern": True}
_STAND_INS = {"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2010": "-", "\u2011": "-"}
_COLOUR_TABLES = frozenset({"CBDT", "sbix", "COLR", "SVG "})
_NEEDED_TABLES = ("cmap", "head", "hhea", "hmtx", "maxp")
_DROPPED_TABLES = (
    *("BASE", "DSIG", "FFTM", "GDEF", "GPOS", "GSUB", "JSTF", "MATH", "OS/2", "STAT", "cmap"),
    *("gasp", "hdmx", "kern", "name", "post", "COLR", "CPAL", "SVG ", "CBDT", "CBLC", "sbix"),
)


class FontError(Exception):
    """A font that is unknown or cannot be used, in the designer's words."""


class Shaped(Struct, frozen=True):
    """A measured word: its width in em with kerning, and 1/1000 em to add after each character."""

    width: float
    kerns: tuple[int, ...]  # empty when all are zero


class Metrics(Struct, frozen=True):
    """The heights of a font in em, all positive."""

    ascent: float
    descent: float
    cap_height: float
    x_height: float


class Description(Struct, frozen=True):
    """What a document says of a font that it embeds; the box is in 1/1000 em."""

    name: str  # the PostScript name
    box: tuple[int, int, int, int]
    italic_angle: float
    weight: int


class ShippedFont(Struct, frozen=True):
    """A font that comes with the program: its file, and the terms to name in a kit's credits."""

    family: str
    path: Path
    licence: str


class Fonts:
    """The fonts of a theme by name; each file is opened when it is first asked for."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = {name: Path(files[name]) for name in sorted(files)}
        self._open: dict[str, _Font] = {}
        self._shaped: dict[tuple[str, str], Shaped] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Fonts, (self._files,)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that can be asked for, sorted."""
        return tuple(self._files)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of all fonts."""
        return tuple(self._files.values())

    def path(self, font: str) -> Path:
        """Return the file of a font."""
        return self._files[font]

    def shape(self, font: str, text: str) -> Shaped:
        """Measure `text`, composed (NFC) and without soft hyphens and joiners, in one line."""
        key = (font, text)
        shaped = self._shaped.get(key)
        if shaped is None:
            shaped = self._shaped[key] = self._font(font).shape(text)
        return shaped

    def missing(self, font: str, text: str) -> tuple[str, ...]:
        """List the characters of `text` that the font cannot show, each once, in order."""
        glyphs = self._font(font).glyphs
        return tuple(char for char in dict.fromkeys(text) if not glyphs[char])

    def glyphs(self, font: str, text: str) -> tuple[int, ...]:
        """Return one glyph a character; 0 where the font has none."""
        return tuple(map(self._font(font).glyphs.__getitem__, text))

    def advance(self, font: str, gid: int) -> float:
        """Return the width of one glyph in em."""
        return self._font(font).advance(gid)

    def outline(self, font: str, gid: int) -> tuple[tuple[str, *tuple[float, ...]], ...]:
        """Return the path of a glyph in em, y upwards; `Q` is a curve with one control point."""
        return self._font(font).outline(gid)

    def metrics(self, font: str) -> Metrics:
        """Return the heights of a font."""
        return self._font(font).metrics

    def describe(self, font: str) -> Description:
        """Return what a document must say of the font when it embeds it."""
        return self._font(font).description

    def digest(self, font: str) -> str:
        """Return the content hash of the font's file."""
        return self._font(font).digest

    def subset(self, font: str, gids: Iterable[int]) -> bytes:
        """Return a TrueType file with the outlines of `gids` alone, which keep their numbers."""
        return self._font(font).subset(gids)

    def _font(self, name: str) -> _Font:
        font = self._open.get(name)
        if font is None:
            if name not in self._files:
                raise FontError(f"font '{name}' is not known; the theme has {_list(self._files)}")
            fault = check_font(self._files[name])
            if fault:
                raise FontError(f"font '{name}': {fault}")
            font = self._open[name] = _Font(self._files[name].read_bytes())
        return font


class _Glyphs(dict[str, int]):
    """The glyph of each character, 0 where there is none; looked up in the font once."""

    def __init__(self, font: hb.Font) -> None:
        self._font = font

    def __missing__(self, char: str) -> int:
        gid = self._font.get_nominal_glyph(ord(char)) or 0
        if not gid and char in _STAND_INS:
            gid = self._font.get_nominal_glyph(ord(_STAND_INS[char])) or 0
        self[char] = gid
        return int(gid)


class _Font:
    """One open font file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._face = hb.Face(hb.Blob(data))
        self._font = hb.Font(self._face)
        self._upem: int = self._face.upem
        self.glyphs = _Glyphs(self._font)
        self._advances: dict[int, float] = {}

    def advance(self, gid: int) -> float:
        width = self._advances.get(gid)
        if width is None:
            width = self._advances[gid] = self._font.get_glyph_h_advance(gid) / self._upem
        return width

    def outline(self, gid: int) -> tuple[tuple[str, *tuple[float, ...]], ...]:
        pen = _Pen(self._upem)
        self._font.draw_glyph_with_pen(gid, pen)
        return tuple(pen.path)

    def shape(self, text: str) -> Shaped:
        if not text:
            return Shaped(0.0, ())
        gids = [self.glyphs[char] for char in text]
        width = sum(map(self.advance, gids))
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.direction = "ltr"
        hb.shape(self._font, buffer, _FEATURES)
        if [info.codepoint for info in buffer.glyph_infos] != gids:
            return Shaped(width, ())
        kerns = tuple(
            round(1000 * (place.x_advance / self._upem - self.advance(gid)))
            for gid, place in zip(gids, buffer.glyph_positions, strict=True)
        )
        return Shaped(width + sum(kerns) / 1000, kerns) if any(kerns) else Shaped(width, ())

    @cached_property
    def metrics(self) -> Metrics:
        extents = self._font.get_font_extents("ltr")
        return Metrics(
            ascent=extents.ascender / self._upem,
            descent=-extents.descender / self._upem,
            cap_height=self._height(hb.OTMetricsTag.CAP_HEIGHT, "H"),
            x_height=self._height(hb.OTMetricsTag.X_HEIGHT, "x"),
        )

    def _height(self, tag: hb.OTMetricsTag, example: str) -> float:
        height = self._font.get_metric_position(tag)
        if not height:
            extents = self._font.get_glyph_extents(self.glyphs[example])
            height = extents.y_bearing if extents else 0
        return float(height / self._upem)

    @cached_property
    def description(self) -> Description:
        left, bottom, right, top = struct.unpack(">4h", self._table("head")[36:44])
        scale = 1000 / self._upem
        return Description(
            name=self._face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or "Font",
            box=(
                round(left * scale),
                round(bottom * scale),
                round(right * scale),
                round(top * scale),
            ),
            italic_angle=float(self._font.get_style_value(hb.StyleTag.SLANT_ANGLE)),
            weight=int(self._font.get_style_value(hb.StyleTag.WEIGHT)),
        )

    @cached_property
    def digest(self) -> str:
        return blake2b(self._data, digest_size=10).hexdigest()

    def subset(self, gids: Iterable[int]) -> bytes:
        wanted = hb.SubsetInput()
        wanted.glyph_set.update(sorted(gids))
        wanted.drop_table_tag_set.update(map(_tag, _DROPPED_TABLES))
        wanted.flags = (
            hb.SubsetFlags.RETAIN_GIDS
            | hb.SubsetFlags.NO_HINTING
            | hb.SubsetFlags.NO_LAYOUT_CLOSURE
            | hb.SubsetFlags.NOTDEF_OUTLINE
        )
        if self._face.has_var_data:
            wanted.pin_all_axes_to_default(self._face)
        return bytes(wanted.subset(self._face).blob.data)

    def _table(self, tag: str) -> bytes:
        return bytes(self._face.reference_table(tag).data)


class _Pen:
    """Writes an outline down; the names of its methods are HarfBuzz's."""

    def __init__(self, upem: int) -> None:
        self.path: list[tuple[str, *tuple[float, ...]]] = []
        self._upem = upem

    def _add(self, verb: str, *points: tuple[float, float]) -> None:
        self.path.append((verb, *(value / self._upem for point in points for value in point)))

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("M", point)

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._add("L", point)

    def qCurveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._add("Q", *points)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._add("C", *points)

    def closePath(self) -> None:  # noqa: N802
        self._add("Z")


def check_font(path: Path) -> str | None:
    """Say what is wrong with a font file in the designer's words; None when it can be used."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return f"there is no file '{path.name}'; expected a .ttf file of the game's folder"
    except IsADirectoryError:
        return f"'{path.name}' is a folder; expected a .ttf file"
    except OSError as error:
        return f"'{path.name}' cannot be read: {(error.strerror or 'unknown reason').lower()}"
    return _kind_fault(data, path.name) or _table_fault(data, path.name)


def _kind_fault(data: bytes, name: str) -> str | None:
    kind = data[:4]
    if kind == b"OTTO":
        return f"'{name}' has PostScript outlines; expected TrueType outlines; use a .ttf"
    if kind in (b"wOFF", b"wOF2"):
        return f"'{name}' is a web font (woff); expected TrueType outlines; use a .ttf"
    if kind == b"ttcf":
        return f"'{name}' is a collection of fonts; expected a single font; use a .ttf"
    if kind not in (b"\0\1\0\0", b"true"):
        return f"'{name}' is not a font; expected a .ttf file"
    return None


def _table_fault(data: bytes, name: str) -> str | None:
    broken = f"'{name}' is cut short or damaged; expected a whole .ttf file; copy it again"
    try:
        tables = dict(_tables(data))
    except struct.error:
        return broken
    if any(offset + length > len(data) for offset, length in tables.values()):
        return broken
    if not {"glyf", "loca"} <= tables.keys():
        if _COLOUR_TABLES & tables.keys():
            return _colour_fault(name)
        return f"'{name}' has no TrueType outlines; expected a font with outlines; use a .ttf"
    if any(tag not in tables for tag in _NEEDED_TABLES):
        return broken
    face = hb.Face(hb.Blob(data))
    if not face.unicodes or face.upem < 16 or not face.glyph_count:
        return broken
    if _COLOUR_TABLES & tables.keys() and not _has_outlines(hb.Font(face), face.unicodes):
        return _colour_fault(name)
    return None


def _colour_fault(name: str) -> str:
    return (
        f"'{name}' is a colour-emoji font without outlines; expected a font with outlines; "
        "use a PNG or SVG icon"
    )


def _has_outlines(font: Any, unicodes: Iterable[int]) -> bool:
    for code in unicodes:
        extents = font.get_glyph_extents(font.get_nominal_glyph(code) or 0)
        # Letters and emoji only: such fonts often draw the digits and the space.
        if code > 0x40 and extents and extents.width:
            return True
    return False


def _tables(data: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    (count,) = struct.unpack(">H", data[4:6])
    for at in range(12, 12 + 16 * count, 16):
        tag, _, offset, length = struct.unpack(">4s3I", data[at : at + 16])
        yield tag.decode("latin-1"), (offset, length)


def _tag(tag: str) -> int:
    return int.from_bytes(tag.encode("ascii"), "big")


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "no fonts"


def _shipped() -> dict[str, ShippedFont]:
    weights = {"": "Regular", "-light": "Light", "-semibold": "Semibold", "-bold": "Bold"}
    weights["-black"] = "Black"
    found: dict[str, ShippedFont] = {}
    for family in ("Source Sans Pro", "Source Serif Pro"):
        slug, stem = family.lower().replace(" ", "-"), family.replace(" ", "")
        folder = _package_files(f"font_{slug.replace('-', '_')}")
        for suffix, weight in weights.items():
            italic = "It" if weight == "Regular" else f"{weight}It"
            for ending, style in ((suffix, weight), (f"{suffix}-italic", italic)):
                path = folder / f"{stem}-{style}.ttf"
                found[slug + ending] = ShippedFont(family, path, OPEN_FONT_LICENCE)
    fredoka = _package_files("font_fredoka_one") / "FredokaOne-Regular.ttf"
    found["fredoka-one"] = ShippedFont("Fredoka One", fredoka, OPEN_FONT_LICENCE)
    return found


def _package_files(package: str) -> Path:
    # find_spec does not run the package, whose start lists its whole folder.
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return Path(package) / "files"
    return Path(spec.origin).parent / "files"


SHIPPED: Mapping[str, ShippedFont] = _shipped()
