"""What the rules of Hand Solo need to know of its cards: prices, goods, contracts, ships, ranks.

Knows what a card means, not how it looks or how a career runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from kitwright.model.game import Card, Game
from kitwright.problems import Place, Problem

T = TypeVar("T")


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Strict models take a tuple only, and YAML has lists.
Listed = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
Basic = Literal["FO", "IN", "MI", "FU", "TE", "CN"]
Advanced = Literal["FO+", "IN+", "MI+", "FU+", "TE+"]
Good = Basic | Advanced
Government = Literal["Federation", "Independent", "Rebel", "Outlaw"]
Flag = Literal["valuable", "illegal"]
Attitude = Literal["Neutral", "Hostile"] | None
Few = Annotated[int, Field(ge=1, le=9)]
Price = Annotated[int, Field(ge=1, le=99)]
Stat = Annotated[int, Field(ge=0, le=99)]
BASICS: tuple[Basic, ...] = ("FO", "IN", "MI", "FU", "TE", "CN")
GOVERNMENTS = ("Federation", "Independent", "Rebel", "Outlaw")


class StrictModel(BaseModel):
    """A model that takes nothing it does not know and changes no type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class Modifier(StrictModel):
    """What a revealed card does to the price of one exact good."""

    good: Good
    amount: Annotated[int, Field(ge=-20, le=20)]


class Battle(StrictModel):
    """A battle score and its hits; no rule uses them yet."""

    score: str
    hits: Stat


class Contract(StrictModel):
    """A job that fills holds until its goal is reached; `all` fills every hold of an empty ship."""

    job: Literal["Delivery", "Blockade Run", "Passengers"]
    to: str
    pays: Price
    deposit: Price | None = None
    cargo: Few | Literal["all"]
    rush: bool = False
    flag: Flag | None = None

    @property
    def bulk(self) -> bool:
        """Whether deposit and payout are those of one hold."""
        return self.cargo == "all"


class Wanted(StrictModel):
    """The cards that turn a port friendly when they are delivered."""

    good: Good
    count: Few


class Listing(StrictModel):
    """The advanced good with a price of its own."""

    good: Advanced
    price: Price


class PortSide(StrictModel):
    """What differs between the two sides of a starport."""

    commodity: Good
    services: Listed[Literal["Shipyard", "Upgrades", "Repair", "Legal"]]


class Starport(StrictModel):
    """A starport; its prices are those of the unknown side."""

    title: str
    government: Government
    economy: Literal["High-Tech", "Agricultural", "Industrial", "Extraction", "Refining"]
    market_size: Annotated[int, Field(ge=0, le=5)]
    prices: dict[Basic, Price]
    advanced: Listing
    modifier: Modifier
    wants: Wanted
    contract: Contract
    unknown: PortSide
    friendly: PortSide
    battle: Battle
    news: str


class Vessel(StrictModel):
    """The ship that a contact flies."""

    make: str
    model: str
    hull: Stat
    speed: Stat
    combat: Stat


class Demand(StrictModel):
    """The fourth stat of a contact."""

    name: Literal["Fine", "Bounty", "Cargo", "Bribe"]
    amount: Stat


class ContactSide(StrictModel):
    """One side of a contact; `after` is its attitude after peace, victory, defeat and evasion."""

    faction: Literal["Federation", "Pirate", "Merchant", "Mercenary"]
    subtype: str
    commodity: Good
    ship: Vessel
    stat: Demand
    after: Listed[Attitude] = Field(min_length=4, max_length=4)
    encounter: str
    price: Price | None = None
    hail: str


class Contact(StrictModel):
    """A contact with its two sides."""

    title: str
    rank: Few | None = None
    modifier: Modifier
    battle: Battle
    contract: Contract | None = None
    neutral: ContactSide
    hostile: ContactSide


class Ship(StrictModel):
    """A ship; the rules use its holds, their size and its fees."""

    title: str
    manufacturer: str
    model: str
    holds: Few
    hold_size: Few
    fees: Stat
    money: dict[Literal["cost", "trade_in", "deductible", "repair", "legal"], Stat]
    hull: dict[Literal["whole", "damaged"], Stat]
    speed: Stat
    combat: Stat
    upgrades: dict[Literal["space", "hull", "speed", "combat", "cargo"], Stat]
    size: dict[Literal["length", "beam", "mass"], Annotated[int, Field(ge=1)]]
    description: str


class Friendly(StrictModel):
    """How a friendly port changes its prices."""

    high: int
    low: int
    advanced_percent: Annotated[int, Field(ge=1, le=1000)]


class Rules(StrictModel):
    """The numbers of the rules."""

    credits: Annotated[int, Field(ge=0, le=10_000)]
    years: Annotated[int, Field(ge=1, le=100)]
    ship: str
    contracts: bool
    infamy: bool
    price_floor: Annotated[int, Field(ge=0, le=9)]
    friendly: Friendly


class Commodity(StrictModel):
    """A row of the table of goods."""

    good: Good
    icon: str
    name: str
    label: str
    valuable: bool
    illegal: bool
    average: Price | None


class Rank(StrictModel):
    """A row of the table of ranks."""

    rank: str
    least: Annotated[int, Field(ge=0, alias="from")]


CARDS: Mapping[str, type[BaseModel]] = {"starports": Starport, "contacts": Contact, "ships": Ship}
RULES: type[BaseModel] = Rules
TABLES: Mapping[str, type[BaseModel]] = {"commodities": Commodity, "ranks": Rank}


class HandSolo(Struct, frozen=True):
    """The game with its cards as models, by id."""

    rules: Rules
    starports: Mapping[str, Starport]
    contacts: Mapping[str, Contact]
    ships: Mapping[str, Ship]
    goods: Mapping[str, Commodity]
    ranks: tuple[Rank, ...]  # from the lowest

    @classmethod
    def of(cls, game: Game) -> HandSolo:
        """Read the typed view of a loaded game."""
        ports, contacts, ships = (game.deck(deck).cards for deck in CARDS)
        goods = [Commodity.model_validate(row) for row in game.tables["commodities"]["rows"]]
        return cls(
            Rules.model_validate(game.rules),
            {card.id: Starport.model_validate(card.fields) for card in ports},
            {card.id: Contact.model_validate(card.fields) for card in contacts},
            {card.id: Ship.model_validate(card.fields) for card in ships},
            {row.good: row for row in goods},
            tuple(Rank.model_validate(row) for row in game.tables["ranks"]["rows"]),
        )

    @property
    def ship(self) -> Ship:
        """The ship that is flown."""
        return self.ships[self.rules.ship]

    def prices(self, port: str, friendly: bool) -> dict[str, int]:
        """Return the price of every good at a port, before modifiers.

        A good above or below its average is high or low, and a friendly port moves it further
        the same way; an advanced good without a price of its own has that of its basic good.
        """
        card, rule = self.starports[port], self.rules.friendly
        prices: dict[str, int] = {}
        for good, price in card.prices.items():
            average = self.goods[good].average or price
            shift = rule.high if price > average else rule.low if price < average else 0
            prices[good] = max(self.rules.price_floor, price + shift) if friendly else price
        percent = rule.advanced_percent if friendly else 100
        prices[card.advanced.good] = -(-card.advanced.price * percent // 100)
        return prices

    def rank(self, score: int) -> str:
        """Return the rank of a score."""
        return next(row.rank for row in reversed(self.ranks) if score >= row.least)


def check_game(game: Game) -> tuple[Problem, ...]:
    """Find cards that do not agree with each other or with the numbers of the rules."""
    there = {deck.id for deck in game.decks}
    missing = [f"the game has no deck '{deck}'" for deck in CARDS if deck not in there]
    missing += [f"the game has no table '{name}'" for name in TABLES if name not in game.tables]
    if missing:
        return tuple(Problem(game.place, "missing-deck", said) for said in missing)
    return tuple(_faults(game))


def _faults(game: Game) -> Iterator[Problem]:
    ships = [card.id for card in game.deck("ships").cards]
    if game.rules["ship"] not in ships:
        said = f"ship is '{game.rules['ship']}'; expected one of {', '.join(ships)}"
        yield Problem(game.place, "rules-mismatch", said)
    yield from _table_faults(game)
    ports = game.deck("starports").cards
    goals = {*GOVERNMENTS, *(card.fields["title"] for card in ports)}
    for card in (*ports, *game.deck("contacts").cards):
        contract = card.fields["contract"]
        if contract is not None and contract["to"] not in goals:
            said = f"the contract goes to '{contract['to']}'; expected a government or a starport"
            yield _fault(card, "contract", said)
    for card in ports:
        if missing := [good for good in BASICS if good not in card.fields["prices"]]:
            yield _fault(card, "prices", f"no price for {', '.join(missing)}; expected every good")
        if card.fields["contract"]["deposit"] is None:
            yield _fault(card, "contract", "the contract has no deposit; expected one at a port")
    for card in game.deck("contacts").cards:
        side, contract = card.fields["neutral"], card.fields["contract"]
        if side["faction"] == "Merchant" and (contract is None or side["price"] is None):
            yield _fault(card, "neutral", "a merchant has a price and a contract; expected both")


def _table_faults(game: Game) -> Iterator[Problem]:
    goods = Counter(row.get("good") for row in game.tables["commodities"]["rows"])
    wanted = (*BASICS, *(f"{good}+" for good in BASICS[:-1]))
    if goods != Counter(wanted):
        said = f"the table of goods lists {', '.join(map(str, goods))}; expected each of "
        yield Problem(game.place, "rules-mismatch", said + ", ".join(wanted))
    least = [row.get("from") for row in game.tables["ranks"]["rows"]]
    if least != sorted(set(least)) or least[0] != 0:
        said = f"ranks begin at {', '.join(map(str, least))}; expected rising scores from 0"
        yield Problem(game.place, "rules-mismatch", said)


def _fault(card: Card, field: str, said: str) -> Problem:
    line, column = card.places.get(field, (card.place.line, card.place.column))
    return Problem(
        Place(card.place.file, line, column), "rules-mismatch", f"card '{card.id}': {said}"
    )
