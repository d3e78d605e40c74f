"""The column of a book: each block set once, or known from an earlier build.

Pages are broken by the measures of slabs alone, so what is known comes without its ops; a block
is set again only where a page that shows it has to be drawn. Knows no page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kitwright.ops import Op
from kitwright.rulebook.slabs import Slab

Set = Callable[[], Sequence[Slab]]
Mark = Callable[[object], str]  # two things have one mark only if they are set alike
Recall = Callable[[str, Callable[[], tuple[Slab, ...]]], tuple[Slab, ...]]


class Galley:
    """What was set for one column; it remembers nothing unless it is told how."""

    def __init__(self, mark: Mark | None = None, recall: Recall | None = None) -> None:
        self._mark = mark or (lambda _: str(len(self._sets)))
        self._recall = recall or (lambda _, make: make())
        self._sets: dict[str, Set] = {}
        self._ops: dict[str, list[tuple[Op, ...]]] = {}
        self._count = 0

    def slabs(self, about: object, set_it: Set) -> list[Slab]:
        """Return the slabs of something, without their ops."""
        key = self._mark(about)
        self._sets[key] = set_it
        found = self._recall(key, lambda: self._set(key))
        self._count += 1  # call-outs of different blocks never share a ground
        return [
            replace(slab, key=(key, at), band=f"{slab.band} {self._count}" if slab.band else "")
            for at, slab in enumerate(found)
        ]

    def ops(self, slab: Slab) -> tuple[Op, ...]:
        """Return what a slab shows."""
        if slab.key is None:
            return slab.ops
        key, at = slab.key
        if key not in self._ops:
            self._set(key)
        return self._ops[key][at]

    def _set(self, key: str) -> tuple[Slab, ...]:
        made = self._sets[key]()
        self._ops[key] = [slab.ops for slab in made]
        return tuple(replace(slab, ops=()) for slab in made)
