from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from kitwright import __version__
from kitwright.fonts import SHIPPED, Fonts
from kitwright.ops import (
    Face,
    Fill,
    Group,
    Linear,
    Op,
    Page,
    Placed,
    Stroke,
    Symbol,
    Use,
    Word,
    digest,
    dump,
    make_symbol,
)
from kitwright.ops import Path as Outline
from kitwright.write.bounds import bounds
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace
from kitwright.write.pdf import Info, single_face_pdf, write_pdf

SANS = "source-sans-pro"
FONTS = Fonts({name: font.path for name, font in SHIPPED.items()})
INFO = Info("Kelp Run", ("Ada Reef", "Bo Stone"), "Cards, A4", "CC BY-SA 4.0", duplex="long")


def rectangle(x: float, y: float, w: float, h: float) -> Outline:
    return (("M", x, y), ("L", x + w, y), ("L", x + w, y + h), ("L", x, y + h), ("Z",))


SQUARE = make_symbol((Fill(rectangle(0, 0, 1, 1), "#ff0000"),), (0, 0, 1, 1))


def word(x: float, text: str, font: str = SANS) -> Word:
    return Word(x, 8, font, 12, "#102030", text, FONTS.shape(font, text).kerns)


def face_of(name: str, *ops: Op, bleed: float = 1) -> Face:
    return Face(name, 20, 10, bleed, ops, digest(dump(ops)))


def encoded(*faces: Face) -> dict[str, EncodedFace]:
    encoder = Encoder(FONTS)
    return {face.id: encoder.encode(face) for face in faces}


def rich_faces(count: int = 4) -> list[Face]:
    gradient = Linear(0, 0, 20, 0, ((0, "#ffffff"), (1, "#ccddee")))
    return [
        face_of(
            f"deck/{index}",
            Fill(rectangle(-1, -1, 22, 12), gradient),
            Stroke(rectangle(1, 1, 18, 8), "#334455", 0.3, join="round"),
            word(2, f"Avenue{index}"),
            word(12, "Bold", "source-sans-pro-bold"),
            Use(SQUARE, (1, 0, 0, 1, 2.5, 1.5)),
            Group((Use(SQUARE), word(3, "faded")), opacity=0.4, matrix=(1, 0, 0, 1, 8, 0)),
        )
        for index in range(count)
    ]


def page_of(*names: str, bookmark: str = "") -> Page:
    placed = tuple(
        Placed(name, (1, 0, 0, 1, 5 + 20 * index, 5), (5 + 20 * index, 4, 25 + 20 * index, 15))
        for index, name in enumerate(names)
    )
    right = 5 + 20 * len(names)
    return Page(100, 60, (5, 5, right, 15), (4, 4, right + 1, 16), placed, bookmark)


def rich_pdf() -> bytes:
    pages = [page_of("deck/0", "deck/1", "deck/1", bookmark="Réef cards"), page_of("deck/2")]
    pages.append(page_of("deck/3", "deck/1", bookmark="龍 cards"))
    return write_pdf(iter(pages), encoded(*rich_faces()), FONTS, {}, INFO)


def opened(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(BytesIO(data))


def text_of(data: bytes, page: int = 0) -> str:
    pdf = pypdfium2.PdfDocument(data)
    leaf = pdf[page]
    text_page = leaf.get_textpage()
    text = str(text_page.get_text_range())
    text_page.close()
    leaf.close()
    pdf.close()
    return text


def page_art(data: bytes, page: int = 0) -> list[str]:
    """Show which millimetres of a page are red."""
    pdf = pypdfium2.PdfDocument(data)
    leaf = pdf[page]
    bitmap = leaf.render(scale=10 * 25.4 / 72, rev_byteorder=True)
    pixels, stride = bytes(bitmap.buffer), bitmap.stride
    width, height = bitmap.width // 10, bitmap.height // 10
    step = bitmap.n_channels
    bitmap.close()
    leaf.close()
    pdf.close()
    middles = [
        [stride * (10 * y + 5) + step * (10 * x + 5) for x in range(width)] for y in range(height)
    ]
    return [
        "".join("R" if pixels[at : at + 3] == b"\xff\0\0" else "." for at in row) for row in middles
    ]


def test_two_writings_are_the_same_to_the_byte() -> None:
    assert rich_pdf() == rich_pdf()


def test_another_process_with_another_hash_seed_writes_the_same_bytes() -> None:
    code = "import test_write, sys; sys.stdout.buffer.write(test_write.rich_pdf())"
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parent / "generator")])
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert done.stdout == rich_pdf()


def test_the_order_in_which_faces_are_encoded_changes_no_byte() -> None:
    faces = rich_faces()
    there, back = encoded(*faces), encoded(*reversed(faces))
    assert there == back == {face.id: Encoder(FONTS).encode(face) for face in faces}


def test_an_encoded_face_can_be_sent_to_a_worker_and_kept_on_disk() -> None:
    for face in encoded(*rich_faces()).values():
        assert pickle.loads(pickle.dumps(face)) == face


def test_symbols_that_differ_by_less_than_the_dump_shows_are_kept_apart() -> None:
    ops = (Fill(rectangle(0, 0, 1.002, 1), "#ff0000"),)
    twin = Symbol(SQUARE.id, ops, SQUARE.box)
    assert make_symbol(ops, SQUARE.box).id == SQUARE.id
    face = Encoder(FONTS).encode(face_of("a", Use(SQUARE), Use(twin)))
    assert len(face.forms) == 2


def test_operators_are_in_millimetres_with_three_decimals_at_most() -> None:
    path: Outline = (("M", 1.23456, -0.0001), ("C", 1, 2, 3, 4, 5.5, 6), ("L", 7.25, 8), ("Z",))
    face = Encoder(FONTS).encode(face_of("a", Fill(path, "#ff8000"), Stroke(path, "#000000", 0.25)))
    assert face.content.decode().splitlines() == [
        "1 0.502 0 rg",
        "1.235 0 m 1 2 3 4 5.5 6 c 7.25 8 l h f",
        "0 0 0 RG",
        "0.25 w 0 J 0 j",
        "[] 0 d",
        "1.235 0 m 1 2 3 4 5.5 6 c 7.25 8 l h S",
    ]


def test_words_of_one_look_share_their_setting() -> None:
    face = Encoder(FONTS).encode(face_of("a", word(1, "nn"), word(9, "nn")))
    lines = face.content.decode().splitlines()
    assert lines[0] == "BT"
    assert lines[1].endswith(" 4.23333 Tf")
    assert [line.split(" Tm ")[0] for line in lines[3:5]] == ["1 0 0 -1 1 8", "1 0 0 -1 9 8"]
    assert lines[5:] == ["ET"]


def test_a_document_says_what_it_is() -> None:
    with opened(rich_pdf()) as pdf:
        assert pdf.pdf_version >= "1.4"
        info = pdf.docinfo
        assert str(info["/Title"]) == "Kelp Run"
        assert str(info["/Author"]) == "Ada Reef, Bo Stone"
        assert str(info["/Subject"]) == "Cards, A4"
        assert str(info["/Keywords"]) == "CC BY-SA 4.0"
        assert str(info["/Creator"]) == f"Kitwright {__version__}"
        assert str(info["/CreationDate"]) == "D:20000101000000+00'00'"
        with pdf.open_metadata() as metadata:
            assert metadata["dc:title"] == "Kelp Run"
            assert metadata["dc:creator"] == ["Ada Reef", "Bo Stone"]
            assert metadata["dc:rights"] == "CC BY-SA 4.0"
        viewer = pdf.Root["/ViewerPreferences"]
        assert viewer["/PrintScaling"] == pikepdf.Name("/None")
        assert viewer["/Duplex"] == pikepdf.Name("/DuplexFlipLongEdge")


def test_metadata_with_angle_brackets_stays_readable() -> None:
    data = write_pdf([page_of()], {}, FONTS, {}, Info("A & B <C>", ("<D>",)))
    with opened(data) as pdf, pdf.open_metadata() as metadata:
        assert metadata["dc:title"] == "A & B <C>"


def test_each_deck_has_a_bookmark_on_its_first_page() -> None:
    with opened(rich_pdf()) as pdf:
        assert pdf.Root["/PageMode"] == pikepdf.Name("/UseOutlines")
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["Réef cards", "龍 cards"]
        first = pdf.Root["/Outlines"]["/First"]
        targets = [entry["/Dest"][0].objgen for entry in (first, first["/Next"])]
        assert targets == [pdf.pages[0].objgen, pdf.pages[2].objgen]


def test_a_document_without_bookmarks_has_no_outline() -> None:
    with opened(write_pdf([page_of()], {}, FONTS, {}, INFO)) as pdf:
        assert pdf.Root["/PageMode"] == pikepdf.Name("/UseNone")
        assert "/Outlines" not in pdf.Root


def test_every_page_has_its_boxes_in_points_from_below() -> None:
    with opened(rich_pdf()) as pdf:
        page = pdf.pages[0]
        boxes = {
            name: [round(float(value) * 25.4 / 72, 2) for value in page[f"/{name}Box"]]
            for name in ("Media", "Crop", "Bleed", "Trim")
        }
    assert boxes == {
        "Media": [0, 0, 100, 60],
        "Crop": [0, 0, 100, 60],
        "Bleed": [4, 44, 66, 56],
        "Trim": [5, 45, 65, 55],
    }


def forms_of(pdf: pikepdf.Pdf) -> list[str]:
    resources = pdf.pages[0]["/Resources"]
    return sorted(resources["/XObject"].keys()) if "/XObject" in resources else []


def test_a_face_that_repeats_is_written_once_and_a_single_one_goes_into_its_page() -> None:
    faces = encoded(*rich_faces())
    with opened(rich_pdf()) as pdf:
        assert [name[1] for name in forms_of(pdf)].count("X") == 1
        first, second = (page["/Contents"].read_bytes() for page in list(pdf.pages)[:2])
    assert faces["deck/0"].content in first
    assert faces["deck/1"].content not in first
    assert faces["deck/2"].content in second


def test_a_symbol_is_written_once_however_many_faces_draw_it() -> None:
    with opened(rich_pdf()) as pdf:
        assert [name[1] for name in forms_of(pdf)].count("S") == 1


def test_pages_share_one_dictionary_of_resources() -> None:
    with opened(rich_pdf()) as pdf:
        shared = {page.obj["/Resources"].objgen for page in pdf.pages}
        shared |= {
            form["/Resources"].objgen for form in pdf.pages[0]["/Resources"]["/XObject"].values()
        }
    assert len(shared) == 1


class Lazy(Mapping[str, EncodedFace]):
    """Faces that count how often they are asked for."""

    def __init__(self, faces: dict[str, EncodedFace]) -> None:
        self._faces = faces
        self.asked: list[str] = []

    def __getitem__(self, name: str) -> EncodedFace:
        self.asked.append(name)
        return self._faces[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._faces)

    def __len__(self) -> int:
        return len(self._faces)


def test_each_face_is_fetched_once() -> None:
    faces = Lazy(encoded(*rich_faces()))
    write_pdf([page_of("deck/0", "deck/1", "deck/1")] * 3, faces, FONTS, {}, INFO)
    assert faces.asked == ["deck/0", "deck/1"]


def test_text_can_be_selected_and_searched() -> None:
    text = text_of(rich_pdf())
    assert text.split().count("Avenue1") == 2
    assert {"Avenue0", "Bold", "faded"} <= set(text.split())


def test_accents_kerns_and_cyrillic_survive_copying() -> None:
    face = face_of("a", word(1, "Über-Žluťoučký"), word(12, "Ёлка"))
    words = text_of(single_face_pdf([Encoder(FONTS).encode(face)], FONTS, {})).split()
    assert words == ["Über-Žluťoučký", "Ёлка"]


def test_fonts_are_embedded_as_subsets_with_true_widths() -> None:
    with opened(rich_pdf()) as pdf:
        fonts = pdf.pages[0]["/Resources"]["/Font"]
        assert len(fonts) == 2
        for font in fonts.values():
            assert font["/Encoding"] == pikepdf.Name("/Identity-H")
            tag, name = str(font["/BaseFont"])[1:].split("+")
            assert len(tag) == 6
            assert tag.isupper()
            assert name.startswith("SourceSansPro-")
            descendant = font["/DescendantFonts"][0]
            data = descendant["/FontDescriptor"]["/FontFile2"].read_bytes()
            assert len(data) < 20_000
            first, widths = descendant["/W"][0], descendant["/W"][1]
            face = SANS if name.endswith("Regular") else f"{SANS}-bold"
            assert float(widths[0]) == 1000 * FONTS.advance(face, int(first))


def test_two_names_for_one_file_embed_it_once() -> None:
    fonts = Fonts({"body": SHIPPED[SANS].path, "title": SHIPPED[SANS].path})
    face = face_of(
        "a", Word(1, 8, "body", 12, "#000000", "ab"), Word(9, 8, "title", 12, "#000000", "cd")
    )
    data = single_face_pdf([Encoder(fonts).encode(face)], fonts, {})
    assert text_of(data).split() == ["ab", "cd"]
    with opened(data) as pdf:
        assert len(pdf.pages[0]["/Resources"]["/Font"]) == 1


def test_only_pages_with_something_see_through_are_marked_so() -> None:
    plain = face_of("plain", Fill(rectangle(0, 0, 1, 1), "#ff0000"))
    faded = face_of("faded", Group(plain.ops, opacity=0.5))
    pages = [page_of("plain"), page_of("faded"), page_of("plain")]
    with opened(write_pdf(pages, encoded(plain, faded), FONTS, {}, INFO)) as pdf:
        assert ["/Group" in page for page in pdf.pages] == [False, True, False]


@pytest.mark.parametrize("times", [1, 2])
def test_a_face_is_placed_turned_and_clipped_on_its_page(times: int) -> None:
    face = Face("a", 4, 2, 1, (Fill(rectangle(-1, -1, 9, 9), "#ff0000"),), "hash")
    upright = Placed("a", (1, 0, 0, 1, 2, 2), (2, 2, 6, 4))
    turned = Placed("a", (0, 1, -1, 0, 11, 2), (9, 1, 11, 6))
    placed = (upright, turned)[:times]
    page = Page(12, 7, (2, 2, 6, 4), (1, 1, 7, 5), placed)
    rows = page_art(write_pdf([page], encoded(face), FONTS, {}, INFO))
    assert rows == [
        "............",
        "............" if times == 1 else ".........RR.",
        "..RRRR......" if times == 1 else "..RRRR...RR.",
        "..RRRR......" if times == 1 else "..RRRR...RR.",
        "............" if times == 1 else ".........RR.",
        "............" if times == 1 else ".........RR.",
        "............",
    ]


@pytest.mark.parametrize("times", [1, 2])
def test_a_face_paints_nothing_beyond_its_bleed(times: int) -> None:
    face = Face("a", 2, 2, 1, (Fill(rectangle(-50, -50, 99, 99), "#ff0000"),), "hash")
    page = Page(6, 5, (2, 2, 4, 4), (1, 1, 5, 5), (Placed("a", (1, 0, 0, 1, 2, 2)),) * times)
    rows = page_art(write_pdf([page], encoded(face), FONTS, {}, INFO))
    assert rows == ["......", ".RRRR.", ".RRRR.", ".RRRR.", ".RRRR."]


def test_bounds_hold_all_that_is_painted() -> None:
    line: Outline = (("M", 2, 2), ("L", 6, 2))
    assert bounds([Fill(rectangle(1, 2, 3, 4), "#000000")], FONTS) == (1, 2, 4, 6)
    assert bounds([Stroke(line, "#000000", 2)], FONTS) == (0.5, 0.5, 7.5, 3.5)
    assert bounds([Use(SQUARE, (0, 2, -2, 0, 5, 5))], FONTS) == (3, 5, 5, 7)
    clipped = Group((Fill(rectangle(0, 0, 99, 99), "#000000"),), clip=rectangle(0, 0, 2, 2))
    assert bounds([clipped], FONTS) == (0, 0, 2, 2)
    assert bounds([], FONTS) == (0, 0, 0, 0)
    left, top, right, bottom = bounds([word(2, "Wide")], FONTS)
    assert left < 2
    assert right > 2 + FONTS.shape(SANS, "Wide").width * 12 * 25.4 / 72
    assert top < 8 < bottom
