"""Expressions: what they can say, and that none can hurt."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitwright.formulas import (
    FILTERS,
    TESTS,
    FormulaError,
    compile_formula,
    compile_template,
    describe,
    show,
)

CARD: dict[str, Any] = {
    "title": "Owl",
    "cost": 3,
    "weight": 2.5,
    "reward": None,
    "values": (1, 2, 3),
    "wires": ({"from": 1, "to": 2}, {"from": 2, "to": 1, "part": "coil"}),
}
CONTEXT = {"card": CARD, "game": {"rules": {"hand": 3}}, "_places": {}}


def value(source: str) -> Any:
    return compile_formula(source)(CONTEXT)


def refused(source: str) -> str:
    with pytest.raises(FormulaError) as error:
        value(source)
    return str(error.value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("card.title", "Owl"),
        ("card['title']", "Owl"),
        ("card.values", (1, 2, 3)),  # a field wins over the method of the same name
        ("card.values[0]", 1),
        ("card.wires.1.part", "coil"),
        ("card.cost + 1", 4),
        ("card.cost // 2", 1),
        ("7 % 3", 1),
        ("card.title + '!'", "Owl!"),
        ("card.title ~ card.cost", "Owl3"),
        ("card.cost > 2 and card.weight < 3", True),
        ("'high' if card.cost > 2 else 'low'", "high"),
        ("card.cost in [1, 3]", True),
        ("card.cost is odd", True),
        ("card.wings is defined", False),
        ("card.wings | default(2)", 2),
        ("wings | default('none')", "none"),
        ("card.reward | default('nothing')", "nothing"),
        ("card.values | sum", 6),
        ("card.values | join('-')", "1-2-3"),
        ("card.weight | round", 2),
        ("card.weight | round(1)", 2.5),
        ("max(card.values) + min(1, 2)", 4),
        ("range(3) | length", 3),
        ("card.title | upper | lower | title | trim | capitalize", "Owl"),
        ("card.title | replace('O', 'o')", "owl"),
        ("[3, 1] | sort | first", 1),
        ("[3, 1] | last | abs", 1),
        ("'7' | int", 7),
        ("[1, 2] | max", 2),
        ("[1, 2] | min", 1),
    ],
)
def test_an_expression_has_this_value(source: str, expected: object) -> None:
    assert value(source) == expected


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("9**9**9", "'**' is not allowed; expected a plain sum or product"),
        ("'a' * 1000000000", "'*' stands beside the text 'a'; expected numbers"),
        ("[1] * 1000000000", "'*' stands beside a list; expected numbers"),
        (
            "__import__('os')",
            "this cannot be called; expected max, min, range, or a filter such as |length",
        ),
        (
            "card.title.upper()",
            "this cannot be called; expected max, min, range, or a filter such as |length",
        ),
        ("1 / 0", "a division by zero; expected another number"),
        ("1 % 0", "a division by zero; expected another number"),
        ("1e999", "a number is beyond all counting; expected a finite number"),
        ("1000000000000 * 1000000000000 * 2", "a number is larger than 1000000000000; "
         "expected a smaller one"),
        ("range(100000)", "range() is longer than 1000; expected fewer numbers"),
        ("(" * 21 + "1" + ")" * 21, "the expression nests deeper than 20 brackets; expected fewer"),
        (
            "(" * 100_000,
            "the expression is 100000 characters long; expected at most 1000",
        ),
        ("-" * 900 + "1", "the expression is too long; expected a simpler one"),
        ("''.__class__", "this is the text '', so it has no '__class__'; expected a mapping"),
        ("card.__class__", "card has no '__class__'; expected one of title, cost, weight, reward, "
         "values, wires"),
        ("crad.title", "there is no 'crad' here; expected one of card, game; did you mean 'card'?"),
        ("card.titel", "card has no 'titel'; expected one of title, cost, weight, reward, values, "
         "wires; did you mean 'title'?"),
        ("card.reward.coins", "card.reward is empty, so it has no 'coins'; expected a value; "
         "test for it with 'when'"),
        ("card.values[7]", "the list has no item 7; expected 0 to 2"),
        ("card.title if card.cost > 9", "an 'if' has no 'else'; expected a value for both cases"),
        ("card.cost | uper", "there is no filter 'uper'; expected one of "
         f"{', '.join(FILTERS)}; did you mean 'upper'?"),
        ("card.cost is ood", "there is no test 'ood'; expected one of "
         f"{', '.join(TESTS)}; did you mean 'odd'?"),
        ("card.cost | sum", "'card.cost | sum' does not suit its values; expected an expression "
         "that does"),
        ("card.", "'card.' cannot be read (expected name or number); expected an expression such "
         "as card.title"),
        (" ", "the expression is empty; expected one such as card.title"),
    ],
)  # fmt: skip
def test_an_expression_is_refused_in_these_words(source: str, message: str) -> None:
    assert refused(source) == message


def test_a_result_is_never_longer_than_a_rulebook() -> None:
    long = {"card": {"text": "x" * 9_000}}
    with pytest.raises(FormulaError, match="the result is 18000 characters long"):
        compile_formula("card.text ~ card.text")(long)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="card.title123+-*/%()[]{}'|~ifelse <>=!,", max_size=60))
def test_whatever_is_typed_gives_a_value_or_a_reason(source: str) -> None:
    with suppress(FormulaError):
        show(value(source))


def test_a_lone_expression_keeps_its_kind_and_text_around_it_makes_text() -> None:
    assert compile_template("{{ card.cost }}")(CONTEXT) == 3
    assert compile_template("{{ card.cost }} coins")(CONTEXT) == "3 coins"
    assert compile_template("plain")(CONTEXT) == "plain"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ card.title", "'{{' is never closed; expected '}}' behind it"),
        ("{ card.title }}", "'}}' closes nothing; expected '{{' before it"),
        ("{% if card %}", "'{%' is not understood; expected {{ }}; use when, each and use instead"),
    ],
)
def test_braces_that_do_not_match_are_refused(source: str, message: str) -> None:
    with pytest.raises(FormulaError) as error:
        compile_template(source)
    assert str(error.value) == message


def test_an_expression_knows_what_it_looks_up() -> None:
    formula = compile_formula("card.cost + game.rules.hand + (card.wings | default(0))")
    assert formula.names == {"card", "game"}
    assert formula.lookups == {("card", "cost"), ("game", "rules", "hand")}
    assert formula.guarded == {("card", "wings")}


@pytest.mark.parametrize(
    ("thing", "shown", "described"),
    [
        (3, "3", "the number 3"),
        (3.0, "3", "the number 3.0"),
        (True, "yes", "true"),
        (None, "", "nothing"),
        ("owl", "owl", "the text 'owl'"),
        ("o" * 40, "o" * 40, f"the text '{'o' * 29}…'"),
        ([1], "[1]", "a list"),
        ({}, "{}", "a mapping"),
    ],
)
def test_values_are_shown_and_named_like_this(thing: object, shown: str, described: str) -> None:
    assert (show(thing), describe(thing)) == (shown, described)


@pytest.mark.parametrize("source", ["card", "card.cost", "card.title.x", "nobody", "nobody.x", "n"])
def test_a_plain_look_up_says_what_any_expression_says(source: str) -> None:
    def told(text: str) -> str:
        try:
            return repr(value(text))
        except FormulaError as error:
            return str(error)

    assert told(source) == told(f"({source})")
    plain, other = compile_formula(source), compile_formula(f"({source})")
    assert (plain.names, plain.lookups, plain.guarded) == (
        other.names,
        other.lookups,
        other.guarded,
    )
