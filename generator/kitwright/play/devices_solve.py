"""The device search in words: the cheapest device of an order, and how it lies on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from kitwright.engines.devices import engine
from kitwright.engines.devices_grid import Device, open_ends
from kitwright.engines.devices_moves import said
from kitwright.model.game import Game
from kitwright.model.games.devices import COLORS, Cubes
from kitwright.play.devices_search import Making
from kitwright.play.devices_workshop import Workshop
from kitwright.problems import did_you_mean

APART = 1.25  # heights of a card between two devices


class UnknownOrderError(ValueError):
    """An order was named that the deck lacks."""


class Solved(Struct, frozen=True):
    """An answer in lines, in plain data, and as cards on a table: face, column, row."""

    lines: tuple[str, ...]
    data: dict[str, Any]
    cards: tuple[tuple[str, float, float], ...]


def solve_order(game: Game, name: str) -> Solved:
    """Find the cheapest devices of an order, without grey parts and with them."""
    workshop = Workshop(engine(game))
    box = workshop.box
    if name.lower() not in box.orders:
        hint = did_you_mean(name.lower(), box.orders) or f"; expected one such as {box.orders[0]}"
        raise UnknownOrderError(f"'{name}' is no order of the game{hint}")
    order = box.orders.index(name.lower())
    wanted, best = box.wants[order], workshop.best_of(order)
    lines = [f"{box.orders[order]}: {said(wanted)} for {box.points[order]} points"]
    data: dict[str, Any] = {
        "game": game.id,
        "order": box.orders[order],
        "points": box.points[order],
    }
    if best is None:
        return Solved((*lines, "no device of three special parts makes it"), data, ())
    shown = best.making
    lines += _told(workshop, "cheapest", best.making, best.cost)
    data["cheapest"] = _data(workshop, best.making, best.cost)
    lines.append(f"fewest actions from the start: {best.actions}")
    data["actions"] = best.actions
    greyer = workshop.greyer(wanted, best.cost)
    if greyer is not None:
        lines += _told(workshop, "cheaper with grey parts", greyer[1], greyer[0])
        data["with_grey_parts"] = _data(workshop, greyer[1], greyer[0])
        shown = greyer[1]
    return Solved(tuple(lines), data, tuple(_cards(workshop, shown)))


def _told(workshop: Workshop, head: str, making: Making, cost: int) -> Iterator[str]:
    due = workshop.due(making)
    yield f"{head}: {cost} (parts {due}, cubes {cost - due})"
    for number, (device, up) in enumerate(workshop.devices(making), 1):
        yield f"  device {number}: {_line(workshop, device)}"
        if any(up):
            yield f"    the grey splitter sends up {said(up)}"
    yield f"  packed: {said(workshop.packed(making))}"


def _line(workshop: Workshop, device: Device) -> str:
    """Return a device column by column, the upper card first."""
    box = workshop.box
    columns: dict[int, list[str]] = {}
    for placed in sorted(device, key=lambda p: (p.column, -p.height)):
        name = box.names[placed.card]
        if any(placed.cubes):
            name += f" ({said(placed.cubes)})"
        columns.setdefault(placed.column, []).append(name)
    for column, _ in open_ends(device, box.parts):
        columns.setdefault(column + 1, []).append("packer")
    return " -> ".join(" / ".join(columns[column]) for column in sorted(columns))


def _data(workshop: Workshop, making: Making, cost: int) -> dict[str, Any]:
    names = workshop.box.names
    devices = [
        {
            "parts": [
                {
                    "part": names[p.card],
                    "column": p.column,
                    "height": p.height,
                    "load": _named(p.cubes),
                }
                for p in device
            ],
            "up": _named(up),
        }
        for device, up in workshop.devices(making)
    ]
    packed = _named(workshop.packed(making))
    return {"cost": cost, "price": workshop.due(making), "devices": devices, "packed": packed}


def _named(cubes: Cubes) -> dict[str, int]:
    return {color: n for color, n in zip(COLORS, cubes, strict=True) if n}


def _cards(workshop: Workshop, making: Making) -> Iterator[tuple[str, float, float]]:
    """Yield the faces of a making, its devices one under the other."""
    box, top = workshop.box, 0.0
    for device, _ in workshop.devices(making):
        spots = [(box.names[p.card], p.column, p.height) for p in device]
        spots += [("packer", column + 1, y) for column, y in open_ends(device, box.parts)]
        highest = max(height for _, _, height in spots)
        lowest = min(height for _, _, height in spots)
        for name, column, height in spots:
            special = box.parts[workshop.numbers[name]].special
            deck = "special" if special else "basic"
            yield f"{deck}/{name}", float(column), top + (highest - height) / 2
        top += (highest - lowest) / 2 + APART
