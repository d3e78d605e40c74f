"""The solver of Hardware Hustle against the engine, its figures, and games played as it says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.hardware_hustle import Box, HardwareHustleEngine, State, engine
from kitwright.jobs.answers import Answers
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import rules_of
from kitwright.model.record import freeze
from kitwright.play.bots import bots_of
from kitwright.play.games import hardware_hustle_answer as answer
from kitwright.play.games.hardware_hustle_best import Solution, best_money, solved
from kitwright.play.games.hardware_hustle_checks import best_checks, loop_check
from kitwright.play.games.hardware_hustle_expert import careers, figures
from kitwright.play.games.hardware_hustle_loop import loops
from kitwright.play.games.hardware_hustle_ways import Limits, ShapeError
from kitwright.play.simulate import Series
from kitwright.play.solvers import SolverError, remembered, solve

ROOT = Path(__file__).parent.parent
TIGHT = Limits(parts=(1, 1, 0, 0), widgets=(0, 0, 0))


@cache
def hustle(variant: str | None = None) -> Game:
    return load_game(ROOT, "hardware-hustle", variant)


def with_rules(game: Game, **rules: Any) -> Game:
    return replace(game, rules=freeze({**game.rules, **rules}))


def short_loop() -> Game:
    """Return a small game whose Amplifier is free after one upgrade of Sell."""
    rules = hustle().rules
    parts = {name: {**part} for name, part in rules["parts"].items()}
    widgets = {name: {**widget} for name, widget in rules["widgets"].items()}
    parts["speaker"]["buy"] = (0, 0, 0, 0)
    widgets["amplifier"] |= {"make": (0, 0, 0, 0), "sell": (2, 0, 0, 0)}
    return with_rules(hustle(), parts=parts, widgets=widgets, money=5, opportunity=(6, 4))


def by_the_engine(game: Game, turns: int) -> float:
    """Solve a short game move by move, with every choice that the engine allows."""
    short = replace(
        game, rules=freeze({**game.rules, "opportunity": game.rules["opportunity"][:turns]})
    )

    @cache
    def best(state: State) -> float:
        return max(after(state, move) for move in state.legal_moves())

    def after(state: State, move: Any) -> float:
        then = state.apply(move)
        if then.turn == state.turn and then.phase == state.phase:
            return best(then)
        if state.phase == 2 and state.left >= 0 and state.day < turns - 1:
            past = (1,) * (state.turn * 4 + 3)
            ends = [replace(state, dice=(*past, r)).apply(move) for r in range(1, 7)]
            return sum(best(plain(e)) if e.turn == state.turn else begun(e) for e in ends) / 6
        return begun(then)

    def begun(state: State) -> float:
        if state.is_over():
            return float(state.sheets[0].money)
        return sum(best(plain(replace(state, roll=r, room=r))) for r in range(1, 7)) / 6

    def plain(state: State) -> State:
        return replace(state, dice=(), seed=0)

    return begun(HardwareHustleEngine(short).new_game(1, Random(0)))


def test_a_game_of_one_turn_is_solved() -> None:
    assert best_money(hustle(), 1) == pytest.approx(14.1111, abs=1e-4)
    assert by_the_engine(hustle(), 1) == pytest.approx(best_money(hustle(), 1))


def test_a_game_of_two_turns_is_solved() -> None:
    assert best_money(hustle(), 2) == pytest.approx(24.1017, abs=1e-4)


@pytest.mark.parametrize("variant", [None, "fair-trade"])
def test_the_solver_agrees_with_a_search_of_every_move(variant: str | None) -> None:
    small = with_rules(hustle(variant), money=7, opportunity=(4, 4))
    assert by_the_engine(small, 2) == pytest.approx(best_money(small, 2))


def test_the_solver_agrees_when_a_widget_becomes_free() -> None:
    small = short_loop()
    assert loops(Box(rules_of(small))) == (("amplifier", (0, 0, 1)),)
    assert by_the_engine(small, 2) == pytest.approx(best_money(small, 2))


def test_limits_only_lower_the_result() -> None:
    assert best_money(hustle(), 2, TIGHT) < best_money(hustle(), 2) - 0.01


def test_higher_limits_do_not_raise_the_result() -> None:
    more = Limits((3, 4, 2, 1), (3, 2, 2), (40, 60, 90, 130, 200))
    assert best_money(hustle(), 2, more) == best_money(hustle(), 2)


def test_a_die_without_a_one_is_worth_more() -> None:
    better = solved(hustle(), 2, faces=(2, 3, 4, 5, 6)).best
    assert better > best_money(hustle(), 2) + 1


def test_a_game_of_another_shape_is_refused() -> None:
    rules = hustle().rules
    parts = {**rules["parts"], "lamp": {"title": "Lamp", "price": 1, "buy": (0, 0, 0, 0)}}
    with pytest.raises(ShapeError, match="the solver knows four parts and three widgets"):
        best_money(with_rules(hustle(), parts=parts), 1)
    (check,) = best_checks(with_rules(hustle(), parts=parts), None)
    assert (check.level, check.ok) == ("finding", False)
    assert check.about == "the solver knows four parts and three widgets"


def test_a_game_that_begins_with_too_much_money_is_refused() -> None:
    with pytest.raises(SolverError, match="games that begin with up to 40 money"):
        solve(with_rules(hustle(), money=41), ["1"])


def test_who_begins_with_more_may_have_more_later() -> None:
    rich = with_rules(hustle(), money=40)
    assert best_money(rich, 2) > best_money(rich, 1) > 40


def test_the_solver_can_be_asked() -> None:
    assert solve(hustle(), ["1"]).lines == ("best mean money after 1 of 6 turns: 14.1111",)
    with pytest.raises(SolverError, match="'9' given; expected a number of turns, 1 to 6"):
        solve(hustle(), ["9"])


def test_games_played_as_the_solver_says_earn_what_it_says() -> None:
    small = with_rules(hustle(), opportunity=hustle().rules["opportunity"][:2])
    solution = solved(small, 2)
    played = careers(small, solution, 800, 1)
    told = figures(engine(small).box, played)
    assert told["mean"] == pytest.approx(solution.best, abs=4 * told["sd"] / 800**0.5)
    assert told["lost_turns"] < 0.2
    assert careers(small, solution, 40, 1) == played[:40]


def test_games_with_a_free_widget_earn_what_the_solver_says() -> None:
    solution = solved(short_loop(), 2)
    told = figures(engine(short_loop()).box, careers(short_loop(), solution, 800, 1))
    assert told["mean"] == pytest.approx(solution.best, abs=4 * told["sd"] / 800**0.5)
    assert 0.1 < told["looped"] < 0.9


def short_game() -> Game:
    return with_rules(hustle(), opportunity=(12,))


def test_an_answer_is_remembered_by_the_hash_of_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "GAMES", 20)
    first = solve(short_game(), [], Answers(tmp_path / "cache"))
    monkeypatch.setattr("kitwright.play.games.hardware_hustle_best.solved", None)
    assert solve(short_game(), [], Answers(tmp_path / "cache")) == first
    assert first.lines[0] == "best mean money of a whole game: 14.1111"
    with pytest.raises(TypeError):  # other numbers: it must be solved, and here that cannot be
        solve(with_rules(short_game(), money=9), [], Answers(tmp_path / "cache"))


def test_looks_and_names_do_not_change_the_hash_of_the_numbers() -> None:
    key = answer.solution_key(hustle())
    assert answer.solution_key(with_rules(hustle(), roll_table={"seed": 9})) == key
    assert answer.solution_key(hustle("shared-rolls")) == key
    assert answer.solution_key(hustle("fair-trade")) != key


def test_a_damaged_answer_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "GAMES", 20)
    first = solve(short_game(), [], Answers(tmp_path))
    entry = next((tmp_path / "answers").iterdir())
    entry.write_bytes(entry.read_bytes()[:-9] + b"\0" * 9)
    assert solve(short_game(), [], Answers(tmp_path)) == first


def whole(**played: Any) -> Mapping[str, Any]:
    """Return an answer of the solver."""
    told = {
        "games": 2000,
        "mean": 181.0,
        "sd": 46.0,
        "looped": 0.9,
        "sold": {"amplifier": 38.0},
        "lost_turns": 0.0,
        "off_the_graph": 0.93,
        "money_by_turn": (7.0, 181.0),
    }
    return {"best": 181.0, "played": {**told, **played}}


def test_the_check_tells_how_to_solve_the_game() -> None:
    last = list(best_checks(hustle(), None))[-1]
    assert (last.figure, last.bound) == ("not solved", "'kitwright solve hardware-hustle' finds it")


def test_the_check_tells_what_the_best_play_does(tmp_path: Path) -> None:
    memory = Answers(tmp_path)
    assert remembered(hustle(), memory) is hustle()
    memory.keep(answer.solution_key(hustle()), dict(whole()))
    known = remembered(hustle(), memory).facts["solved"]
    checks = {check.name: check for check in best_checks(hustle(), known)}
    assert checks["best play: the whole game"].figure == 181.0
    assert checks["graph: best games beyond it"].about == (
        "93% of the best games run off the graph at 100; see variant high-graph"
    )
    assert loop_check(engine(hustle()).box, known).about == (
        "with Buy, Make and Sell at levels 1, 1, 2, after 4 upgrades, Amplifier after Amplifier "
        "turns 3 money into 6 without opportunity or die; the variant fair-trade mends it; the "
        "best play gets there in 90% of its games, sells 38 of them a game, and has 7, 181 money "
        "after the turns"
    )


def test_the_check_fails_a_solver_that_games_do_not_bear_out() -> None:
    checks = {check.name: check for check in best_checks(hustle(), whole(mean=170.0))}
    assert not checks["best play: its games"].ok


def test_only_the_printed_costs_make_a_widget_free() -> None:
    assert loops(HardwareHustleEngine(hustle()).box) == (("amplifier", (1, 1, 2)),)
    assert loops(HardwareHustleEngine(hustle("fair-trade")).box) == ()


@cache
def whole_solution() -> Solution:
    return solved(hustle(), 6)


@pytest.mark.slow
def test_the_whole_game_is_worth_181_and_is_played_so() -> None:
    solution = whole_solution()
    assert solution.best == pytest.approx(181.0, abs=0.05)
    told = figures(engine(hustle()).box, careers(hustle(), solution, 20_000, 1))
    assert told["mean"] == pytest.approx(181.0, abs=1.5)
    assert told["sd"] == pytest.approx(46, abs=1.5)
    ends = (told["p10"], told["median"], told["p90"])
    assert ends == (pytest.approx(114, abs=3), pytest.approx(190, abs=4), pytest.approx(232, abs=3))
    assert told["money_by_turn"] == pytest.approx([7, 11, 16, 40, 86, 181], abs=1)
    assert told["sold"]["amplifier"] == pytest.approx(38, abs=1)
    assert (told["upgrades"], told["lost_turns"]) == (pytest.approx(4.12, abs=0.05), 0.0)
    assert told["off_the_graph"] == pytest.approx(0.93, abs=0.01)


@pytest.mark.slow
def test_the_variants_of_the_numbers_are_worth_what_is_known_of_them() -> None:
    assert best_money(hustle("fair-trade"), 6) == pytest.approx(88.9, abs=0.2)
    assert solved(hustle(), 6, faces=(2, 3, 4, 5, 6)).best == pytest.approx(211, abs=0.5)
    assert best_money(with_rules(hustle(), opportunity=(12,) * 6), 6) == pytest.approx(264, abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("limits", [
    Limits(parts=(3, 4, 2, 1)),
    Limits(parts=(2, 3, 3, 2)),
    Limits(widgets=(4, 3, 3)),
    Limits(money=(40, 80, 120, 170, 260)),
])  # fmt: skip
def test_higher_limits_do_not_raise_the_whole_game(limits: Limits) -> None:
    assert best_money(hustle(), 6, limits) == pytest.approx(whole_solution().best, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("bot", bots_of("hardware-hustle"))
def test_no_bot_earns_more_than_the_best_play(bot: str) -> None:
    played = Series(hustle(), 1, (bot,), 1).play(range(20_000), None)
    assert fmean(game.scores[0] for game in played) <= 183
