"""Values as text for keys: two values have the same text only if nothing drawn can tell them apart.

Places in files are left out: they are for messages, and move when a line is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from kitwright.ops import Face, Group, Op, Symbol, Use
from kitwright.problems import Place


def key_of(*parts: str) -> str:
    """Return the key of some texts."""
    mark = blake2b(digest_size=20)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        mark.update(b"%d " % len(raw) + raw)
    return mark.hexdigest()


class Exact:
    """Writes values out; of faces that are `known` by their ids it says no more than their size."""

    def __init__(self, known: Set[str] = frozenset()) -> None:
        self._known = known
        self.shown: set[str] = set()  # the faces that were named
        self._symbols: dict[int, tuple[Symbol, str]] = {}

    def text(self, value: Any) -> str:
        """Return the text of a value: plain data, or structs of it."""
        if value is None or isinstance(value, str | int | float | bytes):
            return repr(value)
        if isinstance(value, Mapping):
            inner = (f"{self.text(key)}:{self.text(item)}" for key, item in value.items())
            return "{" + ",".join(inner) + "}"
        if isinstance(value, tuple | list):
            return "(" + ",".join(map(self.text, value)) + ")"
        if isinstance(value, Face):
            size = f"{value.width} {value.height} {value.bleed}"
            if value.id in self._known:
                self.shown.add(value.id)
                return f"face {value.id} {size}"
            return f"made {size} {self._outline(value.ops)}"  # a picture of cards
        if isinstance(value, Place):
            return ""
        if isinstance(value, set | frozenset):
            return "{" + ",".join(sorted(map(self.text, value))) + "}"
        if isinstance(value, Struct):
            inner = (self.text(getattr(value, name)) for name in value.__struct_fields__)
            return f"{type(value).__name__}({','.join(inner)})"
        raise TypeError(f"a {type(value).__name__} has no text for keys")

    def mark(self, ops: Iterable[Op]) -> str:
        """Return the hash of ops to the last digit; the hash of a face is of rounded lengths."""
        return key_of(*map(self._op, ops))

    def _op(self, op: Op) -> str:
        if isinstance(op, Use):
            return f"use {self._symbol(op.symbol)} {op.matrix!r}"
        if isinstance(op, Group):
            return f"group {self.mark(op.ops)} {op.matrix!r} {op.clip!r} {op.opacity!r}"
        return repr(op)

    def _symbol(self, symbol: Symbol) -> str:
        known = self._symbols.get(id(symbol))
        if known is None:
            mark = key_of(symbol.id, repr(symbol.box), self.mark(symbol.ops))
            known = self._symbols[id(symbol)] = (symbol, mark)
        return known[1]

    def _outline(self, ops: Iterable[Op]) -> str:
        """Return where ops put their symbols, not what these show."""
        told = []
        for op in ops:
            if isinstance(op, Use):
                self.shown |= {op.symbol.face} & self._known
                told.append(f"{op.symbol.face or op.symbol.id} {op.matrix!r}")
            elif isinstance(op, Group):
                told.append(f"{self._outline(op.ops)} {op.matrix!r} {op.clip!r} {op.opacity!r}")
            else:
                told.append(repr(op))
        return key_of(*told)
