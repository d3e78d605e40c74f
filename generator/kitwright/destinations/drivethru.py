"""A PDF a deck for a printing press: each card's back, then its front, copy by copy."""

from __future__ import annotations

from kitwright.destinations.pieces import Request, file_name, sort_out
from kitwright.destinations.plan import Document, Plan, Skipped
from kitwright.destinations.products import find_product, no_product
from kitwright.model.destination import Destination


def plan_press(destination: Destination, request: Request) -> Plan:
    """Plan the PDFs of the decks that the shop has a size for."""
    row = destination.row
    pieces, skipped = sort_out(row, request.pieces)
    documents = []
    for piece in pieces:
        match = find_product(row, piece)
        if match is None:
            skipped.append(Skipped(piece.id, no_product(row, piece)))
            continue
        pages = [
            face
            for card in piece.cards
            for _ in range(card.copies)
            for face in (card.back or "", card.front)
        ]
        name = file_name(row, piece, "", "", match.name)
        title = f"{request.title}: {piece.title}"
        documents.append(Document(name, title, tuple(pages), match.view))
    return Plan(documents=tuple(documents), skipped=tuple(skipped))
