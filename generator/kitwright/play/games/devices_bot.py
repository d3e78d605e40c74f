"""A bot that plans one order ahead: the device with most points for each action it costs.

It works with what lies in the shop and before it, never with what a deck may bring.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from kitwright.engines.devices import State
from kitwright.engines.devices_grid import Run, add, holds, is_ready, open_ends, take, times_fired
from kitwright.engines.devices_legal import legal
from kitwright.engines.devices_moves import (
    CLEAR,
    COLLECT,
    DONE,
    REFUSE,
    STOP,
    Accept,
    Activate,
    Buy,
    Decide,
    Fulfil,
    Load,
    Move,
    Pay,
    Place,
    Return,
    Take,
)
from kitwright.engines.devices_table import with_item
from kitwright.model.games.devices import NOTHING, Cubes
from kitwright.play.devices_lay import match
from kitwright.play.devices_search import scaled
from kitwright.play.games.devices_money import gainful_load
from kitwright.play.games.devices_plan import Plan, best_plan, next_part, numbers_of, wanted_at


def greedy_bot(seen: State, rng: Random) -> Move:
    """Follow the best plan by its next step."""
    if seen.now.offer is not None:
        return REFUSE
    match seen.now.mode:
        case "run":
            return _run(seen)
        case "fulfil":
            return _serve(seen)
        case "return" | "surplus":
            return _return(seen)
        case "take":
            return next((move for move in legal(seen) if isinstance(move, Take)), DONE)
    if not seen.now.mode and not seen.now.actions:
        return STOP
    plan = best_plan(seen)
    if plan is not None and seen.now.mode != "load" and _is_loaded(seen, plan):
        return _ahead(seen, plan)
    match seen.now.mode:
        case "buy":
            return _buy(seen, plan)
        case "place" | "build":
            return (_placing(seen, plan) if plan is not None else None) or DONE
        case "load":
            return (plan and _loading(seen, plan)) or gainful_load(seen) or _refining(seen) or DONE
    return _idle(seen) if plan is None else _step(seen, plan)


def _is_loaded(seen: State, plan: Plan) -> bool:
    """Tell whether a plan has only to be run."""
    return len(plan.match.placed) == len(plan.making.parts) and (
        holds(seen.seat.on_table, plan.making.load)
    )


def _ahead(seen: State, plan: Plan) -> Move:
    """Use what is left of the turn for the next plan; the loaded device is not touched."""
    box, seat = seen.box, seen.seat
    if plan.order not in seat.orders:
        return Accept(box.orders[plan.order])
    after = _after_run(seen, plan)
    if not seen.now.mode and len(seat.orders) < box.rules.held_orders:
        spare = _spare(seen, plan)
        fit = [order for order in seen.order_row if holds(spare, box.wants[order])]
        if fit:
            return Accept(box.orders[max(fit, key=lambda order: box.points[order])])
    following = best_plan(after)
    match seen.now.mode:
        case "buy":
            return _buy(seen, following)
        case "place" | "build":
            return DONE
    if following is None:
        return COLLECT if seat.count + box.rules.collect <= box.rules.storage else STOP
    if following.order not in seat.orders and len(seat.orders) < box.rules.held_orders:
        return Accept(box.orders[following.order])
    move = _step(after, following)
    if isinstance(move, Buy) and move in legal(seen):
        return move
    return COLLECT if seat.count + box.rules.collect <= box.rules.storage else STOP


def _spare(seen: State, plan: Plan) -> Cubes:
    """Return what the loaded devices pack beyond the order of the plan."""
    packed = NOTHING
    for device in seen.seat.devices:
        if is_ready(device, seen.box.parts):
            packed = add(packed, Run(seen.box.parts, device, ()).outcome().packed)
    return take(packed, seen.box.wants[plan.order])


def _after_run(seen: State, plan: Plan) -> State:
    """Return the table as it will be when the plan has been carried out."""
    seat = seen.seat
    empty = tuple(tuple(replace(p, cubes=NOTHING) for p in device) for device in seat.devices)
    seat = replace(
        seat,
        storage=add(seat.storage, _spare(seen, plan)),
        devices=empty,
        orders=tuple(order for order in seat.orders if order != plan.order),
    )
    return replace(seen, seats=with_item(seen.seats, seen.active, seat))


def _run(seen: State) -> Move:
    moves = tuple(legal(seen))
    return next((move for move in moves if isinstance(move, Activate | Decide)), DONE)


def _serve(seen: State) -> Move:
    points = dict(zip(seen.box.orders, seen.box.points, strict=True))
    moves = [move for move in legal(seen) if isinstance(move, Fulfil)]
    return max(moves, key=lambda move: points[move.order])


def _idle(seen: State) -> Move:
    """Save up; when the storage is full make better cubes, gather parts, or look at others."""
    if seen.seat.count + seen.box.rules.collect <= seen.box.rules.storage:
        return COLLECT
    better = _refining(seen)
    if better is not None:
        return better
    part = next_part(seen)
    if part is not None:
        return Buy(part)
    return CLEAR if seen.part_deck else STOP


def _refining(seen: State) -> Load | None:
    """Return the next cube for a device that makes dearer cubes of what there is."""
    box, seat = seen.box, seen.seat
    for index, device in enumerate(seat.devices):
        hopper, first = device[0], box.parts[device[1].card]
        if first.kind != "converter" or len(open_ends(device, box.parts)) > len(seat.packers):
            continue
        have, need = add(seat.storage, hopper.cubes), first.left[0][1]
        load = scaled(need, times_fired(first, [have]))
        full = (replace(hopper, cubes=load), *device[1:])
        if not is_ready(full, box.parts):
            continue
        made = Run(box.parts, full, ()).outcome().packed
        if made[1] + made[2] > load[1] + load[2] and box.worth(made) >= box.worth(load):
            for color in range(3):
                if hopper.cubes[color] < load[color]:
                    return Load(color, index, hopper.spot)
    return None


def _step(seen: State, plan: Plan) -> Move:
    box, seat, load = seen.box, seen.seat, plan.making.load
    if plan.order not in seat.orders:
        return Accept(box.orders[plan.order])
    if plan.blocked:
        return next((move for move in legal(seen) if isinstance(move, Take)), COLLECT)
    if plan.missing:
        numbers = numbers_of(box)
        due = sum(box.parts[numbers[name]].price for name in plan.missing)
        rest = (seat.storage[0], seat.storage[1] - load[1], seat.storage[2] - load[2])
        return Buy(plan.missing[0]) if box.worth(rest) >= due else COLLECT
    placing = _placing(seen, plan)
    if placing is not None:
        return placing
    if len(plan.match.placed) == len(plan.making.parts) and holds(seat.storage, load):
        return _loading(seen, plan) or STOP
    return COLLECT


def _return(seen: State) -> Return:
    """Return what the plan can spare, the cheapest first."""
    plan, have = best_plan(seen), seen.seat.storage
    load = plan.making.load if plan is not None else NOTHING
    colors = [color for color in range(3) if have[color]]
    return Return(next((color for color in colors if have[color] > load[color]), colors[0]))


def _buy(seen: State, plan: Plan | None) -> Move:
    """Choose the next part of the plan, then pay with what it can spare."""
    moves = tuple(legal(seen))
    wanted = plan.missing if plan is not None else ()
    more = next((move for move in moves if isinstance(move, Buy) and move.part in wanted), None)
    if more is not None:
        return more
    load = plan.making.load if plan is not None else NOTHING
    box, have = seen.box, seen.seat.storage

    def harm(move: Pay) -> tuple[int, int]:
        left = (have[0] - move.cubes[0], have[1] - move.cubes[1], have[2] - move.cubes[2])
        lack = 3 * max(0, load[1] - left[1]) + 6 * max(0, load[2] - left[2])
        return lack, box.worth(move.cubes)

    return min((move for move in moves if isinstance(move, Pay)), key=harm)


def _placing(seen: State, plan: Plan) -> Place | None:
    """Return a placing after which one part more lies where the plan wants it."""
    box, seat = seen.box, seen.seat
    for move in legal(seen):
        if isinstance(move, Place) and move.part in plan.making.parts:
            cards = seen.now.fresh if seen.now.mode == "place" else seat.hand
            card = next(card for card in cards if box.names[card] == move.part)
            after = seat.with_part(card, move.placing)
            found = match(after.devices, plan.laid, box.names, box.parts)
            if len(found.placed) > len(plan.match.placed):
                return move
    return None


def _loading(seen: State, plan: Plan) -> Load | None:
    for move in legal(seen):
        if isinstance(move, Load):
            device = seen.seat.devices[move.device]
            there = next(p.cubes for p in device if p.spot == move.spot)
            wanted = wanted_at(move.device, move.spot, plan.making, plan.laid, plan.match)
            if wanted is not None and there[move.color] < wanted[move.color]:
                return move
    return None
