"""Fonts, gradients and pictures as objects of a PDF document.

Knows ReportLab's pdfdoc, fonts and the encoded parts of faces; knows no page.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from reportlab.pdfbase.pdfdoc import PDFDocument, PDFString

from kitwright.fonts import Fonts
from kitwright.ops import Linear
from kitwright.write.encode import color_parts
from kitwright.write.encoded import Gradient
from kitwright.write.objects import Array, Dictionary, Stream, pdf_name
from kitwright.write.pictures import EncodedPicture

_SYMBOLIC = 4
_ITALIC = 64
_LEAST_STEP = 0.0001  # between the stops of a gradient; a PDF function needs them apart

_CMAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
{characters}endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def packed_stream(content: bytes, **entries: object) -> Any:
    """Return a stream object whose content is compressed at once."""
    filled = {**entries, "Filter": pdf_name("FlateDecode")}
    return Stream(filled, STREAMS.compress(content))


class Streams:
    """Compresses each content once, when told to remember: for all papers, and the next build."""

    def __init__(self) -> None:
        self._recall: Callable[[str, Callable[[], bytes]], bytes] | None = None
        self._packed: dict[str, bytes] = {}

    def remember(self, recall: Callable[[str, Callable[[], bytes]], bytes]) -> None:
        """Ask first for what an earlier build compressed, by the hash of the content."""
        self._recall = recall

    def forget(self) -> None:
        """Remember nothing."""
        self._recall = None
        self._packed.clear()

    def compress(self, content: bytes) -> bytes:
        """Return the compressed content."""
        if self._recall is None:
            return zlib.compress(content)
        key = blake2b(content, digest_size=16).hexdigest()
        packed = self._recall(key, lambda: self._packed.get(key) or zlib.compress(content))
        self._packed[key] = packed
        return packed


STREAMS = Streams()


def add_font(document: PDFDocument, fonts: Fonts, font: str, characters: Iterable[str]) -> Any:
    """Embed the glyphs of `characters` under their own numbers; return the reference."""
    used: dict[int, str] = {}
    for char in sorted(set(characters), reverse=True):
        (gid,) = fonts.glyphs(font, char)
        used[gid] = char
    gids = sorted(used)
    name = pdf_name(f"{_subset_tag(fonts.digest(font), gids)}+{fonts.describe(font).name}")
    system = {"Registry": PDFString("Adobe"), "Ordering": PDFString("Identity"), "Supplement": 0}
    descendant = Dictionary(
        {
            "Type": pdf_name("Font"),
            "Subtype": pdf_name("CIDFontType2"),
            "BaseFont": name,
            "CIDSystemInfo": Dictionary(system),
            "FontDescriptor": document.Reference(_descriptor(document, fonts, font, name, gids)),
            "W": _widths(fonts, font, gids),
            "CIDToGIDMap": pdf_name("Identity"),
        }
    )
    unicode = packed_stream(_to_unicode(used).encode("ascii"))
    return document.Reference(
        Dictionary(
            {
                "Type": pdf_name("Font"),
                "Subtype": pdf_name("Type0"),
                "BaseFont": name,
                "Encoding": pdf_name("Identity-H"),
                "DescendantFonts": Array([document.Reference(descendant)]),
                "ToUnicode": document.Reference(unicode),
            }
        )
    )


def _subset_tag(digest: str, gids: list[int]) -> str:
    seed = blake2b(f"{digest} {gids}".encode(), digest_size=6).digest()
    return "".join(chr(ord("A") + byte % 26) for byte in seed)


def _descriptor(
    document: PDFDocument, fonts: Fonts, font: str, name: str, gids: list[int]
) -> Dictionary:
    metrics, about = fonts.metrics(font), fonts.describe(font)
    subset = fonts.subset(font, gids)
    return Dictionary(
        {
            "Type": pdf_name("FontDescriptor"),
            "FontName": name,
            "Flags": _SYMBOLIC | (_ITALIC if about.italic_angle else 0),
            "FontBBox": Array(about.box),
            "ItalicAngle": about.italic_angle,
            "Ascent": round(1000 * metrics.ascent),
            "Descent": round(-1000 * metrics.descent),
            "CapHeight": round(1000 * metrics.cap_height),
            "XHeight": round(1000 * metrics.x_height),
            # No font states its stems; this rule of thumb is what others write.
            "StemV": round(50 + (about.weight / 65) ** 2),
            "FontFile2": document.Reference(packed_stream(subset, Length1=len(subset))),
        }
    )


def _widths(fonts: Fonts, font: str, gids: list[int]) -> str:
    parts: list[str] = []
    last = -2
    for gid in gids:
        if gid != last + 1:
            parts.append(f"{']' if parts else ''} {gid} [")
        parts.append(f" {round(1000 * fonts.advance(font, gid), 2):g}")
        last = gid
    return f"[{''.join(parts)}] ]"


def _to_unicode(used: dict[int, str]) -> str:
    lines = [f"<{gid:04x}> <{used[gid].encode('utf-16-be').hex()}>\n" for gid in sorted(used)]
    blocks = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    return _CMAP.format(
        characters="".join(
            f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks
        )
    )


def shading(
    paint: Gradient,
    space: str = "DeviceRGB",
    parts: Callable[[str], Sequence[float]] = color_parts,
) -> Dictionary:
    """Return a gradient as an axial or radial shading that goes on beyond its ends.

    `parts` gives the values of a colour in the colour space.
    """
    if isinstance(paint, Linear):
        kind, ends = 2, [paint.x0, paint.y0, paint.x1, paint.y1]
    else:
        kind, ends = 3, [paint.x, paint.y, 0, paint.x, paint.y, paint.r]
    return Dictionary(
        {
            "ShadingType": kind,
            "ColorSpace": pdf_name(space),
            "Coords": Array([round(value, 3) for value in ends]),
            "Extend": Array(["true", "true"]),
            "Function": _ramp(_spread(paint.stops), parts),
        }
    )


def _spread(stops: tuple[tuple[float, str], ...]) -> list[tuple[float, str]]:
    """Make stops start at 0, end at 1 and lie apart, so that each pair is a function."""
    ordered = sorted(stops, key=lambda stop: stop[0])
    spread = [(0.0, ordered[0][1])]
    for at, color in ordered:
        spread.append((max(at, spread[-1][0] + _LEAST_STEP), color))
    end = max(1.0, spread[-1][0] + _LEAST_STEP)
    return [*spread, (end, ordered[-1][1])]


def _ramp(stops: list[tuple[float, str]], parts: Callable[[str], Sequence[float]]) -> Dictionary:
    end = stops[-1][0]
    steps = [
        Dictionary(
            {
                "FunctionType": 2,
                "Domain": Array([0, 1]),
                "C0": Array(parts(first)),
                "C1": Array(parts(second)),
                "N": 1,
            }
        )
        for (_, first), (_, second) in pairwise(stops)
    ]
    return Dictionary(
        {
            "FunctionType": 3,
            "Domain": Array([0, 1]),
            "Functions": Array(steps),
            "Bounds": Array([round(at / end, 5) for at, _ in stops[1:-1]]),
            "Encode": Array([0, 1] * len(steps)),
        }
    )


def add_picture(document: PDFDocument, picture: EncodedPicture) -> Any:
    """Embed a picture, with its transparency as a soft mask; return the reference."""
    entries = _pixels(picture, 1 if picture.gray else 3, picture.jpeg)
    if picture.alpha:
        mask = Stream(_pixels(picture, 1, jpeg=False), picture.alpha)
        entries["SMask"] = document.Reference(mask)
    return document.Reference(Stream(entries, picture.data))


def _pixels(picture: EncodedPicture, channels: int, jpeg: bool) -> dict[str, object]:
    entries: dict[str, object] = {
        "Type": pdf_name("XObject"),
        "Subtype": pdf_name("Image"),
        "Width": picture.width,
        "Height": picture.height,
        "BitsPerComponent": 8,
        "ColorSpace": pdf_name("DeviceGray" if channels == 1 else "DeviceRGB"),
        "Filter": pdf_name("DCTDecode" if jpeg else "FlateDecode"),
    }
    if not jpeg:
        entries["DecodeParms"] = Dictionary(
            {"Predictor": 12, "Colors": channels, "Columns": picture.width}
        )
    return entries
