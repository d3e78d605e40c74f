"""Words with `{{ }}` in them: filled in, every fault at its own line and column.

What stood between braces is kept out of the Markdown parser's sight, so that no value and no
expression is ever read as markup of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from kitwright.formulas import FormulaError, compile_formula, compile_template, show
from kitwright.problems import Place, Problem

_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_LOOSE = re.compile(r"\{\{|\}\}|\{%")
_KEPT = re.compile("\ue000(\\d+)\ue001")
BROKEN = "_broken"  # in a context whose examples do not hold: their fault is told once
Context = Mapping[str, Any]


class Filled(Struct, frozen=True):
    """A text whose expressions are set aside, and their values."""

    text: str
    values: tuple[str, ...]

    def restore(self, text: str) -> str:
        """Put the values back into a piece of the text."""
        return _KEPT.sub(lambda found: self.values[int(found[1])], text)


def fill(text: str, file: str, context: Context, problems: list[Problem]) -> Filled:
    """Evaluate every expression of a page."""
    values: list[str] = []

    def one(found: re.Match[str]) -> str:
        value = ""
        try:
            formula = compile_formula(found[1].strip())
            value = show(formula(context)) if _can(formula.names, context) else ""
        except FormulaError as error:
            problems.append(Problem(place_in(text, found.start(), file), "bad-formula", str(error)))
        values.append(" ".join(value.split()))
        lines = "\n" * found[0].count("\n")  # keeps the line numbers of what follows
        return f"\ue000{len(values) - 1}\ue001{lines}"

    masked = blanked(text)
    for loose in _LOOSE.finditer(masked):
        said = f"'{loose[0]}' has no partner; expected an expression between '{{{{' and '}}}}'"
        problems.append(Problem(place_in(text, loose.start(), file), "bad-formula", said))
    return Filled(_BRACES.sub(one, text), tuple(values))


def _can(names: frozenset[str], context: Context) -> bool:
    """Tell whether names can be looked up: what an example says is unknown while one fails."""
    return not (BROKEN in context and "examples" in names)


def blanked(text: str) -> str:
    """Return the text with spaces where expressions stand, each line as long as it was."""
    return _BRACES.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def place_in(text: str, offset: int, file: str) -> Place:
    """Return where a character of a page stands."""
    start = text.rfind("\n", 0, offset) + 1
    return Place(file, text.count("\n", 0, offset) + 1, offset - start + 1)


def filled(template: str, place: Place, context: Context, problems: list[Problem]) -> str:
    """Fill in a text of rules.yaml; a fault stands at its place."""
    try:
        compiled = compile_template(template)
        return show(compiled(context)) if _can(compiled.names, context) else ""
    except FormulaError as error:
        problems.append(Problem(place, "bad-formula", str(error)))
        return ""


def listed(formula: str, place: Place, context: Context, problems: list[Problem]) -> list[Any]:
    """Return the items of an expression that must be a list."""
    try:
        compiled = compile_formula(formula)
        value = compiled(context) if _can(compiled.names, context) else ()
    except FormulaError as error:
        problems.append(Problem(place, "bad-formula", str(error)))
        return []
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        said = f"'{formula}' is no list; expected an expression that gives one"
        problems.append(Problem(place, "bad-formula", said))
        return []
    return list(value)
