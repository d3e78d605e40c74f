"""Where images go: what may stand in layouts/shared/destinations.yaml, and a destination as read.

The figures of a site are here and nowhere else; what a kind of site makes of them is for the room
destinations/. Knows no face and no file.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import BeforeValidator, Field, model_validator

from kitwright.model.components import Id, Side, Strict
from kitwright.model.late import parse_points
from kitwright.model.lengths import Natural, length_schema
from kitwright.problems import Place

PieceKind = Literal["deck", "token", "sheet", "board"]
Points = Annotated[float, BeforeValidator(parse_points), length_schema()]
Pixels = Annotated[int, Field(ge=16, le=30_000)]
Percent = Annotated[int, Field(ge=0, le=100)]
LEAST_DPI = 36


class TypeRow(Strict):
    """The smallest type that a site prints well."""

    rules: Annotated[Points, Field(description="of words that a player must read: 7pt")]
    flavour: Annotated[Points, Field(description="of styles with `flavour: true`: 5.5pt")]


class ProductRow(Strict):
    """A thing that a print shop sells, with the canvas it wants for it."""

    pixels: Annotated[
        list[Pixels], Field(min_length=2, max_length=2, description="the canvas: [825, 1125]")
    ]
    width: Annotated[Side, Field(description="the finished width")]
    height: Annotated[Side, Field(description="the finished height")]
    takes: Annotated[
        list[PieceKind], Field(min_length=1, description="of deck, token, sheet, board")
    ] = ["deck"]
    fit: Annotated[
        bool, Field(description="true for plain paper: any smaller piece is laid in its middle")
    ] = False


class SheetRow(Strict):
    """Many faces in one picture, cut by rows and columns."""

    columns: Annotated[int, Field(ge=1, le=100, description="at most so many")]
    rows: Annotated[int, Field(ge=1, le=100, description="at most so many")]
    fewest: Annotated[int, Field(ge=1, le=10, description="the fewest rows and columns")] = 1
    pixels: Annotated[Pixels, Field(description="the longest side of the picture")]
    hidden: Annotated[
        bool, Field(description="true when the last place is the face that others see")
    ] = False
    split: Annotated[bool, Field(description="true when a deck may go on in a second sheet")] = True


class OrderRow(Strict):
    """The order that goes with the images."""

    stock: Annotated[str, Field(min_length=1, description="the card stock that is ordered")]
    brackets: Annotated[
        list[int], Field(min_length=1, description="the numbers of cards that can be ordered")
    ]


class PressRow(Strict):
    """A PDF for a printing press."""

    version: Annotated[str, Field(description="what the PDF claims to be a candidate for")]
    condition: Annotated[str, Field(description="the registered name of the printing condition")]
    registry: Annotated[str, Field(description="who keeps the register")]
    ink: Annotated[int, Field(ge=100, le=400, description="the most ink in one spot, in percent")]
    rich_black: Annotated[
        list[Percent],
        Field(min_length=4, max_length=4, description="black areas in percent of C, M, Y and K"),
    ]
    thin: Annotated[
        Natural, Field(description="lines up to this width, and all type, are black ink alone")
    ]


class RoomRow(Strict):
    """The table of a browser game, in its own pixels."""

    version: Annotated[int, Field(ge=1, description="the version of the file format")]
    width: Annotated[Pixels, Field(description="of the table")]
    height: Annotated[Pixels, Field(description="of the table")]
    card: Annotated[Pixels, Field(description="the height of a card of `card_height`")]
    card_height: Annotated[Natural, Field(gt=0, description="such as 88.9mm, a poker card's")]
    smallest: Annotated[Pixels, Field(description="the shorter side of any card, at least")]
    button: Annotated[int, Field(ge=0, le=200, description="the room for a button below a holder")]
    margin: Annotated[int, Field(ge=0, le=200, description="of a holder round its cards")]
    hand: Annotated[
        list[Pixels], Field(min_length=2, max_length=2, description="a hand: [1500, 180]")
    ]
    gap: Annotated[int, Field(ge=0, le=500, description="between holders")]


class TableRow(Strict):
    """A table in three dimensions."""

    unit: Annotated[Natural, Field(gt=0, description="the length of one unit of the table")]
    card_width: Annotated[Natural, Field(gt=0, description="of a card at scale 1")]
    card_height: Annotated[Natural, Field(gt=0, description="of a card at scale 1")]
    tile: Annotated[Natural, Field(gt=0, description="the side of a tile at scale 1")]
    thickness: Annotated[float, Field(gt=0, description="of tiles and tokens, in units")]
    bag: Annotated[float, Field(gt=0, description="the side of a bag of tokens, in units")] = 2.0
    above: Annotated[float, Field(ge=0, description="where pieces fall from, in units")] = 0.0
    outline: Annotated[
        float, Field(gt=0, description="how finely a token's outline is followed, in pixels")
    ] = 15.0
    gap: Annotated[float, Field(ge=0, description="between pieces, in units")]
    width: Annotated[float, Field(gt=0, description="of a row of pieces, in units")]


class DestinationRow(Strict):
    """A site or print shop, and what it wants."""

    kind: Annotated[
        Literal["images", "order", "pdf", "tts", "pcio", "sheets", "ttp"],
        Field(description="what is made"),
    ]
    title: Annotated[str, Field(min_length=1, description="its name")]
    source: Annotated[str, Field(min_length=1, description="who says so")]
    checked: Annotated[
        str, Field(pattern=r"^\d{4}-\d\d-\d\d$", description='the day it was read: "2026-03-17"')
    ]
    takes: Annotated[
        list[PieceKind], Field(min_length=1, description="of deck, token, sheet, board")
    ]
    next: Annotated[
        list[str], Field(min_length=1, max_length=4, description="how the files are uploaded")
    ]
    dpi: Annotated[float, Field(ge=LEAST_DPI, le=2400, description="pixels an inch")] = 300.0
    least_dpi: Annotated[
        float, Field(ge=0, le=2400, description="the fewest that still look sharp there")
    ] = 0.0
    any_dpi: Annotated[
        bool, Field(description="true when --dpi and --bleed may choose otherwise")
    ] = False
    color: Annotated[Literal["rgb", "gray", "cmyk"], Field(description="the colours it takes")] = (
        "rgb"
    )
    bleed: Annotated[Natural, Field(le=20, description="the bleed it wants round the cut")] = 0.0
    safe: Annotated[Natural, Field(le=30, description="the safe area it wants inside the cut")] = (
        0.0
    )
    type: Annotated[TypeRow | None, Field(description="the smallest type: rules, flavour")] = None
    most_pixels: Annotated[Pixels, Field(description="the longest side of an image")] = 30_000
    most_megabytes: Annotated[
        float, Field(gt=0, le=10_000, description="the largest file it takes")
    ] = 10_000.0
    token_side: Annotated[
        Natural, Field(le=100, description="a deck of cards up to this size is one of tokens")
    ] = 25.0
    name: Annotated[
        str,
        Field(min_length=1, description="the name of a file, of {product} {deck} {card} {side}"),
    ] = "{deck}/{card}{side}.png"
    products: Annotated[
        dict[str, ProductRow], Field(description="names of products, each with its canvas")
    ] = {}
    sheet: Annotated[SheetRow | None, Field(description="for tts, sheets and ttp")] = None
    order: Annotated[OrderRow | None, Field(description="for order")] = None
    press: Annotated[PressRow | None, Field(description="for pdf")] = None
    room: Annotated[RoomRow | None, Field(description="for pcio")] = None
    table: Annotated[TableRow | None, Field(description="for tts and ttp")] = None

    @model_validator(mode="after")
    def _has_its_parts(self) -> DestinationRow:
        missing = [part for part in PARTS[self.kind] if not getattr(self, part)]
        if missing:
            raise ValueError(f"kind is '{self.kind}'; expected {' and '.join(missing)} with it")
        if (self.color == "cmyk") != (self.kind == "pdf"):
            wanted = "cmyk" if self.kind == "pdf" else "rgb or gray"
            raise ValueError(f"color is '{self.color}'; expected {wanted}, for kind {self.kind}")
        try:
            self.name.format(product="", deck="", card="", side="")
        except (KeyError, IndexError, ValueError):
            text = "expected {product}, {deck}, {card} and {side} in it, nothing else in braces"
            raise ValueError(f"name is '{self.name}'; {text}") from None
        return self


PARTS: dict[str, tuple[str, ...]] = {  # what a kind cannot do without
    "images": (),
    "order": ("products", "order"),
    "pdf": ("products", "press"),
    "tts": ("sheet", "table"),
    "pcio": ("room",),
    "sheets": ("sheet",),
    "ttp": ("sheet", "table"),
}


class DestinationsFile(Strict):
    """layouts/shared/destinations.yaml."""

    destinations: Annotated[
        dict[Id, DestinationRow], Field(description="names of destinations, each with its figures")
    ]


class Destination(Struct, frozen=True):
    """A destination by its name."""

    name: str
    row: DestinationRow
    place: Place
