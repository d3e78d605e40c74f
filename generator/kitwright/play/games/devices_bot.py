"""A bot that plans one order ahead: the device with most points for each action it costs.

It works with what lies in the shop and before it, never with what a deck may bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from random import Random

from kitwright.engines.devices import State
from kitwright.engines.devices_grid import Part, Run, add, holds, is_ready, open_ends, times_fired
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
from kitwright.engines.devices_table import Box
from kitwright.model.games.devices import NOTHING, Cubes
from kitwright.play.devices_lay import Laid, Match, match, plan_of
from kitwright.play.devices_search import MOST_PARTS, Making, Search, scaled


@dataclass(frozen=True, slots=True)
class Plan:
    """An order, and how it is to be made."""

    order: int
    making: Making
    laid: tuple[Laid, ...]
    match: Match
    missing: tuple[str, ...]  # parts to be bought
    blocked: bool  # whether devices must be dismantled first
    score: tuple[float, int]


Book = Mapping[tuple[str, ...], tuple[tuple[Making, Cubes], ...]]


@lru_cache(maxsize=4)
def _book(box: Box) -> tuple[Book, ...]:
    special = tuple((box.names[card], box.parts[card]) for card in box.special)
    return _written(special, box.wants, box.rules.storage)


@lru_cache(maxsize=4)
def _written(
    special: tuple[tuple[str, Part], ...], wants: tuple[Cubes, ...], most: int
) -> tuple[Book, ...]:
    """Return for each order how it is made, by the parts that it takes: made once, looked up often.

    Of the ways with the same parts only those are kept of which none needs less of every colour.
    """
    printed = Counter(name for name, _ in special)
    search, books = Search(printed, dict(special), most), []
    for wanted in wants:
        book: dict[tuple[str, ...], list[tuple[Making, Cubes]]] = {}
        for making in search.makings(wanted, spare=False):
            load, ways = making.load, book.setdefault(tuple(sorted(making.parts)), [])
            if not any(holds(load, other) for _, other in ways):
                ways[:] = [way for way in ways if not holds(way[1], load)]
                ways.append((making, load))
        books.append({names: tuple(ways) for names, ways in book.items()})
    return tuple(books)


@lru_cache(maxsize=8)
def _numbers(box: Box) -> dict[str, int]:
    return {box.names[card]: card for card in (*box.special, *box.basic)}


def best_plan(seen: State) -> Plan | None:
    """Return the plan with most points an action; None when nothing can be made yet."""
    best: Plan | None = None
    books, kits, held = _book(seen.box), _kits(seen), seen.seat.orders
    have = add(seen.seat.storage, seen.seat.on_table)
    for order in _orders(seen):
        book, points, first = books[order], seen.box.points[order], 1 + (order not in held)
        for names, missing, due in kits:
            for making, load in book.get(names, ()):
                actions = _least_actions(seen.box, have, load, due)
                if actions is None:
                    continue
                actions += first + bool(missing)
                if best is not None and points / actions < best.score[0]:
                    continue
                plan = _weighed(seen, order, making, missing, actions, due + seen.box.worth(load))
                if plan is not None and (best is None or plan.score > best.score):
                    best = plan
    return best


def _kits(seen: State) -> list[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """Return the sets of few parts that are there, each with those to be bought and their price."""
    box, owned, numbers = seen.box, _owned(seen), _numbers(seen.box)
    shop = Counter(box.names[card] for card in seen.part_row)
    there = sorted(name for name in (owned + shop).elements() if box.parts[numbers[name]].special)
    kits = []
    for number in range(1, MOST_PARTS + 1):
        for names in dict.fromkeys(combinations(there, number)):
            missing = _missing(names, owned)
            price = sum(box.parts[numbers[name]].price for name in missing)
            kits.append((names, missing, seen.now.due + price))
    return kits


def _missing(names: tuple[str, ...], owned: Counter[str]) -> tuple[str, ...]:
    if all(owned[name] for name in names) and len(set(names)) == len(names):
        return ()
    return tuple((Counter(names) - owned).elements())


def _least_actions(box: Box, have: Cubes, load: Cubes, due: int) -> int | None:
    """Return how often cubes must be collected; None if red or blue ones are missing."""
    red, blue = have[1] - load[1], have[2] - load[2]
    if red < 0 or blue < 0:
        return None
    yellow = have[0] - load[0]
    short = max(0, -yellow) + max(0, due - box.worth((max(0, yellow), red, blue)))
    return -(-short // box.rules.collect)


def _orders(seen: State) -> tuple[int, ...]:
    held = seen.seat.orders
    free = len(held) < seen.box.rules.held_orders
    return (*held, *(seen.order_row if free and not seen.now.mode else ()))


def _owned(seen: State) -> Counter[str]:
    seat, names = seen.seat, seen.box.names
    laid = (p.card for device in seat.devices for p in device if seen.box.parts[p.card].left)
    return Counter(names[card] for card in (*seat.hand, *seen.now.fresh, *laid))


def _weighed(
    seen: State, order: int, making: Making, missing: tuple[str, ...], actions: int, cost: int
) -> Plan | None:
    """Look at the table too: what lies there may help, or be in the way."""
    box, seat = seen.box, seen.seat
    laid = plan_of(making)
    found = match(seat.devices, laid, box.names, box.parts)
    if any(seat.on_table) and not _loads_agree(seen, making, laid, found):
        return None
    blocked = _is_blocked(seen, making, found, missing)
    in_hand = len(making.parts) - len(found.placed) - len(missing)
    score = (box.points[order] / (actions + blocked + (in_hand > 0)), -cost)
    return Plan(order, making, laid, found, missing, blocked, score)


def _is_blocked(seen: State, making: Making, found: Match, missing: Sequence[str]) -> bool:
    """Tell whether other devices hold hoppers or parts that a making needs."""
    box, seat = seen.box, seen.seat
    fed = sum(not box.parts[p.card].left for index in found.at for p in seat.devices[index])
    if making.hoppers - fed > len(seat.hoppers):
        return True
    rest = Counter(making.parts) - Counter(found.placed) - Counter(missing)
    return bool(rest - Counter(box.names[card] for card in (*seat.hand, *seen.now.fresh)))


def _loads_agree(seen: State, making: Making, laid: Sequence[Laid], found: Match) -> bool:
    """Tell whether what lies in hoppers already is what the making wants there."""
    for index, device in enumerate(seen.seat.devices):
        for p in device:
            if any(p.cubes):
                wanted = _wanted(index, p.spot, making, laid, found)
                if wanted is None or not holds(wanted, p.cubes):
                    return False
    return True


def _wanted(
    device: int, spot: tuple[int, int], making: Making, laid: Sequence[Laid], found: Match
) -> Cubes | None:
    if device not in found.at:
        return None
    which, (columns, heights) = found.at[device]
    at = (spot[0] + columns, spot[1] + heights)
    if at not in laid[which].hoppers:
        return None
    return making.loads[which][laid[which].hoppers.index(at)]


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
    match seen.now.mode:
        case "buy":
            return _buy(seen, plan)
        case "place" | "build":
            return (_placing(seen, plan) if plan is not None else None) or DONE
        case "load":
            return (_refining(seen) if plan is None else _loading(seen, plan)) or DONE
    return _idle(seen) if plan is None else _step(seen, plan)


def _run(seen: State) -> Move:
    moves = tuple(legal(seen))
    return next((move for move in moves if isinstance(move, Activate | Decide)), DONE)


def _serve(seen: State) -> Move:
    points = dict(zip(seen.box.orders, seen.box.points, strict=True))
    moves = [move for move in legal(seen) if isinstance(move, Fulfil)]
    return max(moves, key=lambda move: points[move.order])


def _idle(seen: State) -> Move:
    """Save up; when the storage is full make better cubes, or look at other parts."""
    if seen.seat.count + seen.box.rules.collect <= seen.box.rules.storage:
        return COLLECT
    better = _refining(seen)
    if better is not None:
        return better
    if seen.part_deck:
        return CLEAR
    return STOP


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
        return next(move for move in legal(seen) if isinstance(move, Take))
    if plan.missing:
        numbers = _numbers(box)
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
            wanted = _wanted(move.device, move.spot, plan.making, plan.laid, plan.match)
            if wanted is not None and there[move.color] < wanted[move.color]:
                return move
    return None
