"""Cards laid at the four sides of another card, clockwise from the top, each with its slots.

Says where everything lies, in millimetres of full-sized cards; draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kitwright.model.geometry import Matrix, multiply, rotation, translation
from kitwright.rulebook.blocks import Shown

_GAP = 3.0  # mm from the card in the middle to those at its sides
_APART = 1.05  # of a card's width from card to card, where there is room
_SIDES = 4


class Ring(Struct, frozen=True):
    """A card, what lies at its sides, and how many slots each side has."""

    middle: Shown
    sides: tuple[tuple[Shown, ...], ...]
    slots: int = 0

    @property
    def largest(self) -> tuple[float, float]:
        """The width and height of the largest card at a side."""
        sizes = [(card.face.width, card.face.height) for side in self.sides for card in side]
        return max(w for w, _ in sizes), max(h for _, h in sizes)

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the whole."""
        face, (_, high) = self.middle.face, self.largest
        out = 2 * (high + _GAP)
        return face.width + out, face.height + out

    def places(self) -> Iterator[tuple[Shown | None, Matrix]]:
        """Yield slots without a card, then cards; each with the matrix from its own corner."""
        width, height = self.size
        face = self.middle.face
        for number, side in enumerate(self.sides):
            half = (face.height, face.width)[number % 2] / 2
            turn = rotation(number * 360 / _SIDES, width / 2, height / 2)
            for card, x in self.along(side, (face.width, face.height)[number % 2]):
                y = height / 2 - half - _GAP - self.largest[1]
                yield card, multiply(turn, translation(width / 2 + x, y))
        middle = translation((width - face.width) / 2, (height - face.height) / 2)
        yield self.middle, middle

    def along(self, side: Sequence[Shown], edge: float) -> Iterator[tuple[Shown | None, float]]:
        """Yield slots, then the cards of a side, with their left edges from the middle of it."""
        wide, _ = self.largest
        count = max(self.slots, len(side), 1)
        step = min(wide * _APART, edge / max(count - 1, 1))
        start = -(wide + step * (count - 1)) / 2
        for index in range(self.slots):
            yield None, start + index * step
        for index, card in enumerate(side):
            yield card, start + index * step
