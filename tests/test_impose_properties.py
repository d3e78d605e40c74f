"""What holds for sheets of any cards: sizes, papers, gaps and backs as hypothesis draws them."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitwright.impose.grid import SIDES, arrange
from kitwright.impose.marks import marks
from kitwright.impose.sheets import Sheet, Slot, Slotted, impose
from kitwright.model.game import Size
from kitwright.model.geometry import Box, apply, invert, path_bounds
from kitwright.model.paper import Paper
from kitwright.ops import Stroke
from kitwright.problems import InvalidInputError, Place

PAPERS = (
    Paper("a4", 210, 297),
    Paper("letter", 215.9, 279.4),
    Paper("legal", 215.9, 355.6),
    Paper("a3", 297, 420),
)
POKER = Size("poker", 63.5, 88.9)
HERE = Place("components/kelp/cards.yaml", 3, 7)

sizes = st.builds(
    lambda w, h: Size("some", w / 10, h / 10), st.integers(250, 1300), st.integers(250, 1300)
)
EVERY = settings(derandomize=True, deadline=None, max_examples=150)
runs = given(
    size=st.one_of(st.just(POKER), sizes),
    paper=st.sampled_from(PAPERS),
    sides=st.sampled_from(SIDES),
    gap=st.sampled_from((0.0, 0.5, 3.0, 6.0)),
    bleed=st.sampled_from((0.0, 2.0, 3.0)),
    backs=st.lists(st.booleans(), min_size=1, max_size=40),
)


def mixed(backs: list[bool]) -> list[Slotted]:
    """Return cards with backs of their own, and cards without any."""
    return [Slotted(f"d/{i}", f"d/{i}-back" if own else None, "d", f"{i}")
            for i, own in enumerate(backs)]  # fmt: skip


def laid(
    size: Size,
    paper: Paper,
    sides: str,
    gap: float,
    bleed: float,
    backs: list[bool],
    kind: str = "edge",
) -> tuple[Sheet, ...]:
    try:
        return impose(mixed(backs), size, paper, sides, gap, bleed, kind)
    except InvalidInputError:
        assert sides == "fold"  # all sizes that are drawn fit on a sheet that is not folded
        return ()


def overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1e-6 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-6


def within(inner: Box, outer: Box) -> bool:
    slack = 1e-6
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


def printable(paper: Paper) -> Box:
    edge = paper.margin
    return edge, edge, paper.width - edge, paper.height - edge


@EVERY
@runs
def test_every_face_is_in_exactly_one_slot(
    size: Size, paper: Paper, sides: str, gap: float, bleed: float, backs: list[bool]
) -> None:
    sheets = laid(size, paper, sides, gap, bleed, backs)
    faces = Counter(slot.face for sheet in sheets for slot in sheet.slots)
    wanted = [card.face for card in mixed(backs)]
    if sides != "fronts":
        wanted += [card.back for card in mixed(backs) if card.back]
    assert faces == Counter(wanted if sheets else [])


@EVERY
@runs
def test_no_slot_or_bleed_reaches_another_card_and_all_can_be_printed(
    size: Size, paper: Paper, sides: str, gap: float, bleed: float, backs: list[bool]
) -> None:
    for sheet in laid(size, paper, sides, gap, bleed, backs):
        for slot in sheet.slots:
            assert within(slot.box, printable(paper))
            assert within(slot.box, slot.clip)
            assert within(slot.box, sheet.block)
        for one, two in permutations(sheet.slots, 2):
            assert not overlap(one.clip, two.box)


@EVERY
@runs
def test_each_back_lies_behind_its_front_with_its_top_behind_the_top(
    size: Size, paper: Paper, sides: str, gap: float, bleed: float, backs: list[bool]
) -> None:
    sheets = laid(size, paper, sides, gap, bleed, backs)
    for slot, back, sheet in pairs(sheets):
        corners = ((0.0, 0.0), (size.width, 0.0), (size.width, size.height), (0.0, size.height))
        for x, y in corners:
            seen = behind(apply(slot.matrix, x, y), sheet, sides)
            assert apply(invert(back.matrix), *seen) == pytest.approx((size.width - x, y), abs=1e-6)
        left, top, right, bottom = slot.clip
        (a, b), (c, d) = behind((left, top), sheet, sides), behind((right, bottom), sheet, sides)
        turned = (min(a, c), min(b, d), max(a, c), max(b, d))
        assert back.clip == pytest.approx(turned)


def pairs(sheets: tuple[Sheet, ...]) -> list[tuple[Slot, Slot, Sheet]]:
    """Return each front with its own back and the sheet that the front is on."""
    backs = {slot.face: (slot, sheet.number) for sheet in sheets for slot in sheet.slots}
    out = []
    for sheet in sheets:
        for slot in sheet.slots:
            if slot.face == slot.card.face and slot.card.back in backs:
                back, number = backs[slot.card.back]
                assert number == sheet.number
                out.append((slot, back, sheet))
    return out


def behind(point: tuple[float, float], sheet: Sheet, sides: str) -> tuple[float, float]:
    """Return where on the other side, or beyond the fold, a point of the paper is found."""
    x, y = point
    level = sheet.fold == "y" if sides == "fold" else sides == "short"
    return (x, sheet.paper.height - y) if level else (sheet.paper.width - x, y)


@EVERY
@runs
def test_a_sheet_holds_as_many_cards_as_any_grid(
    size: Size, paper: Paper, sides: str, gap: float, bleed: float, backs: list[bool]
) -> None:
    gutter = max(bleed, gap / 2)
    across, down = paper.width - 10, paper.height - 10
    rooms = [(across, down)]
    if sides == "fold":
        rooms = [(across / 2 - gutter, down), (across, down / 2 - gutter)]
    best = 0
    for wide, high in rooms:
        for w, h in ((size.width, size.height), (size.height, size.width)):
            for columns in range(1, 20):
                for rows in range(1, 20):
                    if (columns * w + (columns - 1) * gap <= wide + 1e-9
                            and rows * h + (rows - 1) * gap <= high + 1e-9):  # fmt: skip
                        best = max(best, columns * rows)
    if best == 0:
        assert laid(size, paper, sides, gap, bleed, backs) == ()
    else:
        assert arrange(size, paper, sides, gap, bleed, HERE).count == best


@EVERY
@runs
def test_marks_and_footer_can_be_printed_and_keep_clear_of_the_cards(
    size: Size, paper: Paper, sides: str, gap: float, bleed: float, backs: list[bool]
) -> None:
    kinds = ("edge", "full", "none")
    for sheet in (s for k in kinds for s in laid(size, paper, sides, gap, bleed, backs, k)):
        lines = [line for op in marks(sheet) for line in strokes(op)]
        for line in lines:
            assert within(line, printable(paper))
            assert not any(touches(line, slot.box) for slot in sheet.slots)
        if sheet.strip is not None:
            box = sheet.strip.box
            assert within(box, printable(paper))
            assert not any(overlap(box, slot.clip) for slot in sheet.slots)
            assert not any(touches(line, box) for line in lines)
            assert sheet.strip.height >= 3
            assert sheet.strip.length >= 40


def strokes(op: object) -> list[Box]:
    assert isinstance(op, Stroke)
    return [path_bounds(op.path[i : i + 2]) for i in range(0, len(op.path), 2)]


def touches(line: Box, box: Box) -> bool:
    thin = 1e-3
    return (
        line[0] < box[2] - thin
        and line[2] > box[0] + thin
        and line[1] < box[3] - thin
        and line[3] > box[1] + thin
    )
