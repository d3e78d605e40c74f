"""A diff on paper: before and after side by side, the differences boxed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kitwright.compose.notes import Box, Notes
from kitwright.model.geometry import IDENTITY
from kitwright.model.paper import Paper
from kitwright.ops import Page, Picture, Placed
from kitwright.press.bindery import Book
from kitwright.press.kit import Kit
from kitwright.reprint.entries import Entry
from kitwright.write.encode import Encoder

EDGE, GAP = 15.0, 6.0
CARD = (46.0, 62.0)  # mm, the most that a card's picture may be wide and high
SHEET = (87.0, 112.0)  # the same for what is too large for that to be read
LARGE = 110.0  # mm of the longer side from which it is
MARK = "#d2321e"
LINE = 4.0


def diff_book(
    kit: Kit, between: str, entries: Sequence[Entry], paper: Paper, pictures: Collection[str]
) -> Book:
    """Compose the pages of a diff; `pictures` are the faces that can be shown, by hash."""
    setter = _Setter(kit, paper, pictures)
    setter.head(between)
    for entry in entries:
        setter.entry(entry)
    if not entries:
        setter.notes.words("No card differs.", "body", (EDGE, setter.y, setter.wide, 8))
    return setter.finish()


class _Setter:
    def __init__(self, kit: Kit, paper: Paper, pictures: Collection[str]) -> None:
        self.kit, self.paper, self.pictures = kit, paper, pictures
        self.wide = paper.width - 2 * EDGE
        self.done: list[Notes] = []
        self.notes = Notes(kit.shared)
        self.y = EDGE

    def head(self, between: str) -> None:
        self.notes.words(self.kit.game.title, "title", (EDGE, EDGE, self.wide, 14))
        self.notes.words(between, "tagline", (EDGE, EDGE + 16, self.wide, 6.5))
        self.notes.fill((EDGE, EDGE + 24, self.wide, 0.7), "accent")
        self.y = EDGE + 30

    def entry(self, entry: Entry) -> None:
        """Draw one entry, on a new page where this one is full."""
        large = max(entry.width, entry.height) > LARGE
        most = SHEET if large else CARD
        scale = min(most[0] / entry.width, most[1] / entry.height)
        w, h = entry.width * scale, entry.height * scale
        lines = min(len(entry.lines), 5) * LINE if large else 0.0
        text = 17.0 + lines if large else 0.0
        high = max(text + h + 4, 34.0)
        if self.y + high > self.paper.height - EDGE:
            self.done.append(self.notes)
            self.notes, self.y = Notes(self.kit.shared), EDGE
        top = self.y + text + 4
        second = EDGE + most[0] + GAP
        self.face(entry, "before", entry.before, (EDGE, top, w, h))
        self.face(entry, "after", entry.after, (second, top, w, h))
        left = EDGE if large else second + most[0] + GAP
        self.words(entry, (left, self.y, EDGE + self.wide - left, text if large else high))
        self.y += high + GAP
        self.notes.line([(EDGE, self.y - 3), (EDGE + self.wide, self.y - 3)], "line")

    def words(self, entry: Entry, box: Box) -> None:
        x, y, wide, high = box
        look = {"color": "ink", "valign": "top"}
        used = self.notes.words(entry.title, "head", (x, y, wide, 10), **look)
        y += used + 1
        self.notes.words(entry.name, "small", (x, y, wide, 3.8))
        self.notes.words(entry.why, "small", (x, y + LINE, wide, 3.8), color="accent")
        y += 2 * LINE + 1
        room = max(1, int((box[1] + high - y) / LINE))
        lines = list(entry.lines)
        if len(lines) > room:
            lines = [*lines[: room - 1], f"and {len(lines) - room + 1} more"]
        for line in lines:
            self.notes.words(line, "small", (x, y, wide, 3.8), color="ink", size_pt=8.5)
            y += LINE

    def face(self, entry: Entry, caption: str, mark: str | None, box: Box) -> None:
        x, y, w, h = box
        self.notes.words(caption, "small", (x, y - 4, w, 3.8), size_pt=7.5)
        if mark is None or mark not in self.pictures:
            self.notes.frame(box, "line", 0.25, 1.0)
            said = "not there" if mark is None else "no picture is kept"
            where = (x, y + h / 2 - 3, w, 6)
            self.notes.words(said, "small", where, align="center", valign="middle")
            return
        self.notes.ops.append(Picture(x, y, w, h, mark))
        self.notes.frame(box, "line", 0.15)
        for left, top, right, bottom in entry.boxes:
            around = (x + left * w - 0.5, y + top * h - 0.5)
            size = ((right - left) * w + 1, (bottom - top) * h + 1)
            self.notes.frame((*around, *size), "paper", 0.9, 0.6)
            self.notes.frame((*around, *size), MARK, 0.45, 0.6)

    def finish(self) -> Book:
        """Return the pages."""
        encoder = Encoder(self.kit.materials.fonts)
        faces, pages = {}, []
        width, height = self.paper.width, self.paper.height
        whole = (0.0, 0.0, width, height)
        for number, notes in enumerate([*self.done, self.notes], 1):
            face = notes.face(f"diff/{number}", width, height)
            faces[face.id] = encoder.encode(face)
            pages.append(Page(width, height, whole, whole, (Placed(face.id, IDENTITY),)))
        return Book(tuple(pages), faces)
