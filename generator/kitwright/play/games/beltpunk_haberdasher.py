"""What Beltpunk Haberdasher brings to play: its bots and its checks."""

from __future__ import annotations

from collections.abc import Mapping

from kitwright.play.bots import Bot
from kitwright.play.games.beltpunk_haberdasher_bots import greedy_bot, planner_bot
from kitwright.play.games.beltpunk_haberdasher_checks import checks

__all__ = ["BOTS", "checks"]

BOTS: Mapping[str, Bot] = {"greedy": greedy_bot, "planner": planner_bot}
