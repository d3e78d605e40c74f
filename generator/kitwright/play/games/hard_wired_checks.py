"""The checks of Hard Wired: its decks first, then what greedy players show. Changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial
from random import Random
from statistics import fmean
from typing import Literal

from kitwright.engines.hard_wired import HardWiredEngine, engine
from kitwright.model.game import Game
from kitwright.model.games.hard_wired import Circuit, HardWired
from kitwright.play.figures import Check, Figure
from kitwright.play.games.hard_wired_deck import (
    SYMMETRIES,
    group_order,
    joined_pairs,
    partnered,
    through,
    transform_of,
    two_card_ways,
)
from kitwright.play.simulate import Played, Progress, Series, rounds_of, seat_shares
from kitwright.play.verdicts import between, games_end, is_even, must

JOINED = "pairs of displays joined"
SEED = 1957
DEALS = 10_000
LEAST_BUILD = 0.98  # of first turns in which a segment can be made
ROUNDS = (13.0, 15.0)
ROUNDS_WITH_EXTRA = (12.0, 15.0)  # extra circuits shorten a game
SHARE_MARGIN = 0.08
LOOKS = (100, 1000, 2000, 3000)  # after so many games it is seen whether more are needed


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of the decks, then those of the deal, then those of play.

    Games are played only if every display can be reached, for else they need not end.
    """
    rules = engine(game)
    yield from deck_checks(rules.view)
    yield from closure_checks(rules.view)
    paths = tuple(path_checks(rules))
    yield from paths
    yield from deal_checks(rules)
    yield from example_checks(game, rules.view)
    if all(check.ok for check in paths if check.name == JOINED):
        yield from play_checks(game, workers, progress)


def example_checks(game: Game, view: HardWired) -> Iterator[Check]:
    """Check the example that the player aid shows: real circuits, and values that follow."""
    aids = next((deck for deck in game.decks if deck.id == "aids"), None)
    example = aids.data.get("example") if aids is not None else None
    if example is None:
        return
    wired = {frozenset(circuit.wires) for _, circuit in view.circuits}
    shown, wrong = tuple(example["start"]), 0
    for step in example["circuits"]:
        told = {key: step[key] for key in ("title", "wires")}
        circuit = Circuit.model_validate(told)
        shown = tuple(through(circuit, shown, view.rules.values))
        wrong += frozenset(circuit.wires) not in wired or shown != tuple(step["shows"])
    right = not wrong and shown == tuple(example["end"])
    text = f"the values come to {'-'.join(map(str, shown))}"
    yield must("player aid: the example holds", shown, "as printed", right, text)


def deck_checks(view: HardWired) -> Iterator[Check]:
    """Check what the decks are made of."""
    rules = view.rules
    shown = Counter(display.values for _, display in view.displays)
    wanted, copies = rules.values**rules.lines, rules.display_copies
    right = sum(times == copies for times in shown.values())
    yield must(
        "displays: every triple" if rules.lines == 3 else "displays: every line-up",
        right,
        f"= {wanted}",
        right == len(shown) == wanted,
        f"{right} of the {wanted} ways to show {rules.lines} values are there {copies} times",
    )
    transforms = [transform_of(circuit, rules.values) for _, circuit in view.circuits]
    distinct, count = len(set(transforms)), len(transforms)
    yield must(
        "circuits: all different",
        distinct,
        f"= {count}",
        distinct == count,
        f"the {count} circuits do {distinct} different things to a display",
    )
    parts = Counter(wire.part for _, circuit in view.circuits for wire in circuit.wires)
    plus, minus = parts["inductor"], parts["resistor"]
    yield must(
        "circuits: parts in balance",
        (plus, minus),
        "equal",
        plus == minus,
        f"the deck has {plus} inductors and {minus} resistors",
    )


def closure_checks(view: HardWired) -> Iterator[Check]:
    """Check that for every circuit its partners under each symmetry are in the deck."""
    values = view.rules.values
    deck = [transform_of(circuit, values) for _, circuit in view.circuits]
    for name, symmetry in SYMMETRIES.items():
        found = partnered(deck, [symmetry(transform, values) for transform in deck])
        yield must(
            f"circuits: closed under {name}",
            found,
            f"= {len(deck)}",
            found == len(deck),
            f"{found} of {len(deck)} circuits have their partner under {name} in the deck",
        )


def path_checks(rules: HardWiredEngine) -> Iterator[Check]:
    """Check that the circuits lead from every display to every other."""
    view, wiring = rules.view, rules.box.wiring
    lines, values = view.rules.lines, view.rules.values
    onto = sum(len(set(act)) == len(wiring.lineups) for act in wiring.acts)
    yield must(
        "circuits: nothing lost on the way",
        onto,
        f"= {len(wiring.acts)}",
        onto == len(wiring.acts),
        f"{onto} of {len(wiring.acts)} circuits turn different displays into different displays",
    )
    deck = [transform_of(circuit, values) for _, circuit in view.circuits]
    order, whole = group_order(deck, values), values**lines * factorial(lines)
    yield must(
        "circuits: transforms reached",
        order,
        f"= {whole}",
        order == whole,
        f"circuits in a row make {order} of the {whole} possible transforms",
    )
    pairs, joined = len(wiring.lineups) ** 2, joined_pairs(wiring)
    yield must(
        JOINED,
        joined,
        f"= {pairs}",
        joined == pairs,
        f"{joined} of {pairs} pairs are joined by {wiring.fewest} to {wiring.most} circuits"
        + ("" if joined == pairs else "; games need not end, so none were played"),
    )
    yield from _two_card_checks(two_card_ways(wiring))


def _two_card_checks(ways: Sequence[int]) -> Iterator[Check]:
    joined = sum(count > 0 for count in ways)
    yield must(
        "pairs joined by two circuits",
        joined,
        f"= {len(ways)}",
        joined == len(ways),
        f"{joined} of {len(ways)} pairs of displays are joined by exactly two circuits",
    )
    least, mean, most = min(ways), round(fmean(ways), 2), max(ways)
    yield Check(
        name="two-circuit ways a pair",
        level="finding",
        figure=(least, mean, most),
        bound="least >= 1",
        ok=least >= 1,
        about=f"a pair of displays is joined in {least} to {most} ways, {mean:g} on average",
    )


def deal_checks(rules: HardWiredEngine) -> Iterator[Check]:
    """Check that the decks are large enough and that the first turn offers something."""
    view, most = rules.view, rules.view.players[1]
    dealt = view.dealt(most)
    yield must(
        "circuits for the deal",
        dealt,
        f"<= {len(view.circuits)}",
        dealt <= len(view.circuits),
        f"{most} players start with {dealt} of the {len(view.circuits)} circuits dealt",
    )
    goal, at_once = view.rules.goal, view.rules.end == "at-once"
    longest = most * (goal - 1) + 1 if at_once else most * goal
    used, there = longest + view.rules.public_displays, len(view.displays)
    yield Check(
        name="displays never run out",
        level="must" if at_once else "finding",
        figure=used,
        bound=f"<= {there}",
        ok=used <= there,
        about=f"machines of {most} players and the table hold at most {used} displays of {there}"
        + ("" if used <= there else "; in the last round fewer may be face up on the table"),
    )
    rate = first_turn_rate(rules, DEALS)
    yield must(
        "a segment on the first turn",
        round(rate, 4),
        f">= {LEAST_BUILD}",
        rate >= LEAST_BUILD,
        f"the first player can build at once in {rate:.2%} of {DEALS} deals",
    )


def first_turn_rate(rules: HardWiredEngine, deals: int) -> float:
    """Return the share of deals in which the first player can build a segment at once."""
    rng, wiring, hits = Random(SEED), rules.box.wiring, 0
    for _ in range(deals):
        state = rules.new_game(rules.view.players[0], rng)
        cards = (*state.public_circuits, *state.hands[0])
        hits += wiring.can_finish(state.value, 0, cards, state.targets)
    return hits / deals


def play_checks(game: Game, workers: int | None, progress: Progress | None) -> Iterator[Check]:
    """Let greedy players play with every number of seats and look at the games."""
    fewest, most = game.players
    counts = range(fewest, most + 1)
    for number, players in enumerate(counts):
        series = Series(game, players, ("greedy",), SEED)
        played: tuple[Played, ...] = ()
        for look in LOOKS:
            played += series.play(range(len(played), look), workers)
            if progress is not None:
                progress(number * LOOKS[-1] + look, len(counts) * LOOKS[-1])
            if is_decided(played, players):
                break
        if progress is not None:
            progress((number + 1) * LOOKS[-1], len(counts) * LOOKS[-1])
        yield from game_checks(game, players, played)


def is_decided(played: Sequence[Played], players: int) -> bool:
    """Tell whether more games could hardly change what the checks say."""
    if not all(game.finished for game in played):
        return True
    if len(played) <= LOOKS[0]:
        return False
    shares = [share for share in seat_shares(played, players) if share is not None]
    inside = all(_outside(share, players, inner=True) <= SHARE_MARGIN for share in shares)
    return inside or any(_outside(share, players, inner=False) > SHARE_MARGIN for share in shares)


def _outside(share: Figure, players: int, inner: bool) -> float:
    """Return how far the far (or near) end of an interval lies from a fair share."""
    ends = share["high"] - 1 / players, 1 / players - share["low"]
    return max(ends) if inner else -min(ends)


def game_checks(game: Game, players: int, played: Sequence[Played]) -> Iterator[Check]:
    """Check the games that were played with one number of seats."""
    done = [one for one in played if one.finished]
    yield games_end(players, len(done), len(played), "greedy players")
    if not done:
        return
    extra = any(game.rules["extra_circuits"][:players])
    rounds = fmean([rounds_of(one) for one in done])
    said = f"a game of greedy players takes {rounds:.1f} rounds on average"
    bounds = ROUNDS_WITH_EXTRA if extra else ROUNDS
    yield between(f"{players} players: rounds", rounds, bounds, said)
    yield _share_check(players, done, "must" if extra else "finding")


def _share_check(players: int, done: Sequence[Played], level: Literal["must", "finding"]) -> Check:
    shares = [share["mean"] for share in seat_shares(done, players) if share is not None]
    fair = 1 / players
    most, least = (shares.index(end) for end in (max(shares), min(shares)))
    ok = is_even(shares, SHARE_MARGIN)
    hint = "" if ok or level == "must" else "; the 'handicap' variant evens the seats out"
    return Check(
        name=f"{players} players: seat shares",
        level=level,
        figure=tuple(round(share, 3) for share in shares),
        bound=f"{fair:.3f} +- {SHARE_MARGIN}",
        ok=ok,
        about=f"of {len(done)} games seat {most + 1} wins most ({shares[most]:.1%}) and "
        f"seat {least + 1} fewest ({shares[least]:.1%}); a fair share is {fair:.1%}{hint}",
    )
