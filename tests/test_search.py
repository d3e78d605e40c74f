"""The search bot: it plays by the contract, sees nothing hidden, and is worth its time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kitwright.engines import MODULES, engine_of
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.bots import UnknownBotError, find_bot, random_bot, search_bot
from kitwright.play.search import Effort, SearchBot, outcome
from kitwright.play.simulate import Series, simulate

ROOT = Path(__file__).parent.parent


@cache
def game_of(game_id: str) -> Game:
    return load_game(ROOT, game_id)


@dataclass(frozen=True)
class Urn:
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
    @dataclass(frozen=True)
    class Lone(Urn):
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
