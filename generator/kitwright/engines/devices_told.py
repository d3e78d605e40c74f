"""What a table of Devices tells of itself: cards by place, cubes, devices, and what a run would do.

Rulebooks look it up for their examples. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kitwright.engines.devices_grid import Device, in_flow, open_ends
from kitwright.engines.devices_legal import run_of, runnable
from kitwright.engines.devices_moves import said
from kitwright.engines.devices_table import Seat, Table
from kitwright.model.games.devices import COLORS, Cubes

ON_CARD = (0.06, 0.07)  # where the first cube lies on a card, in its widths and heights
ROOM = 0.25  # from cube to cube, in widths of a card
IN_A_ROW = 3
Spread = tuple[tuple[str, float, float], ...]  # cards with their columns and rows


def cards_by_place(table: Table) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of all cards by place."""
    orders = {"order deck": table.order_deck, "order row": table.order_row}
    parts = {
        "part deck": table.part_deck,
        "part row": table.part_row,
        "piles": tuple(card for pile in table.piles for card in pile),
        "aside": table.aside,
        "bought": table.now.fresh,
    }
    for number, seat in enumerate(table.seats, 1):
        orders |= {f"orders {number}": seat.orders, f"served {number}": seat.served}
        laid = tuple(placed.card for device in seat.devices for placed in device)
        parts |= {
            f"hand {number}": seat.hand,
            f"table {number}": (*laid, *seat.hoppers, *seat.packers, *seat.own),
        }
    return {
        place: tuple(names[card] for card in cards)
        for names, places in ((table.box.orders, orders), (table.box.names, parts))
        for place, cards in places.items()
    }


def facts(table: Table) -> dict[str, Any]:
    """Return what can be seen beside the cards; seats are counted from 0."""
    return {
        "actions": table.now.actions,
        "due": table.now.due,
        "storage": tuple(_named(seat.storage) for seat in table.seats),
        "cubes": tuple(seat.count for seat in table.seats),
        "packed": said(table.now.packed),
        "devices": tuple(
            tuple(_spread(table, seat, device) for device in seat.devices) for seat in table.seats
        ),
        "runs": tuple(tuple(_steps(table, index)) for index in runnable(table)),
    }


def _named(cubes: Cubes) -> dict[str, int]:
    return dict(zip(COLORS, cubes, strict=True))


def _spread(table: Table, seat: Seat, device: Device) -> Spread:
    """Return a device with packers at its ends and the cubes on it, from the top left."""
    names, ends = table.box.names, open_ends(device, table.box.parts)
    packers = zip(seat.packers, ends, strict=False)
    spots = [(names[p.card], p.column, p.height) for p in device]
    spots += [(names[card], column + 1, height) for card, (column, height) in packers]
    first, top = min(column for _, column, _ in spots), max(height for _, _, height in spots)
    cards = [(name, float(column - first), (top - height) / 2) for name, column, height in spots]
    for p in device if table.box.tokens else ():
        colors = [color for color, n in zip(COLORS, p.cubes, strict=True) for _ in range(n)]
        for at, color in enumerate(colors):
            across, down = at % IN_A_ROW, at // IN_A_ROW
            x = p.column - first + ON_CARD[0] + ROOM * across
            y = (top - p.height) / 2 + ON_CARD[1] + ROOM * down * 0.7
            cards.append((table.box.tokens[color], x, y))
    return tuple(cards)


def _steps(table: Table, index: int) -> Iterator[dict[str, Any]]:
    """Yield part by part what comes to it and what leaves it, up to the first choice."""
    run = run_of(table, index, ())
    for placed in in_flow(table.seat.devices[index]):
        part = table.box.parts[placed.card]
        before = [(placed.column - 1, placed.height + dy) for dy, _ in part.left]
        after = [(placed.column, placed.height + dy) for dy, _ in part.right]
        came = [run.flow[spot] for spot in before if spot in run.flow] or [placed.cubes]
        if run.pass_on(placed, part) is not None:
            return
        yield {
            "part": table.box.titles[placed.card],
            "came": tuple(map(said, came)),
            "went": tuple(said(run.flow[spot]) for spot in after if spot in run.flow),
        }
