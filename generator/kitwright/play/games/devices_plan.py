"""Plans of the Devices bot: which order to make next, with which device, out of what is there.

A plan works with what lies in the shop and before a player, never with what a deck may bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from kitwright.engines.devices import State
from kitwright.engines.devices_grid import Part, add, holds
from kitwright.engines.devices_table import Box
from kitwright.model.games.devices import Cubes
from kitwright.play.devices_lay import Laid, Match, match, plan_of
from kitwright.play.devices_search import MOST_PARTS, Making, Search


class Plan(Struct, frozen=True):
    """An order, and how it is to be made."""

    order: int
    making: Making
    laid: tuple[Laid, ...]
    match: Match
    missing: tuple[str, ...]  # parts to be bought
    blocked: bool  # whether devices must be dismantled first
    score: tuple[float, int]


Kit = tuple[tuple[str, ...], tuple[str, ...], int]  # parts, those to be bought, their price
Book = Mapping[tuple[str, ...], tuple[tuple[Making, Cubes], ...]]


@lru_cache(maxsize=4)
def book_of(box: Box) -> tuple[Book, ...]:
    """Return for each order the sets of parts that make it, with how and with what load."""
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
def numbers_of(box: Box) -> dict[str, int]:
    """Return a card of the shop for each name."""
    return {box.names[card]: card for card in (*box.special, *box.basic)}


def best_plan(seen: State) -> Plan | None:
    """Return the plan with most points an action; None when nothing can be made yet."""
    best: Plan | None = None
    books, kits, held = book_of(seen.box), _kits(seen), seen.seat.orders
    have = add(seen.seat.storage, seen.seat.on_table)
    for order in _orders(seen):
        book, points, first = books[order], seen.box.points[order], 1 + (order not in held)
        for names, missing, price in kits:
            due = seen.now.due + price
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


def in_reach(seen: State) -> Iterator[tuple[str, ...]]:
    """Yield the sets of parts that make an order in reach, if the shop and its deck bring them.

    In reach are the orders held and, if there is room, those of the row; red and blue cubes must
    be there, yellow ones can be collected.
    """
    seat, box = seen.seat, seen.box
    shop = Counter(box.names[card] for card in (*seen.part_row, *seen.part_deck))
    there, have = _owned(seen) + shop, add(seat.storage, seat.on_table)
    for order in _orders(seen):
        for names, ways in book_of(box)[order].items():
            if all(there[name] >= names.count(name) for name in names) and any(
                load[1] <= have[1] and load[2] <= have[2] for _, load in ways
            ):
                yield names


def next_part(seen: State) -> str | None:
    """Return a part of the shop that brings a player nearer to some order; None if there is none.

    For those who have saved all they can and can make nothing of what lies there.
    """
    box, owned, numbers = seen.box, _owned(seen), numbers_of(seen.box)
    wanted = [_missing(names, owned) for names in in_reach(seen)]
    if not wanted:
        return None
    fewest = min(map(len, wanted))
    useful = {name for names in wanted if len(names) == fewest for name in names}
    money = box.worth(seen.seat.storage)
    parts = [box.names[card] for card in seen.part_row if box.parts[card].price <= money]
    return min(
        (name for name in parts if name in useful),
        key=lambda name: box.parts[numbers[name]].price,
        default=None,
    )


def _kits(seen: State) -> list[Kit]:
    """Return the sets of few parts that make something, with those to be bought and their price."""
    shop = tuple(seen.box.names[card] for card in seen.part_row)
    return _kits_of(seen.box, tuple(sorted(_owned(seen).items())), shop)


@lru_cache(maxsize=64)
def _kits_of(box: Box, owned: tuple[tuple[str, int], ...], shop: tuple[str, ...]) -> list[Kit]:
    numbers, mine, useful = numbers_of(box), Counter(dict(owned)), _useful(box)
    both = (mine + Counter(shop)).elements()
    there = sorted(name for name in both if box.parts[numbers[name]].special)
    kits = []
    for number in range(1, MOST_PARTS + 1):
        for names in dict.fromkeys(combinations(there, number)):
            if names in useful:
                missing = _missing(names, mine)
                price = sum(box.parts[numbers[name]].price for name in missing)
                kits.append((names, missing, price))
    return kits


@lru_cache(maxsize=4)
def _useful(box: Box) -> frozenset[tuple[str, ...]]:
    return frozenset(names for book in book_of(box) for names in book)


def _missing(names: tuple[str, ...], owned: Counter[str]) -> tuple[str, ...]:
    if len(set(names)) == len(names):
        return tuple(name for name in names if not owned[name])
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
                wanted = wanted_at(index, p.spot, making, laid, found)
                if wanted is None or not (holds(wanted, p.cubes) or holds(p.cubes, wanted)):
                    return False
    return True


def wanted_at(
    device: int, spot: tuple[int, int], making: Making, laid: Sequence[Laid], found: Match
) -> Cubes | None:
    """Return what a plan wants in the hopper at a spot; None where it wants no hopper."""
    if device not in found.at:
        return None
    which, (columns, heights) = found.at[device]
    at = (spot[0] + columns, spot[1] + heights)
    if at not in laid[which].hoppers:
        return None
    return making.loads[which][laid[which].hoppers.index(at)]
