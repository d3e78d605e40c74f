"""Where a rulebook leads: references as links, the outline of a booklet, what rules.yaml says."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest

from kitwright.load import Workspace
from kitwright.model.paper import Paper
from kitwright.ops import Face, Group, Op, Word
from kitwright.pipeline import BuildOptions, papers_called, prepare
from kitwright.press.rulebooks import PrintedRules
from kitwright.rulebook.blocks import Shown
from kitwright.rulebook.pages import Format, booklet_format, make_pages, sheet_format
from kitwright.rulebook.references import references_in
from kitwright.rulebook.rings import Ring

ROOT = Path(__file__).parent.parent
A4 = Paper("a4", 210.0, 297.0)
GAMES = ("hard-wired", "beltpunk-haberdasher")
FORMATS = (
    sheet_format("a4", 210.0, 297.0),
    sheet_format("letter", 215.9, 279.4),
    booklet_format("a4", 210.0, 297.0),
    booklet_format("letter", 215.9, 279.4),
)


@cache
def book_of(game: str) -> PrintedRules:
    kit = prepare(Workspace(ROOT), game, BuildOptions())
    assert kit.rulebook is not None
    return kit.rulebook


def words(ops: tuple[Op, ...], x: float = 0.0, y: float = 0.0) -> list[tuple[float, float, Word]]:
    """Return the words of upright groups with their place on the page; cards are left out."""
    found = []
    for op in ops:
        if isinstance(op, Word):
            found.append((x + op.x, y + op.baseline, op))
        elif isinstance(op, Group) and not op.clip:
            found += words(op.ops, x + op.matrix[4], y + op.matrix[5])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_reference_in_the_pdf_is_a_link_to_its_section(game: str) -> None:
    rules = book_of(game)
    ((_, _, data), *_) = rules.files((A4,))
    headings, document = len(rules.book.headings), pdfium.PdfDocument(data)
    found = 0
    with pikepdf.open(BytesIO(data)) as pdf:
        for page, read in zip(pdf.pages, document, strict=True):
            boxes = [[float(side) for side in link.Rect] for link in page.get("/Annots", [])]
            text = read.get_textpage()
            for at, sign in enumerate(text.get_text_range()):
                if sign != "§":
                    continue
                left, bottom, right, top = text.get_charbox(at)
                x, y = (left + right) / 2, (bottom + top) / 2
                inside = [box for box in boxes if box[0] < x < box[2] and box[1] < y < box[3]]
                assert len(inside) <= 1
                found += len(inside)
                headings -= not inside
    assert headings == 0, "every § is in a heading or in a link"
    sections = sum(heading.level == 2 for heading in rules.book.headings)
    assert found > sections
    links = [link for page in rules.pages(A4) for link in page.links]
    assert {link.to for link in links} <= {heading.anchor for heading in rules.book.headings}


def test_a_link_covers_the_reference_and_not_the_brackets_round_it() -> None:
    fonts = book_of(GAMES[0]).materials.fonts
    font, size = "source-sans-pro", 10.0
    word = Word(20.0, 30.0, font, size, "#000000", "(§3.1),")
    ((section, (left, top, right, bottom)),) = references_in(
        (Group((word,), (1.0, 0.0, 0.0, 1.0, 5.0, 7.0)),), fonts
    )
    em = size * 25.4 / 72
    assert section == "3.1"
    assert left == pytest.approx(25.0 + fonts.shape(font, "(").width * em)
    assert right - left == pytest.approx(fonts.shape(font, "§3.1").width * em)
    assert top < 37.0 - 0.6 * em < 37.0 < bottom


def test_what_is_on_a_card_is_no_reference() -> None:
    word = Word(0.0, 0.0, "source-sans-pro", 10.0, "#000000", "§3")
    clipped = Group((word,), clip=(("M", 0.0, 0.0), ("Z",)))
    assert list(references_in((clipped,), book_of(GAMES[0]).materials.fonts)) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_booklet_has_an_outline_in_the_order_of_reading(game: str) -> None:
    rules = book_of(game)
    files = {name: data for name, _, data in rules.files(papers_called(Workspace(ROOT), ("a4",)))}
    with pikepdf.open(BytesIO(files["rulebook-booklet-a4.pdf"])) as pdf, pdf.open_outline() as tree:
        (root,) = tree.root
        assert root.title == "Rules"
        titles = [item.title for item in root.children]
        parts = [inner.title for item in root.children for inner in item.children]
        own = {page.objgen for page in pdf.pages}
        links = [link for page in pdf.pages for link in page.get("/Annots", [])]
        assert links
        assert all(link.Dest[0].objgen in own for link in links)
    plain = [(h.level, f"§{h.section} {h.text}".replace("*", "")) for h in rules.book.headings]
    assert titles == [title for level, title in plain if level == 2]
    assert parts == [title for level, title in plain if level == 3]


@pytest.mark.parametrize("page", FORMATS, ids=lambda page: page.name)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_holds_what_is_on_it_and_ends_with_no_heading(game: str, page: Format) -> None:
    rules = book_of(game)
    dress, fonts = rules.source.dress, rules.materials.fonts
    heads = {(dress.styles[name].regular, dress.styles[name].size_pt) for name in
             ("head", "subhead")}  # fmt: skip
    for each in make_pages(rules.book, page, dress, fonts, rules.icons, []):
        body = [w for w in words(each.face.ops) if w[1] < page.height - page.bottom + 5]
        _, lowest, last = max(body, key=lambda found: found[1])
        assert lowest <= page.height - page.bottom + 0.5, (each.face.id, last.text)
        assert (last.font, last.size_pt) not in heads, (each.face.id, last.text)


def card(width: float, height: float) -> Shown:
    return Shown(Face("a/b", width, height, 0.0, (), "0"), 3.0)


def test_cards_lie_round_the_middle_clockwise_from_the_top() -> None:
    small = card(10.0, 20.0)
    ring = Ring(card(30.0, 30.0), ((small,), (small,), (small,), (small,)))
    spots = [(matrix[4], matrix[5]) for _, matrix in ring.places()]
    width, height = ring.size
    assert (width, height) == (76.0, 76.0)
    # the corner of a card, after it was turned: top left, top right, bottom right, bottom left
    assert spots[0] == pytest.approx((33.0, 0.0))
    assert spots[1] == pytest.approx((76.0, 33.0))
    assert spots[2] == pytest.approx((43.0, 76.0))
    assert spots[3] == pytest.approx((0.0, 43.0))
    assert spots[4] == pytest.approx((23.0, 23.0))


def test_cards_at_a_side_overlap_rather_than_run_into_the_next_side() -> None:
    small = card(10.0, 20.0)
    ring = Ring(card(30.0, 30.0), ((small,) * 5, (), (), ()), slots=3)
    lefts = [x for shown, x in ring.along(ring.sides[0], 30.0) if shown is not None]
    assert lefts[-1] - lefts[0] == pytest.approx(30.0)
    slots = [x for shown, x in ring.along(ring.sides[0], 30.0) if shown is None]
    assert slots == pytest.approx(lefts[:3])
