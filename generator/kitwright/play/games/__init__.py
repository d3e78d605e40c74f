"""What single games bring to play, by game id: their own bots and checks.

A module of this room offers `BOTS`, from a name to a bot, the weakest first, and `checks`, which
yields Checks. `TYPICAL` may name the bot to measure with, `VALUE` how good a moment is for search,
and `BELOW` the bots that others must beat where it is not the one before them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

MODULES: Mapping[str, str] = {
    "hard-wired": "kitwright.play.games.hard_wired",
    "devices": "kitwright.play.games.devices",
    "beltpunk-haberdasher": "kitwright.play.games.beltpunk_haberdasher",
    "hand-solo": "kitwright.play.games.hand_solo",
    "hardware-hustle": "kitwright.play.games.hardware_hustle",
}
# Games for each number of players in which a slow game is measured for print.
FEWER_GAMES: Mapping[str, int] = {"devices": 100, "hand-solo": 300}
# The first words of moves that put what they name to use; in other games every move does.
USES: Mapping[str, tuple[str, ...]] = {
    "hard-wired": ("lay", "finish"),
    "devices": ("place", "fulfil"),
    "beltpunk-haberdasher": ("lay",),
    "hardware-hustle": ("buy", "sell"),
}


def module_of(game_id: str) -> Any:
    """Import what a game brings to play; None when it brings nothing."""
    return import_module(MODULES[game_id]) if game_id in MODULES else None
