"""What Hardware Hustle brings to play: its bots and its checks."""

from __future__ import annotations

from collections.abc import Mapping

from kitwright.play.bots import Bot
from kitwright.play.games.hardware_hustle_bots import careful_bot, greedy_bot, planner_bot
from kitwright.play.games.hardware_hustle_checks import checks

__all__ = ["BELOW", "BOTS", "checks"]

BOTS: Mapping[str, Bot] = {"greedy": greedy_bot, "careful": careful_bot, "planner": planner_bot}
# To be careful is another way to play than to be greedy, and earns no more.
BELOW: Mapping[str, str] = {"careful": "random", "planner": "greedy"}
