"""The moves of Beltpunk Haberdasher, each with the text that it prints as. Knows no rules."""

from __future__ import annotations

from dataclasses import dataclass

MACHINE = -1  # as a pile; any other pile is the seat whose scrap it is


def pile_name(pile: int) -> str:
    """Name a pile for people, who count seats from 1."""
    return "machine" if pile == MACHINE else f"scrap {pile + 1}"


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose the card of this turn, face down."""

    card: str

    def __str__(self) -> str:
        return f"choose {self.card}"


@dataclass(frozen=True, slots=True)
class Skip:
    """Take none of the two actions."""

    def __str__(self) -> str:
        return "no action"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw a card from the deck."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Offer a card to another seat."""

    card: str
    seat: int

    def __str__(self) -> str:
        return f"exchange {self.card} with seat {self.seat + 1}"


@dataclass(frozen=True, slots=True)
class Give:
    """Give a card for the one that was offered."""

    card: str

    def __str__(self) -> str:
        return f"give {self.card}"


@dataclass(frozen=True, slots=True)
class Look:
    """Look through the scrap of another seat, to take a card of it."""

    pile: int

    def __str__(self) -> str:
        return f"look at {pile_name(self.pile)}"


@dataclass(frozen=True, slots=True)
class Take:
    """Take a card of a pile that lies open to the player."""

    card: str
    pile: int

    def __str__(self) -> str:
        return f"take {self.card} from {pile_name(self.pile)}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Take a card, to put another one back; it has no name if it is taken unseen."""

    card: str | None
    pile: int

    def __str__(self) -> str:
        return f"swap {self.card or 'a card'} from {pile_name(self.pile)}"


@dataclass(frozen=True, slots=True)
class Put:
    """Put a card where the swapped one was."""

    card: str

    def __str__(self) -> str:
        return f"put {self.card}"


@dataclass(frozen=True, slots=True)
class Lay:
    """Declare a set."""

    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"lay {' '.join(self.cards)}"


@dataclass(frozen=True, slots=True)
class NoSet:
    """Declare that there will be no set."""

    def __str__(self) -> str:
        return "no set"


Move = Choose | Skip | Draw | Exchange | Give | Look | Take | Swap | Put | Lay | NoSet
