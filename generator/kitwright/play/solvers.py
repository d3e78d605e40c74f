"""The solvers by game, as one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kitwright.model.game import Game
from kitwright.play.games.hand_solo_market import market_prices
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


def _hand_solo(game: Game, words: Sequence[str]) -> Answer:
    try:
        found = market_prices(game, words)
    except ValueError as error:
        raise SolverError(str(error)) from None
    lines = [f"{good} {price}" for good, price in found.items()]
    return Answer(tuple(lines), {"game": game.id, "prices": found})


SOLVERS: Mapping[str, Callable[[Game, Sequence[str]], Answer]] = {
    "hand-solo": _hand_solo,
    "hard-wired": _hard_wired,
}
