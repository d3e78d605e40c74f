"""Every device of few special parts that makes an order, found backwards from the order.

A special part lets nothing through that it does not make itself, so what must
leave its last part fixes how often each part before it fires, and in the end
what must be loaded. Knows no turns and no table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from msgspec import Struct

from kitwright.engines.devices_grid import Part, take
from kitwright.model.games.devices import NOTHING, Cubes

Line = tuple[str, ...]
MOST_PARTS = 3


class Shape(Struct, frozen=True):
    """One device: lines of converters, with at most a joiner, a splitter and a joiner again.

    Every line runs from left to right; `second` is the lower branch before `join`.
    """

    first: Line = ()
    join: str | None = None
    second: Line = ()
    trunk: Line = ()
    split: str | None = None
    top: Line = ()
    bottom: Line = ()
    rejoin: str | None = None
    last: Line = ()
    up: Cubes = NOTHING  # what a grey splitter sends up

    @property
    def parts(self) -> Line:
        """The names of all its parts."""
        names = self.first + self.second + self.trunk + self.top + self.bottom + self.last
        for name in (self.join, self.split, self.rejoin):
            if name is not None:
                names += (name,)
        return names

    @property
    def padding(self) -> int:
        """The number of straights that make branches equally long before they meet again."""
        return abs(len(self.top) - len(self.bottom)) if self.rejoin is not None else 0

    @property
    def ends(self) -> int:
        """The number of packers that it needs."""
        return 2 if self.split is not None and self.rejoin is None else 1


Way = tuple[Shape, tuple[Cubes, ...]]  # a device, and what its hoppers are loaded with


class Making(Struct, frozen=True):
    """Devices that make an order in one turn, and what each of their hoppers is loaded with."""

    shapes: tuple[Shape, ...]
    loads: tuple[tuple[Cubes, ...], ...]  # a shape's hoppers, the upper one first

    @property
    def parts(self) -> Line:
        """The names of all parts."""
        return tuple(name for shape in self.shapes for name in shape.parts)

    @property
    def hoppers(self) -> int:
        """The number of hoppers that are needed."""
        return sum(map(len, self.loads))

    @property
    def packers(self) -> int:
        """The number of packers that are needed."""
        return sum(shape.ends for shape in self.shapes)

    @property
    def load(self) -> Cubes:
        """All cubes that are loaded."""
        yellow = red = blue = 0
        for loads in self.loads:
            for y, r, b in loads:
                yellow, red, blue = yellow + y, red + r, blue + b
        return yellow, red, blue


def scaled(cubes: Cubes, times: int) -> Cubes:
    """Return a heap so many times."""
    return cubes[0] * times, cubes[1] * times, cubes[2] * times


@lru_cache(maxsize=200_000)
def fires(made: Cubes, wanted: Cubes) -> int:
    """Return how often `made` must be made to hold `wanted`; -1 when it never does."""
    times = 0
    for out, want in zip(made, wanted, strict=True):
        if want:
            if not out:
                return -1
            times = max(times, -(-want // out))
    return times


class Search:
    """Searches with the special parts that are there, each so many times."""

    def __init__(self, there: Mapping[str, int], parts: Mapping[str, Part], most: int) -> None:
        self.there = there
        self.most = most  # cubes that can be loaded
        mine = {name: parts[name] for name in there}
        self.converters = [
            (name, part.left[0][1], part.right[0][1])
            for name, part in mine.items()
            if part.kind == "converter"
        ]
        self.splitters = [
            (name, part.left[0][1], part.right[0][1], part.right[1][1])
            for name, part in mine.items()
            if part.kind == "splitter"
        ]
        self.joiners = [
            (name, part.left[0][1], part.left[1][1], part.right[0][1])
            for name, part in mine.items()
            if part.kind == "joiner"
        ]
        self.ways: dict[tuple[Cubes, int], tuple[Way, ...]] = {}
        self.singles: dict[tuple[Cubes, int], tuple[Way, ...]] = {}
        self.known: dict[tuple[Cubes, int], tuple[tuple[Line, Cubes], ...]] = {}

    def makings(
        self, order: Cubes, parts: int = MOST_PARTS, spare: bool = True
    ) -> Iterator[Making]:
        """Yield the devices that make an order with so many special parts or fewer.

        Without `spare` hoppers and packers, only one device has two of either.
        """
        for making in self._all(order, parts, spare):
            if sum(making.load) <= self.most and self.are_there(making.parts):
                yield making

    def are_there(self, names: Line) -> bool:
        """Tell whether no special part is used more often than it is there."""
        if len(set(names)) == len(names):
            return True
        return all(self.there.get(name, times) >= times for name, times in Counter(names).items())

    def _all(self, order: Cubes, parts: int, spare: bool) -> Iterator[Making]:
        for shape, load in self.any_way(order, parts):
            yield Making((shape,), (load,))
        way = self.any_way if spare else self.single_way
        for one, other in halves(order):
            if one == NOTHING or other == NOTHING:
                continue
            # The first device is the smaller one, so that few pairs are told twice.
            for fewer in range(1, parts // 2 + 1):
                for shape, load in way(one, fewer):
                    for second, rest in way(other, parts - fewer):
                        yield Making((shape, second), (load, rest))

    def any_way(self, order: Cubes, parts: int) -> tuple[Way, ...]:
        """Return the single devices that make an order."""
        key = (order, parts)
        if key not in self.ways:
            found = [*self.single_way(order, parts), *self._joined(order, parts)]
            for upper, lower in halves(order) if self.splitters else ():
                found.extend(self._split(upper, lower, parts))
            self.ways[key] = tuple(way for way in found if sum(map(sum, way[1])) <= self.most)
        return self.ways[key]

    def single_way(self, order: Cubes, parts: int) -> tuple[Way, ...]:
        """Return what has one hopper and one packer: lines, and splitters into joiners."""
        key = (order, parts)
        if key not in self.singles:
            lines = (
                (Shape(first=line), (load,))
                for length in range(1, parts + 1)
                for line, load in self.chains(order, length)
            )
            found = (*lines, *self._looped(order, parts))
            self.singles[key] = tuple(way for way in found if sum(way[1][0]) <= self.most)
        return self.singles[key]

    def chains(self, wanted: Cubes, length: int) -> tuple[tuple[Line, Cubes], ...]:
        """Return the lines of so many converters that give `wanted`, with what they need."""
        if not length:
            return (((), wanted),)
        key = (wanted, length)
        if key not in self.known:
            self.known[key] = tuple(self._chains(wanted, length))
        return self.known[key]

    def _chains(self, wanted: Cubes, length: int) -> Iterator[tuple[Line, Cubes]]:
        for name, used, made in self.converters:
            times = fires(made, wanted)
            if times > 0:
                for line, load in self.chains(scaled(used, times), length - 1):
                    yield (*line, name), load

    def _looped(self, order: Cubes, parts: int) -> Iterator[Way]:
        for after in range(parts - 1):
            for last, wanted in self.chains(order, after):
                for joiner, upper, lower, made in self.joiners:
                    times = fires(made, wanted)
                    ways = self.fed(scaled(upper, times), scaled(lower, times))
                    for splitter, needed in ways if times > 0 else ():
                        for before in range(parts - 1 - after):
                            for first, load in self.chains(needed, before):
                                shape = Shape(first=first, split=splitter, rejoin=joiner, last=last)
                                yield shape, (load,)

    def fed(self, upper: Cubes, lower: Cubes) -> Iterator[tuple[str, Cubes]]:
        """Yield the splitters that give both heaps, with what they need."""
        for name, used, top, bottom in self.splitters:
            times = (fires(top, upper), fires(bottom, lower))
            if min(times) >= 0 and max(times) > 0:
                yield name, scaled(used, max(times))

    def _joined(self, order: Cubes, parts: int) -> Iterator[Way]:
        for after in range(parts):
            for trunk, wanted in self.chains(order, after):
                for joiner, upper, lower, made in self.joiners:
                    times = fires(made, wanted)
                    if times <= 0:
                        continue
                    for above, below in lengths(parts - 1 - after):
                        for first, load in self.chains(scaled(upper, times), above):
                            for second, other in self.chains(scaled(lower, times), below):
                                yield Shape(first, joiner, second, trunk), (load, other)

    def _split(self, upper: Cubes, lower: Cubes, parts: int) -> Iterator[Way]:
        for above in range(parts if upper != NOTHING else 1):
            tops = self.chains(upper, above)
            for below in range(parts - above if tops and lower != NOTHING else 1):
                bottoms = self.chains(lower, below)
                for (top, high), (bottom, low) in product(tops, bottoms):
                    for splitter, needed in self.fed(high, low):
                        for before in range(parts - above - below):
                            for first, load in self.chains(needed, before):
                                shape = Shape(first, split=splitter, top=top, bottom=bottom)
                                yield shape, (load,)


def lengths(most: int) -> Iterator[tuple[int, int]]:
    """Yield every two lengths that together are `most` or less."""
    return ((a, b) for a, b in product(range(most + 1), repeat=2) if a + b <= most)


def halves(order: Cubes) -> Iterator[tuple[Cubes, Cubes]]:
    """Yield every way to share an order out to two packers."""
    for y, r, b in product(*(range(number + 1) for number in order)):
        yield (y, r, b), take(order, (y, r, b))
