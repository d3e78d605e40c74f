"""Sheets of paper: every card in one slot, every back behind its front, marks in reach."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from kitwright.impose.grid import SIDES, arrange
from kitwright.impose.marks import marks
from kitwright.impose.sheets import Slotted, impose
from kitwright.model.game import Size
from kitwright.model.geometry import Box, path_bounds
from kitwright.model.paper import Paper
from kitwright.ops import Page, Placed, Stroke
from kitwright.problems import InvalidInputError, Place

A4 = Paper("a4", 210, 297)
LETTER = Paper("letter", 215.9, 279.4)
LEGAL = Paper("legal", 215.9, 355.6)
A3 = Paper("a3", 297, 420)
PAPERS = (A4, LETTER, LEGAL, A3)
POKER = Size("poker", 63.5, 88.9)
HERE = Place("components/kelp/cards.yaml", 3, 7)
SHARED = Path(__file__).parents[1] / "layouts" / "shared"


def deck(count: int, back: str | None = "deck/back", name: str = "deck") -> list[Slotted]:
    return [Slotted(f"{name}/c{i}", back, name, f"c{i}") for i in range(count)]


def strokes(op: object) -> list[Box]:
    assert isinstance(op, Stroke)
    return [path_bounds(op.path[i : i + 2]) for i in range(0, len(op.path), 2)]


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_nine_poker_cards_butt_edge_to_edge_in_the_middle(paper: Paper) -> None:
    front, back = impose(deck(9), POKER, paper)
    assert len(front.slots) == len(back.slots) == 9
    left, top = (paper.width - 190.5) / 2, (paper.height - 266.7) / 2
    assert front.block == pytest.approx((left, top, left + 190.5, top + 266.7))
    assert front.bleed == pytest.approx((left - 3, top - 3, left + 193.5, top + 269.7))
    assert front.cuts_x == pytest.approx([left + 63.5 * i for i in range(4)])
    assert front.cuts_y == pytest.approx([top + 88.9 * i for i in range(4)])


def test_inner_bleed_is_clipped_and_outer_bleed_is_drawn() -> None:
    front, _ = impose(deck(9), POKER, A4)
    corner, middle = front.slots[0], front.slots[4]
    assert middle.clip == pytest.approx(middle.box)
    left, top, right, bottom = corner.box
    assert corner.clip == pytest.approx((left - 3, top - 3, right, bottom))


def test_a_card_at_the_ragged_end_of_a_sheet_bleeds_where_no_neighbour_is() -> None:
    front, back = impose(deck(4), POKER, A4)
    left, top, right, bottom = front.slots[3].box
    assert front.slots[3].clip == pytest.approx((left - 3, top, right + 3, bottom + 3))
    above = front.slots[1]
    assert above.clip[3] == pytest.approx(above.box[3] + 3)
    assert len(back.slots) == 4
    assert front.block[3] == pytest.approx(front.slots[3].box[3])


def test_a_gap_gives_each_card_its_own_bleed_up_to_the_middle_of_the_gap() -> None:
    (wide,) = impose(deck(16), POKER, A3, "fronts", gap=6)
    left, top, right, bottom = wide.slots[5].box
    assert wide.slots[5].clip == pytest.approx((left - 3, top - 3, right + 3, bottom + 3))
    (narrow,) = impose(deck(18), POKER, A3, "fronts", gap=3)
    left, top, right, bottom = narrow.slots[4].box
    assert narrow.slots[4].clip == pytest.approx((left - 1.5, top - 1.5, right + 1.5, bottom + 1.5))
    assert len(impose(deck(9), POKER, LETTER, "fronts", gap=3)[0].slots) == 8


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("poker", (9, 9, 10, 18)),
        ("mini-us", (21, 20, 25, 42)),
        ("tarot", (4, 4, 4, 12)),
        ("jumbo", (4, 3, 4, 8)),
        ("square", (6, 6, 6, 12)),
        ("micro", (36, 36, 42, 81)),
    ],
)
def test_cards_of_every_size_are_laid_as_many_as_fit(name: str, counts: tuple[int, ...]) -> None:
    assert tuple(arrange(shipped(name), p, "long", 0, 3, HERE).count for p in PAPERS) == counts


def test_every_shipped_size_fits_every_shipped_paper_also_folded() -> None:
    assert len(shipped_rows()) == 18
    for name in shipped_rows():
        for paper in PAPERS:
            for sides in SIDES:
                assert arrange(shipped(name), paper, sides, 0, 3, HERE).count >= 1


def test_the_papers_of_the_tests_are_those_that_ship() -> None:
    rows = yaml.safe_load((SHARED / "papers.yaml").read_text())["papers"]
    told = {name: tuple(float(row[key].removesuffix("mm")) for key in ("width", "height", "margin"))
            for name, row in rows.items()}  # fmt: skip
    assert told == {paper.name: (paper.width, paper.height, paper.margin) for paper in PAPERS}


@cache
def shipped_rows() -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = yaml.safe_load((SHARED / "sizes.yaml").read_text())["sizes"]
    return rows


def shipped(name: str) -> Size:
    row = shipped_rows()[name]
    width, height = (float(row[key].removesuffix("mm")) for key in ("width", "height"))
    return Size(name, width, height)


def test_turned_over_the_long_edge_backs_are_mirrored_left_to_right_and_upright() -> None:
    front, back = impose(deck(2), POKER, A4, "long")
    assert [slot.turn for slot in (*front.slots, *back.slots)] == [0, 0, 0, 0]
    assert back.slots[0].box == pytest.approx((136.75, 15.15, 200.25, 104.05))


def test_turned_over_the_short_edge_backs_are_at_the_foot_and_upside_down() -> None:
    front, back = impose(deck(2), POKER, A4, "short")
    assert [slot.turn for slot in back.slots] == [180, 180]
    assert back.slots[0].box == pytest.approx((9.75, 192.95, 73.25, 281.85))
    assert front.slots[0].box == pytest.approx((9.75, 15.15, 73.25, 104.05))


def test_lying_cards_have_their_tops_to_the_right_and_their_backs_to_the_left() -> None:
    front, back = impose(deck(1), Size("mini-us", 41, 63), A4, "long")
    assert (front.slots[0].turn, back.slots[0].turn) == (90, 270)
    _, short = impose(deck(1), Size("mini-us", 41, 63), A4, "short")
    assert short.slots[0].turn == 90


def test_a_duplex_job_has_a_back_for_every_front_even_an_empty_one() -> None:
    sheets = impose(deck(10, back=None), POKER, A4, "long")
    assert [(s.number, s.side, len(s.slots)) for s in sheets] == [
        (1, "front", 9),
        (1, "back", 0),
        (2, "front", 1),
        (2, "back", 0),
    ]


def test_a_card_without_a_back_leaves_its_slot_empty() -> None:
    cards = [*deck(1), *deck(1, None, "plain"), *deck(1, "other/back", "other")]
    _, back = impose(cards, POKER, A4)
    assert [slot.face for slot in back.slots] == ["deck/back", "other/back"]
    assert back.slots[0].clip[0] == pytest.approx(back.slots[0].box[0])


def test_two_passes_print_all_fronts_then_all_backs_in_the_same_order() -> None:
    sheets = impose(deck(20), POKER, A4, "two-pass")
    assert [(s.side, s.number) for s in sheets] == [
        ("front", 1),
        ("front", 2),
        ("front", 3),
        ("back", 1),
        ("back", 2),
        ("back", 3),
    ]


def test_fronts_only_prints_no_back() -> None:
    sheets = impose(deck(10), POKER, A4, "fronts")
    assert [(s.side, len(s.slots)) for s in sheets] == [("front", 9), ("front", 1)]


def test_a_folded_sheet_has_pairs_on_both_sides_of_one_fold() -> None:
    (sheet,) = impose(deck(4), POKER, A4, "fold")
    assert (sheet.side, sheet.fold, len(sheet.slots)) == ("both", "x", 8)
    fronts, backs = sheet.slots[:4], sheet.slots[4:]
    assert all(slot.box[2] <= 105 - 3 + 1e-6 for slot in fronts)
    assert all(slot.box[0] >= 105 + 3 - 1e-6 for slot in backs)
    folds = [op for op in marks(sheet) if isinstance(op, Stroke) and op.dash]
    assert [strokes(fold) for fold in folds] == [
        [(105, 5, 105, 8), (105, 18.5, 105, 278.5), (105, 289, 105, 292)]
    ]


def test_decks_of_one_size_share_sheets_and_each_sheet_knows_its_decks() -> None:
    cards = [*deck(7, "a/back", "a"), *deck(4, "b/back", "b")]
    sheets = impose(cards, POKER, A4)
    assert [(s.number, s.side, s.decks) for s in sheets] == [
        (1, "front", ("a", "b")),
        (1, "back", ("a", "b")),
        (2, "front", ("b",)),
        (2, "back", ("b",)),
    ]


def test_the_page_names_faces_and_boxes_for_the_writer() -> None:
    front, _ = impose(deck(1), POKER, A4)
    assert front.page == Page(
        210,
        297,
        front.block,
        front.bleed,
        (Placed("deck/c0", front.slots[0].matrix, front.slots[0].clip),),
    )
    assert impose([], POKER, A4) == ()


def test_a_footer_fits_below_on_a4_and_along_the_side_on_letter() -> None:
    (a4,) = impose(deck(9), POKER, A4, "fronts")
    (letter,) = impose(deck(9), POKER, LETTER, "fronts")
    assert a4.strip is not None
    assert letter.strip is not None
    assert (a4.strip.turn, letter.strip.turn) == (0, 270)
    assert a4.strip.box == pytest.approx((5, 284.85, 205, 289))
    assert letter.strip.box == pytest.approx((5, 96.25, 9.7, 183.15))


def test_a_footer_keeps_its_place_on_a_part_filled_sheet() -> None:
    full, part = impose(deck(10), POKER, A4, "fronts")
    assert full.strip == part.strip


def test_a_sheet_without_free_strip_says_so() -> None:
    (sheet,) = impose(deck(1), Size("page", 200, 287), A4, "fronts")
    assert sheet.strip is None


def test_edge_marks_end_before_the_bleed_or_else_before_the_card() -> None:
    (a4,) = impose(deck(9), POKER, A4, "fronts")
    halo, ink = marks(a4)
    assert isinstance(halo, Stroke)
    assert isinstance(ink, Stroke)
    assert (halo.color, ink.color) == ("#ffffff", "#000000")
    assert len(strokes(ink)) == 16
    assert strokes(ink)[0] == pytest.approx((9.75, 5, 9.75, 8))
    (letter,) = impose(deck(9), POKER, LETTER, "fronts")
    assert strokes(marks(letter)[1])[0] == pytest.approx((12.7, 5, 12.7, 6.05))


def test_full_marks_run_right_across_and_none_are_none() -> None:
    (full,) = impose(deck(9), POKER, A4, "fronts", marks="full")
    (op,) = marks(full)
    assert len(strokes(op)) == 8
    assert strokes(op)[0] == pytest.approx((9.75, 5, 9.75, 292))
    (bare,) = impose(deck(9), POKER, A4, "fronts", marks="none")
    assert marks(bare) == ()


@pytest.mark.parametrize(
    ("sides", "message"),
    [
        (
            "long",
            "components/kelp/cards.yaml:3:7: a card of size 'giant' is 250 x 300 mm; expected at "
            "most 200 x 287 mm, which is what a4 can print [card-too-large]",
        ),
        (
            "fold",
            "components/kelp/cards.yaml:3:7: a card of size 'giant' is 250 x 300 mm; expected at "
            "most 200 x 140.5 mm, which is what a4 can print beside its fold [card-too-large]",
        ),
    ],
)
def test_a_card_larger_than_the_page_is_refused_with_both_sizes(sides: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        impose(deck(1), Size("giant", 250, 300), A4, sides, place=HERE)
    assert str(caught.value) == message
