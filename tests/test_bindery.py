"""Kits on paper: which decks share sheets, in what order pages come, what the first page says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kitwright.load import find_workspace
from kitwright.load.shared import load_papers
from kitwright.ops import Face, Group, Op, Use, Word
from kitwright.pipeline import STANDARD, compose_kit, load_kit
from kitwright.press.bindery import Book, lay_kit, lay_part
from kitwright.press.kit import BuildOptions, Kit

ROOT = Path(__file__).parent.parent
BOXES = 2  # of Hard Wired, at the end of its kit


@cache
def hard_wired() -> Kit:
    return compose_kit(load_kit(find_workspace(ROOT), "hard-wired", None, STANDARD), STANDARD)


def bound(paper: str = "a4", sides: str = "long", marks: str = "edge") -> tuple[Book, list[Face]]:
    kept: list[Face] = []
    papers = load_papers(find_workspace(ROOT), [])
    options = BuildOptions(sides=sides, marks=marks)
    return lay_kit(hard_wired(), papers[paper], options, kept.append), kept


def words(ops: tuple[Op, ...]) -> str:
    said = []
    for op in ops:
        if isinstance(op, Word):
            said.append(op.text)
        elif isinstance(op, Use):
            said.append(words(op.symbol.ops))
        elif isinstance(op, Group):
            said.append(words(op.ops))
    return " ".join(said)


def test_decks_of_one_size_share_sheets() -> None:
    book, _ = bound()
    shared = [
        page
        for page in book.pages
        if {name.split("/")[0] for name in (p.face for p in page.placed)} >= {"circuits", "aids"}
    ]
    assert len(shared) == 2, "the last circuits and the first aid are on one sheet, both sides"
    cards = 2 * 12  # 54 + 44 + 6 cards, nine a sheet, fill twelve sheets
    assert len(book.pages) == 2 + cards + 2 * BOXES


def test_every_printed_card_has_its_slot_and_every_back_too() -> None:
    book, _ = bound()
    placed = [p.face for page in book.pages for p in page.placed]
    kit = hard_wired()
    for deck in kit.decks:
        for sides in deck.cards:
            assert placed.count(sides.front) == sides.card.copies
        assert deck.cards[0].back is not None
        assert placed.count(deck.cards[0].back) == deck.deck.count


def test_in_two_passes_all_fronts_come_before_all_backs() -> None:
    book, _ = bound(sides="two-pass")
    cards = book.pages[:-BOXES]
    backs = [any(p.face.endswith("/back") for p in page.placed) for page in cards]
    assert backs == [False] * 13 + [True] * 12


def test_duplex_leaves_the_back_of_the_advice_page_empty() -> None:
    book, _ = bound()
    assert [p.face for p in book.pages[0].placed] == ["pages/advice"]
    assert book.pages[1].placed == ()


@pytest.mark.parametrize(
    ("sides", "wanted"),
    [
        ("long", "flip on long edge"),
        ("short", "flip on short edge"),
        ("fold", "Score the fold line"),
        ("two-pass", "Turn the whole stack over"),
        ("fronts", "this file has no backs"),
    ],
)
def test_the_first_page_tells_how_these_sides_are_printed(sides: str, wanted: str) -> None:
    _, faces = bound(sides=sides)
    said = words(faces[0].ops)
    assert wanted in said
    assert "50 mm" in said
    assert "2 in" in said
    assert "Ariel Seoane" in said
    assert "SIL Open Font License" in said


@pytest.mark.parametrize("paper", ["a4", "letter", "legal", "a3"])
def test_every_sheet_says_what_it_is(paper: str) -> None:
    book, faces = bound(paper)
    footers = [words(face.ops) for face in faces if face.id.startswith("footers/")]
    last = len(book.pages) - 2 * BOXES
    assert len(footers) == last - 2
    kit = hard_wired()
    first = f"Hard Wired · Display cards {kit.decks[0].stamp} · page 3 of {len(book.pages)} · front"
    assert footers[0] == first
    assert footers[-1].endswith(f"page {last} of {len(book.pages)} · back")


def test_marks_can_be_left_out() -> None:
    _, with_marks = bound()
    _, without = bound(marks="none")
    assert any(face.id.startswith("marks/") for face in with_marks)
    assert not any(face.id.startswith("marks/") for face in without)


def test_a_part_by_itself_has_no_advice_page() -> None:
    papers = load_papers(find_workspace(ROOT), [])
    book = lay_part(hard_wired(), hard_wired().decks[2], papers["a4"], BuildOptions())
    assert [page.bookmark for page in book.pages] == ["Player aids", ""]
