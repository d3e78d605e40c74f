"""Rows of cards in a report: each with its picture, how it was used, and what went with it."""

from __future__ import annotations

from msgspec import Struct

from kitwright.compose.text import set_text
from kitwright.model.geometry import rectangle, translation
from kitwright.ops import Fill, Group, Op
from kitwright.reports.plots import LINE, Interval, Pen, Scale, number, whisker
from kitwright.rulebook.blocks import Shown
from kitwright.rulebook.figures import Artist, Drawing

HEIGHT = 19.0
_PICTURE = 17.0  # mm of room for a card, both ways
_GAP = 4.0


class CardRow(Struct, frozen=True):
    """One card of a report."""

    title: str
    picture: Shown | None
    uses: float  # a game
    most: float  # of all cards, so that bars compare
    gain: Interval | None
    reach: float  # the largest gain of all cards, either way
    percent: bool  # whether a gain is a share
    verdict: str = ""


class CardRows(Struct, frozen=True):
    """Two cards side by side."""

    rows: tuple[CardRow, ...]

    def draw(self, artist: Artist, width: float) -> Drawing:
        """Draw the cards of one line."""
        each = (width - _GAP) / 2
        ops: list[Op] = []
        for at, row in enumerate(self.rows):
            drawn = _row(artist, row, each)
            ops.append(Group(tuple(drawn), translation(at * (each + _GAP), 0.0)))
        return Drawing(tuple(ops), width, HEIGHT)


def _row(artist: Artist, row: CardRow, width: float) -> list[Op]:
    pen = Pen(artist)
    ops: list[Op] = [pen.line((0.0, 0.0), (width, 0.0))]
    left = 0.0
    if row.picture is not None:
        face = row.picture.face
        scale = min(_PICTURE / face.width, _PICTURE / face.height)
        x = (_PICTURE - face.width * scale) / 2
        ops += artist.shown(row.picture, x, 1.2, scale)
        left = _PICTURE + 2.5
    room = width - left
    title = row.title if not row.verdict else f"{row.title} ({row.verdict})"
    ops += pen.text(title, left, 1.0, room, strong=True)
    bar = room - 24.0
    top = 1.4 + LINE
    high = 2.6
    ops.append(Fill(rectangle(left, top + 0.7, bar, high), pen.color("note")))
    full = bar * row.uses / row.most if row.most else 0.0
    ops.append(Fill(rectangle(left, top + 0.7, full, high), pen.color("note-edge")))
    ops += pen.text(f"{number(row.uses)} a game", left + bar + 1.5, top, 23.0)
    return ops + _gain(pen, row, left, bar, top + LINE + 1.0)


def _gain(pen: Pen, row: CardRow, left: float, bar: float, top: float) -> list[Op]:
    """Draw the gain against the line of no gain."""
    if row.gain is None:
        return list(pen.text("too few games to compare", left, top, bar))
    across = Scale(-row.reach, row.reach, left, left + bar)
    middle, y = across.at(0.0), top + 2.2
    ops: list[Op] = [pen.line((middle, top), (middle, top + 4.4), color="soft")]
    ops += whisker(pen, across, row.gain, y)
    said = number(row.gain.mean, row.percent)
    sign = "+" if row.gain.mean > 0 else ""
    return [*ops, *pen.text(f"{sign}{said}", left + bar + 1.5, top, 23.0)]


class Pair(Struct, frozen=True):
    """A face before and after a change, side by side, with what changed in words."""

    before: Shown | None
    after: Shown | None
    title: str
    words: str

    def draw(self, artist: Artist, width: float) -> Drawing:
        """Draw both faces and the words at their right."""
        pen, tallest, x = Pen(artist), 44.0, 0.0
        ops: list[Op] = []
        for shown, name in ((self.before, "before"), (self.after, "after")):
            if shown is not None:
                scale = min(tallest / shown.face.height, 52.0 / shown.face.width)
                wide = shown.face.width * scale
                ops += artist.shown(shown, x, LINE + 0.6, scale)
                ops += pen.text(name, x, 0.0, wide, "center")
                x += wide + 5.0
        style = artist.dress.styles["cell"]
        box = (x + 2.0, LINE + 0.6, width - x - 2.0, tallest)
        words = f"**{self.title}**\n{self.words}"
        ops += set_text(words, style, box, artist.fonts, artist.icons, "error", "the page").ops
        return Drawing(tuple(ops), width, tallest + LINE + 1.0)
