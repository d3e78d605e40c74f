"""Games of Hardware Hustle played as the solver says, by the rules of the engine.

All games stand at the same turn, so the tables of a turn and its research levels are worked out
once for all games that need them. What a game owns above the solver's limits is not looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev, quantiles
from typing import Any

import numpy as np
from msgspec import Struct

from kitwright.engines.hardware_hustle import (
    BUY,
    MAKE,
    RESEARCH,
    SELL,
    Box,
    Done,
    Research,
    Rest,
    State,
    engine,
)
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import ACTIONS
from kitwright.play.games.hardware_hustle_best import Solution
from kitwright.play.games.hardware_hustle_loop import free_widget
from kitwright.play.games.hardware_hustle_turns import Solver, Turn, upgrades
from kitwright.play.games.hardware_hustle_ways import Levels, Whole


class Career(Struct, frozen=True):
    """What came of one solo game."""

    money: tuple[int, ...]  # after each turn
    sold: tuple[int, ...]  # by widget
    levels: tuple[Levels, ...]  # before each turn, and at the end
    lost: int  # turns lost to burnouts; one in the last turn costs nothing


def careers(game: Game, solution: Solution, games: int, seed: int) -> tuple[Career, ...]:
    """Play many solo games by a solution of the whole game."""
    hustle = engine(game)
    solver = Solver(hustle.box, solution.turns, solution.limits)
    solver.values.update(solution.values)
    states = [hustle.new_game(1, Random(f"{seed}:{at}")) for at in range(games)]
    money: list[list[int]] = [[] for _ in states]
    sold = np.zeros((games, len(hustle.box.widgets)), dtype=np.int64)
    lost = [0] * games
    levels_of: list[list[Levels]] = [[state.sheets[0].levels] for state in states]
    for turn in range(solution.turns):
        groups: dict[Levels, list[int]] = defaultdict(list)
        for at, state in enumerate(states):
            if state.sheet.resting:
                states[at], lost[at] = state.apply(Rest()), lost[at] + 1
            else:
                groups[state.sheet.levels].append(at)
        for levels, members in groups.items():
            guide = Guide(solver.turn(turn, levels))
            for at in members:
                states[at], more = guide.play(states[at])
                sold[at] += more
        for at, state in enumerate(states):
            money[at].append(state.sheets[0].money)
            levels_of[at].append(state.sheets[0].levels)
    return tuple(
        Career(tuple(earned), tuple(map(int, row)), tuple(path), turns)
        for earned, row, path, turns in zip(money, sold, levels_of, lost, strict=True)
    )


class Guide:
    """Chooses in one turn at given research levels."""

    def __init__(self, turn: Turn) -> None:
        self.turn, self.ways, self.shelf = turn, turn.ways, turn.shelf
        self.purchases = [
            np.flatnonzero(self.ways.start == start) for start in range(len(self.shelf.parts))
        ]
        self.products = [np.flatnonzero(turn.have == have) for have in range(len(self.ways.haves))]

    def play(self, state: State) -> tuple[State, Whole]:
        """Play the turn; return the state after it, and the widgets sold."""
        sheet = state.sheet
        stock = np.minimum(np.array(sheet.widgets), self.shelf.stock_caps)
        start = int(self.shelf.place(np.array([sheet.parts]))[0])
        money = min(sheet.money, self.turn.money - 1)
        choice, spare = self.purchase(stock, start, money, state.roll)
        kits = self.turn.kits(spare)
        short = np.maximum(kits - np.array(sheet.parts), 0) * self.ways.kit
        state = _done(state, BUY, self.ways.bought[choice] + short)
        product = self.product(stock, choice, spare, state.roll)
        bundle, row = self.turn.bundle[product], self.turn.parts_after[product]
        made, needs = self.ways.made[bundle], self.ways.made[bundle].sum(keepdims=True)
        loops = np.zeros_like(made)
        if self.ways.loop is not None:
            loops[self.ways.loop] = kits - int(needs[0])
        state = _done(state, MAKE, made + loops)
        left = self._left(int(self.ways.buy_cost[choice] + self.turn.make_cost[product]))
        after = int(self.turn.money_after(spare, needs)[0])
        sold = self.sale(stock + made, int(row), left, after, state.roll) + loops
        return self.research(_done(state, SELL, sold)), sold

    def _left(self, cost: int) -> int:
        return max(self.turn.left - 1 - cost, 0)

    def purchase(self, stock: Whole, start: int, money: int, roll: int) -> tuple[int, int]:
        """Return the best purchase, and where the money then stands."""
        ways, at = self.ways, self.purchases[start]
        at = at[(ways.buy_cost[at] <= roll) & (ways.buy_price[at] <= money)]
        spare, more = self.turn.spare(start, money - ways.buy_price[at])
        lefts = np.maximum(self.turn.left - 1 - ways.buy_cost[at], 0) - self.turn.low
        place = int(self.shelf.stock_place(stock[None])[0])
        best = int(np.argmax(self.turn.made[place, ways.have[at], lefts, spare] + more))
        return int(at[best]), int(spare[best])

    def product(self, stock: Whole, choice: int, spare: int, roll: int) -> int:
        """Return the best way to make something of the parts in hand."""
        ways, turn = self.ways, self.turn
        at = self.products[ways.have[choice]]
        at = at[turn.make_cost[at] <= roll]
        made = ways.made[turn.bundle[at]]
        if ways.loop is not None:
            able = made.sum(axis=1) <= turn.kits(spare)
            at, made = at[able], made[able]
        places = turn.stock_places[tuple((stock + made).T)]
        lefts = self._left(int(ways.buy_cost[choice])) - turn.make_cost[at] + turn.die
        money = turn.money_after(spare, made.sum(axis=1))
        return int(at[np.argmax(turn.sold[places, turn.parts_after[at], lefts, money])])

    def sale(self, stock: Whole, row: int, left: int, money: int, roll: int) -> Whole:
        """Return the best widgets to sell."""
        sold, costs, pays = self.ways.sales(stock)
        able = costs <= roll
        places = self.shelf.stock_place(stock - sold[able])
        lefts = left - costs[able] + self.turn.die
        worth = self.turn.pm[places, row, lefts, money + pays[able]]
        return np.asarray(sold[able][np.argmax(worth)])

    def research(self, state: State) -> State:
        """Upgrade what is best upgraded, if the turn ended with a research."""
        if state.is_over() or state.phase != RESEARCH:
            return state
        sheet, turn = state.sheet, self.turn
        stock = int(self.shelf.stock_place(np.array([sheet.widgets]))[0])
        start = int(self.shelf.place(np.array([sheet.parts]))[0])
        values = turn.solver.values
        best, move = self._worth(values[turn.turn + 1, turn.levels], stock, start, sheet.money), -1
        for action, levels in upgrades(turn.solver.box, turn.levels):
            worth = self._worth(values[turn.turn + 1, levels], stock, start, sheet.money)
            if worth > best:
                best, move = worth, action
        return state.apply(Research(ACTIONS[move]) if move >= 0 else Done())

    @staticmethod
    def _worth(table: Any, stock: int, start: int, money: int) -> float:
        return float(table[stock, start, min(money, table.shape[2] - 1)])


def _done(state: State, phase: int, counts: Sequence[int] | Whole) -> State:
    """Play the moves of a phase, and end it."""
    for at, count in enumerate(counts):
        for _ in range(int(count)):
            state = state.apply(state.box.moves[phase][at])
    return state.apply(Done())


def figures(box: Box, played: Sequence[Career]) -> dict[str, Any]:
    """Return what the games show, as plain data."""
    ends = [career.money[-1] for career in played]
    cuts = quantiles(ends, n=10, method="inclusive")
    count = len(played)
    orders = Counter(_order(career) for career in played)
    order, often = orders.most_common(1)[0]
    looped = [_loop_turns(box, career) for career in played]
    return {
        "games": count,
        "mean": round(fmean(ends), 2),
        "sd": round(pstdev(ends), 2),
        "p10": cuts[0],
        "median": cuts[4],
        "p90": cuts[8],
        "most": max(ends),
        "money_by_turn": [
            round(fmean(row), 1) for row in zip(*(c.money for c in played), strict=True)
        ],
        "sold": {
            name: round(sum(career.sold[at] for career in played) / count, 2)
            for at, name in enumerate(box.widgets)
        },
        "upgrades": round(fmean(sum(career.levels[-1]) for career in played), 2),
        "order": list(order),
        "order_share": round(often / count, 3),
        "looped": round(sum(turns > 0 for turns in looped) / count, 3),
        "loop_turns": round(fmean(looped), 2),
        "lost_turns": round(fmean(career.lost for career in played), 4),
        "off_the_graph": round(
            sum(max(career.money) > box.rules.graph.top for career in played) / count, 3
        ),
    }


def _order(career: Career) -> tuple[str, ...]:
    """Return the actions that were upgraded, in order."""
    return tuple(
        ACTIONS[at]
        for before, after in pairwise(career.levels)
        for at in range(len(ACTIONS))
        if after[at] > before[at]
    )


def _loop_turns(box: Box, career: Career) -> int:
    """Count the turns in which a widget was free of all opportunity."""
    return sum(free_widget(box, levels) is not None for levels in career.levels[:-1])
