"""The solvers by game, as one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kitwright.model.game import Game
from kitwright.play.games.hardware_hustle_best import ShapeError, best_money, full_limits
from kitwright.play.segments import solve as solve_segment


class SolverError(ValueError):
    """The question cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver found, as lines to read and as plain data."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]


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


def _hardware_hustle(game: Game, words: Sequence[str]) -> Answer:
    """Find the best mean money of a solo game, or of its first turns."""
    most = len(game.rules["opportunity"])
    turns = words[0] if words else str(most)
    if len(words) > 1 or not turns.isdecimal() or not 1 <= int(turns) <= most:
        raise SolverError(f"'{' '.join(words)}' given; expected a number of turns, 1 to {most}")
    limits = full_limits(game) if int(turns) > EXACT_TURNS else None
    try:
        best = round(best_money(game, int(turns), limits), 4)
    except ShapeError as error:
        raise SolverError(str(error)) from None
    known = "exactly" if limits is None else "at least; the best play may earn a little more"
    line = f"best mean money after {turns} of {most} turns: {best} ({known})"
    data = {"game": game.id, "turns": int(turns), "best": best, "exact": limits is None}
    return Answer((line,), data)


EXACT_TURNS = 3  # a longer game has too many states to be solved without limits

SOLVERS: Mapping[str, Callable[[Game, Sequence[str]], Answer]] = {
    "hard-wired": _hard_wired,
    "hardware-hustle": _hardware_hustle,
}
