"""The strict card models of the games that have an engine, by game id.

A module of this room offers `CARDS` (deck id to model class), `RULES` (a model
class) and `check_game`, which finds what no single card can tell.
It may offer `CUES`, sets of icons that must be told apart without colour, and
`joints`, which yields where the edges of cards meet.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

from pydantic import BaseModel

from kitwright.model.game import Game
from kitwright.problems import Problem

MODULES: Mapping[str, str] = {
    "hard-wired": "kitwright.model.games.hard_wired",
    "devices": "kitwright.model.games.devices",
    "beltpunk-haberdasher": "kitwright.model.games.beltpunk_haberdasher",
    "hand-solo": "kitwright.model.games.hand_solo",
    "hardware-hustle": "kitwright.model.games.hardware_hustle",
}


class GameModels(Protocol):
    """What the module of a game offers."""

    CARDS: Mapping[str, type[BaseModel]]
    RULES: type[BaseModel]

    def check_game(self, game: Game) -> tuple[Problem, ...]:
        """Find cards that do not agree with the rules of a game."""


def models_of(game_id: str) -> GameModels | None:
    """Import the models of a game; None when it has no engine."""
    if game_id not in MODULES:
        return None
    module: GameModels = import_module(MODULES[game_id])
    return module
