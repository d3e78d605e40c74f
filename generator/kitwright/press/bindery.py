"""A composed kit on paper: decks grouped, imposed, and given their marks, footers and advice page.

Works between the stages: it imposes, and composes the few faces that only a
finished imposition can know. Opens and writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright import __version__
from kitwright.compose.furniture import Furniture, plain_face
from kitwright.fonts import SHIPPED
from kitwright.impose.marks import marks
from kitwright.impose.register import registered
from kitwright.impose.sheets import Sheet, Slotted, impose
from kitwright.model.geometry import IDENTITY, Box, multiply, rotation, translation
from kitwright.model.paper import Paper
from kitwright.ops import Face, Page, Placed
from kitwright.press.boxes import fit_boxes, lay_boxes
from kitwright.press.kit import BuildOptions, DeckFaces, Kit
from kitwright.press.spares import Batch, blank_face, blank_name, filled
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace

OWN_BACK_GAP = 3.0  # mm; so that a shift of the back shows no neighbour
ADVICE_TITLE = "How to print"
HAIR = 1e-6
Keep = Callable[[Face], None]


class Book(Struct, frozen=True):
    """The pages of one PDF, and the faces that only it has."""

    pages: tuple[Page, ...]
    faces: dict[str, EncodedFace]


class Group(Struct, frozen=True):
    """A batch and the sheets that it was laid on."""

    decks: tuple[DeckFaces, ...]
    sheets: tuple[Sheet, ...]


def lay_kit(kit: Kit, paper: Paper, options: BuildOptions, keep: Keep | None = None) -> Book:
    """Lay the whole kit on paper in print order, with an advice page first."""
    return _Binder(kit, paper, options, keep).bind(batches_of(kit.decks, options), advice=True)


def lay_part(kit: Kit, deck: DeckFaces, paper: Paper, options: BuildOptions) -> Book:
    """Lay one deck on paper by itself."""
    return _Binder(kit, paper, options, None).bind(batches_of([deck], options), advice=False)


def lay_batches(
    kit: Kit, paper: Paper, options: BuildOptions, batches: Sequence[Batch], first: Book
) -> Book:
    """Lay chosen cards on paper, behind some finished pages."""
    binder = _Binder(kit, paper, options, None)
    binder.faces.update(first.faces)
    return binder.bind(batches, advice=False, first=first.pages)


def impose_batch(batch: Batch, paper: Paper, options: BuildOptions) -> tuple[Sheet, ...]:
    """Lay the cards of a batch on sheets."""
    deck, sides = batch.decks[0].deck, batch.sides(options.sides)
    return impose(
        batch.cards, deck.size, paper, sides, batch.gap, batch.bleed, options.marks, deck.place
    )


def batches_of(decks: Iterable[DeckFaces], options: BuildOptions) -> Sequence[Batch]:
    """Put neighbours of the kit together that can share sheets."""

    def alike(each: DeckFaces) -> tuple[Any, ...]:
        size = each.deck.size
        return size.width, size.height, gap_of(each, options), each.bleed

    groups = [tuple(group) for _, group in groupby(decks, key=alike)]
    return [Batch(some, slotted(some), gap_of(some[0], options), some[0].bleed) for some in groups]


def slotted(decks: Iterable[DeckFaces]) -> tuple[Slotted, ...]:
    """Return the physical cards of some decks, each waiting for its slot."""
    return tuple(
        Slotted(sides.front, sides.back, each.deck.id, sides.card.id, copy)
        for each in decks
        for sides in each.cards
        for copy in range(1, sides.card.copies + 1)
    )


def gap_of(deck: DeckFaces, options: BuildOptions) -> float:
    """Return the space between the cards of a deck, in mm."""
    if options.gap is not None:
        return options.gap
    two_sided = deck.own_backs and options.sides != "fronts"
    return OWN_BACK_GAP if two_sided else 0.0


class _Binder:
    def __init__(self, kit: Kit, paper: Paper, options: BuildOptions, keep: Keep | None) -> None:
        self.kit = kit
        self.paper = paper
        self.options = options
        self.keep = keep
        self.furniture = Furniture(kit.game, kit.shared)
        self.encoder = Encoder(kit.materials.fonts)
        self.faces: dict[str, EncodedFace] = {}

    def bind(self, batches: Sequence[Batch], advice: bool, first: Sequence[Page] = ()) -> Book:
        """Impose every batch and finish its sheets."""
        laid = [Group(each.decks, self.impose(each)) for each in batches]
        pages = [*self.advice_page(laid), *self.rules_pages()] if advice else [*first]
        boxes = self.box_pages() if advice else []
        count = sum(len(group.sheets) for group in laid) + len(pages) + len(boxes)
        seen: set[str] = set()
        decks = {each.deck.id: each for group in laid for each in group.decks}
        for sheet in self.in_order(laid):
            pages.append(self.finish(sheet, decks, len(pages) + 1, count, seen))
        return Book((*pages, *boxes), self.faces)

    def in_order(self, groups: Sequence[Group]) -> list[Sheet]:
        """Return the sheets as the printer wants them: in two passes all fronts come first."""
        sheets = [sheet for group in groups for sheet in group.sheets]
        if self.options.sides == "two-pass":
            sheets.sort(key=lambda sheet: sheet.side == "back")
        return sheets

    def impose(self, batch: Batch) -> tuple[Sheet, ...]:
        """Lay the cards of a batch on sheets, spares in the slots that would be empty."""
        full = filled(batch, self.options.fill, self.paper, self.options.sides)
        used = {card.face for card in full.cards}
        for deck in batch.decks:
            if blank_name(deck) in used:
                self.add(blank_face(deck))
        return impose_batch(full, self.paper, self.options)

    def _advice_pages(self) -> int:
        """Count the pages of the advice: duplex needs an empty back."""
        return 2 if self.options.sides in ("long", "short") else 1

    def advice_page(self, groups: Sequence[Group]) -> list[Page]:
        """Compose the first page, and the empty one behind it where paper has two sides."""
        width, height = self.paper.width, self.paper.height
        about = ("pages/advice", width, height, self.about(groups))
        face = self.furnish(about, lambda: self.furniture.advice(*about))
        whole = (0.0, 0.0, width, height)
        first = Page(width, height, whole, whole, (Placed(face.id, IDENTITY),), ADVICE_TITLE)
        empty = Page(width, height, whole, whole, ())
        return [first, empty][: self._advice_pages()]

    def rules_pages(self) -> list[Page]:
        """Return the rulebook, with an empty page at its end where the next sheet needs one."""
        if self.kit.rulebook is None:
            return []
        pages, faces = self.kit.rulebook.sheets(self.paper)
        self.faces.update(faces)
        whole = (0.0, 0.0, self.paper.width, self.paper.height)
        odd = len(pages) % 2 and self.options.sides in ("long", "short")
        empty = Page(self.paper.width, self.paper.height, whole, whole, ())
        return [*pages, *([empty] if odd else [])]

    def box_pages(self) -> list[Page]:
        """Return the boxes, each with an empty page behind it where paper has two sides."""
        pages: list[Page] = []
        whole = (0.0, 0.0, self.paper.width, self.paper.height)
        empty = Page(self.paper.width, self.paper.height, whole, whole, ())
        for box in lay_boxes(self.kit, self.paper, self.options):
            self.faces.update(box.faces)
            pages += [box.page, empty][: self._advice_pages()]
        return pages

    def about(self, groups: Sequence[Group]) -> dict[str, Any]:
        """Return what the advice page tells."""
        kit, game = self.kit, self.kit.game
        fonts = {SHIPPED[name] for name in kit.materials.fonts.names if name in SHIPPED}
        credits = sorted({f"{font.family} ({font.licence})" for font in fonts})
        fewest, most = game.players
        players = f"{fewest} player" if most == 1 else f"{fewest} to {most} players"
        minutes = f"{game.minutes[0]} to {game.minutes[1]} minutes"
        line = f"{game.tagline}\n{players}, {minutes}, age {game.age} and up"
        return {
            "about": line.strip() + (f", variant {game.variant}" if game.variant else ""),
            "paper": self.paper.name.upper()
            if self.paper.name[-1:].isdigit()
            else (self.paper.name.capitalize()),
            "sides": self.options.sides,
            "marks": self.options.marks,
            "parts": (
                *(_row(each, group) for group in groups for each in group.decks),
                *_box_rows(len(fit_boxes(kit, self.paper, self.options))),
            ),
            "fonts": ", ".join(credits),
            "stamp": kit.stamp,
            "version": __version__,
        }

    def finish(
        self, sheet: Sheet, decks: dict[str, DeckFaces], number: int, count: int, seen: set[str]
    ) -> Page:
        """Add marks, footer and bookmark to a sheet."""
        page = registered(sheet, self.options.sides, self.options.printer)
        placed = list(page.placed)
        drawn = marks(sheet)
        if drawn:
            face = plain_face("", self.paper.width, self.paper.height, drawn)
            face = Face(f"marks/{face.hash}", face.width, face.height, 0.0, face.ops, face.hash)
            self.add(face)
            placed.append(Placed(face.id, IDENTITY))
        names = [decks[name] for name in sheet.decks]
        if sheet.strip is None or not _overlap(sheet.strip.box, page.bleed):
            placed += self.footer(sheet, names, number, count)
        new = [each.deck.title for each in names if each.deck.id not in seen]
        seen.update(sheet.decks)
        return replace(page, placed=tuple(placed), bookmark="; ".join(new))

    def footer(
        self, sheet: Sheet, decks: Sequence[DeckFaces], number: int, count: int
    ) -> list[Placed]:
        """Compose the line that says what a sheet is."""
        strip = sheet.strip
        if strip is None:
            return []
        game = self.kit.game
        title = f"{game.title} ({game.variant})" if game.variant else game.title
        parts = ", ".join(f"{each.deck.title} {each.stamp}" for each in decks)
        side = {"both": "fold"}.get(sheet.side, sheet.side)
        line = f"{title} · {parts} · page {number} of {count} · {side}"
        if self.options.printer is not None:
            line += f" · set right for {self.options.printer.name}"
        left, top, right, bottom = strip.box
        long, high = strip.length, (right - left) if strip.turn else (bottom - top)
        about = (f"footers/{number}", long, min(high, 4.0), line)
        face = self.furnish(about, lambda: self.furniture.footer(*about))
        matrix = translation(left, top)
        if strip.turn == 90:
            matrix = multiply(translation(right, top), rotation(90))
        elif strip.turn == 270:
            matrix = multiply(translation(left, bottom), rotation(270))
        return [Placed(face.id, matrix)]

    def furnish(self, about: object, compose: Callable[[], Face]) -> EncodedFace:
        """Add words of this book, as they were composed before if nobody wants to see them."""
        if self.keep is not None:
            face = compose()
            self.add(face)
            return self.faces[face.id]
        encoded = self.kit.furnished(about, compose, self.encoder)
        self.faces[encoded.id] = encoded
        return encoded

    def add(self, face: Face) -> None:
        """Encode a face of this book, once."""
        if face.id not in self.faces:
            if self.keep is not None:
                self.keep(face)
            self.faces[face.id] = self.encoder.encode(face)


def _overlap(one: Box, other: Box) -> bool:
    """Tell whether two boxes share more than an edge."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > HAIR and down > HAIR


def _box_rows(count: int) -> list[dict[str, Any]]:
    row = {"title": "Boxes", "size": "to fold", "stamp": ""}
    return [{**row, "count": count, "sheets": count}] if count else []


def _row(each: DeckFaces, group: Group) -> dict[str, Any]:
    deck = each.deck
    sheets = {sheet.number for sheet in group.sheets if deck.id in sheet.decks}
    size = f"{deck.size.width:g} x {deck.size.height:g} mm"
    return {
        "title": deck.title,
        "size": size,
        "count": deck.count,
        "sheets": len(sheets),
        "stamp": each.stamp,
    }
