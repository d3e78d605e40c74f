"""Shapes of devices laid out on the grid of the table. Knows no turns and no cubes' worth."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from kitwright.engines.devices_grid import Device, Part, Placed, Spot
from kitwright.model.games.devices import Cubes
from kitwright.play.devices_search import Line, Making, Shape

HOPPER = "hopper"
PACKER = "packer"
STRAIGHT = "straight"


class Laid(Struct, frozen=True):
    """A device as a plan: the name of the part at each spot, and its hoppers, the upper first."""

    parts: Mapping[Spot, str]
    hoppers: tuple[Spot, ...]


class _Layer(Struct):
    parts: dict[Spot, str] = field(default_factory=dict)
    hoppers: list[Spot] = field(default_factory=list)

    def line(self, names: Line, column: int, height: int) -> int:
        """Lay a line from a column on; return the next column."""
        for name in names:
            self.parts[column, height] = name
            column += 1
        return column


def lay(shape: Shape) -> Laid:
    """Lay a shape out, its first hopper in column 0 or right of it."""
    on = _Layer()
    if shape.join is None:
        on.hoppers.append((0, 0))
        column = on.line(shape.first, 1, 0)
    else:
        column = max(len(shape.first), len(shape.second)) + 1
        for line, height in ((shape.first, 1), (shape.second, -1)):
            on.hoppers.append((column - 1 - len(line), height))
            on.line(line, column - len(line), height)
        on.parts[column, 0] = shape.join
        column += 1
    column = on.line(shape.trunk, column, 0)
    if shape.split is not None:
        on.parts[column, 0] = shape.split
        longest = max(len(shape.top), len(shape.bottom))
        for line, height in ((shape.top, 1), (shape.bottom, -1)):
            padding = longest - len(line) if shape.rejoin is not None else 0
            on.line((*line, *(STRAIGHT,) * padding), column + 1, height)
        column += longest + 1
        if shape.rejoin is not None:
            on.parts[column, 0] = shape.rejoin
            on.line(shape.last, column + 1, 0)
    return Laid(on.parts, tuple(on.hoppers))


def as_device(laid: Laid, loads: tuple[Cubes, ...], numbers: Mapping[str, int]) -> Device:
    """Return a laid plan as cards on the table, the hoppers loaded."""
    hoppers = (
        Placed(numbers[HOPPER], *spot, cubes)
        for spot, cubes in zip(laid.hoppers, loads, strict=True)
    )
    parts = (Placed(numbers[name], *spot) for spot, name in laid.parts.items())
    return (*hoppers, *parts)


def plan_of(making: Making) -> tuple[Laid, ...]:
    """Lay out all devices of a making."""
    return tuple(lay(shape) for shape in making.shapes)


class Match(Struct, frozen=True):
    """How devices on the table agree with a plan."""

    placed: tuple[str, ...]  # parts that lie where the plan wants them
    at: Mapping[int, tuple[int, Spot]]  # device: which of the plan, and how far it is moved
    strangers: tuple[int, ...]  # devices that are no beginning of one


def match(
    devices: tuple[Device, ...],
    plan: tuple[Laid, ...],
    names: tuple[str, ...],
    parts: tuple[Part, ...],
) -> Match:
    """Find for each device the planned one that it is a part of."""
    taken: set[tuple[int, Spot]] = set()
    at: dict[int, tuple[int, Spot]] = {}
    placed: list[str] = []
    for index, device in enumerate(devices):
        found = _found(device, plan, taken, names, parts)
        if found is not None:
            at[index] = found
            which, (columns, heights) = found
            for p in device:
                taken.add((which, (p.column + columns, p.height + heights)))
                if parts[p.card].left:
                    placed.append(names[p.card])
    strangers = tuple(index for index in range(len(devices)) if index not in at)
    return Match(tuple(placed), at, strangers)


def _found(
    device: Device,
    plan: tuple[Laid, ...],
    taken: set[tuple[int, Spot]],
    names: tuple[str, ...],
    parts: tuple[Part, ...],
) -> tuple[int, Spot] | None:
    anchor = next(p for p in device if parts[p.card].left)
    for which, laid in enumerate(plan):
        for spot, name in laid.parts.items():
            if name != names[anchor.card]:
                continue
            move = (spot[0] - anchor.column, spot[1] - anchor.height)
            if all(_agrees(p, move, which, laid, taken, names, parts) for p in device):
                return which, move
    return None


def _agrees(
    p: Placed,
    move: Spot,
    which: int,
    laid: Laid,
    taken: set[tuple[int, Spot]],
    names: tuple[str, ...],
    parts: tuple[Part, ...],
) -> bool:
    spot = (p.column + move[0], p.height + move[1])
    if (which, spot) in taken:
        return False
    if not parts[p.card].left:
        return spot in laid.hoppers
    return laid.parts.get(spot) == names[p.card]
