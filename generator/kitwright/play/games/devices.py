"""What Devices brings to play: a bot that plans one order ahead, and the game's checks."""

from __future__ import annotations

from collections.abc import Mapping

from kitwright.play.bots import Bot
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.games.devices_checks import checks

__all__ = ["BOTS", "checks", "greedy_bot"]

BOTS: Mapping[str, Bot] = {"greedy": greedy_bot}
