"""The solvers by game, as one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kitwright.model.game import Game
from kitwright.play.devices_solve import UnknownOrderError, solve_order
from kitwright.play.segments import solve as solve_segment


class SolverError(ValueError):
    """The question cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on a table: its face, and its top left corner in widths and heights of a card."""

    face: str
    column: float
    row: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver found, as lines to read and as plain data."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]
    cards: tuple[LaidCard, ...] = ()  # what a picture of the answer shows


def solve(game: Game, words: Sequence[str]) -> Answer:
    """Ask the solver of a game."""
    if game.id not in SOLVERS:
        raise SolverError(f"{game.id} has no solver; there is one for {', '.join(SOLVERS)}")
    return SOLVERS[game.id](game, words)


def _hard_wired(game: Game, words: Sequence[str]) -> Answer:
    if len(words) < 4:
        wanted = "a display, a display to reach (or several, with commas), and circuits"
        raise SolverError(f"{len(words)} words given; expected {wanted}")
    current, targets, *circuits = words
    try:
        found = solve_segment(game, current, targets.split(","), circuits)
    except ValueError as error:
        raise SolverError(str(error)) from None
    lines = [f"{current} -> {' -> '.join(s.circuits)} -> {s.display}" for s in found]
    data = [{"circuits": list(s.circuits), "display": s.display} for s in found]
    none = (f"no segment joins {current} to {targets} with these circuits",)
    return Answer(tuple(lines) or none, {"game": game.id, "segments": data})


def _devices(game: Game, words: Sequence[str]) -> Answer:
    if len(words) != 1:
        raise SolverError(f"{len(words)} words given; expected the id of one order")
    try:
        found = solve_order(game, words[0])
    except UnknownOrderError as error:
        raise SolverError(str(error)) from None
    cards = tuple(LaidCard(*card) for card in found.cards)
    return Answer(found.lines, found.data, cards)


SOLVERS: Mapping[str, Callable[[Game, Sequence[str]], Answer]] = {
    "hard-wired": _hard_wired,
    "devices": _devices,
}
