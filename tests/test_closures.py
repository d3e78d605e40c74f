"""Trees of expressions: they say what Jinja2's own code says, and hold nothing that could act."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import StrictUndefined, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kitwright.cache.drawn import read_entry
from kitwright.formulas import compile_formula, expressions
from kitwright.formulas.closures import close
from kitwright.formulas.expressions import read_expression
from kitwright.formulas.sandbox import (
    FILTERS,
    FUNCTIONS,
    TESTS,
    FormulaError,
    Sandbox,
    UnknownValueError,
)
from kitwright.lore import known, learn

SANDBOX = Sandbox()
CARD: dict[str, Any] = {
    "title": "Owl",
    "cost": 3,
    "weight": 2.5,
    "reward": None,
    "values": (1, 2, 3),
    "wires": ({"from": 1, "to": 2}, {"from": 2, "to": 1, "part": "coil"}),
}
CONTEXT: dict[str, Any] = {"card": CARD, "game": {"rules": {"hand": 3, "4": "four"}}, "n": 2}


class Oracle(ImmutableSandboxedEnvironment):
    """Jinja2 with our rules: it makes Python code where we make closures."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%"])

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, autoescape=False)
        defined = {"defined": lambda v: not isinstance(v, StrictUndefined)}
        other = {"default": lambda v, o="": o if v is None or _missing(v) else v}
        self.filters = {**FILTERS, **other}
        self.tests = {**TESTS, **defined, "undefined": _missing}
        self.globals = dict(FUNCTIONS)

    def getattr(self, obj: Any, attribute: str) -> Any:
        if _missing(obj):
            return obj
        known = isinstance(obj, dict) and attribute in obj
        return obj[attribute] if known else self.undefined(name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, dict):
            return self.getattr(obj, argument if argument in obj else str(argument))
        if isinstance(obj, tuple | list | str) and isinstance(argument, int):
            return SANDBOX.getitem(obj, argument)
        return self.undefined(name=str(argument))

    def is_safe_callable(self, obj: Any) -> bool:
        return obj in FUNCTIONS.values()

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        for value in (left, right):
            if _missing(value):
                str(value)
        return SANDBOX.combine(operator, left, right)


def _missing(value: Any) -> bool:
    return isinstance(value, StrictUndefined)


ORACLE = Oracle()
FAULTS = (TypeError, ValueError, LookupError, StopIteration, ArithmeticError, SecurityError)
HIDDEN = RuntimeError  # what becomes of StopIteration in Jinja2's generators


def told_by_oracle(source: str) -> Any:
    try:
        value = ORACLE.compile_expression(source, undefined_to_none=False)(CONTEXT)
        return "unknown" if _missing(value) else (type(value), value)
    except UndefinedError:
        return "unknown"
    except (*FAULTS, HIDDEN):
        return "fault"


def told_by_tree(source: str) -> Any:
    raw = pickle.dumps(read_expression(source), protocol=5)
    tree = read_entry(raw)[3]  # as it comes back from the cache
    try:
        value = close(tree, SANDBOX)(CONTEXT)
        return "unknown" if type(value).__name__ == "Unknown" else (type(value), value)
    except UnknownValueError:
        return "unknown"
    except FAULTS:
        return "fault"


@pytest.mark.parametrize(
    "source",
    [
        *("card.values[1:]", "card.values[:-1:2]", "card.title[::-1]", "card[1:]", "card.no[1:]"),
        *("max(*card.values)", "min(1, *card.values)", "max(1, card.no)", "range(2)"),
        *("card.weight|round(digits=1)", "card.weight|round(1)", "card.no|default('x')"),
        *("card.weight|round(**{'digits': 1})", "{'a': n, 'b': [n, (n,)]}", "{'a': n}.a", "()"),
        *("1 < n < 3 < 2", "1 < n <= card.no", "3 < n < card.no", "n not in card.values"),
        *("n == 2 != 3", "not card.no", "not n", "-n", "+n", "-card.title", "n and card.no"),
        *("card.no and n", "card.no or n", "n or card.no", "card.reward or card.no", "n ~ none"),
        *("n ~ card.no ~ 1", "'a' 'b' ~ n", "true and false", "card.no is defined", "n is even"),
        *("n is in card.values", "n is not odd", "card.title|first|upper", "[]|first", "[]|last"),
        *("'x' if n > 1 else card.no", "'x' if n > 2 else card.no", "'x' if card.no else 1"),
        *("game.rules[4]", "game.rules['hand']", "game['rules'].hand", "card.values[9]", "max"),
        *("card.wires[1].part", "card.wires.1.part", "card.wires[0].part", "card.values|sum / 0"),
        *("1e11 * 1e11", "1 + 'a'", "'a' + 'b'", "[1] + [2]", "7 % 3 // 2 - 1.5 * n / 4"),
        *("card.wires|length * n", "card.values|join('-')", "card.values|sort|join", "no", "no.no"),
    ],
)
def test_a_tree_says_what_the_code_of_the_parser_says(source: str) -> None:
    assert told_by_tree(source) == told_by_oracle(source)


ATOMS = st.sampled_from(
    [
        *("card.title", "card.cost", "card.no", "card.reward", "card.values", "n", "no", "0", "2"),
        *("1.5", "'a'", "''", "true", "none", "[]", "[1, n]", "game.rules", "card.wires[0]"),
    ]
)


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(
        [
            *("+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in"),
            *("not in", "and", "or"),
        ]
    )
    ends = st.sampled_from(
        [
            *("|default(1)", "|length", "|first", "|sum", "|upper", "|join('+')", "|sort", "|int"),
            *("[0]", "[1:]", ".title", " is defined", " is none", " is odd"),
        ]
    )
    return st.one_of(
        st.builds("({} {} {})".format, inner, signs, inner),
        st.builds("({}{})".format, inner, ends),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} < {} <= {})".format, inner, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("max({}, {})".format, inner, inner),
    )


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.recursive(ATOMS, joined, max_leaves=8))
def test_any_tree_says_what_the_code_of_the_parser_says(source: str) -> None:
    assert told_by_tree(source) == told_by_oracle(source), source


def test_an_expression_that_was_learnt_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "card.cost + 41 - 1"
    learn({"formulas": {source: read_expression(source)}})
    monkeypatch.setattr(expressions, "read_expression", lambda _: pytest.fail("it was read again"))
    assert compile_formula(source)(CONTEXT) == 43
    assert source in known()["formulas"]


def test_a_filter_that_is_unknown_is_told_wherever_it_stands() -> None:
    with pytest.raises(FormulaError, match=r"there is no filter 'lenght'.* did you mean 'length'"):
        read_expression("1 if true else (card.values|lenght)")


def test_no_tree_can_reach_what_is_not_among_the_values() -> None:
    tree = ("Getattr", ("Getattr", ("Name", "card"), "__class__"), "__mro__")
    assert type(close(tree, SANDBOX)(CONTEXT)).__name__ == "Unknown"
    with pytest.raises(FormulaError, match="this cannot be called"):
        close(("Call", ("Const", print), (), (), None, None), SANDBOX)(CONTEXT)
    with pytest.raises(LookupError):
        close(("Binary", "**", ("Const", 9), ("Const", 9)), SANDBOX)(CONTEXT)
