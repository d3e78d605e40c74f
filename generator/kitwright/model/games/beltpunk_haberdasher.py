"""What the rules of Beltpunk Haberdasher need to know: suits, ranks, actions, sets, numbers.

Knows what a card means, not how it looks or how a game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from kitwright.model.game import Card, Game
from kitwright.problems import Place, Problem

ACTIONS = ("draw", "exchange", "swap", "take")
DECK = "gearbox"

T = TypeVar("T")
Action = Literal["draw", "exchange", "swap", "take"]
Suit = Annotated[str, Field(min_length=1, max_length=40)]


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Strict models take a tuple only, and YAML has lists.
Listed = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]


class StrictModel(BaseModel):
    """A model that takes nothing it does not know and changes no type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class GearCard(StrictModel):
    """A card of the deck."""

    title: str
    suit: Suit
    rank: int = Field(ge=1)


class SuitRow(StrictModel):
    """A suit: its place in Machine Order, and the two actions that it lets a player choose from."""

    place: int = Field(ge=1, le=4)
    title: str
    actions: Listed[Action] = Field(min_length=2, max_length=2)


class ActionRow(StrictModel):
    """What an action is called and what it says on the cards."""

    title: str
    text: str


class DealRow(StrictModel):
    """What is dealt to how many players, and how many cards a belt of The Machine holds."""

    players: int = Field(ge=2, le=4)
    hand: int = Field(ge=1, le=20)
    machine: int = Field(ge=0, le=20)
    slots: int = Field(ge=1, le=20)


class SetRow(StrictModel):
    """A kind of set, and what it scores."""

    id: str
    title: str
    shape: Literal["same-rank", "one-suit-run", "all-suits-run"]
    fewest: int = Field(ge=2, le=13)
    most: int = Field(ge=2, le=13)
    points: int = Field(ge=0, le=100)
    extra: int = Field(ge=0, le=100)

    @model_validator(mode="after")
    def _in_order(self) -> SetRow:
        if self.fewest > self.most:
            raise ValueError(
                f"fewest is {self.fewest} but most is {self.most}; expected most to be the larger"
            )
        return self

    def score(self, cards: int) -> int:
        """Return what a set of so many cards is worth."""
        return self.points + self.extra * (cards - self.fewest)


class Rules(StrictModel):
    """The numbers of the rules."""

    ranks: int = Field(ge=2, le=20)
    suits: dict[str, SuitRow] = Field(min_length=4, max_length=4)
    actions: dict[Action, ActionRow] = Field(min_length=4, max_length=4)
    deal: Listed[DealRow] = Field(min_length=1)
    sets: Listed[SetRow] = Field(min_length=1)
    scrap: int = Field(ge=0, le=20)
    target: int = Field(ge=1, le=1000)


CARDS: Mapping[str, type[BaseModel]] = {DECK: GearCard}
RULES: type[BaseModel] = Rules


class Beltpunk(Struct, frozen=True):
    """The game with its cards as models; suits are their numbers in Machine Order, from 0."""

    rules: Rules
    suits: tuple[str, ...]
    cards: tuple[tuple[str, GearCard], ...]
    players: tuple[int, int]

    @classmethod
    def of(cls, game: Game) -> Beltpunk:
        """Read the typed view of a loaded game."""
        rules = Rules.model_validate(game.rules)
        suits = sorted(rules.suits, key=lambda suit: rules.suits[suit].place)
        cards = [
            (card.id, GearCard.model_validate(card.fields))
            for card in game.deck(DECK).cards
            for _ in range(card.copies)
        ]
        return cls(rules, tuple(suits), tuple(cards), game.players)

    def deal(self, players: int) -> DealRow:
        """Return the row of the deal for so many players."""
        return next(row for row in self.rules.deal if row.players == players)


def corners(rules: Rules) -> tuple[frozenset[Action], ...]:
    """Return what the suits that meet at each corner of The Machine share, the first corner first.

    The suits lie along its sides in Machine Order; corner 1 lies between suits 1 and 2.
    """
    rows = sorted(rules.suits.values(), key=lambda row: row.place)
    return tuple(
        frozenset(row.actions) & frozenset(after.actions)
        for row, after in zip(rows, [*rows[1:], rows[0]], strict=True)
    )


def check_game(game: Game) -> tuple[Problem, ...]:
    """Find cards that do not agree with the numbers of the rules."""
    if DECK not in {deck.id for deck in game.decks}:
        return (Problem(game.place, "missing-deck", f"the game has no deck '{DECK}'"),)
    return tuple(_rule_faults(game)) or tuple(_card_faults(game)) or tuple(_deal_faults(game))


def _rule_faults(game: Game) -> Iterator[Problem]:
    rules = Rules.model_validate(game.rules)
    places = sorted(row.place for row in rules.suits.values())
    if places != list(range(1, len(places) + 1)):
        said = f"the suits have the places {', '.join(map(str, places))} in Machine Order"
        yield Problem(game.place, "rules-mismatch", f"{said}; expected each of 1 to 4 once")
    elif any(len(shared) != 1 for shared in corners(rules)):
        said = "two suits that follow in Machine Order share no action, or two"
        yield Problem(game.place, "rules-mismatch", f"{said}; expected exactly one")
    else:
        yield from _corner_faults(game, rules)
    dealt = {row.players for row in rules.deal}
    for players in range(game.players[0], game.players[1] + 1):
        if players not in dealt:
            said = f"deal has no row for {players} players; expected one"
            yield Problem(game.place, "rules-mismatch", said)


def _corner_faults(game: Game, rules: Rules) -> Iterator[Problem]:
    """Find suits whose second action is not that of the corner behind them."""
    rows = sorted(rules.suits.items(), key=lambda item: item[1].place)
    for (suit, row), (action,) in zip(rows, corners(rules), strict=True):
        if row.actions[1] != action:
            said = f"the second action of {suit} is '{row.actions[1]}'"
            yield Problem(
                game.place,
                "rules-mismatch",
                f"{said}; expected '{action}', which it shares with the next suit",
            )


def _card_faults(game: Game) -> Iterator[Problem]:
    rules = Rules.model_validate(game.rules)
    seen: dict[tuple[str, int], str] = {}
    for card in game.deck(DECK).cards:
        suit, rank = card.fields["suit"], card.fields["rank"]
        if suit not in rules.suits:
            known = ", ".join(rules.suits)
            yield _fault(card, "suit", f"suit is '{suit}'; expected one of {known}")
        if rank > rules.ranks:
            yield _fault(card, "rank", f"rank is {rank}; expected 1 to {rules.ranks}")
        if card.copies > 1:
            yield _fault(card, "rank", f"{card.copies} copies; expected 1, as order needs no ties")
        if (suit, rank) in seen:
            other = seen[suit, rank]
            yield _fault(card, "rank", f"card '{other}' is the {rank} of {suit} already")
        seen.setdefault((suit, rank), card.id)


def _deal_faults(game: Game) -> Iterator[Problem]:
    view, there = Beltpunk.of(game), game.deck(DECK).count
    for row in view.rules.deal:
        need = row.players * (row.hand + 1) + row.machine
        if need > there:
            said = f"the deck has {there} cards; {row.players} players need {need} in a first turn"
            yield Problem(game.deck(DECK).place, "too-few-cards", said)


def _fault(card: Card, field: str, said: str) -> Problem:
    line, column = card.places.get(field, (card.place.line, card.place.column))
    return Problem(
        Place(card.place.file, line, column), "rules-mismatch", f"card '{card.id}': {said}"
    )
