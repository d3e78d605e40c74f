"""Checks of the box of Devices: how many cards of each kind, and what sets of parts can gain.

The figures of the design are findings: a designer may move them, and is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from typing import Any, Literal

from kitwright.engines.devices_grid import Part, add, holds, times_fired
from kitwright.engines.devices_table import Box
from kitwright.model.game import Game
from kitwright.model.games.devices import NOTHING, Cubes, Devices, count_cubes
from kitwright.play.devices_search import scaled
from kitwright.play.figures import Check
from kitwright.play.games.devices_money import kept

Level = Literal["must", "finding"]
# What the original rules count.
CARDS = {"orders": 32, "special": 60, "basic": 40, "players": 24}
BASIC_TYPES = 8
# What our lists were designed to be.
KINDS = {"converter": 18, "splitter": 6, "joiner": 6}
PRICES = (1, 6)
COLORS_WANTED = (7, 17, 8)  # orders of one, two and three colours
POINTS = {2: 4, 3: 6, 4: 6, 5: 6, 6: 4, 7: 3, 8: 2, 9: 1}
DEMAND = (58, 64, 32)
GAINING = 60
LEAST_AREA = 2.0  # square millimetres of an icon 7 mm high
LEAST_STEP = 48  # of 255


def box_checks(view: Devices) -> Iterator[Check]:
    """Count the cards, and compare the lists with their design."""
    decks = (view.orders, view.special, view.basic, view.own)
    counts = dict(zip(CARDS, map(len, decks), strict=True))
    yield _same(
        "cards of the original rules", "must", counts, CARDS,
        f"{sum(counts.values())} cards, {sum(CARDS.values())} in the original rules",
    )  # fmt: skip
    kinds = Counter(part.kind for _, part in view.basic)
    copies = set(kinds.values())
    even = len(kinds) == BASIC_TYPES and copies == {CARDS["basic"] // BASIC_TYPES}
    yield Check(
        "kinds of Basic Parts", "must", len(kinds), f"= {BASIC_TYPES}", even,
        f"{len(kinds)} kinds, {' or '.join(map(str, sorted(copies)))} cards of each",
    )  # fmt: skip
    special, orders = dict(view.special), dict(view.orders)
    designs = Counter(part.kind for part in special.values())
    about = "converters, splitters and joiners among the Special Parts"
    yield _same("designs of Special Parts", "finding", designs, KINDS, about)
    prices = [part.price for part in special.values()]
    spread = (min(prices), max(prices))
    yield Check(
        "prices of Special Parts", "finding", spread, f"{PRICES[0]} to {PRICES[1]}",
        spread == PRICES, f"the cheapest costs {spread[0]}, the dearest {spread[1]}",
    )  # fmt: skip
    wanted = Counter(len(set(order.cubes)) for order in orders.values())
    about = "orders by the number of their colours"
    yield _same("colours of orders", "finding", wanted, dict(enumerate(COLORS_WANTED, 1)), about)
    points = Counter(order.points for order in orders.values())
    about = f"orders by their points, from {min(points)} to {max(points)}"
    yield _same("points of orders", "finding", dict(sorted(points.items())), POINTS, about)
    demand = NOTHING
    for order in orders.values():
        demand = add(demand, count_cubes(order.cubes))
    yield Check(
        "cubes wanted", "finding", demand, f"= {_listed(DEMAND)}", demand == DEMAND,
        "yellow, red and blue cubes on all orders together",
    )  # fmt: skip


def cue_checks(game: Game) -> Iterator[Check]:
    """Check in every skin that cubes are told apart in grey; nothing where none was printed."""
    for skin, sets in game.facts.get("cues", {}).items():
        for name, cue in sets.items():
            one, other = cue["pair"]
            yield Check(
                f"{name} differ without colour: {skin}", "must", cue["differs"],
                f">= {LEAST_AREA:g}", cue["differs"] >= LEAST_AREA,
                f"painted alike, {one} and {other} still differ in {cue['differs']} square "
                "millimetres, the least of all pairs",
            )  # fmt: skip
            yield Check(
                f"{name} show their sign in grey: {skin}", "must", cue["stands_out"],
                f">= {LEAST_STEP}", cue["stands_out"] >= LEAST_STEP,
                f"the sign of {cue['faintest']} is {cue['stands_out']} of 255 steps of grey from "
                "its ground, the least of all",
            )  # fmt: skip


def join_checks(game: Game) -> Iterator[Check]:
    """Check in every skin that pipes join at the cut; nothing where no card was printed."""
    for skin, found in game.facts.get("joins", {}).items():
        off = found["off"]
        yield Check(
            f"pipes join at the cut: {skin}", "must", len(off), "= 0", not off,
            "; ".join(off)
            or f"{found['joints']} mouths look alike, also when a cut is a millimetre off",
        )  # fmt: skip


def loop_checks(box: Box) -> Iterator[Check]:
    """Tell the pairs of parts that give back more than they took, and what limits them.

    A pair gains when its parts, side by side and each run whole times on one load within the
    limit, make every cube of that load again and more. What gains in a line gains so as well.
    """
    parts = {box.names[card]: box.parts[card] for card in box.special}
    most = box.rules.storage
    pairs = [
        (one, other)
        for one, other in combinations_with_replacement(parts, 2)
        if _gains(parts[one], parts[other], most)
    ]
    yield Check(
        "pairs that give back more", "finding", len(pairs), f"= {GAINING}", len(pairs) == GAINING,
        f"{len(pairs)} pairs of parts make all that they are loaded with again, and more",
    )  # fmt: skip
    lift = max(_lift(first, second, box) for first in parts.values() for second in parts.values())
    room = most * (max(box.values) - min(box.values))
    yield Check(
        "value that one load adds", "must", lift, f"<= {room}", lift <= room,
        f"two parts in a line lift the store by {lift} at most: {most} cubes survive a turn, worth "
        f"{most * max(box.values)}, and points need orders",
    )  # fmt: skip


def _gains(one: Part, other: Part, most: int) -> bool:
    for first in range(1, most + 1):
        for second in range(1, most + 1):
            load = add(scaled(_total(one.left), first), scaled(_total(other.left), second))
            if sum(load) > most:
                break
            made = add(scaled(_total(one.right), first), scaled(_total(other.right), second))
            if made != load and holds(made, load):
                return True
    return False


def _lift(first: Part, second: Part, box: Box) -> int:
    """Return the most value that a load gains in a line of two parts, within the limit."""
    if len(first.left) > 1 or len(first.right) > 1 or len(second.left) > 1:
        return 0
    need, most, best = first.left[0][1], box.rules.storage, 0
    for times in range(1, most // sum(need) + 1):
        middle = scaled(first.right[0][1], times)
        made = scaled(_total(second.right), times_fired(second, [middle]))
        best = max(best, box.worth(kept(made, most)) - box.worth(scaled(need, times)))
    return best


def _total(ports: tuple[tuple[int, Cubes], ...]) -> Cubes:
    total = NOTHING
    for _, cubes in ports:
        total = add(total, cubes)
    return total


def _same(
    name: str, level: Level, found: Mapping[Any, int], wanted: Mapping[Any, int], about: str
) -> Check:
    """Return a check that holds when two counts agree."""
    keys = dict.fromkeys((*wanted, *sorted(found)))
    figure, bound = (tuple(each.get(key, 0) for key in keys) for each in (found, wanted))
    return Check(name, level, figure, f"= {_listed(bound)}", figure == bound, about)


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
