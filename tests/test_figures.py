"""figures.yaml: measured by bots, read back as written, looked up in print, told when stale."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from kitwright.cli import cli
from kitwright.formulas import compile_template
from kitwright.load import Workspace, load_game, variant_names
from kitwright.load.workspace import shipped_root
from kitwright.model.game import Figures, Game, Pace
from kitwright.model.record import freeze
from kitwright.play.measure import (
    length_of,
    measure,
    minutes_of,
    par,
    rank_odds,
    rules_hash,
    stale_check,
)
from kitwright.play.simulate import Played, SimulationError
from kitwright.problems import MachineError
from kitwright.write.figures import figures_text
from kitwright.write.inplace import replace_file

ROOT = shipped_root()
GAMES = Workspace(ROOT).games()


@cache
def games_of(game_id: str) -> tuple[Game, ...]:
    names = (None, *variant_names(Workspace(ROOT), game_id))
    return tuple(load_game(ROOT, game_id, name) for name in names)


@cache
def hustle() -> dict[str, Any]:
    return measure(games_of("hardware-hustle")[:2], 5, 1)


@pytest.fixture
def copy(tmp_path: Path) -> Workspace:
    for game in ("hardware-hustle",):
        shutil.copytree(ROOT / "components" / game, tmp_path / "components" / game)
    return Workspace(tmp_path)


def test_what_is_written_is_read_back(copy: Workspace) -> None:
    path = copy.components / "hardware-hustle" / "figures.yaml"
    path.write_text(figures_text(hustle()), encoding="utf-8")
    figures = load_game(copy, "hardware-hustle").figures
    assert figures.values["length"]["standard"]["rounds"] == {"mean": 6.0, "low": 6.0, "high": 6.0}
    assert figures.values == freeze(_worded(hustle()["measured"]))
    assert figures.rules == hustle()["rules"]


def _worded(value: Any) -> Any:
    """Turn the keys of mappings into words, as YAML does."""
    if isinstance(value, dict):
        return {str(key): _worded(item) for key, item in value.items()}
    return [_worded(item) for item in value] if isinstance(value, list) else value


def test_words_that_yaml_would_misread_are_quoted() -> None:
    told = {"figures": "pond", "measured": {"words": ["true", "Null", "12", "a: b", "old owl"]}}
    line = figures_text(told).splitlines()[-1]
    assert line == '  words: ["true", "Null", "12", "a: b", old owl]'


def test_the_same_rules_are_measured_to_the_same_numbers() -> None:
    assert measure(games_of("hardware-hustle")[:2], 5, 2) == hustle()


def test_a_round_in_which_all_act_takes_as_long_with_many_players() -> None:
    found = hustle()["measured"]["length"]["standard"]["players"]
    assert {players: row["minutes"]["mean"] for players, row in found.items()} == dict.fromkeys(
        range(1, 7), 24.0
    )
    played = Played(("greedy",) * 2, 9, (1, 2), (1,), True)
    assert minutes_of(played, Pace(60)) == 9.0
    assert minutes_of(played, Pace(60, "round")) == 5.0


def test_games_that_do_not_end_are_counted_and_not_averaged() -> None:
    game = replace(games_of("hard-wired")[0], pace=Pace(60))
    played = [
        Played(("greedy",) * 2, 9, (1, 2), (1,), True),
        Played(("greedy",) * 2, 11, (1, 2), (1,), True),
        Played(("greedy",) * 2, 4000, (0, 0), (), False),
    ]
    told = length_of(game, played)
    assert (told["games"], told["unfinished"]) == (3, 1)
    assert told["turns"] == {"mean": 10.0, "low": 9.0, "high": 11.0}
    assert told["minutes"]["mean"] == 10.0
    assert length_of(game, played[2:])["turns"] is None


def test_rank_odds_are_shares_of_all_games() -> None:
    rows = rank_odds([("low", 0), ("mid", 10), ("top", 20)], {"one": [3, 9, 10, 19, 20, 40]})
    assert [(row["rank"], row["from"], row["to"]) for row in rows] == [
        ("low", 0, 9),
        ("mid", 10, 19),
        ("top", 20, None),
    ]
    assert [row["bots"]["one"] for row in rows] == [
        {"share": 0.3333, "reach": 1.0},
        {"share": 0.3333, "reach": 0.6667},
        {"share": 0.3333, "reach": 0.3333},
    ]


def test_par_says_where_the_middle_and_the_tenths_lie() -> None:
    found = par(range(101))
    assert (found["tenth"], found["median"], found["ninetieth"]) == (10, 50, 90)
    assert par([7])["median"] == 7


def test_words_and_looks_leave_the_rules_as_they_are() -> None:
    game = games_of("hard-wired")[0]
    deck = game.deck("circuits")
    renamed = replace(deck.cards[0], fields=freeze({**deck.cards[0].fields, "title": "Anything"}))
    dressed = replace(deck, cards=(renamed, *deck.cards[1:]), layout="hard-wired/other")
    decks = tuple(dressed if each is deck else each for each in game.decks)
    assert rules_hash(replace(game, decks=decks, tagline="New")) == rules_hash(game)


def test_a_number_a_card_or_a_copy_changes_the_rules() -> None:
    game = games_of("hard-wired")[0]
    deck = game.deck("circuits")
    doubled = replace(deck, cards=(replace(deck.cards[0], copies=7), *deck.cards[1:]))
    other = tuple(doubled if each is deck else each for each in game.decks)
    changed = [
        replace(game, rules=freeze({**game.rules, "hand": 4})),
        replace(game, decks=other),
        replace(game, pace=Pace(1)),
        *games_of("hard-wired")[1:],
    ]
    assert len({rules_hash(each) for each in (game, *changed)}) == 1 + len(changed)


def test_a_stale_figure_is_told_with_the_command_that_measures_it() -> None:
    standard, *variants = games_of("hard-wired")
    known = {each.variant or "standard": rules_hash(each) for each in (standard, *variants)}
    place = standard.place

    def told(rules: dict[str, str], file: bool = True) -> tuple[bool, str]:
        figures = Figures(rules=freeze(rules), place=place if file else None)
        check = stale_check([replace(standard, figures=figures), *variants])
        assert check is not None
        assert check.level == "finding"
        return check.ok, check.about

    run = "; run kitwright balance hard-wired --write"
    assert told(known) == (True, "")
    assert told({}, file=False) == (False, "there is no figures.yaml" + run)
    said = "the rules of round-end are not those that were measured"
    assert told({**known, "round-end": "0"}) == (False, said + run)
    assert told({**known, "moonlit": "0"}) == (False, "moonlit is gone" + run)


def test_a_game_without_an_engine_has_nothing_to_measure() -> None:
    game = replace(games_of("hard-wired")[0], id="night-market")
    assert stale_check([game]) is None
    with pytest.raises(SimulationError, match="has no engine, so nothing can be measured"):
        measure([game])


@pytest.mark.parametrize("game_id", GAMES)
def test_the_figures_of_a_shipped_game_are_those_of_its_rules(game_id: str) -> None:
    check = stale_check(games_of(game_id))
    assert check is not None
    assert check.ok, check.about


def test_the_number_of_players_can_be_looked_up() -> None:
    context = {"figures": freeze({"length": {"players": {"4": {"mean": 12.6}}}})}
    for text in (
        "{{ figures.length.players[4].mean|round }}",
        "{{ figures.length.players.4.mean|round }}",
    ):
        assert compile_template(text)(context) == 13


def write(copy: Workspace, games: str, *more: str) -> Result:
    args = ["--workspace", str(copy.root), "balance", "hardware-hustle", "--write"]
    return CliRunner().invoke(cli, [*args, "--games", games, "--workers", "1", *more])


def test_good_figures_are_not_replaced_by_those_of_fewer_games(copy: Workspace) -> None:
    path = copy.components / "hardware-hustle" / "figures.yaml"
    before = path.read_bytes()
    result = write(copy, "5")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: figures.yaml was measured on these rules in 400 games for each number of players, "
        "and 5 would tell less; say --games 400 or more, or --force to replace it"
    )
    assert path.read_bytes() == before


def test_figures_of_fewer_games_are_written_when_that_is_meant(copy: Workspace) -> None:
    path = copy.components / "hardware-hustle" / "figures.yaml"
    result = write(copy, "2", "--force")
    assert result.exit_code == 0, result.output
    assert load_game(copy, "hardware-hustle").figures.values["length"]["standard"]["games"] == 12
    assert write(copy, "2").exit_code == 0, "as many games as before take nothing away"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        re.sub(r'standard: ".*"', 'standard: "0"', text).replace("games: 2", "games: 9")
    )
    assert write(copy, "3").exit_code == 0, "stale figures are worth less than a few games"


def test_force_alone_forces_nothing(copy: Workspace) -> None:
    args = ["--workspace", str(copy.root), "balance", "hardware-hustle", "--force"]
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 2
    said = "Error: --force goes with --write; there is nothing else to replace"
    assert result.output.splitlines()[-1] == said


def test_the_command_writes_the_file_and_says_so(copy: Workspace) -> None:
    before = (copy.components / "hardware-hustle" / "game.yaml").read_bytes()
    (copy.components / "hardware-hustle" / "figures.yaml").unlink()
    result = write(copy, "2")
    assert result.exit_code == 0, result.output
    names = "standard, fair-trade, high-graph, shared-rolls"
    told = f"components/hardware-hustle/figures.yaml: length, par, ranks of {names}\n"
    assert result.output == told
    assert (copy.components / "hardware-hustle" / "game.yaml").read_bytes() == before
    assert load_game(copy, "hardware-hustle").figures.values["ranks"]["standard"][0]["to"] == 10


def test_a_file_that_cannot_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "figures.yaml"
    (tmp_path / ".figures.yaml.new").mkdir()
    target.write_text("old\n")
    with pytest.raises(MachineError, match="cannot be written: is a directory; it is as it was"):
        replace_file(target, "new\n")
    assert target.read_text() == "old\n"


def test_a_file_is_replaced_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    target = tmp_path / "figures.yaml"
    target.write_text("old\n")
    target.chmod(0o640)
    replace_file(target, "new\n")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("new\n", 0o640)
    assert [path.name for path in tmp_path.iterdir()] == ["figures.yaml"]
