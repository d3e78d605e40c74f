"""The pieces of a game as a site sees them: decks, tokens, sheets and boards, with their faces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kitwright.destinations.plan import MM_AN_INCH, Shot, Skipped, View
from kitwright.model.destination import DestinationRow


class PieceCard(Struct, frozen=True):
    """A card design with the names of its faces."""

    id: str
    title: str
    copies: int
    front: str
    back: str | None


class Piece(Struct, frozen=True):
    """A deck, sheet or board."""

    id: str
    kind: str  # deck, sheet or board; a deck of small cards becomes one of tokens
    title: str
    width: float
    height: float
    cards: tuple[PieceCard, ...]
    own_backs: bool
    bleed: float = 0.0  # what its layout has
    spot: tuple[int, int] | None = None  # row and column among boards that join

    @property
    def count(self) -> int:
        """The number of physical pieces."""
        return sum(card.copies for card in self.cards)

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{self.width:g} x {self.height:g} mm"

    def kind_at(self, row: DestinationRow) -> str:
        """Return what the piece is to a site."""
        if self.kind == "deck" and max(self.width, self.height) <= row.token_side:
            return "token"
        return self.kind


class Request(Struct, frozen=True):
    """A game that is to go to a site."""

    game: str
    title: str
    pieces: tuple[Piece, ...]
    url_base: str  # where the images will be, ending in a slash
    dpi: float | None = None  # instead of the row's, where the site lets one choose
    bleed: bool = False  # plain images: keep what the layout has
    sheet_pixels: int | None = None  # instead of the row's


NAMES = {"deck": "decks", "token": "tokens", "sheet": "sheets", "board": "boards"}


def sort_out(row: DestinationRow, pieces: Iterable[Piece]) -> tuple[list[Piece], list[Skipped]]:
    """Part the pieces that a site takes from those it does not."""
    taken, skipped = [], []
    for piece in pieces:
        kind = piece.kind_at(row)
        if kind in row.takes:
            taken.append(piece)
        else:
            wanted = " and ".join(NAMES[kind] for kind in row.takes)
            skipped.append(Skipped(piece.id, f"{row.title} takes {wanted}; this is a {kind}"))
    return taken, skipped


def trimmed(piece: Piece, dpi: float) -> View:
    """See a piece as it is when it is cut."""
    return grown(piece, dpi, 0.0)


def grown(piece: Piece, dpi: float, bleed: float) -> View:
    """See a piece with bleed round it, at so many pixels an inch."""
    width, height = piece.width + 2 * bleed, piece.height + 2 * bleed
    pixels = round(width * dpi / MM_AN_INCH), round(height * dpi / MM_AN_INCH)
    return View(-bleed, -bleed, width, height, pixels, cut=bleed > 0)


def file_name(row: DestinationRow, piece: Piece, card: str, side: str, product: str = "") -> str:
    """Name a file as the site's row says."""
    return row.name.format(product=product, deck=piece.id, card=card, side=side)


def shots_of(
    row: DestinationRow, piece: Piece, view: View, product: str = "", blank: bool = False
) -> Iterator[tuple[PieceCard, Shot, Shot | None]]:
    """Yield each card with the shots of its front and back; `blank` gives all a back."""
    for card in piece.cards:
        front = Shot(card.front, file_name(row, piece, card.id, "", product), view)
        back = None
        if card.back is not None and piece.own_backs:
            back = Shot(card.back, file_name(row, piece, card.id, "-back", product), view)
        elif card.back is not None or blank:
            back = Shot(card.back or "", file_name(row, piece, "back", "", product), view)
        yield card, front, back
