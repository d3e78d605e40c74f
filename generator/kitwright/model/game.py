"""A game and its decks, as read from components/ and already known to be valid.

Sheets and boards are decks of one card: what can be drawn, printed and
exported is always a card of a deck. Tables are data that nothing prints by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from kitwright.model.box import BoxPlan
from kitwright.model.record import Record
from kitwright.problems import Place


class Size(Struct, frozen=True):
    """The trimmed size of a card in millimetres, with its name in layouts/shared/sizes.yaml."""

    name: str
    width: float
    height: float


class Card(Struct, frozen=True):
    """One card design; `copies` of it are printed."""

    id: str
    copies: int
    fields: Record  # everything the YAML says of the card besides id and copies
    place: Place
    places: Mapping[str, tuple[int, int]]  # line and column of each field's value
    elsewhere: Mapping[str, Place] = field(default_factory=dict)  # fields that a variant gave

    def at(self, name: str) -> Place:
        """Return where the value of a field stands, for messages."""
        if name in self.elsewhere:
            return self.elsewhere[name]
        return Place(self.place.file, *self.places[name]) if name in self.places else self.place


class Deck(Struct, frozen=True):
    """Cards that share a layout, a back and a size."""

    id: str
    kind: str  # deck, sheet or board
    title: str
    layout: str
    back: str | None
    size: Size
    cards: tuple[Card, ...]
    data: Record  # what the file says besides the keys of the language
    place: Place
    spot: tuple[int, int] | None = None  # row and column of a board that joins others

    @property
    def count(self) -> int:
        """The number of physical cards."""
        return sum(card.copies for card in self.cards)


class Credit(Struct, frozen=True):
    """Whose game it is and on what terms."""

    designers: tuple[str, ...]
    licence: str
    source: str


class Pace(Struct, frozen=True):
    """How fast people play, in seconds."""

    seconds: float
    of: str = "turn"  # turn, or round where all act at once


class Figures(Struct, frozen=True):
    """What components/<game>/figures.yaml says: measured by bots, looked up in print."""

    values: Record = field(default_factory=Record)
    rules: Record = field(default_factory=Record)  # hash of the rules played, by variant
    place: Place | None = None  # None when there is no such file


class Game(Struct, frozen=True):
    """Everything that components/<game>/ says, the variant already laid over it."""

    id: str
    title: str
    tagline: str
    credit: Credit
    players: tuple[int, int]  # fewest, most
    minutes: tuple[int, int]
    age: int
    theme: str
    rules: Record  # the numbers of the rules; engines, sheets and rulebook all read them here
    decks: tuple[Deck, ...]  # in print order
    tables: Mapping[str, Record]
    variant: str | None
    place: Place
    facts: Record = field(default_factory=Record)  # what the engine works out for layouts to show
    figures: Figures = field(default_factory=Figures)
    pace: Pace | None = None
    boxes: tuple[BoxPlan, ...] = ()

    def deck(self, deck_id: str) -> Deck:
        """Return the deck called `deck_id`."""
        return next(deck for deck in self.decks if deck.id == deck_id)

    def as_context(self) -> dict[str, Any]:
        """Return what a layout may say of the game: `game.title`, `game.rules.hand` …."""
        return {
            "id": self.id,
            "title": self.title,
            "tagline": self.tagline,
            "designers": self.credit.designers,
            "licence": self.credit.licence,
            "source": self.credit.source,
            "players": {"fewest": self.players[0], "most": self.players[1]},
            "minutes": {"fewest": self.minutes[0], "most": self.minutes[1]},
            "age": self.age,
            "rules": self.rules,
            "tables": self.tables,
            "variant": self.variant,
            "facts": self.facts,
            "decks": {d.id: {"title": d.title, "count": d.count} for d in self.decks},
        }
