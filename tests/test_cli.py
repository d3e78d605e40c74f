"""The command line: what it prints and the code it leaves with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kitwright import __version__
from kitwright.cli import cli
from kitwright.cli.common import papers_named, shown

ROOT = Path(__file__).parent.parent


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(ROOT), *words])


def test_help_lists_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0, result.output
    for name in ("build", "check", "cards", "images", "simulate", "solve", "schema"):
        assert f"\n  {name} " in result.output


def test_version_is_that_of_the_package() -> None:
    assert run("--version").output == f"kitwright, version {__version__}\n"


def test_cards_as_json_have_the_promised_shape() -> None:
    result = run("cards", "hard-wired", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert list(told) == ["game", "decks"]
    circuits = next(deck for deck in told["decks"] if deck["id"] == "circuits")
    assert list(circuits) == ["id", "title", "size", "cards"]
    first = circuits["cards"][0]
    assert (first["id"], first["copies"]) == ("straight-plain", 1)
    assert first["wires"][0] == {"from": 1, "to": 1, "part": None}


def test_cards_as_csv_have_one_line_a_card() -> None:
    result = run("cards", "hard-wired", "--deck", "displays", "--csv")
    lines = result.output.splitlines()
    assert lines[0] == "deck,id,copies,values"
    assert lines[1] == 'displays,display-111,2,"[1, 1, 1]"'
    assert len(lines) == 28


def test_cards_as_a_table_for_people() -> None:
    result = run("cards", "hard-wired", "--deck", "displays")
    assert result.output.startswith("Display cards (displays): 54 cards, poker\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "hard-wird"), "there is no game 'hard-wird'; did you mean 'hard-wired'?"),
        (
            ("build", "hard-wired", "--variant", "handycap"),
            "hard-wired has no variant 'handycap'; did you mean 'handicap'?",
        ),
        (
            ("build", "hard-wired", "--skin", "lowink"),
            "hard-wired has no skin 'lowink'; did you mean 'low-ink'?",
        ),
        (
            ("build", "hard-wired", "--paper", "a5"),
            "there is no paper 'a5'; there are a4, letter, legal, a3",
        ),
        (
            ("build", "hard-wired", "--deck", "circuit"),
            "hard-wired has no deck 'circuit'; did you mean 'circuits'?",
        ),
        (("cards", "hard-wired", "--deck", "x"), "hard-wired has no deck 'x'; it has"),
        (
            ("simulate", "hard-wired", "--bots", "greedo"),
            "no bot 'greedo'; expected one of random, greedy, search; did you mean 'greedy'?",
        ),
        (
            ("simulate", "hard-wired", "--bots", "search-0"),
            "there is no bot 'search-0'; expected search, or search-1 to search-100000",
        ),
        (
            ("simulate", "hard-wired", "--games", "0"),
            "Invalid value for '--games': 0; expected a whole number, 1 to 10000000",
        ),
        (
            ("simulate", "hard-wired", "--games", "ten"),
            "Invalid value for '--games': ten; expected a whole number, 1 to 10000000",
        ),
        (
            ("simulate", "hard-wired", "--games", "1", "--cluster", "office"),
            "--cluster is 'office'; expected such as tcp://host:8786",
        ),
        (
            ("build", "hard-wired", "--gap", "3mm"),
            "Invalid value for '--gap': 3mm; expected a number without a unit, 0 to 50",
        ),
        (
            ("build", "hard-wired", "--fill", "blank"),
            "expected blanks, or DECK/CARD of hard-wired; did you mean 'blanks'?",
        ),
        (("cards", "hard-wired", "--csv", "--json"), "--csv and --json exclude each other"),
        (("diff", "hard-wired", ""), "the revision is empty; expected such as HEAD~1, or a folder"),
        (("export", "hard-wired", "--to", ","), "--to names no destination; there are tgc, mpc,"),
        (
            ("export", "hard-wired", "--to", "TTS"),
            "there is no destination 'TTS'; did you mean 'tts'?",
        ),
        (
            ("export", "hard-wired", "--to", "tgc,mpc", "--dpi", "100"),
            "--dpi means nothing to tgc, mpc; leave it out",
        ),
        (
            ("export", "hard-wired", "--to", "tgc", "--url-base", "https://x"),
            "--url-base means nothing to tgc; leave it out",
        ),
        (
            ("export", "hard-wired", "--to", "tgc", "--sheet-px", "2048"),
            "--sheet-px means nothing to tgc; leave it out",
        ),
        (
            ("images", "hard-wired", "--splay", "display-111", "--bleed"),
            "--bleed, --rounded and --deck do not go with --splay",
        ),
        (
            ("solve", "hard-wired", "display-111"),
            "1 words given; expected a display, a display to reach",
        ),
        (
            (
                "solve",
                "hard-wired",
                "display-123",
                "display-231",
                "roll-upp-plain",
                "straight-plain",
            ),
            "'roll-upp-plain' is no circuit of the game; did you mean 'roll-up-plain'?",
        ),
        (
            ("images", "hard-wired", "--rounded", "--bleed"),
            "--rounded cuts at the trim; it does not go with --bleed",
        ),
    ],
)
def test_a_wrong_word_on_the_command_line_exits_with_2(
    words: tuple[str, ...], message: str
) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert message in result.output


@pytest.mark.parametrize("folder", ["components", "layouts/hard-wired", ".git/x", "/"])
def test_output_over_the_sources_is_refused(folder: str) -> None:
    target = folder if folder == "/" else str(ROOT / folder)
    result = run("build", "hard-wired", "--output", target)
    assert result.exit_code == 2, result.output
    assert "output folder" in result.output


def test_a_variant_reaches_the_cards_command() -> None:
    result = run("cards", "hard-wired", "--variant", "handicap", "--json")
    assert result.exit_code == 0, result.output


def test_simulate_gives_the_same_figures_for_any_number_of_workers() -> None:
    told = []
    for workers in ("1", "2"):
        words = ("--games", "30", "--players", "3", "--seed", "5", "--workers", workers, "--json")
        result = run("simulate", "hard-wired", *words)
        assert result.exit_code == 0, result.output
        figures = json.loads(result.output)
        figures.pop("run")
        told.append(figures)
    assert told[0] == told[1]


def test_simulate_prints_figures_for_people_too() -> None:
    result = run("simulate", "hard-wired", "--games", "5")
    assert result.exit_code == 0, result.output
    assert "rounds" in result.output


def test_solve_finds_the_segment_between_two_displays() -> None:
    result = run(
        "solve", "hard-wired", "display-111", "display-111", "straight-plain",
        "high-swap-plain", "low-swap-inductor-1",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "display-111 -> straight-plain -> high-swap-plain -> display-111" in result.output


def test_schemas_are_written_one_a_file(tmp_path: Path) -> None:
    result = run("schema", "--output", str(tmp_path))
    assert result.exit_code == 0, result.output
    names = {path.name for path in tmp_path.iterdir()}
    assert {"game.schema.json", "layout.schema.json"} <= names


def test_the_typical_bot_plays_by_default() -> None:
    result = run("simulate", "hand-solo", "--games", "2", "--workers", "1", "--json")
    assert json.loads(result.stdout)["bots"] == ["planner"]


def test_check_tells_the_faults_of_all_games_before_it_plays_any(tmp_path: Path) -> None:
    for game in ("hard-wired", "hardware-hustle"):
        folder = tmp_path / "components" / game
        folder.mkdir(parents=True)
        (folder / "game.yaml").write_text("", encoding="utf-8")
    result = run("check", "--workspace", str(tmp_path))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"components/{game}/game.yaml:1:1: the file is empty; expected 'key: value' lines "
        "[empty-file]"
        for game in ("hard-wired", "hardware-hustle")
    ]


def test_papers_are_named_with_commas_and_each_once() -> None:
    assert papers_named("both, a3") == ("a4", "letter", "a3")
    assert papers_named("a4,both") == ("a4", "letter")


def test_files_are_told_as_they_can_be_opened_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(Path("output/pond/kit.pdf")) == "output/pond/kit.pdf"
    assert shown(tmp_path / "output" / "pond") == "output/pond"
    assert shown(Path("../kits/pond")) == "../kits/pond"
    assert shown(tmp_path.parent / "pond") == str(tmp_path.parent / "pond")
