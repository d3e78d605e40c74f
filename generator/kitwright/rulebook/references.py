"""References such as §3.1 among the words of a page: where they stand, so that they can be links.

Knows drawing ops and the measures of fonts; knows no page. What is on a card is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kitwright.compose.text import MM_PER_PT
from kitwright.fonts import Fonts
from kitwright.ops import Group, Op, Word

REFERENCE = re.compile(r"§(\d+(?:\.\d+)*)")
Box = tuple[float, float, float, float]  # left, top, right, bottom


def references_in(ops: Sequence[Op], fonts: Fonts) -> Iterator[tuple[str, Box]]:
    """Yield the section and the area of every reference among upright words."""
    for op in ops:
        if isinstance(op, Word):
            yield from _in_word(op, fonts)
        elif isinstance(op, Group) and not op.clip and op.matrix[:4] == (1.0, 0.0, 0.0, 1.0):
            x, y = op.matrix[4:]
            for section, (left, top, right, bottom) in references_in(op.ops, fonts):
                yield section, (left + x, top + y, right + x, bottom + y)


def _in_word(word: Word, fonts: Fonts) -> Iterator[tuple[str, Box]]:
    for found in REFERENCE.finditer(word.text):
        left = word.x + _width(word, word.text[: found.start()], fonts)
        metrics, scale = fonts.metrics(word.font), word.size_pt * MM_PER_PT
        top = word.baseline - metrics.ascent * scale
        bottom = word.baseline + metrics.descent * scale
        yield found[1], (left, top, left + _width(word, found[0], fonts), bottom)


def _width(word: Word, text: str, fonts: Fonts) -> float:
    return fonts.shape(word.font, text).width * word.size_pt * MM_PER_PT if text else 0.0
