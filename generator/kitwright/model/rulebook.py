"""The language of components/<game>/rules.yaml: what stands beside the words of rules.md.

Free numbers, glossary, tables, worked examples and figures. Knows no file and draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field, model_validator

from kitwright.model.components import FieldName, Id, Strict
from kitwright.model.lengths import Fixed, Natural
from kitwright.model.record import Record
from kitwright.model.theme import Theme
from kitwright.problems import Place

Expression = Annotated[str, Field(min_length=1)]
Words = Annotated[str, Field(min_length=1)]


class FreeNumber(Strict):
    """A number that is not taken from the data, and why it need not be."""

    says: Annotated[Words, Field(description="the words that hold the number, as in rules.md")]
    why: Annotated[Words, Field(description="why no edit of the data can make it wrong")]


class Entry(Strict):
    """A glossary entry; its key is the icon or keyword that cards show."""

    name: Annotated[Words, Field(description="its name in print")]
    text: Annotated[Words, Field(description="what it means, in a sentence")]
    icon: Annotated[str, Field(description="the icon to print; the key by default")] = ""


class ColumnSpec(Strict):
    """A column of a table."""

    text: Annotated[str, Field(description="the text of a cell, with {{ row… }}")]
    title: Annotated[str, Field(description="its heading")] = ""
    align: Annotated[Literal["left", "center", "right"], Field(description="how text stands")] = (
        "left"
    )


class TableSpec(Strict):
    """A table that is made from the data."""

    rows: Annotated[Expression, Field(description="the expression whose items are the rows")]
    columns: Annotated[list[ColumnSpec], Field(min_length=1, description="its columns")]


class StepSpec(Strict):
    """A move of an example with what must be true after it."""

    move: Annotated[Words, Field(description="the move as the engine writes it")]
    so: Annotated[Expression, Field(description="what must hold after it")]


class ExampleSpec(Strict):
    """A game that is dealt and played again at every build."""

    players: Annotated[int, Field(ge=1, le=20, description="the number of players")]
    seed: Annotated[int, Field(ge=0, description="the seed of the shuffle")]
    moves: Annotated[list[Words | StepSpec], Field(description="the moves, in order")] = []


class NoteSpec(Strict):
    """A numbered note to a spot of a card."""

    at: Annotated[
        list[Fixed], Field(min_length=2, max_length=2, description="the spot: [x, y] on the card")
    ]
    text: Annotated[Words, Field(description="what is there")]


class CardFigure(Strict):
    """One card with numbered notes."""

    card: Annotated[str, Field(description="the id of a card, or an expression in {{ }}")]
    area: Annotated[
        list[Fixed] | None,
        Field(min_length=4, max_length=4, description="the part shown: [x, y, width, height]"),
    ] = None
    height: Annotated[Natural, Field(description="how tall it is drawn")] = 70.0
    notes: Annotated[list[NoteSpec], Field(description="its notes, in order")] = []
    pins: Annotated[bool, Field(description="true for numbers on the spots, without lines")] = False


class RowFigure(Strict):
    """Cards side by side: a segment, a splay, a hand."""

    cards: Annotated[Expression, Field(description="the expression that lists the cards' ids")]
    labels: Annotated[str, Field(description="the expression that lists a label a card")] = ""
    step: Annotated[
        float, Field(gt=0, le=3, description="from card to card, in widths; below 1 is a splay")
    ] = 1.0
    tallest: Annotated[Natural, Field(description="the greatest height of a card")] = 60.0


class LaidNote(NoteSpec):
    """A numbered note to a spot of a card among others."""

    card: Annotated[str, Field(description="the id of the card that the spot is on")]


class LaidFigure(Strict):
    """Cards at their places on the table: a device, a map."""

    cards: Annotated[
        Expression, Field(description="the expression that lists the cards: [card, column, row]")
    ]
    tallest: Annotated[Natural, Field(description="the greatest height of a card")] = 40.0
    notes: Annotated[list[LaidNote], Field(description="its notes, in order")] = []


class SplayFigure(Strict):
    """Cards as a hand holds them; a `+` behind an id shows the card's back."""

    cards: Annotated[
        Expression, Field(description="the expression that lists the cards' ids, the top one first")
    ]
    behind: Annotated[
        str, Field(description="the card that peeks over the deck: an id, or {{ }}")
    ] = ""
    turned: Annotated[
        str, Field(description="the expression that lists cards turned right: left edge up")
    ] = ""
    turned_left: Annotated[
        str, Field(description="the expression that lists cards turned left: right edge up")
    ] = ""
    height: Annotated[Natural, Field(description="how tall the hand is drawn")] = 80.0
    notes: Annotated[list[NoteSpec], Field(description="notes to spots of the whole hand")] = []
    pins: Annotated[bool, Field(description="true for numbers on the spots, without lines")] = False


class GroupSpec(Strict):
    """Cards that lie together on the table."""

    cards: Annotated[Expression, Field(description="the expression that lists the cards' ids")]
    label: Annotated[str, Field(description="what they are, below them")] = ""
    lie: Annotated[
        Literal["row", "fan", "pile"], Field(description="side by side, fanned, or stacked")
    ] = "row"
    face_down: Annotated[bool, Field(description="true to show backs")] = False
    sides: Annotated[
        list[Expression],
        Field(max_length=4, description="lists of the cards at its sides, clockwise from the top"),
    ] = []
    slots: Annotated[str, Field(description="the expression of the slots to outline a side")] = ""


class TableFigure(Strict):
    """The table at one moment: what lies in the middle, and what lies before each player."""

    example: Annotated[FieldName, Field(description="the example that is shown")]
    after: Annotated[int, Field(ge=0, description="after so many of its moves")] = 0
    largest: Annotated[
        float, Field(gt=0, le=1, description="the greatest size of cards; 1 is their own")
    ] = 0.46
    centre: Annotated[list[GroupSpec], Field(description="what lies in the middle")] = []
    seat: Annotated[list[GroupSpec], Field(description="what lies before each player")] = []


class FigureSpec(Strict):
    """A figure: a card, a row of cards, a hand, cards at their places or a table."""

    card: Annotated[CardFigure | None, Field(description="one card with notes")] = None
    row: Annotated[RowFigure | None, Field(description="cards side by side")] = None
    splay: Annotated[SplayFigure | None, Field(description="cards in the hand")] = None
    laid: Annotated[LaidFigure | None, Field(description="cards at their places")] = None
    table: Annotated[TableFigure | None, Field(description="the table with its players")] = None
    wide: Annotated[bool, Field(description="true to use the whole width of the page")] = False

    @model_validator(mode="after")
    def _one_kind(self) -> FigureSpec:
        kinds = {name: getattr(self, name) for name in ("card", "row", "splay", "laid", "table")}
        if sum(kind is not None for kind in kinds.values()) != 1:
            raise ValueError(f"has no kind or several; expected one of {', '.join(kinds)}")
        return self


class RulesFile(Strict):
    """components/<game>/rules.yaml."""

    rulebook: Annotated[Id, Field(description="the game's id")]
    free_numbers: Annotated[list[FreeNumber], Field(description="numbers not of the data")] = []
    keywords: Annotated[
        dict[Id, list[str]], Field(description="decks, each with its fields that hold keywords")
    ] = {}
    glossary: Annotated[dict[str, Entry], Field(description="icons and keywords")] = {}
    decoration: Annotated[
        list[str], Field(description="icons that mean nothing in play; * stands for any letters")
    ] = []
    tables: Annotated[dict[Id, TableSpec], Field(description="tables made from the data")] = {}
    examples: Annotated[dict[FieldName, ExampleSpec], Field(description="worked examples")] = {}
    figures: Annotated[dict[Id, FigureSpec], Field(description="figures")] = {}


class RulesSource(Struct, frozen=True):
    """The words of a rulebook, what stands beside them, and how they are dressed."""

    file: str  # rules.md, as messages show it
    text: str
    told: RulesFile
    place: Callable[..., Place]  # where the value at a path of rules.yaml stands
    dress: Theme
    variants: tuple[Record, ...]  # id, title and about of each
