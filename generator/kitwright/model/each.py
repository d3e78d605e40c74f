"""The one sentence of the layout language: `wire in card.wires`."""

from __future__ import annotations

import re

from kitwright.formulas import Formula, FormulaError, compile_formula

_EACH = re.compile(r"([a-z_][a-z0-9_]*) in (.+)\Z", re.DOTALL)


def split_each(said: str) -> tuple[str, Formula]:
    """Return the name and the list's formula of `wire in card.wires`."""
    match = _EACH.match(said.strip())
    if match is None:
        raise FormulaError(f"each is '{said}'; expected 'name in list'")
    return match[1], compile_formula(match[2].strip())
