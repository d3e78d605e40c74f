"""Rules engines, one module a game: pure, and they know only the model.

The table below is the one place that a new engine is entered in.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from kitwright.engines.api import Engine
from kitwright.model.game import Game

MODULES: Mapping[str, str] = {
    "hard-wired": "kitwright.engines.hard_wired",
    "devices": "kitwright.engines.devices",
}


def engine_of(game: Game) -> Engine[Any] | None:
    """Return the engine of a game, ready to deal; None when the game has none."""
    if game.id not in MODULES:
        return None
    engine: Engine[Any] = import_module(MODULES[game.id]).engine(game)
    return engine
