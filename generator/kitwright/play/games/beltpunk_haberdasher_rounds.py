"""Many rounds of Beltpunk Haberdasher, played by bots on all cores, and their figures."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import fmean

from joblib import Parallel, cpu_count, delayed
from msgspec import Struct

from kitwright.engines.beltpunk_haberdasher import BeltpunkEngine, engine
from kitwright.engines.beltpunk_haberdasher_sets import Round
from kitwright.model.game import Game
from kitwright.play.bots import find_bot
from kitwright.play.simulate import Progress, play_game

PARCEL = 25  # games that a worker is given at a time


class Pad(Struct, frozen=True):
    """The score pad of one game."""

    lines: tuple[Round, ...]
    finished: bool

    def rounds_to(self, target: int) -> int | None:
        """Return the rounds after which one seat alone leads with that many points."""
        totals = [0] * len(self.lines[0].scores)
        for number, line in enumerate(self.lines, start=1):
            totals = [total + score for total, score in zip(totals, line.scores, strict=True)]
            if max(totals) >= target and totals.count(max(totals)) == 1:
                return number
        return None


def play_pads(
    game: Game,
    players: int,
    bot: str,
    games: int,
    seed: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[Pad, ...]:
    """Play games, the same ones whatever the number of workers."""
    packed, numbers = pickle.dumps(game), range(games)
    parcels = [numbers[start : start + PARCEL] for start in range(0, games, PARCEL)]
    count = workers if workers is not None else int(cpu_count())
    jobs = [(packed, players, bot, seed, parcel) for parcel in parcels]
    found: Iterable[list[Pad]]
    if count == 1 or len(jobs) == 1:
        found = (_play_parcel(*job) for job in jobs)
    else:
        found = Parallel(n_jobs=count, return_as="generator", batch_size=1)(
            delayed(_play_parcel)(*job) for job in jobs
        )
    pads: list[Pad] = []
    for parcel in found:
        pads.extend(parcel)
        if progress is not None:
            progress(len(pads), games)
    return tuple(pads)


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> tuple[Game, BeltpunkEngine]:
    game: Game = pickle.loads(packed)
    return game, engine(game)


def _play_parcel(packed: bytes, players: int, bot: str, seed: int, numbers: range) -> list[Pad]:
    game, rules = _unpacked(packed)
    bots = [find_bot(game.id, bot)] * players
    pads = []
    for number in numbers:
        state, finished = play_game(rules, bots, f"{seed}:{number}")
        pads.append(Pad(state.pad, finished))
    return pads


def lines_of(pads: Sequence[Pad]) -> list[Round]:
    """Return the rounds of all games."""
    return [line for pad in pads for line in pad.lines]


def points_a_round(pads: Sequence[Pad]) -> float:
    """Return what a player scores in a round, on average."""
    return fmean(score for line in lines_of(pads) for score in line.scores)


def kinds_laid(pads: Sequence[Pad]) -> Counter[int]:
    """Count the sets that were laid, by kind."""
    return Counter(kind for line in lines_of(pads) for kind in line.kinds)


def seats_ahead(pads: Sequence[Pad], players: int) -> list[float]:
    """Return how often each seat, from the round's first Foreman on, has the best round.

    A round that several seats share counts in parts.
    """
    ahead, count = [0.0] * players, 0
    for pad in pads:
        foreman = 0
        for line in pad.lines:
            best = [seat for seat, score in enumerate(line.scores) if score == max(line.scores)]
            for seat in best:
                ahead[(seat - foreman) % players] += 1 / len(best)
            foreman = (foreman + line.turns) % players
            count += 1
    return [share / count for share in ahead]
