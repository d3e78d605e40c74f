"""PDFs for a press: read again with pikepdf, drawn again with pdfium."""

from __future__ import annotations

import re
import shutil
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from kitwright.fonts import SHIPPED, Fonts
from kitwright.jobs.exports import ExportOptions, export_game
from kitwright.load import Workspace
from kitwright.ops import Face, Fill, Group, Op, Stroke, Word
from kitwright.ops import Path as OpPath
from kitwright.write.inks import Inks
from kitwright.write.press import InkEncoder, part

HARBOUR = Path(__file__).parent / "harbour"
INKS = Inks((0.6, 0.4, 0.4, 1.0), 0.5, 2.4)
BOX: OpPath = (("M", 0, 0), ("L", 9, 0), ("L", 9, 9), ("L", 0, 9), ("Z",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("press") / "workspace"
    shutil.copytree(HARBOUR, root)
    options = ExportOptions(("drivethru",), workers=1)
    return export_game(Workspace(root), "harbour", options, root / "output").folder / "drivethru"


@pytest.fixture
def ships(folder: Path) -> Any:
    with pikepdf.open(folder / "poker-ships.pdf") as pdf:
        yield pdf


def streams(pdf: Any) -> list[bytes]:
    """Return all operators: of pages and of forms."""
    forms = [
        thing.read_bytes()
        for thing in pdf.objects
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
    ]
    return [*forms, *(page.Contents.read_bytes() for page in pdf.pages)]


def test_a_deck_is_a_pdf_of_backs_and_fronts_in_turn(folder: Path) -> None:
    assert sorted(path.name for path in folder.glob("*.pdf")) == [
        "poker-captain.pdf",
        "poker-moods.pdf",
        "poker-ships.pdf",
    ]
    pdf = pypdfium2.PdfDocument(folder / "poker-ships.pdf")
    said = [" ".join(page.get_textpage().get_text_range().split()) for page in pdf]
    assert said[0::2] == ["Harbour"] * 6
    assert [text.split()[-1] for text in said[1::2]] == ["brig"] * 3 + ["sloop"] + ["yawl"] * 2


def test_pages_have_the_boxes_that_the_shop_wants(ships: Any) -> None:
    assert len(ships.pages) == 12
    for page in ships.pages:
        assert [float(v) for v in page.MediaBox] == [0, 0, 198, 270]
        assert [float(v) for v in page.BleedBox] == [0, 0, 198, 270]
        assert [float(v) for v in page.TrimBox] == [9, 9, 189, 261]


def test_the_document_says_what_it_is_a_candidate_for(ships: Any) -> None:
    assert str(ships.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"
    assert str(ships.docinfo["/Trapped"]) == "/False"
    (intent,) = ships.Root.OutputIntents
    assert str(intent.S) == "/GTS_PDFX"
    assert str(intent.OutputConditionIdentifier) == "CGATS TR 001"
    assert str(intent.RegistryName) == "http://www.color.org"
    assert ships.trailer.ID is not None
    assert not ships.is_encrypted


def test_nothing_is_see_through_and_no_colour_is_of_light(ships: Any) -> None:
    for thing in ships.objects:
        if isinstance(thing, pikepdf.Dictionary | pikepdf.Stream):
            assert not {"/SMask", "/ca", "/CA", "/Group"} & set(thing.keys())
            assert thing.get("/ColorSpace") in (None, "/DeviceCMYK")
    for content in streams(ships):
        assert not re.search(rb"\b(rg|RG|g|G|gs)\b", content)
    assert any(re.search(rb"\bk\b", content) for content in streams(ships))


def test_every_font_is_embedded(ships: Any) -> None:
    fonts = [f for f in ships.objects if isinstance(f, pikepdf.Dictionary) and "/FontName" in f]
    assert fonts
    assert all("/FontFile2" in font for font in fonts)


def test_no_spot_takes_more_ink_than_the_press_dries(ships: Any) -> None:
    for content in streams(ships):
        for found in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) [kK]\b", content):
            assert sum(map(float, found)) <= 2.4 + 1e-3
    images = [
        thing
        for thing in ships.objects
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
    ]
    assert len(images) == 3  # below the veil; the back has none
    for image in images:
        raw = zlib.decompress(image.read_raw_bytes())
        assert len(raw) == 825 * 1125 * 4
        most = max(sum(raw[at : at + 4]) for at in range(0, len(raw), 4 * 97))
        assert most <= 2.4 * 255 + 2


def test_type_above_a_picture_stays_type(folder: Path) -> None:
    page = pypdfium2.PdfDocument(folder / "poker-ships.pdf")[1]
    assert page.get_textpage().get_text_range().split() == ["Brig", "<Ada>", "brig"]


def test_the_page_looks_like_the_card(folder: Path) -> None:
    image = pypdfium2.PdfDocument(folder / "poker-ships.pdf")[1].render(scale=1).to_pil()
    red, green, blue = image.getpixel((60, 192))  # the veil: half flag, half sand
    assert red > green > blue
    light = image.getpixel((150, 230))
    assert all(value > 190 for value in light)


def test_black_areas_are_rich_and_black_type_is_black_alone() -> None:
    assert INKS.of("#000000") == (0.6, 0.4, 0.4, 1.0)
    assert INKS.of("#000000", alone=True) == (0.0, 0.0, 0.0, 1.0)
    assert INKS.of("#ffffff") == (0.0, 0.0, 0.0, 0.0)
    assert INKS.of("#ff0000") == (0.0, 1.0, 1.0, 0.0)


def test_a_dark_colour_gets_more_black_before_it_gets_too_much_ink() -> None:
    ink = INKS.of("#101b3a")
    assert sum(ink) <= 2.4
    cyan, magenta, _, black = ink
    assert cyan > magenta
    red = (1 - cyan) * (1 - black)  # what the inks let through
    assert red == pytest.approx(0x10 / 255, abs=0.01)


def shown(ink: Sequence[float]) -> list[float]:
    """Return the light that four inks let through."""
    return [(1 - part) * (1 - ink[3]) for part in ink[:3]]


@pytest.mark.parametrize("step", range(0, 256, 15))
def test_a_picture_is_turned_into_ink_by_the_same_formula(step: int) -> None:
    colors = [(step, step, step), (step, 40, 200), (255 - step, 120, step)]
    image = Image.new("RGB", (3, 1))
    for x, color in enumerate(colors):
        image.putpixel((x, 0), color)
    made = INKS.picture(image)
    assert made.mode == "CMYK"
    for x, color in enumerate(colors):
        wanted = INKS.of("#" + bytes(color).hex())
        found = [value / 255 for value in made.tobytes()[4 * x : 4 * x + 4]]
        assert shown(found) == pytest.approx(shown(wanted), abs=0.02)
        assert sum(found) <= 2.4 + 0.01


def test_a_face_is_parted_after_the_last_mark_that_shows_what_is_below() -> None:
    ground, word = Fill(BOX, "#ffffff"), Word(1, 2, "plain", 9, "#000000", "ahoy")
    veil = Group((Fill(BOX, "#ff0000"),), opacity=0.5)
    ops: tuple[Op, ...] = (ground, veil, word)
    assert part(ops).below == (ground, veil)
    assert part(ops).above == (word,)
    assert part((ground, word)).below == ()


def test_a_plain_group_is_opened_so_that_what_is_above_stays_drawn() -> None:
    veil, word = Group((Fill(BOX, "#ff0000"),), opacity=0.5), Word(1, 2, "plain", 9, "#000000", "a")
    moved = (1.0, 0.0, 0.0, 1.0, 5.0, 5.0)
    parted = part((Group((veil, word), moved),))
    assert parted.below == (Group((veil,), moved),)
    assert parted.above == (Group((word,), moved),)


def test_type_and_thin_lines_have_no_colour_in_their_black() -> None:
    fonts = Fonts({"plain": SHIPPED["source-sans-pro"].path})
    line: OpPath = (("M", 0, 0), ("L", 9, 9))
    thin, thick = Stroke(line, "#000000", 0.3), Stroke(line, "#000000", 2.0)
    word = Word(1, 2, "plain", 9, "#000000", "ahoy")
    face = Face("card", 9, 9, 0, (Fill(BOX, "#000000"), thin, thick, word), "hash")
    content = InkEncoder(fonts, INKS).encode(face).content
    inks = re.findall(rb"([\d.]+ [\d.]+ [\d.]+ [\d.]+) ([kK])\b", content)
    assert inks == [
        (b"0.6 0.4 0.4 1", b"k"),
        (b"0 0 0 1", b"K"),
        (b"0.6 0.4 0.4 1", b"K"),
        (b"0 0 0 1", b"k"),
    ]
