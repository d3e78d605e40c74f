from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kitwright.compose.markup import TextFault
from kitwright.compose.text import MM_PER_PT, InlineIcon, SetText, set_text
from kitwright.fonts import SHIPPED, Fonts
from kitwright.model.theme import TextStyle
from kitwright.ops import Fill, Use, Word, dump, make_symbol

SANS = "source-sans-pro"
FONTS = Fonts({name: font.path for name, font in SHIPPED.items()})
BODY = TextStyle(SANS, f"{SANS}-bold", f"{SANS}-italic", f"{SANS}-bold-italic", 8.0, "#102030")
SQUARE = (("M", 0.0, 0.0), ("L", 1.0, 0.0), ("L", 1.0, 1.0), ("L", 0.0, 1.0), ("Z",))
COIN = InlineIcon(make_symbol((Fill(SQUARE, "#aa8800"),), (0.0, 0.0, 1.0, 1.0)))
ICONS = {"coin": COIN, "big-coin": replace(COIN, width=2.0, height=2.0)}.get
RULE = (
    "Draw **two Circuit cards** and keep one. If you *cannot* build a segment, pay 2 :coin: "
    "to the bank and pass the turn to the left."
)


def set_in(
    text: str,
    style: TextStyle = BODY,
    width: float = 40.0,
    height: float = 40.0,
    overflow: str = "error",
) -> SetText:
    return set_text(text, style, (0.0, 0.0, width, height), FONTS, ICONS, overflow, "box 'rules'")


def try_in(
    text: str, style: TextStyle, width: float, height: float, overflow: str
) -> SetText | TextFault:
    try:
        return set_in(text, style, width, height, overflow)
    except TextFault as fault:
        return fault


def words_of(text: SetText) -> list[Word]:
    return [op for op in text.ops if isinstance(op, Word)]


def lines_of(text: SetText) -> list[str]:
    lines: dict[float, list[str]] = {}
    for word in words_of(text):
        lines.setdefault(word.baseline, []).append(word.text)
    return [" ".join(words) for words in lines.values()]


def width_of(word: Word) -> float:
    advances = [FONTS.advance(word.font, g) for g in FONTS.glyphs(word.font, word.text)]
    return (sum(advances) + sum(word.kerns[:-1]) / 1000) * word.size_pt * MM_PER_PT


def fault_of(text: str, style: TextStyle = BODY, width: float = 40.0, height: float = 40.0) -> str:
    with pytest.raises(TextFault) as caught:
        set_in(text, style, width, height, "shrink")
    return f"{caught.value.message} [{caught.value.code}]"


# Setting


def test_a_rule_is_set_as_kerned_stretches_of_one_font_with_its_icon() -> None:
    assert dump(set_in(RULE, width=50.0).ops) == (
        "word 0 2.78 source-sans-pro 8pt #102030 'Draw' kerns 0 -24 0 0\n"
        "word 6.66 2.78 source-sans-pro-bold 8pt #102030 'two Circuit cards'"
        " kerns 0 -8 0 0 0 0 -10 0 0 0 0 0 -10 0 -10 0 0\n"
        "word 28.21 2.78 source-sans-pro 8pt #102030 'and keep one. If'"
        " kerns 0 0 0 0 -18 0 0 0 0 0 0 0 0 0 0 0\n"
        "word 0 6.3 source-sans-pro 8pt #102030 'you' kerns -4 0 0\n"
        "word 4.94 6.3 source-sans-pro-italic 8pt #102030 'cannot' kerns -15 0 0 0 0 0\n"
        "word 13.54 6.3 source-sans-pro 8pt #102030 'build a segment, pay 2'"
        " kerns 0 0 0 0 0 0 0 0 0 -10 0 0 0 0 7 0 0 -14 0 0 0 0\n"
        f"use {COIN.symbol.id} [2.8222 0 0 2.8222 40.6033 3.9624]\n"
        "word 44.13 6.3 source-sans-pro 8pt #102030 'to' kerns -14 0\n"
        "word 0 9.83 source-sans-pro 8pt #102030 'the bank and pass the turn to the left.'"
        " kerns 0 0 0 0 -14 0 0 0 0 0 0 0 0 -14 0 0 0 0 0 0 0 0 0 0 0 0 0 -14 0 0 0 0 0 0 0"
        " 0 0 7 0\n"
    )


def test_centred_lines_are_balanced() -> None:
    text = "one two three four five six seven"
    assert lines_of(set_in(text, width=18.0)) == ["one two three", "four five six", "seven"]
    centred = replace(BODY, align="center")
    assert lines_of(set_in(text, centred, 18.0)) == ["one two", "three four", "five six seven"]


def test_a_short_last_word_is_given_company() -> None:
    text = "Take a look at the deck and put it back as it was"
    most = "Take a look at the deck and put it back as"
    assert lines_of(set_in(text, width=54.0)) == [most, "it was"]
    justified = lines_of(set_in(text, replace(BODY, align="justify"), 54.0))
    assert justified == [f"{most} it", "was"]


def test_right_and_centred_lines_end_where_they_should() -> None:
    for align, share in (("right", 1.0), ("center", 0.5)):
        for word in words_of(set_in("some words here", replace(BODY, align=align), 12.0)):
            assert word.x == pytest.approx((12.0 - width_of(word)) * share, abs=1e-6)


def test_justified_lines_fill_the_box_but_for_the_last() -> None:
    text = "wires run over the edge of a card and join the wires of the next"
    found = words_of(set_in(text, replace(BODY, align="justify"), 30.0))
    ends = [word.x + width_of(word) for word in found]
    assert ends[:-1] == pytest.approx([30.0] * (len(found) - 1), abs=0.003)
    assert ends[-1] < 25


def test_a_hard_space_keeps_words_together() -> None:
    assert lines_of(set_in("pay the 2\u00a0gold", width=14.0)) == ["pay the", "2\u00a0gold"]


def test_a_soft_hyphen_shows_only_where_a_line_ends() -> None:
    assert lines_of(set_in("re\u00adsis\u00adtors", width=40.0)) == ["resistors"]
    assert lines_of(set_in("re\u00adsis\u00adtors", width=9.0)) == ["resis-", "tors"]


def test_words_are_hyphenated_in_the_language_of_the_style() -> None:
    text = "an extraordinary installation"
    assert lines_of(set_in(text, width=24.0)) == ["an extraordinary", "installation"]
    english = replace(BODY, hyphenate="en_US")
    assert lines_of(set_in(text, english, 17.0)) == ["an extraordi-", "nary installa-", "tion"]


def test_centred_words_are_hyphenated_only_when_wider_than_the_box() -> None:
    style = replace(BODY, hyphenate="en_US", align="center")
    assert lines_of(set_in("an installation", style, 16.0)) == ["an", "installation"]
    assert lines_of(set_in("an installation", style, 12.0)) == ["an instal-", "lation"]


def test_capitals_and_composed_characters_are_set() -> None:
    (word,) = words_of(set_in("cafe\u0301 stra\u00dfe :coin:", replace(BODY, caps=True)))
    assert word.text == "CAF\u00c9 STRASSE"


def test_tracking_is_added_after_every_character_but_not_at_the_end_of_a_line() -> None:
    style = replace(BODY, tracking=100.0, align="right")
    (word,) = words_of(set_in("no no", style, 20.0))
    assert word.kerns == (100, 100, 100, 100, 100)
    assert word.x + width_of(word) == pytest.approx(20.0)


def test_one_line_is_centred_on_its_capitals() -> None:
    (word,) = words_of(set_in("Hg", replace(BODY, valign="middle"), height=10.0))
    cap = FONTS.metrics(SANS).cap_height * 8 * MM_PER_PT
    assert word.baseline == pytest.approx(5.0 + cap / 2)


def test_figures_may_stand_in_a_box_as_low_as_they_are() -> None:
    style = replace(BODY, size_pt=10.0, valign="middle")
    assert set_in("27", style, height=2.6).lines == 1
    with pytest.raises(TextFault):
        set_in("27g", style, height=2.6)


def test_text_stands_at_the_top_or_the_bottom_of_its_box() -> None:
    metrics = FONTS.metrics(SANS)
    (top,) = words_of(set_in("Hg"))
    (bottom,) = words_of(set_in("Hg", replace(BODY, valign="bottom")))
    assert top.baseline == pytest.approx(metrics.ascent * 8 * MM_PER_PT)
    assert bottom.baseline == pytest.approx(40 - metrics.descent * 8 * MM_PER_PT)


def test_paragraphs_are_set_apart() -> None:
    one, two = words_of(set_in("one\ntwo", replace(BODY, space_after=0.5)))
    assert two.baseline - one.baseline == pytest.approx((1.25 + 0.5) * 8 * MM_PER_PT)


def test_an_icon_is_centred_on_the_capitals_and_scales_with_the_text() -> None:
    for size_pt in (8.0, 16.0):
        word, use = set_in("Pay :coin:", replace(BODY, size_pt=size_pt)).ops
        assert isinstance(word, Word)
        assert isinstance(use, Use)
        scale, top = use.matrix[0], use.matrix[5]
        assert scale == pytest.approx(size_pt * MM_PER_PT)
        cap = FONTS.metrics(SANS).cap_height * size_pt * MM_PER_PT
        assert top + scale / 2 == pytest.approx(word.baseline - cap / 2)


def test_a_tall_icon_needs_its_height() -> None:
    assert set_in(":big-coin:", height=5.7).height == pytest.approx(2 * 8 * MM_PER_PT)
    assert fault_of(":big-coin:", height=5.5) == (
        "needs 5.7mm but box 'rules' has 5.5mm [text-overflow]"
    )


def test_empty_text_draws_nothing() -> None:
    assert set_in(" \n ") == SetText((), 8.0, 0, 0.0, 0.0)


# Faults


def test_text_that_is_too_tall_says_by_how_much() -> None:
    assert fault_of(RULE, height=12.0) == "needs 14.2mm but box 'rules' has 12mm [text-overflow]"


def test_text_that_is_too_tall_at_its_least_size_says_so() -> None:
    assert fault_of(RULE, replace(BODY, least_pt=7.0), height=6.0) == (
        "needs 12.4mm at its least size of 7pt but box 'rules' has 6mm [text-overflow]"
    )


def test_a_word_wider_than_its_box_is_named() -> None:
    assert fault_of("an extraordinary thing", width=15.0) == (
        "needs 16mm of width for 'extraordinary' but box 'rules' has 15mm [text-overflow]"
    )


def test_a_missing_glyph_names_a_font_that_has_it() -> None:
    assert fault_of("\u0416", replace(BODY, regular="fredoka-one")) == (
        "has '\u0416' (U+0416), which font 'fredoka-one' lacks; "
        "font 'source-sans-pro' has it [missing-glyph]"
    )


def test_a_glyph_that_no_font_has_wants_an_icon() -> None:
    assert fault_of("a \u9f8d") == (
        "has '\u9f8d' (U+9F8D), which font 'source-sans-pro' lacks; use an icon [missing-glyph]"
    )
    assert fault_of("**\U0001f409**") == (
        "has '\U0001f409' (U+1F409), which font 'source-sans-pro-bold' lacks; "
        "use an icon [missing-glyph]"
    )


def test_a_control_character_is_not_printed_in_the_message() -> None:
    assert fault_of("a\x07b") == (
        "has U+0007, which font 'source-sans-pro' lacks; delete it [missing-glyph]"
    )


def test_a_mark_that_joins_its_neighbours_is_refused() -> None:
    assert fault_of("x\u0302") == (
        "has '\u0302' (U+0302), a mark that joins its neighbours; "
        "expected characters that stand alone; use a picture [unsupported-script]"
    )


def test_an_unknown_icon_is_named() -> None:
    with pytest.raises(TextFault) as caught:
        set_in("Pay :coyn:")
    assert caught.value.message == "has ':coyn:', which is not an icon"
    assert caught.value.subject == "coyn"


def test_an_unknown_language_is_refused_when_a_word_must_break() -> None:
    assert fault_of("extraordinary", replace(BODY, hyphenate="xx"), 10.0) == (
        "has no hyphenation for the language 'xx'; expected a name like 'en_US' [unknown-language]"
    )


def test_a_fault_survives_the_way_back_from_a_worker() -> None:
    fault = pickle.loads(pickle.dumps(TextFault("text-overflow", "needs 2mm", "x")))
    assert (fault.code, fault.message, fault.subject) == ("text-overflow", "needs 2mm", "x")


# Properties

LETTERS = st.text("aeiknorstTVWAgjyp.,-\u00c9\u00df\u00a0\u00ad", min_size=1, max_size=9)
WORDS = st.tuples(
    LETTERS, st.sampled_from(["{}", "{}", "{}", "*{}*", "**{}**", ":coin:", "{}**x**"])
)
TEXTS = st.lists(WORDS.map(lambda word: word[1].format(word[0])), min_size=1, max_size=24)
STYLES = st.builds(
    replace,
    st.just(BODY),
    size_pt=st.floats(3, 30),
    least_pt=st.just(0.0) | st.floats(1, 12),
    leading=st.floats(0.8, 2),
    align=st.sampled_from(["left", "center", "right", "justify"]),
    valign=st.sampled_from(["top", "middle", "bottom"]),
    caps=st.booleans(),
    tracking=st.sampled_from([0.0, 0.0, -20.0, 55.0]),
    hyphenate=st.sampled_from(["", "en_US"]),
    space_after=st.floats(0, 1),
)
FREELY = settings(derandomize=True, deadline=None, max_examples=300, database=None)


@FREELY
@given(TEXTS, st.sampled_from([" ", "  ", "\n"]), STYLES, st.floats(3, 90), st.floats(2, 60))
def test_no_word_is_outside_its_box_and_none_is_lost(
    texts: list[str], gap: str, style: TextStyle, width: float, height: float
) -> None:
    found = try_in(gap.join(texts), style, width, height, "shrink")
    if isinstance(found, TextFault):
        assert found.code == "text-overflow"
        return
    printed = ""
    for op in found.ops:
        if isinstance(op, Word):
            printed += op.text
            assert op.x >= -1e-4
            assert op.x + width_of(op) <= width + 1e-4
            assert op.baseline <= height
            assert op.baseline >= FONTS.metrics(SANS).cap_height * op.size_pt * MM_PER_PT
        elif isinstance(op, Use):
            printed += "@"
            left, top, size = op.matrix[4], op.matrix[5], op.matrix[0]
            assert -1e-4 <= left <= left + size <= width + 1e-4
            assert -1e-4 <= top <= top + size <= height + 1e-4
    wanted = "".join(texts).replace(":coin:", "@")
    wanted = wanted.upper() if style.caps else wanted
    gone = str.maketrans("", "", " *-\u00ad")  # a hyphen may come at the end of any line
    assert printed.translate(gone) == wanted.translate(gone)
    assert style.size_pt == found.size_pt or found.size_pt >= style.least_pt


@FREELY
@given(st.lists(st.text("aeiknorst", min_size=1, max_size=9), min_size=1), STYLES, st.floats(9, 90))
def test_plain_words_come_out_as_they_went_in(
    texts: list[str], style: TextStyle, width: float
) -> None:
    style = replace(style, hyphenate="", caps=False)
    found = try_in(" ".join(texts), style, width, 400.0, "error")
    if isinstance(found, TextFault):
        assert found.subject in texts
        return
    assert " ".join(word.text for word in words_of(found)).split(" ") == texts


@FREELY
@given(TEXTS, st.floats(10, 60), st.floats(5, 40))
def test_shrunk_text_is_as_large_as_fits(texts: list[str], width: float, height: float) -> None:
    style = replace(BODY, size_pt=14.0, least_pt=5.0)
    found = try_in(" ".join(texts), style, width, height, "shrink")
    if isinstance(found, SetText) and found.size_pt < style.size_pt:
        larger = replace(style, size_pt=round(found.size_pt + 0.1, 4))
        with pytest.raises(TextFault):
            set_in(" ".join(texts), larger, width, height)
