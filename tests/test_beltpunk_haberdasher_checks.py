"""The checks, bots and solver of Beltpunk Haberdasher, and what its data may not say."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.beltpunk_haberdasher import BeltpunkEngine, engine
from kitwright.engines.beltpunk_haberdasher_sets import Round, mask_of
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import Record
from kitwright.play import checks as general
from kitwright.play.figures import Check
from kitwright.play.games import beltpunk_haberdasher_checks as own
from kitwright.play.games.beltpunk_haberdasher_hands import hands_of, solve_hand
from kitwright.play.games.beltpunk_haberdasher_rounds import Pad, play_pads, seats_ahead
from kitwright.play.simulate import simulate
from kitwright.play.solvers import SolverError, solve
from kitwright.problems import InvalidInputError

ROOT = Path(__file__).parent.parent
ID = "beltpunk-haberdasher"


@cache
def beltpunk(variant: str | None = None) -> Game:
    return load_game(ROOT, ID, variant)


@cache
def rules() -> BeltpunkEngine:
    return engine(beltpunk())


def test_the_sets_are_as_many_as_can_be_counted_by_hand() -> None:
    found = Counter((one.kind, len(one.cards)) for one in rules().box.book.sets)
    kinds = rules().box.book.kinds
    assert {(kinds[k], n): count for (k, n), count in found.items() if n <= 4} == {
        ("goggles", 2): 78,
        ("broken-gears", 3): 52,
        ("perfect-gears", 4): 13,
        ("perfect-belt", 3): 44,
        ("perfect-belt", 4): 40,
        ("cobbled-belt", 3): 264,
        ("cobbled-belt", 4): 240,
    }
    assert sum(count for (k, _), count in found.items() if kinds[k] == "perfect-belt") == 264


def plain_score(cards: tuple[tuple[int, int], ...]) -> int | None:
    """Score cards, each a suit and a rank, by the words of the rules."""
    suits, ranks = {s for s, _ in cards}, sorted(r for _, r in cards)
    if len(set(ranks)) == 1 and len(cards) > 1:
        return {2: 3, 3: 5, 4: 10}[len(cards)]
    if len(cards) < 3 or ranks != list(range(ranks[0], ranks[0] + len(cards))):
        return None
    if len(suits) == 1:
        return 5 + 2 * (len(cards) - 3)
    return len(cards) if len(suits) == len(cards) else None


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_choice_of_up_to_four_cards_scores_as_the_rules_say(size: int) -> None:
    box = rules().box
    known = {one.mask: one.points for one in box.book.sets if len(one.cards) == size}
    keys = list(zip(box.suits, box.ranks, strict=True))
    for cards in combinations(range(52), size):
        score = plain_score(tuple(keys[card] for card in cards))
        if score is not None:
            assert known.pop(mask_of(cards)) == score
    assert known == {}


def test_the_best_of_a_hand_is_what_trying_everything_finds() -> None:
    box, rng = rules().box, Random(5)

    def brute(hand: frozenset[int]) -> int:
        inside = [one for one in box.book.sets if hand.issuperset(one.cards)]
        return max([-len(hand), *(one.points + brute(hand - set(one.cards)) for one in inside)])

    for _ in range(40):
        hand = frozenset(int(rng.random() * 26) * 2 % 52 + (n % 2) for n in range(9))
        points, sets = hands_of(box).best(hand)
        assert points == brute(hand)
        laid = [card for one in sets for card in one.cards]
        assert len(laid) == len(set(laid))
        assert points == sum(one.points for one in sets) - (len(hand) - len(laid))


def test_the_solver_parts_a_hand() -> None:
    hand = ["steam-3", "gears-3", "parts-3", "steam-4", "steam-5", "electricity-13"]
    answer = solve(beltpunk(), hand)
    assert answer.lines == (
        "  5  Perfect Belt: steam-3 steam-4 steam-5",
        "  3  Goggles: gears-3 parts-3",
        " -1  scrap: electricity-13",
        "  7  in all",
    )
    assert json.loads(json.dumps(answer.data))["points"] == 7
    assert solve_hand(beltpunk(), ["steam-1", "gears-1"]).scrap == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no cards are named; expected the cards of a hand, each once"),
        (["steam-3", "steam-3"], "a card is named twice; expected the cards of a hand, each once"),
        (
            ["steem-3"],
            "there is no card 'steem-3'; expected one such as steam-7; did you mean 'steam-3'?",
        ),
    ],
)
def test_the_solver_says_what_it_cannot_read(words: list[str], said: str) -> None:
    with pytest.raises(SolverError) as caught:
        solve(beltpunk(), words)
    assert str(caught.value) == said


def static(game: Game) -> list[Check]:
    made = engine(game)
    return [
        *own.deck_checks(made),
        *own.machine_checks(made.view.rules),
        *own.set_checks(made),
    ]


def test_the_figures_of_deck_machine_and_sets_are_the_proved_ones() -> None:
    checks = static(beltpunk())
    assert all(check.ok for check in checks)
    assert {check.name: check.figure for check in checks} == {
        "cards: all different": 52,
        "cards a suit": (13, 13, 13, 13),
        "actions: suits that have each": (2, 2, 2, 2),
        "machine: corners with an action": 4,
        "sets: Goggles": 78,
        "sets: Broken Gears": 52,
        "sets: Perfect Gears": 13,
        "sets: Perfect Belt": 264,
        "sets: Cobbled Belt": 504,
        "sets: ladder of Perfect Belt": (5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25),
        "sets: ladder of Cobbled Belt": (3, 4),
    }


def test_a_missing_card_is_found() -> None:
    game = beltpunk()
    decks = tuple(
        replace(deck, cards=deck.cards[1:]) if deck.id == "gearbox" else deck for deck in game.decks
    )
    failed = {check.name for check in static(replace(game, decks=decks)) if not check.ok}
    assert {"cards: all different", "cards a suit", "sets: Goggles"} <= failed


def test_a_score_table_that_pays_nothing_for_more_cards_is_found() -> None:
    game = beltpunk()
    sets = tuple(Record({**row, "extra": 0}) for row in game.rules["sets"])
    flat = replace(game, rules=Record({**game.rules, "sets": sets}))
    failed = {check.name for check in static(flat) if not check.ok}
    assert failed == {"sets: ladder of Perfect Belt", "sets: ladder of Cobbled Belt"}


def line(*scores: int, turns: int = 4, **more: Any) -> Round:
    told: dict[str, Any] = {"overflows": 1, "kinds": (0, 1, 2, 3, 4), "emptied": True, **more}
    return Round(scores, (0,) * len(scores), turns, **told)


def test_rounds_to_a_target_leave_a_tie_undecided() -> None:
    pad = Pad((line(25, 25), line(5, 4), line(6, 2)), True)
    assert [pad.rounds_to(goal) for goal in (25, 30, 31, 99)] == [2, 2, 3, None]


def test_seats_are_counted_from_the_foreman_of_the_round() -> None:
    pad = Pad((line(9, 1, turns=3), line(1, 9), line(5, 5)), True)
    assert seats_ahead([pad], 2) == [2.5 / 3, 0.5 / 3]


def test_games_that_go_wrong_are_found() -> None:
    stuck = Pad((line(0, 0, turns=18),), False)
    (ends,) = own.game_checks(rules(), 2, [stuck])
    assert (ends.name, ends.ok, ends.figure) == ("2 players: games end", False, 0)
    odd = Pad((line(40, 0, turns=18, overflows=0, kinds=(0,)),), True)
    bad = {check.name for check in own.game_checks(rules(), 2, [odd]) if not check.ok}
    assert bad == {
        "2 players: turns a round",
        "2 players: rounds to 35",
        "2 players: rounds to 25",
        "2 players: points a round",
        "2 players: seats fair",
        "2 players: turns with a set",
        "2 players: overflows a round",
        "2 players: rounds ended by a hand",
    }
    assert not own.worth_check(rules(), [odd]).ok


def test_the_same_pads_come_whatever_the_number_of_workers() -> None:
    alone = play_pads(beltpunk(), 2, "greedy", 30, 3, workers=1)
    assert play_pads(beltpunk(), 2, "greedy", 30, 3, workers=2) == alone


def test_all_checks_run_with_plain_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "GAMES", 8)
    monkeypatch.setattr(own, "DEALS", 50)
    told: list[tuple[int, int]] = []
    checks = general.run_checks(beltpunk(), 1, lambda done, of: told.append((done, of)))
    assert told[-1] == (24, 24)
    assert len({check.name for check in checks}) == len(checks)
    assert json.loads(json.dumps([check.as_dict() for check in checks]))


def test_the_planner_beats_the_greedy_and_the_greedy_the_random_player() -> None:
    for strong, weak in (("planner", "greedy"), ("greedy", "random")):
        figures = simulate(beltpunk(), 2, (strong, weak), 30, 4, workers=1)
        assert figures["bot_shares"][strong]["mean"] > 0.6


def test_a_simulation_counts_the_rounds_that_are_scored() -> None:
    figures = simulate(beltpunk(), 2, ("greedy",), 20, 4, workers=1)
    assert 2 <= figures["rounds"]["mean"] <= 6
    assert figures["turns"]["mean"] > 3 * figures["rounds"]["mean"]


@pytest.fixture
def spoilt(tmp_path: Path) -> Callable[[str, str, str], str]:
    """Change a text of a component file; return what loading the game says then."""
    shutil.copytree(ROOT / "components" / ID, tmp_path / "components" / ID)
    shutil.copytree(ROOT / "layouts", tmp_path / "layouts")

    def change(file: str, old: str, new: str) -> str:
        path = tmp_path / "components" / ID / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(InvalidInputError) as caught:
            load_game(tmp_path, ID)
        return str(caught.value)

    return change


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "gearbox.yaml",
            "suit: steam, rank: 3}",
            "suit: smoke, rank: 3}",
            "card 'steam-3': suit is 'smoke'; expected one of steam, gears, parts, electricity",
        ),
        (
            "gearbox.yaml",
            "suit: steam, rank: 3}",
            "suit: steam, rank: 14}",
            "card 'steam-3': rank is 14; expected 1 to 13",
        ),
        (
            "gearbox.yaml",
            "suit: steam, rank: 3}",
            "suit: steam, rank: 2}",
            "card 'steam-3': card 'steam-2' is the 2 of steam already",
        ),
        (
            "game.yaml",
            "actions: [exchange, swap]",
            "actions: [take, swap]",
            "two suits that follow in Machine Order share no action, or two; expected exactly one",
        ),
        (
            "game.yaml",
            "actions: [exchange, swap]",
            "actions: [swap, exchange]",
            "the second action of gears is 'exchange'; expected 'swap', "
            "which it shares with the next suit",
        ),
        (
            "game.yaml",
            "gears: {place: 2",
            "gears: {place: 1",
            "the suits have the places 1, 1, 3, 4 in Machine Order; expected each of 1 to 4 once",
        ),
        (
            "game.yaml",
            "- {players: 3, hand: 7, machine: 3, slots: 3}",
            "- {players: 2, hand: 7, machine: 3, slots: 3}",
            "deal has no row for 3 players; expected one",
        ),
        (
            "game.yaml",
            "{players: 4, hand: 6",
            "{players: 4, hand: 12",
            "the deck has 52 cards; 4 players need 56 in a first turn",
        ),
    ],
)
def test_data_that_cannot_be_played_is_refused(
    spoilt: Callable[[str, str, str], str], file: str, old: str, new: str, said: str
) -> None:
    assert said in spoilt(file, old, new)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [None, "quick"])
def test_every_must_is_kept(variant: str | None) -> None:
    checks = general.run_checks(beltpunk(variant))
    assert [check for check in checks if check.level == "must" and not check.ok] == []
