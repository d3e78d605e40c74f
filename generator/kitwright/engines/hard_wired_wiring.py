"""Where the circuits of Hard Wired lead, as tables, and whether a segment can be made of them.

A value is the number of a line-up of values (top line first), a circuit the
number of a printed card; sets of either are bit masks. Knows nothing of turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from kitwright.model.games.hard_wired import Circuit, HardWired

# All printed cards that do the same, as a set, and what they turn each value into.
Step = tuple[int, tuple[int, ...]]


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
        alike: dict[tuple[int, ...], int] = {}
        for card, act in enumerate(self.acts):
            alike[act] = alike.get(act, 0) | 1 << card
        self._steps: tuple[Step, ...] = tuple((cards, act) for act, cards in alike.items())
        kinds = {act: kind for kind, act in enumerate(alike)}
        self._kinds = tuple(kinds[act] for act in self.acts)
        self._joins = self._join()
        self._leads: dict[int, tuple[int, ...]] = {}

    def _join(self) -> tuple[tuple[int, ...], ...]:
        joins = [[0] * len(self.lineups) for _ in self.lineups]
        for alike, act in self._steps:
            for value, result in enumerate(act):
                joins[result][value] |= alike
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

    def steps(self, cards: Sequence[int]) -> list[Step]:
        """Return what can be done with these circuits, cards that do the same taken together."""
        kinds, steps = self._kinds, self._steps
        return [steps[kind] for kind in dict.fromkeys([kinds[card] for card in cards])]

    def lengths(
        self,
        value: int,
        laid: int,
        cards: Sequence[int],
        steps: Sequence[Step],
        lead: Sequence[int],
    ) -> Iterator[int]:
        """Yield how many circuits more might finish a segment, least first.

        Lengths are left out at which not even circuits used again and again
        would lead to a target, so that a poor deck does not cost a long search.
        """
        reached = {value}
        for length in range(1, min(self.most - laid, len(cards)) + 1):
            if length > 2:
                for _ in range(2 if length == 3 else 1):
                    reached = {act[value] for value in reached for _, act in steps}
                if not any(lead[value] for value in reached):
                    continue
            if laid + length >= self.fewest:
                yield length

    def can_finish(self, value: int, laid: int, cards: Sequence[int], targets: int) -> bool:
        """Tell whether a segment with `laid` circuits that has come to `value` can be finished."""
        if laid >= self.fewest and targets >> value & 1:
            return True
        steps, lead, free = self.steps(cards), self.leads(targets), bits(cards)
        return any(
            _reaches(value, length, free, steps, lead)
            for length in self.lengths(value, laid, cards, steps, lead)
        )


def bits(cards: Sequence[int]) -> int:
    """Return different cards as a set."""
    return sum([1 << card for card in cards])


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
    value: int, length: int, free: int, steps: Sequence[Step], lead: Sequence[int]
) -> bool:
    if length == 1:
        return lead[value] & free != 0
    for alike, act in steps:
        card = alike & free
        if card:
            card &= -card
            after = act[value]
            if length == 2:
                if lead[after] & (free ^ card):
                    return True
            elif _reaches(after, length - 1, free ^ card, steps, lead):
                return True
    return False
