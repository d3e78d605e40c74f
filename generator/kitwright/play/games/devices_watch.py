"""Games of greedy players, watched: what was owned, how long nobody was served, who was stuck.

Games are shared between all cores; each is seeded by its own number, so the number of workers
changes nothing.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from functools import lru_cache
from random import Random

from joblib import Parallel, cpu_count, delayed
from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.devices import DevicesEngine, State, engine
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.games.devices_plan import in_reach
from kitwright.play.simulate import Played, Progress

SEED = 2018
PARCEL = 5  # games that a worker is given at a time


class Watched(Struct, frozen=True):
    """How one game went, and what was seen on the way."""

    played: Played
    owned: tuple[frozenset[str], ...]  # parts that each player had at the end
    stuck: int  # turns that began with no order in reach that could ever be made
    wait: int  # most rounds in a row in which nobody was served


class Table(Struct, frozen=True):
    """Games of one kind: so many players, the bank as a limit or not, so many games."""

    players: int
    games: int
    limited: bool = False


def watch_games(
    game: Game, tables: Iterable[Table], workers: int | None, progress: Progress | None = None
) -> dict[Table, list[Watched]]:
    """Play the games of all tables on all cores."""
    packed = pickle.dumps(game)
    jobs = [
        (table, range(first, min(first + PARCEL, table.games)))
        for table in tables
        for first in range(0, table.games, PARCEL)
    ]
    count = workers if workers is not None else int(cpu_count())
    tasks = (delayed(_watch)(packed, table, numbers) for table, numbers in jobs)
    found: dict[Table, list[Watched]] = {}
    done = Parallel(n_jobs=min(count, len(jobs)), return_as="generator", batch_size=1)(tasks)
    for number, ((table, _), watched) in enumerate(zip(jobs, done, strict=True), 1):
        found.setdefault(table, []).extend(watched)
        if progress is not None:
            progress(number, len(jobs))
    return found


@lru_cache(maxsize=2)
def _unpacked(packed: bytes, limited: bool) -> DevicesEngine:
    game: Game = pickle.loads(packed)
    if limited:
        bank = {**game.rules["bank"], "limited": True}
        game = replace(game, rules=freeze({**game.rules, "bank": bank}))
    return engine(game)


def _watch(packed: bytes, table: Table, numbers: range) -> list[Watched]:
    rules = _unpacked(packed, table.limited)
    return [watch_game(rules, table.players, f"{SEED}:{number}") for number in numbers]


def watch_game(rules: DevicesEngine, players: int, seed: str) -> Watched:
    """Play one game, and look at the table whenever a turn begins."""
    deal, thought = Random(seed), Random(f"{seed}:bots")
    state, cap = rules.new_game(players, deal), rules.turn_cap(players)
    stuck = wait = last = served = 0
    turn = -1
    while not state.is_over() and state.turn < cap:
        if state.turn != turn:
            turn = state.turn
            stuck += is_stuck(state)
            total = sum(len(seat.served) for seat in state.seats)
            last, served = (turn, total) if total > served else (last, served)
            wait = max(wait, (turn - last) // players)
        state = state.apply(greedy_bot(state.as_seen_by(state.to_move, thought), thought))
    over = state.is_over()
    winners = state.winners() if over else ()
    played = Played(("greedy",) * players, state.turn, state.scores(), winners, over)
    return Watched(played, _owned(state), stuck, wait)


def is_stuck(state: State) -> bool:
    """Tell whether no order in reach can be made, however long the player collects and clears."""
    return next(in_reach(state), None) is None


def _owned(state: State) -> tuple[frozenset[str], ...]:
    cards = state.cards()
    return tuple(
        frozenset((*cards[f"hand {seat}"], *cards[f"table {seat}"]))
        for seat in range(1, len(state.seats) + 1)
    )
