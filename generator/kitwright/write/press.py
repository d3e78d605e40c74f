"""PDFs for a printing press: four inks, nothing see-through, a named printing condition.

A face is parted at the last mark that shows what lies below it: everything up to there becomes one
picture of ink at the shop's resolution, everything above stays type and paths. The result is meant
to be PDF/X; no validator has seen it, so it is a candidate.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from reportlab.pdfbase.pdfdoc import PDFDate, PDFDocument, PDFInfo, PDFString

from kitwright.fonts import Fonts
from kitwright.model.destination import PressRow
from kitwright.ops import Face, Group, Op, Page, Picture, Placed, Stroke, Use, Word
from kitwright.write.embed import shading
from kitwright.write.encode import Encoder, picture_name
from kitwright.write.encoded import EncodedFace, Gradient
from kitwright.write.inks import Inks
from kitwright.write.numbers import number_text
from kitwright.write.objects import Array, Dictionary, Stream, pdf_name
from kitwright.write.pdf import Info, Writer, single_face_pdf
from kitwright.write.pictures import PictureData
from kitwright.write.png import in_processes, opened, paint_page
from kitwright.write.shares import available_cores
from kitwright.write.views import Window, window_matrix

_LEVEL = 6
_ALONE = "k"  # before a colour whose black is ink by itself
_BLANK = "paper"


class Parted(Struct, frozen=True):
    """A face in two: what becomes a picture, and what is drawn over it."""

    below: tuple[Op, ...]
    above: tuple[Op, ...]


class _Ground(Struct, frozen=True):
    """A picture of ink, compressed."""

    width: int
    height: int
    data: bytes


def press_pdf(
    pages: Sequence[Face | None],
    window: Window,
    fonts: Fonts,
    pictures: Mapping[str, PictureData],
    info: Info,
    press: PressRow,
    workers: int | None = None,
) -> bytes:
    """Return a PDF of faces, one a page; None is white paper."""
    inks = inks_of(press)
    distinct = {face.id: face for face in pages if face is not None}
    parted = {name: part(face.ops) for name, face in distinct.items()}
    grounds = _grounds(distinct, parted, window, fonts, pictures, inks, workers)
    encoder = InkEncoder(fonts, inks)
    encoded = {_BLANK: encoder.encode(_blank(window))}
    for name, face in distinct.items():
        ops = parted[name].above
        if name in grounds:
            box = (window.left, window.top, window.width, window.height)
            ops = (Picture(*box, asset=name), *ops)
        bleed = max(-window.left, -window.top)
        encoded[name] = encoder.encode(replace(face, ops=ops, bleed=bleed))
    writer = PressWriter(encoded, fonts, grounds, inks, info, press)
    return writer.write([_page(face, window) for face in pages])


def inks_of(press: PressRow) -> Inks:
    """Return how a press prints."""
    cyan, magenta, yellow, black = (value / 100 for value in press.rich_black)
    return Inks((cyan, magenta, yellow, black), press.thin, press.ink / 100)


def part(ops: Sequence[Op]) -> Parted:
    """Part ops after the last that shows what lies below it."""
    flat = list(_opened(ops))
    clear = [number for number, op in enumerate(flat) if _shows_below(op)]
    at = clear[-1] + 1 if clear else 0
    return Parted(tuple(flat[:at]), tuple(flat[at:]))


def _opened(ops: Sequence[Op]) -> list[Op]:
    """Take symbols and plain groups apart where something in them is see-through."""
    found: list[Op] = []
    for op in ops:
        if isinstance(op, Use) and _shows_below(op):
            inner = _opened(op.symbol.ops)
            found += [Group((each,), op.matrix) for each in inner]
        elif isinstance(op, Group) and not op.clip and op.opacity >= 1 and _shows_below(op):
            found += [Group((each,), op.matrix) for each in _opened(op.ops)]
        else:
            found.append(op)
    return found


def _shows_below(op: Op) -> bool:
    match op:
        case Picture():
            return True
        case Use(symbol):
            return any(map(_shows_below, symbol.ops))
        case Group(ops, _, _, opacity):
            return 0 < opacity < 1 or any(map(_shows_below, ops))
        case _:
            return False


def _blank(window: Window) -> Face:
    width, height = window.width + 2 * window.left, window.height + 2 * window.top
    return Face(_BLANK, width, height, -window.left, (), _BLANK)


def _grounds(
    faces: Mapping[str, Face],
    parted: Mapping[str, Parted],
    window: Window,
    fonts: Fonts,
    pictures: Mapping[str, PictureData],
    inks: Inks,
    workers: int | None,
) -> dict[str, _Ground]:
    """Rasterise what lies below, each face once, and turn it into ink; all cores work on it."""
    wanted = [name for name, parts in parted.items() if parts.below]
    if not wanted:
        return {}
    encoder = Encoder(fonts)
    shown = [encoder.encode(replace(faces[name], ops=parted[name].below)) for name in wanted]
    upright = replace(window, pixels=window.pixels[::-1], turned=False) if window.turned else window
    inks.prepare()  # once, before there are processes
    document = single_face_pdf(shown, fonts, pictures)
    with TemporaryDirectory() as folder:
        targets = [Path(folder, str(number)) for number in range(len(wanted))]
        tasks = [
            _Below(number, face.bleed, upright, inks, target)
            for number, (face, target) in enumerate(zip(shown, targets, strict=True))
        ]
        _in_ink_each(document, tasks, min(workers or available_cores(), len(tasks)))
        wide, high = upright.pixels
        return {
            name: _Ground(wide, high, target.read_bytes())
            for name, target in zip(wanted, targets, strict=True)
        }


class _Below(Struct, frozen=True):
    """The ground of one face, to be written to a file."""

    page: int
    bleed: float
    window: Window
    inks: Inks
    target: Path


def _in_ink_each(document: bytes, tasks: Sequence[_Below], workers: int) -> None:
    if workers > 1:
        in_processes(document, _write_ground, tasks, workers, lambda _: None)
        return
    with opened(document) as pdf:
        for task in tasks:
            _write_ground(pdf, task)


def _write_ground(pdf: Any, task: _Below) -> int:
    import pypdfium2.raw as pdfium
    from PIL import Image

    wide, high = task.window.pixels
    pixels = bytearray(3 * wide * high)
    layout = (pdfium.FPDFBitmap_BGR, 3 * wide, 0)
    matrix = window_matrix(task.window, task.bleed)
    paint_page(pdf, task.page, matrix, (0, 0, wide, high), (wide, high), pixels, layout)
    image = task.inks.picture(Image.frombytes("RGB", (wide, high), bytes(pixels)))
    task.target.write_bytes(zlib.compress(image.tobytes(), _LEVEL))
    return 1


class InkEncoder(Encoder):
    """Writes colours as four inks; the black of type and thin lines stands alone."""

    def __init__(self, fonts: Fonts, inks: Inks) -> None:
        super().__init__(fonts)
        self._inks = inks

    def encode(self, face: Face) -> EncodedFace:
        """Return `face` as operators."""
        done = super().encode(face)
        forms = tuple(replace(form, content=_in_ink(form.content)) for form in done.forms)
        return replace(done, content=_in_ink(done.content), forms=forms)

    def _word(self, op: Word, stream: Any) -> None:
        super()._word(replace(op, color=_ALONE + op.color), stream)

    def _stroke(self, op: Stroke, stream: Any) -> None:
        if op.width <= self._inks.thin:
            op = replace(op, color=_ALONE + op.color)
        super()._stroke(op, stream)

    def _color(self, color: str) -> str:
        alone = color.startswith(_ALONE)
        inks = self._inks.of(color.removeprefix(_ALONE), alone=alone)
        return " ".join(number_text(part, 4) for part in inks)


def _in_ink(content: bytes) -> bytes:
    """Name the operators of four inks instead of three lights."""
    return content.replace(b" rg", b" k").replace(b" RG", b" K")


class _PressInfo(PDFInfo):  # type: ignore[misc]  # reportlab has no types
    """What the document says of itself, with the claim of a PDF/X candidate."""

    version = ""

    def format(self, document: PDFDocument) -> bytes:
        """Return the dictionary."""
        day = PDFDate(ts=document._timeStamp)
        entries = {
            "Title": PDFString(self.title),
            "Author": PDFString(self.author),
            "Subject": PDFString(self.subject),
            "Keywords": PDFString(self.keywords),
            "Creator": PDFString(self.creator),
            "Producer": PDFString(self.producer),
            "CreationDate": day,
            "ModDate": day,
            "Trapped": pdf_name("False"),
            "GTS_PDFXVersion": PDFString(self.version),
        }
        return bytes(Dictionary(entries).format(document))


class PressWriter(Writer):
    """Writes a document in four inks with its output intent."""

    def __init__(
        self,
        faces: Mapping[str, EncodedFace],
        fonts: Fonts,
        grounds: Mapping[str, _Ground],
        inks: Inks,
        info: Info,
        press: PressRow,
    ) -> None:
        super().__init__(faces, fonts, {}, info)
        self._grounds, self._inks, self._press = grounds, inks, press

    def _need_picture(self, asset: str) -> bool:
        ground = self._grounds[asset]
        name = picture_name(asset)
        if name not in self._images:
            entries = {
                "Type": pdf_name("XObject"),
                "Subtype": pdf_name("Image"),
                "Width": ground.width,
                "Height": ground.height,
                "BitsPerComponent": 8,
                "ColorSpace": pdf_name("DeviceCMYK"),
                "Filter": pdf_name("FlateDecode"),
            }
            stream = Stream(entries, ground.data)
            self._images[name] = self._document.Reference(stream)
        return False

    def _shading(self, paint: Gradient) -> Dictionary:
        return shading(paint, "DeviceCMYK", self._inks.of)

    def _fill_catalog(self, outline: Any) -> None:
        document, press = self._document, self._press
        document.info = _PressInfo()
        document.info.version = press.version
        super()._fill_catalog(outline)
        intent = {
            "Type": pdf_name("OutputIntent"),
            "S": pdf_name("GTS_PDFX"),
            "OutputConditionIdentifier": PDFString(press.condition),
            "RegistryName": PDFString(press.registry),
            "Info": PDFString(press.condition),
        }
        catalog = document.Catalog
        catalog.__NoDefault__ = [*catalog.__NoDefault__, "OutputIntents"]
        catalog.OutputIntents = Array([Dictionary(intent)])


def _page(face: Face | None, window: Window) -> Page:
    name = face.id if face is not None else _BLANK
    left, top = -window.left, -window.top
    width, height = window.width, window.height
    trim = (left, top, width - left, height - top)
    return Page(
        width, height, trim, (0, 0, width, height), (Placed(name, (1, 0, 0, 1, left, top)),)
    )
