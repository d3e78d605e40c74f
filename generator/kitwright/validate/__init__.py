"""Whole-model checks that yield Problems; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kitwright.model.game import Game
from kitwright.model.layouts import Layout
from kitwright.model.svg import Svg
from kitwright.model.theme import Theme
from kitwright.problems import Problem


def validate(
    game: Game, theme: Theme, layouts: Callable[[str], Layout | None], icons: Mapping[str, Svg]
) -> list[Problem]:
    """Check what the parts of a game say of each other."""
    return []
