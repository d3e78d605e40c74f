"""Which product of a print shop a piece is printed as, and how it lies on that canvas."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from kitwright.destinations.pieces import Piece, grown
from kitwright.destinations.plan import MM_AN_INCH, View
from kitwright.model.destination import DestinationRow, ProductRow

ALIKE = 0.6  # mm by which a card may differ from the product's finished size


class Match(Struct, frozen=True):
    """A product and the view of a piece on its canvas."""

    name: str
    view: View


def find_product(row: DestinationRow, piece: Piece) -> Match | None:
    """Choose the product of the piece's size, or paper that it fits on; None when there is none."""
    kind = piece.kind_at(row)
    fits = [(name, product) for name, product in row.products.items() if kind in product.takes]
    exact = [
        (abs(width - piece.width) + abs(height - piece.height), name, product, turned)
        for name, product in fits
        for turned, width, height in _ways(product)
        if not product.fit
        and abs(width - piece.width) <= ALIKE
        and abs(height - piece.height) <= ALIKE
    ]
    if exact:
        _, name, product, turned = min(exact, key=lambda found: (found[0], found[3]))
        return Match(name, _on_canvas(row, piece, product, turned, cut=True))
    for name, product in fits:
        for turned, width, height in _ways(product):
            if product.fit and piece.width <= width and piece.height <= height:
                return Match(name, _on_canvas(row, piece, product, turned, cut=False))
    return None


def _ways(product: ProductRow) -> tuple[tuple[bool, float, float], ...]:
    return (False, product.width, product.height), (True, product.height, product.width)


def _on_canvas(
    row: DestinationRow, piece: Piece, product: ProductRow, turned: bool, cut: bool
) -> View:
    across, down = (side / row.dpi * MM_AN_INCH for side in product.pixels)
    width, height = (down, across) if turned else (across, down)
    left, top = (piece.width - width) / 2, (piece.height - height) / 2
    return View(left, top, width, height, (product.pixels[0], product.pixels[1]), turned, cut)


def view_of(row: DestinationRow, piece: Piece) -> Match | None:
    """Return how a site sees a piece: on a product's canvas, or at its own size."""
    if row.products:
        return find_product(row, piece)
    return Match("", grown(piece, row.dpi, row.bleed))


def no_product(row: DestinationRow, piece: Piece) -> str:
    """Say that a site sells nothing of a piece's size."""
    return f"{row.title} has no product of {piece.size}"


def reach(rows: Iterable[DestinationRow], piece: Piece) -> float:
    """Return how far beyond its cut some sites look at a piece, in mm."""
    found = [0.0]
    for row in rows:
        match = view_of(row, piece)
        if match is not None and match.view.cut:
            found += [row.bleed, -match.view.left, -match.view.top]
    return max(found)
