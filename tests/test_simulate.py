"""Simulation: the same numbers for the same seed, honest figures, nothing averaged in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from joblib import Parallel
from msgspec.structs import replace

from kitwright.engines.hard_wired import HardWiredEngine
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play import simulate as played_by
from kitwright.play.bots import UnknownBotError, bot_names, find_bot
from kitwright.play.figures import mean_of, rate_of
from kitwright.play.simulate import (
    Played,
    Series,
    SimulationError,
    play_game,
    rounds_of,
    seat_shares,
    simulate,
    summary,
)

ROOT = Path(__file__).parent.parent


@cache
def hard_wired(variant: str | None = None) -> Game:
    return load_game(ROOT, "hard-wired", variant)


def without_run(result: dict[str, Any]) -> str:
    return json.dumps({key: value for key, value in result.items() if key != "run"})


def test_the_number_of_workers_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_by, "QUICK", 0.0)  # so that workers are started
    asked: list[int] = []

    def noted(n_jobs: int, **how: Any) -> Any:
        asked.append(n_jobs)
        return Parallel(n_jobs, **how)

    monkeypatch.setattr(played_by, "Parallel", noted)
    results = [
        simulate(hard_wired(), 3, ["greedy", "random"], 120, 7, workers) for workers in (1, 2)
    ]
    assert asked == [2]
    assert without_run(results[0]) == without_run(results[1])
    assert [result["run"]["workers"] for result in results] == [1, 2]
    assert set(results[0]["run"]) == {"workers", "seconds", "games_per_second"}


def test_few_quick_games_start_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_by, "QUICK", 1e9)
    monkeypatch.delattr(played_by, "Parallel")
    assert simulate(hard_wired(), 2, ["random"], 12, 7, 2)["games"] == 12


def test_another_seed_gives_other_games() -> None:
    first, second = (simulate(hard_wired(), 2, ["greedy"], 20, seed, 1) for seed in (1, 2))
    assert first["turns"] != second["turns"]


def test_a_longer_series_begins_with_the_shorter_one() -> None:
    series = Series(hard_wired(), 2, ("greedy",), 5)
    assert series.play(range(60), 1)[:10] == series.play(range(10), 1)
    assert series.play(range(60), 1)[50:] == series.play(range(50, 60), 1)


def test_a_result_is_plain_data_with_figures() -> None:
    result = simulate(hard_wired("handicap"), 4, ["greedy"], 60, 3, 1)
    assert json.loads(json.dumps(result)) == result
    assert (result["game"], result["variant"]) == ("hard-wired", "handicap")
    assert (result["games"], result["finished"], result["unfinished"]) == (60, 60, 0)
    assert 11 < result["rounds"]["low"] < result["rounds"]["mean"] < result["rounds"]["high"] < 16
    assert sum(share["mean"] for share in result["seat_shares"]) == pytest.approx(1, abs=1e-5)
    assert result["scores"]["best"] == {"mean": 9.0, "low": 9.0, "high": 9.0}
    assert result["bot_shares"]["greedy"]["mean"] == 1


def test_greedy_beats_random() -> None:
    shares = simulate(hard_wired(), 2, ["greedy", "random"], 60, 3, 1)["bot_shares"]
    assert shares["greedy"]["low"] > 0.8
    assert shares["random"]["high"] < 0.2


def test_bots_move_one_seat_on_from_game_to_game() -> None:
    series = Series(hard_wired(), 3, ("greedy", "random"), 1)
    assert [series.seats(index) for index in range(4)] == [
        ("greedy", "random", "greedy"),
        ("random", "greedy", "greedy"),
        ("greedy", "greedy", "random"),
        ("greedy", "random", "greedy"),
    ]


def test_progress_is_told_in_games() -> None:
    told: list[tuple[int, int]] = []
    simulate(hard_wired(), 2, ["greedy"], 70, 1, 1, lambda done, of: told.append((done, of)))
    assert told == [*((done, 70) for done in range(1, 70, 8)), (70, 70)]


def test_one_game_gives_an_interval_and_no_nan() -> None:
    result = simulate(hard_wired(), 2, ["greedy"], 1, 1, 1)
    assert "NaN" not in json.dumps(result)
    assert result["scores"]["best"] == {"mean": 9.0, "low": 1.0, "high": 9.0}
    assert 0 < result["seat_shares"][0]["high"] <= 1


@pytest.mark.parametrize(
    ("players", "bots", "games", "workers", "said"),
    [
        (2, ["greedy"], 0, 1, "0 games; expected 1 to 10000000"),
        (2, ["greedy"], 10, 0, "0 workers; expected 1 or more"),
        (7, ["greedy"], 10, 1, "7 players; Hard Wired is for 2 to 6"),
        (2, ["greedy"] * 3, 10, 1, "3 bots for 2 players; expected 1 to 2"),
        (2, [], 10, 1, "0 bots for 2 players; expected 1 to 2"),
    ],
)
def test_what_cannot_be_played_is_refused(
    players: int, bots: Sequence[str], games: int, workers: int, said: str
) -> None:
    with pytest.raises(SimulationError) as error:
        simulate(hard_wired(), players, bots, games, 1, workers)
    assert str(error.value) == said


def test_a_game_without_an_engine_is_not_simulated() -> None:
    stranger = replace(hard_wired(), id="kelp-run", title="Kelp Run")
    with pytest.raises(
        SimulationError, match=r"^Kelp Run has no engine, so it cannot be simulated$"
    ):
        simulate(stranger, 2, ["random"], 1, 1, 1)


def test_an_unknown_bot_is_refused_with_those_there_are() -> None:
    assert bot_names("hard-wired") == ("random", "greedy")
    assert bot_names("kelp-run") == ("random",)
    with pytest.raises(UnknownBotError) as error:
        simulate(hard_wired(), 2, ["greedie"], 1, 1, 1)
    assert str(error.value) == (
        "there is no bot 'greedie'; expected one of random, greedy, search; did you mean 'greedy'?"
    )
    assert error.value.known == ("random", "greedy", "search")


class ImpatientEngine(HardWiredEngine):
    """Hard Wired with a cap that no game can keep."""

    def turn_cap(self, players: int) -> int:
        """Return a number of turns that is too small."""
        return 10


def test_a_game_that_reaches_the_cap_is_not_finished() -> None:
    greedy = find_bot("hard-wired", "greedy")
    state, finished = play_game(ImpatientEngine(hard_wired()), [greedy, greedy], "1:0")
    assert not finished
    assert state.turn == 10


def played(turns: int, winners: tuple[int, ...]) -> Played:
    return Played(("greedy", "greedy"), turns, (9, 8), winners, bool(winners))


def test_unfinished_games_are_counted_but_never_averaged_in() -> None:
    series = Series(hard_wired(), 2, ("greedy",), 1)
    done = [played(20, (0,)), played(22, (0, 1))]
    result = summary(series, [*done, played(482, ())])
    alone = summary(series, done)
    assert (result.pop("games"), result.pop("unfinished")) == (3, 1)
    assert (alone.pop("games"), alone.pop("unfinished")) == (2, 0)
    assert result == alone
    assert result["shared"]["mean"] == 0.5
    nothing = summary(series, [played(482, ())])
    assert (nothing["finished"], nothing["rounds"], nothing["shared"]) == (0, None, None)


def test_a_shared_victory_counts_in_parts() -> None:
    shares = seat_shares([played(20, (0,)), played(22, (0, 1))], 2)
    assert [share["mean"] for share in shares if share] == [0.75, 0.25]


def test_a_round_that_is_begun_counts() -> None:
    assert [rounds_of(played(turns, (0,))) for turns in (20, 21, 22)] == [10, 11, 11]


def test_intervals_are_those_of_the_textbook() -> None:
    assert rate_of(0, 10) == {"mean": 0.0, "low": 0.0, "high": 0.277533}
    assert rate_of(50, 100) == {"mean": 0.5, "low": 0.403832, "high": 0.596168}
    assert mean_of([1, 2, 3], (0, 99)) == {"mean": 2.0, "low": 0.0, "high": 4.484138}
    assert mean_of([5, 5], (0, 9)) == {"mean": 5.0, "low": 5.0, "high": 5.0}
    assert mean_of([], (0, 9)) is None
    assert rate_of(0, 0) is None
