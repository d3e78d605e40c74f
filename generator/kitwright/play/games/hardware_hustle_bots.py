"""Bots for Hardware Hustle: one that grabs, one that never burns out, one with a simple plan.

They look at the sheet of the seat that is to move and at nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from operator import mul
from random import Random
from typing import Any

from kitwright.engines.hardware_hustle import (
    BUY,
    RESEARCH,
    Box,
    Done,
    Move,
    Research,
    State,
)
from kitwright.model.games.hardware_hustle import ACTIONS
from kitwright.play.bots import Bot
from kitwright.play.games.hardware_hustle_loop import free_widget, loops, whole_cost

PLAN = ("buy", "sell", "sell", "make")  # what the planner researches, in order
LAST_DAYS = 2  # the planner keeps nothing back on these


def greedy_bot(seen: State, rng: Random) -> Move:
    """Go for the dearest widget, whatever it does to the evening."""
    return _act(seen, floor=None)


def careful_bot(seen: State, rng: Random) -> Move:
    """Go for the dearest widget that a day can pay for, and never below zero opportunity."""
    return _act(seen, floor=0, in_a_day=True)


def maker_of(widget: str) -> Bot:
    """Return a bot like the careful one that makes one kind of widget and nothing else."""

    def maker(seen: Any, rng: Random) -> Any:
        return _act(seen, floor=0, only=seen.box.widgets.index(widget))

    return maker


def planner_bot(seen: State, rng: Random) -> Move:
    """Keep enough for a sure research on the first days, then live on what costs no opportunity.

    Until the last two days no phase spends what a sure research needs, and each upgrade
    follows the plan. Once a widget is free of all opportunity, all money goes into it, but for
    dearer widgets that the opportunity of the day allows from Buy to Sell. Where no widget can
    become free, be careful instead.
    """
    if seen.sheet.resting:
        return seen.legal_moves()[0]
    if not loops(seen.box):
        return careful_bot(seen, rng)
    if seen.phase == RESEARCH:
        return _planned_research(seen)
    floor = 0 if seen.day >= seen.box.turns - LAST_DAYS else seen.box.rules.die
    if seen.phase != BUY:
        return _dearest(seen, floor)
    free, sheet = free_widget(seen.box, seen.sheet.levels), seen.sheet
    missing = _best_kits(
        seen.box, sheet.levels, sheet.parts, sheet.money, seen.room, seen.left - floor, free
    )
    if missing is not None:
        return seen.box.moves[BUY][missing]
    return Done() if free is None else _all_in(seen, free)


@lru_cache(maxsize=4)
def _bundles(box: Box) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """List numbers of widgets: what they gain in all, what of each, and their parts; best first."""
    found = []
    gains = [
        price - sum(p for p, need in zip(box.part_prices, recipe, strict=True) if need)
        for price, recipe in zip(box.widget_prices, box.recipes, strict=True)
    ]
    for counts in product(range(box.rules.die + 1), repeat=len(box.widgets)):
        parts = tuple(
            sum(n * recipe[part] for n, recipe in zip(counts, box.recipes, strict=True))
            for part in range(len(box.parts))
        )
        found.append((sum(map(mul, counts, gains)), counts, parts))
    return sorted(found, key=lambda bundle: -bundle[0])


@lru_cache(maxsize=50_000)
def _best_kits(
    box: Box,
    levels: tuple[int, int, int],
    have: tuple[int, ...],
    money: int,
    room: int,
    budget: int,
    free: int | None,
) -> int | None:
    """Return the first part that is missing for the widgets that gain most within a budget.

    While no widget is free, what is made today may be sold tomorrow; afterwards it is sold today.
    """
    buy, make, sell = (costs[level] for costs, level in zip(box.costs, levels, strict=True))
    for gain, counts, parts in _bundles(box):
        if gain <= 0:
            break
        spent = sum(map(mul, counts, make))
        if spent > box.rules.die or (free is not None and counts[free]):
            continue
        missing = [max(0, need - own) for need, own in zip(parts, have, strict=True)]
        cost = sum(map(mul, missing, buy))
        if free is not None:
            spent += sum(map(mul, counts, sell))
        price = sum(map(mul, missing, box.part_prices))
        if cost <= room and price <= money and cost + spent <= budget:
            return next((part for part, count in enumerate(missing) if count), None)
    return None


def _act(seen: State, floor: int | None, in_a_day: bool = False, only: int | None = None) -> Move:
    moves = seen.legal_moves()
    if len(moves) == 1:
        return moves[0]
    if seen.phase == RESEARCH:
        levels = seen.sheet.levels
        return Research(min(reversed(ACTIONS), key=lambda a: _level_or_top(seen, levels, a)))
    if seen.phase == BUY:
        return _next_part(seen, floor, in_a_day, only)
    return _dearest(seen, floor, only)


def _level_or_top(seen: State, levels: tuple[int, int, int], action: str) -> int:
    level = levels[ACTIONS.index(action)]
    return level if level < seen.box.levels - 1 else 99


def _dearest(seen: State, floor: int | None, only: int | None = None) -> Move:
    """Make or sell the dearest widget that can be."""
    box = seen.box
    for at in _by_price(seen) if only is None else (only,):
        fits = floor is None or seen.left - seen.cost(at) >= floor
        if fits and not seen.refusal(at):
            return box.moves[seen.phase][at]
    return Done()


def _by_price(seen: State) -> list[int]:
    prices = seen.box.widget_prices
    return sorted(range(len(prices)), key=lambda at: -prices[at])


def _next_part(seen: State, floor: int | None, in_a_day: bool, only: int | None) -> Move:
    """Buy the part that is missing for one of the dearest widget that the money allows."""
    box, sheet = seen.box, seen.sheet
    for at in _by_price(seen) if only is None else (only,):
        if in_a_day and whole_cost(box, at, sheet.levels) > box.rules.opportunity[seen.day]:
            continue
        missing = [p for p, need in enumerate(box.recipes[at]) if need > sheet.parts[p]]
        if sum(box.part_prices[part] for part in missing) > sheet.money:
            continue
        able = [
            part
            for part in missing
            if seen.cost(part) <= seen.room
            and (floor is None or seen.left - seen.cost(part) >= floor)
        ]
        return box.moves[BUY][max(able, key=seen.cost)] if able else Done()
    return Done()


def _planned_research(seen: State) -> Move:
    levels, able = seen.sheet.levels, seen.legal_moves()
    for at, action in enumerate(PLAN):
        wanted = PLAN[: at + 1].count(action)
        if levels[ACTIONS.index(action)] < wanted and Research(action) in able:
            return Research(action)
    return able[0]


def _all_in(seen: State, widget: int) -> Move:
    box, sheet = seen.box, seen.sheet
    if seen.phase != BUY:
        return _dearest(seen, 0)
    parts = [part for part, need in enumerate(box.recipes[widget]) if need]
    fewest = min(parts, key=lambda part: sheet.parts[part])
    gap = [part for part in parts if sheet.parts[part] > sheet.parts[fewest]]
    price = sum(box.part_prices[part] for part in parts if part not in gap)
    if price > sheet.money:
        return Done()
    return box.moves[BUY][fewest]
