"""The solvers by game, as one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kitwright.model.game import Game
from kitwright.play.devices_solve import UnknownOrderError, solve_order
from kitwright.play.games.beltpunk_haberdasher_hands import solve_hand
from kitwright.play.games.hand_solo_market import market_prices
from kitwright.play.games.hardware_hustle_best import ShapeError, best_money, full_limits
from kitwright.play.segments import solve as solve_segment

EXACT_TURNS = 3  # of Hardware Hustle; longer games are solved within limits, so from below


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


def _beltpunk_haberdasher(game: Game, words: Sequence[str]) -> Answer:
    try:
        found = solve_hand(game, words)
    except ValueError as error:
        raise SolverError(str(error)) from None
    lines = [f"{one.points:>3}  {one.title}: {' '.join(one.cards)}" for one in found.sets]
    scrap = [f"{-found.lost:>3}  scrap: {' '.join(found.scrap)}"] if found.scrap else []
    data = {
        "game": game.id,
        "points": found.points,
        "sets": [
            {"kind": one.kind, "points": one.points, "cards": list(one.cards)} for one in found.sets
        ],
        "scrap": list(found.scrap),
    }
    return Answer((*lines, *scrap, f"{found.points:>3}  in all"), data)


def _hand_solo(game: Game, words: Sequence[str]) -> Answer:
    try:
        found = market_prices(game, words)
    except ValueError as error:
        raise SolverError(str(error)) from None
    lines = [f"{good} {price}" for good, price in found.items()]
    return Answer(tuple(lines), {"game": game.id, "prices": found})


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


SOLVERS: Mapping[str, Callable[[Game, Sequence[str]], Answer]] = {
    "hard-wired": _hard_wired,
    "devices": _devices,
    "beltpunk-haberdasher": _beltpunk_haberdasher,
    "hand-solo": _hand_solo,
    "hardware-hustle": _hardware_hustle,
}
