"""The checks of Beltpunk Haberdasher: deck, Machine and sets, then what players show.

Changes nothing. Play is by the planner, the best of the bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import comb, perm
from random import Random
from statistics import fmean

from msgspec.structs import replace

from kitwright.engines.beltpunk_haberdasher import BeltpunkEngine, engine
from kitwright.model.game import Game
from kitwright.model.games.beltpunk_haberdasher import ACTIONS, Rules, SetRow, corners
from kitwright.play.figures import Check
from kitwright.play.games.beltpunk_haberdasher_hands import hands_of
from kitwright.play.games.beltpunk_haberdasher_rounds import (
    Pad,
    kinds_laid,
    lines_of,
    play_pads,
    points_a_round,
    seats_ahead,
)
from kitwright.play.simulate import Progress
from kitwright.play.verdicts import between, finding, games_end, is_even, must

SEED = 1889
GAMES = 120
DEALS = 1000
BOT = "planner"
POINTS = {2: (10.0, 18.0), 3: (8.0, 14.0), 4: (6.0, 11.0)}  # of a player in a round
ROUNDS: Mapping[int, Mapping[int, tuple[float, float]]] = {  # by target, then players
    35: {2: (2.0, 4.0), 3: (3.0, 4.0), 4: (3.0, 5.0)},
    25: {2: (1.5, 3.0), 3: (2.0, 3.5), 4: (2.0, 4.0)},
}
SEAT_MARGIN = 0.08
LEAST_SCORING = 0.25  # of turns in which a player lays a set
LEAST_OVERFLOWS = 0.3  # of a round
MOST_EMPTIED = 0.95  # of rounds that end with an empty hand, not with an empty deck


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of deck and Machine, then those of the sets, then those of play."""
    rules = engine(game)
    yield from deck_checks(rules)
    yield from machine_checks(rules.view.rules)
    yield from set_checks(rules)
    yield from hand_checks(rules)
    yield from play_checks(game, rules, workers, progress)


def deck_checks(rules: BeltpunkEngine) -> Iterator[Check]:
    """Check that every suit has every rank once."""
    box, ranks = rules.box, rules.box.rules.ranks
    cards = len(set(zip(box.suits, box.ranks, strict=True)))
    wanted = ranks * len(box.suit_names)
    yield must(
        "cards: all different",
        cards,
        f"= {wanted}",
        cards == wanted == len(box.names),
        f"the {len(box.names)} cards are {cards} pairs of suit and rank",
    )
    suits = tuple(Counter(box.suits)[suit] for suit in range(len(box.suit_names)))
    yield must(
        "cards a suit",
        suits,
        f"= {ranks} each",
        set(suits) == {ranks},
        f"{', '.join(box.suit_names)} have {', '.join(map(str, suits))} cards",
    )


def machine_checks(rules: Rules) -> Iterator[Check]:
    """Check that the actions fit the corners of The Machine."""
    rows = rules.suits.values()
    counts = tuple(sum(action in row.actions for row in rows) for action in ACTIONS)
    yield must(
        "actions: suits that have each",
        counts,
        "= 2 each",
        set(counts) == {2},
        f"{', '.join(ACTIONS)} stand on {', '.join(map(str, counts))} suits",
    )
    shared = corners(rules)
    fitting = len({action for corner in shared if len(corner) == 1 for action in corner})
    yield must(
        "machine: corners with an action",
        fitting,
        "= 4",
        fitting == len(shared) == 4,
        f"{fitting} corners touch the two suits that share an action of their own",
    )


def sets_there(row: SetRow, suits: int, ranks: int) -> int:
    """Count the sets of a kind by a formula, for a deck with every rank once in every suit."""
    sizes = range(row.fewest, row.most + 1)
    if row.shape == "same-rank":
        return sum(ranks * comb(suits, size) for size in sizes)
    total = 0
    for size in sizes:
        ways = suits if row.shape == "one-suit-run" else perm(suits, size)
        total += ways * max(ranks - size + 1, 0)
    return total


def set_checks(rules: BeltpunkEngine) -> Iterator[Check]:
    """Check how many sets of each kind there are, and that more cards score more."""
    box = rules.box
    found = Counter(one.kind for one in box.book.sets)
    for kind, row in enumerate(box.rules.sets):
        wanted = sets_there(row, len(box.suit_names), box.rules.ranks)
        scores = sorted({one.points for one in box.book.sets if one.kind == kind})
        yield must(
            f"sets: {row.title}",
            found[kind],
            f"= {wanted}",
            found[kind] == wanted,
            f"{found[kind]} sets can be laid, worth {' '.join(map(str, scores))}",
        )
    for row in box.rules.sets:
        ladder = [row.score(cards) for cards in range(row.fewest, row.most + 1)]
        if len(ladder) > 1:
            rises = all(low < high for low, high in pairwise(ladder))
            said = f"{row.fewest} to {row.most} cards score {' '.join(map(str, ladder))}"
            name = f"sets: ladder of {row.title}"
            yield must(name, tuple(ladder), "rising", rises, said)


def hand_checks(rules: BeltpunkEngine) -> Iterator[Check]:
    """Tell what a dealt hand holds, parted into sets as well as can be."""
    hands, rng = hands_of(rules.box), Random(SEED)
    fewest, most = rules.view.players
    for players in range(fewest, most + 1):
        size = rules.view.deal(players).hand
        found = [hands.best(rules.new_game(players, rng).hands[0][:size])[0] for _ in range(DEALS)]
        mean = fmean(found)
        yield Check(
            name=f"{players} players: best of a dealt hand",
            level="finding",
            figure=(min(found), round(mean, 2), max(found)),
            bound="mean < 15",
            ok=mean < 15,
            about=f"{size} cards just dealt hold {mean:.1f} points on average, "
            f"{min(found)} to {max(found)}, found by trying every way",
        )


def play_checks(
    game: Game, rules: BeltpunkEngine, workers: int | None, progress: Progress | None
) -> Iterator[Check]:
    """Let planners play with every number of seats and look at the games."""
    fewest, most = game.players
    counts = range(fewest, most + 1)
    all_pads: list[Pad] = []
    for number, players in enumerate(counts):

        def told(done: int, _: int, before: int = number * GAMES) -> None:
            if progress is not None:
                progress(before + done, len(counts) * GAMES)

        pads = play_pads(game, players, BOT, GAMES, SEED, workers, told)
        all_pads.extend(pads)
        yield from game_checks(rules, players, pads)
    yield worth_check(rules, all_pads)


def game_checks(rules: BeltpunkEngine, players: int, pads: Sequence[Pad]) -> Iterator[Check]:
    """Check the games that were played with one number of seats."""
    done = [pad for pad in pads if pad.finished]
    yield games_end(players, len(done), len(pads), "planners")
    if not done:
        return
    yield from length_checks(rules, players, done)
    points = points_a_round(done)
    said = f"a player scores {points:.1f} points in a round on average"
    yield between(f"{players} players: points a round", points, POINTS[players], said)
    yield seat_check(players, done)
    yield from pace_checks(players, done)


def length_checks(rules: BeltpunkEngine, players: int, done: Sequence[Pad]) -> Iterator[Check]:
    """Check how long rounds and games are."""
    target, longest = rules.box.rules.target, rules.longest_round(players)
    turns = [line.turns for line in lines_of(done)]
    yield must(
        f"{players} players: turns a round",
        (round(fmean(turns), 2), max(turns)),
        f"most <= {longest}",
        max(turns) <= longest,
        f"a round takes {fmean(turns):.1f} turns on average and never more than {longest}",
    )
    for goal in sorted({target, *ROUNDS}, reverse=True):
        reached = [number for pad in done if (number := pad.rounds_to(goal)) is not None]
        if goal > target or not reached:
            continue
        bounds = ROUNDS.get(goal, {}).get(players, (1.0, 30.0))
        rounds = fmean(reached)
        said = f"a game to {goal} points takes {rounds:.1f} rounds on average"
        check = between(f"{players} players: rounds to {goal}", rounds, bounds, said)
        yield check if goal == target else replace(check, level="finding")


def seat_check(players: int, done: Sequence[Pad]) -> Check:
    """Check that no place behind the first Foreman is better than another."""
    shares = seats_ahead(done, players)
    fair = 1 / players
    return must(
        f"{players} players: seats fair",
        tuple(round(share, 3) for share in shares),
        f"{fair:.3f} +- {SEAT_MARGIN}",
        is_even(shares, SEAT_MARGIN),
        f"the first Foreman of a round has the best score of it in {shares[0]:.1%} of "
        f"{len(lines_of(done))} rounds; a fair share is {fair:.1%}",
    )


def pace_checks(players: int, done: Sequence[Pad]) -> Iterator[Check]:
    """Tell how often sets are laid, belts overflow and hands run out."""
    lines = lines_of(done)
    scoring = sum(len(line.kinds) for line in lines) / sum(line.turns * players for line in lines)
    yield finding(
        f"{players} players: turns with a set",
        round(scoring, 3),
        f">= {LEAST_SCORING}",
        scoring >= LEAST_SCORING,
        f"a player lays a set in {scoring:.0%} of turns",
    )
    over = fmean(line.overflows for line in lines)
    often = over >= LEAST_OVERFLOWS
    said = f"a belt overflows {over:.2f} times in a round"
    hint = "" if often else "; The Machine hardly ever fills up"
    name = f"{players} players: overflows a round"
    yield finding(name, round(over, 2), f">= {LEAST_OVERFLOWS}", often, said + hint)
    emptied = fmean(line.emptied for line in lines)
    mixed = emptied <= MOST_EMPTIED
    said = f"{emptied:.1%} of rounds end with an empty hand"
    hint = "" if mixed else "; the deck hardly ever runs out"
    name = f"{players} players: rounds ended by a hand"
    yield finding(name, round(emptied, 3), f"<= {MOST_EMPTIED}", mixed, said + hint)


def worth_check(rules: BeltpunkEngine, pads: Sequence[Pad]) -> Check:
    """Check that players who plan lay every kind of set."""
    laid, sets = kinds_laid(pads), rules.box.rules.sets
    shares = sum(len(line.scores) for line in lines_of(pads))
    rates = [laid[kind] / shares for kind in range(len(sets))]
    said = ", ".join(f"{row.title} {rate:.2f}" for row, rate in zip(sets, rates, strict=True))
    return must(
        "sets: every kind is laid",
        tuple(round(rate, 3) for rate in rates),
        "> 0 each",
        all(rates),
        f"sets of a player in a round: {said}",
    )
