"""The moves of Beltpunk Haberdasher, each with the text that it prints as. Knows no rules."""

from __future__ import annotations

from msgspec import Struct

MACHINE = -1  # as a pile; any other pile is the seat whose scrap it is


def pile_name(pile: int) -> str:
    """Name a pile for people, who count seats from 1."""
    return "machine" if pile == MACHINE else f"scrap {pile + 1}"


class Choose(Struct, frozen=True):
    """Choose the card of this turn, face down."""

    card: str

    def __str__(self) -> str:
        return f"choose {self.card}"


class Skip(Struct, frozen=True):
    """Take none of the two actions."""

    def __str__(self) -> str:
        return "no action"


class Draw(Struct, frozen=True):
    """Draw a card from the deck."""

    def __str__(self) -> str:
        return "draw"


class Exchange(Struct, frozen=True):
    """Offer a card to another seat."""

    card: str
    seat: int

    def __str__(self) -> str:
        return f"exchange {self.card} with seat {self.seat + 1}"


class Give(Struct, frozen=True):
    """Give a card for the one that was offered."""

    card: str

    def __str__(self) -> str:
        return f"give {self.card}"


class Look(Struct, frozen=True):
    """Look through the scrap of another seat, to take a card of it."""

    pile: int

    def __str__(self) -> str:
        return f"look at {pile_name(self.pile)}"


class Take(Struct, frozen=True):
    """Take a card of a pile that lies open to the player."""

    card: str
    pile: int

    def __str__(self) -> str:
        return f"take {self.card} from {pile_name(self.pile)}"


class Swap(Struct, frozen=True):
    """Take a card, to put another one back; it has no name if it is taken unseen."""

    card: str | None
    pile: int

    def __str__(self) -> str:
        return f"swap {self.card or 'a card'} from {pile_name(self.pile)}"


class Put(Struct, frozen=True):
    """Put a card where the swapped one was."""

    card: str

    def __str__(self) -> str:
        return f"put {self.card}"


class Lay(Struct, frozen=True):
    """Declare a set."""

    cards: tuple[str, ...]

    def __str__(self) -> str:
        return f"lay {' '.join(self.cards)}"


class NoSet(Struct, frozen=True):
    """Declare that there will be no set."""

    def __str__(self) -> str:
        return "no set"


Move = Choose | Skip | Draw | Exchange | Give | Look | Take | Swap | Put | Lay | NoSet
