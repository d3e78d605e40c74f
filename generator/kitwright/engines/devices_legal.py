"""The moves that are open on a table of Devices. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kitwright.engines.devices_grid import Run, holds, is_free, is_ready, open_ends, placings
from kitwright.engines.devices_moves import (
    AGREE,
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
    GiveBack,
    Load,
    Move,
    Offer,
    Pay,
    Place,
    Return,
    Sell,
    Take,
)
from kitwright.engines.devices_table import Table, distinct, payments


def legal(table: Table) -> Iterator[Move]:
    """Yield every move of the seat to move, in a fixed order."""
    if table.now.offer is not None:
        yield from (AGREE, REFUSE)
        return
    match table.now.mode:
        case "":
            yield from _between_actions(table)
        case "buy":
            yield from _buying(table)
        case "place":
            yield from _placing(table, table.now.fresh)
            yield DONE
        case "build":
            yield from _placing(table, table.seat.hand)
            yield DONE
        case "take":
            yield from _taking(table)
            yield DONE
        case "load":
            yield from _loading(table)
            yield DONE
        case "run":
            yield from _running(table)
        case "fulfil":
            yield from served(table)
            yield DONE
        case _:  # return, surplus
            yield from (Return(color) for color in range(3) if table.seat.storage[color])


def _between_actions(table: Table) -> Iterator[Move]:
    if table.now.actions:
        yield COLLECT
        yield from _accepting(table)
        yield from _wares(table)
        yield from _selling(table)
        if table.part_row or table.part_deck:
            yield CLEAR
        yield from _placing(table, table.seat.hand)
        yield from _taking(table)
        yield from _loading(table)
    yield from _offering(table)
    yield STOP


def _accepting(table: Table) -> Iterator[Move]:
    names, seat = table.box.orders, table.seat
    if len(seat.orders) < table.box.rules.held_orders:
        yield from (Accept(names[order]) for order in table.order_row)
    if table.box.rules.giving_back:
        yield from (GiveBack(names[order]) for order in seat.orders)


def wares(table: Table) -> dict[str, int]:
    """Return the parts that the shop offers, by name."""
    tops = [pile[0] for pile in table.piles if pile]
    return dict(distinct(table.box.names, (*table.part_row, *tops)))


def _wares(table: Table) -> Iterator[Move]:
    left = table.box.worth(table.seat.storage) - table.now.due
    for name, card in wares(table).items():
        if table.box.parts[card].price <= left:
            yield Buy(name)


def _selling(table: Table) -> Iterator[Move]:
    rules = table.box.rules.selling
    if rules.allowed and table.now.sold + rules.each <= rules.most:
        yield from (Sell(name) for name in distinct(table.box.names, sellable(table)))


def sellable(table: Table) -> tuple[int, ...]:
    """Return the cards that a player may sell: the hand, and idle hoppers and packers bought."""
    seat, shop = table.seat, table.box.basic
    return (*seat.hand, *(card for card in (*seat.hoppers, *seat.packers) if card in shop))


def _buying(table: Table) -> Iterator[Move]:
    yield from _wares(table)
    yield from _selling(table)
    if table.now.due:
        yield from map(Pay, payments(table.seat.storage, table.now.due, table.box.values))
    else:
        yield DONE


def _placing(table: Table, cards: Sequence[int]) -> Iterator[Move]:
    seat, parts = table.seat, table.box.parts
    for name, card in distinct(table.box.names, cards).items():
        for placing in placings(parts[card], seat.devices, len(seat.hoppers), parts):
            yield Place(name, placing)


def can_place(table: Table) -> bool:
    """Tell whether a part that was just bought can be laid at once."""
    return any(True for _ in _placing(table, table.now.fresh))


def _taking(table: Table) -> Iterator[Move]:
    names, parts = table.box.names, table.box.parts
    for index, device in enumerate(table.seat.devices):
        for placed in device:
            if parts[placed.card].left and is_free(placed, device, parts):
                yield Take(names[placed.card], index, placed.spot)


def _loading(table: Table) -> Iterator[Move]:
    seat, parts = table.seat, table.box.parts
    colors = [color for color in range(3) if seat.storage[color]]
    for index, device in enumerate(seat.devices) if colors else ():
        for placed in device:
            if not parts[placed.card].left:
                yield from (Load(color, index, placed.spot) for color in colors)


def runnable(table: Table) -> list[int]:
    """Return the devices that may be run now."""
    seat, parts, now = table.seat, table.box.parts, table.now
    free = len(seat.packers) - now.used
    return [
        index
        for index, device in enumerate(seat.devices)
        if index not in now.ran
        and len(open_ends(device, parts)) <= free
        and is_ready(device, parts)
    ]


def run_of(table: Table, index: int, decisions: Sequence[tuple[int, int, int]]) -> Run:
    """Return the run of a device of the active player."""
    box = table.box
    return Run(box.parts, table.seat.devices[index], decisions, box.rules.hold, table.bank)


def _running(table: Table) -> Iterator[Move]:
    if table.now.running is None:
        yield from map(Activate, runnable(table))
        yield DONE
        return
    choice = run_of(table, table.now.running, table.now.decisions).outcome().choice
    assert choice is not None
    yield from (Decide(choice.kind, option) for option in choice.options)


def served(table: Table) -> Iterator[Fulfil]:
    """Yield the held orders that the packed cubes can serve."""
    for order in table.seat.orders:
        if holds(table.now.packed, table.box.wants[order]):
            yield Fulfil(table.box.orders[order])


def _offering(table: Table) -> Iterator[Move]:
    rules, names = table.box.rules.trading, table.box.names
    if not rules.allowed or table.now.offers >= rules.offers:
        return
    for seat, other in enumerate(table.seats):
        if seat != table.active:
            for mine in distinct(names, table.seat.hand):
                for wanted in distinct(names, other.hand):
                    if mine != wanted:
                        yield Offer(mine, wanted, seat)
