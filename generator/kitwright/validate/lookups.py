"""What an expression may look up: the names in reach of a draw, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright.formulas import Formula, unknown_name
from kitwright.formulas.closures import Lookup
from kitwright.problems import did_you_mean, measured_hint

ANYTHING = object()  # a value whose inside is known only when a card is drawn
SAME_FOR_ALL = frozenset({"game", "deck", "skin", "figures"})


class Scope(Struct, frozen=True):
    """The names that expressions may use at one place of a layout."""

    names: Mapping[str, Any]
    guarded: frozenset[Lookup] = frozenset()  # look-ups whose absence a `when` has tested

    def knowing(self, *names: str) -> Scope:
        """Return a scope with more names."""
        return replace(self, names={**self.names, **dict.fromkeys(names, ANYTHING)})

    def guarding(self, formula: Formula | None) -> Scope:
        """Return the scope of what is drawn when `formula` holds."""
        if formula is None:
            return self
        return replace(self, guarded=self.guarded | formula.guarded)

    def faults(self, formula: Formula) -> list[str]:
        """Say which look-ups of an expression lead nowhere."""
        found = (self._fault(path) for path in sorted(formula.lookups))
        return [fault for fault in found if fault is not None]

    def _fault(self, path: Lookup) -> str | None:
        if any(path[: len(guard)] == guard for guard in self.guarded):
            return None
        if path[0] not in self.names:
            return unknown_name(path[0], self.names)
        value = self.names[path[0]]
        for index, name in enumerate(path[1:], 1):
            if value is ANYTHING or not isinstance(value, Mapping):
                return None
            if name not in value:
                known = ", ".join(map(str, value))
                holder = ".".join(path[:index])
                hint = did_you_mean(name, map(str, value)) + measured_hint(holder)
                if not value:
                    return f"{holder} is empty, so it has no '{name}'; expected a value{hint}"
                return f"{holder} has no '{name}'; expected one of {known}{hint}"
            value = value[name]
        return None

    def never(self, formula: Formula | None) -> bool:
        """Tell whether an expression that is the same for all cards does not hold."""
        if formula is None or not formula.names <= SAME_FOR_ALL or self.faults(formula):
            return False
        try:
            return not formula(self.names)
        except ValueError:  # told when it is drawn
            return False
