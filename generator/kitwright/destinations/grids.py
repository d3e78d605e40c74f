"""Sheets of many faces: how many rows and columns, and how large each place is."""

from __future__ import annotations

from msgspec import Struct

from kitwright.destinations.pieces import Piece, PieceCard, Request
from kitwright.destinations.plan import MM_AN_INCH, Grid, View
from kitwright.model.destination import DestinationRow


class Batch(Struct, frozen=True):
    """Cards that share a sheet, with the sheet of their fronts and of their own backs."""

    cards: tuple[PieceCard, ...]
    fronts: Grid
    backs: Grid | None


def room_on_sheet(row: DestinationRow) -> int:
    """Return how many faces a sheet of this site takes."""
    assert row.sheet is not None
    return row.sheet.columns * row.sheet.rows - (1 if row.sheet.hidden else 0)


def batches(
    row: DestinationRow, request: Request, piece: Piece, folder: str = ""
) -> tuple[Batch, ...]:
    """Lay the cards of a deck on as few sheets as the site allows."""
    most = room_on_sheet(row)
    parts = [piece.cards[at : at + most] for at in range(0, len(piece.cards), most)]
    made = []
    for number, cards in enumerate(parts, 1):
        name = f"{folder}{piece.id}" + (f"-{number}" if len(parts) > 1 else "")
        columns, rows, view = _cells(row, request, piece, len(cards))
        fronts = tuple(card.front for card in cards)
        backs = tuple(card.back for card in cards if card.back is not None)
        own = piece.own_backs and len(backs) == len(cards)
        behind = Grid(piece.id, backs, f"{name}-backs.png", view, columns, rows) if own else None
        front = Grid(piece.id, fronts, f"{name}.png", view, columns, rows)
        made.append(Batch(tuple(cards), front, behind))
    return tuple(made)


def _cells(
    row: DestinationRow, request: Request, piece: Piece, count: int
) -> tuple[int, int, View]:
    """Choose the grid that shows the faces largest, and of these the one with least waste."""
    sheet = row.sheet
    assert sheet is not None
    pixels = request.sheet_pixels or sheet.pixels
    needed = count + (1 if sheet.hidden else 0)
    found: list[tuple[float, int, int, int]] = []
    for columns in range(min(sheet.fewest, sheet.columns), sheet.columns + 1):
        rows = max(-(-needed // columns), min(sheet.fewest, sheet.rows))
        if rows > sheet.rows:
            continue
        a_mm = min(pixels / (columns * piece.width), pixels / (rows * piece.height))
        a_mm = min(a_mm, row.dpi / MM_AN_INCH)
        found.append((int(1000 * a_mm) / 1000, -columns * rows, columns, rows))
    a_mm, _, columns, rows = max(found)
    cell = int(a_mm * piece.width), int(a_mm * piece.height)
    return columns, rows, View(0.0, 0.0, piece.width, piece.height, cell, cut=False)


def title_of(piece: Piece, card: PieceCard) -> str:
    """Name a card on the table."""
    return card.title or f"{piece.title} {card.id}"
