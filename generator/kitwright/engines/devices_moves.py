"""The moves of Devices, each with the text that it is known by. Knows no rules."""

from __future__ import annotations

from dataclasses import dataclass

from kitwright.engines.devices_grid import Placing, Spot
from kitwright.model.games.devices import COLORS, Cubes


def said(cubes: Cubes) -> str:
    """Return a heap of cubes as words: `2 yellow, 1 blue`."""
    return ", ".join(f"{n} {c}" for n, c in zip(cubes, COLORS, strict=True) if n) or "nothing"


def _at(device: int, spot: Spot) -> str:
    return f"{device + 1}:{spot[0]},{spot[1]}"


@dataclass(frozen=True, slots=True)
class Simple:
    """A move without choices: collect, clear, done (with an action), stop (acting), agree …."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class Accept:
    """Take an order of the row."""

    order: str

    def __str__(self) -> str:
        return f"accept {self.order}"


@dataclass(frozen=True, slots=True)
class GiveBack:
    """Put a held order under the deck, which is an optional rule."""

    order: str

    def __str__(self) -> str:
        return f"give back {self.order}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Choose a part to buy."""

    part: str

    def __str__(self) -> str:
        return f"buy {self.part}"


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a part while buying, which is an optional rule."""

    part: str

    def __str__(self) -> str:
        return f"sell {self.part}"


@dataclass(frozen=True, slots=True)
class Pay:
    """Pay for all that was chosen."""

    cubes: Cubes

    def __str__(self) -> str:
        return f"pay {said(self.cubes)}"


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a part on the table: at an end of a device, or on idle hoppers."""

    part: str
    placing: Placing

    def __str__(self) -> str:
        placing = self.placing
        text = f"place {self.part} at {_at(placing.device, placing.spot)}"
        if placing.join is not None:
            text += f" joining {_at(placing.join.device, placing.join.end)}"
        return text


@dataclass(frozen=True, slots=True)
class Take:
    """Take a part back into the hand."""

    part: str
    device: int
    spot: Spot

    def __str__(self) -> str:
        return f"take {self.part} at {_at(self.device, self.spot)}"


@dataclass(frozen=True, slots=True)
class Load:
    """Put a cube of the storage into a hopper."""

    color: int
    device: int
    spot: Spot

    def __str__(self) -> str:
        return f"load {COLORS[self.color]} at {_at(self.device, self.spot)}"


@dataclass(frozen=True, slots=True)
class Return:
    """Return a cube to the bank, because there are too many."""

    color: int

    def __str__(self) -> str:
        return f"return {COLORS[self.color]}"


@dataclass(frozen=True, slots=True)
class Activate:
    """Run a device."""

    device: int

    def __str__(self) -> str:
        return f"run {self.device + 1}"


@dataclass(frozen=True, slots=True)
class Decide:
    """Send a heap up at a splitter, or keep one in a pause."""

    kind: str
    cubes: Cubes

    def __str__(self) -> str:
        return f"{self.kind} {said(self.cubes)}"


@dataclass(frozen=True, slots=True)
class Fulfil:
    """Serve an order with cubes of this turn's packers."""

    order: str

    def __str__(self) -> str:
        return f"fulfil {self.order}"


@dataclass(frozen=True, slots=True)
class Offer:
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
