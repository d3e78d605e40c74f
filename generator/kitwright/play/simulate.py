"""Play many games with bots, on all cores, and say what came out.

Every game is seeded from the seed and its own number, so neither the number of workers
nor the parcels in which they are handed games change anything.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from statistics import fmean, quantiles
from time import perf_counter
from typing import Any

from joblib import Parallel, cpu_count, delayed
from msgspec import Struct

from kitwright.engines import engine_of
from kitwright.engines.api import Engine, InRounds
from kitwright.model.game import Game
from kitwright.play.bots import Bot, find_bot
from kitwright.play.cluster import play_on_cluster
from kitwright.play.figures import Figure, mean_of, rate_of
from kitwright.play.games import USES
from kitwright.play.uses import Tally, Use, things

PARCEL = 50  # games that a worker is given at a time, at most
PARCELS = 8  # that each worker gets at least, where there are so many games
QUICK = 0.5  # seconds of play that are not worth starting workers for
MOST_GAMES = 10_000_000

Progress = Callable[[int, int], None]


class SimulationError(ValueError):
    """What was asked for cannot be played; the message says why."""


class Played(Struct, frozen=True):
    """How one game went."""

    bots: tuple[str, ...]  # by seat
    turns: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    finished: bool
    rounds: int | None = None  # that were scored, in a game that is played in such rounds
    used: tuple[Use, ...] = ()  # by seat, how often each card was put to use; if it was counted


def play_game(
    engine: Engine[Any],
    bots: Sequence[Bot],
    seed: str,
    watch: Callable[[Any, Any], None] | None = None,
) -> tuple[Any, bool]:
    """Play one game to its end or to the cap on turns; return the last state, and if it is over.

    `watch` is shown every state with the move that is made in it.
    """
    deal, thought = Random(seed), Random(f"{seed}:bots")
    state = engine.new_game(len(bots), deal)
    cap = engine.turn_cap(len(bots))
    while not state.is_over():
        if state.turn >= cap:
            return state, False
        seat = state.to_move
        move = bots[seat](state.as_seen_by(seat, thought), thought)
        if watch is not None:
            watch(state, move)
        state = state.apply(move)
    return state, True


class Series(Struct, frozen=True):
    """Games to be played: the bots move one seat on from each game to the next."""

    game: Game
    players: int
    bots: tuple[str, ...]
    seed: int
    count_use: bool = False  # of each card by each seat, which takes a little time

    def __post_init__(self) -> None:
        fewest, most = self.game.players
        if not fewest <= self.players <= most:
            raise SimulationError(
                f"{self.players} players; {self.game.title} is for {fewest} to {most}"
            )
        if not 1 <= len(self.bots) <= self.players:
            raise SimulationError(
                f"{len(self.bots)} bots for {self.players} players; expected 1 to {self.players}"
            )
        for name in self.bots:
            find_bot(self.game.id, name)
        if engine_of(self.game) is None:
            raise SimulationError(f"{self.game.title} has no engine, so it cannot be simulated")

    def seats(self, index: int) -> tuple[str, ...]:
        """Return the bot of each seat in game `index`."""
        return tuple(
            self.bots[(seat + index) % self.players % len(self.bots)]
            for seat in range(self.players)
        )

    def play(
        self,
        numbers: range,
        workers: int | None,
        progress: Progress | None = None,
        cluster: str | None = None,
    ) -> tuple[Played, ...]:
        """Play the games with these numbers, in their order; `cluster` is the address of one."""
        packed = pickle.dumps(self)
        played: list[Played] = []
        if cluster is not None:
            found: Iterable[list[Played]] = play_on_cluster(cluster, _play_parcel, packed, numbers)
        else:
            found = _on_workers(packed, numbers, _worker_count(workers))
        for parcel in found:
            played.extend(parcel)
            if progress is not None:
                progress(len(played), len(numbers))
        return tuple(played)


def _worker_count(workers: int | None) -> int:
    return workers if workers is not None else int(cpu_count())


def _on_workers(packed: bytes, numbers: range, workers: int) -> Iterator[list[Played]]:
    """Yield games in order; the first shows whether the others are worth starting workers for."""
    start = perf_counter()
    yield _play_parcel(packed, numbers[:1])
    left = numbers[1:]
    quick = (perf_counter() - start) * len(left) < QUICK
    size = max(1, min(PARCEL, len(left) // (PARCELS * workers)))
    parcels = [left[at : at + size] for at in range(0, len(left), size)]
    if workers == 1 or quick:
        yield from (_play_parcel(packed, parcel) for parcel in parcels)
        return
    jobs = (delayed(_play_parcel)(packed, parcel) for parcel in parcels)
    yield from Parallel(n_jobs=workers, return_as="generator", batch_size=1)(jobs)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> tuple[Series, Engine[Any], frozenset[str]]:
    series: Series = pickle.loads(packed)
    engine = engine_of(series.game)
    assert engine is not None
    return series, engine, frozenset(things(series.game) if series.count_use else ())


def _play_parcel(packed: bytes, numbers: range) -> list[Played]:
    series, engine, known = _unpacked(packed)
    verbs = USES.get(series.game.id)
    known_bots = {name: find_bot(series.game.id, name) for name in series.bots}
    played = []
    for index in numbers:
        names = series.seats(index)
        bots = [known_bots[name] for name in names]
        tally = Tally(series.players, known, verbs) if series.count_use else None
        state, finished = play_game(engine, bots, f"{series.seed}:{index}", tally)
        winners = state.winners() if finished else ()
        rounds = state.rounds if isinstance(state, InRounds) else None
        used = tally.used() if tally is not None else ()
        played.append(Played(names, state.turn, state.scores(), winners, finished, rounds, used))
    return played


def simulate(
    game: Game,
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
    workers: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
) -> dict[str, Any]:
    """Play games and return the figures as plain data; what the machine decides is in `run`."""
    if not 1 <= games <= MOST_GAMES:
        raise SimulationError(f"{games} games; expected 1 to {MOST_GAMES}")
    if workers is not None and workers < 1:
        raise SimulationError(f"{workers} workers; expected 1 or more")
    series = Series(game, players, tuple(bots), seed)
    start = perf_counter()
    played = series.play(range(games), workers, progress, cluster)
    seconds = perf_counter() - start
    return {
        "game": game.id,
        "variant": game.variant,
        "players": players,
        "bots": list(bots),
        "seed": seed,
        **summary(series, played),
        "run": {
            "workers": cluster if cluster is not None else _worker_count(workers),
            "seconds": round(seconds, 3),
            "games_per_second": round(games / seconds, 1),
        },
    }


def summary(series: Series, played: Sequence[Played]) -> dict[str, Any]:
    """Return the figures of the games played; those that did not finish are only counted."""
    engine = engine_of(series.game)
    assert engine is not None
    done = [game for game in played if game.finished]
    bounds = engine.score_bounds(series.players)
    turns = (1, engine.turn_cap(series.players))
    rounds = [rounds_of(game) for game in done]
    return {
        "games": len(played),
        "finished": len(done),
        "unfinished": len(played) - len(done),
        "rounds": mean_of(rounds, (1, -(-turns[1] // series.players))),
        "round_spread": _spread(rounds),
        "turns": mean_of([game.turns for game in done], turns),
        "scores": {
            "mean": mean_of([fmean(game.scores) for game in done], bounds),
            "best": mean_of([max(game.scores) for game in done], bounds),
            "seats": [
                mean_of([game.scores[seat] for game in done], bounds)
                for seat in range(series.players)
            ],
        },
        "seat_shares": seat_shares(done, series.players),
        "bot_shares": {
            name: rate_of(sum(_share(game, name) for game in done), len(done))
            for name in dict.fromkeys(series.bots)
        },
        "shared": rate_of(sum(len(game.winners) > 1 for game in done), len(done)),
    }


def rounds_of(game: Played) -> int:
    """Return the number of rounds scored, or else begun."""
    return game.rounds if game.rounds is not None else -(-game.turns // len(game.scores))


def seat_shares(done: Sequence[Played], players: int) -> list[Figure | None]:
    """Return the share of victories of each seat; a shared victory counts in parts."""
    return [
        rate_of(sum(1 / len(g.winners) for g in done if seat in g.winners), len(done))
        for seat in range(players)
    ]


def _share(game: Played, bot: str) -> float:
    won = sum(game.bots[seat] == bot for seat in game.winners)
    return won / len(game.winners) if game.winners else 0.0


def _spread(values: Sequence[int]) -> dict[str, float] | None:
    if not values:
        return None
    cuts = quantiles([*values] * (2 if len(values) == 1 else 1), n=20, method="inclusive")
    return {
        "least": float(min(values)),
        "low_5": cuts[0],
        "median": cuts[9],
        "high_5": cuts[18],
        "most": float(max(values)),
    }
