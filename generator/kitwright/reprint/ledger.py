"""The print ledger: what lies in the box, in .kitwright/printed/ of the workspace.

One JSON file a kit, and one small picture a face, named by the face's hash, so that a card can
still be shown when its data is long gone. Files are replaced whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from kitwright.problems import InvalidInputError, MachineError, Place, Problem, RequestError
from kitwright.reprint.stock import Design, Stock
from kitwright.write.locking import locked

FORMAT = 1
PICTURES = "faces"


class NothingPrintedError(RequestError):
    """A kit was never marked as printed: a fault of the command line."""


class Ledger(Struct, frozen=True):
    """A kit as it was when it was marked as printed."""

    kit: str  # the name of its folder in output/: game, variant, skin
    date: str  # 2026-11-18
    paper: str
    sides: str
    version: str  # of Kitwright
    stock: Stock

    @property
    def faces(self) -> tuple[str, ...]:
        """The hashes of all faces in the box."""
        return tuple(dict.fromkeys(mark for design in self.stock for mark in design.faces))


class LedgerFolder(Struct, frozen=True):
    """Where ledgers and their pictures are kept: .kitwright/printed/."""

    root: Path

    def file(self, kit: str) -> Path:
        """Return the file of a kit's ledger."""
        return self.root / f"{kit}.json"

    def picture(self, mark: str) -> Path:
        """Return the file of a face's picture."""
        return self.root / PICTURES / f"{mark}.png"

    def kits(self) -> tuple[str, ...]:
        """Return the names of all kits that have a ledger, sorted."""
        return tuple(sorted(path.stem for path in self.root.glob("*.json")))

    def read(self, kit: str) -> Ledger | None:
        """Read the ledger of a kit; None where there is none, a Problem where it is damaged."""
        path = self.file(kit)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _machine_fault(path, "read", error) from None
        try:
            return _ledger(kit, json.loads(raw.decode("utf-8")))
        except json.JSONDecodeError as error:
            raise self._damaged(path, error.lineno, error.colno) from None
        except (UnicodeDecodeError, _Odd):
            raise self._damaged(path, 1, 1) from None

    def need(self, kit: str) -> Ledger:
        """Read the ledger of a kit that must have one."""
        ledger = self.read(kit)
        if ledger is None:
            raise NothingPrintedError(
                f"{kit} was never marked as printed; "
                f"expected 'kitwright printed' once its kit had been printed"
            )
        return ledger

    def write(self, ledger: Ledger, pictures: Mapping[str, bytes]) -> None:
        """Write pictures and ledger, then drop the pictures that no ledger names any more."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            with locked(self.root / ".lock", self.root.name):
                for mark, data in sorted(pictures.items()):
                    _replace(self.picture(mark), data)
                _replace(self.file(ledger.kit), _text(ledger).encode())
                self._prune()
        except OSError as error:
            raise _machine_fault(self.file(ledger.kit), "written", error) from None

    def _prune(self) -> None:
        try:
            read = [self.read(kit) for kit in self.kits()]
        except InvalidInputError:
            return  # a damaged ledger may still be mended, and then wants its pictures
        kept = {mark for ledger in read if ledger for mark in ledger.faces}
        for path in (self.root / PICTURES).glob("*.png"):
            if path.stem not in kept:
                path.unlink(missing_ok=True)

    def _damaged(self, path: Path, line: int, column: int) -> InvalidInputError:
        home = self.root.parent.parent
        place = Place(path.relative_to(home).as_posix(), line, column)
        text = (
            "the print ledger is damaged; expected what 'kitwright printed' wrote; "
            "put the file back, or delete it and mark the kit as printed again"
        )
        return InvalidInputError([Problem(place, "bad-ledger", text)])


class _Odd(Exception):  # noqa: N818  # never leaves this file
    """Something in a ledger is not what we write."""


def _text(ledger: Ledger) -> str:
    """Write a ledger with one card a line, so that a version control shows what changed."""
    head = {
        "format": FORMAT,
        "kit": ledger.kit,
        "date": ledger.date,
        "paper": ledger.paper,
        "sides": ledger.sides,
        "version": ledger.version,
    }
    lines = [json.dumps(_row(design), ensure_ascii=False) for design in ledger.stock]
    cards = ",\n  ".join(lines)
    start = json.dumps(head, indent=1, ensure_ascii=False).removesuffix("\n}")
    return f'{start},\n "cards": [\n  {cards}\n ]\n}}\n'


def _row(design: Design) -> dict[str, Any]:
    return {
        "deck": design.deck,
        "card": design.card,
        "title": design.title,
        "size": [design.width, design.height],
        "copies": design.copies,
        "fields": design.fields,
    }


def _ledger(kit: str, data: Any) -> Ledger:
    if _get(data, "format", int) != FORMAT or _get(data, "kit", str) != kit:
        raise _Odd
    words = {name: _get(data, name, str) for name in ("date", "paper", "sides", "version")}
    return Ledger(kit, **words, stock=tuple(_design(row) for row in _get(data, "cards", list)))


def _design(row: Any) -> Design:
    size = _get(row, "size", list)
    if len(size) != 2 or not all(isinstance(length, int | float) and length > 0 for length in size):
        raise _Odd
    copies = tuple(_copy(pair) for pair in _get(row, "copies", list))
    deck, card, title = (_get(row, name, str) for name in ("deck", "card", "title"))
    fields = _get(row, "fields", dict)
    return Design(deck, card, title, float(size[0]), float(size[1]), fields, copies)


def _copy(pair: Any) -> tuple[str, str | None]:
    if not isinstance(pair, list) or len(pair) != 2 or not _is_hash(pair[0]):
        raise _Odd
    if pair[1] is not None and not _is_hash(pair[1]):
        raise _Odd
    return pair[0], pair[1]


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and set(value) <= set("0123456789abcdef")


def _get(row: Any, key: str, kind: type[Any]) -> Any:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _Odd
    return value


def _replace(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _machine_fault(path: Path, done: str, error: OSError) -> MachineError:
    why = (error.strerror or "unknown reason").lower()
    return MachineError(f"the print ledger '{path.name}' cannot be {done}: {why}")
