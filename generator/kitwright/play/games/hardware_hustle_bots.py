"""Bots for Hardware Hustle: one that grabs, one that never burns out, one with a simple plan.

They look at the sheet of the seat that is to move and at nothing else.
"""

from __future__ import annotations

from random import Random
from typing import Any

from kitwright.engines.hardware_hustle import (
    BUY,
    MAKE,
    RESEARCH,
    SELL,
    Done,
    Move,
    Research,
    State,
)
from kitwright.model.games.hardware_hustle import ACTIONS
from kitwright.play.bots import Bot

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
    """Keep enough for a sure research, then put all money into widgets that cost no opportunity."""
    if seen.phase == RESEARCH and not seen.sheet.resting:
        return _planned_research(seen)
    late = seen.day >= seen.box.turns - LAST_DAYS
    free = _free_widget(seen)
    if free is not None and not seen.sheet.resting:
        return _all_in(seen, free)
    return _act(seen, floor=0 if late else seen.box.rules.die)


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
        if in_a_day and _whole_cost(seen, at) > box.rules.opportunity[seen.day]:
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


def _whole_cost(seen: State, widget: int) -> int:
    """Return the opportunity to buy the parts of a widget, make it and sell it."""
    box, levels = seen.box, seen.sheet.levels
    parts = (at for at, need in enumerate(box.recipes[widget]) if need)
    buying = sum(box.costs[BUY][levels[BUY]][part] for part in parts)
    return buying + sum(box.costs[phase][levels[phase]][widget] for phase in (MAKE, SELL))


def _planned_research(seen: State) -> Move:
    levels, able = seen.sheet.levels, seen.legal_moves()
    for at, action in enumerate(PLAN):
        wanted = PLAN[: at + 1].count(action)
        if levels[ACTIONS.index(action)] < wanted and Research(action) in able:
            return Research(action)
    return able[0]


def _free_widget(seen: State) -> int | None:
    """Return the widget that takes no opportunity at all and gains most for its price."""
    rules = seen.box.rules
    gains = [widget.price / rules.kit_price(widget) for widget in rules.widgets.values()]
    free = [at for at in range(len(gains)) if not _whole_cost(seen, at)]
    return max(free, key=lambda at: gains[at]) if free else None


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
