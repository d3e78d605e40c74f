"""PlayingCards.io: a room file with a holder for each deck, its cards shuffled, and a hand."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from kitwright.destinations.grids import title_of
from kitwright.destinations.pieces import Piece, Request, shots_of, sort_out, trimmed
from kitwright.destinations.plan import Plan, Shot, Skipped, Text
from kitwright.model.destination import Destination, DestinationRow, RoomRow
from kitwright.ops import digest

Widget = dict[str, Any]
_PACKAGE = "package://"


def plan_room(destination: Destination, request: Request) -> Plan:
    """Plan the room file: its widgets, its version, its pictures."""
    row = destination.row
    assert row.room is not None
    pieces, skipped = sort_out(row, request.pieces)
    floor = _Floor(row.room)
    widgets: list[Widget] = [_hand(row.room)]
    shots: dict[str, Shot] = {}
    for piece in pieces:
        spot = floor.place(*_size(piece, row.room))
        if spot is None:
            skipped.append(Skipped(piece.id, f"the table of {row.title} has no more room"))
            continue
        widgets += _deck(row, row.room, piece, spot, shots)
    texts = (
        Text("widgets.json", json.dumps(widgets, indent=1, ensure_ascii=False) + "\n"),
        Text("schemaVersion", str(row.room.version)),
    )
    bundle = f"{request.game}.pcio"
    return Plan(tuple(shots.values()), texts=texts, skipped=tuple(skipped), bundle=bundle)


def _hand(room: RoomRow) -> Widget:
    width, height = room.hand
    x, y = (room.width - width) // 2, room.height - height
    return {"id": "hand", "type": "hand", "x": x, "y": y, "z": 0, "width": width, "height": height}


def _size(piece: Piece, room: RoomRow) -> tuple[int, int]:
    """Return a card's pixels on the table."""
    scale = max(room.card / room.card_height, room.smallest / min(piece.width, piece.height))
    return round(piece.width * scale), round(piece.height * scale)


class _Floor(Struct):
    """Where holders go: rows above the hand."""

    room: RoomRow
    x: int = 0
    y: int = 0
    deepest: int = 0
    started: bool = False

    def place(self, width: int, height: int) -> tuple[int, int] | None:
        """Find a spot for a holder of cards of this size; None when the table is full."""
        room = self.room
        wide, high = width + 2 * room.margin, height + 2 * room.margin + room.button
        if not self.started:
            self.started, self.x, self.y = True, room.gap, room.gap
        if self.x + wide > room.width - room.gap:
            self.x, self.y, self.deepest = room.gap, self.y + self.deepest + room.gap, 0
        if self.x + wide > room.width or self.y + high > room.height - room.hand[1]:
            return None
        spot = self.x, self.y
        self.x += wide + room.gap
        self.deepest = max(self.deepest, high)
        return spot


def _deck(
    row: DestinationRow, room: RoomRow, piece: Piece, spot: tuple[int, int], shots: dict[str, Shot]
) -> list[Widget]:
    width, height = _size(piece, room)
    holder = _holder(room, piece, spot, (width, height))
    x, y = spot
    inside = {"parent": holder["id"], "x": x + room.margin, "y": y + room.margin}
    types: dict[str, Widget] = {}
    copies: list[str] = []
    back = ""
    for card, front, behind in shots_of(row, piece, trimmed(piece, row.dpi), blank=True):
        assert behind is not None
        shots.update({front.file: front, behind.file: behind})
        back = _PACKAGE + behind.file
        told = {"label": title_of(piece, card), "image": _PACKAGE + front.file}
        types[card.id] = told | ({"back": back} if piece.own_backs else {})
        copies += [f"{card.id}/{number}" for number in range(1, card.copies + 1)]
    kind = ("dynamic", "back") if piece.own_backs else ("static", back)
    deck = {
        "id": f"{piece.id}-deck",
        "type": "cardDeck",
        **inside,
        "cardWidth": width,
        "cardHeight": height,
        "enlarge": True,
        "cardTypes": types,
        "faceTemplate": _template(width, height, "dynamic", "image"),
        "backTemplate": _template(width, height, *kind),
    }
    return [holder, deck, *_cards(piece, copies, inside)]


def _holder(room: RoomRow, piece: Piece, spot: tuple[int, int], card: tuple[int, int]) -> Widget:
    return {
        "id": f"{piece.id}-holder",
        "type": "holder",
        "x": spot[0],
        "y": spot[1],
        "z": 1,
        "width": card[0] + 2 * room.margin,
        "height": card[1] + 2 * room.margin,
        "label": piece.title,
        "hasShuffleButton": True,
    }


def _template(width: int, height: int, kind: str, value: str) -> Widget:
    picture = {"type": "image", "x": 0, "y": 0, "w": width, "h": height}
    picture |= {"valueType": kind, "value": value}
    return {"includeBorder": False, "includeRadius": True, "objects": [picture]}


def _cards(piece: Piece, copies: list[str], inside: Widget) -> list[Widget]:
    """Lay a card for each copy, shuffled the same way every time."""
    shuffled = sorted(copies, key=lambda copy: digest(f"{piece.id} {copy}"))
    return [
        {
            "id": f"{piece.id}-{copy.replace('/', '-')}",
            "type": "card",
            "deck": f"{piece.id}-deck",
            "cardType": copy.partition("/")[0],
            **inside,
            "z": 2 + number,
            "faceup": False,
        }
        for number, copy in enumerate(shuffled)
    ]
