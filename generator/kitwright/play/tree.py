"""The tree of a search: what came of own moves, and of those that may follow them.

It is an open-loop tree. A node stands for a series of own moves whatever was dealt between them,
so every world in which the series is legal adds to it. Knows no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

TRUST = 0.5  # in the base: its share of a first look; the other moves have the rest between them
WONDER = 1.5  # how far chance must speak against a move before scouts look elsewhere
FEWEST = 2  # games without which no move is better than that of the base


class Node:
    """A series of own moves: how often it was played, and what it gained over the base."""

    __slots__ = ("after", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.after: dict[Any, Node] = {}

    @property
    def mean(self) -> float:
        """The gain of a game that went this way."""
        return self.total / self.visits if self.visits else 0.0

    def best(self, moves: Sequence[Any], favourite: Any, spread: float) -> Any:
        """Return the move to make: the favourite unless another is better beyond a doubt."""

        def sure(move: Any) -> float:
            child = self.after.get(move)
            if move == favourite:
                return child.mean if child is not None else 0.0
            if child is None or child.visits < FEWEST:
                return -inf
            return child.mean - spread / sqrt(child.visits)

        return max((favourite, *moves), key=sure)

    def unknown(self, moves: Sequence[Any], favourite: Any, spread: float) -> Any:
        """Return the move to look into: well tried and good, or trusted and not tried enough.

        A move that was never made counts as good as all that were; so the first is the
        favourite, and the more moves there are, the later the others come.
        """
        reach = WONDER * spread * sqrt(self.visits)
        shy = (1 - TRUST) / max(1, len(moves) - 1)

        def hope(move: Any) -> float:
            child = self.after.get(move)
            trust = TRUST if move == favourite else shy
            if child is None:
                return self.mean + reach * trust
            return child.mean + reach * trust / (1 + child.visits)

        return max((favourite, *moves), key=hope)


class Way:
    """A way down from a node: of the well-known moves, or of others if it is curious."""

    def __init__(self, root: Node, spread: float, curious: bool = False) -> None:
        self.path = [root]
        self.spread = spread
        self.choose = Node.unknown if curious else Node.best
        self.strayed = False  # whether any move was not that of the base

    @property
    def steps(self) -> int:
        """How many moves it has."""
        return len(self.path)

    def step(self, moves: Sequence[Any], favourite: Any) -> Any:
        """Return the next move, one of several."""
        move = self.choose(self.path[-1], moves, favourite, self.spread)
        self.path.append(self.path[-1].after.setdefault(move, Node()))
        self.strayed = self.strayed or move != favourite
        return move


class Tree:
    """How far the gains of all ways lie apart."""

    def __init__(self) -> None:
        self.count = 0
        self.total = self.squares = 0.0

    def way(self, root: Node, curious: bool = False) -> Way:
        """Begin a way below a node."""
        return Way(root, self.spread, curious)

    def learn(self, way: Way, gain: float) -> None:
        """Remember what a way gained."""
        self.count += 1
        self.total += gain
        self.squares += gain * gain
        for node in way.path:
            node.visits += 1
            node.total += gain

    @property
    def spread(self) -> float:
        """The standard deviation of the gains; nothing before there are two."""
        if self.count < 2:
            return 0.0
        mean = self.total / self.count
        return sqrt(max(0.0, self.squares / self.count - mean * mean))
