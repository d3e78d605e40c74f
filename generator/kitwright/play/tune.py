"""Sweep one or two numbers of a game, play each value from the same seeds, and find the target.

Changes a game in memory alone; where the number stands in a file is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines import engine_of
from kitwright.model.game import Card, Deck, Game, Pace
from kitwright.model.games.refusals import refusal
from kitwright.model.record import Record
from kitwright.play.balance import SEED, games_for, players_for
from kitwright.play.bots import typical_bot
from kitwright.play.figures import Figure
from kitwright.play.metrics import SHARES, TITLES, check_figure, figure_of
from kitwright.play.simulate import Progress, Series, SimulationError

MOST_WHOLE = 13  # values of a sweep of whole numbers; a longer one is sampled
SAMPLES = 9
MOST_VALUES = 200
MOST_VARIED = 2
_VARY = re.compile(r"([^=\s]+)=(-?[\d.]+)\.\.(-?[\d.]+?)(?:/([\d.]+))?")
_TARGET = re.compile(r"([a-z_0-9]+)\s*(<=|>=|<|>|=)\s*(-?[\d.]+)(\s*%)?")


class Vary(Struct, frozen=True):
    """A number to vary, and the values that it takes."""

    path: str
    values: tuple[float, ...]


class Target(Struct, frozen=True):
    """What a figure should be."""

    figure: str
    sign: str  # < > =
    value: float

    def distance(self, found: float) -> float:
        """Return how far a figure misses the target; nothing when it meets it."""
        gap = found - self.value
        if self.sign == "<":
            return max(0.0, gap)
        return max(0.0, -gap) if self.sign == ">" else abs(gap)

    def __str__(self) -> str:
        percent = self.figure in SHARES
        shown = f"{self.value * 100:g} %" if percent else f"{self.value:g}"
        return f"{TITLES[self.figure]} {self.sign} {shown}"


def read_vary(text: str) -> Vary:
    """Read `rules.hand=2..5`, or with a step `rules.hand=2..10/2`."""
    found = _VARY.fullmatch(text.strip())
    try:
        low, high = (float(found[2]), float(found[3])) if found else (0.0, 0.0)
        step = float(found[4]) if found and found[4] else None
    except ValueError:
        found, low, high, step = None, 0.0, 0.0, None
    if found is not None and low > high:
        raise SimulationError(f"--vary is '{text}'; expected the lower number first")
    if found is None or (step is not None and step <= 0):
        raise SimulationError(f"--vary is '{text}'; expected such as rules.hand=2..5")
    return Vary(found[1], _values(low, high, step, whole="." not in found[2] + found[3]))


def read_varied(texts: Sequence[str]) -> list[Vary]:
    """Read one or two numbers to vary, each another one."""
    if len(texts) > MOST_VARIED:
        raise SimulationError(f"{len(texts)} numbers to vary; expected one or two")
    varied = [read_vary(text) for text in texts]
    if len({vary.path for vary in varied}) < len(varied):
        raise SimulationError(f"{varied[0].path} is varied twice; expected another number")
    return varied


def _values(low: float, high: float, step: float | None, whole: bool) -> tuple[float, ...]:
    if step is None and whole and high - low < MOST_WHOLE:
        step = 1.0
    if step is not None:
        count = int((high - low) / step + 1e-9) + 1
        if count > MOST_VALUES:
            raise SimulationError(f"{count} values to try; expected at most {MOST_VALUES}")
        found = [round(low + n * step, 9) for n in range(count)]
    else:
        found = [low + (high - low) * n / (SAMPLES - 1) for n in range(SAMPLES)]
        found = [float(round(value)) if whole else round(value, 4) for value in found]
    return tuple(int(v) if v == int(v) and whole else v for v in dict.fromkeys(found))


def read_target(text: str, game: Game, players: int) -> Target:
    """Read `seat_advantage<0.02`, `score=90`, `minutes<30`; a share may be written in per cent."""
    found = _TARGET.fullmatch(text.strip())
    if found is None:
        raise SimulationError(f"--target is '{text}'; expected such as 'seat_advantage<0.02'")
    check_figure(found[1], game, players)
    value = float(found[3]) / (100 if found[4] else 1)
    return Target(found[1], found[2][0], value)


class Point(Struct, frozen=True):
    """The figure at one value, or pair of values."""

    at: tuple[float, ...]
    found: Figure | None
    unfinished: int


class Tuning(Struct, frozen=True):
    """The whole sweep, and the values nearest to the target."""

    game: str
    bot: str
    players: int
    games: int
    paths: tuple[str, ...]
    now: tuple[float, ...]  # the values as they are
    target: Target
    points: tuple[Point, ...]
    best: Point | None

    @property
    def is_met(self) -> bool:
        """Whether the values found meet the target."""
        best = self.best
        return (
            best is not None
            and best.found is not None
            and (self.target.distance(best.found["mean"]) == 0 or self.target.sign == "=")
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "game": self.game,
            "bot": self.bot,
            "players": self.players,
            "games": self.games,
            "paths": list(self.paths),
            "now": list(self.now),
            "figure": self.target.figure,
            "title": TITLES[self.target.figure],
            "percent": self.target.figure in SHARES,
            "target": str(self.target),
            "target_value": self.target.value,
            "points": [
                {"at": list(p.at), "figure": p.found, "unfinished": p.unfinished}
                for p in self.points
            ],
            "best": list(self.best.at) if self.best is not None else None,
            "met": self.is_met,
        }


def sweep(
    game: Game,
    varied: Sequence[Vary],
    now: Sequence[float],
    target: str,
    players: int | None = None,
    games: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Play every value from the same seeds; `now` are the values as they are."""
    if engine_of(game) is None:
        raise SimulationError(f"{game.title} has no engine, so nothing can be tuned")
    seats, count, bot = players_for(game, players), games_for(game, games), typical_bot(game.id)
    wanted = read_target(target, game, seats)
    grid = list(product(*(vary.values for vary in varied)))
    if len(grid) > MOST_VALUES:
        raise SimulationError(f"{len(grid)} values to try; expected at most {MOST_VALUES}")
    changed = []
    for at in grid:
        one = game
        for vary, value in zip(varied, at, strict=True):
            one = with_number(one, vary.path, value)
        changed.append(checked(one, varied, at))
    points = []
    for done, (at, one) in enumerate(zip(grid, changed, strict=True)):

        def tell(played: int, _: int, done: int = done) -> None:
            if progress is not None:
                progress(done * count + played, len(grid) * count)

        played = Series(one, seats, (bot,), SEED).play(range(count), workers, tell)
        lost = sum(not each.finished for each in played)
        points.append(Point(at, figure_of(wanted.figure, one, played), lost))
    best = nearest(points, wanted, now)
    paths = tuple(vary.path for vary in varied)
    return Tuning(game.id, bot, seats, count, paths, tuple(now), wanted, tuple(points), best)


def nearest(points: Sequence[Point], target: Target, now: Sequence[float]) -> Point | None:
    """Return the point that misses the target least, and of equals the one nearest to now."""
    known = [point for point in points if point.found is not None]

    def miss(point: Point) -> tuple[float, float]:
        assert point.found is not None
        steps = sum(abs(a - b) for a, b in zip(point.at, now, strict=True))
        return target.distance(point.found["mean"]), steps

    return min(known, key=miss, default=None)


def with_number(game: Game, path: str, value: float) -> Game:
    """Return a game with another number at a path such as `rules.hand` or `DECK.CARD.FIELD`."""
    head, *steps = path.split(".")
    if head == "rules":
        return replace(game, rules=_put(game.rules, steps, value))
    if head == "pace" and game.pace is not None:
        return replace(game, pace=Pace(value, game.pace.of))
    if head in game.tables:
        table = game.tables[head]
        rows = _put(table["rows"], steps, value)
        tables = {**game.tables, head: Record({**table, "rows": rows})}
        return replace(game, tables=Record(tables))
    decks = tuple(_in_deck(deck, steps, value) if deck.id == head else deck for deck in game.decks)
    return replace(game, decks=decks)


def _in_deck(deck: Deck, steps: Sequence[str], value: float) -> Deck:
    if deck.kind != "deck":
        (card,) = deck.cards
        return replace(deck, cards=(replace(card, fields=_put(card.fields, steps, value)),))
    name, *rest = steps
    return replace(
        deck,
        cards=tuple(
            _in_card(card, rest, value) if name in (card.id, str(at)) else card
            for at, card in enumerate(deck.cards)
        ),
    )


def _in_card(card: Card, steps: Sequence[str], value: float) -> Card:
    if steps == ["copies"]:
        return replace(card, copies=int(value))
    return replace(card, fields=_put(card.fields, steps, value))


def _put(holder: Any, steps: Sequence[str], value: float) -> Any:
    if not steps:
        return value
    step, *rest = steps
    if isinstance(holder, Mapping):
        return Record({**holder, step: _put(holder.get(step), rest, value)})
    at = int(step)
    return (*holder[:at], _put(holder[at], rest, value), *holder[at + 1 :])


def checked(game: Game, varied: Sequence[Vary], at: Sequence[float]) -> Game:
    """Refuse values that make no game."""
    told = ", ".join(f"{vary.path} {value:g}" for vary, value in zip(varied, at, strict=True))
    if why := refusal(game):
        raise SimulationError(f"{told} makes no game: {why}")
    return game
