"""What greedy players show of Devices: games end, seats are fair, every part is bought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from kitwright.engines.devices import engine
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.play.figures import Check, Figure
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.simulate import Played, Progress, Series, play_game, rounds_of, seat_shares

SEED = 2018
GAMES = 50  # with each number of seats
ROUNDS = (8.0, 20.0)
SHARE_MARGIN = 0.05
OWNED_GAMES = 24
BANK_GAMES = 10


def play_checks(game: Game, workers: int | None, progress: Progress | None) -> Iterator[Check]:
    """Let greedy players play with every number of seats and look at the games."""
    fewest, most = game.players
    counts = range(fewest, most + 1)
    for number, players in enumerate(counts):
        series = Series(game, players, ("greedy",), SEED)
        played = series.play(range(GAMES), workers)
        if progress is not None:
            progress(number + 1, len(counts))
        yield from game_checks(players, played)
    yield owned_check(game)
    yield bank_check(game, workers)


def game_checks(players: int, played: Sequence[Played]) -> Iterator[Check]:
    """Check the games that were played with one number of seats."""
    done = [one for one in played if one.finished]
    yield Check(
        f"{players} players: games end", "must", len(done), f"= {len(played)}",
        len(done) == len(played),
        f"{len(done)} of {len(played)} games of greedy players came to an end",
    )  # fmt: skip
    if not done:
        return
    rounds = fmean([rounds_of(one) for one in done])
    yield Check(
        f"{players} players: rounds", "must", round(rounds, 2), f"{ROUNDS[0]:g} to {ROUNDS[1]:g}",
        ROUNDS[0] <= rounds <= ROUNDS[1],
        f"a game of greedy players takes {rounds:.1f} rounds on average, "
        f"{min(map(rounds_of, done))} to {max(map(rounds_of, done))}",
    )  # fmt: skip
    shares = [share for share in seat_shares(done, players) if share is not None]
    ok = all(_touches(share, 1 / players) for share in shares)
    yield Check(
        f"{players} players: seat shares", "must",
        tuple(round(share["mean"], 3) for share in shares),
        f"{1 / players:.3f} +- {SHARE_MARGIN}", ok,
        f"of {len(done)} games; a share is off when its whole interval lies outside",
    )  # fmt: skip


def _touches(share: Figure, fair: float) -> bool:
    return share["low"] <= fair + SHARE_MARGIN and share["high"] >= fair - SHARE_MARGIN


def owned_check(game: Game) -> Check:
    """Count in how many games each special part was owned at the end."""
    rules, most = engine(game), game.players[1]
    owned: Counter[str] = Counter()
    for number in range(OWNED_GAMES):
        state, _ = play_game(rules, [greedy_bot] * most, f"{SEED}:owned:{number}")
        cards = state.cards()
        for seat in range(1, most + 1):
            owned.update({*cards[f"hand {seat}"], *cards[f"table {seat}"]})
    special = list(dict(rules.view.special))
    never = [name for name in special if not owned[name]]
    rarest = min(special, key=lambda name: owned[name])
    share = owned[rarest] / (OWNED_GAMES * most)
    return Check(
        "no part never owned", "must", len(never), "= 0", not never,
        "; ".join(never) or f"rarest is {rarest}: {share:.0%} of {OWNED_GAMES * most} players",
    )  # fmt: skip


def bank_check(game: Game, workers: int | None) -> Check:
    """Play with the bank as a limit, and tell how many games still end."""
    bank = {**game.rules["bank"], "limited": True}
    hard = replace(game, rules=freeze({**game.rules, "bank": bank}))
    most = game.players[1]
    played = Series(hard, most, ("greedy",), SEED).play(range(BANK_GAMES), workers)
    done = [one for one in played if one.finished]
    rounds = fmean([rounds_of(one) for one in done]) if done else 0.0
    return Check(
        f"{most} players: hard bank", "finding", len(done), f"<= {len(played)}", True,
        f"{len(done)} of {len(played)} games end when the bank is all there is, "
        f"after {rounds:.1f} rounds on average",
    )  # fmt: skip
