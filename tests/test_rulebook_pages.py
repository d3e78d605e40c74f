"""The rulebook on paper and on screen: pages, booklet, outline, links, HTML, Markdown."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pikepdf
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kitwright.cli import cli
from kitwright.fonts import Fonts
from kitwright.impose.booklet import THICKNESS, Leaf, booklet_order, impose_booklet
from kitwright.load import Workspace
from kitwright.model.paper import Paper
from kitwright.ops import Group, Op, Word
from kitwright.pipeline import BuildOptions, papers_called, prepare
from kitwright.press.kit import Kit
from kitwright.press.rulebooks import PrintedRules
from kitwright.rulebook.pages import (
    Format,
    booklet_format,
    fit_pages,
    make_pages,
    paginate,
    sheet_format,
)
from kitwright.rulebook.slabs import Slab

ROOT = Path(__file__).parent.parent
A4 = Paper("a4", 210.0, 297.0)


@cache
def prepared() -> tuple[Kit, PrintedRules]:
    kit = prepare(Workspace(ROOT), "hard-wired", BuildOptions())
    assert kit.rulebook is not None
    return kit, kit.rulebook


@cache
def made() -> dict[str, tuple[int, bytes]]:
    papers = papers_called(Workspace(ROOT), ("a4", "letter"))
    return {name: (pages, data) for name, pages, data in prepared()[1].files(papers)}


def words(ops: tuple[Op, ...], x: float = 0.0, y: float = 0.0) -> list[tuple[float, float, Word]]:
    """Return the words of upright groups with their place on the page; cards are left out."""
    found = []
    for op in ops:
        if isinstance(op, Word):
            found.append((x + op.x, y + op.baseline, op))
        elif isinstance(op, Group) and not op.clip:
            found += words(op.ops, x + op.matrix[4], y + op.matrix[5])
    return found


FORMATS = [
    sheet_format("a4", 210.0, 297.0),
    sheet_format("letter", 215.9, 279.4),
    booklet_format("a4", 210.0, 297.0),
    booklet_format("letter", 215.9, 279.4),
]


@pytest.mark.parametrize("page", FORMATS, ids=lambda page: page.name)
def test_no_word_stands_outside_the_margins(page: Format) -> None:
    kit, rules = prepared()
    fonts: Fonts = kit.materials.fonts
    pages = make_pages(rules.book, page, rules.source.dress, fonts, rules.icons, [])
    least = min(page.inner, page.outer)
    for each in pages:
        for x, y, word in words(each.face.ops):
            wide = fonts.shape(word.font, word.text).width * word.size_pt * 25.4 / 72
            assert x >= least - 0.01, word.text
            assert x + wide <= page.width - least + 0.5 + len(word.text) * 0.2, word.text
            assert page.top <= y <= page.height - 5, word.text


@pytest.mark.parametrize("page", FORMATS, ids=lambda page: page.name)
def test_no_heading_is_the_last_thing_on_a_page(page: Format) -> None:
    kit, rules = prepared()
    dress = rules.source.dress
    fonts = kit.materials.fonts
    pages = make_pages(rules.book, page, dress, fonts, rules.icons, [])
    head = {dress.styles["head"].regular, dress.styles["subhead"].regular}
    sizes = {dress.styles["head"].size_pt, dress.styles["subhead"].size_pt}
    for each in pages:
        body = [w for w in words(each.face.ops) if w[1] < page.height - page.bottom]
        _, _, lowest = max(body, key=lambda found: found[1])
        assert not (lowest.font in head and lowest.size_pt in sizes), lowest.text


def test_the_contents_name_the_page_of_each_section() -> None:
    kit, rules = prepared()
    pages = rules.pages(A4)
    places = {
        anchor.name: number + 1 for number, page in enumerate(pages) for anchor in page.anchors
    }
    assert set(places) == {heading.anchor for heading in rules.book.headings}
    sections = [heading.anchor for heading in rules.book.headings if heading.level == 2]
    links = pages[0].links[: len(sections)]
    assert [link.to for link in links] == sections
    first = words(pages[0].face.ops)
    for link in links:
        _, top, _, bottom = link.box
        row = [word for _, y, word in first if top <= y <= bottom]
        assert row[-1].text == str(places[link.to])
    assert kit.game.title == rules.book.title


def test_slabs_that_belong_together_are_not_parted() -> None:
    slabs = [Slab((), 40.0), Slab((), 10.0, 5.0, keep=True), Slab((), 50.0), Slab((), 30.0)]
    pages = paginate(slabs, 100.0)
    assert [round(page.y) for page in pages] == [40, 90]


def test_text_goes_on_while_a_figure_waits_for_the_next_page() -> None:
    slabs = [Slab((), 60.0), Slab((), 80.0, floats=True), Slab((), 30.0), Slab((), 15.0)]
    assert [round(page.y) for page in paginate(slabs, 100.0)] == [90, 95]


def test_figures_that_wait_fill_as_many_pages_as_they_need() -> None:
    slabs = [Slab((), 60.0), *(Slab((), 70.0, floats=True) for _ in range(3))]
    assert [round(page.y) for page in paginate(slabs, 100.0)] == [60, 70, 70, 70]


def test_no_figure_overtakes_one_that_waits() -> None:
    slabs = [Slab((), 60.0), Slab((), 70.0, floats=True), Slab((), 20.0, floats=True)]
    assert [round(page.y) for page in paginate(slabs, 100.0)] == [60, 90]


def test_a_last_page_of_few_lines_is_saved_by_closer_spacing() -> None:
    slabs = [Slab((), 30.0, 3.0), Slab((), 30.0, 3.0), Slab((), 30.0, 3.0), Slab((), 5.0, 3.0)]
    assert len(paginate(slabs, 103.0)) == 2
    assert [round(page.y, 1) for page in fit_pages(slabs, 103.0)] == [102.2]


def test_a_page_of_few_lines_before_a_tall_figure_is_saved_by_closer_spacing() -> None:
    slabs = [Slab((), 45.0), Slab((), 45.0, 3.0), Slab((), 9.0, 3.0), Slab((), 95.0, 3.0)]
    assert [round(page.y, 1) for page in paginate(slabs, 104.0)] == [93.0, 9.0, 95.0]
    assert [round(page.y, 1) for page in fit_pages(slabs, 104.0)] == [103.8, 95.0]


def test_what_is_taller_than_a_page_is_parted_rather_than_lost() -> None:
    slabs = [Slab((), 30.0, keep=True) for _ in range(7)]
    assert [round(page.y) for page in paginate(slabs, 100.0)] == [90, 90, 30]


@given(st.integers(1, 200))
def test_a_folded_booklet_is_read_in_order(count: int) -> None:
    sides = booklet_order(count)
    fronts, backs = sides[::2], sides[1::2]
    first = [
        page for front, back in zip(fronts, backs, strict=True) for page in (front[1], back[0])
    ]
    last = [page for front, back in zip(fronts, backs, strict=True) for page in (front[0], back[1])]
    read = first + last[::-1]
    assert len(read) % 4 == 0
    assert len(read) - count < 4
    assert read == [*range(1, count + 1), *[0] * (len(read) - count)]


def test_inner_sheets_of_a_booklet_move_towards_the_fold() -> None:
    pages = impose_booklet([Leaf(str(number)) for number in range(1, 13)], A4)
    assert len(pages) == 6
    lefts = [page.placed[0].matrix[4] for page in pages[::2]]
    rights = [page.placed[1].matrix[4] for page in pages[::2]]
    assert lefts == pytest.approx([0.0, THICKNESS, 2 * THICKNESS])
    assert rights == pytest.approx([148.5, 148.5 - THICKNESS, 148.5 - 2 * THICKNESS])
    assert {(page.width, page.height) for page in pages} == {(297.0, 210.0)}


def outline(pdf: pikepdf.Pdf) -> list[tuple[str, list[str]]]:
    with pdf.open_outline() as found:
        return [(item.title, [inner.title for inner in item.children]) for item in found.root]


def test_the_pdf_has_an_outline_and_links_that_lead_to_its_pages() -> None:
    count, data = made()["rulebook-a4.pdf"]
    with pikepdf.open(BytesIO(data)) as pdf:
        assert len(pdf.pages) == count
        ((title, sections),) = outline(pdf)
        assert title == "Rules"
        assert sections[:3] == ["§1 In short", "§2 The cards", "§3 How values run"]
        own = {page.objgen for page in pdf.pages}
        links = [link for page in pdf.pages for link in page.get("/Annots", [])]
        assert len(links) > len(sections)
        assert all(link.Dest[0].objgen in own for link in links)


def test_the_booklet_is_printed_on_both_sides_of_whole_sheets() -> None:
    count, data = made()["rulebook-booklet-letter.pdf"]
    with pikepdf.open(BytesIO(data)) as pdf:
        assert len(pdf.pages) == count
        assert count % 2 == 0
        width, height = (float(v) for v in list(pdf.pages[0].MediaBox)[2:])
        assert (width, height) == (792.0, 612.0)
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


def test_a_rulebook_is_made_twice_the_same() -> None:
    papers = papers_called(Workspace(ROOT), ("a4",))
    again = prepare(Workspace(ROOT), "hard-wired", BuildOptions()).rulebook
    assert again is not None
    for name, _, data in again.files(papers):
        assert data == made()[name][1], name


class Page(HTMLParser):
    """Collects what an HTML page names and links to."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id":
                self.ids.append(value or "")
            elif key == "href":
                self.links.append(value or "")
            elif key in ("src", "srcset", "data"):
                self.others.append(value or "")

    handle_startendtag = handle_starttag


def test_the_html_page_needs_no_other_file() -> None:
    text = made()["rulebook.html"][1].decode()
    page = Page()
    page.feed(text)
    assert len(page.ids) == len(set(page.ids))
    assert page.others == []
    assert {link for link in page.links if link.removeprefix("#") not in page.ids} == set()
    used = set(re.findall(r"url\(#([^)]+)\)", text))
    assert used <= set(page.ids)
    assert "{{" not in text
    assert "<script" not in text


def test_the_figures_beside_the_markdown_are_whole_svg_files() -> None:
    text = made()["rulebook.md"][1].decode()
    named = re.findall(r"\]\((rulebook/[^)]+\.svg)\)", text)
    assert sorted(named) == sorted(name for name in made() if name.endswith(".svg"))
    for name in named:
        root = ElementTree.fromstring(made()[name][1])
        ids = {element.get("id") for element in root.iter()}
        uses = {element.get("href", "#")[1:] for element in root.iter() if "use" in element.tag}
        assert uses <= ids, name


def test_the_markdown_reads_like_the_book() -> None:
    text = made()["rulebook.md"][1].decode()
    assert text.startswith("# Hard Wired\n\nSolder your way")
    assert "\n## §5 Your turn\n" in text
    assert "| **Circuit cards** | 44 | 44 |" in text
    assert "{{" not in text


GAME = """\
game: pairs
title: Pairs
designers: [Ada Example]
licence: public domain
source: made for the tests
players: {fewest: 1, most: 1}
minutes: {fewest: 5, most: 5}
age: 6
theme: pairs/theme
kit: [tones]
rules: {hand: 5}
"""
DECK = """\
deck: tones
title: Tones
layout: pairs/card
size: poker
fields: {word: {text: required}}
cards:
  - {id: one, word: Uno, copies: 4}
"""
THEME = """\
theme: pairs/theme
colors: {ink: "#222222"}
fonts: {sans: {regular: source-sans-pro}}
styles: {word: {font: sans, size: 20pt, color: ink, align: center, valign: middle}}
"""
CARD = """\
layout: pairs/card
draw:
  - text: {box: safe, style: word, text: "{{ card.word }}", overflow: error}
"""
FILES = {
    "components/pairs/game.yaml": GAME,
    "components/pairs/tones.yaml": DECK,
    "layouts/pairs/theme.yaml": THEME,
    "layouts/pairs/card.yaml": CARD,
}


def publish(folder: Path, rules: str | None) -> tuple[int, str]:
    """Run `kitwright rulebook` on a game without an engine and without a dress of its own."""
    files = FILES if rules is None else FILES | {"components/pairs/rules.md": rules}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["--workspace", str(folder), "rulebook", "pairs"])
    return done.exit_code, done.output


def test_a_game_without_an_engine_has_a_rulebook_too(tmp_path: Path) -> None:
    code, said = publish(tmp_path, "# Pairs\n\n## §1 Deal\n\nTake {{ game.rules.hand }} cards.\n")
    assert code == 0, said
    text = (tmp_path / "output/pairs/rulebook.md").read_text(encoding="utf-8")
    assert text.endswith("## §1 Deal\n\nTake 5 cards.\n")
    assert "**1 player, 5 minutes, age 6 and up**" in text


def test_a_game_without_rules_is_told_so(tmp_path: Path) -> None:
    code, said = publish(tmp_path, None)
    assert code == 1
    assert said == (
        "components/pairs/rules.md:1:1: the game has no rules.md; "
        "expected one, which begins with '# ' and its title [missing-file]\n"
    )


def test_an_unknown_icon_and_a_missing_glyph_are_told_with_their_line(tmp_path: Path) -> None:
    code, said = publish(tmp_path, "# Pairs\n\nA :dragon: here.\n\nA 龍 there.\n")
    assert code == 1
    icon, glyph = said.splitlines()
    assert icon == (
        "components/pairs/rules.md:3:1: the text has ':dragon:', which is not an icon "
        "[unknown-icon]"
    )
    assert glyph.startswith("components/pairs/rules.md:5:1: the text has '龍' (U+9F8D), which font")


def test_a_pack_holds_what_a_page_offers_and_is_made_twice_the_same(tmp_path: Path) -> None:
    publish(tmp_path, "# Pairs\n\nWords.\n")
    target = tmp_path / "output/pairs/pairs.zip"
    made = []
    for _ in range(2):
        done = CliRunner().invoke(cli, ["--workspace", str(tmp_path), "pack", "pairs"])
        assert done.exit_code == 0, done.output
        made.append(target.read_bytes())
    assert made[0] == made[1]
    with ZipFile(target) as archive:
        assert archive.namelist() == [
            "pairs/README.txt",
            "pairs/kit-a4.pdf",
            "pairs/kit-letter.pdf",
            "pairs/rulebook-a4.pdf",
            "pairs/rulebook-booklet-a4.pdf",
            "pairs/rulebook-booklet-letter.pdf",
            "pairs/rulebook-letter.pdf",
            "pairs/rulebook.html",
        ]
        text = archive.read("pairs/README.txt").decode()
        assert archive.read("pairs/kit-a4.pdf") == (target.parent / "kit-a4.pdf").read_bytes()
    assert text.startswith("Pairs\n=====\n")
    assert "Designed by Ada Example.\nmade for the tests\npublic domain\n" in text


def test_a_fault_leaves_the_old_rulebook_as_it_was(tmp_path: Path) -> None:
    publish(tmp_path, "# Pairs\n\nWords.\n")
    old = (tmp_path / "output/pairs/rulebook-a4.pdf").read_bytes()
    code, _ = publish(tmp_path, "# Pairs\n\nTake 7 cards.\n")
    assert code == 1
    assert (tmp_path / "output/pairs/rulebook-a4.pdf").read_bytes() == old


def test_the_kit_holds_the_rules_behind_the_advice_page(tmp_path: Path) -> None:
    words = ["build", "hard-wired", "--paper", "a4", "--output", str(tmp_path), "--strict"]
    done = CliRunner().invoke(cli, ["--workspace", str(ROOT), *words])
    assert done.exit_code == 0, done.output
    with pikepdf.open(tmp_path / "hard-wired/kit-a4.pdf") as pdf:
        titles = [title for title, _ in outline(pdf)]
    decks, boxes = ["Display cards", "Circuit cards", "Player aids"], ["Displays", "Circuits"]
    assert titles == ["How to print", "Rules", *decks, *(f"Box: {box}" for box in boxes)]
    assert (tmp_path / "hard-wired/rulebook-a4.pdf").is_file()
