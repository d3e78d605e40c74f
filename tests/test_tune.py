"""tune: values swept from the same seeds, the target found, one number edited and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kitwright.cli import cli
from kitwright.load import Workspace, load_game
from kitwright.load.numbers import UnknownNumberError, find_number
from kitwright.model.game import Game
from kitwright.play.simulate import SimulationError
from kitwright.play.tune import Point, Target, nearest, read_target, read_vary, sweep, with_number

ROOT = Path(__file__).parent.parent


@cache
def game_of(game_id: str) -> Game:
    return load_game(ROOT, game_id)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for room in ("components", "layouts"):
        shutil.copytree(ROOT / room / "hard-wired", tmp_path / "space" / room / "hard-wired")
    return Workspace(tmp_path / "space")


def run(workspace: Workspace, output: Path, *words: str) -> Result:
    args = ["--workspace", str(workspace.root), "tune", "hard-wired", "--games", "12"]
    args += ["--players", "2", "--workers", "1", "--output", str(output), *words]
    return CliRunner().invoke(cli, args)


def figure(mean: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - 1, "high": mean + 1}


def chosen(point: Point | None) -> list[float]:
    assert point is not None
    return list(point.at)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("rules.hand=2..5", (2, 3, 4, 5)),
        ("rules.hand=2..10/4", (2, 6, 10)),
        ("rules.hand=0..80", (0, 10, 20, 30, 40, 50, 60, 70, 80)),
        ("pace=0.5..1.5/0.5", (0.5, 1.0, 1.5)),
        ("pace=0.0..8.0", (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ],
)
def test_a_range_is_read(text: str, values: Sequence[float]) -> None:
    assert read_vary(text).values == values


@pytest.mark.parametrize("text", ["rules.hand", "x=1..2..3", "x=1..9/0", "x=1.1.1..2"])
def test_a_range_that_is_none_is_told(text: str) -> None:
    with pytest.raises(SimulationError) as error:
        read_vary(text)
    assert str(error.value) == f"--vary is '{text}'; expected such as rules.hand=2..5"


def test_a_target_is_read() -> None:
    game = game_of("hard-wired")
    assert read_target("seat_advantage<0.02", game, 2) == Target("seat_advantage", "<", 0.02)
    assert read_target("shared <= 5 %", game, 2) == Target("shared", "<", 0.05)
    assert str(read_target("minutes > 20", game, 2)) == "minutes > 20"
    for wrong, said in (
        ("minutes", "--target is 'minutes'; expected such as 'seat_advantage<0.02'"),
        (
            "minute<3",
            "there is no figure 'minute'; expected one of score, best, lead, turns, rounds, "
            "minutes, first_seat, shared, seat_advantage, unfinished; did you mean 'minutes'?",
        ),
    ):
        with pytest.raises(SimulationError) as error:
            read_target(wrong, game, 2)
        assert str(error.value) == said


def test_the_value_that_meets_the_target_nearest_to_now_is_chosen() -> None:
    points = [Point((at,), figure(mean), 0) for at, mean in ((1, 30), (2, 24), (3, 18), (4, 12))]
    below = Target("minutes", "<", 20)
    assert [chosen(nearest(points, below, [now])) for now in (1, 4)] == [[3], [4]]
    assert chosen(nearest(points, Target("minutes", "=", 23), [1])) == [2]
    assert chosen(nearest(points, Target("minutes", "<", 1), [1])) == [4]
    assert nearest([Point((1,), None, 9)], below, [1]) is None


def test_numbers_of_rules_cards_and_lists_can_be_varied() -> None:
    hustle = game_of("hardware-hustle")
    assert with_number(hustle, "rules.opportunity.1", 99).rules["opportunity"][:3] == (12, 99, 8)
    price = with_number(hustle, "rules.widgets.synth.price", 7).rules["widgets"]["synth"]["price"]
    assert price == 7
    devices = with_number(game_of("devices"), "special.c18.price", 9)
    card = next(card for card in devices.deck("special").cards if card.id == "c18")
    assert card.fields["price"] == 9
    wired = with_number(game_of("hard-wired"), "circuits.straight-plain.copies", 4)
    assert wired.deck("circuits").cards[0].copies == 4
    ranks = with_number(game_of("hand-solo"), "ranks.1.from", 12).tables["ranks"]["rows"]
    assert ranks[1]["from"] == 12
    assert game_of("hardware-hustle").rules["opportunity"][1] == 12


@pytest.mark.parametrize(
    ("game", "path"),
    [
        ("hard-wired", "rules.hand"),
        ("hard-wired", "pace"),
        ("hard-wired", "circuits.straight-plain.copies"),
        ("devices", "special.c18.price"),
        ("hardware-hustle", "rules.widgets.amplifier.price"),
        ("hardware-hustle", "rules.opportunity.4"),
        ("hand-solo", "ranks.1.from"),
        ("hand-solo", "commodities.0.average"),
    ],
)
def test_a_number_is_found_where_it_stands(game: str, path: str) -> None:
    spot = find_number(Workspace(ROOT), game, path)
    text = spot.text_with(spot.value)
    assert text == spot.path.read_text(encoding="utf-8")
    line = spot.text_with(987).splitlines()[spot.line - 1]
    assert line[spot.column - 1 :].startswith("987")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("ruels.hand", "'ruels.hand' leads to no number; expected rules.NAME, pace, or "
         "DECK.CARD.FIELD"),
        ("rules.segment.few", "'rules.segment.few': rules.segment has no 'few'; expected one of "
         "fewest, most; did you mean 'fewest'?"),
        ("rules.segment", "'rules.segment' is no number; expected the path of one"),
        ("rules.end", "'rules.end' is no number; expected the path of one"),
        ("rules.hand.more", "'rules.hand.more': rules.hand holds nothing more"),
        ("circuits.roll", "'circuits.roll': circuits has no item 'roll'"),
    ],
)  # fmt: skip
def test_a_path_that_leads_nowhere_is_told(path: str, said: str) -> None:
    with pytest.raises(UnknownNumberError) as error:
        find_number(Workspace(ROOT), "hard-wired", path)
    assert str(error.value) == said


def test_more_cards_in_hand_make_a_shorter_game() -> None:
    game = game_of("hard-wired")
    found = sweep(game, [read_vary("rules.hand=1..5/2")], [3], "turns<0", 2, 30, 1)
    means = [point.found["mean"] for point in found.points if point.found]
    assert means == sorted(means, reverse=True)
    assert chosen(found.best) == [5]
    assert not found.is_met


def test_a_range_from_high_to_low_is_told() -> None:
    with pytest.raises(SimulationError) as error:
        read_vary("rules.hand=5..2")
    assert str(error.value) == "--vary is 'rules.hand=5..2'; expected the lower number first"


@pytest.mark.parametrize(
    ("vary", "told"),
    [
        ("rules.hand=500..500", "rules.hand 500 makes no game: hand is 500; expected at most 100"),
        ("rules.hand=-1..-1", "rules.hand -1 makes no game: hand is -1; expected at least 0"),
        (
            "rules.hand=2.5..2.5",
            "rules.hand 2.5 makes no game: hand is 2.5; expected a whole number",
        ),
    ],
)
def test_a_number_past_its_bounds_is_told_in_plain_words(vary: str, told: str) -> None:
    with pytest.raises(SimulationError) as error:
        sweep(game_of("hard-wired"), [read_vary(vary)], [3], "turns<0", 2, 2, 1)
    assert str(error.value) == told


def test_values_that_make_no_game_are_refused() -> None:
    game = game_of("hard-wired")
    with pytest.raises(SimulationError) as error:
        sweep(game, [read_vary("rules.hand=3..9/6")], [3], "turns<0", 2, 2, 1)
    said = "the deck has 44 cards; expected at least 57, dealt to 6 players"
    assert str(error.value) == f"rules.hand 9 makes no game: {said}"


def test_without_write_no_file_changes(workspace: Workspace, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in workspace.root.rglob("*.yaml")}
    result = run(workspace, tmp_path / "out", "--vary", "rules.hand=2..3", "--target", "turns<1")
    assert result.exit_code == 0, result.output
    assert {path: path.read_bytes() for path in workspace.root.rglob("*.yaml")} == before
    assert "rules.hand = 3 comes nearest to the target with turns" in result.output
    assert (tmp_path / "out" / "hard-wired" / "tune.pdf").read_bytes()[:5] == b"%PDF-"


def test_write_edits_the_numbers_and_keeps_all_else(workspace: Workspace, tmp_path: Path) -> None:
    path = workspace.components / "hard-wired" / "game.yaml"
    before = path.read_text(encoding="utf-8").splitlines()
    words = ["--vary", "rules.hand=4..4", "--vary", "rules.draw=1..1", "--target", "turns<1"]
    result = run(workspace, tmp_path / "out", *words, "--write")
    assert result.exit_code == 0, result.output
    after = path.read_text(encoding="utf-8").splitlines()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [
        new.replace("hand: 4", "hand: 3").replace("draw: 1", "draw: 2") for _, new in changed
    ] == [old for old, _ in changed]
    assert len(changed) == 2
    assert "rules.hand 3 -> 4\n" in result.output


def test_wrong_words_are_faults_of_the_command_line(workspace: Workspace, tmp_path: Path) -> None:
    target = ("--target", "turns<1")
    vary = ("--vary", "rules.hand=2..3")
    result = run(workspace, tmp_path, *vary * 3, *target)
    assert (result.exit_code, "3 numbers to vary; expected one or two" in result.output) == (
        2,
        True,
    )
    result = run(workspace, tmp_path, *vary * 2, *target)
    assert "rules.hand is varied twice; expected another number" in result.output
    result = run(workspace, tmp_path, *vary, *target, "--write", "--variant", "handicap")
    assert (result.exit_code, "leave --variant out" in result.output) == (2, True)
    result = run(workspace, tmp_path, "--vary", "rules.hnd=2..3", *target)
    assert (result.exit_code, "did you mean 'hand'?" in result.output) == (2, True)
