"""The second print: the ledger, what a build of changes prints, and what it says."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner, Result

from kitwright.cli import cli
from kitwright.jobs.changed import build_changed, mark_printed, markable
from kitwright.load import Workspace
from kitwright.pipeline import compose_kit, load_kit
from kitwright.press.kit import BuildOptions
from kitwright.problems import InvalidInputError
from kitwright.reprint.kits import stock_of
from kitwright.reprint.ledger import LedgerFolder
from kitwright.reprint.pull import rows_of
from kitwright.reprint.stock import compare
from kitwright.write.locking import locked

BASE = Path(__file__).parent / "faults" / "base"
TOADS = """\
deck: toads
title: Toads
layout: pond/frog
back: pond/toad-back
size: mini
fields: {text: {text: optional}}
cards:
  - {id: marsh-toad, title: Marsh toad, copies: 3}
  - {id: cane-toad, title: Cane toad}
"""
TOAD_BACK = """\
layout: pond/toad-back
draw:
  - fill: {box: bleed, color: water}
  - text: {box: safe, style: name, text: "{{ card.title }}", overflow: shrink}
"""


@pytest.fixture
def pond(tmp_path: Path) -> Workspace:
    """The pond with a second deck of the same size, whose cards have backs of their own."""
    root = tmp_path / "pond"
    shutil.copytree(BASE, root)
    (root / "components/pond/toads.yaml").write_text(TOADS, encoding="utf-8")
    (root / "layouts/pond/toad-back.yaml").write_text(TOAD_BACK, encoding="utf-8")
    edit(root / "components/pond/game.yaml", "kit: [frogs]", "kit: [frogs, toads]")
    return Workspace(root)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def ledgers(pond: Workspace) -> LedgerFolder:
    return LedgerFolder(pond.root / ".kitwright" / "printed")


def mark(pond: Workspace, **options: object) -> None:
    chosen = BuildOptions(**{"papers": ("a4",), "workers": 1, **options})  # type: ignore[arg-type]  # as given
    found = markable(pond, "pond", chosen, ledgers(pond), "2026-03-04")
    mark_printed(found, ledgers(pond), workers=1)


def reprint(pond: Workspace, tmp_path: Path, **options: object) -> Counter[str]:
    """Build the changes; return how often each face is on a sheet at full size."""
    chosen = BuildOptions(**options)  # type: ignore[arg-type]  # as given
    (made,) = build_changed(pond, ["pond"], chosen, tmp_path / "output", ledgers(pond))
    return Counter({c.any.card: c.put for c in made.changes if c.put})


def pages(tmp_path: Path, name: str = "changed-a4.pdf") -> int:
    with pikepdf.open(tmp_path / "output" / "pond" / name) as document:
        return len(document.pages)


def run(pond: Workspace, *words: str, output: Path | None = None) -> Result:
    where: Sequence[str] = ("--output", str(output)) if output else ()
    return CliRunner().invoke(cli, ["--workspace", str(pond.root), *words, *where])


def test_nothing_changed_prints_nothing_and_says_so(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    result = run(pond, "build", "pond", "--changed", output=tmp_path / "output")
    assert result.exit_code == 0
    assert result.output == "pond: nothing has changed since 2026-03-04; nothing to print\n"
    assert not (tmp_path / "output").exists()


def test_a_stale_file_of_changes_goes_when_there_are_none(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    frogs = pond.root / "components/pond/frogs.yaml"
    edit(frogs, "Bull frog", "Old bull frog")
    reprint(pond, tmp_path)
    edit(frogs, "Old bull frog", "Bull frog")
    reprint(pond, tmp_path)
    assert sorted(path.name for path in (tmp_path / "output/pond").iterdir()) == ["manifest.json"]


def test_a_fourth_copy_prints_one_card(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "copies: 3", "copies: 4")
    assert reprint(pond, tmp_path) == {"marsh-toad": 1}
    assert pages(tmp_path) == 4, "the list, its empty back, and one sheet with two sides"


def test_decks_of_one_size_share_the_sheet(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    edit(pond.root / "components/pond/frogs.yaml", "Tree frog", "Leaf frog")
    assert reprint(pond, tmp_path) == {"tree-frog": 1, "cane-toad": 1}
    assert pages(tmp_path) == 4, "one sheet, though the decks have other gaps"


def test_a_changed_back_reprints_its_deck_and_no_other(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    edit(pond.root / "layouts/pond/back.yaml", "color: ink", 'color: "#335577"')
    assert reprint(pond, tmp_path) == {"bull-frog": 2, "tree-frog": 1}


def test_a_deck_with_a_new_back_is_one_row_of_the_list(pond: Workspace) -> None:
    mark(pond)
    edit(pond.root / "layouts/pond/back.yaml", "color: ink", 'color: "#335577"')
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    kit = compose_kit(load_kit(pond, "pond", None, "standard"), "standard")
    ledger = ledgers(pond).need("pond")
    rows = rows_of(kit, compare(ledger.stock, stock_of(kit)))
    assert [(row.title, row.about, row.take, row.put) for row in rows] == [
        ("Frogs", "the whole deck", 3, 3),
        ("Sugar toad", "Toads · cane-toad", 1, 1),
    ]
    assert rows[0].new[0] == kit.faces["frogs/back"].hash != rows[0].old[0]


def test_a_back_that_was_never_printed_is_not_missed(pond: Workspace, tmp_path: Path) -> None:
    mark(pond, sides="fronts")
    edit(pond.root / "layouts/pond/back.yaml", "color: ink", 'color: "#335577"')
    assert reprint(pond, tmp_path) == {}


def test_a_removed_card_is_on_the_list_with_its_picture(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "  - {id: cane-toad, title: Cane toad}\n", "")
    result = run(pond, "build", "pond", "--changed", output=tmp_path / "output")
    assert result.output.splitlines()[:4] == [
        "pond: since 2026-03-04 take 1 out, put 0 in",
        "card             out  in  why",
        "---------------  ---  --  ----",
        "toads/cane-toad  1        gone",
    ]
    with pikepdf.open(tmp_path / "output/pond/changed-a4.pdf") as document:
        assert len(document.pages) == 1
        drawn = document.pages[0].Resources.XObject
        kinds = Counter(str(each.Subtype) for each in drawn.values())
    assert kinds == {"/Image": 1}, "the picture from the ledger"


def test_a_lost_or_damaged_picture_is_no_fault(pond: Workspace, tmp_path: Path) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    edit(pond.root / "components/pond/frogs.yaml", "Tree frog", "Leaf frog")
    pictures = sorted((ledgers(pond).root / "faces").iterdir())
    for index, path in enumerate(pictures):
        if index % 2:
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-40] + b"#" * 40)
    assert reprint(pond, tmp_path).total() == 2
    mark(pond)
    assert all(path.stat().st_size > 100 for path in (ledgers(pond).root / "faces").iterdir())


def test_paper_and_sides_are_those_of_the_last_print(pond: Workspace, tmp_path: Path) -> None:
    mark(pond, papers=("letter",), sides="fold")
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    run(pond, "build", "pond", "--changed", output=tmp_path / "output")
    assert (tmp_path / "output/pond/changed-letter-fold.pdf").is_file()
    run(pond, "build", "pond", "--changed", "--paper", "a4", output=tmp_path / "output")
    names = sorted(path.name for path in (tmp_path / "output/pond").glob("*.pdf"))
    assert names == ["changed-a4-fold.pdf"]


def test_marking_keeps_one_picture_a_face_and_drops_the_old(pond: Workspace) -> None:
    mark(pond)
    ledger = ledgers(pond).read("pond")
    assert ledger is not None
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    mark(pond)
    after = ledgers(pond).read("pond")
    assert after is not None
    kept = {path.stem for path in (ledgers(pond).root / "faces").glob("*.png")}
    assert kept == set(after.faces) != set(ledger.faces)


def test_a_kit_that_was_never_printed_is_told(pond: Workspace, tmp_path: Path) -> None:
    result = run(pond, "build", "pond", "--changed", output=tmp_path / "output")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: pond was never marked as printed; "
        "expected 'kitwright printed' once its kit had been printed"
    )


def test_a_kit_that_changed_since_it_was_built_is_not_marked(pond: Workspace) -> None:
    output = pond.root / "output"
    assert run(pond, "build", "pond", "--paper", "a4").exit_code == 0
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    result = run(pond, "printed", "pond", "--workers", "1")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: kit-a4.pdf in 'pond' was built of other cards than the files make now; "
        "build and print again, or say --anyway if you did print the new ones"
    )
    assert ledgers(pond).read("pond") is None
    assert run(pond, "printed", "pond", "--anyway", "--workers", "1").exit_code == 0
    edit(pond.root / "components/pond/toads.yaml", "Sugar toad", "Reed toad")
    assert run(pond, "build", "pond", "--changed").exit_code == 0
    assert (output / "pond/changed-a4.pdf").is_file()
    assert run(pond, "printed", "pond", "--workers", "1").exit_code == 0, "the changes were built"


def test_a_deck_that_is_marked_leaves_the_others_as_they_were(
    pond: Workspace, tmp_path: Path
) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    edit(pond.root / "components/pond/frogs.yaml", "Tree frog", "Leaf frog")
    result = run(pond, "build", "pond", "--changed", "--deck", "toads")
    assert "toads/cane-toad" in result.output
    assert "frogs/tree-frog" not in result.output
    assert run(pond, "printed", "pond", "--deck", "toads", "--workers", "1").exit_code == 0
    assert reprint(pond, tmp_path) == {"tree-frog": 1}
    result = run(pond, "printed", "pond", "--deck", "newts")
    assert result.output.splitlines()[-1] == (
        "Error: pond has no deck 'newts'; it has frogs, toads"
    )


def test_a_part_of_the_changes_does_not_vouch_for_the_kit(pond: Workspace) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    edit(pond.root / "components/pond/frogs.yaml", "Tree frog", "Leaf frog")
    assert run(pond, "build", "pond", "--changed", "--deck", "toads").exit_code == 0
    assert run(pond, "printed", "pond").exit_code == 2


def test_changes_can_be_planned_before_they_are_built(pond: Workspace) -> None:
    mark(pond)
    edit(pond.root / "components/pond/toads.yaml", "Cane toad", "Sugar toad")
    result = run(pond, "build", "pond", "--changed", "--plan")
    assert result.output.splitlines() == [
        "pond: since 2026-03-04 take 1 out, put 1 in",
        "card             out  in  why",
        "---------------  ---  --  ----------------------",
        "toads/cane-toad  1    1   front and back changed",
        "game  paper   sides  sheets  cards  spares  empty  cuts  asked for",
        "----  ------  -----  ------  -----  ------  -----  ----  ---------",
        "pond  a4      long   1       1      0       17     4     yes",
        "pond  letter  long   1       1      0       15     4",
        "pond  a4      fold   1       1      0       8      6",
        "pond  letter  fold   1       1      0       7      6",
    ]
    assert not (pond.root / "output").exists()


def test_no_kit_is_marked_where_one_of_them_was_never_built(pond: Workspace) -> None:
    for home in (pond.components, pond.root / "layouts"):
        shutil.copytree(home / "pond", home / "zoo")
    game = pond.components / "zoo" / "game.yaml"
    game.write_text(game.read_text(encoding="utf-8").replace("game: pond", "game: zoo"))
    assert run(pond, "build", "pond", "--paper", "a4").exit_code == 0
    result = run(pond, "printed", "--workers", "1")
    assert (result.exit_code, "there is no kit-a4.pdf in 'zoo'" in result.output) == (2, True)
    assert run(pond, "printed", "--show").output == "nothing is marked as printed\n"


def test_a_kit_that_was_never_built_is_not_marked_as_printed(pond: Workspace) -> None:
    result = run(pond, "printed", "pond", "--paper", "letter", "--workers", "1")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: there is no kit-letter.pdf in 'pond'; build and print it first, name the paper "
        "with --paper, or say --anyway if it was built elsewhere"
    )
    assert run(pond, "printed", "--show").output == "nothing is marked as printed\n"


def test_the_ledger_of_another_is_not_disturbed(pond: Workspace) -> None:
    folder = ledgers(pond)
    folder.root.mkdir(parents=True)
    with locked(folder.root / ".lock", "printed"):
        result = run(pond, "printed", "pond", "--anyway", "--workers", "1")
    assert result.exit_code == 3
    assert result.output.startswith("kitwright: busy: another build (pid ")
    assert folder.read("pond") is None


def test_what_is_printed_is_listed(pond: Workspace) -> None:
    assert run(pond, "printed", "--show").output == "nothing is marked as printed\n"
    mark(pond)
    assert run(pond, "printed", "--show").output.splitlines() == [
        "kit   printed     paper  sides  cards",
        "----  ----------  -----  -----  -----",
        "pond  2026-03-04  a4     long   7",
    ]


@pytest.mark.parametrize(
    "text",
    ["[]", "{}", '{"format": 2}', "\x00", '{"format": 1, "kit": "newt"}'],
)
def test_a_damaged_ledger_is_told_whatever_is_in_it(pond: Workspace, text: str) -> None:
    folder = ledgers(pond)
    folder.root.mkdir(parents=True)
    folder.file("pond").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError) as error:
        folder.read("pond")
    assert str(error.value) == (
        ".kitwright/printed/pond.json:1:1: the print ledger is damaged; expected what "
        "'kitwright printed' wrote; put the file back, or delete it and mark the kit as "
        "printed again [bad-ledger]"
    )
