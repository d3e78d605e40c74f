"""The saved object for Tabletop Simulator, counted piece by piece."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from kitwright.jobs.exports import ExportOptions, export_game
from kitwright.load import Workspace

HARBOUR = Path(__file__).parent / "harbour"
SCHEMA = Path(__file__).parent / "schemas" / "tts-save.schema.json"
Object = dict[str, Any]


def exported(root: Path, **options: Any) -> tuple[Path, Object]:
    chosen = ExportOptions(("tts",), workers=1, **options)
    made = export_game(Workspace(root), "harbour", chosen, root / "output")
    folder = made.folder / "tts"
    return folder, json.loads((folder / "harbour.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Object]:
    root = tmp_path_factory.mktemp("table") / "workspace"
    shutil.copytree(HARBOUR, root)
    return exported(root)


def things(table: tuple[Path, Object], name: str) -> list[Object]:
    return [thing for thing in table[1]["ObjectStates"] if thing["Name"] == name]


def called(table: tuple[Path, Object], nickname: str) -> Object:
    return next(thing for thing in table[1]["ObjectStates"] if thing["Nickname"] == nickname)


def test_the_save_is_one_that_the_game_can_read(table: tuple[Path, Object]) -> None:
    jsonschema.validate(table[1], json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert table[1]["SaveName"] == "Harbour & Sons"


def test_every_copy_is_in_its_deck_and_every_id_in_its_sheet(table: tuple[Path, Object]) -> None:
    for deck, cards in (("Ships", 6), ("Moods of the sea", 3)):
        thing = called(table, deck)
        inside = thing["ContainedObjects"]
        assert len(inside) == cards
        assert [card["CardID"] for card in inside] == thing["DeckIDs"]
        for card in inside:
            key, place = divmod(card["CardID"], 100)
            sheet = thing["CustomDeck"][str(key)]
            assert card["CustomDeck"] == {str(key): sheet}
            assert place < sheet["NumWidth"] * sheet["NumHeight"]
    names = Counter(card["Nickname"] for card in called(table, "Ships")["ContainedObjects"])
    assert names == {"Brig <Ada>": 3, "Sloop": 1, "Yawl": 2}


def test_a_card_shows_the_face_at_its_place_on_the_sheet(table: tuple[Path, Object]) -> None:
    folder, _ = table
    moods = called(table, "Moods of the sea")
    (sheet,) = moods["CustomDeck"].values()
    assert sheet["UniqueBack"]
    files = folder / "moods-backs.png", folder / "moods.png"
    with Image.open(files[0]) as backs, Image.open(files[1]) as fronts:
        assert backs.size == fronts.size
        wide = backs.width // sheet["NumWidth"]
        for place in (0, 1):
            assert backs.getpixel((place * wide + 9, 9)) == (0xC8, 0x45, 0x2E)
        assert backs.getpixel((9, backs.height - 9)) == (255, 255, 255)


def test_sheets_of_a_deck_have_keys_of_their_own(table: tuple[Path, Object]) -> None:
    keys = [
        key
        for thing in table[1]["ObjectStates"]
        if "CustomDeck" in thing
        for key in thing["CustomDeck"]
    ]
    assert len(keys) == len(set(keys)) == 3


def test_a_deck_of_one_card_is_a_card(table: tuple[Path, Object]) -> None:
    (card,) = things(table, "CardCustom")
    assert card["Nickname"] == "Captain"
    assert card["Transform"]["rotZ"] == 180.0
    assert card["Transform"]["scaleX"] == pytest.approx(63.5 / 56, abs=1e-4)
    assert card["Transform"]["scaleZ"] == pytest.approx(88.9 / 80, abs=1e-4)


def test_tokens_wait_in_bags_with_both_their_faces(table: tuple[Path, Object]) -> None:
    bags = {bag["Nickname"]: bag["ContainedObjects"] for bag in things(table, "Bag")}
    assert {name: len(inside) for name, inside in bags.items()} == {
        "Coins: Gold": 4,
        "Coins: Tin": 2,
    }
    image = bags["Coins: Tin"][0]["CustomImage"]
    assert image["ImageURL"].endswith("/coins/tin.png")
    assert image["ImageSecondaryURL"].endswith("/coins/tin-back.png")


def test_boards_lie_still_and_sheets_can_be_taken(table: tuple[Path, Object]) -> None:
    tiles = things(table, "Custom_Tile")
    assert [(tile["Nickname"], tile["Locked"]) for tile in tiles] == [
        ("Chart", True),
        ("Log", False),
        ("Log", False),
    ]
    assert tiles[0]["Transform"]["scaleX"] == pytest.approx(250 / 50.8, abs=1e-4)
    assert tiles[1]["Transform"]["posY"] < tiles[2]["Transform"]["posY"]


def test_no_two_pieces_lie_on_the_same_spot(table: tuple[Path, Object]) -> None:
    sizes = {"Ships": (63.5, 88.9), "Chart": (250, 180), "Log": (100, 140)}
    boxes: dict[str, tuple[float, float, float, float]] = {}
    for thing in table[1]["ObjectStates"]:
        width, depth = sizes.get(thing["Nickname"], (50.8, 50.8))
        x, z = thing["Transform"]["posX"], thing["Transform"]["posZ"]
        spot = (x - width / 50.8, z - depth / 50.8, x + width / 50.8, z + depth / 50.8)
        boxes.setdefault(thing["Nickname"], spot)
    every = list(boxes.values())
    for index, one in enumerate(every):
        for other in every[index + 1 :]:
            beside = one[2] <= other[0] or other[2] <= one[0]
            assert beside or one[3] <= other[1] or other[3] <= one[1]


def test_boards_that_join_lie_edge_to_edge(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    shutil.copytree(HARBOUR, root)
    game = root / "components/harbour/game.yaml"
    game.write_text(game.read_text().replace("chart, log]", "chart, coast, log]"))
    chart = root / "components/harbour/chart.yaml"
    text = chart.read_text()
    chart.write_text(f"{text}spot: [1, 1]\n")
    coast = text.replace("chart", "coast", 1).replace("Chart", "Coast")
    (root / "components/harbour/coast.yaml").write_text(f"{coast}spot: [2, 1]\n")
    table = exported(root)
    first, second = called(table, "Chart")["Transform"], called(table, "Coast")["Transform"]
    assert first["posX"] == second["posX"]
    assert first["posZ"] - second["posZ"] == pytest.approx(180 / 25.4, abs=0.002)


def test_every_object_has_a_name_of_its_own(table: tuple[Path, Object]) -> None:
    ids = [thing["GUID"] for thing in table[1]["ObjectStates"]]
    for thing in table[1]["ObjectStates"]:
        ids += [inner["GUID"] for inner in thing.get("ContainedObjects", ())]
    assert len(ids) == len(set(ids))


def urls(value: Any) -> set[str]:
    if isinstance(value, dict):
        found = {v for k, v in value.items() if k.endswith("URL")}
        return found.union(*map(urls, value.values()))
    return set().union(*map(urls, value)) if isinstance(value, list) else set()


def test_images_are_files_unless_they_are_hosted(
    table: tuple[Path, Object], tmp_path: Path
) -> None:
    folder, save = table
    base = folder.as_uri()
    assert all(
        url.startswith(base) and (folder / url[len(base) + 1 :]).is_file() for url in urls(save)
    )
    shutil.copytree(HARBOUR, tmp_path / "workspace")
    _, hosted = exported(tmp_path / "workspace", url_base="https://example.org/harbour")
    assert "https://example.org/harbour/ships.png" in urls(hosted)
    assert {url.rpartition("/")[0] for url in urls(hosted)} == {
        "https://example.org/harbour",
        *(f"https://example.org/harbour/{name}" for name in ("coins", "chart", "log")),
    }


def test_a_deck_too_large_for_a_sheet_goes_on_in_another(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    shutil.copytree(HARBOUR, root)
    cards = "".join(f"  - {{id: ship-{n}, title: Ship {n}}}\n" for n in range(75))
    head = "deck: ships\ntitle: Ships\nlayout: harbour/back\nback: harbour/back\nsize: micro\n"
    (root / "components/harbour/ships.yaml").write_text(f"{head}cards:\n{cards}")
    game = root / "components/harbour/game.yaml"
    game.write_text(
        game.read_text().replace("[ships, moods, captain, coins, chart, log]", "[ships]")
    )
    for name in ("moods", "captain", "coins", "chart", "log"):
        (root / f"components/harbour/{name}.yaml").unlink()
    folder, save = exported(root, sheet_pixels=1536)
    (deck,) = save["ObjectStates"]
    assert len(deck["DeckIDs"]) == 75
    assert [deck["DeckIDs"][n] for n in (0, 69, 70, 74)] == [100, 169, 200, 204]
    assert sorted(deck["CustomDeck"]) == ["1", "2"]
    first, second = deck["CustomDeck"]["1"], deck["CustomDeck"]["2"]
    assert (first["NumWidth"], first["NumHeight"]) == (10, 7)
    assert second["NumWidth"] * second["NumHeight"] >= 5
    for name in ("ships-1.png", "ships-2.png"):
        with Image.open(folder / name) as image:
            assert max(image.size) <= 1536
