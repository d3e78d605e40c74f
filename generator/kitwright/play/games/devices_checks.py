"""The checks of Devices: its decks, what devices can do, then what greedy players show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

from kitwright.engines.devices import engine
from kitwright.engines.devices_grid import holds
from kitwright.model.game import Game
from kitwright.model.games.devices import (
    Cubes,
    Devices,
    Order,
    Special,
    count_cubes,
    points_by_rule,
    price_by_rule,
    value_of,
    value_ratio,
)
from kitwright.play.devices_search import scaled
from kitwright.play.devices_workshop import Workshop
from kitwright.play.figures import Check
from kitwright.play.games.devices_box_checks import box_checks, cue_checks, join_checks, loop_checks
from kitwright.play.games.devices_play_checks import play_checks
from kitwright.play.games.devices_ranks import rank_correlation
from kitwright.play.simulate import Progress

RATIO = (1.0, 2.0)  # value out for value in
LEAST_RANKS = {"cost": 0.90, "value": 0.80, "actions": 0.80}
EARLIEST = 3  # the first turn in which somebody may win
PORTIONS = range(1, 6)
# What the original rules show: a splitter, a joiner that takes pairs, and a conversion.
EXAMPLES: tuple[tuple[str, Mapping[str, Cubes], Mapping[str, Cubes] | None], ...] = (
    ("splitter", {"mid": (0, 0, 1)}, {"top": (2, 0, 0), "bot": (0, 2, 0)}),
    ("joiner", {"top": (2, 0, 0), "bot": (0, 2, 0)}, None),
    ("converter", {"mid": (4, 0, 0)}, {"mid": (0, 0, 1)}),
)


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of the decks, of the devices, and of play."""
    rules = engine(game)
    yield from box_checks(rules.view)
    yield from price_checks(rules.view)
    yield from part_checks(rules.view)
    yield from order_checks(rules.view)
    yield from cue_checks(game)
    yield from join_checks(game)
    workshop = Workshop(rules)
    yield from device_checks(rules.view, workshop)
    yield grey_check(workshop)
    yield from loop_checks(rules.box)
    yield from play_checks(game, workers, progress)


def price_checks(view: Devices) -> Iterator[Check]:
    """Check that every price is the one of the rule, or says why not."""
    off = [
        f"{name} costs {part.price}, by rule {price_by_rule(part, view.rules)}"
        for name, part in dict(view.special).items()
        if part.price != price_by_rule(part, view.rules) and part.because is None
    ]
    basic = view.rules.price.basic
    off += [
        f"{name} costs {part.price}, by rule {basic}"
        for name, part in dict(view.basic).items()
        if part.price != basic
    ]
    yield _none("prices by rule", off, "every price follows from what its part does")


def part_checks(view: Devices) -> Iterator[Check]:
    """Check what special parts do."""
    parts, values = dict(view.special), view.rules.values.cubes
    missing = [
        kind
        for kind, left, right in EXAMPLES
        if not any(_is_example(part, kind, left, right) for part in parts.values())
    ]
    about = "the parts that the original rules show are in the deck"
    yield _none("examples of the original rules", missing, about)
    ratios = {name: float(value_ratio(part, values)) for name, part in parts.items()}
    wild = [f"{n} makes {r:.2f}" for n, r in ratios.items() if not RATIO[0] <= r <= RATIO[1]]
    about = f"a part makes {min(ratios.values()):g} to {max(ratios.values()):g} of what it uses up"
    yield _none("value out for value in", wild, about)
    selfish = [
        name for name, part in parts.items() if holds(_total(part, "right"), _total(part, "left"))
    ]
    yield _none("no part covers its own input", selfish, "no part can be fed what it makes alone")
    worse = [
        f"{worse} by {better}"
        for better, worse in permutations(parts, 2)
        if _dominates(parts[better], parts[worse])
    ]
    about = "no part is as cheap, as modest and as generous as another"
    yield _none("no part dominated", worse, about)


def _is_example(
    part: Special, kind: str, left: Mapping[str, Cubes], right: Mapping[str, Cubes] | None
) -> bool:
    return (
        part.kind == kind
        and _ports(part, "left") == left
        and (right is None or _ports(part, "right") == right)
    )


def _ports(part: Special, side: str) -> dict[str, Cubes]:
    squares: Mapping[str, tuple[str, ...]] = getattr(part, side)
    return {port: count_cubes(colors) for port, colors in squares.items()}


def _total(part: Special, side: str) -> Cubes:
    squares: Mapping[str, tuple[str, ...]] = getattr(part, side)
    return count_cubes([color for colors in squares.values() for color in colors])


def _dominates(better: Special, worse: Special) -> bool:
    """Tell whether a part, used once or in smaller portions, is never the worse choice."""
    if better.kind != worse.kind or better.price > worse.price:
        return False
    uses, makes = _ports(better, "left"), _ports(better, "right")
    wants, gives = _ports(worse, "left"), _ports(worse, "right")
    for times in PORTIONS:
        modest = all(holds(wants[port], scaled(uses[port], times)) for port in uses)
        generous = all(holds(scaled(makes[port], times), gives[port]) for port in makes)
        if modest and generous:
            return True
    return False


def order_checks(view: Devices) -> Iterator[Check]:
    """Check the orders against each other and against the goal."""
    orders = dict(view.orders)
    off = [
        f"{large} pays {orders[large].points}, {small} {orders[small].points}"
        for small, large in permutations(orders, 2)
        if _contains(orders[large], orders[small]) and orders[large].points <= orders[small].points
    ]
    yield _none("larger orders pay more", off, "an order that contains another pays more")
    total = sum(order.points for order in orders.values())
    goal, most = view.rules.goal, view.players[1]
    least = most * (goal - 1) + 1
    yield Check(
        "points in the deck", "must", total, f">= {least}", total >= least,
        f"{most} players hold at most {least - 1} points before one of them reaches {goal}",
    )  # fmt: skip
    turn = earliest_win(view)
    yield Check(
        "earliest win", "must", turn, f">= {EARLIEST}", turn >= EARLIEST,
        f"nobody can reach {goal} points before turn {turn}; "
        f"the best {_most_served(view, turn - 1)} orders, all that turn {turn - 1} allows, give "
        f"{_best_points(view, turn - 1)}",
    )  # fmt: skip


def _contains(large: Order, small: Order) -> bool:
    return holds(count_cubes(large.cubes), count_cubes(small.cubes))


def earliest_win(view: Devices) -> int:
    """Return the first turn after which the goal can be reached at all.

    Each order takes an Accept, each run a Load, one action is a Buy, and a run
    serves no more orders than may be held.
    """
    turn = 1
    while _best_points(view, turn) < view.rules.goal and turn <= len(view.orders):
        turn += 1
    return turn


def _most_served(view: Devices, turns: int) -> int:
    rules = view.rules
    actions = turns * rules.actions
    return max(min(rules.held_orders * x, max(0, actions - x - 1)) for x in range(turns + 1))


def _best_points(view: Devices, turns: int) -> int:
    best = sorted((order.points for _, order in view.orders), reverse=True)
    return sum(best[: _most_served(view, turns)])


def device_checks(view: Devices, workshop: Workshop) -> Iterator[Check]:
    """Check the orders against the cheapest devices that make them."""
    box, orders = workshop.box, dict(view.orders)
    found = dict(zip(box.orders, workshop.best, strict=True))
    best = {name: one for name, one in found.items() if one is not None}
    lost = [name for name in orders if name not in best]
    lost += [
        name
        for name, one in best.items()
        for making in (one.making, one.witness)
        if not holds(workshop.packed(making), count_cubes(orders[name].cubes))
    ]
    about = "each is made in one run from the cubes of the start and yellow income"
    yield _none("every order can be made", lost, about)
    off = [
        f"{name} gives {orders[name].points}, by rule {points_by_rule(one.cost, view.rules)}"
        for name, one in best.items()
        if orders[name].points != points_by_rule(one.cost, view.rules)
        and orders[name].because is None
    ]
    yield _none("points by rule", off, "the points of every order follow from its cheapest device")
    values = view.rules.values.cubes
    against = {
        "cost": [one.cost for one in best.values()],
        "value": [value_of(count_cubes(orders[name].cubes), values) for name in best],
        "actions": [one.actions for one in best.values()],
    }
    points = [orders[name].points for name in best]
    for name, figures in against.items():
        rank, least = rank_correlation(points, figures), LEAST_RANKS[name]
        yield Check(
            f"points rise with {name}", "must", round(rank, 3), f">= {least}", rank >= least,
            f"the rank correlation of the points of an order with its {name}",
        )  # fmt: skip
    yield _use_check(view, Counter(name for one in best.values() for name in one.near))


def _use_check(view: Devices, near: Counter[str]) -> Check:
    idle = [name for name in dict(view.special) if not near[name]]
    least = min((near[name] for name in dict(view.special)), default=0)
    return Check(
        "no useless part", "must", least, ">= 1", not idle,
        "; ".join(idle)
        or f"every part is in a device within 1 of the cheapest for {least} orders or more",
    )  # fmt: skip


def grey_check(workshop: Workshop) -> Check:
    """Tell the orders that cost less with grey parts."""
    box = workshop.box
    cheaper = [
        f"{name} {made[0]} for {best.cost}"
        for name, wanted, best in zip(box.orders, box.wants, workshop.best, strict=True)
        if best is not None and (made := workshop.greyer(wanted, best.cost)) is not None
    ]
    told = ", ".join(cheaper) or "none"
    return Check("orders that grey parts make cheaper", "finding", len(cheaper), ">= 0", True, told)


def _none(name: str, off: list[str], about: str) -> Check:
    """Return a must that holds when nothing is off; what is, is named."""
    return Check(name, "must", len(off), "= 0", not off, "; ".join(off) or about)
