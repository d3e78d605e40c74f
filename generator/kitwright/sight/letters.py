"""The words of a face: where they stand, how large they are printed, and what is under them.

Knows ops; renders nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from kitwright.fonts import Fonts
from kitwright.model.geometry import (
    IDENTITY,
    Box,
    Matrix,
    apply,
    multiply,
    path_bounds,
    transform_path,
)
from kitwright.ops import Face, Group, Op, Path, Use, Word, make_symbol

MM_A_POINT = 25.4 / 72
SHADOW = 0.35  # of its height, by which a shadow may stand off
SEEN = 0.3  # mm; a word of which less can be seen is cut off, not printed


class Letters(Struct, frozen=True):
    """A word as it is printed."""

    text: str
    style: str
    color: str
    size_pt: float
    box: Box  # what can be seen of it, from the cap height to the baseline, in mm of the face
    opacity: float
    number: int  # among the words of the face, in the order of painting
    op: int  # index of the face's op that it belongs to


class _At(Struct, frozen=True):
    """Where ops are drawn: through a matrix, inside a box, faded."""

    matrix: Matrix
    room: Box
    opacity: float
    op: int

    def inside(self, matrix: Matrix, clip: Path, opacity: float) -> _At:
        within = multiply(self.matrix, matrix)
        room = self.room
        if clip:
            room = _common(room, path_bounds(transform_path(clip, within)))
        return _At(within, room, self.opacity * opacity, self.op)


def letters_of(face: Face, fonts: Fonts) -> Iterator[Letters]:
    """Yield every word of a face that can be seen, those in groups and symbols as well."""
    numbers = count()
    trimmed = (0.0, 0.0, face.width, face.height)
    found = [
        letters
        for index, op in enumerate(face.ops)
        for letters in _letters(op, fonts, _At(IDENTITY, trimmed, 1.0, index), numbers)
        if letters.box[2] - letters.box[0] > SEEN and letters.box[3] - letters.box[1] > SEEN
    ]
    for at, letters in enumerate(found):
        if not any(_covers(later, letters) for later in found[at + 1 :]):
            yield letters


def _covers(later: Letters, letters: Letters) -> bool:
    """Tell whether a word is only the shadow or the edge of one that is painted on top of it."""
    if later.text != letters.text:
        return False
    near = SHADOW * (letters.box[3] - letters.box[1])
    pairs = zip(later.box, letters.box, strict=True)
    return all(abs(one - other) <= near for one, other in pairs)


def _letters(op: Op, fonts: Fonts, at: _At, numbers: Iterator[int]) -> Iterator[Letters]:
    if isinstance(op, Word):
        number = next(numbers)
        if op.text.strip():
            yield _word(op, fonts, at, number)
    elif isinstance(op, Group):
        within = at.inside(op.matrix, op.clip, op.opacity)
        for each in op.ops:
            yield from _letters(each, fonts, within, numbers)
    elif isinstance(op, Use):
        within = at.inside(op.matrix, (), 1.0)
        for each in op.symbol.ops:
            yield from _letters(each, fonts, within, numbers)


def _word(word: Word, fonts: Fonts, at: _At, number: int) -> Letters:
    a, b, c, d, _, _ = at.matrix
    em = word.size_pt * MM_A_POINT
    width = em * (fonts.shape(word.font, word.text).width + sum(word.kerns) / 1000)
    high = em * fonts.metrics(word.font).cap_height
    xs = (word.x, word.x + width)
    ys = (word.baseline - high, word.baseline)
    corners = [apply(at.matrix, x, y) for x in xs for y in ys]
    box = (
        min(x for x, _ in corners), min(y for _, y in corners),
        max(x for x, _ in corners), max(y for _, y in corners),
    )  # fmt: skip
    size = word.size_pt * sqrt(abs(a * d - b * c))
    box = _common(box, at.room)
    return Letters(word.text, word.style, word.color, size, box, at.opacity, number, at.op)


def _common(one: Box, other: Box) -> Box:
    """Return what two boxes share; of boxes that share nothing, one without an extent."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    return left, top, max(left, min(one[2], other[2])), max(top, min(one[3], other[3]))


class _Enough(Exception):  # noqa: N818  # ends a walk, is no error
    """The word was reached that nothing later is under."""


def wordless(face: Face, before: int | None = None) -> Face:
    """Return a face without its words; with `before`, only what was painted before that word."""
    numbers = count()
    ops: list[Op] = []
    with suppress(_Enough):
        _strip(face.ops, ops, numbers, before)
    return replace(face, ops=tuple(ops), elements=())


def _strip(ops: tuple[Op, ...], out: list[Op], numbers: Iterator[int], before: int | None) -> None:
    """Copy ops without words; what a group has painted is kept when the walk ends within it."""
    for op in ops:
        if isinstance(op, Word):
            if next(numbers) == before:
                raise _Enough
        elif isinstance(op, Group | Use):
            inner: list[Op] = []
            try:
                _strip(op.ops if isinstance(op, Group) else op.symbol.ops, inner, numbers, before)
            finally:
                if isinstance(op, Group):
                    out.append(replace(op, ops=tuple(inner)))
                else:
                    out.append(Use(make_symbol(tuple(inner), op.symbol.box), op.matrix))
        else:
            out.append(op)
