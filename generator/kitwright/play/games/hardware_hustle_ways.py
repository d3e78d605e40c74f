"""What can sensibly be done in a turn of Hardware Hustle at given research levels, as tables.

Knows the choices of the three phases, not what they are worth. A choice is left out only where
another is proved to be no worse:

- A part that is bought for no opportunity can be bought as well when it is needed, since no cost
  ever rises: no more are bought than this turn's Make can use, at the highest roll.
- A widget that is made for no opportunity can be made later as well: no more are made than this
  turn's Sell can take, at the highest roll.
- A widget is only good for selling: one that sells for no opportunity is sold at once.
- In the last turn only what can still be sold is worth anything.
- A widget that takes no opportunity at all (the *loop*) takes all money that is left: it comes
  back as more before it can be wanted.

One thing is not proved but measured: what is carried over is limited (`Limits`), and more than that
is thrown away. A player may do so, so the result can really be reached; that higher limits do
not raise it is shown by trying them.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from kitwright.engines.hardware_hustle import BUY, MAKE, SELL, Box

Whole = NDArray[np.int64]
Levels = tuple[int, int, int]
PLENTY = 99


class ShapeError(ValueError):
    """The game has a shape that the solver does not know."""


class Limits(Struct, frozen=True):
    """The most of each part and widget that is carried over, and of the money at each AM.

    With the printed numbers (180.9963) parts (3, 4, 2, 1), widgets (4, 2, 2) or (3, 3, 3), and
    money a third higher all give the same seven digits; so do parts (2, 3, 3, 2) in a game of
    four turns. Parts (2, 2, 1, 1) with widgets (2, 1, 1) would give 180.3734.
    """

    parts: tuple[int, ...] = (2, 3, 2, 1)
    widgets: tuple[int, ...] = (3, 2, 2)
    money: tuple[int, ...] = (30, 60, 90, 130, 200)  # from turn 2 on


class Shelf:
    """What may be carried over from turn to turn, each way with its place in the tables."""

    def __init__(self, box: Box, limits: Limits) -> None:
        if (len(limits.parts), len(limits.widgets)) != (len(box.parts), len(box.widgets)):
            raise ShapeError("the solver knows four parts and three widgets")
        self.caps = np.array(limits.parts)
        self.company = [_company(box, part) for part in range(len(box.parts))]
        self.free = [
            part
            for part in range(len(box.parts))
            if not any(costs[part] for costs in box.costs[BUY])
        ]
        every = np.array(list(product(*(range(most + 1) for most in limits.parts))))
        self.parts = every[(self.kept(every) == every).all(axis=1)]
        self.places = np.full([most + 1 for most in limits.parts], -1)
        self.places[tuple(self.parts.T)] = np.arange(len(self.parts))
        self.stock_caps = np.array(limits.widgets)
        self.stocks = np.array(list(product(*(range(most + 1) for most in limits.widgets))))

    def kept(self, parts: Whole) -> Whole:
        """Throw away what is above the limits, or is free and has no company to be used with."""
        found: Whole = np.minimum(parts, self.caps)
        for part in self.free:
            found[:, part] = found[:, self.company[part]].min(axis=1)
        return found

    def place(self, parts: Whole) -> Whole:
        """Return the places of what is kept of some parts."""
        return np.asarray(self.places[tuple(self.kept(parts).T)])

    def stock_place(self, widgets: Whole) -> Whole:
        """Return the places of what is kept of some widgets."""
        return self.numbered(np.minimum(widgets, self.stock_caps), self.stock_caps + 1)

    @staticmethod
    def numbered(rows: Whole, sides: Whole) -> Whole:
        """Number rows of counts as in a box with these sides."""
        return np.asarray(np.ravel_multi_index(tuple(rows.T), tuple(sides)))


def _company(box: Box, part: int) -> list[int]:
    """Return the parts that every widget with `part` needs, itself among them."""
    with_it = [recipe for recipe in box.recipes if recipe[part]]
    if not with_it:
        raise ShapeError(f"no widget needs the {box.parts[part]}, so the solver has no use for it")
    return [other for other in range(len(box.parts)) if all(recipe[other] for recipe in with_it)]


class Ways:
    """The sensible choices of a turn at given research levels."""

    def __init__(self, box: Box, shelf: Shelf, levels: Levels, last: bool, money: int) -> None:
        self.box, self.shelf, self.last = box, shelf, last
        self.die = box.rules.die
        self.buy, self.make, self.sell = (
            np.array(box.costs[phase][levels[phase]]) for phase in (BUY, MAKE, SELL)
        )
        self.recipes, self.prices = np.array(box.recipes), np.array(box.part_prices)
        self.pays = np.array(box.widget_prices)
        self.loop = self._loop()
        self.kit = self.recipes[self.loop] > 0 if self.loop is not None else self.prices < 0
        self.most = np.array([self._most_made(widget) for widget in range(len(self.make))])
        self._make_bundles()
        self._make_purchases(money)

    def _loop(self) -> int | None:
        """Return the widget that takes no opportunity at all."""
        whole = self.recipes @ self.buy + self.make + self.sell
        loops = [widget for widget, cost in enumerate(whole) if not cost]
        if not loops:
            return None
        loop = loops[0]
        uses = self.recipes[:, self.recipes[loop] > 0]
        gain = self.pays[loop] > self.recipes[loop] @ self.prices
        if len(loops) > 1 or not gain or not (uses == uses[:, :1]).all():
            raise ShapeError("the solver knows a single widget that becomes free of opportunity")
        return loop

    def _most_made(self, widget: int) -> int:
        if widget == self.loop:
            return 0
        cost, sale = self.make[widget], self.sell[widget]
        most = self.die // cost if cost else PLENTY
        if sale and (self.last or not cost):
            most = min(most, self.die // sale)
        for part in np.flatnonzero(self.recipes[widget]):
            if self.buy[part]:
                most = min(most, self.die // self.buy[part] + self.shelf.caps[part])
        return int(most)

    def _make_bundles(self) -> None:
        """List what Make can turn out, by cost: the widgets, the opportunity and the parts."""
        made = np.array(list(product(*(range(most + 1) for most in self.most))))
        cost = made @ self.make
        order = np.argsort(cost, kind="stable")
        order = order[cost[order] <= self.die]
        self.made, self.make_cost = made[order], cost[order]
        self.used = self.made @ self.recipes

    def _make_purchases(self, money: int) -> None:
        """List what Buy can get, by cost: from which place, to which parts, at what price."""
        spare = self.shelf.caps * (self.buy > 0) * (not self.last)
        most = self.most @ self.recipes + spare
        room = np.where(self.buy > 0, self.die // np.maximum(self.buy, 1), PLENTY)
        tops = np.minimum(np.minimum(most, room), money // self.prices) * ~self.kit
        counts = np.array(list(np.ndindex(*(tops + 1))))
        cost, price = counts @ self.buy, counts @ self.prices
        counts = counts[(cost <= self.die) & (price <= money)]
        held = self.shelf.parts * ~self.kit
        start, chosen = (side.ravel() for side in np.indices((len(held), len(counts))))
        bought = counts[chosen]
        have = held[start] + bought
        fine = np.ones(len(have), dtype=bool)
        for part, company in enumerate(self.shelf.company):
            rest = [other for other in company if not self.kit[other]]
            least = have[:, rest].min(axis=1) if rest else PLENTY
            top = np.minimum(least + spare[part], most[part])
            fine &= (bought[:, part] == 0) | (have[:, part] <= top)
        start, bought, have = start[fine], bought[fine], have[fine]
        rows, back = np.unique(have, axis=0, return_inverse=True)
        used = self._most_used(rows) + spare
        fine = ((bought == 0) | (have <= used[back.ravel()])).all(axis=1)
        self._keep(start[fine], bought[fine], have[fine])

    def _most_used(self, rows: Whole) -> Whole:
        """Return how many of each part Make can use at best, out of each row of parts."""
        have = rows + PLENTY * self.kit
        found = np.zeros_like(rows)
        for used in self.used:
            able = (used <= have).all(axis=1)
            found[able] = np.maximum(found[able], used)
        return found

    def _keep(self, start: Whole, bought: Whole, have: Whole) -> None:
        self.haves, back = np.unique(have, axis=0, return_inverse=True)
        cost = bought @ self.buy
        order = np.argsort(cost, kind="stable")
        self.start, self.bought, self.have = start[order], bought[order], back.ravel()[order]
        self.buy_cost, self.buy_price = cost[order], (bought @ self.prices)[order]

    def products(self) -> tuple[Whole, Whole]:
        """Return every pair of parts in hand and what can be made of them, by cost, then parts."""
        able = (self.used[:, None] <= (self.haves + PLENTY * self.kit)[None]).all(axis=2)
        bundle, have = np.nonzero(able)
        order = np.lexsort((have, self.make_cost[bundle]))
        return have[order], bundle[order]

    def sales(self, stock: Whole) -> tuple[Whole, Whole, Whole]:
        """Return what can be sold of a stock: the counts, the opportunity and the money."""
        tops = [int(n if cost == 0 else min(n, self.die // cost)) for n, cost in zip(
            stock, self.sell, strict=True)]  # fmt: skip
        lows = [0 if cost else top for top, cost in zip(tops, self.sell, strict=True)]
        sold = np.array(
            list(product(*(range(low, top + 1) for low, top in zip(lows, tops, strict=True))))
        )
        cost = sold @ self.sell
        order = np.argsort(cost, kind="stable")
        order = order[cost[order] <= self.die]
        return sold[order], cost[order], (sold @ self.pays)[order]
