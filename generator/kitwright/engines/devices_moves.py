"""The moves of Devices, each with the text that it is known by. Knows no rules."""

from __future__ import annotations

from msgspec import Struct

from kitwright.engines.devices_grid import Placing, Spot
from kitwright.model.games.devices import COLORS, Cubes


def said(cubes: Cubes) -> str:
    """Return a heap of cubes as words: `2 yellow, 1 blue`."""
    return ", ".join(f"{n} {c}" for n, c in zip(cubes, COLORS, strict=True) if n) or "nothing"


def _at(device: int, spot: Spot) -> str:
    return f"{device + 1}:{spot[0]},{spot[1]}"


class Simple(Struct, frozen=True):
    """A move without choices: collect, clear, done (with an action), stop (acting), agree …."""

    word: str

    def __str__(self) -> str:
        return self.word


class Accept(Struct, frozen=True):
    """Take an order of the row."""

    order: str

    def __str__(self) -> str:
        return f"accept {self.order}"


class GiveBack(Struct, frozen=True):
    """Put a held order under the deck, which is an optional rule."""

    order: str

    def __str__(self) -> str:
        return f"give back {self.order}"


class Buy(Struct, frozen=True):
    """Choose a part to buy."""

    part: str

    def __str__(self) -> str:
        return f"buy {self.part}"


class Sell(Struct, frozen=True):
    """Sell a part while buying, which is an optional rule."""

    part: str

    def __str__(self) -> str:
        return f"sell {self.part}"


class Pay(Struct, frozen=True):
    """Pay for all that was chosen."""

    cubes: Cubes

    def __str__(self) -> str:
        return f"pay {said(self.cubes)}"


class Place(Struct, frozen=True):
    """Lay a part on the table: at an end of a device, or on idle hoppers."""

    part: str
    placing: Placing

    def __str__(self) -> str:
        placing = self.placing
        text = f"place {self.part} at {_at(placing.device, placing.spot)}"
        if placing.join is not None:
            text += f" joining {_at(placing.join.device, placing.join.end)}"
        return text


class Take(Struct, frozen=True):
    """Take a part back into the hand."""

    part: str
    device: int
    spot: Spot

    def __str__(self) -> str:
        return f"take {self.part} at {_at(self.device, self.spot)}"


class Load(Struct, frozen=True):
    """Put a cube of the storage into a hopper."""

    color: int
    device: int
    spot: Spot

    def __str__(self) -> str:
        return f"load {COLORS[self.color]} at {_at(self.device, self.spot)}"


class Return(Struct, frozen=True):
    """Return a cube to the bank, because there are too many."""

    color: int

    def __str__(self) -> str:
        return f"return {COLORS[self.color]}"


class Activate(Struct, frozen=True):
    """Run a device."""

    device: int

    def __str__(self) -> str:
        return f"run {self.device + 1}"


class Decide(Struct, frozen=True):
    """Send a heap up at a splitter, or keep one in a pause."""

    kind: str
    cubes: Cubes

    def __str__(self) -> str:
        return f"{self.kind} {said(self.cubes)}"


class Fulfil(Struct, frozen=True):
    """Serve an order with cubes of this turn's packers."""

    order: str

    def __str__(self) -> str:
        return f"fulfil {self.order}"


class Offer(Struct, frozen=True):
    """Offer another player a swap of cards, which is an optional rule."""

    part: str
    wanted: str
    seat: int

    def __str__(self) -> str:
        return f"offer {self.part} for {self.wanted} to {self.seat + 1}"


COLLECT, CLEAR, DONE, STOP = Simple("collect"), Simple("clear"), Simple("done"), Simple("stop")
AGREE, REFUSE = Simple("agree"), Simple("refuse")

Move = (
    Simple
    | Accept
    | GiveBack
    | Buy
    | Sell
    | Pay
    | Place
    | Take
    | Load
    | Return
    | Activate
    | Decide
    | Fulfil
    | Offer
)
