"""Where the circuits of Hard Wired lead, as tables, and whether a segment can be made of them.

A value is the number of a line-up of values (top line first), a circuit the
number of a printed card; sets of either are bit masks. Knows nothing of turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from kitwright.model.games.hard_wired import Circuit, HardWired


class Wiring:
    """The tables of one deck of circuits; they are made once and then only read."""

    def __init__(self, view: HardWired) -> None:
        rules = view.rules
        self.fewest = rules.segment.fewest
        self.most = rules.segment.most
        self.lineups = tuple(product(range(1, rules.values + 1), repeat=rules.lines))
        self.number = {lineup: number for number, lineup in enumerate(self.lineups)}
        self.acts = tuple(
            tuple(self.number[follow(circuit, lineup, rules.values)] for lineup in self.lineups)
            for _, circuit in view.circuits
        )
        self.steps = tuple((1 << card, act) for card, act in enumerate(self.acts))
        self._joins = self._join()
        self._leads: dict[int, tuple[int, ...]] = {}

    def _join(self) -> tuple[tuple[int, ...], ...]:
        joins = [[0] * len(self.lineups) for _ in self.lineups]
        for bit, act in self.steps:
            for value, result in enumerate(act):
                joins[result][value] |= bit
        return tuple(map(tuple, joins))

    def leads(self, targets: int) -> tuple[int, ...]:
        """Return, for each value, the circuits that turn it into one of the targets."""
        found = self._leads.get(targets)
        if found is None:
            rows = [row for value, row in enumerate(self._joins) if targets >> value & 1]
            found = tuple(_union(column) for column in zip(*rows, strict=True))
            found = found or (0,) * len(self.lineups)
            self._leads[targets] = found
        return found

    def can_finish(self, value: int, laid: int, cards: Sequence[int], targets: int) -> bool:
        """Tell whether a segment with `laid` circuits that has come to `value` can be finished."""
        if laid >= self.fewest and targets >> value & 1:
            return True
        steps = [self.steps[card] for card in cards]
        free = sum(bit for bit, _ in steps)
        lead = self.leads(targets)
        lengths = range(max(self.fewest - laid, 1), min(self.most - laid, len(steps)) + 1)
        return any(_reaches(value, length, free, steps, lead) for length in lengths)


def follow(circuit: Circuit, lineup: Sequence[int], values: int) -> tuple[int, ...]:
    """Send the values of a line-up, counted from 1, through a circuit."""
    result = [0] * len(lineup)
    for wire in circuit.wires:
        result[wire.to - 1] = (lineup[wire.start - 1] - 1 + wire.shift) % values + 1
    return tuple(result)


def _union(masks: Sequence[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _reaches(
    value: int,
    length: int,
    free: int,
    steps: Sequence[tuple[int, tuple[int, ...]]],
    lead: Sequence[int],
) -> bool:
    if length == 1:
        return lead[value] & free != 0
    if length == 2:
        return any(bit & free and lead[act[value]] & (free ^ bit) for bit, act in steps)
    return any(
        bit & free and _reaches(act[value], length - 1, free ^ bit, steps, lead)
        for bit, act in steps
    )
