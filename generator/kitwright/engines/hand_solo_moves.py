"""The moves of Hand Solo. Cards are named by their ids; a move prints as it is replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Land:
    """Land at the starport and reveal its market (§5.1)."""

    def __str__(self) -> str:
        return "land"


@dataclass(frozen=True, slots=True)
class Meet:
    """Let a patrol or a pirate do what its card says (§7)."""

    def __str__(self) -> str:
        return "meet"


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a card of the cargo (§5.2)."""

    card: str

    def __str__(self) -> str:
        return f"sell {self.card}"


@dataclass(frozen=True, slots=True)
class Deliver:
    """Deliver the goods that the port wants, the cards loaded first taken first (§5.2)."""

    def __str__(self) -> str:
        return "deliver"


@dataclass(frozen=True, slots=True)
class Complete:
    """Complete a contract for its payout, or to turn its port friendly (§9.2)."""

    card: str
    reward: Literal["credits", "renown"]

    def __str__(self) -> str:
        return f"complete {self.card} for {self.reward}"


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy the card of the port or merchant, or a revealed one (§5.3)."""

    card: str

    def __str__(self) -> str:
        return f"buy {self.card}"


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the contract of the port or merchant (§9.1)."""

    def __str__(self) -> str:
        return "accept"


@dataclass(frozen=True, slots=True)
class Drop:
    """Discard a card of the cargo (§8); a contract fails (§9.3)."""

    card: str

    def __str__(self) -> str:
        return f"drop {self.card}"


@dataclass(frozen=True, slots=True)
class Bribe:
    """Pay a mercenary (§7)."""

    def __str__(self) -> str:
        return "bribe"


@dataclass(frozen=True, slots=True)
class Refuse:
    """Give a mercenary all cargo instead (§7)."""

    def __str__(self) -> str:
        return "refuse"


@dataclass(frozen=True, slots=True)
class Leave:
    """Bypass a starport, end a landing, or wave a merchant on."""

    def __str__(self) -> str:
        return "leave"


@dataclass(frozen=True, slots=True)
class GoOn:
    """Pay the fee and begin another year (§11)."""

    def __str__(self) -> str:
        return "go on"


@dataclass(frozen=True, slots=True)
class Retire:
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
