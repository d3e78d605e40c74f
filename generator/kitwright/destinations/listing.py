"""The list of cards that goes with images: as CSV for people, as JSON for programs."""

from __future__ import annotations

import csv
import io
import json

from msgspec import Struct

from kitwright.destinations.pieces import Piece, PieceCard


class Line(Struct, frozen=True):
    """One card design and the files that show it."""

    piece: Piece
    card: PieceCard
    front: str
    back: str
    product: str = ""


def as_csv(lines: list[Line]) -> str:
    """Write the list for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["product", "deck", "card", "title", "copies", "front", "back"])
    for line in lines:
        card = line.card
        named = [line.product, line.piece.id, card.id, card.title, card.copies]
        writer.writerow([*named, line.front, line.back])
    return out.getvalue()


def as_json(game: str, lines: list[Line]) -> str:
    """Write the list for a program."""
    cards = [
        {
            "deck": line.piece.id,
            "card": line.card.id,
            "title": line.card.title,
            "copies": line.card.copies,
            "width": line.piece.width,
            "height": line.piece.height,
            "front": line.front,
            "back": line.back or None,
        }
        for line in lines
    ]
    return json.dumps({"game": game, "cards": cards}, indent=1, ensure_ascii=False) + "\n"
