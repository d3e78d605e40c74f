"""A long table parted into its rows, so that a page may end between them. Measures nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from kitwright.model.geometry import IDENTITY, rectangle, translation
from kitwright.ops import Group, Op, Stroke, Use, Word

LONG = 12  # rows; a shorter table is kept whole
TOGETHER = 3  # rows that stay with each other at either end


def part_rows(
    ops: Sequence[Op], x: float, width: float, height: float
) -> Iterator[tuple[tuple[Op, ...], float]]:
    """Yield each row of a set table that has lines between its rows, from its own top."""
    lines = {step[2] for op in ops if isinstance(op, Stroke) for step in op.path if len(step) > 2}
    for top, bottom in pairwise(sorted({0.0, *lines, height})):
        clip = rectangle(x, top, width, bottom - top)
        row: list[Op] = []
        for op in ops:
            if not isinstance(op, Word | Use):
                row.append(Group((op,), IDENTITY, clip))
            elif top <= _height(op) < bottom:
                row.append(op)
        yield (Group(tuple(row), translation(0.0, -top)),), bottom - top


def _height(op: Word | Use) -> float:
    return op.baseline if isinstance(op, Word) else op.matrix[5]
