"""How fast the play side is: positions solved a second a core, games simulated a second.

Run as `python benchmarks/play.py`; figures are printed beside what is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

from kitwright.engines.hard_wired import HardWiredEngine
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.segments import cheapest
from kitwright.play.simulate import simulate

ROOT = Path(__file__).parent.parent
POSITIONS = 40_000
GAMES = 1_500
LEAST_POSITIONS = 50_000  # a second a core
LEAST_GAMES = 150  # of four greedy players, a second on two cores

Position = tuple[int, int, list[int], list[int]]


def positions(engine: HardWiredEngine, count: int) -> list[Position]:
    """Deal first turns: a value, the displays on the table, hand and public circuits."""
    rng = Random(1)
    dealt = []
    for _ in range(count):
        state = engine.new_game(2, rng)
        dealt.append(
            (state.value, state.targets, list(state.hands[0]), list(state.public_circuits))
        )
    return dealt


def solver_rate(game: Game) -> float:
    """Return the positions that one core solves in a second."""
    engine = HardWiredEngine(game)
    dealt = positions(engine, POSITIONS)
    start = perf_counter()
    for value, targets, hand, public in dealt:
        cheapest(engine.box.wiring, value, targets, hand, public)
    return POSITIONS / (perf_counter() - start)


def game_rate(game: Game, workers: int, bot: str) -> float:
    """Return the four-player games that so many workers simulate in a second, once warm."""
    simulate(game, 4, [bot], 100, 1, workers)
    rate: float = simulate(game, 4, [bot], GAMES, 2, workers)["run"]["games_per_second"]
    return rate


def lines() -> Iterator[str]:
    """Measure everything, a line for each figure."""
    game = load_game(ROOT, "hard-wired")
    solved = solver_rate(game)
    yield (
        f"hard-wired solver: {solved:,.0f} positions a second a core, "
        f"{solved / LEAST_POSITIONS:.1f}x of {LEAST_POSITIONS:,}"
    )
    alone = game_rate(game, 1, "greedy")
    yield f"hard-wired greedy, 4 players, 1 worker: {alone:,.0f} games a second"
    both = game_rate(game, 2, "greedy")
    yield (
        f"hard-wired greedy, 4 players, 2 workers: {both:,.0f} games a second, "
        f"{both / LEAST_GAMES:.1f}x of {LEAST_GAMES}; {both / alone:.2f}x of one worker"
    )
    chance = game_rate(game, 1, "random")
    yield f"hard-wired random, 4 players, 1 worker: {chance:,.0f} games a second"


def main() -> None:
    """Print every figure as soon as it is measured."""
    for line in lines():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
