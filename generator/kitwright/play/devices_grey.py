"""Devices with grey connectors too: a splitter or joiner that is wild, and straights that pad."""

from __future__ import annotations

from collections.abc import Iterator

from kitwright.engines.devices_grid import add
from kitwright.model.games.devices import NOTHING, Cubes
from kitwright.play.devices_search import (
    MOST_PARTS,
    Making,
    Search,
    Shape,
    Way,
    fires,
    halves,
    lengths,
    scaled,
)

SPLITTER = "basic-splitter"
JOINER = "basic-joiner"


def grey_makings(search: Search, order: Cubes, parts: int = MOST_PARTS) -> Iterator[Making]:
    """Yield the single devices with a grey splitter or joiner, or with straights."""
    for shape, load in _ways(search, order, parts):
        making = Making((shape,), (load,))
        if sum(making.load) <= search.most and search.are_there(shape.parts):
            yield making


def _ways(search: Search, order: Cubes, parts: int) -> Iterator[Way]:
    for upper, lower in halves(order):
        if upper != NOTHING and lower != NOTHING:
            yield from _forked(search, upper, lower, parts)
    for after in range(parts):
        for last, wanted in search.chains(order, after):
            yield from _merged(search, last, wanted, parts - after)
            if after < parts - 1:
                yield from _looped(search, last, wanted, parts - after)


def _forked(search: Search, upper: Cubes, lower: Cubes, parts: int) -> Iterator[Way]:
    """Yield lines that a grey splitter parts into two branches."""
    for above, below in lengths(parts):
        for top, high in search.chains(upper, above):
            for bottom, low in search.chains(lower, below):
                for before in range(parts + 1 - above - below):
                    # Cubes that cross no special part may not be packed.
                    if before or (above and below):
                        for first, load in search.chains(add(high, low), before):
                            yield (
                                Shape(first, split=SPLITTER, top=top, bottom=bottom, up=high),
                                (load,),
                            )


def _merged(search: Search, trunk: tuple[str, ...], wanted: Cubes, parts: int) -> Iterator[Way]:
    """Yield two branches that a grey joiner brings together before the trunk."""
    for upper, lower in halves(wanted):
        if upper == NOTHING or lower == NOTHING or upper < lower:
            continue
        for above, below in lengths(parts):
            if trunk or (above and below):
                for first, load in search.chains(upper, above):
                    for second, other in search.chains(lower, below):
                        yield Shape(first, JOINER, second, trunk), (load, other)


def _looped(search: Search, last: tuple[str, ...], wanted: Cubes, parts: int) -> Iterator[Way]:
    """Yield what parts, special or grey, and meets again in a special joiner."""
    for joiner, upper, lower, made in search.joiners:
        times = fires(made, wanted)
        if times <= 0:
            continue
        for above, below in lengths(parts - 1):
            for top, high in search.chains(scaled(upper, times), above):
                for bottom, low in search.chains(scaled(lower, times), below):
                    rest = parts - 1 - above - below
                    forks = [(SPLITTER, add(high, low), rest)]
                    forks += [(name, used, rest - 1) for name, used in search.fed(high, low)]
                    for splitter, needed, left in forks:
                        for before in range(left + 1):
                            for first, load in search.chains(needed, before):
                                yield (
                                    Shape(
                                        first,
                                        split=splitter,
                                        top=top,
                                        bottom=bottom,
                                        rejoin=joiner,
                                        last=last,
                                        up=high if splitter == SPLITTER else NOTHING,
                                    ),
                                    (load,),
                                )
