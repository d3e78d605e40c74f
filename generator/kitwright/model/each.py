"""The one sentence of the layout language: `wire in card.wires`."""

from __future__ import annotations

import re
from functools import lru_cache

from kitwright.formulas import Formula, FormulaError, compile_formula

_EACH = re.compile(r"([a-z_][a-z0-9_]*) in (.+)\Z", re.DOTALL)
TAKEN = ("card", "game", "deck", "skin", "loop")


@lru_cache(maxsize=1024)
def split_each(said: str) -> tuple[str, Formula]:
    """Return the name and the list's formula of `wire in card.wires`."""
    match = _EACH.match(said.strip())
    if match is None:
        raise FormulaError(f"is '{said}'; expected 'name in list', such as 'wire in card.wires'")
    if match[1] in TAKEN:
        raise FormulaError(f"names each item '{match[1]}', which is taken; expected another name")
    return match[1], compile_formula(match[2].strip())
