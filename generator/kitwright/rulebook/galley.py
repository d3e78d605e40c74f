"""The column of a book: each block set once, or known from an earlier build.

Pages are broken by the measures of slabs alone, so what is known comes as measures and as a
parcel of ops, which is opened only where a page that shows the block is drawn. Knows no page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kitwright.ops import Op
from kitwright.rulebook.slabs import Slab

Set = Callable[[], Sequence[Slab]]
Ops = tuple[tuple[Op, ...], ...]  # of each slab
Known = tuple[tuple[Slab, ...], bytes]  # slabs without their ops, and these in a parcel


class Memory(Struct, frozen=True):
    """What was set before: two things have one mark only if they are set alike."""

    mark: Callable[[object], str]
    recall: Callable[[str, Callable[[], Known]], Known]
    parcel: Callable[[Ops], bytes]
    opened: Callable[[bytes], Ops | None]


class Galley:
    """What was set for one column."""

    def __init__(self, memory: Memory | None = None) -> None:
        self._memory = memory
        self._sets: dict[str, Set] = {}
        self._parcels: dict[str, bytes] = {}
        self._ops: dict[str, Ops] = {}
        self._count = 0

    def slabs(self, about: object, set_it: Set) -> list[Slab]:
        """Return the slabs of something, without their ops."""
        self._count += 1  # call-outs of different blocks never share a ground
        memory = self._memory
        key = str(self._count) if memory is None else memory.mark(about)
        self._sets[key] = set_it
        found = self._set(key) if memory is None else self._recalled(memory, key)
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
            self._open(key)
        return self._ops[key][at]

    def _recalled(self, memory: Memory, key: str) -> tuple[Slab, ...]:
        def make() -> Known:
            slabs = self._set(key)
            return slabs, memory.parcel(self._ops[key])

        slabs, self._parcels[key] = memory.recall(key, make)
        return slabs

    def _open(self, key: str) -> None:
        opened = self._memory.opened(self._parcels[key]) if self._memory is not None else None
        if opened is None:
            self._set(key)
        else:
            self._ops[key] = opened

    def _set(self, key: str) -> tuple[Slab, ...]:
        made = self._sets[key]()
        self._ops[key] = tuple(slab.ops for slab in made)
        return tuple(replace(slab, ops=()) for slab in made)
