"""Tabletop Simulator: sheets of cards, and a saved object that is laid out for play.

Decks lie face down with their own backs, a single card is a card, tokens wait in bags, sheets and
boards are tiles. Shapes of the JSON follow the game's save files; figures come from the row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from kitwright.destinations.grids import batches, title_of
from kitwright.destinations.pieces import Piece, PieceCard, Request, shots_of, sort_out, trimmed
from kitwright.destinations.plan import Grid, Plan, Shot, Text
from kitwright.model.destination import Destination, DestinationRow, TableRow
from kitwright.ops import digest

Object = dict[str, Any]
_ORDER = {"board": 0, "deck": 1, "token": 2, "sheet": 3}
_GREY = {"r": 0.713, "g": 0.713, "b": 0.713}
_FACE_UP, _FACE_DOWN = 0.0, 180.0
_DECK_IDS = 100  # CardID = 100 x the key of its sheet + its place on it


def plan_table(destination: Destination, request: Request) -> Plan:
    """Plan sheets, pictures and the saved object of a game."""
    pieces, skipped = sort_out(destination.row, request.pieces)
    maker = _Maker(destination.row, request)
    ordered = sorted(pieces, key=maker.rank)
    joined = [(piece.spot, maker.piece(piece)) for piece in ordered if piece.spot is not None]
    things = [maker.piece(piece) for piece in ordered if piece.spot is None]
    laid = list(lay_out([*([join(joined)] if joined else []), *things], maker.table))
    saved = json.dumps(_save(request.title, laid), indent=1, ensure_ascii=False) + "\n"
    text = Text(f"{request.game}.json", saved)
    shots, grids = tuple(maker.shots.values()), tuple(maker.grids)
    return Plan(shots, grids, (text,) if laid else (), skipped=tuple(skipped))


class Thing(Struct):
    """An object of the table with its size there, in units."""

    objects: list[Object]
    width: float
    depth: float
    kind: str
    offsets: list[tuple[float, float]] = field(default_factory=list)  # of each from the middle


class _Maker(Struct):
    row: DestinationRow
    request: Request
    shots: dict[str, Shot] = field(default_factory=dict)
    grids: list[Grid] = field(default_factory=list)
    keys: int = 0

    @property
    def table(self) -> TableRow:
        assert self.row.table is not None
        return self.row.table

    def rank(self, piece: Piece) -> int:
        return _ORDER[piece.kind_at(self.row)]

    def piece(self, piece: Piece) -> Thing:
        """Make a piece as the table wants it."""
        kind = piece.kind_at(self.row)
        make = {"deck": self.deck, "token": self.tokens}.get(kind, self.tiles)
        unit = self.table.unit
        return Thing(make(piece), piece.width / unit, piece.height / unit, kind)

    def deck(self, piece: Piece) -> list[Object]:
        """Make a deck face down, or the card itself when there is only one."""
        sheets: Object = {}
        cards: list[Object] = []
        for batch in batches(self.row, self.request, piece):
            self.keys += 1
            self.grids += [grid for grid in (batch.fronts, batch.backs) if grid is not None]
            back = batch.backs.file if batch.backs else self.back_of(piece)
            sheet = {
                "FaceURL": self.url(batch.fronts.file),
                "BackURL": self.url(back),
                "NumWidth": batch.fronts.columns,
                "NumHeight": batch.fronts.rows,
                "BackIsHidden": True,
                "UniqueBack": batch.backs is not None,
                "Type": 0,
            }
            sheets[str(self.keys)] = sheet
            for place, card in enumerate(batch.cards):
                number = _DECK_IDS * self.keys + place
                made = self.card(piece, card, number, {str(self.keys): sheet})
                cards += [_copy(made, f"{card.id} {copy}") for copy in range(card.copies)]
        if len(cards) == 1:
            return cards
        deck = self.base("DeckCustom", piece.id, piece.title, f"{piece.count} cards")
        deck["Transform"] = self.card_transform(piece)
        deck["DeckIDs"] = [card["CardID"] for card in cards]
        deck["CustomDeck"] = sheets
        deck["ContainedObjects"] = cards
        return [deck]

    def back_of(self, piece: Piece) -> str:
        """Plan the picture of a deck's one back."""
        view = trimmed(piece, self.row.dpi)
        face = piece.cards[0].back or ""
        shot = Shot(face, f"{piece.id}-back.png", view)
        self.shots[shot.file] = shot
        return shot.file

    def card(self, piece: Piece, card: PieceCard, number: int, sheet: Object) -> Object:
        made = self.base("CardCustom", f"{piece.id}/{card.id}", title_of(piece, card), piece.title)
        made["Transform"] = self.card_transform(piece)
        made |= {"Hands": True, "CardID": number, "SidewaysCard": False}
        return made | {"CustomDeck": sheet}

    def card_transform(self, piece: Piece) -> Object:
        across, deep = piece.width / self.table.card_width, piece.height / self.table.card_height
        return _transform(across, deep, _FACE_DOWN)

    def tiles(self, piece: Piece) -> list[Object]:
        """Make a sheet or board: tiles, one on the other; a board does not move."""
        view = trimmed(piece, self.row.dpi)
        made = []
        for card, front, back in shots_of(self.row, piece, view):
            image = self.image(front, back)
            shape = {"Type": 0, "Thickness": self.table.thickness}
            image["CustomTile"] = shape | {"Stackable": True, "Stretch": True}
            tile = self.base("Custom_Tile", piece.id, piece.title, "")
            sides = piece.width / self.table.tile, piece.height / self.table.tile
            tile |= {"Transform": _transform(*sides, _FACE_UP), "CustomImage": image}
            tile["Locked"] = piece.kind == "board"
            made += [_copy(tile, f"{card.id} {copy}") for copy in range(card.copies)]
        for level, tile in enumerate(made):
            tile["Transform"]["posY"] += level * self.table.thickness
        return made

    def tokens(self, piece: Piece) -> list[Object]:
        """Put the tokens of each design into a bag."""
        view = trimmed(piece, self.row.dpi)
        bags = []
        for card, front, back in shots_of(self.row, piece, view):
            image = self.image(front, back)
            shape = {"Thickness": self.table.thickness, "MergeDistancePixels": self.table.outline}
            image["CustomToken"] = shape | {"StandUp": False, "Stackable": False}
            name = f"{piece.title}: {card.title or card.id}"
            token = self.base("Custom_Token", f"{piece.id}/{card.id}", name, "")
            sides = piece.width / self.table.tile, piece.height / self.table.tile
            token |= {"Transform": _transform(*sides, _FACE_UP), "CustomImage": image}
            inside = [_copy(token, f"{card.id} {copy}") for copy in range(card.copies)]
            bag = self.base("Bag", f"{piece.id} {card.id}", name, f"{card.copies} tokens")
            bag |= {"Transform": _transform(1.0, 1.0, _FACE_UP), "ContainedObjects": inside}
            bags.append(bag)
        return bags

    def image(self, front: Shot, back: Shot | None) -> Object:
        files = [shot.file for shot in (front, back) if shot is not None]
        self.shots.update({shot.file: shot for shot in (front, back) if shot is not None})
        first, last = self.url(files[0]), self.url(files[-1])
        pictures: Object = {"ImageURL": first, "ImageSecondaryURL": last}
        return pictures | {"ImageScalar": 1.0, "WidthScale": 0.0}

    def url(self, file: str) -> str:
        return self.request.url_base + file

    def base(self, name: str, key: str, title: str, about: str) -> Object:
        """Return what all objects have."""
        return {
            "GUID": _guid(f"{self.request.game} {name} {key}"),
            "Name": name,
            "Transform": _transform(1.0, 1.0, _FACE_UP),
            "Nickname": title,
            "Description": about,
            "GMNotes": "",
            "ColorDiffuse": dict(_GREY),
            "Locked": False,
            "Grid": True,
            "Snap": True,
            "IgnoreFoW": False,
            "MeasureMovement": False,
            "DragSelectable": True,
            "Autoraise": True,
            "Sticky": True,
            "Tooltip": True,
            "GridProjection": False,
            "HideWhenFaceDown": name in ("DeckCustom", "CardCustom"),
            "Hands": False,
            "LuaScript": "",
            "LuaScriptState": "",
            "XmlUI": "",
        }


def lay_out(things: Iterable[Thing], table: TableRow) -> Iterator[Object]:
    """Give every object its spot: rows of pieces, boards first, each row in the middle."""
    rows: list[list[Thing]] = []
    room, kind = 0.0, ""
    for thing in _spread(things, table.bag):
        if not rows or thing.kind != kind or room + thing.width > table.width:
            rows.append([])
            room, kind = 0.0, thing.kind
        rows[-1].append(thing)
        room += thing.width + table.gap
    depths = [max(thing.depth for thing in row) for row in rows]
    z = (sum(depths) + table.gap * (len(rows) - 1)) / 2
    for row, depth in zip(rows, depths, strict=True):
        x = -(sum(thing.width for thing in row) + table.gap * (len(row) - 1)) / 2
        for thing in row:
            offsets = thing.offsets or [(0.0, 0.0)] * len(thing.objects)
            for made, (right, back) in zip(thing.objects, offsets, strict=True):
                made["Transform"]["posX"] = round(x + thing.width / 2 + right, 3)
                made["Transform"]["posY"] += table.above
                made["Transform"]["posZ"] = round(z - depth / 2 + back, 3)
                yield made
            x += thing.width + table.gap
        z -= depth + table.gap


def join(spots: Sequence[tuple[tuple[int, int], Thing]]) -> Thing:
    """Lay boards edge to edge by their rows and columns."""
    wide: dict[int, float] = {}
    deep: dict[int, float] = {}
    for (row, column), thing in spots:
        wide[column] = max(wide.get(column, 0.0), thing.width)
        deep[row] = max(deep.get(row, 0.0), thing.depth)
    width, depth = sum(wide.values()), sum(deep.values())
    whole = Thing([], width, depth, "board")
    for (row, column), thing in spots:
        left = sum(side for at, side in wide.items() if at < column) - width / 2
        top = depth / 2 - sum(side for at, side in deep.items() if at < row)
        whole.objects += thing.objects
        spot = (left + wide[column] / 2, top - deep[row] / 2)
        whole.offsets += [spot] * len(thing.objects)
    return whole


def _spread(things: Iterable[Thing], side: float) -> Iterator[Thing]:
    """Part what stands side by side: bags of tokens."""
    for thing in things:
        if thing.kind != "token":
            yield thing
            continue
        for bag in thing.objects:
            yield Thing([bag], side, side, thing.kind)


def _transform(across: float, deep: float, turn: float) -> Object:
    return {
        "posX": 0.0,
        "posY": 0.0,
        "posZ": 0.0,
        "rotX": 0.0,
        "rotY": 180.0,
        "rotZ": turn,
        "scaleX": round(across, 5),
        "scaleY": 1.0,
        "scaleZ": round(deep, 5),
    }


def _copy(made: Object, key: str) -> Object:
    same = made | {"GUID": _guid(f"{made['GUID']} {key}")}
    return same | {"Transform": dict(made["Transform"])}


def _guid(text: str) -> str:
    return digest(text)[:6]


def _save(title: str, objects: list[Object]) -> Object:
    return {
        "SaveName": title,
        "GameMode": title,
        "Date": "",
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Table": "",
        "Sky": "",
        "Note": "",
        "Rules": "",
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": objects,
        "TabStates": {},
        "VersionNumber": "",
    }
