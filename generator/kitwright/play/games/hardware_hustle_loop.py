"""Whether research can make a widget of Hardware Hustle free of all opportunity: the loop."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from kitwright.engines.hardware_hustle import BUY, MAKE, SELL, Box

Levels = tuple[int, int, int]


def whole_cost(box: Box, widget: int, levels: Levels) -> int:
    """Return the opportunity to buy the parts of a widget, make it and sell it."""
    parts = (at for at, need in enumerate(box.recipes[widget]) if need)
    buying = sum(box.costs[BUY][levels[BUY]][part] for part in parts)
    return buying + sum(box.costs[phase][levels[phase]][widget] for phase in (MAKE, SELL))


def free_widget(box: Box, levels: Levels) -> int | None:
    """Return the widget that takes no opportunity and gains most for its price, if there is one."""
    free = [at for at in range(len(box.widgets)) if not whole_cost(box, at, levels)]
    return max(free, key=lambda at: _gain(box, at)) if free else None


@lru_cache(maxsize=8)
def loops(box: Box) -> tuple[tuple[str, Levels], ...]:
    """Find widgets that research makes free before the last turn, with the fewest upgrades."""
    found = []
    for at, name in enumerate(box.widgets):
        ways = [
            (buy, make, sell)
            for buy, make, sell in product(range(box.levels), repeat=3)
            if buy + make + sell < box.turns and not whole_cost(box, at, (buy, make, sell))
        ]
        if ways:
            found.append((name, min(ways, key=sum)))
    return tuple(found)


def _gain(box: Box, widget: int) -> float:
    rules = box.rules
    sold = rules.widgets[box.widgets[widget]]
    return sold.price / rules.kit_price(sold)
