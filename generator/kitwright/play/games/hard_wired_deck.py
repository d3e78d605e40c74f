"""The algebra of a Circuit deck: what its cards do to displays, as figures. Plays no game.

A transform says, for each IN contact from the top, the OUT contact that it is
wired to and the shift on the way, both counted from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kitwright.engines.hard_wired_wiring import Wiring
from kitwright.model.games.hard_wired import Circuit

Transform = tuple[tuple[int, int], ...]


def transform_of(circuit: Circuit, values: int) -> Transform:
    """Return what a circuit does, its parts as shifts from 0 to `values` - 1."""
    wires = sorted(circuit.wires, key=lambda wire: wire.start)
    return tuple((wire.to - 1, wire.shift % values) for wire in wires)


def through(circuit: Circuit, shown: Sequence[int], values: int) -> list[int]:
    """Return what the OUT contacts show when the IN contacts show these values, from 1."""
    out = list(shown)
    for wire in circuit.wires:
        out[wire.to - 1] = (shown[wire.start - 1] - 1 + wire.shift) % values + 1
    return out


def then(first: Transform, second: Transform, values: int) -> Transform:
    """Return the transform of two circuits in a row."""
    return tuple((second[out][0], (shift + second[out][1]) % values) for out, shift in first)


def signs_swapped(transform: Transform, values: int) -> Transform:
    """Return the transform with inductors for resistors and the reverse."""
    return tuple((out, -shift % values) for out, shift in transform)


def mirrored(transform: Transform, values: int) -> Transform:
    """Return the transform upside down."""
    last = len(transform) - 1
    return tuple((last - out, shift) for out, shift in reversed(transform))


def turned(transform: Transform, values: int) -> Transform:
    """Return the transform of the card turned by half a turn, its outputs now inputs."""
    last = len(transform) - 1
    ends = {last - out: (last - start, shift) for start, (out, shift) in enumerate(transform)}
    return tuple(ends[start] for start in range(len(transform)))


def undone(transform: Transform, values: int) -> Transform:
    """Return the transform that takes every result back."""
    ends = {out: (start, -shift % values) for start, (out, shift) in enumerate(transform)}
    return tuple(ends[start] for start in range(len(transform)))


SYMMETRIES: Mapping[str, Callable[[Transform, int], Transform]] = {
    "inductors for resistors": signs_swapped,
    "top for bottom": mirrored,
    "half a turn": turned,
    "undoing": undone,
}


def partnered(deck: Sequence[Transform], partners: Sequence[Transform]) -> int:
    """Count the cards of a deck whose partner is in the deck too."""
    return (Counter(deck) & Counter(partners)).total()


def group_order(deck: Sequence[Transform], values: int) -> int:
    """Count the transforms that circuits of a deck in a row can make, cards used freely."""
    found = set(deck)
    waiting = list(found)
    while waiting:
        made = waiting.pop()
        for card in set(deck):
            longer = then(made, card, values)
            if longer not in found:
                found.add(longer)
                waiting.append(longer)
    return len(found)


def two_card_ways(wiring: Wiring) -> list[int]:
    """Count, for each pair of values, the segments of exactly two circuits that join them."""
    size = len(wiring.lineups)
    ways = [0] * (size * size)
    for first, act in enumerate(wiring.acts):
        for second, next_act in enumerate(wiring.acts):
            if first != second:
                for value in range(size):
                    ways[value * size + next_act[act[value]]] += 1
    return ways


def joined_pairs(wiring: Wiring) -> int:
    """Count the pairs of values that a segment of any allowed length can join."""
    cards, size = range(len(wiring.acts)), len(wiring.lineups)
    return sum(
        wiring.can_finish(value, 0, cards, 1 << target)
        for value in range(size)
        for target in range(size)
    )
