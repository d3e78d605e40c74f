"""The marks that a face makes, one by one, each with where it lands and which draws made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import sqrt

from msgspec import Struct

from kitwright.compose.pen import Makers
from kitwright.fonts import Fonts
from kitwright.model.geometry import multiply
from kitwright.model.layouts import Draw
from kitwright.ops import IDENTITY, Face, Fill, Group, Matrix, Op, Path, Picture, Stroke, Use, Word
from kitwright.write.bounds import MM_A_POINT, Box, transformed

WHOLE = frozenset({"icon", "text", "table"})  # verbs whose symbols are seen as one thing
_DESCENDING = frozenset("gjpqyQJ,;()[]{}|/@")
_DEPTH = 0.8  # of a font's descent, which leaves room below the letters


class Leaf(Struct, frozen=True):
    """A mark of a face: a fill, stroke, word, picture, or a symbol that is seen as one."""

    op: Fill | Stroke | Word | Picture | Use
    matrix: Matrix
    draws: tuple[Draw, ...]  # the innermost first
    clip: Box | None

    @property
    def draw(self) -> Draw | None:
        """The draw that made it."""
        return self.draws[0] if self.draws else None

    @property
    def edge(self) -> bool:
        """Whether it is meant to come close to the cut."""
        return any(draw.args.edge for draw in self.draws)

    @property
    def scale(self) -> float:
        """How much larger it is drawn than it says."""
        a, b, c, d, _, _ = self.matrix
        return sqrt(abs(a * d - b * c))

    def box(self, fonts: Fonts) -> Box:
        """Return how far its ink reaches on the face."""
        found = _ink(self.op, self.matrix, fonts)
        if self.clip is None:
            return found
        left, top, right, bottom = self.clip
        x0, y0, x1, y1 = found
        return max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)


def leaves(face: Face, makers: Makers) -> Iterator[Leaf]:
    """Yield every mark of a face in the order of drawing."""
    yield from _walk(face.ops, IDENTITY, (), None, makers)


def _walk(
    ops: Iterable[Op], matrix: Matrix, draws: tuple[Draw, ...], clip: Box | None, makers: Makers
) -> Iterator[Leaf]:
    for op in ops:
        made = (*makers[id(op)][1], *draws) if id(op) in makers else draws
        if isinstance(op, Group):
            inner = multiply(matrix, op.matrix)
            limit = _narrowed(clip, op, inner)
            yield from _walk(op.ops, inner, made, limit, makers)
        elif isinstance(op, Use) and not (made and made[0].verb in WHOLE):
            yield from _walk(op.symbol.ops, multiply(matrix, op.matrix), made, clip, makers)
        else:
            yield Leaf(op, matrix, made, clip)


def _narrowed(clip: Box | None, group: Group, matrix: Matrix) -> Box | None:
    if not group.clip:
        return clip
    own = _points(group.clip, matrix, 0.0)
    if clip is None:
        return own
    return max(own[0], clip[0]), max(own[1], clip[1]), min(own[2], clip[2]), min(own[3], clip[3])


def _ink(op: Op, matrix: Matrix, fonts: Fonts) -> Box:
    """Return the box of the ink itself; `bounds` would leave room round words and mitres."""
    match op:
        case Word():
            return transformed(_word(op, fonts), matrix)
        case Fill(path):
            return _points(path, matrix, 0.0)
        case Stroke(path, _, width):
            return _points(path, matrix, width / 2)
        case Use(symbol, inner):
            return _around(symbol.ops, multiply(matrix, inner), fonts)
        case Group(ops, inner, clip):
            placed = multiply(matrix, inner)
            return _points(clip, placed, 0.0) if clip else _around(ops, placed, fonts)
        case Picture(x, y, w, h):
            return transformed((x, y, x + w, y + h), matrix)


def _word(op: Word, fonts: Fonts) -> Box:
    em = op.size_pt * MM_A_POINT
    width = em * (fonts.shape(op.font, op.text).width + sum(op.kerns) / 1000)
    metrics = fonts.metrics(op.font)
    deep = _DEPTH * metrics.descent * em if _DESCENDING & set(op.text) else 0.0
    return op.x, op.baseline - metrics.cap_height * em, op.x + width, op.baseline + deep


def _points(path: Path, matrix: Matrix, more: float) -> Box:
    a, b, c, d, e, f = matrix
    values = [value for _, *numbers in path for value in numbers]
    points = list(zip(values[::2], values[1::2], strict=True))
    xs = [a * x + c * y + e for x, y in points]
    ys = [b * x + d * y + f for x, y in points]
    more *= sqrt(abs(a * d - b * c))
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


def _around(ops: Iterable[Op], matrix: Matrix, fonts: Fonts) -> Box:
    boxes = [_ink(op, matrix, fonts) for op in ops]
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def colors(leaf: Leaf) -> Iterator[tuple[str, float | None]]:
    """Yield the colours of a mark, with the width of the line where it is one, 0 for type."""
    op = leaf.op
    if isinstance(op, Use):
        for inner in _walk(op.symbol.ops, multiply(leaf.matrix, op.matrix), (), None, {}):
            yield from colors(inner)
    elif isinstance(op, Word):
        yield op.color, 0.0
    elif isinstance(op, Stroke):
        yield op.color, op.width * leaf.scale
    elif isinstance(op, Fill):
        paints = (op.paint,) if isinstance(op.paint, str) else (c for _, c in op.paint.stops)
        for color in paints:
            yield color, None
