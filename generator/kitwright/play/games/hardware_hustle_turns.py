"""One turn of Hardware Hustle, taken back from PM to AM: what its states are worth, as tables.

Opportunity that is left is counted from 0 for a burnout, so n + 1 stands for n. In front of
that axis stand copies of the burnout, one for each face of the die, so that spending is a
shift of the axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from kitwright.engines.hardware_hustle import Box
from kitwright.play.games.hardware_hustle_ways import Levels, Limits, ShapeError, Shelf, Ways, Whole

Values = NDArray[np.float32]
ACTIONS = 3
USUAL_START, MOST_START = 10, 40  # money; the limits are for the first


def reached(box: Box, turn: int) -> Iterator[Levels]:
    """List the research levels that can be reached before a turn, counted from 0."""
    for buy, make, sell in product(range(box.levels), repeat=ACTIONS):
        if buy + make + sell <= turn:
            yield buy, make, sell


def upgrades(box: Box, levels: Levels) -> Iterator[tuple[int, Levels]]:
    """List the actions that can be upgraded, with the levels that follow."""
    for action, level in enumerate(levels):
        if level < box.levels - 1:
            buy, make, sell = (at + (n == action) for n, at in enumerate(levels))
            yield action, (buy, make, sell)


def money_limits(start: int, limits: Limits) -> tuple[int, ...]:
    """Return the most money at AM from turn 2 on: more for those who begin with more."""
    if start > MOST_START:
        raise ShapeError(f"the solver knows games that begin with up to {MOST_START} money")
    return tuple(-(-limit * max(start, USUAL_START) // USUAL_START) for limit in limits.money)


class Solver:
    """What all turns share: the box, the limits, the die and the values found so far."""

    def __init__(self, box: Box, turns: int, limits: Limits, faces: tuple[int, ...] = ()) -> None:
        self.box, self.turns, self.limits = box, turns, limits
        self.shelf = Shelf(box, limits)
        self.faces = tuple(sorted(faces)) or tuple(range(1, box.rules.die + 1))
        self.values: dict[tuple[int, Levels], Values] = {}
        self.money = (box.rules.money, *money_limits(box.rules.money, limits))
        self._ways: dict[tuple[Levels, bool], Ways] = {}

    def ways(self, levels: Levels, last: bool) -> Ways:
        """Return the choices at these levels."""
        if (levels, last) not in self._ways:
            made = Ways(self.box, self.shelf, levels, last, max(self.money))
            self._ways[levels, last] = made
        return self._ways[levels, last]

    def padded(self, turn: int, levels: Levels, width: int) -> Values:
        """Return the values at AM for money below `width`; money above the limit is thrown away."""
        if turn >= self.turns:
            shape = (len(self.shelf.stocks), len(self.shelf.parts), width)
            return np.broadcast_to(np.arange(width, dtype=np.float32), shape)
        known = self.values[turn, levels]
        missing = width - known.shape[2]
        if missing <= 0:
            return known[:, :, :width]
        return np.concatenate([known, np.repeat(known[:, :, -1:], missing, axis=2)], axis=2)

    def mean_of_best(
        self, costs: Whole, shape: tuple[int, ...], improve: Callable[[slice, Values], None]
    ) -> Values:
        """Return the mean over the rolls of the best choice, whose choices come sorted by cost.

        `improve` raises a table of this shape to what the choices of one cost are worth.
        """
        table, at = np.full(shape, -1, dtype=np.float32), 0
        total = np.zeros_like(table)
        for face in self.faces:
            while at < len(costs) and costs[at] <= face:
                end = int(np.searchsorted(costs, costs[at], side="right"))
                improve(slice(at, end), table)
                at = end
            total += table
        total /= np.float32(len(self.faces))
        return total

    def turn(self, turn: int, levels: Levels) -> Turn:
        """Return a turn, with the values of the turns after it known."""
        kind = Turn if self.ways(levels, turn == self.turns - 1).loop is None else LoopTurn
        return kind(self, turn, levels)


class Turn:
    """One turn at given research levels; its tables are by stock, parts, opportunity, money."""

    def __init__(self, solver: Solver, turn: int, levels: Levels) -> None:
        self.solver, self.turn, self.levels = solver, turn, levels
        self.shelf, self.die = solver.shelf, solver.box.rules.die
        self.last = turn == solver.turns - 1
        self.ways = solver.ways(levels, self.last)
        self.money = solver.money[turn] + 1
        # Opportunity counts for nothing in the last turn, and beyond four rolls.
        today = min(solver.box.rules.opportunity[turn], 4 * self.die)
        self.left = 1 if self.last else today + 2
        self.low = max(0, self.left - 1 - self.die)  # the least that Buy can leave
        self.have, self.bundle = self.ways.products()
        self.make_cost = self.ways.make_cost[self.bundle]
        self.rows = self._rows()
        self.parts_after = self._parts_after()
        self.sold: Values  # what the states before Sell are worth
        self.pm: Values  # and those at PM
        self.stock_places: Whole  # where the stocks before Sell stand in their table
        self.made = self._made()  # what the states before Make are worth

    def _rows(self) -> Whole:
        """Return the places of the parts that can be left after Make."""
        return np.arange(len(self.shelf.parts))

    def _parts_after(self) -> Whole:
        """Return the row of the parts that are left by each way to make something."""
        left = (self.ways.haves[self.have] - self.ways.used[self.bundle]) * ~self.ways.kit
        row_of = np.full(len(self.shelf.parts), -1)
        row_of[self.rows] = np.arange(len(self.rows))
        return row_of[self.shelf.place(left)]

    def _evening(self, width: int) -> Values:
        """Return what PM is worth."""
        solver, die, rows = self.solver, self.die, self.rows
        shape = (len(self.shelf.stocks), len(rows), die + self.left, width)
        if self.last:
            return np.broadcast_to(np.arange(width, dtype=np.float32), shape)
        plain = solver.padded(self.turn + 1, self.levels, width)[:, rows]
        better = plain
        for _, levels in upgrades(solver.box, self.levels):
            better = np.maximum(better, solver.padded(self.turn + 1, levels, width)[:, rows])
        found = np.empty(shape, dtype=np.float32)
        found[:, :, : die + 1] = solver.padded(self.turn + 2, self.levels, width)[:, rows, None]
        for left in range(self.left - 1):
            luck = sum(face <= left for face in solver.faces) / len(solver.faces)
            found[:, :, die + 1 + left] = plain + np.float32(luck) * (better - plain)
        return found

    def _sell(self, width: int) -> None:
        """Work out what the states before Sell are worth."""
        ways, shelf, die = self.ways, self.shelf, self.die
        sides = shelf.stock_caps + ways.most + 1
        every = (shelf.stocks[:, None] + ways.made[None]).reshape(-1, len(sides))
        stocks = np.unique(every, axis=0)
        sales = [ways.sales(stock) for stock in stocks]
        most = max(int(pays.max()) for _, _, pays in sales)
        self.pm = after = self._evening(width + most)
        shape = (len(self.rows), self.left, width)
        found = np.empty((len(stocks), shape[0], die + self.left, width), dtype=np.float32)
        for at, (stock, (sold, costs, pays)) in enumerate(zip(stocks, sales, strict=True)):
            places = shelf.stock_place(stock - sold)

            def improve(
                some: slice,
                table: Values,
                costs: Whole = costs,
                to: Whole = places,
                pays: Whole = pays,
            ) -> None:
                first = die - int(costs[some.start])
                for pay, place in zip(pays[some], to[some], strict=True):
                    view = after[place, :, first : first + self.left, pay : pay + width]
                    np.maximum(table, view, out=table)

            found[at, :, die:] = self.solver.mean_of_best(costs, shape, improve)
            found[at, :, :die] = found[at, :, die : die + 1]
        self.sold = found
        self.stock_places = np.full(tuple(sides), -1)
        self.stock_places[tuple(stocks.T)] = np.arange(len(stocks))

    def _made(self) -> Values:
        width = 1 if self.last else self.money  # at the end money is only added
        self._sell(width)
        ways, have, span = self.ways, self.have, self.die + self.left
        lefts = np.arange(self.low, self.left) + self.die
        lines = self.sold.reshape(-1, width)
        shape = (len(ways.haves), len(lefts), width)
        found = np.empty((len(self.shelf.stocks), *shape), dtype=np.float32)
        for at, stock in enumerate(self.shelf.stocks):
            stocks = self.stock_places[tuple((stock + ways.made).T)][self.bundle]
            firsts = (stocks * len(self.rows) + self.parts_after) * span

            def improve(some: slice, table: Values, firsts: Whole = firsts) -> None:
                owners = have[some]
                block = lines[firsts[some, None] + (lefts - self.make_cost[some.start])]
                starts = np.flatnonzero(np.diff(owners, prepend=-1))
                best = np.maximum.reduceat(block, starts, axis=0)
                table[owners[starts]] = np.maximum(table[owners[starts]], best)

            found[at] = self.solver.mean_of_best(self.make_cost, shape, improve)
        return found

    def left_after(self, cost: int) -> int:
        """Return where the opportunity stands that Buy leaves."""
        return max(self.left - 1 - cost, 0) - self.low

    def bought(self) -> Values:
        """Return what the states at AM are worth: by stock, parts, money."""
        ways, money = self.ways, self.money
        after = self.made
        if self.last:
            after = np.add(after, np.arange(money), dtype=np.float32)
        groups = np.unique(ways.bought, axis=0, return_inverse=True)[1].ravel()

        def improve(some: slice, table: Values) -> None:
            left, group = self.left_after(int(ways.buy_cost[some.start])), groups[some]
            for one in np.unique(group):
                chosen = np.flatnonzero(group == one) + some.start
                start, have = ways.start[chosen], ways.have[chosen]
                price = int(ways.buy_price[chosen[0]])
                if price < money:
                    new = after[:, have, left, : money - price]
                    table[:, start, price:] = np.maximum(table[:, start, price:], new)

        shape = (len(self.shelf.stocks), len(self.shelf.parts), money)
        return self.solver.mean_of_best(ways.buy_cost, shape, improve)

    def spare(self, start: int, money: Whole) -> tuple[Whole, Whole]:
        """Return where money stands in the table before Make, and what is to be added there."""
        return (np.zeros_like(money), money) if self.last else (money, np.zeros_like(money))

    def kits(self, spare: int) -> int:
        """Return how many kits of the loop are bought."""
        return 0

    def money_after(self, spare: int, needs: Whole) -> Whole:
        """Return the money when widgets have been made that take `needs` kits of the loop."""
        return np.full_like(needs, spare)


class LoopTurn(Turn):
    """A turn in which one widget, the loop, takes no opportunity: all spare money goes into it.

    Money is counted as if the kits of the loop were not bought yet: what is in hand of
    its parts is worth the kits that it helps to complete.
    """

    def _rows(self) -> Whole:
        """Return the places without parts of the loop: all become widgets, and are sold."""
        return np.flatnonzero(~(self.shelf.parts * self.ways.kit).any(axis=1))

    def _made(self) -> Values:
        ways, shelf = self.ways, self.shelf
        assert ways.loop is not None
        self.kit, self.pay = int(ways.kit @ ways.prices), int(ways.pays[ways.loop])
        held = np.unique(shelf.parts * ways.kit, axis=0)
        self.wealth = {tuple(row): self._wealth(row) for row in held}
        width = max(int(row.max()) for row in self.wealth.values()) + 1
        self._sell(width // self.kit * self.pay + self.kit)
        needs = ways.made.sum(axis=1)[self.bundle]  # each other widget takes a kit's parts
        lefts = np.arange(self.low, self.left) + self.die
        shape = (len(ways.haves), len(lefts), width)
        found = np.empty((len(shelf.stocks), *shape), dtype=np.float32)
        spare = np.arange(width)
        for at, stock in enumerate(shelf.stocks):
            stocks = self.stock_places[tuple((stock + ways.made).T)][self.bundle]

            def improve(some: slice, table: Values, stocks: Whole = stocks) -> None:
                for one in range(some.start, some.stop):
                    first = int(needs[one]) * self.kit
                    money = spare % self.kit + self.pay * (spare // self.kit - needs[one])
                    lines = self.sold[stocks[one], self.parts_after[one]][
                        lefts - self.make_cost[one]
                    ]
                    view = table[self.have[one], :, first:]
                    np.maximum(view, lines[:, money[first:]], out=view)

            found[at] = self.solver.mean_of_best(self.make_cost, shape, improve)
        return found

    def _wealth(self, held: Whole) -> Whole:
        """Return what money is worth in kits of the loop, with these of its parts in hand."""
        prices, found = self.ways.prices * self.ways.kit, []
        for money in range(self.money):
            kits = 0
            while prices @ np.maximum(kits + 1 - held, 0) <= money:
                kits += 1
            left = money - int(prices @ np.maximum(kits - held, 0))
            found.append(kits * self.kit + min(left, self.kit - 1))
        return np.array(found)

    def bought(self) -> Values:
        """Return what the states at AM are worth: by stock, parts, money."""
        ways, shelf, money = self.ways, self.shelf, self.money

        def improve(some: slice, table: Values) -> None:
            left = self.left_after(int(ways.buy_cost[some.start]))
            for at in range(some.start, some.stop):
                price, start = int(ways.buy_price[at]), int(ways.start[at])
                if price < money:
                    spare, _ = self.spare(start, np.arange(money - price))
                    new = self.made[:, ways.have[at], left][:, spare]
                    table[:, start, price:] = np.maximum(table[:, start, price:], new)

        shape = (len(shelf.stocks), len(shelf.parts), money)
        return self.solver.mean_of_best(ways.buy_cost, shape, improve)

    def spare(self, start: int, money: Whole) -> tuple[Whole, Whole]:
        """Return where money stands in the table before Make, and what is to be added there."""
        held = tuple(self.shelf.parts[start] * self.ways.kit)
        return self.wealth[held][money], np.zeros_like(money)

    def kits(self, spare: int) -> int:
        """Return how many kits of the loop are bought."""
        return spare // self.kit

    def money_after(self, spare: int, needs: Whole) -> Whole:
        """Return the money when widgets have been made that take `needs` kits of the loop."""
        return spare % self.kit + self.pay * (spare // self.kit - needs)
