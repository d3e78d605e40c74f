"""What it pays to load a device beyond what is wanted: machines make dear cubes of cheap ones.

Looks at devices with a single hopper, which most are.
"""

from __future__ import annotations

from msgspec.structs import replace

from kitwright.engines.devices import State
from kitwright.engines.devices_grid import (
    Device,
    Placed,
    Run,
    add,
    holds,
    is_ready,
    take,
    times_fired,
)
from kitwright.engines.devices_moves import Load
from kitwright.model.games.devices import NOTHING, Cubes
from kitwright.play.devices_search import scaled

POINT = 4  # worth of a point, in cubes' worth; more than any order costs


def gainful_load(seen: State) -> Load | None:
    """Return the next cube of the load that leaves a player richest; None where none gains."""
    found = [_best_load(seen, index) for index in range(len(seen.seat.devices))]
    gains = [load for load in found if load is not None]
    return max(gains, key=lambda load: load[1])[0] if gains else None


def _best_load(seen: State, index: int) -> tuple[Load, int] | None:
    """Return the next cube of a device's best load, and what it brings."""
    box, device = seen.box, seen.seat.devices[index]
    hoppers = [p for p in device if not box.parts[p.card].left]
    first = next(p for p in device if p.column == hoppers[0].column + 1)
    part = box.parts[first.card]
    if len(hoppers) > 1 or not part.special:
        return None
    (hopper,) = hoppers
    have, need = add(seen.seat.storage, hopper.cubes), part.left[0][1]
    loads = [scaled(need, times + 1) for times in range(times_fired(part, [have]))]
    more = [load for load in loads if holds(load, hopper.cubes)]
    worths = {load: _wealth(seen, index, hopper, load) for load in more}
    now = _wealth(seen, index, hopper, hopper.cubes)
    best = max(worths, key=lambda load: worths[load], default=hopper.cubes)
    gain = worths.get(best, now) - now
    lacks = [color for color in range(3) if hopper.cubes[color] < best[color]]
    return (Load(lacks[0], index, hopper.spot), gain) if lacks and gain > 0 else None


def _wealth(seen: State, index: int, hopper: Placed, load: Cubes) -> int:
    """Return what a player has after the turn, orders served and the limit kept."""
    box, seat = seen.box, seen.seat
    packed, points = NOTHING, 0
    for at, device in enumerate(seat.devices):
        full = _with_load(device, hopper, load) if at == index else device
        if is_ready(full, box.parts):
            packed = add(packed, Run(box.parts, full, ()).outcome().packed)
    for order in sorted(seat.orders, key=lambda order: -box.points[order]):
        if holds(packed, box.wants[order]):
            packed = take(packed, box.wants[order])
            points += box.points[order]
    left = add(packed, take(add(seat.storage, hopper.cubes), load))
    return POINT * points + box.worth(kept(left, box.rules.storage))


def _with_load(device: Device, hopper: Placed, load: Cubes) -> Device:
    return tuple(replace(p, cubes=load) if p == hopper else p for p in device)


def kept(cubes: Cubes, limit: int) -> Cubes:
    """Return what is left within the limit when the cheapest are returned."""
    over = max(0, sum(cubes) - limit)
    yellow = max(0, cubes[0] - over)
    over -= cubes[0] - yellow
    red = max(0, cubes[1] - over)
    return yellow, red, cubes[2] - (over - cubes[1] + red)
