"""The table of Devices: what the box holds, what lies before each seat, and how a turn stands.

Plain values with the few questions that need no rules of play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.devices_grid import (
    Device,
    Part,
    Placed,
    Placing,
    add,
    merged,
    open_ends,
    pieces,
    take,
)
from kitwright.model.games.devices import (
    HEIGHTS,
    NOTHING,
    Cubes,
    Devices,
    count_cubes,
    value_of,
)

HOPPER = Part("hopper", (), ((HEIGHTS["mid"], NOTHING),), False, 0)
PACKER = Part("packer", ((HEIGHTS["mid"], NOTHING),), (), False, 0)
OTHER = Part("", (), (), False, 0)
T = TypeVar("T")


class Box:
    """What does not change during a game: the rules, and every card by its number.

    Parts are numbered first the special ones, then the basic ones, then what players own.
    """

    def __init__(self, view: Devices) -> None:
        self.rules = view.rules
        self.values = view.rules.values.cubes
        cards = (*view.special, *view.basic, *view.own)
        self.names = tuple(name for name, _ in cards)
        named = (view.special, view.basic, view.own)
        self.titles = tuple(card.title for deck in named for _, card in deck)
        own = {"hopper": HOPPER, "packer": PACKER}
        self.parts = (
            *(Part.of(card) for _, card in view.special),
            *(Part.of(card) for _, card in view.basic),
            *(own.get(card.kind, OTHER) for _, card in view.own),
        )
        self.special = range(len(view.special))
        self.basic = range(len(view.special), len(view.special) + len(view.basic))
        self.orders = tuple(name for name, _ in view.orders)
        self.wants = tuple(count_cubes(order.cubes) for _, order in view.orders)
        self.points = tuple(order.points for _, order in view.orders)
        self.tokens = view.tokens
        marks = dict.fromkeys(card.mark for _, card in view.own)
        first = self.basic.stop
        self.own = tuple(
            tuple(first + at for at, (_, card) in enumerate(view.own) if card.mark == mark)
            for mark in marks
        )

    def worth(self, cubes: Cubes) -> int:
        """Return what cubes pay."""
        return value_of(cubes, self.values)


class Seat(Struct, frozen=True):
    """What one player has."""

    storage: Cubes
    hand: tuple[int, ...] = ()
    devices: tuple[Device, ...] = ()
    hoppers: tuple[int, ...] = ()  # idle ones
    packers: tuple[int, ...] = ()
    own: tuple[int, ...] = ()  # cards that never move
    orders: tuple[int, ...] = ()
    served: tuple[int, ...] = ()

    @property
    def on_table(self) -> Cubes:
        """The cubes in hoppers and pauses."""
        total = NOTHING
        for device in self.devices:
            for placed in device:
                if any(placed.cubes):
                    total = add(total, placed.cubes)
        return total

    @property
    def count(self) -> int:
        """The cubes that count against the limit."""
        return sum(self.storage) + sum(self.on_table)

    def with_device(self, index: int, device: Device) -> Seat:
        """Return the seat with one device changed."""
        return replace(self, devices=with_item(self.devices, index, device))

    def with_part(self, card: int, placing: Placing) -> Seat:
        """Return the seat with a part laid, hoppers and another device joined to it."""
        fresh = placing.device == len(self.devices)
        device: Device = () if fresh else self.devices[placing.device]
        feeds = tuple(
            Placed(hopper, *spot)
            for hopper, spot in zip(self.hoppers, placing.hoppers, strict=False)
        )
        devices = self.devices
        if placing.join is not None:
            column, height = placing.spot
            want = (column - 1, height + HEIGHTS["bot"])
            second = devices[placing.join.device]
            joined = merged(device, second, placing.join.end, want, placing.spot)
            assert joined is not None
            device = joined
        device = (*device, *feeds, Placed(card, *placing.spot))
        devices = (*devices, device) if fresh else with_item(devices, placing.device, device)
        if placing.join is not None:
            devices = without_at(devices, placing.join.device)
        return replace(self, devices=devices, hoppers=self.hoppers[len(feeds) :])

    def without_part(self, index: int, placed: Placed, parts: Sequence[Part]) -> Seat:
        """Return the seat with a part in hand again; hoppers that fed it are idle, cubes lost."""
        left = tuple(p for p in self.devices[index] if p != placed)
        found = pieces(left, parts)
        idle = tuple(d[0].card for d in found if len(d) == 1 and not parts[d[0].card].left)
        kept = tuple(d for d in found if len(d) > 1 or parts[d[0].card].left)
        devices = (*self.devices[:index], *kept, *self.devices[index + 1 :])
        return replace(
            self,
            devices=devices,
            hoppers=(*self.hoppers, *idle),
            hand=(*self.hand, placed.card),
        )

    def largest(self, parts: Sequence[Part]) -> int:
        """Count the cards of the largest device, its packers too."""
        sizes = [
            len(device) + min(len(open_ends(device, parts)), len(self.packers))
            for device in self.devices
        ]
        return max(sizes, default=0)


class Turn(Struct, frozen=True):
    """How far the turn of the active player has come."""

    actions: int
    mode: str = ""  # the action or phase that is under way; none between actions
    due: int = 0  # the price of what was chosen
    sold: int = 0
    fresh: tuple[int, ...] = ()  # parts bought and not yet placed
    packed: Cubes = NOTHING
    used: int = 0  # packers
    ran: tuple[int, ...] = ()
    running: int | None = None
    decisions: tuple[Cubes, ...] = ()
    offers: int = 0
    offer: tuple[int, int, int] | None = None  # own card, other's card, other's seat


def payments(storage: Cubes, due: int, values: Cubes) -> Iterator[Cubes]:
    """Yield every way to pay at least `due` in which no cube could be left out."""
    for blue in range(storage[2] + 1):
        for red in range(storage[1] + 1):
            rest = due - blue * values[2] - red * values[1]
            yellow = max(0, -(-rest // values[0]))
            if yellow > storage[0]:
                continue
            heap = (yellow, red, blue)
            over = value_of(heap, values) - due
            if all(not n or value > over for n, value in zip(heap, values, strict=True)):
                yield heap


def distinct(names: Sequence[str], cards: Sequence[int]) -> Mapping[str, int]:
    """Return the cards by name, the first of those that are alike."""
    found: dict[str, int] = {}
    for card in cards:
        found.setdefault(names[card], card)
    return found


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards without one."""
    return without_at(cards, cards.index(card))


def without_at(items: tuple[T, ...], at: int) -> tuple[T, ...]:
    """Return the items without the one at a place."""
    return items[:at] + items[at + 1 :]


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the items with another one at a place."""
    return (*items[:at], item, *items[at + 1 :])


class Table(Struct, frozen=True):
    """Everything on the table between two moves; cards are their numbers in the box."""

    box: Box
    turn: int
    seats: tuple[Seat, ...]
    now: Turn
    order_row: tuple[int, ...]
    part_row: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]
    order_deck: tuple[int, ...]  # hidden; the first card is drawn next
    part_deck: tuple[int, ...]  # hidden; cleared parts go to its end
    aside: tuple[int, ...]  # parts that are not used with so few players

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.turn % len(self.seats)

    @property
    def seat(self) -> Seat:
        """What the active player has."""
        return self.seats[self.active]

    @property
    def to_move(self) -> int:
        """The seat that acts next: the active one, or the one that is offered a swap."""
        return self.active if self.now.offer is None else self.now.offer[2]

    @property
    def bank(self) -> Cubes | None:
        """The cubes that are left in the bank; None when it never runs out."""
        bank = self.box.rules.bank
        if not bank.limited:
            return None
        used = self.now.packed
        for seat in self.seats:
            used = add(used, add(seat.storage, seat.on_table))
        left = take(bank.cubes, used)
        return max(0, left[0]), max(0, left[1]), max(0, left[2])
