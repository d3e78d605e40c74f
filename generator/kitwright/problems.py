"""What can be wrong with the user's files or machine, where, and how it is said.

Imports nothing of ours. A fault is a value; stages collect them and raise once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

MOST_SHOWN = 50


class Place(Struct, frozen=True, order=True):
    """A spot in a file; lines and columns count from 1, as editors do."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Problem(Struct, frozen=True, order=True):
    """One fault or, with `warning`, one thing to look at; problems sort by place."""

    place: Place
    code: str
    message: str
    warning: bool = False

    def __str__(self) -> str:
        level = "warning: " if self.warning else ""
        return f"{self.place}: {level}{self.message} [{self.code}]"


class InvalidInputError(Exception):
    """Raised once, at the end of a stage, with every problem that stage found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.problems,)


class MachineError(Exception):
    """The machine is at fault: disk, permission, another build. The command exits with 3."""


class RequestError(ValueError):
    """The command asks for what is not there: its words are at fault. The command exits with 2."""


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest known word, or nothing."""
    near = get_close_matches(wrong, sorted(known), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def measured_hint(holder: str) -> str:
    """Return how a figure is measured, for a look-up such as `figures.length` that fails."""
    if holder.partition(".")[0] != "figures":
        return ""
    return "; 'kitwright balance GAME --write' measures the figures"


def describe(value: Any) -> str:
    """Name a value in a designer's words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text '{value if len(value) <= 30 else value[:29] + '…'}'"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list"
