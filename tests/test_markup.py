from __future__ import annotations

import pytest

from kitwright.compose.markup import IconName, Run, TextFault, parse_markup


@pytest.mark.parametrize(
    "text",
    [
        "12:30",
        "ratio 1:2:3",
        "a:coin:b",
        "a:coin: b",
        ":coin:b",
        "<b>bold</b> & {{ card.id }}",
        "2 * 3",
        "5* inn",
        ": :",
    ],
)
def test_what_is_no_markup_is_printed_as_it_stands(text: str) -> None:
    assert parse_markup(text) == ((Run(text),),)


def test_emphasis_nests() -> None:
    assert parse_markup("a *b **c*** ***d***") == (
        (
            Run("a "),
            Run("b ", italic=True),
            Run("c", bold=True, italic=True),
            Run(" "),
            Run("d", bold=True, italic=True),
        ),
    )


def test_icons_stand_beside_icons_and_punctuation() -> None:
    assert parse_markup("(:coin::big-coin:).") == (
        (Run("("), IconName("coin"), IconName("big-coin"), Run(").")),
    )


def test_a_backslash_makes_stars_and_colons_plain() -> None:
    assert parse_markup(r"\*a\* \:coin: C:\dir") == ((Run(r"*a* :coin: C:\dir"),),)


def test_new_lines_and_blank_lines_begin_paragraphs() -> None:
    assert parse_markup("\na\r\nb \n\n c\n") == ((Run("a"),), (Run("b"),), (Run("c"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2*3", r"has '*' without a partner at '2*3'; write '\*' for a plain star"),
        (
            "take **all cards\nnow**",
            r"has '**' without a partner at 'take **all cards'; write '\*' for a plain star",
        ),
        ("****", r"has '****' without a partner at '****'; write '\*' for a plain star"),
        ("a *b *c* d", r"has '*' without a partner at 'a *b *c* d'; write '\*' for a plain star"),
    ],
)
def test_a_star_without_a_partner_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextFault) as caught:
        parse_markup(text)
    assert (caught.value.code, caught.value.message) == ("bad-markup", message)
