"""What may stand between `{{` and `}}`: expressions in a sandbox with a budget. Knows no file.

Jinja2 is loaded only to read an expression that is not known yet.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct

from kitwright.formulas.closures import Lookup, Read, Tree, close
from kitwright.formulas.sandbox import BARE, Sandbox, Unknown, UnknownValueError, capped
from kitwright.formulas.sandbox import FILTERS as FILTERS
from kitwright.formulas.sandbox import FUNCTIONS as FUNCTIONS
from kitwright.formulas.sandbox import TESTS as TESTS
from kitwright.formulas.sandbox import FormulaError as FormulaError
from kitwright.lore import lore
from kitwright.numerals import show as show
from kitwright.problems import describe as describe  # said of values here and elsewhere
from kitwright.problems import did_you_mean, measured_hint

LONGEST = 1000  # characters of one expression
DEEPEST = 20  # nested brackets

_SANDBOX = Sandbox()
_READ: dict[str, Read] = lore("formulas")  # expressions that were read
_WORDS = r"and|else|false|if|import|in|is|loop|none|not|or|recursive|true"
_PATH = re.compile(rf"(?!.*\b({_WORDS})\b)[a-z]\w*(\.[a-z]\w*)*", re.ASCII)


def _plain(source: str) -> Lookup:
    """Return the path of an expression that only looks something up; nothing for any other."""
    path = tuple(source.split(".")) if _PATH.fullmatch(source) else ()
    return () if path[:1] and path[0] in FUNCTIONS else path


def _look_up(path: Lookup, context: Mapping[str, Any]) -> Any:
    value = context[path[0]] if path[0] in context else Unknown(path[0])
    for name in path[1:]:
        value = _SANDBOX.getattr(value, name)
    return value


@lru_cache(maxsize=4096)
def _code(source: str) -> Callable[..., Any]:
    """Make what runs an expression, when it is first run: most of a layout's never are."""
    tree = compile_formula(source).tree
    return partial(_look_up, tuple(source.split("."))) if tree is None else close(tree, _SANDBOX)


class Formula(Struct, frozen=True):
    """One compiled expression and what it looks up."""

    source: str
    names: frozenset[str]
    lookups: frozenset[Lookup]  # what must be there
    guarded: frozenset[Lookup]  # what may be missing: tested with `is defined` or given a default
    tree: Tree | None = None  # None for a bare path

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value, which is never undefined."""
        try:
            value = _code(self.source)(context)
            if isinstance(value, Unknown):
                str(value)
        except UnknownValueError as error:
            raise FormulaError(_unknown(str(error), self.lookups, context)) from None
        except FormulaError:
            raise
        except (TypeError, ValueError, LookupError, StopIteration, ArithmeticError):
            text = f"'{self.source}' does not suit its values; expected an expression that does"
            raise FormulaError(text) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise FormulaError("the result is beyond all counting; expected a finite number")
        return capped(value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)
def compile_formula(source: str) -> Formula:
    """Compile one expression, without its braces."""
    if len(source) > LONGEST:
        text = f"the expression is {len(source)} characters long; expected at most {LONGEST}"
        raise FormulaError(text)
    if not source.strip():
        raise FormulaError("the expression is empty; expected one such as card.title")
    depth = 0
    for letter in source:
        depth += (letter in "([{") - (letter in ")]}")
        if depth > DEEPEST:
            text = f"the expression nests deeper than {DEEPEST} brackets; expected fewer"
            raise FormulaError(text)
    if path := _plain(source):
        return Formula(source, frozenset(path[:1]), frozenset({path}), frozenset())
    if source not in _READ:
        from kitwright.formulas.expressions import read_expression

        _READ[source] = read_expression(source)
    return Formula(source, *_READ[source])


def _unknown(text: str, lookups: frozenset[Lookup], context: Mapping[str, Any]) -> str:
    if text.startswith(BARE):
        return unknown_name(text.removeprefix(BARE), context)
    holders = [
        path[:at] for path in lookups for at in range(1, len(path)) if f"'{path[at]}'" in text
    ]
    holder = ".".join(min(holders)) if holders else "this"
    return f"{holder} {text}{measured_hint(holder)}"


def unknown_name(name: str, known: Iterable[str]) -> str:
    """Say that there is no such name to look up."""
    names = sorted(each for each in known if not each.startswith("_"))
    said = f"there is no '{name}' here; expected one of {', '.join(names)}"
    return said + did_you_mean(name, names)


_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


class Template(Struct, frozen=True):
    """A text with expressions in it; a text that is one expression gives its bare value."""

    source: str
    pieces: tuple[str | Formula, ...]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The expressions in it."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Formula))

    @property
    def names(self) -> frozenset[str]:
        """The names it looks up."""
        return frozenset().union(*(formula.names for formula in self.formulas))

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value of a lone expression, or the text with all of them filled in."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Formula):
            return self.pieces[0](context)
        return "".join(p if isinstance(p, str) else show(p(context)) for p in self.pieces)


def is_template(value: str) -> bool:
    """Tell whether a text holds expressions, or what somebody meant as one."""
    return "{{" in value or "}}" in value or "{%" in value


@lru_cache(maxsize=4096)
def compile_template(source: str) -> Template:
    """Compile a text that may hold `{{ }}`."""
    if "{%" in source:
        raise FormulaError("'{%' is not understood; expected {{ }}; use when, each and use instead")
    pieces: list[str | Formula] = []
    end = 0
    for match in _BRACES.finditer(source):
        if match.start() > end:
            pieces.append(source[end : match.start()])
        pieces.append(compile_formula(match[1].strip()))
        end = match.end()
    if end < len(source):
        pieces.append(source[end:])
    for piece in pieces:
        if isinstance(piece, str) and "{{" in piece:
            raise FormulaError("'{{' is never closed; expected '}}' behind it")
        if isinstance(piece, str) and "}}" in piece:
            raise FormulaError("'}}' closes nothing; expected '{{' before it")
    return Template(source, tuple(pieces))
