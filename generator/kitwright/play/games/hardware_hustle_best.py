"""The best expected money at Hardware Hustle: backward expectimax over the states of a solo game.

The value of a state at AM is kept in a table by turn and research levels, with axes for the
widgets in stock, the parts in hand and the money. From the last turn to the first, a turn is taken
back phase by phase (hardware_hustle_turns): what PM is worth, then the mean over the roll of Sell
of the best sale, then the same for Make and for Buy. Which choices are looked at is in
hardware_hustle_ways, with what is proved about them and what is measured. Values are
kept to seven digits, so a result is good to about 0.001.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from kitwright.engines.hardware_hustle import Box
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import rules_of
from kitwright.play.games.hardware_hustle_turns import Solver, Values, reached
from kitwright.play.games.hardware_hustle_ways import Levels, Limits

Progress = Callable[[int, int], None]


class Solution(Struct, frozen=True):
    """What the states of a game are worth, by turn and levels."""

    turns: int
    limits: Limits
    values: Mapping[tuple[int, Levels], Values]
    money: int  # at the start

    @property
    def best(self) -> float:
        """The best mean money of the whole game."""
        return float(self.values[0, (0, 0, 0)][0, 0, self.money])


def best_money(game: Game, turns: int, limits: Limits | None = None) -> float:
    """Return the best mean money of a solo game that ends after its first `turns` turns."""
    return solved(game, turns, limits).best


def solved(
    game: Game,
    turns: int,
    limits: Limits | None = None,
    faces: Sequence[int] = (),
    progress: Progress | None = None,
) -> Solution:
    """Solve a solo game of its first `turns` turns; `faces` are those of another die."""
    box = Box(rules_of(game))
    solver = Solver(box, turns, limits or Limits(), tuple(faces))
    steps = [(turn, at) for turn in reversed(range(turns)) for at in reached(box, turn)]
    for done, (turn, levels) in enumerate(steps, 1):
        solver.values[turn, levels] = solver.turn(turn, levels).bought()
        if progress is not None:
            progress(done, len(steps))
    return Solution(turns, solver.limits, solver.values, box.rules.money)
