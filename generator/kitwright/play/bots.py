"""Bots that can play any game, and where the bots of single games are found.

A bot is handed a state in which the cards hidden from it have been dealt anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol, TypeVar

from kitwright.engines.api import State
from kitwright.play.games import module_of

M = TypeVar("M")


class Bot(Protocol):
    """Chooses a move for the seat that is to move."""

    def __call__(self, seen: Any, rng: Random) -> Any:
        """Return one of `seen.legal_moves()`."""


class UnknownBotError(ValueError):
    """A bot was named that the game does not have."""

    def __init__(self, wrong: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no bot '{wrong}'; expected one of {', '.join(known)}")
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


def ordinary_bots(game_id: str) -> tuple[str, ...]:
    """List the bots that play a game as people might, the weakest first."""
    return bot_names(game_id)


def typical_bot(game_id: str) -> str:
    """Return the bot that a game is measured with: the strongest that plays as people do."""
    own = getattr(module_of(game_id), "TYPICAL", None)
    return str(own) if own is not None else ordinary_bots(game_id)[-1]


def find_bot(game_id: str, name: str) -> Bot:
    """Return the bot called `name`."""
    bots = bots_of(game_id)
    if name not in bots:
        raise UnknownBotError(name, tuple(bots))
    return bots[name]
