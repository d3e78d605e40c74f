"""The solvers by game, as one question and one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright.model.game import Game
from kitwright.model.record import Record, freeze
from kitwright.play.devices_solve import UnknownOrderError, solve_order
from kitwright.play.games.beltpunk_haberdasher_hands import solve_hand
from kitwright.play.games.hand_solo_market import market_prices
from kitwright.play.games.hardware_hustle_answer import (
    Memory,
    Progress,
    best_play,
    in_words,
    solution_key,
)
from kitwright.play.segments import UnknownCardError
from kitwright.play.segments import solve as solve_segment
from kitwright.problems import did_you_mean

HUSTLE = "hardware-hustle"  # its solver is slow, so its answer is remembered


class SolverError(ValueError):
    """The question cannot be asked; the message says why."""


class LaidCard(Struct, frozen=True):
    """A card on a table: its face, and its top left corner in widths and heights of a card."""

    face: str
    column: float
    row: float


class Answer(Struct, frozen=True):
    """What a solver found, as lines to read and as plain data."""

    lines: tuple[str, ...]
    data: Mapping[str, Any]
    cards: tuple[LaidCard, ...] = ()  # what a picture of the answer shows


def solve(
    game: Game,
    words: Sequence[str],
    memory: Memory | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Ask the solver of a game; one that is slow looks into the memory first."""
    if game.id == HUSTLE:
        return _hardware_hustle(game, words, memory, progress)
    if game.id not in SOLVERS:
        known = ", ".join((*SOLVERS, HUSTLE))
        raise SolverError(f"{game.id} has no solver; there is one for {known}")
    return SOLVERS[game.id](game, words)


def _hard_wired(game: Game, words: Sequence[str]) -> Answer:
    if len(words) < 4:
        wanted = "a display, a display to reach (or several, with commas), and two circuits or more"
        raise SolverError(f"{len(words)} words given; expected {wanted}")
    current, targets, *circuits = words
    try:
        found = solve_segment(game, current, targets.split(","), circuits)
    except UnknownCardError as error:
        raise SolverError(f"{error}{did_you_mean(error.wrong, error.known)}") from None
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


def _hardware_hustle(
    game: Game, words: Sequence[str], memory: Memory | None, progress: Progress | None
) -> Answer:
    """Find the best mean money of a solo game, or of its first turns."""
    from kitwright.play.games.hardware_hustle_best import best_money
    from kitwright.play.games.hardware_hustle_ways import ShapeError

    most = len(game.rules["opportunity"])
    turns = words[0] if words else str(most)
    if len(words) > 1 or not turns.isdecimal() or not 1 <= int(turns) <= most:
        raise SolverError(f"'{' '.join(words)}' given; expected a number of turns, 1 to {most}")
    data = {"game": game.id, "turns": int(turns)}
    try:
        if int(turns) == most:
            found = best_play(game, memory, progress)
            return Answer(tuple(in_words(game, found)), {**data, **found})
        best = round(best_money(game, int(turns)), 4)
    except ShapeError as error:
        raise SolverError(str(error)) from None
    line = f"best mean money after {turns} of {most} turns: {best}"
    return Answer((line,), {**data, "best": best})


def remembered(game: Game, memory: Memory) -> Game:
    """Return a game that knows as `solved` what its solver has found before, if it has."""
    known = memory.recall(solution_key(game)) if game.id == HUSTLE else None
    if known is None:
        return game
    facts: Record = freeze({**game.facts, "solved": known})
    return replace(game, facts=facts)


SOLVERS: Mapping[str, Callable[[Game, Sequence[str]], Answer]] = {
    "hard-wired": _hard_wired,
    "devices": _devices,
    "beltpunk-haberdasher": _beltpunk_haberdasher,
    "hand-solo": _hand_solo,
}
