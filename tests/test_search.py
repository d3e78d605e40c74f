"""The search bot: it plays by the contract, sees nothing hidden, and is worth its time."""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines import MODULES, engine_of
from kitwright.engines.hand_solo import HandSoloEngine
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.bots import UnknownBotError, find_bot, random_bot, search_bot
from kitwright.play.figures import mean_of
from kitwright.play.search import Effort, SearchBot, outcome
from kitwright.play.simulate import Series, simulate
from kitwright.play.tree import Node, Tree, Way

ROOT = Path(__file__).parent.parent


@cache
def game_of(game_id: str) -> Game:
    return load_game(ROOT, game_id)


class Urn(Struct, frozen=True):
    """Pick one of three urns; what is in each is hidden, but one is better on average."""

    filled: tuple[int, ...]
    picked: int | None = None
    turn: int = 0
    to_move: int = 0

    def legal_moves(self) -> tuple[int, ...]:
        return () if self.is_over() else (0, 1, 2)

    def apply(self, move: int) -> Urn:
        return replace(self, picked=move, turn=1)

    def is_over(self) -> bool:
        return self.picked is not None

    def scores(self) -> tuple[int, ...]:
        return (self.filled[self.picked] if self.picked is not None else 0,)

    def winners(self) -> tuple[int, ...]:
        return (0,) if self.is_over() else ()

    def as_seen_by(self, seat: int, rng: Random) -> Urn:
        return replace(self, filled=(3, int(rng.random() * 10), int(rng.random() * 8) + 4))


def first(seen: Any, rng: Random) -> Any:
    return seen.legal_moves()[0]


def test_it_finds_the_move_that_is_better_on_average() -> None:
    bot = SearchBot(first, Effort(120))
    assert [bot(Urn((3, 9, 4)), Random(seed)) for seed in range(20)] == [2] * 20


def test_it_sees_no_hidden_card() -> None:
    bot = SearchBot(first, Effort(120))
    for seed in range(5):
        assert bot(Urn((99, 0, 0)), Random(seed)) == bot(Urn((0, 99, 0)), Random(seed))


def test_it_keeps_the_move_of_its_base_where_chance_may_explain_the_rest() -> None:
    careful = SearchBot(first, Effort(30, doubt=50.0))
    assert careful(Urn((3, 9, 4)), Random(1)) == 0


def test_too_few_games_ahead_change_nothing() -> None:
    assert SearchBot(first, Effort(3))(Urn((3, 9, 4)), Random(1)) == 0


def test_a_single_move_is_made_without_a_thought() -> None:
    class Lone(Urn, frozen=True):
        def legal_moves(self) -> tuple[int, ...]:
            return (7,)

        def as_seen_by(self, seat: int, rng: Random) -> Urn:
            raise AssertionError("nothing needs to be dealt")

    assert SearchBot(first, Effort(10))(Lone((1, 2, 3)), Random(1)) == 7


def test_it_looks_no_further_than_it_is_told() -> None:
    game = game_of("hard-wired")
    engine = engine_of(game)
    assert engine is not None
    turns: list[int] = []

    def noted(state: Any, seat: int) -> float:
        turns.append(state.turn)
        return outcome(state, seat)

    state = engine.new_game(2, Random(3))
    SearchBot(random_bot, Effort(12, turns=4), noted)(state, Random(1))
    assert max(turns) <= 5
    assert max(turns) >= 4


class Vault(Struct, frozen=True):
    """Coins lie about; a key opens the vault two moves later, and nobody else would take it."""

    hidden: int  # what lies in the vault beyond twenty coins
    made: tuple[str, ...] = ()
    to_move: int = 0

    @property
    def turn(self) -> int:
        return len(self.made)

    def legal_moves(self) -> tuple[str, ...]:
        steps = (("coin", "key"), ("coin", "turn"), ("coin", "open"))
        return () if self.is_over() else steps[len(self.made)]

    def apply(self, move: str) -> Vault:
        return replace(self, made=(*self.made, move))

    def is_over(self) -> bool:
        return len(self.made) == 3

    def scores(self) -> tuple[int, ...]:
        robbed = self.made == ("key", "turn", "open")
        return (20 + self.hidden if robbed else self.made.count("coin"),)

    def winners(self) -> tuple[int, ...]:
        return (0,) if self.is_over() else ()

    def as_seen_by(self, seat: int, rng: Random) -> Vault:
        return replace(self, hidden=int(rng.random() * 10))


def test_it_finds_a_plan_of_which_its_base_would_make_no_move() -> None:
    def taken(depth: int) -> list[str]:
        bot = SearchBot(first, Effort(150, depth=depth))
        return [bot(Vault(5), Random(seed)) for seed in range(10)]

    assert taken(depth=3) == ["key"] * 10
    assert taken(depth=1) == ["coin"] * 10, "who only tries single moves sees no use in a key"


def test_it_finds_that_a_broken_promise_makes_a_captain_known() -> None:
    game = game_of("hand-solo")
    engine = engine_of(game)
    assert isinstance(engine, HandSoloEngine)
    box = engine.box
    jobs = {card: box.contracts[card] for card, (side, _) in box.sides.items() if side.price}
    met = next(card for card, job in jobs.items() if job and job.cargo == 1)
    ports = [port for port in range(box.ports) if not box.goal_of(met, port)]
    dealt = engine.deal([met, *ports[:4]])
    state = replace(dealt, year=box.rules.years, credits=300, renowned=0b111)
    planner = find_bot("hand-solo", "planner")
    assert str(planner(state, Random(1))) != "accept"

    def chosen(depth: int) -> list[str]:
        bot = SearchBot(planner, Effort(150, depth=depth))
        return [str(bot(state, Random(seed))) for seed in range(3)]

    assert chosen(depth=3) == ["accept"] * 3, "to be dropped, which makes its merchant hostile"
    assert "accept" not in chosen(depth=1)


def test_a_tree_looks_at_other_moves_the_later_the_more_there_are() -> None:
    def tried(moves: int, games: int) -> int:
        root, tree = Node(), Tree()
        for index in range(games):
            way = Way(root, 1.0, curious=True)
            way.step(range(moves), 0)
            tree.learn(way, float(index % 2))
        return len(root.after)

    assert [tried(moves, 1) for moves in (2, 40)] == [1, 1]
    assert tried(2, 4) == 2
    assert 1 <= tried(40, 10) <= 3
    assert tried(40, 4000) == 40


def test_scouts_go_where_games_went_well_and_the_others_follow() -> None:
    root, tree = Node(), Tree()
    for _ in range(200):
        way = Way(root, 1.0, curious=True)
        tree.learn(way, float(way.step((0, 1, 2), 0) == 2))
    assert root.after[2].visits > 150
    assert Way(root, 1.0).step((0, 1, 2), 0) == 2


def test_nobody_strays_from_the_base_without_reason() -> None:
    way = Way(Node(), 1.0)
    assert [way.step((0, 1, 2), 1) for _ in range(3)] == [1, 1, 1]
    assert not way.strayed


def test_worlds_full_of_luck_hide_no_plan() -> None:
    class Lucky(Vault, frozen=True):
        def scores(self) -> tuple[int, ...]:
            return (super().scores()[0] + 1000 * self.hidden,)

    bot = SearchBot(first, Effort(150))
    assert [bot(Lucky(5), Random(seed)) for seed in range(10)] == ["key"] * 10


@pytest.mark.parametrize("game_id", sorted(MODULES))
def test_it_plays_every_game_by_the_rules(game_id: str) -> None:
    game = game_of(game_id)
    engine = engine_of(game)
    assert engine is not None
    players = game.players[0]
    bot = search_bot(game_id, 4)
    state, rng = engine.new_game(players, Random(5)), Random(6)
    for _ in range(12):
        if state.is_over():
            break
        move = bot(state.as_seen_by(state.to_move, rng), rng)
        assert move in state.legal_moves()
        state = state.apply(move)


def test_the_same_seed_gives_the_same_games() -> None:
    def scores() -> list[tuple[int, ...]]:
        series = Series(game_of("hard-wired"), 2, ("search-12", "random"), 3)
        return [played.scores for played in series.play(range(2), 1)]

    assert scores() == scores()


def test_its_name_says_how_hard_it_thinks() -> None:
    bots = [find_bot("hard-wired", name) for name in ("search", "search-7")]
    assert [bot.effort.games for bot in bots if isinstance(bot, SearchBot)] == [150, 7]
    hard = "search, or search-1 to search-100000"
    near = "one of random, greedy, search; did you mean 'search'?"
    expected = {"search-": hard, "search-x": hard, "search-0": hard, "serch": near}
    for wrong, meant in expected.items():
        with pytest.raises(UnknownBotError) as error:
            find_bot("hard-wired", wrong)
        assert str(error.value) == f"there is no bot '{wrong}'; expected {meant}"


@pytest.mark.slow
def test_it_beats_the_greedy_bot_of_hard_wired() -> None:
    result = simulate(game_of("hard-wired"), 2, ["search", "greedy"], 60, 1)
    assert result["bot_shares"]["search"]["low"] > 0.5


@pytest.mark.slow
def test_it_beats_every_captain_of_hand_solo() -> None:
    game = game_of("hand-solo")
    scores = {
        bot: [each.scores[0] for each in Series(game, 1, (bot,), 1).play(range(100, 140), None)]
        for bot in ("search", "planner", "infamous")
    }
    for below in ("planner", "infamous"):
        gains = [float(a - b) for a, b in zip(scores["search"], scores[below], strict=True)]
        gain = mean_of(gains, (-inf, inf))
        assert gain is not None
        assert gain["low"] > 0, (below, gain)
