"""The data language: what may stand in components/<game>/*.yaml.

These models are the schema that editors get and the documentation's list of
keys. They say what one file may hold; what files say of each other is for load and validate.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model, model_validator

from kitwright.model.units import parse_length, show_length

MOST_COPIES = 500
MOST_CARDS = 20_000
SMALLEST, LARGEST = 5.0, 1200.0  # mm of a card's side
ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"

Id = Annotated[str, Field(pattern=ID_PATTERN, max_length=60)]
LayoutName = Annotated[str, Field(pattern=r"^[a-z0-9-]+(/[a-z0-9-]+)+$")]


class Strict(BaseModel):
    """What all models of the languages share: no guessing, no unknown key, no change."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", populate_by_name=True)


def _side(value: object) -> float:
    length = parse_length(value)
    if not SMALLEST <= length <= LARGEST:
        raise ValueError(
            f"'{value}' is out of range; expected {SMALLEST:g}mm to {show_length(LARGEST)}"
        )
    return length


Side = Annotated[float, BeforeValidator(_side, json_schema_input_type=str)]


class CustomSize(Strict):
    """A size of one's own."""

    width: Side
    height: Side


class Span(Strict):
    """From the fewest to the most."""

    fewest: Annotated[int, Field(ge=1, le=1000)]
    most: Annotated[int, Field(ge=1, le=1000)]

    @model_validator(mode="after")
    def _in_order(self) -> Span:
        if self.fewest > self.most:
            raise ValueError(f"fewest is {self.fewest} but most is {self.most}; swap them")
        return self


class GameFile(Strict):
    """components/<game>/game.yaml."""

    game: Annotated[Id, Field(description="the game's id: the name of its folder")]
    title: Annotated[str, Field(description="the name on the box")]
    tagline: Annotated[str, Field(description="one line for covers and advice pages")] = ""
    designers: Annotated[list[str], Field(min_length=1, description="who designed the game")]
    licence: Annotated[str, Field(description="the terms on which the kit may be used")]
    source: Annotated[str, Field(description="where the original rules were published")]
    players: Annotated[Span, Field(description="how many can play: {fewest: 2, most: 6}")]
    minutes: Annotated[Span, Field(description="how long a game takes")]
    age: Annotated[int, Field(ge=0, le=99, description="for players of this age and up")]
    theme: Annotated[LayoutName, Field(description="the theme in layouts/ that dresses the game")]
    kit: Annotated[list[Id], Field(min_length=1, description="decks and sheets in print order")]
    rules: Annotated[dict[str, Any], Field(description="the numbers of the rules")] = {}


Size = Annotated[
    Id | CustomSize,
    Field(description="a name of layouts/shared/sizes.yaml, or {width: …, height: …}"),
]


class FieldRule(Strict):
    """What a field of a card may hold; exactly one kind is named."""

    text: Annotated[
        Literal["required", "optional"] | None, Field(description="words, with icons and emphasis")
    ] = None
    whole: Annotated[str | None, Field(description="a whole number within a range: 0..5")] = None
    number: Annotated[str | None, Field(description="any number within a range: 0..2.5")] = None
    one_of: Annotated[list[str] | None, Field(description="one of these words")] = None
    flag: Annotated[Literal["required", "optional"] | None, Field(description="true or false")] = (
        None
    )
    list_of: Annotated[
        Literal["text", "whole", "number", "mapping"] | None, Field(description="a list of these")
    ] = None
    mapping: Annotated[
        Literal["required", "optional"] | None, Field(description="keys of the card's own")
    ] = None
    optional: Annotated[bool, Field(description="the field may be left out; it is then empty")] = (
        False
    )

    @model_validator(mode="after")
    def _one_kind(self) -> FieldRule:
        kinds = [k for k in KINDS if getattr(self, k) is not None]
        if len(kinds) != 1:
            raise ValueError(f"expected exactly one of {', '.join(KINDS)}")
        for kind in ("whole", "number"):
            if (text := getattr(self, kind)) is not None:
                parse_range(text, kind)
        return self

    @property
    def may_be_missing(self) -> bool:
        """Whether a card may leave the field out."""
        return self.optional or "optional" in (self.text, self.flag, self.mapping)


KINDS = ("text", "whole", "number", "one_of", "flag", "list_of", "mapping")


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
    layout: Annotated[LayoutName, Field(description="the layout of its faces")]
    back: Annotated[LayoutName | None, Field(description="the layout of its backs")] = None
    size: Size
    total: Annotated[
        int | None, Field(ge=1, le=MOST_CARDS, description="the sum of copies by the rules")
    ] = None
    fields: Annotated[
        dict[str, FieldRule], Field(description="what a card says besides id, title, copies")
    ] = {}
    data: Annotated[dict[str, Any], Field(description="anything the layout wants to know")] = {}
    cards: Annotated[
        list[dict[str, Any]], Field(min_length=1, description="the cards, each with an id")
    ]


class SheetFile(Strict):
    """A file that begins with `sheet:` or `board:`: one face, printed `copies` times."""

    sheet: Annotated[Id | None, Field(description="the sheet's id")] = None
    board: Annotated[Id | None, Field(description="the board's id")] = None
    title: Annotated[str, Field(description="its name in footers and bookmarks")]
    layout: Annotated[LayoutName, Field(description="the layout of its face")]
    back: Annotated[LayoutName | None, Field(description="the layout of its back")] = None
    size: Size
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, description="how many are printed")] = 1
    data: Annotated[dict[str, Any], Field(description="what the layout shows, as `card`")] = {}


class TableFile(Strict):
    """A file that begins with `table:`: rows that sheets, aids, rulebook and engine share."""

    table: Annotated[Id, Field(description="the table's id: layouts say game.tables.<id>")]
    title: Annotated[str, Field(description="its name")] = ""
    rows: Annotated[list[dict[str, Any]], Field(min_length=1, description="its rows")]


class DeckChange(Strict):
    """What a variant changes of one deck."""

    title: Annotated[str | None, Field(description="another name")] = None
    total: Annotated[int | None, Field(description="another sum of copies")] = None
    cards: Annotated[
        dict[str, dict[str, Any]], Field(description="card id: the fields that change")
    ] = {}
    add: Annotated[list[dict[str, Any]], Field(description="new cards")] = []
    remove: Annotated[list[str], Field(description="ids of cards that leave the deck")] = []
    data: Annotated[dict[str, Any], Field(description="data that changes")] = {}


class VariantFile(Strict):
    """components/<game>/variants/<name>.yaml: changes only, never a copy."""

    variant: Annotated[Id, Field(description="the variant's name: the name of its file")]
    title: Annotated[str, Field(description="its name in print")]
    about: Annotated[str, Field(description="what it changes and why, in a sentence or two")]
    players: Annotated[Span | None, Field(description="another number of players")] = None
    minutes: Annotated[Span | None, Field(description="another length of play")] = None
    rules: Annotated[dict[str, Any], Field(description="numbers that change; lists replace")] = {}
    decks: Annotated[dict[str, DeckChange], Field(description="decks that change")] = {}
    tables: Annotated[
        dict[str, dict[str, Any]], Field(description="tables that change: rows replace")
    ] = {}


class CardKeys(Strict):
    """What every card may say whatever its deck."""

    id: Annotated[Id, Field(description="kebab-case and stable: file names and ledgers use it")]
    copies: Annotated[int, Field(ge=1, le=MOST_COPIES, description="how many are in the deck")] = 1


def card_model(fields: dict[str, FieldRule]) -> type[BaseModel]:
    """Make the strict model of a card from the `fields:` of its deck."""
    wanted: dict[str, Any] = {"title": (str, "")}
    for name, rule in fields.items():
        kind = _field_type(rule)
        wanted[name] = (kind | None, None) if rule.may_be_missing else (kind, ...)
    return create_model("Card", __base__=Strict, **wanted)


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
