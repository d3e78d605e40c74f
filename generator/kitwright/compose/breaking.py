"""Line breaking: chunks and a measure in, lines out, all in em. Knows no font and no style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import inf
from typing import NamedTuple

from kitwright.compose.words import Chunk

Line = tuple[Chunk, ...]
Split = Callable[[Chunk, float], tuple[Chunk, Chunk] | None]

SLACK = 1e-6  # em; the same width summed in another order must still fit
_SHORT_LAST = 0.2  # of the measure: a last word below this looks lost
_LEAST_DONOR = 3  # words in a line that may give one to the last line


class Broken(NamedTuple):
    """The lines of one paragraph, and the first word that is wider than a whole line."""

    lines: tuple[Line, ...]
    too_wide: Chunk | None


def never_split(chunk: Chunk, room: float) -> None:
    """Refuse to break a word."""


def fill_lines(chunks: Sequence[Chunk], measure: float, split: Split) -> Broken:
    """Put as many words on each line as it holds, breaking words where `split` can."""
    room = measure + SLACK
    lines: list[Line] = []
    line: list[Chunk] = []
    used = 0.0
    too_wide: Chunk | None = None
    for each in chunks:
        chunk = each
        while True:
            start = used + chunk.space if line else 0.0
            if start + chunk.width <= room:
                break
            halves = split(chunk, room - start)
            if halves is None and not line:
                too_wide = too_wide or chunk
                break
            if halves is not None:
                line.append(halves[0])
                chunk = halves[1]
            lines.append(tuple(line))
            line, used = [], 0.0
        line.append(chunk)
        used = start + chunk.width
    if line:
        lines.append(tuple(line))
    return Broken(tuple(lines), too_wide)


def balance_lines(chunks: Sequence[Chunk], measure: float) -> tuple[Line, ...]:
    """Break into as few lines as `measure` allows, and those as equal as they can be.

    Every chunk must fit the measure by itself.
    """
    room = measure + SLACK
    ends = list(accumulate((c.space + c.width for c in chunks), initial=0.0))
    starts = [end + chunk.space for end, chunk in zip(ends, chunks, strict=False)]
    # best[i]: for the first i chunks the fewest lines, the sum of squared gaps, the last start.
    best: list[tuple[int, float, int]] = [(0, 0.0, 0)]
    first = 0
    for stop in range(1, len(chunks) + 1):
        right = ends[stop]
        while first < stop - 1 and right - starts[first] > room:
            first += 1
        fewest, choice, least = best[first][0], first, inf
        for start in range(first, stop):
            lines, gaps, _ = best[start]
            if lines > fewest:
                break
            gap = measure - right + starts[start]
            gaps += gap * gap
            if gaps < least:
                choice, least = start, gaps
        best.append((fewest + 1, least, choice))
    cuts = [len(chunks)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][2])
    cuts.reverse()
    return tuple(tuple(chunks[a:b]) for a, b in pairwise(cuts))


def mend_last_line(lines: tuple[Line, ...], measure: float) -> tuple[Line, ...]:
    """Give a last line of one short word a second word from the line above."""
    if len(lines) < 2:
        return lines
    *rest, donor, last = lines
    lost = len(last) == 1 and last[0].space_font and last[0].width < _SHORT_LAST * measure
    if not lost or len(donor) < _LEAST_DONOR or not donor[-1].space_font:
        return lines
    if donor[-1].width + last[0].space + last[0].width > measure:
        return lines
    return (*rest, donor[:-1], (donor[-1], *last))


def line_width(line: Line) -> float:
    """Return the width of a line with its inner spaces."""
    return sum(c.width for c in line) + sum(c.space for c in line[1:])
