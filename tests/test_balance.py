"""Balance studies and reports: honest figures, cards with pictures, sentences that are so."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pikepdf
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from kitwright.cli import cli
from kitwright.engines import MODULES, engine_of
from kitwright.engines.hand_solo_moves import Accept, Buy, Land, Leave
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play import bots
from kitwright.play.balance import Rung, Study, by_decks, card_studies, players_for, study
from kitwright.play.bots import find_bot, rungs
from kitwright.play.games import USES
from kitwright.play.metrics import effect_of, figure_of, measures, seat_advantage
from kitwright.play.search import Effort
from kitwright.play.simulate import Played, Series, SimulationError, play_game
from kitwright.play.uses import named_in, things
from kitwright.reports.balance import balance_report
from kitwright.reports.plots import number, scale_for
from kitwright.rulebook.blocks import Figure, Listing, Paragraph, Table

ROOT = Path(__file__).parent.parent


@cache
def game_of(game_id: str) -> Game:
    return load_game(ROOT, game_id)


@cache
def studied() -> Study:
    return study(game_of("hard-wired"), 2, 24, 0, 1)


def won(*winners: int, scores: tuple[int, ...] = (3, 2), turns: int = 10) -> Played:
    return Played(("greedy",) * len(scores), turns, scores, winners, bool(winners))


@pytest.mark.parametrize("game_id", sorted(MODULES))
def test_what_moves_name_is_found_among_the_things_of_a_game(game_id: str) -> None:
    game = game_of(game_id)
    known = things(game)
    series = Series(game, game.players[0], ("random",), 1, count_use=True)
    used = {name for played in series.play(range(3), 1) for use in played.used for name, _ in use}
    assert used
    assert used <= known.keys()


@pytest.mark.parametrize("game_id", sorted(USES))
def test_the_words_that_put_cards_to_use_begin_moves_of_the_game(game_id: str) -> None:
    game = game_of(game_id)
    engine = engine_of(game)
    assert engine is not None
    bot, seen = find_bot(game_id, "greedy"), set[str]()
    play_game(engine, [bot] * game.players[0], "2", lambda _, move: seen.add(str(move).split()[0]))
    assert set(USES[game_id]) <= seen


def test_only_words_that_use_a_card_are_counted() -> None:
    assert named_in("lay roll-up from hand", ("lay",)) == ("roll-up", "from", "hand")
    assert named_in("play roll-up", ("lay",)) == ()
    assert named_in("sell synth", None) == ("synth",)


def test_counting_use_changes_no_game() -> None:
    plain = Series(game_of("hard-wired"), 2, ("greedy",), 4)
    counted = replace(plain, count_use=True)
    both = zip(plain.play(range(5), 1), counted.play(range(5), 1), strict=True)
    assert all(replace(with_use, used=()) == without for without, with_use in both)


def test_a_captain_uses_the_port_of_a_landing_and_what_is_bought() -> None:
    engine = engine_of(game_of("hand-solo"))
    assert engine is not None
    state = engine.new_game(1, Random(1))
    here = state.box.cards[state.here]  # type: ignore[attr-defined]  # the state of Hand Solo
    used = state.used  # type: ignore[attr-defined]
    assert used(Land()) == used(Accept()) == (here,)
    assert used(Buy("mars")) == ("mars",)
    assert used(Leave()) == ()


def test_a_card_whose_users_win_is_told_apart_from_one_that_does_nothing() -> None:
    rng, done = Random(1), []
    for _ in range(400):
        winner = int(rng.random() * 2)
        strong = tuple(
            (("key", 1),) if seat == winner and rng.random() < 0.8 else () for seat in (0, 1)
        )
        noise = tuple((("coin", 1),) if rng.random() < 0.5 else () for _ in (0, 1))
        used = tuple((*a, *b) for a, b in zip(strong, noise, strict=True))
        done.append(replace(won(winner), used=used))
    found = {card.id: card for card in card_studies({"key": "Key", "coin": "C", "dust": "D"}, done)}
    assert [found[name].verdict for name in ("key", "coin", "dust")] == ["dominant", "", "dead"]
    assert found["coin"].gain is not None
    assert found["coin"].gain["low"] < 0 < found["coin"].gain["high"]
    assert found["dust"].gain is None


def test_a_deck_that_no_move_names_is_told_as_one() -> None:
    game = game_of("hard-wired")
    used = tuple((card.id, 1) for card in game.deck("circuits").cards[1:])
    found = card_studies(things(game), [replace(won(0), used=(used, ()))])
    cards, unnamed = by_decks(game, found)
    assert unnamed == ("Display cards",)
    assert {card.id for card in cards} == {card.id for card in game.deck("circuits").cards}
    assert [card.id for card in cards if card.verdict == "dead"] == ["straight-plain"]


def test_cards_of_one_title_are_called_by_their_ids() -> None:
    done = [replace(won(0), used=((("a", 1), ("b", 2), ("c", 3)), ()))]
    found = card_studies({"a": "Swap", "b": "Swap", "c": "Roll"}, done)
    assert [card.title for card in found] == ["Roll", "b", "a"]


def test_figures_come_from_finished_games_alone() -> None:
    game = game_of("hard-wired")
    played = [won(0), won(1, scores=(5, 9), turns=20), won(turns=999)]
    turns, lost = (figure_of(name, game, played) for name in ("turns", "unfinished"))
    assert turns is not None
    assert lost is not None
    assert turns["mean"] == 15
    assert lost["mean"] == pytest.approx(1 / 3, abs=1e-5)
    assert measures(game, 2)["lead"](played[1]) == 4


def test_seat_advantage_is_the_gap_between_the_luckiest_and_the_unluckiest() -> None:
    found = seat_advantage([won(0)] * 60 + [won(1)] * 40, 2)
    assert found is not None
    assert found["mean"] == pytest.approx(0.2)
    assert found["low"] < 0.05
    shared = seat_advantage([won(0, 1)] * 10, 2)
    assert shared is not None
    assert shared["mean"] == 0


def test_pairs_show_an_effect_that_whole_samples_would_hide() -> None:
    game, rng = game_of("hard-wired"), Random(1)
    before = [won(0, turns=int(rng.random() * 1000)) for _ in range(50)]
    after = [replace(each, turns=each.turns + 2 + index % 2) for index, each in enumerate(before)]
    effect = effect_of("turns", game, before, after)
    assert effect is not None
    assert 2.3 < effect["low"] < 2.5 < effect["high"] < 2.7


def test_a_rung_is_only_called_stronger_beyond_chance() -> None:
    def verdict(low: float, high: float) -> str:
        return Rung("b", "a", 9, {"mean": 0.0, "low": low, "high": high}).verdict

    assert verdict(0.1, 0.2) == "stronger"
    assert verdict(-0.1, 0.2) == "no different beyond chance"
    assert verdict(-0.2, -0.1) == "weaker"


def test_a_study_says_who_beats_whom() -> None:
    (rung,) = studied().ladder
    assert (rung.bot, rung.below, rung.verdict) == ("greedy", "random", "stronger")
    assert rung.gain["high"] <= 0.5
    assert studied().matches == {("greedy", "random"): rung.gain}


def test_a_study_is_the_same_whatever_the_workers() -> None:
    assert study(game_of("hard-wired"), 2, 24, 0, 2).as_dict() == studied().as_dict()


def test_a_game_is_studied_with_four_players_where_it_can() -> None:
    counts = {name: players_for(game_of(name), None) for name in ("hard-wired", "hand-solo")}
    assert counts == {"hard-wired": 4, "hand-solo": 1}
    assert players_for(game_of("hard-wired"), 3) == 3


def test_a_game_without_an_engine_cannot_be_studied() -> None:
    with pytest.raises(SimulationError, match="no engine, so its balance cannot be studied"):
        study(replace(game_of("hard-wired"), id="night-market"))


def test_the_report_says_in_short_what_its_plots_show() -> None:
    report = balance_report(game_of("hard-wired"), studied().as_dict(), {})
    titles = [heading.text for heading in report.headings]
    assert titles == [
        "In short",
        "How long it takes",
        "Scores",
        "Seats",
        "Strategies against each other",
        "Cards",
        "How this was measured",
    ]
    (short,) = (block for block in report.blocks if isinstance(block, Listing))
    said = [block.text for item in short.items for block in item if isinstance(block, Paragraph)]
    assert len(said) == 5
    assert said[3] == "**Skill pays**: each bot clearly beats the one below it."


def test_the_report_tells_each_rung_with_its_interval_and_a_verdict() -> None:
    gains = {"stronger": (0.2, 0.1, 0.3), "weaker": (-0.2, -0.3, -0.1)}
    gains["no different beyond chance"] = (0.0, -0.1, 0.125)
    rungs = [
        Rung(
            f"bot-{at}", f"bot-{at - 1}", 40, dict(zip(("mean", "low", "high"), gain, strict=True))
        )
        for at, gain in enumerate(gains.values(), 1)
    ]
    told = replace(studied(), ladder=tuple(rungs)).as_dict()
    assert [rung["verdict"] for rung in told["ladder"]] == list(gains)
    report = balance_report(game_of("hard-wired"), told, {})
    table, _ = (block for block in report.blocks if isinstance(block, Table))
    assert table.rows == (
        ("**bot-1** over bot-0", "40", "20 % (10 % to 30 %)", "clearly stronger"),
        ("**bot-2** over bot-1", "40", "-20 % (-30 % to -10 %)", "clearly weaker"),
        ("**bot-3** over bot-2", "40", "0 % (-10 % to 12.5 %)", "no clear difference"),
    )
    (words,) = (b.text for b in report.blocks if isinstance(b, Paragraph) and "bot-3" in b.text)
    assert words == (
        "**1 of 3** bots are clearly stronger than the one below them. **bot-2** is weaker than "
        "bot-1, so it adds nothing here. In 40 games **bot-3** shows no gain over bot-2 beyond "
        "chance: the game leaves room for 12.5 % more at most, or it takes more games to see."
    )


def test_the_ladder_ends_with_search_over_the_last_of_the_other_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(bots.EFFORTS, "hand-solo", Effort(2, turns=1))
    ladder = study(game_of("hand-solo"), 1, 2, 2, 1).ladder
    assert [(rung.bot, rung.below) for rung in ladder[-2:]] == [
        ("infamous", "planner"),
        ("search", "infamous"),
    ]


def test_a_bot_that_plays_otherwise_stands_beside_the_ladder() -> None:
    assert rungs("hardware-hustle") == (
        ("greedy", "random"),
        ("careful", "random"),
        ("planner", "greedy"),
    )
    assert rungs("beltpunk-haberdasher") == (("greedy", "random"), ("planner", "greedy"))


def test_a_length_that_never_differs_needs_no_plot() -> None:
    told = studied().as_dict()
    told["values"]["minutes"] = [24.0] * 5
    told["figures"]["minutes"] = {"mean": 24.0, "low": 24.0, "high": 24.0}
    report = balance_report(game_of("hard-wired"), told, {})
    words = [block.text for block in report.blocks if isinstance(block, Paragraph)]
    assert words[0] == "Every game takes **24 minutes**."
    names = [block.name for block in report.blocks if isinstance(block, Figure)]
    assert "length" not in names
    assert "scores" in names


def test_games_without_an_end_leave_a_report_that_says_so() -> None:
    told = {
        **studied().as_dict(),
        "values": {"scores": [], "minutes": [], "rounds": []},
        "figures": {"unfinished": {"mean": 1.0, "low": 0.9, "high": 1.0}},
        "seats": [None, None],
        "cards": [],
    }
    report = balance_report(game_of("hard-wired"), told, {})
    words = [block.text for block in report.blocks if isinstance(block, Paragraph)]
    assert words[0] == "No game came to its end, so nothing can be said of length or scores."


def test_a_scale_holds_all_values_and_marks_round_ones() -> None:
    scale, ticks = scale_for([0.13, 0.87], 0.0, 100.0)
    assert ticks == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert (scale.at(0.0), scale.at(1.0)) == (0.0, 100.0)
    assert scale_for([5.0, 5.0], 0, 1)[1][0] < 5 < scale_for([5.0, 5.0], 0, 1)[1][-1]


def test_numbers_are_short() -> None:
    assert [number(v) for v in (0.1234, 12.345, 1234.5, 0)] == ["0.123", "12.3", "1,234", "0"]
    assert number(0.256, percent=True) == "25.6 %"


def test_the_command_writes_html_and_pdf_with_the_cards_in_them(tmp_path: Path) -> None:
    args = ["balance", "hard-wired", "--games", "12", "--search", "0", "--workers", "1"]
    args += ["--players", "2", "--output", str(tmp_path)]
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 0, result.output
    folder = tmp_path / "hard-wired"
    assert result.output.split() == [str(folder / "balance.html"), str(folder / "balance.pdf")]
    page = (folder / "balance.html").read_text(encoding="utf-8")
    assert "<title>Hard Wired: balance</title>" in page
    assert len(set(re.findall(r'<use href="#(y[0-9a-f]+)"', page))) > 40
    with pikepdf.open(folder / "balance.pdf") as pdf:
        assert len(pdf.pages) > 3
    first = (folder / "balance.pdf").read_bytes()
    assert CliRunner().invoke(cli, args).exit_code == 0
    assert (folder / "balance.pdf").read_bytes() == first


def test_what_cannot_be_played_is_a_fault_of_the_command_line() -> None:
    result = CliRunner().invoke(cli, ["balance", "hand-solo", "--players", "3", "--games", "2"])
    assert result.exit_code == 2
    assert "3 players; Hand Solo is for 1 to 1" in result.output
    result = CliRunner().invoke(cli, ["balance", "hard-wired", "--write", "--variant", "handicap"])
    assert result.exit_code == 2
    assert "--write measures all variants; leave --variant out" in result.output
