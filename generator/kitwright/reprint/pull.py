"""The pull list: which cards to take out of the box and which to put in, with small pictures."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from kitwright.compose.notes import Box, Notes
from kitwright.model.geometry import IDENTITY, multiply, scaling, translation
from kitwright.model.paper import Paper
from kitwright.ops import Page, Picture, Placed
from kitwright.press.bindery import Book
from kitwright.press.kit import Kit
from kitwright.reprint.stock import Change, Design
from kitwright.write.encode import Encoder

TITLE = "Pull list"
EDGE = 15.0  # mm round the page
HEAD, NEXT_HEAD = 44.0, 18.0  # mm that the heads of the first page and of the others take
ROW, GAP = 33.0, 4.0
MINI = (20.5, 29.0)  # mm, the most that a small picture may be wide and high
ARROW = 7.0
BACK = "back changed"


class Since(Struct, frozen=True):
    """What the head of the list says."""

    date: str
    paper: str
    sheets: int


class Row(Struct, frozen=True):
    """One line of the list: a card, or a whole deck whose back has changed."""

    title: str
    about: str
    why: str
    take: int
    put: int
    old: tuple[str | None, Design | None]  # the face to show, and whose size it has
    new: tuple[str | None, Design | None]


def rows_of(kit: Kit, changes: Sequence[Change]) -> list[Row]:
    """List what is exchanged; a deck that only got another back is one row."""
    titles = {each.deck.id: each.deck.title for each in kit.decks}
    cards = {each.deck.id: len(each.cards) for each in kit.decks}
    backs: dict[tuple[str, str | None, str | None], list[Change]] = {}
    for change in changes:
        if change.why == BACK:
            backs.setdefault((change.any.deck, *_faces(change, 1)), []).append(change)
    whole = {key: some for key, some in backs.items() if len(some) == cards.get(key[0], 0) > 1}
    rows = []
    for change in changes:
        deck = change.any.deck
        key = (deck, *_faces(change, 1))
        if change.why == BACK and key in whole:
            if change is whole[key][0]:
                rows.append(_deck_row(titles.get(deck, deck), whole[key]))
        elif change.take or change.put:
            old, new = _faces(change, 1 if change.why == BACK else 0)
            about = f"{titles.get(deck, deck)} · {change.any.card}"
            faces = (old, change.old), (new, change.new)
            rows.append(Row(change.any.title, about, change.why, change.take, change.put, *faces))
    return rows


def _deck_row(title: str, changes: Sequence[Change]) -> Row:
    first = changes[0]
    old, new = _faces(first, 1)
    take, put = sum(each.take for each in changes), sum(each.put for each in changes)
    return Row(title, "the whole deck", BACK, take, put, (old, first.old), (new, first.new))


def _faces(change: Change, side: int) -> tuple[str | None, str | None]:
    """Return the front (0) or the back (1) as it was and as it is."""
    old, new = change.old, change.new
    return (
        old.copies[-1][side] if old and old.copies else None,
        new.copies[-1][side] if new and new.copies else None,
    )


def pull_list(
    kit: Kit, changes: Sequence[Change], since: Since, paper: Paper, pictures: Collection[str]
) -> Book:
    """Compose the pages of the list; `pictures` has the old faces that can be shown, by hash."""
    rows = rows_of(kit, changes)
    pages: list[_Page] = []
    while rows or not pages:
        page = _Page(kit, paper, since, pictures, len(pages) + 1)
        rows = page.fill(changes, rows)
        pages.append(page)
    encoder = Encoder(kit.materials.fonts)
    faces = {}
    made = []
    for page in pages:
        face = page.notes.face(f"pull/{page.number}", paper.width, paper.height)
        faces[face.id] = encoder.encode(face)
        whole = (0.0, 0.0, paper.width, paper.height)
        placed = (Placed(face.id, IDENTITY), *page.placed)
        mark = TITLE if page.number == 1 else ""
        made.append(Page(paper.width, paper.height, whole, whole, placed, mark))
    return Book(tuple(made), faces)


class _Page:
    def __init__(
        self, kit: Kit, paper: Paper, since: Since, pictures: Collection[str], number: int
    ) -> None:
        self.kit, self.paper, self.since, self.pictures = kit, paper, since, pictures
        self.number = number
        self.notes = Notes(kit.shared)
        self.placed: list[Placed] = []
        self.faces = {face.hash: face for face in kit.faces.values()}

    def fill(self, changes: Sequence[Change], rows: list[Row]) -> list[Row]:
        """Draw the head and as many rows as fit; return the rest."""
        wide = self.paper.width - 2 * EDGE
        top = self.head(changes, wide)
        lines = int((self.paper.height - EDGE - top + GAP) / (ROW + GAP))
        column = (wide - GAP) / 2
        for index, row in enumerate(rows[: 2 * lines]):
            across, down = divmod(index, lines) if len(rows) > lines else (0, index)
            box = (EDGE + across * (column + GAP), top + down * (ROW + GAP), column, ROW)
            self.row(row, box)
        return rows[2 * lines :]

    def head(self, changes: Sequence[Change], wide: float) -> float:
        notes, game = self.notes, self.kit.game
        if self.number > 1:
            notes.words(f"{game.title}: {TITLE}, page {self.number}", "head", (EDGE, EDGE, wide, 7))
            notes.fill((EDGE, EDGE + 9, wide, 0.4), "accent")
            return EDGE + NEXT_HEAD - 5
        take = sum(change.take for change in changes)
        put = sum(change.put for change in changes)
        name = f"{game.title} ({game.variant})" if game.variant else game.title
        notes.words(name, "title", (EDGE, EDGE, wide, 15))
        line = f"What changed since {self.since.date}: take {_cards(take)} out, put {put} in."
        notes.words(line, "tagline", (EDGE, EDGE + 17, wide, 7), color="ink")
        notes.words(self.todo(put), "small", (EDGE, EDGE + 24.5, wide, 8), size_pt=9.0)
        notes.fill((EDGE, EDGE + 34, wide, 0.7), "accent")
        return EDGE + HEAD - 5

    def todo(self, put: int) -> str:
        if not put:
            return "Nothing is printed anew. Mark the kit as printed once the box is right."
        sheets = f"{self.since.sheets} sheet{'s' * (self.since.sheets != 1)}"
        return (
            f"{sheets} of {self.since.paper} follow{'s' * (self.since.sheets == 1)}, at 100 %. "
            "Cut, exchange the cards below, then mark the kit as printed."
        )

    def row(self, row: Row, box: Box) -> None:
        x, y, wide, high = box
        self.mini(*row.old, (x, y, MINI[0], MINI[1]), "new")
        middle, right = y + MINI[1] / 2, x + MINI[0] + ARROW
        tip = right - 1.6
        self.notes.line([(right - ARROW + 1.6, middle), (tip, middle)], "soft", 0.35)
        head = [(tip - 1.3, middle - 1.1), (tip, middle), (tip - 1.3, middle + 1.1)]
        self.notes.line(head, "soft", 0.35)
        self.mini(*row.new, (right, y, MINI[0], MINI[1]), "out")
        left = right + MINI[0] + 3
        text = (left, wide - (left - x))
        name = (text[0], y, text[1], 9.5)
        used = self.notes.words(row.title, "head", name, color="ink", size_pt=10.5, valign="top")
        below = y + used + 1.0
        self.notes.words(row.about, "small", (text[0], below, text[1], 3.6))
        self.notes.words(row.why, "small", (text[0], below + 3.8, text[1], 3.6))
        top = below + 9.0
        for order in _orders(row):
            self.notes.frame((text[0] + 0.2, top + 0.5, 3.2, 3.2), "accent", 0.35, 0.4)
            where = (text[0] + 5.2, top - 0.3, text[1] - 5.2, 4.8)
            self.notes.words(order, "head", where, size_pt=10.5, valign="middle")
            top += 5.2
        self.notes.line([(x, y + high), (x + wide, y + high)], "line")

    def mini(self, mark: str | None, design: Design | None, box: Box, empty: str) -> None:
        x, y, wide, high = box
        if design is None or mark is None:
            self.notes.frame((x + 1, y + 1, wide - 2, high - 2), "line", 0.25, 1.2)
            self.notes.words(
                empty, "small", (x, y + high / 2 - 2.2, wide, 4.4), align="center", valign="middle"
            )
            return
        scale = min(wide / design.width, high / design.height)
        w, h = design.width * scale, design.height * scale
        x, y = x + (wide - w) / 2, y + (high - h) / 2
        if mark in self.faces:
            matrix = multiply(translation(x, y), scaling(scale, scale))
            self.placed.append(Placed(self.faces[mark].id, matrix, (x, y, x + w, y + h)))
        elif mark in self.pictures:
            self.notes.ops.append(Picture(x, y, w, h, mark))
        else:
            self.notes.words("no picture", "small", (x, y + h / 2 - 2, w, 4), align="center")
        self.notes.frame((x, y, w, h), "soft", 0.15)


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _orders(row: Row) -> list[str]:
    take = [f"take {row.take} out"] if row.take else []
    return [*take, *([f"put {row.put} in"] if row.put else [])]
