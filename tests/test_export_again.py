"""Exporting again: only what changed is made, and a fault leaves what was there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kitwright.jobs.exports import ExportOptions, ExportReport, export_game
from kitwright.load import Workspace
from kitwright.problems import InvalidInputError, MachineError

HARBOUR = Path(__file__).parent / "harbour"
SITES = ("images", "pcio", "drivethru")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(HARBOUR, tmp_path / "workspace")
    return tmp_path / "workspace"


def export(root: Path, *sites: str) -> ExportReport:
    options = ExportOptions(sites or SITES, dpi=72, workers=1)
    return export_game(Workspace(root), "harbour", options, root / "output")


def made(report: ExportReport) -> dict[str, int]:
    return {sent.destination.name: sent.files - sent.kept for sent in report.sent}


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_made_twice(root: Path) -> None:
    first = export(root)
    before = contents(first.folder)
    picture = first.folder / "images/ships/sloop.png"
    node = picture.stat().st_ino
    again = export(root)
    assert made(again) == {"images": 0, "pcio": 0, "drivethru": 0}
    assert contents(again.folder) == before
    assert picture.stat().st_ino == node


def test_one_card_changed_is_one_image_made(root: Path) -> None:
    report = export(root)
    before = contents(report.folder)
    edit(root / "components/harbour/ships.yaml", "title: Sloop", "title: Cutter")
    again = export(root)
    after = contents(again.folder)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    assert changed == {
        "index.json",
        "images/cards.csv",
        "images/cards.json",
        "images/ships/sloop.png",
        "pcio/harbour.pcio",
        "drivethru/poker-ships.pdf",
    }
    assert made(again) == {"images": 3, "pcio": 1, "drivethru": 1}
    shutil.rmtree(root / "output")
    assert contents(export(root).folder) == after  # as if made from nothing


def test_a_card_that_is_gone_leaves_no_image_behind(root: Path) -> None:
    folder = export(root, "images").folder
    edit(root / "components/harbour/ships.yaml", "  - {id: sloop, title: Sloop}\n", "")
    export(root, "images")
    assert not (folder / "images/ships/sloop.png").exists()
    assert (folder / "images/ships/yawl.png").exists()


def test_another_destination_is_left_alone(root: Path) -> None:
    folder = export(root, "images").folder
    before = contents(folder / "images")
    export(root, "pcio")
    assert contents(folder / "images") == before
    assert made(export(root, "images")) == {"images": 0}


def test_a_file_that_was_touched_is_made_again(root: Path) -> None:
    folder = export(root, "images").folder
    path = folder / "images/ships/yawl.png"
    good = path.read_bytes()
    path.unlink()
    path.write_bytes(b"scribble")
    assert made(export(root, "images")) == {"images": 1}
    assert path.read_bytes() == good


def test_a_broken_index_is_no_fault(root: Path) -> None:
    folder = export(root, "images").folder
    (folder / "index.json").write_text("[", encoding="utf-8")
    assert made(export(root, "images"))["images"] > 0


def test_a_fault_leaves_the_last_export_as_it_was(root: Path) -> None:
    folder = export(root, "mpc").folder
    before = contents(folder)
    edit(root / "layouts/harbour/card.yaml", "box: bleed, color: sand", "box: face, color: sand")
    with pytest.raises(InvalidInputError, match="white-edge"):
        export(root, "mpc")
    assert contents(folder) == before


def test_another_licence_is_told_by_the_pdf_again(root: Path) -> None:
    export(root, "drivethru")
    edit(root / "components/harbour/game.yaml", "licence: CC0 1.0", "licence: CC BY 4.0")
    assert made(export(root, "drivethru")) == {"drivethru": 3}


def test_an_export_that_was_overtaken_stops(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = export(root, "images").folder
    before = contents(folder)
    told: Iterator[dict[str, Any]] = iter([{}, {"images": {}}])
    monkeypatch.setattr("kitwright.jobs.shipping._read_index", lambda _: next(told))
    with pytest.raises(MachineError, match="another export of 'harbour' has just ended"):
        export(root, "images")
    assert contents(folder) == before


def test_a_game_without_cards_sends_nothing_to_a_shop_for_cards(root: Path) -> None:
    game = root / "components/harbour/game.yaml"
    edit(game, "[ships, moods, captain, coins, chart, log]", "[log]")
    for name in ("ships", "moods", "captain", "coins", "chart"):
        (root / f"components/harbour/{name}.yaml").unlink()
    report = export(root, "all")
    files = {sent.destination.name: sent.files for sent in report.sent}
    assert files["mpc"] == files["drivethru"] == files["screentop"] == 0
    assert (files["tgc"], files["tts"], files["pcio"]) == (3, 2, 1)


def test_all_cores_make_the_same_files(root: Path) -> None:
    alone = contents(export(root, "images", "tts").folder)
    shutil.rmtree(root / "output")
    options = ExportOptions(("images", "tts"), dpi=72, workers=2)
    report = export_game(Workspace(root), "harbour", options, root / "output")
    assert contents(report.folder) == alone
