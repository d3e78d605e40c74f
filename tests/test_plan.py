"""The paper plan before and after a build, and what fills the slots that would be empty."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kitwright.cli import cli
from kitwright.impose.grid import arrange
from kitwright.load import Workspace
from kitwright.load.shared import load_papers
from kitwright.pipeline import STANDARD, compose_kit, load_kit
from kitwright.press.bindery import batches_of, lay_kit
from kitwright.press.kit import BuildOptions, Kit
from kitwright.press.plan import plan_kit
from kitwright.press.spares import check_fill, filled
from kitwright.problems import RequestError

BASE = Path(__file__).parent / "faults" / "base"


@pytest.fixture
def pond(tmp_path: Path) -> Workspace:
    shutil.copytree(BASE, tmp_path / "pond")
    return Workspace(tmp_path / "pond")


def run(pond: Workspace, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(pond.root), *words])


def composed(pond: Workspace) -> Kit:
    return compose_kit(load_kit(pond, "pond", None, STANDARD), STANDARD)


PLAN = [
    "game  paper   sides  sheets  cards  spares  empty  cuts  asked for",
    "----  ------  -----  ------  -----  ------  -----  ----  ---------",
    "pond  a4      long   1       3      0       15     6     yes",
    "pond  letter  long   1       3      0       15     6     yes",
    "pond  a4      fold   1       3      0       6      8",
    "pond  letter  fold   1       3      0       5      9",
]


def test_the_plan_is_told_before_a_build(pond: Workspace) -> None:
    result = run(pond, "build", "--plan")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == PLAN
    assert not (pond.root / "output").exists()


def test_the_plan_is_told_after_a_build(pond: Workspace) -> None:
    assert run(pond, "build").output.splitlines()[-len(PLAN) - 1 : -1] == PLAN


def test_blanks_take_every_slot_and_have_the_back_of_their_deck(pond: Workspace) -> None:
    kit, paper = composed(pond), load_papers(pond, [])["a4"]
    options = BuildOptions(fill=("blanks",))
    book = lay_kit(kit, paper, options)
    placed = Counter(placed.face for page in book.pages for placed in page.placed)
    assert placed["blank/frogs"] == 15
    assert placed["frogs/back"] == 18
    assert book.faces["blank/frogs"].content.strip() == b""


def test_chosen_spares_take_turns(pond: Workspace) -> None:
    kit, paper = composed(pond), load_papers(pond, [])["a4"]
    options = BuildOptions(fill=("frogs/tree-frog", "blanks"))
    book = lay_kit(kit, paper, options)
    placed = Counter(placed.face for page in book.pages for placed in page.placed)
    assert (placed["frogs/tree-frog"], placed["blank/frogs"]) == (1 + 8, 7)


def test_a_full_sheet_is_left_alone(pond: Workspace) -> None:
    text = (pond.root / "components/pond/frogs.yaml").read_text(encoding="utf-8")
    (pond.root / "components/pond/frogs.yaml").write_text(
        text.replace("copies: 2", "copies: 17"), encoding="utf-8"
    )
    kit, paper = composed(pond), load_papers(pond, [])["a4"]
    (batch,) = batches_of(kit.decks, BuildOptions())
    assert len(batch.cards) == batch.slots(paper, "long") == 18
    assert filled(batch, ("blanks",), paper, "long") is batch


def test_the_plan_adds_up_however_it_is_printed(pond: Workspace) -> None:
    kit, papers = composed(pond), list(load_papers(pond, []).values())
    for fill in ((), ("blanks",)):
        for sides in ("long", "short", "fold", "two-pass", "fronts"):
            options = BuildOptions(sides=sides, fill=fill)
            for row in plan_kit(kit, papers, options):
                paper = next(each for each in papers if each.name == row.paper)
                deck = kit.decks[0].deck
                grid = arrange(deck.size, paper, row.sides, 0.0, kit.decks[0].bleed, deck.place)
                assert row.sheets is not None
                assert row.cards + row.spares + row.empty == row.sheets * grid.count
                assert (row.spares == 0) == (not fill)
                assert (row.empty == 0) == bool(fill)


def test_what_is_too_large_to_fold_is_said(pond: Workspace) -> None:
    deck = pond.root / "components/pond/frogs.yaml"
    large = "size: {width: 190mm, height: 270mm}"
    deck.write_text(deck.read_text(encoding="utf-8").replace("size: mini", large), encoding="utf-8")
    assert run(pond, "build", "--plan", "--paper", "a4").output.splitlines()[2:] == [
        "pond  a4      long   3       3      0       0      12    yes",
        "pond  letter  long   -                                   a part is too large",
        "pond  a4      fold   -                                   a part is too large",
        "pond  letter  fold   -                                   a part is too large",
    ]


def test_a_spare_that_is_not_there_is_told(pond: Workspace) -> None:
    with pytest.raises(RequestError) as error:
        check_fill(["frogs/tree-frg"], composed(pond))
    assert str(error.value) == (
        "--fill is 'frogs/tree-frg'; expected blanks, or DECK/CARD of pond; "
        "did you mean 'frogs/tree-frog'?"
    )
    result = run(pond, "build", "--fill", "newts")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: --fill is 'newts'; expected blanks, or DECK/CARD of pond"
    )
