"""What the rules of Hard Wired need to know of its cards: wires, parts, values, numbers.

Knows what a card means, not how it looks or how a game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from kitwright.model.game import Card, Deck, Game
from kitwright.problems import Problem

SHIFTS: Mapping[str | None, int] = {None: 0, "inductor": 1, "resistor": -1}

T = TypeVar("T")


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Strict models take a tuple only, and YAML has lists.
Listed = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
Contact = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0, le=100)]


class StrictModel(BaseModel):
    """A model that takes nothing it does not know and changes no type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class Wire(StrictModel):
    """A wire from an IN contact on the left to an OUT contact on the right; 1 is the top one."""

    start: Contact = Field(alias="from")
    to: Contact
    part: Literal["inductor", "resistor"] | None = None

    @property
    def shift(self) -> int:
        """What the wire adds to the value it carries."""
        return SHIFTS[self.part]


class Circuit(StrictModel):
    """A Circuit card: one wire for each line."""

    title: str
    wires: Listed[Wire] = Field(min_length=1)

    @field_validator("wires")
    @classmethod
    def _one_to_one(cls, wires: tuple[Wire, ...]) -> tuple[Wire, ...]:
        contacts = list(range(1, len(wires) + 1))
        for side, used in (("IN", [w.start for w in wires]), ("OUT", [w.to for w in wires])):
            if sorted(used) != contacts:
                raise ValueError(
                    f"the wires use {side} contacts {', '.join(map(str, used))}; "
                    f"expected each of 1 to {len(wires)} once"
                )
        return wires


class Display(StrictModel):
    """A Display card: the value of each line, the top one first."""

    values: Listed[Annotated[int, Field(ge=1)]] = Field(min_length=1)


class Span(StrictModel):
    """How many circuits a segment may have."""

    fewest: int = Field(ge=1, le=5)
    most: int = Field(ge=1, le=5)

    @model_validator(mode="after")
    def _in_order(self) -> Span:
        if self.fewest > self.most:
            raise ValueError(
                f"fewest is {self.fewest} but most is {self.most}; expected most to be the larger"
            )
        return self


class Rules(StrictModel):
    """The numbers of the rules."""

    lines: int = Field(ge=1, le=4)
    values: int = Field(ge=2, le=5)
    display_copies: int = Field(ge=1, le=20)
    public_displays: int = Field(ge=1, le=20)
    public_circuits: Count
    hand: Count
    extra_circuits: Listed[Count]
    draw: int = Field(ge=1, le=20)
    segment: Span
    goal: int = Field(ge=2, le=50)
    end: Literal["at-once", "round"]


CARDS: Mapping[str, type[BaseModel]] = {"displays": Display, "circuits": Circuit}
RULES: type[BaseModel] = Rules


class HardWired(Struct, frozen=True):
    """The game with its cards as models; a card with copies is there as often as it is printed."""

    rules: Rules
    circuits: tuple[tuple[str, Circuit], ...]
    displays: tuple[tuple[str, Display], ...]
    players: tuple[int, int]

    @classmethod
    def of(cls, game: Game) -> HardWired:
        """Read the typed view of a loaded game."""
        return cls(
            Rules.model_validate(game.rules),
            tuple(
                (card.id, Circuit.model_validate(card.fields))
                for card in _printed(game.deck("circuits"))
            ),
            tuple(
                (card.id, Display.model_validate(card.fields))
                for card in _printed(game.deck("displays"))
            ),
            game.players,
        )

    def dealt(self, players: int) -> int:
        """Count the circuits that leave the deck before the first turn."""
        rules = self.rules
        return rules.public_circuits + players * rules.hand + sum(rules.extra_circuits[:players])


def check_game(game: Game) -> tuple[Problem, ...]:
    """Find cards that do not agree with the numbers of the rules."""
    there = {deck.id for deck in game.decks}
    missing = [
        f"the game has no deck '{deck}'; expected one in a file of its own"
        for deck in CARDS
        if deck not in there
    ]
    if missing:
        return tuple(Problem(game.place, "missing-deck", said) for said in missing)
    return tuple(_card_faults(game)) or tuple(_deal_faults(game))


def _card_faults(game: Game) -> Iterator[Problem]:
    rules = Rules.model_validate(game.rules)
    for card in game.deck("circuits").cards:
        wires = len(card.fields["wires"])
        if wires != rules.lines:
            yield _fault(card, "wires", f"{wires} wires; expected {rules.lines}, one for each line")
    for card in game.deck("displays").cards:
        values = card.fields["values"]
        if len(values) != rules.lines:
            said = f"{len(values)} values; expected {rules.lines}, one for each line"
            yield _fault(card, "values", said)
        for value in values:
            if value > rules.values:
                yield _fault(card, "values", f"value is {value}; expected 1 to {rules.values}")


def _deal_faults(game: Game) -> Iterator[Problem]:
    view, most = HardWired.of(game), game.players[1]
    seats = len(view.rules.extra_circuits)
    if seats < most:
        said = f"extra_circuits names {seats} seats; expected {most}, one for each player"
        yield Problem(game.place, "too-few-seats", said)
    needs = (
        ("circuits", len(view.circuits), view.dealt(most)),
        ("displays", len(view.displays), most + view.rules.public_displays),
    )
    for deck, there, need in needs:
        if need > there:
            said = f"the deck has {there} cards; expected at least {need}, dealt to {most} players"
            yield Problem(game.deck(deck).place, "too-few-cards", said)


def _fault(card: Card, field: str, said: str) -> Problem:
    return Problem(card.at(field), "rules-mismatch", f"card '{card.id}': {said}")


def _printed(deck: Deck) -> Iterator[Card]:
    return (card for card in deck.cards for _ in range(card.copies))
