"""What greedy players show of Devices: games end, seats are fair, the shop never locks up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

from kitwright.engines.devices import engine
from kitwright.model.game import Game
from kitwright.play.figures import Check, Figure
from kitwright.play.games.devices_watch import Table, Watched, watch_games
from kitwright.play.simulate import Progress, rounds_of, seat_shares

GAMES = 60  # with each number of seats
TRUSTED = 2000  # games that tell seats apart by two hundredths
ROUNDS = (8.0, 20.0)
SHARE_MARGIN = 0.05
LONGEST_WAIT = 8  # rounds without a served order
BANK_GAMES = 10


def play_checks(game: Game, workers: int | None, progress: Progress | None) -> Iterator[Check]:
    """Let greedy players play with every number of seats and look at the games."""
    fewest, most = game.players
    tables = [Table(players, GAMES) for players in range(fewest, most + 1)]
    hard = Table(most, BANK_GAMES, limited=True)
    found = watch_games(game, (*tables, hard), workers, progress)
    for table in tables:
        yield from game_checks(table.players, found[table])
    watched = [one for table in tables for one in found[table]]
    yield from shop_checks(watched)
    yield owned_check(game, found[tables[-1]])
    yield bank_check(most, found[hard])


def game_checks(players: int, watched: Sequence[Watched]) -> Iterator[Check]:
    """Check the games that were played with one number of seats."""
    played = [one.played for one in watched]
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
    known = max((share["high"] - share["low"]) / 2 for share in shares)
    told = ", ".join(f"{share['low']:.2f} to {share['high']:.2f}" for share in shares)
    yield Check(
        f"{players} players: seat shares", "must",
        tuple(round(share["mean"], 3) for share in shares),
        f"{1 / players:.3f} +- {SHARE_MARGIN}, known +- {known:.2f}", ok,
        f"{told} with 95 % in {len(done)} games; a share is off when its whole interval lies "
        f"outside; simulate --players {players} --games {TRUSTED} tells it more narrowly",
    )  # fmt: skip


def _touches(share: Figure, fair: float) -> bool:
    return share["low"] <= fair + SHARE_MARGIN and share["high"] >= fair - SHARE_MARGIN


def shop_checks(watched: Sequence[Watched]) -> Iterator[Check]:
    """Check that the shop and the orders never leave a player without anything to make."""
    turns, stuck = sum(one.played.turns for one in watched), sum(one.stuck for one in watched)
    yield Check(
        "no shop dead-lock", "must", stuck, "= 0", not stuck,
        f"of {turns} turns {stuck} began with no order in reach that could ever be made from the "
        "cubes there are, yellow, own parts, and those of the shop and its deck",
    )  # fmt: skip
    longest = max(one.wait for one in watched)
    yield Check(
        "longest wait for an order", "must", longest, f"<= {LONGEST_WAIT}", longest <= LONGEST_WAIT,
        f"nobody was served for {longest} rounds in a row in the worst of {len(watched)} games",
    )  # fmt: skip


def owned_check(game: Game, watched: Sequence[Watched]) -> Check:
    """Count how many players owned each special part at the end."""
    owned = Counter(name for one in watched for names in one.owned for name in names)
    players = sum(len(one.owned) for one in watched)
    special = list(dict(engine(game).view.special))
    never = [name for name in special if not owned[name]]
    rarest = min(special, key=lambda name: owned[name])
    return Check(
        "no part never owned", "must", len(never), "= 0", not never,
        "; ".join(never)
        or f"rarest is {rarest}: {owned[rarest] / players:.0%} of {players} players",
    )  # fmt: skip


def bank_check(players: int, watched: Sequence[Watched]) -> Check:
    """Tell how many games still end when the bank is a limit."""
    done = [one.played for one in watched if one.played.finished]
    rounds = fmean([rounds_of(one) for one in done]) if done else 0.0
    return Check(
        f"{players} players: hard bank", "finding", len(done), f"<= {len(watched)}", True,
        f"{len(done)} of {len(watched)} games end when the bank is all there is, "
        f"after {rounds:.1f} rounds on average",
    )  # fmt: skip
