"""Exports: every format is read again by something that is not ours."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest
import xmlschema
from click.testing import CliRunner
from PIL import Image

from kitwright.cli import cli
from kitwright.jobs.exports import ExportOptions, ExportReport, export_game
from kitwright.load import Workspace

ROOT = Path(__file__).parent.parent
SCHEMAS = Path(__file__).parent / "schemas"
HARBOUR = Path(__file__).parent / "harbour"
DECKS = {"ships": 6, "moods": 3, "captain": 1, "coins": 6, "chart": 1, "log": 2}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    root = tmp_path_factory.mktemp("harbour") / "workspace"
    shutil.copytree(HARBOUR, root)
    return Workspace(root)


@pytest.fixture(scope="module")
def report(harbour: Workspace) -> ExportReport:
    options = ExportOptions(("all",), workers=1)
    return export_game(harbour, "harbour", options, harbour.root / "output")


@pytest.fixture(scope="module")
def folder(report: ExportReport) -> Path:
    return report.folder


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def skipped(report: ExportReport, name: str) -> dict[str, str]:
    (sent,) = (each for each in report.sent if each.destination.name == name)
    return {each.piece: each.reason for each in sent.skipped}


def test_a_print_shop_gets_its_own_canvas_in_rgb_without_alpha(folder: Path) -> None:
    wanted = {
        "tgc/PokerDeck/ships/brig.png": (825, 1125),
        "tgc/PokerDeck/moods/gale-back.png": (825, 1125),
        "tgc/Document/chart/chart.png": (2550, 3300),
        "mpc/poker/ships-brig.png": (822, 1122),
        "mpc/poker/ships-back.png": (822, 1122),
        "tabletopia/coins/gold.png": (177, 177),
        "images/log/log.png": (1181, 1654),
    }
    for name, size in wanted.items():
        with Image.open(folder / name) as image:
            image.load()
            assert (image.size, image.mode, image.format) == (size, "RGB", "PNG"), name


def test_the_bleed_of_a_canvas_is_filled_to_its_corners(folder: Path) -> None:
    with Image.open(folder / "tgc/PokerDeck/captain/back.png") as image:
        corners = [(0, 0), (824, 0), (0, 1124), (824, 1124)]
        assert {image.getpixel(corner) for corner in corners} == {(0x10, 0x1B, 0x3A)}


def test_a_wide_board_is_turned_to_fit_its_paper(folder: Path) -> None:
    with Image.open(folder / "tgc/Document/chart/chart.png") as image:
        box = image.convert("L").point([255 * (value < 250) for value in range(256)]).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert right - left == pytest.approx(180 / 25.4 * 300, abs=3)
    assert bottom - top == pytest.approx(250 / 25.4 * 300, abs=3)


def test_every_list_of_cards_names_files_that_are_there(folder: Path) -> None:
    for site in ("tgc", "mpc", "tabletopia", "images"):
        listed = rows(folder / site / "cards.csv")
        for row in listed:
            for key in ("front", "back"):
                assert not row[key] or (folder / site / row[key]).is_file(), row
        counts = Counter[str]()
        for row in listed:
            counts[row["deck"]] += int(row["copies"])
        assert counts == {deck: DECKS[deck] for deck in counts}
    told = json.loads((folder / "images/cards.json").read_text(encoding="utf-8"))
    assert (told["game"], len(told["cards"])) == ("harbour", 10)


def test_an_order_is_what_the_desktop_tool_reads(folder: Path) -> None:
    path = folder / "mpc/order-poker.xml"
    order: Any = xmlschema.XMLSchema(SCHEMAS / "mpc-order.xsd").decode(str(path))
    assert (order["details"]["quantity"], order["details"]["bracket"]) == (10, 18)
    for side in ("fronts", "backs"):
        cards = (order[side] or {}).get("card", [])
        slots = [int(slot) for card in cards for slot in card["slots"].split(",")]
        assert len(slots) == len(set(slots))
        if side == "fronts":
            assert sorted(slots) == list(range(10))
        for card in cards:
            assert (folder / "mpc" / card["id"]).is_file()
    assert (folder / "mpc" / order["cardback"]).is_file()


def test_a_double_sided_card_keeps_its_own_back_in_the_order(folder: Path) -> None:
    text = (folder / "mpc/order-poker.xml").read_text(encoding="utf-8")
    front = re.search(r"moods-gale\.png</id>.*?<slots>([\d,]+)", text, re.DOTALL)
    back = re.search(r"moods-gale-back\.png</id>.*?<slots>([\d,]+)", text, re.DOTALL)
    assert front is not None
    assert back is not None
    assert front[1] == back[1] == "7,8"


def test_a_room_file_opens_with_all_its_pictures(folder: Path) -> None:
    with ZipFile(folder / "pcio/harbour.pcio") as archive:
        names = set(archive.namelist())
        widgets = json.loads(archive.read("widgets.json"))
        assert archive.read("schemaVersion") == b"8"
        for name in names - {"widgets.json", "schemaVersion"}:
            with Image.open(BytesIO(archive.read(name))) as image:
                image.load()
    jsonschema.validate(widgets, schema("pcio-widgets"))
    used = set(re.findall(r"package://([^\"]+)", json.dumps(widgets)))
    assert used == names - {"widgets.json", "schemaVersion"}


def test_a_room_has_a_holder_a_deck_and_every_copy(folder: Path) -> None:
    with ZipFile(folder / "pcio/harbour.pcio") as archive:
        widgets = json.loads(archive.read("widgets.json"))
    by_id = {widget["id"]: widget for widget in widgets}
    assert len(by_id) == len(widgets)
    cards = [widget for widget in widgets if widget["type"] == "card"]
    counts = Counter(by_id[card["deck"]]["parent"] for card in cards)
    assert counts == {
        f"{deck}-holder": DECKS[deck] for deck in ("ships", "moods", "captain", "coins")
    }
    assert all(card["cardType"] in by_id[card["deck"]]["cardTypes"] for card in cards)
    ships = [card["cardType"] for card in cards if card["deck"] == "ships-deck"]
    assert sorted(ships) != ships  # shuffled
    assert [widget["id"] for widget in widgets if widget["type"] == "hand"] == ["hand"]


def test_holders_lie_apart_and_on_the_table(folder: Path) -> None:
    with ZipFile(folder / "pcio/harbour.pcio") as archive:
        widgets = json.loads(archive.read("widgets.json"))
    boxes = [
        (w["x"], w["y"], w["x"] + w["width"], w["y"] + w["height"])
        for w in widgets
        if w["type"] in ("holder", "hand")
    ]
    assert all(x >= 0 and y >= 0 and right <= 1600 and low <= 1000 for x, y, right, low in boxes)
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert (
                one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            )


def test_a_sheet_is_cut_where_its_list_says(folder: Path) -> None:
    (brig,) = (r for r in rows(folder / "screentop/cards.csv") if r["name"] == "Brig <Ada>")
    (tin,) = (r for r in rows(folder / "screentop/cards.csv") if r["name"] == "Tin")
    assert (brig["sheet"], brig["back"], brig["copies"]) == ("ships.png", "ships-back.png", "3")
    assert (tin["sheet"], tin["back"]) == ("coins.png", "coins-backs.png")
    with Image.open(folder / "screentop/ships.png") as image:
        wide = image.width // int(brig["columns"])
        high = image.height // int(brig["rows"])
        assert wide / high == pytest.approx(63.5 / 88.9, abs=0.003)
        assert image.getpixel((wide // 2, 2)) == pytest.approx((0x2F, 0x6F, 0x86), abs=9)


def test_a_playground_package_names_its_textures(folder: Path) -> None:
    package = folder / "ttp"
    for path in (package / "Templates").glob("*.json"):
        deck = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(deck, schema("ttp-card"))
        assert len(deck["Indices"]) == DECKS[path.stem]
        assert set(map(str, deck["Indices"])) == set(deck["CardNames"])
        for key in ("FrontTexture", "BackTexture"):
            with Image.open(package / "Textures" / deck[key]) as image:
                assert image.mode == "RGB"
        assert max(deck["Indices"]) < deck["NumHorizontal"] * deck["NumVertical"]
    assert {path.stem for path in (package / "Templates").glob("*.json")} == DECKS.keys()


def test_what_a_site_has_no_use_for_is_skipped_with_the_reason(report: ExportReport) -> None:
    assert skipped(report, "mpc") == {
        "coins": "MakePlayingCards takes decks; this is a token",
        "chart": "MakePlayingCards takes decks; this is a board",
        "log": "MakePlayingCards takes decks; this is a sheet",
    }
    assert skipped(report, "tgc") == {"coins": "The Game Crafter has no product of 15 x 15 mm"}
    assert skipped(report, "tts") == {}


def test_plain_images_come_at_any_resolution_and_with_their_bleed(
    harbour: Workspace, tmp_path: Path
) -> None:
    options = ExportOptions(("images",), dpi=100, bleed=True, workers=1)
    made = export_game(harbour, "harbour", options, tmp_path)
    with Image.open(made.folder / "images/ships/brig.png") as image:
        assert image.size == (274, 374)  # 69.5 x 94.9 mm


def test_the_destination_of_the_manual_needs_no_python(tmp_path: Path) -> None:
    manual = (ROOT / "layouts/README.md").read_text(encoding="utf-8")
    block = re.search(r"```yaml destination=([a-z-]+)\n(.*?)```", manual, re.DOTALL)
    assert block is not None
    root = tmp_path / "workspace"
    shutil.copytree(HARBOUR, root)
    ships = root / "components/harbour/ships.yaml"
    ships.write_text(ships.read_text().replace("size: poker", "size: bridge"))
    (root / "layouts/shared").mkdir()
    (root / "layouts/shared/destinations.yaml").write_text(block[2])
    options = ExportOptions((block[1],), workers=1)
    made = export_game(Workspace(root), "harbour", options, tmp_path / "output")
    with Image.open(made.folder / "corner-shop/bridge_ships_brig.png") as image:
        assert image.size == (843, 1280)
    assert skipped(made, "corner-shop") == {
        "moods": "The Corner Shop has no product of 63.5 x 88.9 mm",
        "captain": "The Corner Shop has no product of 63.5 x 88.9 mm",
        "coins": "The Corner Shop takes decks; this is a token",
        "chart": "The Corner Shop takes decks; this is a board",
        "log": "The Corner Shop takes decks; this is a sheet",
    }


def run(harbour: Workspace, output: Path, *words: str) -> Any:
    base = ["--workspace", str(harbour.root), *words, "--output", str(output)]
    return CliRunner().invoke(cli, base)


def test_the_command_ends_with_a_table_and_what_to_do_next(
    harbour: Workspace, tmp_path: Path
) -> None:
    result = run(harbour, tmp_path, "export", "harbour", "--to", "screentop", "--workers", "1")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].split() == ["destination", "files", "unchanged", "size", "warnings"]
    assert lines[2].split()[:3] == ["screentop", "9", "0"]
    assert "skipped: screentop: log: Screentop takes decks and tokens; this is a sheet" in lines
    assert lines[-3] == "Screentop (screentop/)"


def test_a_base_that_is_no_address_is_a_fault_of_the_command_line(
    harbour: Workspace, tmp_path: Path
) -> None:
    result = run(harbour, tmp_path, "export", "harbour", "--to", "tts", "--url-base", "my disk")
    assert result.exit_code == 2
    assert "--url-base is 'my disk'; expected https://… or http://…" in result.output


def test_an_unknown_destination_is_a_fault_of_the_command_line(
    harbour: Workspace, tmp_path: Path
) -> None:
    result = run(harbour, tmp_path, "export", "harbour", "--to", "tgcc")
    assert result.exit_code == 2
    assert "there is no destination 'tgcc'; did you mean 'tgc'?" in result.output
