"""What Hand Solo brings to play: its captains and its checks."""

from __future__ import annotations

from kitwright.play.games.hand_solo_bots import BOTS
from kitwright.play.games.hand_solo_checks import checks
from kitwright.play.games.hand_solo_search import prospect

__all__ = ["BOTS", "TYPICAL", "VALUE", "checks"]

TYPICAL = "planner"  # the infamous captain shows what a gap of the rules is worth
VALUE = prospect
