"""What the rules of Devices need to know of its cards: ports, squares, prices, orders, numbers.

Knows what a card means and what it ought to cost, not how it looks or how a game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from kitwright.model.game import Card, Deck, Game
from kitwright.model.joints import Joint
from kitwright.problems import Problem

T = TypeVar("T")
Cubes = tuple[int, int, int]  # yellow, red, blue
Color = Literal["yellow", "red", "blue"]
Port = Literal["top", "mid", "bot"]
COLORS: tuple[Color, ...] = ("yellow", "red", "blue")
HEIGHTS: Mapping[Port, int] = {"top": 1, "mid": 0, "bot": -1}  # in half cards, upwards
NOTHING: Cubes = (0, 0, 0)
MOUTH = 16.0  # mm of an edge that a pipe takes up
# The ports that each kind of part has, on the left and on the right.
PORTS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    kind: (frozenset(left.split()), frozenset(right.split()))
    for kind, left, right in (
        ("converter", "mid", "mid"),
        ("hopper", "", "mid"),
        ("packer", "mid", ""),
        ("straight", "mid", "mid"),
        ("up", "mid", "top"),
        ("down", "mid", "bot"),
        ("splitter", "mid", "top bot"),
        ("joiner", "top bot", "mid"),
        ("pause", "mid", "mid"),
    )
}


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Strict models take a tuple only, and YAML has lists.
Listed = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
Count = Annotated[int, Field(ge=0, le=100)]
Some = Annotated[int, Field(ge=1, le=100)]
Price = Annotated[int, Field(ge=1, le=40)]


class StrictModel(BaseModel):
    """A model that takes nothing it does not know and changes no type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class _Ported(StrictModel):
    """What all parts share: their kind, and the ports that it has."""

    title: str
    price: Price

    @model_validator(mode="after")
    def _ports_of_the_kind(self) -> _Ported:
        kind: str = getattr(self, "kind")  # noqa: B009 - each kind of deck has its own
        for side, wanted in zip(("left", "right"), PORTS[kind], strict=True):
            there = set(getattr(self, side))
            if there != wanted:
                raise ValueError(
                    f"{side} has {_listed(there)}; expected {_listed(wanted)} for a {kind}"
                )
        return self


class Special(_Ported):
    """A coloured part: squares that it uses up, squares that it makes."""

    kind: Literal["converter", "splitter", "joiner"]
    left: dict[Port, Annotated[Listed[Color], Field(min_length=1)]]
    right: dict[Port, Annotated[Listed[Color], Field(min_length=1)]]
    because: str | None = None


class Basic(_Ported):
    """A grey part: it passes every cube and changes none."""

    kind: Literal["hopper", "packer", "straight", "up", "down", "splitter", "joiner", "pause"]
    left: dict[Port, Annotated[Listed[Literal["wild"]], Field(min_length=1, max_length=1)]]
    right: dict[Port, Annotated[Listed[Literal["wild"]], Field(min_length=1, max_length=1)]]
    text: str


class Order(StrictModel):
    """What a customer wants, and what it is worth."""

    title: str
    wish: str
    cubes: Annotated[Listed[Color], Field(min_length=1)]
    points: Annotated[int, Field(ge=1, le=50)]
    because: str | None = None


class PlayerCard(StrictModel):
    """A card that a player starts with."""

    title: str
    kind: Literal["hopper", "packer", "manager", "storage"]
    mark: str


class ByColor(StrictModel):
    """A number for each colour."""

    yellow: Count
    red: Count
    blue: Count

    @property
    def cubes(self) -> Cubes:
        """The three numbers in the order of the colours."""
        return self.yellow, self.red, self.blue


class Bank(ByColor):
    """The cubes of the box, and whether they are all that there is."""

    limited: bool


class Selling(StrictModel):
    """The optional rule of selling cards."""

    allowed: bool
    each: Count
    most: Count


class Trading(StrictModel):
    """The optional rule of swapping cards."""

    allowed: bool
    offers: Some


class PriceRule(StrictModel):
    """How the price of a part follows from what it does."""

    start: Count
    gain: Count
    least: Price
    joiner: Annotated[int, Field(ge=-10, le=10)]
    basic: Price


class PointsRule(StrictModel):
    """How the points of an order follow from its cheapest device."""

    less: Count
    per: Some


class Tokens(ByColor):
    """The printed cubes; the black ones mark actions."""

    black: Count


class Rules(StrictModel):
    """The numbers of the rules."""

    values: ByColor
    start: ByColor
    hoppers: Some
    packers: Some
    actions: Some
    collect: Some
    storage: Some
    held_orders: Some
    order_row: Some
    part_row: Some
    basic_extra: Count
    hold: Annotated[int, Field(ge=0, le=1)]
    goal: Some
    bank: Bank
    selling: Selling
    trading: Trading
    giving_back: bool
    price: PriceRule
    points: PointsRule
    tokens: Tokens


CARDS: Mapping[str, type[BaseModel]] = {
    "orders": Order,
    "special": Special,
    "basic": Basic,
    "players": PlayerCard,
}
RULES: type[BaseModel] = Rules
# Icons to be told apart without colour, each with the family of colours that it is painted in.
CUES: Mapping[str, Mapping[str, str]] = {
    "cubes": {f"cube-{color}": color for color in (*COLORS, "wild")}
}


class Devices(Struct, frozen=True):
    """The game with its cards as models; a card with copies is there as often as it is printed."""

    rules: Rules
    orders: tuple[tuple[str, Order], ...]
    special: tuple[tuple[str, Special], ...]
    basic: tuple[tuple[str, Basic], ...]
    own: tuple[tuple[str, PlayerCard], ...]
    tokens: Mapping[str, str]  # the printed cubes by colour; none in a kit without them
    players: tuple[int, int]

    @classmethod
    def of(cls, game: Game) -> Devices:
        """Read the typed view of a loaded game."""
        return cls(
            Rules.model_validate(game.rules),
            tuple(_cards(game, "orders", Order)),
            tuple(_cards(game, "special", Special)),
            tuple(_cards(game, "basic", Basic)),
            tuple(_cards(game, "players", PlayerCard)),
            {
                card.fields["color"]: card.id
                for deck in game.decks
                if deck.id == "tokens"
                for card in deck.cards
            },
            game.players,
        )


def count_cubes(colors: Sequence[str]) -> Cubes:
    """Count a list of squares by colour."""
    return colors.count("yellow"), colors.count("red"), colors.count("blue")


def value_of(cubes: Cubes, values: Cubes) -> int:
    """Return what cubes are worth."""
    return cubes[0] * values[0] + cubes[1] * values[1] + cubes[2] * values[2]


def value_ratio(part: Special, values: Cubes) -> Fraction:
    """Return the value that a part makes for each that it uses up."""
    worth = [
        sum(value_of(count_cubes(squares), values) for squares in side.values())
        for side in (part.left, part.right)
    ]
    return Fraction(worth[1], worth[0])


def price_by_rule(part: Special, rules: Rules) -> int:
    """Return what a special part ought to cost."""
    rule = rules.price
    exact = rule.start + rule.gain * (value_ratio(part, rules.values.cubes) - 1)
    price = (exact + Fraction(1, 2)).__floor__() + (rule.joiner if part.kind == "joiner" else 0)
    return max(rule.least, price)


def points_by_rule(cost: int, rules: Rules) -> int:
    """Return what an order ought to give whose cheapest device costs so much."""
    return (cost - rules.points.less) // rules.points.per


def joints(game: Game) -> Iterator[Joint]:
    """Yield every mouth of a pipe; those at corners are halves of the one in the middle."""
    for deck in (game.deck("special"), game.deck("basic")):
        high = deck.size.height
        middles: Mapping[str, float] = {"top": 0.0, "mid": high / 2, "bot": high}
        for card in deck.cards:
            for side in ("left", "right"):
                for port in card.fields[side]:
                    above = 0.0 if port == "top" else -MOUTH / 2
                    below = 0.0 if port == "bot" else MOUTH / 2
                    face = f"{deck.id}/{card.id}"
                    yield Joint(face, side, port, middles[port], above, below)


def check_game(game: Game) -> tuple[Problem, ...]:
    """Find cards that do not agree with the numbers of the rules."""
    there = {deck.id for deck in game.decks}
    missing = [f"the game has no deck '{deck}'" for deck in CARDS if deck not in there]
    if missing:
        return tuple(Problem(game.place, "missing-deck", said) for said in missing)
    return tuple(_set_up_faults(game))


def _set_up_faults(game: Game) -> Iterator[Problem]:
    view, most = Devices.of(game), game.players[1]
    rules = view.rules
    pile = most + rules.basic_extra
    for card in game.deck("basic").cards:
        if card.copies < pile:
            said = f"card '{card.id}': {card.copies} copies; {most} players need piles of {pile}"
            yield Problem(card.place, "too-few-cards", said)
    marks = dict.fromkeys(card.mark for _, card in view.own)
    if len(marks) < most:
        said = f"the deck has {len(marks)} marks; expected {most}, one for each player"
        yield Problem(game.deck("players").place, "too-few-cards", said)
    wanted = {"hopper": rules.hoppers, "packer": rules.packers, "manager": 1, "storage": 1}
    for mark in marks:
        for kind, number in wanted.items():
            found = sum(card.mark == mark and card.kind == kind for _, card in view.own)
            if found != number:
                said = f"mark '{mark}' has {found} cards of kind {kind}; expected {number}"
                yield Problem(game.deck("players").place, "rules-mismatch", said)


def _listed(names: set[str] | frozenset[str]) -> str:
    return ", ".join(name for name in HEIGHTS if name in names) or "no port"


M = TypeVar("M", bound=StrictModel)


def _cards(game: Game, deck: str, model: type[M]) -> Iterator[tuple[str, M]]:
    for card in _printed(game.deck(deck)):
        yield card.id, model.model_validate(card.fields)


def _printed(deck: Deck) -> Iterator[Card]:
    return (card for card in deck.cards for _ in range(card.copies))
