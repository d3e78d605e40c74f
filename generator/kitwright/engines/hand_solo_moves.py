"""The moves of Hand Solo. Cards are named by their ids; a move prints as it is replayed."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Land(Struct, frozen=True):
    """Land at the starport and reveal its market (§5.1)."""

    def __str__(self) -> str:
        return "land"


class Meet(Struct, frozen=True):
    """Let a patrol or a pirate do what its card says (§7)."""

    def __str__(self) -> str:
        return "meet"


class Sell(Struct, frozen=True):
    """Sell a card of the cargo (§5.2)."""

    card: str

    def __str__(self) -> str:
        return f"sell {self.card}"


class Deliver(Struct, frozen=True):
    """Deliver the goods that the port wants, the cards loaded first taken first (§5.2)."""

    def __str__(self) -> str:
        return "deliver"


class Complete(Struct, frozen=True):
    """Complete a contract for its payout, or to turn its port friendly (§9.2)."""

    card: str
    reward: Literal["credits", "renown"]

    def __str__(self) -> str:
        return f"complete {self.card} for {self.reward}"


class Buy(Struct, frozen=True):
    """Buy the card of the port or merchant, or a revealed one (§5.3)."""

    card: str

    def __str__(self) -> str:
        return f"buy {self.card}"


class Accept(Struct, frozen=True):
    """Accept the contract of the port or merchant (§9.1)."""

    def __str__(self) -> str:
        return "accept"


class Drop(Struct, frozen=True):
    """Discard a card of the cargo (§8); a contract fails (§9.3)."""

    card: str

    def __str__(self) -> str:
        return f"drop {self.card}"


class Bribe(Struct, frozen=True):
    """Pay a mercenary (§7)."""

    def __str__(self) -> str:
        return "bribe"


class Refuse(Struct, frozen=True):
    """Give a mercenary all cargo instead (§7)."""

    def __str__(self) -> str:
        return "refuse"


class Leave(Struct, frozen=True):
    """Bypass a starport, end a landing, or wave a merchant on."""

    def __str__(self) -> str:
        return "leave"


class GoOn(Struct, frozen=True):
    """Pay the fee and begin another year (§11)."""

    def __str__(self) -> str:
        return "go on"


class Retire(Struct, frozen=True):
    """End the career (§11)."""

    def __str__(self) -> str:
        return "retire"


Move = (
    Land
    | Meet
    | Sell
    | Deliver
    | Complete
    | Buy
    | Accept
    | Drop
    | Bribe
    | Refuse
    | Leave
    | GoOn
    | Retire
)
