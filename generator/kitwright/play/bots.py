"""Bots that can play any game, and where the bots of single games are found.

A bot is handed a state in which the cards hidden from it have been dealt anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from kitwright.engines.api import State
from kitwright.play.games import module_of
from kitwright.play.search import Effort, SearchBot, outcome
from kitwright.problems import did_you_mean

M = TypeVar("M")
SEARCH = "search"
MOST_AHEAD = 100_000
EFFORTS: Mapping[str, Effort] = {  # by game, where the usual effort does not suit
    # Of 60 games with the greedy bot 40 were won without a tree and 33 with one of three moves:
    # no clear difference, so the cheaper way stays.
    "hard-wired": Effort(150, depth=1),
    # No tree was tried here: a game takes long to measure.
    "devices": Effort(24, turns=12, depth=1, only=("accept", "buy")),
    # Of 60 games with the planner 39 were won without a tree; with one, and a turn less, 33.
    "beltpunk-haberdasher": Effort(32, turns=13, depth=1, doubt=1.5),
    # A career has hundreds of small choices, so many chances to be wrong by luck.
    "hand-solo": Effort(48, turns=6, base="infamous", doubt=3.0),
    "hardware-hustle": Effort(24),
}


class Bot(Protocol):
    """Chooses a move for the seat that is to move."""

    def __call__(self, seen: Any, rng: Random) -> Any:
        """Return one of `seen.legal_moves()`."""


class UnknownBotError(ValueError):
    """A bot was named that the game does not have."""

    def __init__(self, wrong: str, known: tuple[str, ...]) -> None:
        expected = f"one of {', '.join(known)}{did_you_mean(wrong, known)}"
        if wrong.startswith(f"{SEARCH}-"):
            expected = f"{SEARCH}, or {SEARCH}-1 to {SEARCH}-{MOST_AHEAD}"
        super().__init__(f"there is no bot '{wrong}'; expected {expected}")
        self.wrong = wrong
        self.known = known


def random_bot(seen: State[M], rng: Random) -> M:
    """Choose any legal move."""
    moves = seen.legal_moves()
    return moves[int(rng.random() * len(moves))]


def bots_of(game_id: str) -> Mapping[str, Bot]:
    """Return the bots that can play a game, by name, the weakest first."""
    module = module_of(game_id)
    return {"random": random_bot, **(module.BOTS if module is not None else {})}


def bot_names(game_id: str) -> tuple[str, ...]:
    """List the bots that can play a game, the weakest first."""
    return tuple(bots_of(game_id))


def typical_bot(game_id: str) -> str:
    """Return the bot that a game is measured with: the strongest that plays as people do."""
    own = getattr(module_of(game_id), "TYPICAL", None)
    return str(own) if own is not None else bot_names(game_id)[-1]


def rungs(game_id: str) -> tuple[tuple[str, str], ...]:
    """Return each bot of a game with the one that it must beat: the one before it, unless told."""
    names, told = bot_names(game_id), getattr(module_of(game_id), "BELOW", {})
    return tuple((bot, told.get(bot, before)) for before, bot in pairwise(names))


def find_bot(game_id: str, name: str) -> Bot:
    """Return the bot called `name`; `search-200` searches with 200 games a move."""
    bots = bots_of(game_id)
    if name in bots:
        return bots[name]
    kind, dash, games = name.partition("-")
    if kind != SEARCH or (dash and not (games.isdecimal() and 0 < int(games) <= MOST_AHEAD)):
        raise UnknownBotError(name, (*bots, SEARCH))
    return search_bot(game_id, int(games) if games else None)


def search_bot(game_id: str, games: int | None = None) -> Bot:
    """Return the bot that looks ahead, with the effort that suits the game."""
    effort = EFFORTS.get(game_id, Effort())
    if games is not None:
        effort = replace(effort, games=games)
    base = bots_of(game_id)[effort.base or typical_bot(game_id)]
    value = getattr(module_of(game_id), "VALUE", None)
    return SearchBot(base, effort, value or outcome)
