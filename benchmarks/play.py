"""How fast the play side is: positions solved, games of every bot, and where the time goes.

Run as `python benchmarks/play.py`; figures are printed beside what is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from kitwright.engines import MODULES, engine_of
from kitwright.engines.hard_wired import HardWiredEngine
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.bots import SEARCH, bot_names, find_bot
from kitwright.play.segments import cheapest
from kitwright.play.simulate import Series, play_game

ROOT = Path(__file__).parent.parent
POSITIONS = 40_000
LEAST_POSITIONS = 50_000  # a second a core
SECONDS = 2.0  # that a rate is measured for
LONGER = 6.0  # for two workers, whose start must not count
LEAST_SCALING = 1.7
# The bot, the players, and the games a second on two cores that are asked for.
GOALS: Mapping[str, tuple[str, int, float]] = {
    "hard-wired": ("greedy", 4, 150),
    "beltpunk-haberdasher": ("greedy", 4, 150),
    "devices": ("greedy", 4, 5),
    "hardware-hustle": ("greedy", 1, 2000),
    "hand-solo": ("trader", 1, 100),
}

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


def rate_of(series: Series, workers: int, seconds: float) -> float:
    """Return the games a second of a series, once warm, in about so many seconds."""
    count, took = workers, 0.0
    while True:
        start = perf_counter()
        series.play(range(count), workers)
        took = perf_counter() - start
        if took > seconds / 4:
            break
        count *= 2 if took > seconds / 20 else 5
    count = max(count, int(count * seconds / took))
    start = perf_counter()
    series.play(range(count), workers)
    return count / (perf_counter() - start)


def shares(game: Game, bot: str, players: int, games: int) -> tuple[float, float, float]:
    """Return how a core's time is shared: by the engine, by the bots, by the bookkeeping."""
    engine = engine_of(game)
    assert engine is not None
    chosen = find_bot(game.id, bot)
    series = Series(game, players, (bot,), 1)
    series.play(range(games), 1)  # what bots remember of one game helps them in the next
    start = process_time()
    series.play(range(games), 1)
    whole = process_time() - start
    moves: list[list[object]] = []
    start = process_time()
    for index in range(games):
        made: list[object] = []
        moves.append(made)

        def note(_: object, move: object, made: list[object] = made) -> None:
            made.append(move)

        play_game(engine, [chosen] * players, f"1:{index}", note)
    bare = min(process_time() - start, whole)
    start = process_time()
    for index, made in enumerate(moves):
        deal, thought = Random(f"1:{index}"), Random(f"1:{index}:bots")
        state = engine.new_game(players, deal)
        for move in made:
            state.is_over()
            state.as_seen_by(state.to_move, thought)
            state = state.apply(move)
    rules = min(process_time() - start, bare)
    return rules / whole, (bare - rules) / whole, (whole - bare) / whole


def game_lines(game: Game) -> Iterator[str]:
    """Measure the bots of one game, its goal, and where its time goes."""
    goal_bot, players, goal = GOALS[game.id]
    for bot in (*bot_names(game.id), SEARCH):
        rate = rate_of(Series(game, players, (bot,), 1), 1, SECONDS)
        unit = f"{rate:,.1f} games a second" if rate >= 1 else f"{1 / rate:,.1f} seconds a game"
        yield f"{game.id} {bot}, {players} players, 1 core: {unit}"
    series = Series(game, players, (goal_bot,), 1)
    alone, both = (rate_of(series, workers, LONGER) for workers in (1, 2))
    yield (
        f"{game.id} {goal_bot}, {players} players, 2 cores: {both:,.1f} games a second, "
        f"{both / goal:.2f}x of {goal:,.0f}; {both / alone:.2f}x of one core, want {LEAST_SCALING}x"
    )
    rules, bots, rest = shares(game, goal_bot, players, max(3, int(alone)))
    yield (
        f"{game.id} {goal_bot}: {rules:.0%} of the time is engine, {bots:.0%} bots, "
        f"{rest:.0%} bookkeeping"
    )


def lines() -> Iterator[str]:
    """Measure everything, a line for each figure."""
    solved = solver_rate(load_game(ROOT, "hard-wired"))
    yield (
        f"hard-wired solver: {solved:,.0f} positions a second a core, "
        f"{solved / LEAST_POSITIONS:.1f}x of {LEAST_POSITIONS:,}"
    )
    for name in sorted(MODULES):
        yield from game_lines(load_game(ROOT, name))


def main() -> None:
    """Print every figure as soon as it is measured."""
    for line in lines():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
