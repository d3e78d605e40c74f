"""balance --against: what changed, in numbers and faces, and what it does beyond noise."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from kitwright.cli import cli
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.play.changes import changes
from kitwright.play.compare import Effect, compare, said
from kitwright.reports.compare import printed

ROOT = Path(__file__).parent.parent


@cache
def game_of(game_id: str) -> Game:
    return load_game(ROOT, game_id)


def cheaper_amplifier() -> Game:
    game = game_of("hardware-hustle")
    widgets = game.rules["widgets"]
    widgets = {**widgets, "amplifier": {**widgets["amplifier"], "price": 5}}
    return replace(game, rules=freeze({**game.rules, "widgets": widgets}))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    for room in ("components", "layouts"):
        for name in ("hard-wired", "shared"):
            if (ROOT / room / name).is_dir():
                shutil.copytree(ROOT / room / name, tmp_path / "space" / room / name)
    return tmp_path / "space"


def edit(workspace: Path, file: str, old: str, new: str) -> None:
    path = workspace / "components" / "hard-wired" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def against(workspace: Path, rev: object, output: Path, *more: str) -> Result:
    args = ["--workspace", str(workspace), "balance", "hard-wired", "--against", str(rev)]
    args += ["--games", "16", "--players", "2", "--workers", "1", "--output", str(output), *more]
    return CliRunner().invoke(cli, args)


def lines(result: Result) -> Sequence[str]:
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_a_number_of_the_rules_is_named_by_its_title() -> None:
    (change,) = changes(game_of("hardware-hustle"), cheaper_amplifier())
    assert str(change) == "Amplifier price 6 -> 5"
    assert change.path == "rules.widgets.amplifier.price"


def test_cards_that_are_new_gone_or_changed_are_told() -> None:
    game = game_of("hard-wired")
    deck = game.deck("circuits")
    first, second, *rest = deck.cards
    other = replace(first, id="loop", fields=freeze({**first.fields, "title": "Loop"}))
    decks = tuple(
        replace(each, cards=(other, replace(second, copies=9), *rest)) if each is deck else each
        for each in game.decks
    )
    told = [str(change) for change in changes(game, replace(game, decks=decks))]
    title = second.fields["title"]
    assert sorted(told) == sorted(
        ["Straight is gone", f"{title} copies {second.copies} -> 9", "Loop card is new"]
    )
    assert changes(game, game) == ()


def test_an_edit_is_answered_beyond_noise() -> None:
    found = compare(game_of("hardware-hustle"), cheaper_amplifier(), 1, 40, 1)
    score = next(effect for effect in found.effects if effect.name == "score")
    assert score.is_beyond_noise
    assert score.change["high"] < 0
    line = found.verdicts[0]
    assert line.startswith("Amplifier price 6 -> 5: planner mean score ")
    turns = next(effect for effect in found.effects if effect.name == "turns")
    assert said(turns) == "turns 6.0, unchanged"


def test_the_verdict_says_what_chance_explains() -> None:
    old, new = ({"mean": mean, "low": 0.0, "high": 1.0} for mean in (0.25, 0.27))
    inside = Effect("first_seat", old, new, {"mean": 0.02, "low": -0.01, "high": 0.05})
    told = "wins of the first seat 25.0 % -> 27.0 % (+2.0 +- 3.0, within noise)"
    assert said(inside) == told
    beyond = replace(inside, name="score", change={"mean": 0.02, "low": 0.01, "high": 0.03})
    assert said(beyond) == "mean score 0.2 -> 0.3 (+0.0 +- 0.0)"


def test_a_game_against_itself_shows_no_change() -> None:
    found = compare(game_of("hard-wired"), game_of("hard-wired"), 2, 12, 1)
    assert found.edit == "nothing changed"
    assert [effect.name for effect in found.effects if effect.is_beyond_noise] == []


def test_another_folder_shows_both_faces(workspace: Path, tmp_path: Path) -> None:
    edit(workspace, "circuits.yaml", "{from: 2, to: 2}", "{from: 2, to: 2, part: resistor}")
    edit(workspace, "game.yaml", "draw: 2", "draw: 3")
    told = lines(against(workspace, ROOT, tmp_path / "out"))
    assert told[0].startswith("draw 2 -> 3 and 1 more: greedy mean score ")
    assert told[-1] == str(tmp_path / "out" / "hard-wired" / "balance-against.html")
    page = Path(told[-1]).read_text(encoding="utf-8")
    assert "faces look different." in page  # the circuit, and the aids that name the draw
    assert "rules.draw" in page
    assert "circuits.straight-plain.wires.1.part" in page
    assert Path(told[-1]).with_suffix(".pdf").read_bytes()[:5] == b"%PDF-"


def test_a_revision_of_git_is_compared_with(workspace: Path, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=Ida", "-c", "user.email=ida@example.org")
        subprocess.run(["git", "-C", str(workspace), *who, *words], check=True, capture_output=True)

    git("init")
    git("add", "-A")
    git("commit", "-m", "Before")
    edit(workspace, "game.yaml", "draw: 2", "draw: 3")
    told = lines(against(workspace, "HEAD", tmp_path / "out"))
    assert told[0].startswith("draw 2 -> 3: greedy mean score ")


def test_what_cannot_be_compared_is_told(workspace: Path, tmp_path: Path) -> None:
    result = against(workspace, "no-such-thing", tmp_path / "out")
    assert result.exit_code == 2
    empty = tmp_path / "empty"
    (empty / "components").mkdir(parents=True)
    result = against(workspace, empty, tmp_path / "out")
    assert result.exit_code == 2
    assert "has no game 'hard-wired' to compare with" in result.output
    result = against(workspace, ROOT, tmp_path / "out", "--write")
    assert "--write and --against exclude each other" in result.output


def test_signs_of_print_are_no_markup() -> None:
    assert printed("a:b *c* 1 -> 2 +- 3") == "a\\:b \\*c\\* 1 → 2 ± 3"
