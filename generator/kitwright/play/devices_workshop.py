"""The device search over the whole deck: the cheapest devices of every order, run to prove them.

Works on the cards of a loaded game; knows no turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from kitwright.engines.devices import DevicesEngine
from kitwright.engines.devices_grid import Device, Run, add, is_ready
from kitwright.model.games.devices import NOTHING, Cubes
from kitwright.play.devices_grey import grey_makings
from kitwright.play.devices_lay import HOPPER, PACKER, STRAIGHT, as_device, plan_of
from kitwright.play.devices_search import Making, Search


class Best(Struct, frozen=True):
    """What the search found for one order."""

    cost: int
    making: Making
    actions: int  # fewest from the start, with the ideal parts in the row
    witness: Making  # made from the cubes of the start and yellow income alone
    near: frozenset[str]  # parts of the devices that cost at most one more


class Workshop:
    """The search for one game."""

    def __init__(self, engine: DevicesEngine) -> None:
        self.box = engine.box
        box = self.box
        self.numbers = {box.names[card]: card for card in (*box.special, *box.basic)}
        self.price: dict[str, int] = {
            name: box.parts[card].price for name, card in self.numbers.items()
        }
        printed = Counter(box.names[card] for card in box.special)
        parts = {name: box.parts[card] for name, card in self.numbers.items()}
        self.search = Search(printed, parts, box.rules.storage)

    def due(self, making: Making) -> int:
        """Return the price of all parts that a player must buy for a making."""
        rules = self.box.rules
        more = max(0, making.hoppers - rules.hoppers) * self.price[HOPPER]
        more += max(0, making.packers - rules.packers) * self.price[PACKER]
        more += sum(shape.padding for shape in making.shapes) * self.price[STRAIGHT]
        return more + sum(self.price[name] for name in making.parts)

    def cost(self, making: Making) -> int:
        """Return the price of the parts and the value of the cubes loaded."""
        return self.due(making) + self.box.worth(making.load)

    def actions(self, load: Cubes, due: int) -> int | None:
        """Return the actions from the start to a run; None if it takes cubes that are not there."""
        rules = self.box.rules
        start = rules.start.cubes
        if load[1] > start[1] or load[2] > start[2]:
            return None
        spare = self.box.worth((0, start[1] - load[1], start[2] - load[2]))
        short = load[0] + max(0, due - spare) - start[0]
        return 3 + max(0, -(-short // rules.collect))  # accept, buy, load

    @cached_property
    def best(self) -> tuple[Best | None, ...]:
        """The best of every order, in the order of the box; None where there is none."""
        return tuple(map(self.best_of, range(len(self.box.orders))))

    def best_of(self, order: int) -> Best | None:
        """Search for one order."""
        priced, started, worth = [], [], self.box.worth
        for making in self.search.makings(self.box.wants[order]):
            load, due = making.load, self.due(making)
            cost = due + worth(load)
            priced.append((cost, making))
            actions = self.actions(load, due)
            if actions is not None:
                started.append((actions, cost, making))
        if not started:
            return None
        cost, making = min(priced, key=_rank)
        near = frozenset(name for c, m in priced if c <= cost + 1 for name in m.parts)
        actions, _, witness = min(started, key=lambda found: (found[0], *_rank(found[1:])))
        return Best(cost, making, actions, witness, near)

    def greyer(self, wanted: Cubes, than: int) -> tuple[int, Making] | None:
        """Return a making with grey parts that costs less, if there is one."""
        priced = [(self.cost(m), m) for m in grey_makings(self.search, wanted)]
        cheaper = [found for found in priced if found[0] < than]
        return min(cheaper, key=_rank, default=None)

    def devices(self, making: Making) -> Iterator[tuple[Device, Cubes]]:
        """Yield the devices of a making, loaded, each with what its grey splitter sends up."""
        laid = plan_of(making)
        for shape, plan, loads in zip(making.shapes, laid, making.loads, strict=True):
            yield as_device(plan, loads, self.numbers), shape.up

    def packed(self, making: Making) -> Cubes:
        """Run all devices of a making by the rules of the engine; nothing if one may not run."""
        total = NOTHING
        for device, up in self.devices(making):
            if not is_ready(device, self.box.parts):
                return NOTHING
            decisions = (up,) if up != NOTHING else ()
            outcome = Run(self.box.parts, device, decisions).outcome()
            if outcome.choice is not None:
                return NOTHING
            total = add(total, outcome.packed)
        return total


def _rank(found: tuple[int, Making]) -> tuple[int, int, tuple[str, ...]]:
    parts = found[1].parts
    return found[0], len(parts), parts
