"""Rules engines, one module a game: pure, and they know only the model.

The table below is the one place that a new engine is entered in.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from kitwright.engines.api import Engine
from kitwright.model.game import Game
from kitwright.model.record import Record, freeze

MODULES: Mapping[str, str] = {
    "hard-wired": "kitwright.engines.hard_wired",
    "hardware-hustle": "kitwright.engines.hardware_hustle",
}
# Engines that work something out for their layouts; each module offers `facts(game)`.
FACTS: Mapping[str, str] = {"hardware-hustle": "kitwright.engines.hardware_hustle_facts"}


def engine_of(game: Game) -> Engine[Any] | None:
    """Return the engine of a game, ready to deal; None when the game has none."""
    if game.id not in MODULES:
        return None
    engine: Engine[Any] = import_module(MODULES[game.id]).engine(game)
    return engine


def facts_of(game: Game) -> Record:
    """Return what the engine of a game works out for its layouts to show, as `game.facts`."""
    if game.id not in FACTS:
        return Record()
    facts: Record = freeze(import_module(FACTS[game.id]).facts(game))
    return facts
