"""PDF documents of encoded faces: pages, forms, fonts, bookmarks, metadata.

Uses ReportLab's document objects and one dictionary of resources for all pages and forms.
Decides nothing about where things are: pages say that. The bytes depend on the arguments
alone, never on the clock, the order of a set or the process.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from msgspec import Struct
from reportlab.pdfbase.pdfdoc import PDFDocument

from kitwright import __version__
from kitwright.fonts import Fonts
from kitwright.ops import IDENTITY, Page, Placed
from kitwright.write.bounds import MM_A_POINT, Box
from kitwright.write.embed import STREAMS, add_font, add_picture, packed_stream, shading
from kitwright.write.encode import face_form_name, font_name, opacity_name, picture_name
from kitwright.write.encoded import EncodedFace, Form, Gradient
from kitwright.write.numbers import number_text
from kitwright.write.objects import Array, Dictionary, Stream, pdf_name
from kitwright.write.outline import add_links, make_outline
from kitwright.write.pictures import PictureData

CREATOR = f"Kitwright {__version__}"
_POINTS_A_MM = 1 / MM_A_POINT
_DUPLEX = {"long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge", "": "Simplex"}

_XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq>{authors}</rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">{licence}</rdf:li></rdf:Alt></dc:rights>
<pdf:Keywords>{licence}</pdf:Keywords>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
<xmp:Label>{stamp}</xmp:Label>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""

_STAMP = re.compile(rb"<xmp:Label>([0-9a-f]+)</xmp:Label>")


class Info(Struct, frozen=True):
    """What a document says of itself; `duplex` is the edge to turn on: long, short or none."""

    title: str
    authors: tuple[str, ...] = ()
    subject: str = ""
    licence: str = ""
    duplex: str = ""
    language: str = "en"
    stamp: str = ""  # the short hash of the whole kit, where the document shows that


def stamp_of(document: bytes) -> str:
    """Return the stamp of a document of ours, or nothing."""
    found = _STAMP.search(document)
    return found[1].decode("ascii") if found else ""


def write_pdf(
    pages: Iterable[Page],
    faces: Mapping[str, EncodedFace],
    fonts: Fonts,
    pictures: Mapping[str, PictureData],
    info: Info,
) -> bytes:
    """Return a PDF of `pages`; `faces` are those that are placed, and those that these show."""
    writer = Writer(faces, fonts, pictures, info)
    return writer.write(list(pages))


def single_face_pdf(
    faces: Sequence[EncodedFace], fonts: Fonts, pictures: Mapping[str, PictureData]
) -> bytes:
    """Return a PDF with one face and its bleed a page: what pictures are rasterised from."""
    by_index = {str(index): face for index, face in enumerate(faces)}
    pages = [_face_page(name, face) for name, face in by_index.items()]
    return write_pdf(pages, by_index, fonts, pictures, Info("Faces"))


def _face_page(name: str, face: EncodedFace) -> Page:
    bleed = face.bleed
    width, height = face.width + 2 * bleed, face.height + 2 * bleed
    return Page(
        width=width,
        height=height,
        trim=(bleed, bleed, bleed + face.width, bleed + face.height),
        bleed=(0, 0, width, height),
        placed=(Placed(name, (1, 0, 0, 1, bleed, bleed)),),
    )


class Writer:
    """One document in the making."""

    def __init__(
        self,
        faces: Mapping[str, EncodedFace],
        fonts: Fonts,
        pictures: Mapping[str, PictureData],
        info: Info,
    ) -> None:
        self._faces, self._fonts, self._pictures, self._info = faces, fonts, pictures, info
        self._document = PDFDocument(dummyoutline=1, invariant=1, lang=info.language)
        self._document.ensureMinPdfVersion("transparency")
        self._resources = Dictionary()
        self._resources_ref = self._document.Reference(self._resources)
        self._forms: dict[str, Any] = {}
        self._images: dict[str, Any] = {}
        self._characters: dict[str, set[str]] = {}
        self._shadings: dict[str, Gradient] = {}
        self._opacities: set[float] = set()
        self._drawn: dict[str, bool] = {}  # faces that are forms, and whether they fade

    def write(self, pages: list[Page]) -> bytes:
        """Return the document of some pages."""
        uses = Counter(placed.face for page in pages for placed in page.placed)
        self._faces = self._faces_of(uses)
        uses.update(shown for name in tuple(uses) for shown in self._faces[name].faces)
        added = [self._add_page(page, uses) for page in pages]
        references = [reference for _, reference in added]
        add_links(pages, [entries for entries, _ in added], references)
        self._fill_resources()
        self._fill_catalog(make_outline(self._document, pages, references))
        return bytes(self._document.format())

    def _faces_of(self, placed: Iterable[str]) -> dict[str, EncodedFace]:
        """Return the faces that are placed, and those that they show; each is asked for once."""
        found: dict[str, EncodedFace] = {}
        wanted = list(placed)
        for name in wanted:
            if name not in found:
                found[name] = self._faces[name]
                wanted += found[name].faces
        return found

    def _add_page(self, page: Page, uses: Counter[str]) -> tuple[Dictionary, Any]:
        scale, height = _number(_POINTS_A_MM), _number(page.height * _POINTS_A_MM)
        parts = [f"{scale} 0 0 -{scale} 0 {height} cm".encode("ascii")]
        if page.matrix != IDENTITY:
            parts.append(f"{' '.join(map(_number, page.matrix))} cm".encode("ascii"))
        fades = False
        for placed in page.placed:
            drawn, fading = self._draw(placed.face, uses[placed.face] > 1)
            parts.append(_placing(placed))
            parts += drawn
            parts.append(b"Q")
            fades = fades or fading
        content = STREAMS.compress(b"\n".join(parts))
        self._document.updateSignature(content)
        stream = Stream({"Filter": pdf_name("FlateDecode")}, content)
        entries: dict[str, object] = {
            "Type": pdf_name("Page"),
            "Parent": self._document.Reference(self._document.Pages),
            "MediaBox": _page_box((0, 0, page.width, page.height), page.height),
            "CropBox": _page_box((0, 0, page.width, page.height), page.height),
            "BleedBox": _page_box(page.bleed, page.height),
            "TrimBox": _page_box(page.trim, page.height),
            "Contents": self._document.Reference(stream),
            "Resources": self._resources_ref,
        }
        if fades:
            entries["Group"] = _transparency()
        dictionary = Dictionary(entries)
        reference = self._document.Reference(dictionary)
        self._document.Pages.addPage(reference)
        return dictionary, reference

    def _draw(self, name: str, repeated: bool) -> tuple[list[bytes], bool]:
        """Return the operators that draw a face, and whether anything in it is see-through."""
        if not repeated:
            face = self._faces[name]
            fades = self._need(face)
            left, top, right, bottom = map(_number, (*face.box[:2], *_extent(face.box)))
            clip = f"{left} {top} {right} {bottom} re W n".encode("ascii")
            return [clip, face.content], fades
        return [f"/{face_form_name(name)} Do".encode("ascii")], self._need_face(name)

    def _need_face(self, name: str) -> bool:
        """Write a face as a form once; tell whether anything in it is see-through."""
        if name not in self._drawn:
            face = self._faces[name]
            self._drawn[name] = self._need(face)
            self._add_form(Form(face_form_name(name), face.content, face.box))
        return self._drawn[name]

    def _need(self, face: EncodedFace) -> bool:
        for font, characters in face.characters:
            self._characters.setdefault(font, set()).update(characters)
        for form in face.forms:
            self._add_form(form)
        fades = bool(face.opacities)
        for asset in face.pictures:
            fades = self._need_picture(asset) or fades
        for name in face.faces:
            fades = self._need_face(name) or fades
        self._shadings.update(face.shadings)
        self._opacities.update(face.opacities)
        return fades

    def _need_picture(self, asset: str) -> bool:
        """Embed a picture once; tell whether anything in it is see-through."""
        picture = self._pictures[asset].encoded
        if picture_name(asset) not in self._images:
            self._images[picture_name(asset)] = add_picture(self._document, picture)
        return bool(picture.alpha)

    def _shading(self, paint: Gradient) -> Dictionary:
        return shading(paint)

    def _add_form(self, form: Form) -> None:
        if form.name in self._forms:
            return
        entries: dict[str, object] = {
            "Type": pdf_name("XObject"),
            "Subtype": pdf_name("Form"),
            "BBox": Array([round(value, 3) for value in form.box]),
            "Resources": self._resources_ref,
        }
        if form.group:
            entries["Group"] = _transparency()
        self._document.updateSignature(form.name)
        stream = packed_stream(form.content, **entries)
        self._forms[form.name] = self._document.Reference(stream)

    def _fill_resources(self) -> None:
        document = self._document
        by_file: dict[str, tuple[str, set[str]]] = {}
        for font in sorted(self._characters):
            name = font_name(self._fonts.digest(font))
            _, characters = by_file.setdefault(name, (font, set()))
            characters.update(self._characters[font])
        parts = {
            "Font": {
                name: add_font(document, self._fonts, font, characters)
                for name, (font, characters) in sorted(by_file.items())
            },
            "XObject": {**self._forms, **self._images},
            "Shading": {
                name: document.Reference(self._shading(paint))
                for name, paint in sorted(self._shadings.items(), key=lambda item: item[0])
            },
            "ExtGState": {
                opacity_name(value): Dictionary({"ca": value, "CA": value})
                for value in sorted(self._opacities)
            },
        }
        for kind, entries in parts.items():
            if entries:
                self._resources[kind] = Dictionary(entries)

    def _fill_catalog(self, outline: Any) -> None:
        document, info = self._document, self._info
        catalog = document.Catalog
        catalog.Outlines = outline
        catalog.setPageMode("UseOutlines" if outline else "UseNone")
        catalog.ViewerPreferences = Dictionary(
            {
                "DisplayDocTitle": "true",
                "PrintScaling": pdf_name("None"),
                "Duplex": pdf_name(_DUPLEX[info.duplex]),
            }
        )
        kind = {"Type": pdf_name("Metadata"), "Subtype": pdf_name("XML")}
        catalog.Metadata = Stream(kind, _metadata(info).encode("utf-8"))
        document.setTitle(info.title)
        document.setAuthor(", ".join(info.authors))
        document.setSubject(info.subject)
        document.setKeywords(info.licence)
        document.setCreator(CREATOR)
        document.info.digest(document.signature)


def _metadata(info: Info) -> str:
    return _XMP.format(
        title=escape(info.title, quote=False),
        authors="".join(
            f"<rdf:li>{escape(author, quote=False)}</rdf:li>" for author in info.authors
        ),
        subject=escape(info.subject, quote=False),
        licence=escape(info.licence, quote=False),
        creator=escape(CREATOR, quote=False),
        stamp=escape(info.stamp, quote=False),
    )


def _transparency() -> Dictionary:
    return Dictionary(
        {
            "Type": pdf_name("Group"),
            "S": pdf_name("Transparency"),
            "CS": pdf_name("DeviceRGB"),
            "I": "true",
        }
    )


def _placing(placed: Placed) -> bytes:
    a, b, c, d, e, f = map(_number, placed.matrix)
    clip = ""
    if placed.clip:
        left, top = placed.clip[:2]
        width, height = _extent(placed.clip)
        clip = f"{_number(left)} {_number(top)} {_number(width)} {_number(height)} re W n "
    return f"q {clip}{a} {b} {c} {d} {e} {f} cm".encode("ascii")


def _extent(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _page_box(box: Box, height: float) -> Array:
    left, top, right, bottom = box
    corners = (left, height - bottom, right, height - top)
    return Array([round(value * _POINTS_A_MM, 4) for value in corners])


def _number(value: float) -> str:
    return number_text(value, 6)
