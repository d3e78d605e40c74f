"""The checks of Hardware Hustle: numbers, sample, roll table, best play, what bots show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any, Literal

from msgspec import Struct

from kitwright.engines.hardware_hustle import (
    RESEARCH,
    SELL,
    Box,
    Done,
    HardwareHustleEngine,
    State,
    engine,
)
from kitwright.engines.hardware_hustle_rolls import FACES, SIDE, counts, pointing_bias, roll_table
from kitwright.engines.hardware_hustle_sheet import RecordError, replay
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import Rules
from kitwright.play.bots import Bot, random_bot
from kitwright.play.figures import Check
from kitwright.play.games.hardware_hustle_bots import careful_bot, greedy_bot, maker_of, planner_bot
from kitwright.play.games.hardware_hustle_loop import loops, whole_cost
from kitwright.play.simulate import Progress, play_game

SEED = 2023
GAMES = 300
BIAS_BOUNDS = ((4, 0.05), (8, 0.02))  # spread of the finger in cells, worst bias
CELL = "hardware-hustle/cell"
CELLS = (("sheet", 9, 4.2), ("sheet-large", 9, 5.5))  # least width and height to write in, in mm


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of the numbers, of what is printed, then those of play."""
    hustle = engine(game)
    solved = game.facts.get("solved")
    yield from number_checks(hustle.box)
    yield loop_check(hustle.box, solved)
    yield from evening_checks(hustle)
    yield from sample_checks(game)
    yield from room_checks(game)
    yield from table_checks(roll_table(game))
    yield from best_checks(game, solved)
    yield from play_checks(game, solved, progress)


def number_checks(box: Box) -> Iterator[Check]:
    """Check what widgets cost and bring, and what research does."""
    rules = box.rules
    kits = tuple(rules.kit_price(widget) for widget in rules.widgets.values())
    gains = tuple(w.price - rules.kit_price(w) for w in rules.widgets.values())
    yield _finding("widgets: money for the parts", kits, "rising", list(kits) == sorted(kits), "")
    worth = all(gain > 0 for gain in gains)
    about = "a widget sells for less than its parts cost"
    yield _must("widgets: gain", gains, "all above 0", worth, about)
    whole = tuple(whole_cost(box, at, (0, 0, 0)) for at in range(len(box.widgets)))
    most = max(rules.opportunity)
    beyond = [name for name, cost in zip(box.widgets, whole, strict=True) if cost > most]
    about = f"{' and '.join(beyond)} in a single turn without research is always a burnout"
    yield _finding(
        "widgets: opportunity in one turn", whole, f"one above {most}", len(beyond) == 1, about
    )
    steps = _steps(rules)
    yield _finding(
        "research: every step lowers by one",
        sum(steps),
        f"= {len(steps)}",
        all(steps),
        f"{len(steps) - sum(steps)} costs change by other steps than one, before their floor",
    )


def loop_check(box: Box, solved: Mapping[str, Any] | None = None) -> Check:
    """Tell whether research can make a widget free of all opportunity, so that money runs away."""
    found, rules = loops(box), box.rules
    told, about = "none", ""
    if found:
        name, levels = found[0]
        told = f"{name} at {' '.join(map(str, levels))}"
        widget = rules.widgets[name]
        about = (
            f"with Buy, Make and Sell at levels {', '.join(map(str, levels))}, after {sum(levels)} "
            f"upgrades, {widget.title} after {widget.title} turns {rules.kit_price(widget)} money "
            f"into {widget.price} without opportunity or die; the variant fair-trade mends it"
        )
        if solved is not None:
            played = solved["played"]
            money = ", ".join(f"{mean:g}" for mean in played["money_by_turn"])
            about += (
                f"; the best play gets there in {played['looped']:.0%} of its games, sells "
                f"{played['sold'][name]:g} of them a game, and has {money} money after the turns"
            )
    return _finding("widgets that become free", told, "none", not found, about)


def _steps(rules: Rules) -> list[bool]:
    rows = [part.buy for part in rules.parts.values()]
    rows += [row for widget in rules.widgets.values() for row in (widget.make, widget.sell)]
    return [a - b == 1 or a == b == row[-1] for row in rows for a, b in pairwise(row)]


def evening_checks(hustle: HardwareHustleEngine) -> Iterator[Check]:
    """Check what the opportunity that is left at PM means."""
    die = hustle.box.rules.die
    succeed = tuple(
        sum(_evening(hustle, left, roll).phase == RESEARCH for roll in range(1, die + 1))
        for left in range(die + 1)
    )
    yield _must(
        "research: rolls that succeed",
        succeed,
        f"0 to {die} by what is left",
        succeed == tuple(range(die + 1)),
        "a roll must succeed exactly when it is not more than the opportunity that is left",
    )
    worn = _evening(hustle, -1, 1).sheets[0]
    about = "below zero the turn must end at once, with a burnout and the next turn lost"
    good = worn.burnouts == 1 and worn.resting
    yield _must("burnout below zero", worn.burnouts, "= 1", good, about)


def _evening(hustle: HardwareHustleEngine, left: int, roll: int) -> State:
    state = hustle.new_game(1, Random(0), (1, 1, 1, roll))
    return State(state.box, 0, state.sheets, SELL, 1, 1, left, 0, state.dice).apply(Done())


def sample_checks(game: Game) -> Iterator[Check]:
    """Replay the recorded game of the sample sheet."""
    record = next((c.fields["record"] for d in game.decks for c in d.cards if c.id == "sample"), ())
    try:
        days = replay(game, record)
    except RecordError as error:
        yield _must("sample: replayed by the rules", 0, "all turns", False, str(error))
        return
    claims = sum(len(turn.get("ends", {})) for turn in record)
    yield _must("sample: replayed by the rules", len(days), "all turns", True, "")
    yield _must("sample: figures that agree", claims, "> 0", claims > 0, "it claims nothing")


def room_checks(game: Game) -> Iterator[Check]:
    """Check that there is room to write, if the sheets have been drawn."""
    rooms = game.facts.get("rooms", {})
    for deck, wide, high in CELLS:
        w, h = (round(side, 2) for side in rooms.get(deck, {}).get(CELL, (0, 0)))
        if w:
            about = f"the smallest cell of {deck} is {w} x {h} mm"
            ok = w >= wide and h >= high
            yield _must(f"{deck}: smallest cell", (w, h), f">= {wide} x {high} mm", ok, about)


def table_checks(table: Sequence[Sequence[int]]) -> Iterator[Check]:
    """Check that a roll table is fair: faces, runs of rolls, and blind pointing."""
    rows = tuple(map(tuple, table))
    names = ("faces", "pairs", "triples", "quadruples")
    for length, name in enumerate(names, 1):
        found = counts(rows, length)
        each = SIDE * SIDE // FACES**length
        least = min(found.values()) if len(found) == FACES**length else 0
        yield _must(
            f"roll table: {name}",
            (len(found), least, max(found.values())),
            f"{FACES**length} of them, {each} times each",
            least == max(found.values()) == each,
            f"{len(found)} of the {FACES**length} {name} are there, {least} to "
            f"{max(found.values())} times; expected each {each} times",
        )
    for spread, bound in BIAS_BOUNDS:
        bias = round(pointing_bias(rows, spread), 4)
        about = f"a finger that strays {spread} cells finds a face {bias} too often or too seldom"
        yield _must(
            f"roll table: bias at {spread} cells", bias, f"<= {bound}", bias <= bound, about
        )


def best_checks(game: Game, solved: Mapping[str, Any] | None) -> Iterator[Check]:
    """Solve the games of one and of two turns; tell of the whole game if it has been solved."""
    from kitwright.play.games.hardware_hustle_best import best_money
    from kitwright.play.games.hardware_hustle_ways import ShapeError

    start = short = game.rules["money"]
    for turns in range(1, min(2, len(game.rules["opportunity"])) + 1):
        name = f"best play: {turns} turn{'s' if turns > 1 else ''}"
        try:
            best = round(best_money(game, turns), 4)
        except ShapeError as error:
            yield _finding(name, "not solved", f">= {start}", False, str(error))
            return
        yield _must(name, best, f">= {start}", best >= start, "doing nothing is better")
        short = max(short, best)
    if solved is None:
        ask = f"kitwright solve {game.id}{f' --variant {game.variant}' if game.variant else ''}"
        yield _finding("best play: the whole game", "not solved", f"'{ask}' finds it", True, "")
        return
    whole, played = solved["best"], solved["played"]
    about = "a whole game is worth less than two turns of it"
    yield _must("best play: the whole game", whole, f">= {short:g}", whole >= short, about)
    near = 4 * played["sd"] / played["games"] ** 0.5
    about = f"games played as the solver says earn {played['mean']:g}, so it is wrong about them"
    agrees = abs(played["mean"] - whole) <= near
    yield _must("best play: its games", played["mean"], f"{whole:g} +- {near:.1f}", agrees, about)
    lost = played["lost_turns"]
    about = f"the best play loses {lost:g} turns a game to burnouts, so they are no threat"
    yield _finding("best play: turns lost", lost, "<= 0.5", lost <= 0.5, about)
    off, top = played["off_the_graph"], game.rules["graph"]["top"]
    about = f"{off:.0%} of the best games run off the graph at {top}; see variant high-graph"
    yield _finding("graph: best games beyond it", off, "<= 0.5", off <= 0.5, about)


class Run(Struct, frozen=True):
    """What came of many solo games of one bot."""

    money: tuple[int, ...]
    burnouts: float

    @property
    def mean(self) -> float:
        """The mean money at the end."""
        return fmean(self.money)


def solo(game: Game, bot: Bot, games: int = GAMES) -> Run:
    """Let a bot play alone."""
    hustle = engine(game)
    sheets = [play_game(hustle, [bot], f"{SEED}:{at}")[0].sheets[0] for at in range(games)]
    return Run(tuple(s.money for s in sheets), fmean(s.burnouts for s in sheets))


def play_checks(
    game: Game, solved: Mapping[str, Any] | None, progress: Progress | None
) -> Iterator[Check]:
    """Let every bot play alone, and each widget be the only one made."""
    # Nobody earns more than the best play can: what is proved, until it is solved.
    most = solved["best"] * 1.01 if solved is not None else engine(game).score_bounds(1)[1]
    bots: list[tuple[str, Bot]] = [
        ("random", random_bot),
        ("greedy", greedy_bot),
        ("careful", careful_bot),
        ("planner", planner_bot),
    ]
    runs = {}
    for done, (name, bot) in enumerate(bots, 1):
        runs[name] = run = solo(game, bot)
        if progress is not None:
            progress(done, len(bots))
        yield _must(
            f"play: mean money, {name}",
            round(run.mean, 1),
            f"<= {most:.1f}",
            run.mean <= most,
            "a bot earns more than the best play can",
        )
    means = [round(run.mean, 1) for run in runs.values()]
    rising = means[0] < min(means[1:3]) and max(means[1:3]) <= means[3] + 5
    about = "random must earn least, and the planner as much as greedy and careful players"
    yield _must("play: the ladder of bots", tuple(means), "planner most", rising, about)
    most_worn = len(game.rules["opportunity"]) / 4
    for name in ("greedy", "careful"):
        worn = round(runs[name].burnouts, 2)
        about = f"{name} players burn out {worn} times a game, in more than one turn of four"
        yield _finding(
            f"play: burnouts, {name}", worn, f"<= {most_worn:g}", worn <= most_worn, about
        )
    yield from _alone(game)
    top = game.rules["graph"]["top"]
    off = round(fmean(money > top for money in runs["planner"].money), 2)
    about = f"{off:.0%} of the planner's games run off the graph at {top}; see variant high-graph"
    yield _finding("graph: planner's games beyond it", off, "<= 0.5", off <= 0.5, about)


def _alone(game: Game) -> Iterator[Check]:
    """Compare the widgets as the only one that a careful player makes."""
    names = tuple(game.rules["widgets"])
    means = tuple(round(solo(game, maker_of(name), GAMES // 2).mean, 1) for name in names)
    told = ", ".join(f"{name} {mean}" for name, mean in zip(names, means, strict=True))
    close = max(means) <= 3 * min(means)
    yield _finding(
        "play: each widget alone", means, "within a factor of 3", close, f"mean money: {told}"
    )


Value = int | float | str | tuple[int | float, ...]


def _check(
    level: Literal["must", "finding"], name: str, figure: Value, bound: str, ok: bool, about: str
) -> Check:
    return Check(name=name, level=level, figure=figure, bound=bound, ok=ok, about=about)


def _must(name: str, figure: Value, bound: str, ok: bool, about: str) -> Check:
    return _check("must", name, figure, bound, ok, about)


def _finding(name: str, figure: Value, bound: str, ok: bool, about: str) -> Check:
    return _check("finding", name, figure, bound, ok, about)
