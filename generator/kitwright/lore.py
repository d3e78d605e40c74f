"""Facts that one build finds out and the next need not: where words break, what expressions say.

A fact follows from its key and from Kitwright itself, so it always holds. Imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

Lore = Mapping[str, Mapping[Any, Any]]  # facts by their kinds and keys
KINDS = ("bends", "formulas", "hyphens")
_kinds: dict[str, dict[Any, Any]] = {kind: {} for kind in KINDS}


def lore(kind: str) -> dict[Any, Any]:
    """Return the facts of a kind, to look up and to add to."""
    return _kinds[kind]


def known() -> Lore:
    """Return all facts."""
    return _kinds


def learn(found: Lore) -> None:
    """Take in facts that were found out elsewhere."""
    for kind, facts in found.items():
        lore(kind).update(facts)


def count() -> dict[str, int]:
    """Tell how many facts of each kind there are."""
    return {kind: len(facts) for kind, facts in _kinds.items()}


def since(counted: Mapping[str, int]) -> Lore:
    """Return the facts that have come since they were counted."""
    return {
        kind: dict(islice(facts.items(), counted.get(kind, 0), None))
        for kind, facts in _kinds.items()
    }
