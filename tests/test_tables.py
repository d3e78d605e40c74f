from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kitwright.compose.markup import TextFault
from kitwright.compose.tables import Column, TableLook, set_table
from kitwright.compose.text import MM_PER_PT, InlineIcon
from kitwright.fonts import SHIPPED, Fonts
from kitwright.model.theme import TextStyle
from kitwright.ops import Fill, Op, Stroke, Word, dump, make_symbol

SANS = "source-sans-pro"
FONTS = Fonts({name: font.path for name, font in SHIPPED.items()})
BODY = TextStyle(SANS, f"{SANS}-bold", f"{SANS}-italic", f"{SANS}-bold-italic", 8.0, "#102030")
HEADER = replace(BODY, regular=f"{SANS}-bold", color="#ffffff")
PLAIN = TableLook(HEADER, BODY)
COIN = InlineIcon(make_symbol((Fill((("M", 0.0, 0.0), ("Z",)), "#aa8800"),), (0.0, 0.0, 1.0, 1.0)))
PARTS = (Column("Part"), Column("What it does", share=1), Column("Cost", width=9, align="right"))
ROWS = (
    ("Inductor", "raises the line by *one*, wrapping around", "2 :coin:"),
    ("Wire", "", "0"),
)


def table(
    rows: tuple[tuple[str, ...], ...] = ROWS,
    columns: tuple[Column, ...] = PARTS,
    look: TableLook = PLAIN,
    width: float = 58.0,
    height: float = 40.0,
) -> tuple[Op, ...]:
    icons = {"coin": COIN}.get
    box = (2.0, 3.0, width, height)
    return set_table(rows, columns, look, box, FONTS, icons, "box 'aid'")


def starts(ops: tuple[Op, ...]) -> dict[str, float]:
    return {op.text: round(op.x, 2) for op in ops if isinstance(op, Word)}


def fault_of(rows: tuple[tuple[str, ...], ...], width: float = 58.0, height: float = 40.0) -> str:
    with pytest.raises(TextFault) as caught:
        table(rows, width=width, height=height)
    return f"{caught.value.message} [{caught.value.code}]"


def test_a_table_is_fills_then_lines_then_words() -> None:
    look = TableLook(
        HEADER,
        BODY,
        header_fill="#333333",
        zebra="#eeeeee",
        row_line="#999999",
        column_line="#bbbbbb",
        header_line="#111111",
        frame="#000000",
    )
    assert dump(table(look=look)) == (
        "fill #eeeeee M2,16.02 L60,16.02 L60,20.77 L2,20.77 Z\n"
        "fill #333333 M2,3 L60,3 L60,7.75 L2,7.75 Z\n"
        "stroke #999999 0.15 butt miter M2,16.02 L60,16.02\n"
        "stroke #bbbbbb 0.15 butt miter M14.07,3 L14.07,20.77 M51,3 L51,20.77\n"
        "stroke #111111 0.3 butt miter M2,7.75 L60,7.75\n"
        "stroke #000000 0.3 butt miter M2,3 L60,3 L60,20.77 L2,20.77 Z\n"
        "word 3 6.38 source-sans-pro-bold 8pt #ffffff 'Part' kerns -34 0 0 0\n"
        "word 15.07 6.38 source-sans-pro-bold 8pt #ffffff 'What it does'"
        " kerns 0 0 -18 0 0 0 0 0 0 0 0 0\n"
        "word 53.53 6.38 source-sans-pro-bold 8pt #ffffff 'Cost' kerns 0 -5 -20 0\n"
        "word 3 11.12 source-sans-pro 8pt #102030 'Inductor' kerns 0 0 0 0 -10 -14 0 0\n"
        "word 15.07 11.12 source-sans-pro 8pt #102030 'raises the line by'"
        " kerns -24 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -4 0\n"
        "word 35.23 11.12 source-sans-pro-italic 8pt #102030 'one'\n"
        "word 39.53 11.12 source-sans-pro 8pt #102030 ','\n"
        "word 15.07 14.65 source-sans-pro 8pt #102030 'wrapping around'"
        " kerns 0 -24 0 0 0 0 0 0 0 0 -10 0 0 0 0\n"
        "word 53.93 11.12 source-sans-pro 8pt #102030 '2'\n"
        f"use {COIN.symbol.id} [2.8222 0 0 2.8222 56.0367 8.7822]\n"
        "word 3 19.4 source-sans-pro 8pt #102030 'Wire' kerns 0 0 -10 0\n"
        "word 57.6 19.4 source-sans-pro 8pt #102030 '0'\n"
    )


def test_shares_divide_what_fixed_columns_leave() -> None:
    columns = (Column(width=10), Column(share=1), Column(share=3), Column())
    found = starts(table((("a", "b", "c", "d"),), columns, width=60.0))
    d_width = 2 + FONTS.shape(SANS, "d").width * 8 * MM_PER_PT
    share = (60 - 10 - d_width) / 4
    assert found == {
        "a": 3.0,
        "b": 13.0,
        "c": round(13 + share, 2),
        "d": round(13 + 4 * share, 2),
    }


def test_a_share_is_never_narrower_than_its_widest_word() -> None:
    columns = (Column(share=1), Column(share=9))
    found = starts(table((("extraordinary", "x"),), columns, width=40.0))
    word = FONTS.shape(SANS, "extraordinary").width * 8 * MM_PER_PT
    assert found["x"] == pytest.approx(2 + 1 + word + 1 + 1, abs=0.01)


def test_columns_by_content_fill_the_width_in_proportion() -> None:
    found = starts(table((("aa", "aa"),), (Column(), Column()), width=40.0))
    assert found == {"aa": 23.0}


def test_columns_by_content_give_way_as_far_as_their_words_allow() -> None:
    row = ("many short words in a cell", "a few")
    ops = table((row,), (Column(), Column()), width=30.0)
    assert len({op.baseline for op in ops if isinstance(op, Word)}) == 2
    assert all(op.x < 32 for op in ops if isinstance(op, Word))


def test_a_table_without_titles_has_no_header() -> None:
    look = replace(PLAIN, header_fill="#333333", header_line="#333333", zebra="#eeeeee")
    ops = table((("a",), ("b",), ("c",)), (Column(),), look)
    fills = [op.paint for op in ops if isinstance(op, Fill)]
    assert fills == ["#eeeeee"]
    assert not [op for op in ops if isinstance(op, Stroke)]


def test_an_empty_row_is_as_tall_as_a_line() -> None:
    ops = table((("1",), ("",), ("g",)), (Column(),))
    first, second = (op.baseline for op in ops if isinstance(op, Word))
    metrics = FONTS.metrics(SANS)
    row = (metrics.ascent + metrics.descent) * 8 * MM_PER_PT + 2 * PLAIN.padding_y
    assert second - first == pytest.approx(2 * row)


def test_a_table_without_rows_and_titles_draws_nothing() -> None:
    assert table((), (Column(),)) == ()
    assert table((), ()) == ()


def test_a_table_that_is_too_tall_says_by_how_much() -> None:
    assert fault_of(ROWS, height=15.0) == ("needs 17.8mm but box 'aid' has 15mm [text-overflow]")


def test_a_table_that_is_too_wide_says_by_how_much() -> None:
    assert fault_of(ROWS, width=30.0) == (
        "needs 34.3mm of width but box 'aid' has 30mm [text-overflow]"
    )


def test_a_word_that_is_too_wide_for_a_fixed_column_is_named() -> None:
    assert fault_of((("Wire", "", "for free"), ("Coil", "", "expensive"))) == (
        "in row 2, column 'Cost' needs 11.8mm of width for 'expensive' but has 7mm [text-overflow]"
    )


def test_a_fault_in_a_cell_names_its_row_and_column() -> None:
    assert fault_of((("Wire", "", "\u9f8d"),)) == (
        "in row 1, column 'Cost' has '\u9f8d' (U+9F8D), which font 'source-sans-pro' lacks; "
        "use an icon [missing-glyph]"
    )


def test_a_row_with_too_few_cells_is_refused() -> None:
    assert fault_of((*ROWS, ("Wire",))) == "has 1 cell in row 3; expected 3 [bad-table]"


COLUMNS = st.builds(
    Column,
    title=st.sampled_from(["", "Cost"]),
    width=st.sampled_from([0.0, 0.0, 15.0]),
    share=st.sampled_from([0.0, 1.0, 2.5]),
    align=st.sampled_from(["", "center", "right", "justify"]),
)


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(
    st.lists(COLUMNS, min_size=1, max_size=4),
    st.lists(st.lists(st.text("abegi  ", max_size=16), min_size=4, max_size=4), max_size=5),
    st.floats(8, 90),
    st.floats(8, 60),
)
def test_no_word_is_outside_its_table(
    columns: list[Column], rows: list[list[str]], width: float, height: float
) -> None:
    cells = tuple(tuple(row[: len(columns)]) for row in rows)
    try:
        ops = table(cells, tuple(columns), PLAIN, width, height)
    except TextFault:
        return
    for op in ops:
        if isinstance(op, Word):
            right = op.x + FONTS.shape(op.font, op.text).width * 8 * MM_PER_PT
            assert 2 <= op.x <= right <= 2 + width or "justify" in {c.align for c in columns}
            assert 3 < op.baseline < 3 + height
    printed = "".join(op.text for op in ops if isinstance(op, Word)).replace(" ", "")
    titles = "".join(column.title for column in columns)
    assert printed == (titles + "".join(map("".join, cells))).replace(" ", "")
