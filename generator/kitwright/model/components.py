"""The data language: what may stand in components/<game>/*.yaml.

These models are the schema that editors get and the documentation's list of
keys. They say what one file may hold; what files say of each other is for load and validate.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from kitwright.model.lengths import length_schema
from kitwright.model.units import parse_length

MOST_COPIES = 500
MOST_CARDS = 20_000
SMALLEST, LARGEST = 5.0, 1200.0  # mm of a card's side
FIELD_PATTERN = r"^[a-z][a-z0-9_]*$"
RESERVED = ("id", "copies")
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
LAYOUT_PATTERN = r"^[a-z0-9-]+(/[a-z0-9-]+)+$"

Id = Annotated[str, Field(pattern=ID_PATTERN, max_length=60)]
LayoutName = Annotated[str, Field(pattern=LAYOUT_PATTERN, max_length=120)]


class Strict(BaseModel):
    """What all models of the languages share: no guessing, no unknown key, no change."""

    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", populate_by_name=True, defer_build=True
    )


def _side(value: object) -> float:
    length = parse_length(value, math.inf)
    if not SMALLEST <= length <= LARGEST:
        raise ValueError(f"is '{value}'; expected {SMALLEST:g}mm to {LARGEST:g}mm")
    return length


Side = Annotated[float, BeforeValidator(_side), length_schema()]


class CustomSize(Strict):
    """A size of one's own."""

    width: Annotated[Side, Field(description="the width, such as 63.5mm")]
    height: Annotated[Side, Field(description="the height, such as 88.9mm")]


class Span(Strict):
    """From the fewest to the most."""

    fewest: Annotated[int, Field(ge=1, le=1000, description="the smallest number")]
    most: Annotated[int, Field(ge=1, le=1000, description="the largest number")]

    @model_validator(mode="after")
    def _in_order(self) -> Span:
        if self.fewest > self.most:
            raise ValueError(
                f"fewest is {self.fewest}; expected at most {self.most}, which is most"
            )
        return self


class RoundPace(Strict):
    """How fast a game is whose players all act at once."""

    round: Annotated[
        float, Field(gt=0, le=7200, description="the seconds of a round, in which all act at once")
    ]


class BoxSpec(Strict):
    """A tuckbox of game.yaml."""

    decks: Annotated[list[Id], Field(min_length=1, description="the decks that lie in it")]
    title: Annotated[str, Field(description="its name; the titles of its decks by default")] = ""
    stacks: Annotated[
        int, Field(ge=1, le=20, description="how many stacks of cards stand side by side in it")
    ] = 1


class GameFile(Strict):
    """components/<game>/game.yaml."""

    game: Annotated[Id, Field(description="the game's id: the name of its folder")]
    title: Annotated[str, Field(min_length=1, description="the name on the box")]
    tagline: Annotated[str, Field(description="one line for the first page of a kit")] = ""
    designers: Annotated[
        list[str], Field(min_length=1, description="the names of those who designed the game")
    ]
    licence: Annotated[str, Field(description="the terms on which the kit may be used")]
    source: Annotated[str, Field(description="where the original rules were published")]
    players: Annotated[Span, Field(description="how many can play: {fewest: 2, most: 6}")]
    minutes: Annotated[Span, Field(description="how long a game takes: {fewest: 20, most: 60}")]
    pace: Annotated[
        Annotated[float, Field(gt=0, le=7200)] | RoundPace | None,
        Field(description="the seconds of a turn, or {round: 200} where all act at once"),
    ] = None
    age: Annotated[int, Field(ge=0, le=99, description="the age from which one can play")]
    theme: Annotated[
        LayoutName, Field(description="the theme that dresses the game: my-game/theme")
    ]
    kit: Annotated[
        list[Id], Field(min_length=1, description="the decks, sheets and boards, in print order")
    ]
    rules: Annotated[dict[str, Any], Field(description="the numbers of the rules: {hand: 3}")] = {}
    boxes: Annotated[
        dict[Id, BoxSpec], Field(description="ids of tuckboxes, each with the decks that share it")
    ] = {}


Size = Annotated[
    Id | CustomSize,
    Field(
        union_mode="left_to_right",
        description="a name of layouts/shared/sizes.yaml, or {width: 50mm, height: 70mm}",
    ),
]


class FieldRule(Strict):
    """What a field of a card may hold; exactly one kind is named."""

    text: Annotated[
        Literal["required", "optional"] | None,
        Field(description="required or optional: words, with icons and emphasis"),
    ] = None
    whole: Annotated[str | None, Field(description="the range of a whole number: 0..5")] = None
    number: Annotated[str | None, Field(description="the range of any number: 0..2.5")] = None
    one_of: Annotated[
        list[str] | None, Field(min_length=1, description="a list of words, one of which it is")
    ] = None
    flag: Annotated[
        Literal["required", "optional"] | None,
        Field(description="required or optional: true or false"),
    ] = None
    list_of: Annotated[
        Literal["text", "whole", "number", "mapping"] | None,
        Field(description="text, whole, number or mapping: a list of these"),
    ] = None
    mapping: Annotated[
        Literal["required", "optional"] | None,
        Field(description="required or optional: keys of the card's own"),
    ] = None
    optional: Annotated[
        bool, Field(description="true when a card may leave the field out; it is then empty")
    ] = False

    @model_validator(mode="after")
    def _one_kind(self) -> FieldRule:
        kinds = [kind for kind in KINDS if getattr(self, kind) is not None]
        if len(kinds) != 1:
            found = " and ".join(kinds) or "no kind"
            raise ValueError(f"the field has {found}; expected exactly one of {', '.join(KINDS)}")
        for kind in ("whole", "number"):
            if (text := getattr(self, kind)) is not None:
                parse_range(text, kind)
        return self

    @property
    def may_be_missing(self) -> bool:
        """Whether a card may leave the field out."""
        return self.optional or "optional" in (self.text, self.flag, self.mapping)


KINDS = ("text", "whole", "number", "one_of", "flag", "list_of", "mapping")
FieldName = Annotated[str, Field(pattern=FIELD_PATTERN, max_length=40)]


def parse_range(text: str, kind: str) -> tuple[float, float]:
    """Read `0..5`."""
    low, dots, high = text.partition("..")
    try:
        bounds = (float(low), float(high)) if dots else (1.0, 0.0)
    except ValueError:
        bounds = (1.0, 0.0)
    if bounds[0] > bounds[1]:
        raise ValueError(f"{kind} is '{text}'; expected a range such as 0..5")
    return bounds


class DeckFile(Strict):
    """A file that begins with `deck:`."""

    deck: Annotated[Id, Field(description="the deck's id")]
    title: Annotated[str, Field(description="the deck's name in footers and bookmarks")]
    layout: Annotated[LayoutName, Field(description="the layout of its faces: my-game/card")]
    back: Annotated[LayoutName | None, Field(description="the layout of its backs")] = None
    size: Size
    total: Annotated[
        int | None, Field(ge=1, le=MOST_CARDS, description="the sum of copies, by the rules")
    ] = None
    fields: Annotated[
        dict[FieldName, FieldRule],
        Field(description="what a card says besides id, title and copies"),
    ] = {}
    data: Annotated[
        dict[str, Any], Field(description="anything else that the layout shows, as deck.data")
    ] = {}
    cards: Annotated[
        list[dict[str, Any]],
        Field(min_length=1, max_length=MOST_CARDS, description="the cards, each with an id"),
    ]


class SheetFile(Strict):
    """A file that begins with `sheet:` or `board:`: one face, printed `copies` times."""

    sheet: Annotated[Id | None, Field(description="the sheet's id")] = None
    board: Annotated[Id | None, Field(description="the board's id")] = None
    title: Annotated[str, Field(description="its name in footers and bookmarks")]
    layout: Annotated[LayoutName, Field(description="the layout of its face: my-game/sheet")]
    back: Annotated[LayoutName | None, Field(description="the layout of its back")] = None
    size: Size
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, description="how many are printed")] = 1
    spot: Annotated[
        list[Annotated[int, Field(ge=1, le=20)]] | None,
        Field(
            min_length=2,
            max_length=2,
            description="row and column of a board that joins others on the table: [1, 2]",
        ),
    ] = None
    data: Annotated[dict[str, Any], Field(description="what its layout shows, as card")] = {}


class TableFile(Strict):
    """A file that begins with `table:`: rows that sheets, aids, rulebook and engine share."""

    table: Annotated[Id, Field(description="the table's id: layouts say game.tables.<id>")]
    title: Annotated[str, Field(description="its name")] = ""
    rows: Annotated[
        list[dict[str, Any]], Field(min_length=1, description="the rows, each a mapping")
    ]


class DeckChange(Strict):
    """What a variant changes of a deck, sheet or board."""

    title: Annotated[str | None, Field(description="another name")] = None
    total: Annotated[
        int | None, Field(ge=1, le=MOST_CARDS, description="another sum of copies")
    ] = None
    copies: Annotated[
        int | None, Field(ge=1, le=MOST_COPIES, description="of a sheet or board: how many")
    ] = None
    cards: Annotated[
        dict[str, dict[str, Any]], Field(description="card ids, each with the fields that change")
    ] = {}
    add: Annotated[list[dict[str, Any]], Field(description="new cards")] = []
    remove: Annotated[list[str], Field(description="the ids of cards that leave the deck")] = []
    data: Annotated[dict[str, Any], Field(description="the data that changes")] = {}


class TableChange(Strict):
    """What a variant changes of a table."""

    title: Annotated[str | None, Field(description="another name")] = None
    rows: Annotated[
        list[dict[str, Any]] | None, Field(min_length=1, description="all its rows anew")
    ] = None


class VariantFile(Strict):
    """components/<game>/variants/<name>.yaml: changes only, never a copy."""

    variant: Annotated[Id, Field(description="the variant's name: the name of its file")]
    title: Annotated[str, Field(description="its name in print")]
    about: Annotated[str, Field(description="what it changes and why, in a sentence or two")]
    players: Annotated[Span | None, Field(description="another number of players")] = None
    minutes: Annotated[Span | None, Field(description="another length of play")] = None
    rules: Annotated[
        dict[str, Any], Field(description="the numbers that change; a list replaces the old one")
    ] = {}
    decks: Annotated[
        dict[str, DeckChange], Field(description="ids of decks, each with what changes")
    ] = {}
    tables: Annotated[
        dict[str, TableChange], Field(description="ids of tables, each with what changes")
    ] = {}


class FiguresFile(Strict):
    """components/<game>/figures.yaml, which `kitwright balance GAME --write` writes."""

    figures: Annotated[Id, Field(description="the game's id: the name of its folder")]
    rules: Annotated[
        dict[str, str],
        Field(description="standard and each variant, with a hash of the rules that were played"),
    ]
    measured: Annotated[
        dict[str, Any], Field(description="what was measured; looked up as figures.length …")
    ]


class CardKeys(Strict):
    """What every card may say whatever its deck."""

    id: Annotated[Id, Field(description="the card's id, stable for ever: file names use it")]
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, description="how many are in the deck")] = 1


class OpenCard(CardKeys):
    """A card whose deck declares its fields."""

    title: Annotated[str, Field(description="the card's name; may be left out")] = ""


def card_model(fields: dict[str, FieldRule]) -> type[BaseModel]:
    """Make the strict model of a card from the `fields:` of its deck."""
    wanted: dict[str, Any] = {}
    for index, (name, rule) in enumerate({"title": None, **fields}.items()):
        kind = _field_type(rule) if rule is not None else str
        default: Any = "" if rule is None else ...
        if rule is not None and rule.may_be_missing:
            kind, default = kind | None, None
        # A field may be called what it likes, `copy` or `json` too, so its name is an alias.
        wanted[f"field_{index}"] = (kind, Field(default, alias=name))
    return create_model("Card", __base__=_CardFields, **wanted)


class _CardFields(Strict):
    model_config = ConfigDict(populate_by_name=False)


_LISTS: dict[str, Any] = {
    "text": list[str],
    "whole": list[int],
    "number": list[float],
    "mapping": list[dict[str, Any]],
}


def _field_type(rule: FieldRule) -> Any:
    if rule.one_of is not None:
        return Literal[tuple(rule.one_of)]
    for kind, base in (("whole", int), ("number", float)):
        if (text := getattr(rule, kind)) is not None:
            low, high = parse_range(text, kind)
            return Annotated[base, Field(ge=low, le=high)]
    if rule.list_of is not None:
        return _LISTS[rule.list_of]
    if rule.flag is not None:
        return bool
    return dict[str, Any] if rule.mapping is not None else str
