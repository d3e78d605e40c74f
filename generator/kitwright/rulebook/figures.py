"""Scenes become drawings: real faces, scaled, with badges, leaders and labels.

Only ops come out, so a figure goes through the same writers as a card. Knows no page.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.text import MM_PER_PT, measure_text, set_text
from kitwright.compose.words import Icons
from kitwright.fonts import Fonts
from kitwright.model.geometry import Matrix, circle, multiply, rectangle, scaling, translation
from kitwright.model.theme import TextStyle, Theme
from kitwright.ops import Fill, Group, Op, Stroke, Use, symbol_of
from kitwright.rulebook.blocks import (
    CardScene,
    LaidScene,
    Pile,
    RowScene,
    Scene,
    Shown,
    TableScene,
)
from kitwright.rulebook.laid import NOTE_COLUMNS, NOTE_GAP, columns_of, plan_of
from kitwright.rulebook.rings import Ring

BADGE = 2.3  # mm, radius
_COLUMN = 13.0  # mm between a card and its notes
_NOTES = 46.0  # mm that notes have at least
_FAN = 0.34  # of a card's width that each card of a fan shows
_APART = 1.05  # of a card's width between cards in a row
_LABEL_GAP = 1.2
_MOST_APART = 11.0  # mm between piles
_LEAST_LABEL = 6.0
_NOTES_BELOW = 3.0  # mm between laid cards and their notes
_NOTE_APART = 1.6


class Drawing(Struct, frozen=True):
    """Ops from the top left, and how far they reach."""

    ops: tuple[Op, ...]
    width: float
    height: float


class Artist(Struct, frozen=True):
    """Draws scenes in the dress of a rulebook."""

    dress: Theme
    fonts: Fonts
    icons: Icons

    def draw(self, scene: Scene, width: float, with_notes: bool = True) -> Drawing:
        """Draw a scene at most `width` mm wide; notes may be left to the page."""
        if isinstance(scene, CardScene):
            return self.card(scene, width, with_notes)
        if isinstance(scene, RowScene):
            return self.row(scene, width)
        if isinstance(scene, LaidScene):
            return self.laid(scene, width, with_notes)
        if isinstance(scene, TableScene):
            return self.table(scene, width)
        drawing: Drawing = scene.draw(self, width)
        return drawing

    def card(self, scene: CardScene, width: float, with_notes: bool) -> Drawing:
        """Draw a card with numbered notes at its right, joined to their spots."""
        face = scene.card.face
        tall = min(scene.height, width * face.height / face.width)
        if with_notes and scene.notes:
            tall = min(tall, max(width - _COLUMN - _NOTES, _NOTES) * face.height / face.width)
        scale = tall / face.height
        wide = face.width * scale
        ops: list[Op] = list(self.shown(scene.card, 0.0, 0.0, scale))
        column = wide + _COLUMN - BADGE - 2.0
        left = column + BADGE + 2.5
        style = self.dress.styles["cell"]
        bottom, tallest = 0.0, tall
        for index, ((x, y), note) in enumerate(zip(scene.spots, scene.notes, strict=True)):
            line = style.size_pt * MM_PER_PT * style.leading
            words = self._words(note, style, width - left) if with_notes else None
            top = bottom if scene.pins else max(bottom, y * scale - line / 2)
            middle = top + max(line / 2, BADGE)
            joined = self.pin if scene.pins else self.leader
            ops += joined(x * scale, y * scale, column, middle, str(index + 1))
            if words is not None:
                ops.append(Group(words.ops, translation(left, top)))
            bottom = top + max(words.height if words else 0.0, 2 * BADGE) + 2.2
            tallest = max(tallest, bottom - 2.2)
        return Drawing(tuple(ops), width if with_notes else column + BADGE + 0.5, tallest)

    def pin(self, x: float, y: float, to_x: float, to_y: float, number: str) -> tuple[Op, ...]:
        """Draw the badge of a note on its spot too."""
        ring = Fill(circle(x, y, BADGE + 0.45), self.dress.colors["paper"])
        return (ring, *self.badge(number, x, y), *self.badge(number, to_x, to_y))

    def leader(self, x: float, y: float, to_x: float, to_y: float, number: str) -> tuple[Op, ...]:
        """Draw a fine line with a light edge from a spot to its badge."""
        path = (("M", x, y), ("L", to_x, to_y))
        color, paper = self.dress.colors["callout"], self.dress.colors["paper"]
        return (
            Stroke(path, paper, 0.9, cap="round"),
            Fill(circle(x, y, 1.15), paper),
            Stroke(path, color, 0.35, cap="round"),
            Fill(circle(x, y, 0.8), color),
            *self.badge(number, to_x, to_y),
        )

    def badge(self, text: str, x: float, y: float) -> tuple[Op, ...]:
        """Draw a number in a disc."""
        box = (x - BADGE, y - BADGE, 2 * BADGE, 2 * BADGE)
        words = set_text(
            text, self.dress.styles["badge"], box, self.fonts, self.icons, "error", "its badge"
        )
        return (Fill(circle(x, y, BADGE), self.dress.colors["callout"]), *words.ops)

    def row(self, scene: RowScene, width: float) -> Drawing:
        """Draw cards side by side with their labels below."""
        widest = max(card.face.width for card in scene.cards)
        highest = max(card.face.height for card in scene.cards)
        spread = widest * (1 + (len(scene.cards) - 1) * scene.step)
        scale = min(scene.tallest / highest, width / spread)
        ops: list[Op] = []
        for index, card in enumerate(scene.cards):
            ops += self.shown(card, index * scene.step * widest * scale, 0.0, scale)
        height = highest * scale
        step = widest * scale * scene.step
        below = 0.0
        for index, label in enumerate(scene.labels):
            left = index * step + (widest * scale - step) / 2
            drawn = self.label(label, left, height + _LABEL_GAP, step)
            ops += drawn.ops
            below = max(below, drawn.height + _LABEL_GAP)
        return Drawing(tuple(ops), spread * scale, height + below)

    def laid(self, scene: LaidScene, width: float, with_notes: bool) -> Drawing:
        """Draw cards at their places, cut square as by hand, with numbers on their spots."""
        plan = plan_of(scene, width)
        ops: list[Op] = []
        for card, spot in scene.cards:
            ops += self.shown(replace(card, corner=0.0), *plan.at(spot), plan.scale)
        for index, spot in enumerate(scene.spots, 1):
            x, y = plan.at(spot)
            ops.append(Fill(circle(x, y, BADGE + 0.5), self.dress.colors["paper"]))
            ops += self.badge(str(index), x, y)
        if not scene.notes or not with_notes:
            return Drawing(tuple(ops), plan.width, plan.height)
        shift = translation((width - plan.width) / 2, 0.0)
        notes = self.notes(scene.notes, width)
        below = Group(notes.ops, translation(0.0, plan.height + _NOTES_BELOW))
        height = plan.height + _NOTES_BELOW + notes.height
        return Drawing((Group(tuple(ops), shift), below), width, height)

    def notes(self, notes: Sequence[str], width: float) -> Drawing:
        """Set numbered notes in columns."""
        style, left = self.dress.styles["cell"], 2 * BADGE + 2.0
        column = (width - NOTE_GAP) / NOTE_COLUMNS
        line = style.size_pt * MM_PER_PT * style.leading
        words = [self._words(note, style, column - left) for note in notes]
        heights = [max(each.height, 2 * BADGE) for each in words]
        first, tall = columns_of(heights, _NOTE_APART)
        ops: list[Op] = []
        y = 0.0
        for index, drawn in enumerate(words):
            y = 0.0 if index == first else y
            x = 0.0 if index < first else column + NOTE_GAP
            ops += self.badge(str(index + 1), x + BADGE, y + max(line / 2, BADGE))
            ops.append(Group(drawn.ops, translation(x + left, y)))
            y += heights[index] + _NOTE_APART
        return Drawing(tuple(ops), width, tall - _NOTE_APART)

    def table(self, scene: TableScene, width: float) -> Drawing:
        """Draw the middle of the table between two rows of players."""
        half = len(scene.seats) // 2
        above, below = scene.seats[:half], scene.seats[half:][::-1]  # they sit clockwise
        inner = width - 6.0
        rows = [[piles] for piles in (scene.centre,) if piles]
        cells = [list(row) for row in (above, below) if row]
        scale = min((scene.largest, *(_fitting(row, inner) for row in (*rows, *cells))))
        ops: list[Op] = []
        y = 3.0
        numbers = range(1, len(scene.seats) + 1)
        for piles, named in (
            (above, numbers[:half]),
            ((scene.centre,), ()),
            (below, numbers[half:][::-1]),
        ):
            if not any(piles):
                continue
            drawn = self.seats(piles, named, inner, scale)
            ops.append(Group(drawn.ops, translation(3.0, y)))
            y += drawn.height + 3.5
        height = y - 0.5
        ground = Fill(rectangle(0, 0, width, height, 3.0), self.dress.colors["table"])
        return Drawing((ground, *ops), width, height)

    def seats(
        self, seats: Sequence[Sequence[Pile]], numbers: Sequence[int], width: float, scale: float
    ) -> Drawing:
        """Draw one row of the table: players with their numbers, or the middle without any."""
        ops: list[Op] = []
        tallest = 0.0
        cell = width / len(seats)
        for index, piles in enumerate(seats):
            top = 0.0
            if numbers:
                title = self.label(f"**Player {numbers[index]}**", index * cell, 0.0, cell)
                ops += title.ops
                top = title.height + _LABEL_GAP
            gap = min(_gap(piles, cell, scale), _MOST_APART)
            spread = sum(_span(pile) * scale + gap for pile in piles) - gap
            x = index * cell + (cell - spread) / 2
            for pile in piles:
                drawn = self.pile(pile, scale, gap)
                ops.append(Group(drawn.ops, translation(x, top)))
                tallest = max(tallest, top + drawn.height)
                x += drawn.width + gap
        return Drawing(tuple(ops), width, tallest)

    def pile(self, pile: Pile, scale: float, gap: float) -> Drawing:
        """Draw cards that lie together, and what they are called."""
        if pile.sides:
            return self.labelled(self.ring(pile, scale), pile.label, gap)
        ops: list[Op] = []
        wide = pile.cards[0].face.width * scale
        shown = pile.cards[:3][::-1] if pile.lie == "pile" else pile.cards  # the first on top
        for index, card in enumerate(shown):
            step = {"row": wide * _APART, "fan": wide * _FAN}.get(pile.lie, 0.6)
            ops += self.shown(card, index * step, -index * 0.4 * (pile.lie == "pile"), scale)
        height = max(card.face.height for card in shown) * scale
        drawn = Drawing(tuple(ops), _span(pile) * scale, height)
        return self.labelled(drawn, pile.label, gap)

    def ring(self, pile: Pile, scale: float) -> Drawing:
        """Draw a card with others at its sides, and the slots that they lie in."""
        ring = _ring(pile)
        (wide, high), (width, height) = ring.largest, ring.size
        slot = rectangle(1.0, 1.0, wide - 2.0, high - 2.0, 3.0)
        ops: list[Op] = []
        for card, matrix in ring.places():
            at = multiply(scaling(scale, scale), matrix)
            if card is None:
                color = self.dress.colors["card-edge"]
                dash = (1.2 / scale, 0.9 / scale)
                ground = Fill(slot, self.dress.colors["table"])
                ops.append(Group((ground, Stroke(slot, color, 0.25 / scale, dash)), at))
            else:
                ops += self.through(card, at, scale)
        return Drawing(tuple(ops), width * scale, height * scale)

    def labelled(self, drawn: Drawing, label: str, gap: float) -> Drawing:
        """Set what some cards are called below them."""
        if not label:
            return drawn
        room = drawn.width + 0.9 * gap
        words = self.label(label, (drawn.width - room) / 2, drawn.height + _LABEL_GAP, room)
        height = drawn.height + words.height + _LABEL_GAP
        return Drawing((*drawn.ops, *words.ops), drawn.width, height)

    def label(self, text: str, x: float, y: float, width: float) -> Drawing:
        """Set a few centred words, smaller where they must be."""
        style = replace(self.dress.styles["label"], least_pt=_LEAST_LABEL)
        drawn = set_text(
            text, style, (x, y, width, 12.0), self.fonts, self.icons, "shrink", "its label"
        )
        return Drawing(drawn.ops, width, drawn.height)

    def shown(self, card: Shown, x: float, y: float, scale: float) -> tuple[Op, ...]:
        """Draw a card with its corner at a spot."""
        return self.through(card, multiply(translation(x, y), scaling(scale, scale)), scale)

    def through(self, card: Shown, matrix: Matrix, scale: float) -> tuple[Op, ...]:
        """Draw a card through a matrix, with its corners cut and an edge round it."""
        face, symbol = card.face, symbol_of(card.face)
        edge = rectangle(0.0, 0.0, face.width, face.height, card.corner)
        if card.of:
            return (Group((Use(symbol),), matrix),)
        return (
            Group((Use(symbol),), matrix, edge),
            Group((Stroke(edge, self.dress.colors["card-edge"], 0.2 / scale),), matrix),
        )

    def _words(self, text: str, style: TextStyle, width: float) -> Drawing:
        block = measure_text(text, style, self.fonts, self.icons)
        lines, _ = block.break_at(width, style.size_pt)
        height = block.row_height(lines, style.size_pt)
        placed = block.place(lines, (0.0, 0.0, width, height), style.size_pt)
        return Drawing(placed.ops, width, height)


def _ring(pile: Pile) -> Ring:
    return Ring(pile.cards[0], pile.sides, pile.slots)


def _span(pile: Pile) -> float:
    """Return how wide a pile of full-sized cards is."""
    if pile.sides:
        return _ring(pile).size[0]
    wide, count = pile.cards[0].face.width, len(pile.cards)
    if pile.lie == "pile":
        return wide + 2.0
    return wide * (1 + (count - 1) * (_APART if pile.lie == "row" else _FAN))


def _fitting(seats: Sequence[Sequence[Pile]], width: float) -> float:
    """Return the scale at which the fullest of some seats fits its part of the width."""
    cell = width / len(seats)
    shares = (0.84 * cell / sum(_span(pile) for pile in piles) for piles in seats if piles)
    return min(shares, default=1.0)


def _gap(piles: Sequence[Pile], width: float, scale: float) -> float:
    """Return the space between piles that centres them."""
    return (width - sum(_span(pile) for pile in piles) * scale) / (len(piles) + 1)
