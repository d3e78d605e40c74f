"""Devices on the table: where parts lie, which ports meet, and what a run does to the cubes.

Columns count from left to right. Heights count in half cards, upwards, so a
card at height y fills y-1 to y+1 and its ports are at y, y+1 and y-1. Knows no turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from kitwright.model.games.devices import (
    HEIGHTS,
    NOTHING,
    Basic,
    Cubes,
    Special,
    count_cubes,
)

Spot = tuple[int, int]  # column and height, of a card or of a port at its card's right edge


class Part(Struct, frozen=True):
    """What a part card does; a port of a grey part has no squares."""

    kind: str
    left: tuple[tuple[int, Cubes], ...]  # height of the port, what it needs
    right: tuple[tuple[int, Cubes], ...]
    special: bool
    price: int

    @classmethod
    def of(cls, card: Special | Basic) -> Part:
        """Read a card; `wild` squares count as nothing."""
        left, right = (
            tuple((HEIGHTS[port], count_cubes(side[port])) for port in HEIGHTS if port in side)
            for side in (card.left, card.right)
        )
        return cls(card.kind, left, right, isinstance(card, Special), card.price)


class Placed(Struct, frozen=True):
    """A part on the table; the cubes on it are those of a hopper or a pause."""

    card: int
    column: int
    height: int
    cubes: Cubes = NOTHING

    @property
    def spot(self) -> Spot:
        """Where it lies."""
        return self.column, self.height


Device = tuple[Placed, ...]


def add(a: Cubes, b: Cubes) -> Cubes:
    """Return both heaps together."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def take(a: Cubes, b: Cubes, times: int = 1) -> Cubes:
    """Return what is left of `a` without `b`, so many times."""
    return a[0] - times * b[0], a[1] - times * b[1], a[2] - times * b[2]


def holds(a: Cubes, b: Cubes) -> bool:
    """Tell whether every cube of `b` is in `a`."""
    return a[0] >= b[0] and a[1] >= b[1] and a[2] >= b[2]


def one(color: int) -> Cubes:
    """Return a single cube."""
    return int(color == 0), int(color == 1), int(color == 2)


def outlets(device: Device, parts: Sequence[Part]) -> dict[Spot, Placed]:
    """Return the right ports of a device, by column and height, with their cards."""
    return {
        (p.column, p.height + dy): p for p in device for dy, _ in parts[p.card].right
    }  # fmt: skip


def inlets(device: Device, parts: Sequence[Part]) -> dict[Spot, Placed]:
    """Return the left ports of a device, by the spot of the right port that they want."""
    return {
        (p.column - 1, p.height + dy): p for p in device for dy, _ in parts[p.card].left
    }  # fmt: skip


def open_ends(device: Device, parts: Sequence[Part]) -> list[Spot]:
    """Return the right ports that nothing is attached to: where packers go."""
    met = inlets(device, parts)
    return sorted(spot for spot in outlets(device, parts) if spot not in met)


def fits(device: Device, spot: Spot) -> bool:
    """Tell whether a card laid at `spot` would lie on no other."""
    column, height = spot
    return all(p.column != column or abs(p.height - height) >= 2 for p in device)


def packers_fit(device: Device, parts: Sequence[Part]) -> bool:
    """Tell whether there is room for a packer at every open end."""
    laid = device
    for column, height in open_ends(device, parts):
        if not fits(laid, (column + 1, height)):
            return False
        laid = (*laid, Placed(-1, column + 1, height))
    return True


def is_ready(device: Device, parts: Sequence[Part]) -> bool:
    """Tell whether a device may be run: it has cubes, room for packers, and no bare route.

    Every route from a hopper to a packer must cross a special part, for else
    cubes of the storage could serve orders (§7.1).
    """
    if not any(any(p.cubes) for p in device) or not packers_fit(device, parts):
        return False
    bare: set[Spot] = set()
    for p in in_flow(device):
        part = parts[p.card]
        reached = not part.left or any((p.column - 1, p.height + dy) in bare for dy, _ in part.left)
        if reached and not part.special:
            bare.update((p.column, p.height + dy) for dy, _ in part.right)
    return not bare.intersection(open_ends(device, parts))


def in_flow(device: Device) -> list[Placed]:
    """Return the cards of a device in the order in which they work."""
    return sorted(device, key=lambda p: (p.column, -p.height))


class Choice(Struct, frozen=True):
    """What a player must decide in a run, and the heaps to choose from."""

    kind: str  # split (the heap that goes up) or hold (the heap that stays)
    spot: Spot
    options: tuple[Cubes, ...]


class Outcome(Struct, frozen=True):
    """What a run made, and the device after it; or the choice that it waits for."""

    packed: Cubes
    device: Device
    choice: Choice | None = None


class Run:
    """One activation, played through from the first decision each time."""

    def __init__(
        self,
        parts: Sequence[Part],
        device: Device,
        decisions: Sequence[Cubes],
        hold: int = 1,
        bank: Cubes | None = None,
    ) -> None:
        self.parts = parts
        self.device = device
        self.decisions = list(decisions)
        self.hold = hold
        self.bank = bank
        self.flow: dict[Spot, Cubes] = {}
        self.after: dict[Spot, Placed] = {}

    def outcome(self) -> Outcome:
        """Run from left to right, as far as the decisions lead."""
        for placed in in_flow(self.device):
            self.after[placed.spot] = replace(placed, cubes=NOTHING)
            choice = self.pass_on(placed, self.parts[placed.card])
            if choice is not None:
                return Outcome(NOTHING, self.device, choice)
        packed = NOTHING
        for end in open_ends(self.device, self.parts):
            packed = add(packed, self.flow.get(end, NOTHING))
        return Outcome(packed, tuple(self.after[p.spot] for p in self.device))

    def pass_on(self, placed: Placed, part: Part) -> Choice | None:
        """Let one card do its work; return the choice that it waits for, if any."""
        column, height = placed.spot
        come = [self.flow.pop((column - 1, height + dy), NOTHING) for dy, _ in part.left]
        if part.special:
            self._fire(placed, part, come)
            return None
        heap = placed.cubes
        for cubes in come:
            heap = add(heap, cubes)
        kind = {"splitter": "split", "pause": "hold"}.get(part.kind, "")
        options = _options(kind, heap, self.hold)
        if len(options) > 1 and not self.decisions:
            return Choice(kind, placed.spot, options)
        chosen = NOTHING
        if options:
            chosen = self.decisions.pop(0) if len(options) > 1 else options[0]
        self._send(placed, part, kind, heap, chosen)
        return None

    def _send(self, placed: Placed, part: Part, kind: str, heap: Cubes, chosen: Cubes) -> None:
        exits = [(placed.column, placed.height + dy) for dy, _ in part.right]
        rest = take(heap, chosen)
        if kind == "split":
            self.flow[exits[0]], self.flow[exits[1]] = chosen, rest
            return
        if kind == "hold":
            self.after[placed.spot] = replace(placed, cubes=chosen)
        self.flow[exits[0]] = rest

    def _fire(self, placed: Placed, part: Part, come: Sequence[Cubes]) -> None:
        """Use up what the squares say as often as all ports allow; purge the rest (§7.3)."""
        times = times_fired(part, come)
        if self.bank is not None:
            for cubes in come:
                self.bank = add(self.bank, cubes)
        for dy, made in part.right:
            out = (times * made[0], times * made[1], times * made[2])
            if self.bank is not None:
                there = self.bank
                out = (min(out[0], there[0]), min(out[1], there[1]), min(out[2], there[2]))
                self.bank = take(there, out)
            self.flow[placed.column, placed.height + dy] = out


def times_fired(part: Part, come: Sequence[Cubes]) -> int:
    """Return how often a special part fires on what has come to its left ports."""
    return min(
        have // need
        for (_, needs), cubes in zip(part.left, come, strict=True)
        for need, have in zip(needs, cubes, strict=True)
        if need
    )


def _options(kind: str, heap: Cubes, hold: int) -> tuple[Cubes, ...]:
    count = sum(heap)
    if kind == "hold":
        kept = [one(color) for color in range(3) if hold and heap[color]]
        return (NOTHING, *kept) if kept else ()
    if kind != "split" or not count:
        return ()
    least, most = (1, count - 1) if count > 1 else (0, 1)
    return tuple(
        (y, r, b)
        for y, r, b in product(*(range(number + 1) for number in heap))
        if least <= y + r + b <= most
    )


class Join(Struct, frozen=True):
    """An end of another device, that a joiner takes in beside its first."""

    device: int
    end: Spot


class Placing(Struct, frozen=True):
    """A way to lay a part: on which device, where, and what else is joined to it there."""

    device: int  # as many as there are devices: a new one is opened
    spot: Spot
    hoppers: tuple[Spot, ...] = ()  # where idle hoppers are put before it
    join: Join | None = None


def placings(
    part: Part, devices: Sequence[Device], idle: int, parts: Sequence[Part]
) -> Iterator[Placing]:
    """Yield every way to lay a part at an open end, or on idle hoppers (§3).

    A hopper or packer is never laid by itself: those that are needed come from the idle ones.
    """
    for index, device in enumerate(devices):
        ends = open_ends(device, parts)
        seen = set()
        for column, height in ends:
            for dy, _ in part.left:
                spot = (column + 1, height - dy)
                if spot in seen or not fits(device, spot):
                    continue
                seen.add(spot)
                yield from _feedings(part, devices, index, spot, ends, idle, parts)
    if len(part.left) <= idle:
        feeds = tuple((0, dy) for dy, _ in part.left)
        yield Placing(len(devices), (1, 0), feeds)


def _feedings(
    part: Part,
    devices: Sequence[Device],
    index: int,
    spot: Spot,
    ends: Sequence[Spot],
    idle: int,
    parts: Sequence[Part],
) -> Iterator[Placing]:
    """Yield the ways to feed a part at `spot`, whose ports the ends of its device may not fill."""
    wants = [(spot[0] - 1, spot[1] + dy) for dy, _ in part.left]
    missing = [want for want in wants if want not in ends]
    if not missing:
        yield Placing(index, spot)
        return
    (want,) = missing
    if idle and fits(devices[index], want):
        yield Placing(index, spot, (want,))
    # The device on top is named first, so that no pair is told twice.
    others = range(len(devices)) if want[1] < spot[1] else ()
    for other in others:
        if other == index:
            continue
        for end in open_ends(devices[other], parts):
            if merged(devices[index], devices[other], end, want, spot) is not None:
                yield Placing(index, spot, (), Join(other, end))


def merged(first: Device, second: Device, end: Spot, want: Spot, spot: Spot) -> Device | None:
    """Return both devices as one, the second moved so that `end` comes to `want`."""
    columns, heights = want[0] - end[0], want[1] - end[1]
    moved = tuple(replace(p, column=p.column + columns, height=p.height + heights) for p in second)
    if all(fits(first, p.spot) for p in moved) and fits(moved, spot):
        return (*first, *moved)
    return None


def pieces(device: Device, parts: Sequence[Part]) -> list[Device]:
    """Return the devices into which one falls that is no longer joined together."""
    met, waiting, found = inlets(device, parts), list(device), []
    links: dict[Placed, set[Placed]] = {p: set() for p in device}
    for spot, placed in outlets(device, parts).items():
        if spot in met:
            links[placed].add(met[spot])
            links[met[spot]].add(placed)
    while waiting:
        piece, edge = set[Placed](), [waiting[0]]
        while edge:
            placed = edge.pop()
            piece.add(placed)
            edge.extend(links[placed] - piece)
        found.append(tuple(p for p in device if p in piece))
        waiting = [p for p in waiting if p not in piece]
    return found


def is_free(placed: Placed, device: Device, parts: Sequence[Part]) -> bool:
    """Tell whether nothing is attached to a card's right ports."""
    met: Mapping[Spot, Placed] = inlets(device, parts)
    exits = ((placed.column, placed.height + dy) for dy, _ in parts[placed.card].right)
    return not any(spot in met for spot in exits)
