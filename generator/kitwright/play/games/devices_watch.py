"""Games of greedy players, watched: what was owned, how long nobody was served, who was stuck.

Games are shared between all cores; each is seeded by its own number, so the number of workers
changes nothing.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from joblib import Parallel, cpu_count, delayed

from kitwright.engines.devices import DevicesEngine, State, engine
from kitwright.engines.devices_grid import add
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.games.devices_plan import book_of
from kitwright.play.simulate import Played, Progress

SEED = 2018
PARCEL = 5  # games that a worker is given at a time


@dataclass(frozen=True, slots=True)
class Watched:
    """How one game went, and what was seen on the way."""

    played: Played
    owned: tuple[frozenset[str], ...]  # parts that each player had at the end
    stuck: int  # turns that began with no order in reach that could ever be made
    wait: int  # most rounds in a row in which nobody was served


@dataclass(frozen=True, slots=True)
class Table:
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
    """Tell whether no order in reach can be made, however long the player collects and clears.

    In reach are the orders held and, if there is room, those of the row; the player's own parts,
    and those of the shop and its deck, which Clear brings up; the cubes there are, and yellow.
    """
    seat, box = state.seat, state.box
    laid = (p.card for device in seat.devices for p in device)
    there = Counter(
        box.names[card] for card in (*laid, *seat.hand, *state.part_row, *state.part_deck)
    )
    room = len(seat.orders) < box.rules.held_orders
    have = add(seat.storage, seat.on_table)
    for order in (*seat.orders, *(state.order_row if room else ())):
        for names, ways in book_of(box)[order].items():
            if all(there[name] >= names.count(name) for name in names) and any(
                load[1] <= have[1] and load[2] <= have[2] for _, load in ways
            ):
                return False
    return True


def _owned(state: State) -> tuple[frozenset[str], ...]:
    cards = state.cards()
    return tuple(
        frozenset((*cards[f"hand {seat}"], *cards[f"table {seat}"]))
        for seat in range(1, len(state.seats) + 1)
    )
