"""What a game that was played is worth in numbers: one value a game and figure, so that they pair.

Figures have short names, which `tune` takes as targets and reports print with their titles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, sqrt
from statistics import fmean

from kitwright.model.game import Game
from kitwright.play.figures import Figure, Z, mean_of
from kitwright.play.measure import minutes_of
from kitwright.play.simulate import Played, SimulationError, rounds_of
from kitwright.problems import did_you_mean

Measure = Callable[[Played], float]
SEATS = "seat_advantage"  # of all games together: the luckiest seat's share less the unluckiest's
TITLES: Mapping[str, str] = {
    "score": "mean score",
    "best": "best score",
    "lead": "lead of the winner",
    "turns": "turns",
    "rounds": "rounds",
    "minutes": "minutes",
    "first_seat": "wins of the first seat",
    SEATS: "seat advantage",
    "shared": "shared victories",
    "unfinished": "games without an end",
}
SHARES = frozenset({"first_seat", SEATS, "shared", "unfinished"})  # shown in per cent


def measures(game: Game, players: int) -> dict[str, Measure]:
    """Return the figures that suit a game, each as a function of one game played."""
    found: dict[str, Measure] = {"score": lambda played: fmean(played.scores)}
    if players > 1:
        found["best"] = lambda played: max(played.scores)
        found["lead"] = _lead
    found["turns"] = lambda played: played.turns
    found["rounds"] = rounds_of
    pace = game.pace
    if pace is not None:
        found["minutes"] = lambda played: minutes_of(played, pace)
    if players > 1:
        found["first_seat"] = lambda played: _won(played, 0)
        found["shared"] = lambda played: float(len(played.winners) > 1)
    return found


def _lead(played: Played) -> float:
    first, second = sorted(played.scores, reverse=True)[:2]
    return first - second


def _won(played: Played, seat: int) -> float:
    return 1 / len(played.winners) if seat in played.winners else 0.0


def figure_names(game: Game, players: int) -> tuple[str, ...]:
    """List the figures of a game with so many players."""
    return (*measures(game, players), *([SEATS] if players > 1 else []), "unfinished")


def check_figure(name: str, game: Game, players: int) -> None:
    """Refuse a figure that the game does not have."""
    known = figure_names(game, players)
    if name not in known:
        hint = did_you_mean(name, known)
        pace = "; minutes need a pace in game.yaml" if name == "minutes" else ""
        raise SimulationError(
            f"there is no figure '{name}'; expected one of {', '.join(known)}{hint}{pace}"
        )


def figure_of(name: str, game: Game, played: Sequence[Played]) -> Figure | None:
    """Return one figure of many games with its interval; None when no game came to its end."""
    done = [each for each in played if each.finished]
    if name == "unfinished":
        return mean_of([float(not each.finished) for each in played], (0, 1))
    players = len(played[0].scores) if played else 1
    if name == SEATS:
        return seat_advantage(done, players)
    return mean_of([measures(game, players)[name](each) for each in done], (-inf, inf))


def seat_advantage(done: Sequence[Played], players: int) -> Figure | None:
    """Return how far apart the shares of the luckiest and the unluckiest seat lie."""
    if not done:
        return None
    shares = [fmean(_won(each, seat) for each in done) for seat in range(players)]
    high, low = max(shares), min(shares)
    margin = Z * sqrt(max(0.0, high + low - (high - low) ** 2) / len(done))
    mean = high - low
    return {
        "mean": round(mean, 6),
        "low": round(max(0.0, mean - margin), 6),
        "high": round(min(1.0, mean + margin), 6),
    }


def effect_of(
    name: str, game: Game, before: Sequence[Played], after: Sequence[Played]
) -> Figure | None:
    """Return how a figure changed, from pairs of games that were dealt from the same seeds."""
    if name == SEATS:
        return _apart(figure_of(name, game, before), figure_of(name, game, after))
    if name == "unfinished":
        pairs = [
            (float(not b.finished), float(not a.finished))
            for b, a in zip(before, after, strict=True)
        ]
    else:
        players = len(before[0].scores) if before else 1
        value = measures(game, players)[name]
        pairs = [
            (value(b), value(a))
            for b, a in zip(before, after, strict=True)
            if a.finished and b.finished
        ]
    return mean_of([after - before for before, after in pairs], (-inf, inf))


def _apart(before: Figure | None, after: Figure | None) -> Figure | None:
    """Return the difference of two figures that do not pair."""
    if before is None or after is None:
        return None
    mean = after["mean"] - before["mean"]
    margin = sqrt(sum(((each["high"] - each["low"]) / 2) ** 2 for each in (before, after)))
    return {"mean": mean, "low": mean - margin, "high": mean + margin}
