"""What bots measure for print: how long a game takes and, played alone, what a score is worth.

The result goes to components/<game>/figures.yaml with a hash of the rules it was measured on;
a build only looks it up. Opens and writes no file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from statistics import quantiles
from typing import Any

from msgspec import Struct

from kitwright.engines import engine_of
from kitwright.model.game import Game, Pace
from kitwright.model.games import models_of
from kitwright.play.bots import bot_names, typical_bot
from kitwright.play.figures import Check, Figure, mean_of
from kitwright.play.games import FEWER_GAMES
from kitwright.play.simulate import Played, Progress, Series, SimulationError, rounds_of

SEED = 1
GAMES = 400  # for each number of players; a game that plays slowly has fewer
STANDARD = "standard"
RANKS = "ranks"  # the table of a solo game whose rows say `rank` and `from`
# What a card or a rule says to people alone; no engine plays by it.
PROSE = frozenset({"title", "text", "wish", "because", "news", "description", "name", "label"})


def rules_hash(game: Game) -> str:
    """Return a hash of the rules as they are played: words and looks do not change it."""
    models = models_of(game.id)
    played = models.CARDS if models is not None else ()
    decks = {
        deck.id: [[card.id, card.copies, _unworded(card.fields)] for card in deck.cards]
        for deck in game.decks
        if deck.id in played
    }
    tables = {name: _unworded(table.get("rows", ())) for name, table in game.tables.items()}
    pace = (game.pace.seconds, game.pace.of) if game.pace is not None else None
    whole = (game.players, pace, _unworded(game.rules), decks, tables)
    return sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


def _unworded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _unworded(item) for key, item in value.items() if key not in PROSE}
    if isinstance(value, list | tuple):
        return [_unworded(item) for item in value]
    return value


def stale_check(games: Sequence[Game]) -> Check | None:
    """Tell which rules have changed since they were measured; None without an engine.

    `games` are the standard game and its variants.
    """
    if engine_of(games[0]) is None:
        return None
    known = games[0].figures.rules
    stale = [_name(game) for game in games if known.get(_name(game)) != rules_hash(game)]
    gone = sorted(set(known) - set(map(_name, games)))
    parts = []
    if games[0].figures.place is None:
        parts.append("there is no figures.yaml")
    elif stale or gone:
        parts += [f"the rules of {', '.join(stale)} are not those that were measured"] * bool(stale)
        parts += [f"{', '.join(gone)} is gone"] * bool(gone)
    about = "; ".join(parts)
    return Check(
        "figures.yaml: measured on these rules",
        "finding",
        len(games) - len(stale),
        f"= {len(games)}",
        not parts,
        f"{about}; run kitwright balance {games[0].id} --write" if parts else "",
    )


def _name(game: Game) -> str:
    return game.variant or STANDARD


def check_better(games: Sequence[Game], count: int | None) -> None:
    """Refuse to measure again in fewer games what is not stale: print would lose by it."""
    check = stale_check(games)
    if check is None or not check.ok:
        return
    number, known = games_for(games[0], count), games_measured(games[0])
    if number >= known:
        return
    raise SimulationError(
        f"figures.yaml was measured on these rules in {known} games for each number of players, "
        f"and {number} would tell less; say --games {known} or more, or --force to replace it"
    )


def games_measured(game: Game) -> int:
    """Return the games in which each number of players was measured, at least; 0 if none was."""
    lengths = game.figures.values.get("length", {}).values()
    counts = [told.get("games", 0) for each in lengths for told in each.get("players", {}).values()]
    return min(counts, default=0)


def games_for(game: Game, count: int | None) -> int:
    """Return the number of games to measure: as many as asked for, or as suit the game."""
    return count or FEWER_GAMES.get(game.id, GAMES)


def measure(
    games: Sequence[Game],
    count: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure the standard game and its variants; return what figures.yaml is to say."""
    first = games[0]
    if engine_of(first) is None:
        raise SimulationError(f"{first.title} has no engine, so nothing can be measured")
    number = games_for(first, count)
    plans = [(game, plan) for game in games for plan in _plans(game)]
    bench = _Bench(number, number * len(plans), workers, progress)
    measured: dict[str, dict[str, Any]] = {"length": {}}
    for game in games:
        measured["length"][_name(game)] = length(game, bench)
        if game.players[0] == 1:
            for what, value in worth(game, bench).items():
                measured.setdefault(what, {})[_name(game)] = value
    rules = {_name(game): rules_hash(game) for game in games}
    return {"figures": first.id, "rules": rules, "measured": measured}


class _Bench(Struct):
    """Plays one series after another and tells how far it is."""

    games: int
    total: int
    workers: int | None
    progress: Progress | None
    done: int = 0

    def play(self, game: Game, players: int, bot: str) -> tuple[Played, ...]:
        """Play one series; games that did not end are left in."""
        played = Series(game, players, (bot,), SEED).play(range(self.games), self.workers)
        self.done += self.games
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)
        return played


def _plans(game: Game) -> list[tuple[int, str]]:
    fewest, most = game.players
    plans = [(players, typical_bot(game.id)) for players in range(fewest, most + 1)]
    return plans + [(1, bot) for bot in bot_names(game.id) if fewest == 1]


def length(game: Game, bench: _Bench) -> dict[str, Any]:
    """Measure how long a game takes with each number of players, and with all of them pooled."""
    bot = typical_bot(game.id)
    by_players = {
        players: bench.play(game, players, bot)
        for players in range(game.players[0], game.players[1] + 1)
    }
    pooled = [each for played in by_players.values() for each in played]
    return {
        "bot": bot,
        **length_of(game, pooled),
        "players": {players: length_of(game, played) for players, played in by_players.items()},
    }


def length_of(game: Game, played: Sequence[Played]) -> dict[str, Any]:
    """Return how long games took; those that did not end are only counted."""
    done = [each for each in played if each.finished]
    turns, rounds = [each.turns for each in done], [rounds_of(each) for each in done]
    told: dict[str, Any] = {
        "games": len(played),
        "unfinished": len(played) - len(done),
        "rounds": _mean(rounds),
        "turns": _mean(turns),
    }
    if game.pace is not None:
        told["minutes"] = _mean([minutes_of(each, game.pace) for each in done])
    return told


def minutes_of(played: Played, pace: Pace) -> float:
    """Return how long people would have played a game."""
    seats = 1 if pace.of == "turn" else len(played.scores)
    return -(-played.turns // seats) * pace.seconds / 60


def _mean(values: Sequence[float]) -> Figure | None:
    found = mean_of(values, (min(values, default=0), max(values, default=0)))
    return {key: round(value, 2) for key, value in found.items()} if found else None


def worth(game: Game, bench: _Bench) -> dict[str, Any]:
    """Measure what scores of a game alone are worth: par of each bot, and the odds of its ranks."""
    scores = {
        bot: sorted(each.scores[0] for each in bench.play(game, 1, bot) if each.finished)
        for bot in bot_names(game.id)
    }
    told: dict[str, Any] = {"par": {bot: par(found) for bot, found in scores.items()}}
    rows = game.tables[RANKS]["rows"] if RANKS in game.tables else ()
    if all({"rank", "from"} <= row.keys() for row in rows) and rows:
        told[RANKS] = rank_odds([(row["rank"], row["from"]) for row in rows], scores)
    return told


def par(scores: Sequence[int]) -> dict[str, float]:
    """Return mean and median, and the scores that one game in ten stays below or goes beyond."""
    cuts = quantiles(scores if len(scores) > 1 else [*scores] * 2, n=10, method="inclusive")
    return {**(_mean(scores) or {}), "tenth": cuts[0], "median": cuts[4], "ninetieth": cuts[8]}


def rank_odds(
    bands: Sequence[tuple[str, int]], scores: Mapping[str, Sequence[int]]
) -> list[dict[str, Any]]:
    """Return for each rank which share of each bot's games ends in it, or reaches it."""
    ends: list[int | None] = [after - 1 for (_, _), (_, after) in pairwise(bands)]
    rows = []
    for (rank, least), most in zip(bands, [*ends, None], strict=True):
        bots = {}
        for bot, found in scores.items():
            reached = sum(score >= least for score in found)
            beyond = sum(score > most for score in found) if most is not None else 0
            tries = len(found) or 1
            bots[bot] = {
                "share": round((reached - beyond) / tries, 4),
                "reach": round(reached / tries, 4),
            }
        rows.append({"rank": rank, "from": least, "to": most, "bots": bots})
    return rows
