"""Tuckboxes: nets that fold, sizes that follow the cards, and their place in the kit."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kitwright.cli import cli
from kitwright.compose.panels import PanelMaterials
from kitwright.compose.pen import Icon
from kitwright.impose.tuckbox import BLEED, Net, box_size, make_net, on_page, place_net
from kitwright.load import Workspace, load_game
from kitwright.model.box import PANELS, Stock
from kitwright.model.game import Size
from kitwright.model.geometry import Box, apply, path_bounds
from kitwright.model.paper import Paper
from kitwright.ops import Face, Stroke, Use, dump
from kitwright.pipeline import compose_kit, load_kit, papers_called, prepare
from kitwright.press.bindery import lay_kit
from kitwright.press.boxes import fit, lay_boxes
from kitwright.press.kit import STANDARD, BuildOptions, Kit
from kitwright.problems import InvalidInputError, Problem
from kitwright.write.encode import Encoder

ROOT = Path(__file__).parent.parent
GAMES = ("beltpunk-haberdasher", "devices", "hand-solo", "hard-wired", "hardware-hustle")
STOCK = Stock(0.3, 0.2, 2.5, 2.1, 1.0, 1.0, 1.0, 4.0)
POKER = Size("poker", 63.5, 88.9)
A4 = Paper("a4", 210.0, 297.0)

sides = st.floats(15, 120)
depths = st.floats(4, 60)


@cache
def loaded(game: str) -> Kit:
    return load_kit(Workspace(ROOT), game, None, STANDARD)


def fitted(game: str, paper: Paper, options: BuildOptions) -> tuple[list[str], list[str]]:
    """Return the boxes that a game has on a paper, and what is told."""
    kit, told = loaded(game), list[Problem]()
    found = [box for plan in kit.game.boxes for box in fit(kit, plan, paper, options, told)]
    return [f"{box.id} {box.count}" for box in found], [str(problem) for problem in told]


def panels(net: Net) -> dict[str, Box]:
    return {panel.name: panel.box for panel in net.panels}


def width(box: Box) -> float:
    return box[2] - box[0]


def height(box: Box) -> float:
    return box[3] - box[1]


def test_the_depth_follows_the_number_of_cards() -> None:
    assert box_size(POKER, 60, 1, STOCK, sleeved=False) == pytest.approx((64.5, 89.9, 19.0))
    assert box_size(POKER, 30, 1, STOCK, sleeved=False) == pytest.approx((64.5, 89.9, 10.0))


def test_sleeves_make_a_box_wider_higher_and_deeper() -> None:
    assert box_size(POKER, 60, 1, STOCK, sleeved=True) == pytest.approx((67.0, 92.0, 31.0))


def test_thicker_stock_makes_a_deeper_box() -> None:
    size = box_size(POKER, 60, 1, STOCK, sleeved=True, thickness=0.35)
    assert size == pytest.approx((67.0, 92.0, 34.0))


def test_stacks_stand_side_by_side() -> None:
    token = Size("token", 15.0, 15.0)
    assert box_size(token, 98, 4, STOCK, sleeved=False) == pytest.approx((61.0, 16.0, 8.5))


def test_no_box_is_too_thin_to_fold() -> None:
    assert box_size(POKER, 2, 1, STOCK, sleeved=False)[2] == 4.0


@given(sides, sides, depths)
def test_the_free_edges_meet_when_the_row_is_folded(wide: float, high: float, deep: float) -> None:
    found = panels(make_net((wide, high, deep)))
    assert set(found) == set(PANELS)
    row = [found[name] for name in ("left", "front", "right", "back")]
    for before, after in pairwise(row):
        assert before[2] == after[0], "panels of the row touch"
    assert {(box[1], box[3]) for box in row} == {(row[0][1], row[0][3])}
    assert width(found["front"]) == pytest.approx(width(found["back"]))
    assert width(found["left"]) == pytest.approx(width(found["right"]))
    for lid in (found["top"], found["bottom"]):
        assert height(lid) == pytest.approx(width(found["left"]))
        assert width(lid) == pytest.approx(width(found["front"]))
    assert found["top"][3] == found["back"][1], "the lid hangs on the back"
    assert found["tuck"][3] == found["top"][1]
    assert found["bottom"][1] == found["front"][3]


@given(sides, sides, depths)
def test_glue_meets_a_panel_of_its_own_size(wide: float, high: float, deep: float) -> None:
    net = make_net((wide, high, deep))
    found = panels(net)
    tab, flap = net.glued
    assert tab[2] == found["left"][0], "the tab is at the free edge of the left side"
    assert (tab[1], tab[3]) == (found["back"][1], found["back"][3]), "it goes behind the back"
    assert width(tab) <= width(found["back"])
    assert flap[1] == found["back"][3], "the flap hangs on the back"
    assert width(flap) <= width(found["bottom"])
    assert height(flap) <= height(found["bottom"])


@given(sides, sides, depths)
def test_art_bleeds_over_every_cut_and_over_no_other_art(
    wide: float, high: float, deep: float
) -> None:
    net = make_net((wide, high, deep))
    for panel in net.panels:
        left, top, right, bottom = panel.box
        edges = (
            (left, top, left, bottom),
            (left, top, right, top),
            (right, top, right, bottom),
            (left, bottom, right, bottom),
        )
        for index, edge in enumerate(edges):
            beside = any(other is not panel and _touches(edge, other.box) for other in net.panels)
            grown = abs(panel.clip[index] - panel.box[index])
            assert grown == pytest.approx(0.0 if beside else BLEED), (panel.name, index)


def _touches(edge: Box, box: Box) -> bool:
    """Tell whether an edge is, at full length, an edge of a box."""
    return edge in (
        (box[0], box[1], box[0], box[3]),
        (box[0], box[1], box[2], box[1]),
        (box[2], box[1], box[2], box[3]),
        (box[0], box[3], box[2], box[3]),
    )


@given(sides, sides, depths)
def test_the_cut_runs_round_the_whole_net(wide: float, high: float, deep: float) -> None:
    net = make_net((wide, high, deep))
    assert path_bounds(net.cut)[2:] == pytest.approx((net.width, net.height))
    assert path_bounds(net.cut)[0] == pytest.approx(0.0)
    assert path_bounds(net.cut)[1] >= -1e-9
    for panel in net.panels:
        assert panel.box[0] >= 0
        assert panel.box[3] <= net.height + 1e-9


def test_only_the_lid_lies_upside_down_on_the_net() -> None:
    net = make_net((64.5, 89.9, 19.0))
    assert [panel.name for panel in net.panels if panel.turn] == ["top", "tuck"]
    lid = next(panel for panel in net.panels if panel.name == "top")
    assert apply(lid.matrix(), 0.0, 0.0) == pytest.approx((lid.box[2], lid.box[3]))


def test_a_net_is_turned_where_that_alone_fits() -> None:
    slim, thick = make_net((64.5, 89.9, 19.0)), make_net((67.0, 92.0, 31.0))
    upright, turned = place_net(slim, A4), place_net(thick, A4)
    assert upright is not None
    assert turned is not None
    assert (upright.turned, turned.turned) == (False, True)
    assert place_net(make_net((150.0, 150.0, 60.0)), A4) is None
    for net, spot in ((slim, upright), (thick, turned)):
        for panel in net.panels:
            left, top, right, bottom = on_page(panel.clip, spot.matrix)
            assert left >= A4.margin
            assert top >= A4.margin
            assert right <= A4.width - A4.margin
            assert bottom <= A4.height - A4.margin


@pytest.mark.parametrize("sleeved", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_box_of_our_games_fits_both_papers(game: str, sleeved: bool) -> None:
    decks = {name for plan in loaded(game).game.boxes for name in plan.decks}
    assert decks == {deck.id for deck in loaded(game).game.decks if deck.kind == "deck"}
    for paper in papers_called(Workspace(ROOT), ["a4", "letter"]):
        found, told = fitted(game, paper, BuildOptions(sleeved=sleeved))
        assert len(found) == len(loaded(game).game.boxes)
        assert told == []


def test_a_deck_that_is_too_thick_is_split_and_that_is_told() -> None:
    found, told = fitted("hand-solo", A4, BuildOptions(stock=3.0))
    assert found == ["cards-1 11", "cards-2 11", "cards-3 9"]
    assert told == [
        "components/hand-solo/game.yaml:19:10: warning: the 31 cards of the box 'cards' are too "
        "thick for one that a4 can print; expected fewer, so they have 3 boxes of 11 [split-box]"
    ]


def test_a_box_that_no_paper_takes_is_left_out_and_that_is_told() -> None:
    found, told = fitted("hand-solo", Paper("note", 148.0, 105.0), BuildOptions())
    assert found == []
    assert told == [
        "components/hand-solo/game.yaml:19:10: warning: the box 'cards' is 153 x 122.9 mm "
        "unfolded; expected at most 138 x 95 mm, which is what note can print; it is left out "
        "[no-box]"
    ]


def test_a_strict_build_stops_at_such_a_box() -> None:
    kit = load_kit(Workspace(ROOT), "hand-solo", None, STANDARD)
    with pytest.raises(InvalidInputError):
        lay_boxes(kit, A4, BuildOptions(stock=3.0, strict=True))


def test_tokens_have_no_sleeves() -> None:
    kit = loaded("devices")
    plan = next(plan for plan in kit.game.boxes if plan.id == "tokens")
    (box,) = fit(kit, plan, A4, BuildOptions(sleeved=True), [])
    assert box.dimensions == pytest.approx((61.0, 16.0, 8.5))


def test_boxes_come_last_in_the_kit_with_an_empty_page_behind_each() -> None:
    kit = compose_kit(load_kit(Workspace(ROOT), "hard-wired", None, STANDARD), STANDARD)
    book = lay_kit(kit, A4, BuildOptions())
    titles = [page.bookmark for page in book.pages[-4:]]
    assert titles == ["Box: Displays", "", "Box: Circuits", ""]
    assert [len(page.placed) for page in book.pages[-4:]][1::2] == [0, 0]
    fronts = lay_kit(kit, A4, BuildOptions(sides="fronts"))
    assert [page.bookmark for page in fronts.pages[-2:]] == ["Box: Displays", "Box: Circuits"]


def test_a_panel_may_show_the_face_of_a_card_as_an_icon() -> None:
    card = Face("a/b", 60.0, 90.0, 3.0, (), "f00")
    kit = loaded("hand-solo")
    materials = PanelMaterials(
        *(kit.theme, kit.materials.fonts, kit.materials.icons),
        *(kit.materials.layouts, kit.materials.picture),
        faces={"a/b": card}.get,
    )
    shown = materials.icon("face:a/b", "#000000")
    assert isinstance(shown, Icon)
    assert shown.aspect == pytest.approx(60 / 90)
    assert shown.symbol.box == pytest.approx((0.0, 0.0, 60 / 90, 1.0)), "cut at the trim"
    face = Face("panel", 60.0, 90.0, 3.0, (Use(shown.symbol),), "")
    assert Encoder(kit.materials.fonts, {"a/b"}).encode(face).faces == ("a/b",), "it is named"
    assert materials.icon("face:a/c", "#000000") is None
    assert isinstance(materials.icon("credit", "#000000"), Icon)


def test_a_face_that_is_not_there_is_told_at_its_place(
    tmp_path: Path, lay_files: Callable[..., Path]
) -> None:
    files = pond()
    files["layouts/pond/box-top.yaml"] = (
        "layout: pond/box-top\ndraw:\n  - icon: {box: face, name: face:frogs/bull-frig}\n"
    )
    with pytest.raises(InvalidInputError) as caught:
        load_kit(Workspace(lay_files(tmp_path, files)), "pond", None, STANDARD)
    assert [str(problem) for problem in caught.value.problems] == [
        "layouts/pond/box-top.yaml:3:29: the icon 'face:frogs/bull-frig' is not there; expected "
        "the name of an icon's file; did you mean 'face:frogs/bull-frog'? [unknown-icon]"
    ]


def pond() -> dict[str, str]:
    """Return the smallest whole game, with a box."""
    base = ROOT / "tests/faults/base"
    files = {
        path.relative_to(base).as_posix(): path.read_text(encoding="utf-8")
        for path in base.rglob("*")
        if path.is_file()
    }
    files["components/pond/game.yaml"] += "boxes:\n  frogs: {decks: [frogs]}\n"
    return files


def test_a_game_without_box_art_has_the_shared_one(
    tmp_path: Path, lay_files: Callable[..., Path]
) -> None:
    kit = prepare(Workspace(lay_files(tmp_path, pond())), "pond", BuildOptions())
    assert kit.box_dress is not None
    assert set(kit.box_dress.layouts.values()) == {
        f"shared/box-{name}" for name in ("front", "back", "side", "top", "bottom", "tuck")
    }
    (box,) = lay_boxes(kit, A4, BuildOptions(strict=True))
    assert (box.id, box.title) == ("frogs", "Box: Frogs")


def test_the_lines_of_a_net(golden: Callable[[str, str], None]) -> None:
    net = make_net((64.5, 89.9, 19.0))
    lines = dump((Stroke(net.cut, "#000000", 0.15), Stroke(net.folds, "#000000", 0.15, (1.6, 1.2))))
    rows = [
        f"{panel.name} {panel.turn} "
        + " ".join(f"{side:.2f}" for side in (*panel.box, *panel.clip))
        for panel in net.panels
    ]
    golden("sheets/tuckbox.txt", lines + "\n".join(rows) + "\n")


def test_the_command_makes_boxes_for_sleeved_cards(tmp_path: Path) -> None:
    words = ["build", "hardware-hustle", "--paper", "a4", "--sleeved", "--stock", "0.4"]
    result = CliRunner().invoke(cli, [*words, "--workspace", str(ROOT), "--output", str(tmp_path)])
    assert result.exit_code == 0, result.output
    with pikepdf.open(tmp_path / "hardware-hustle/print/box-reference-a4.pdf") as pdf:
        (page,) = pdf.pages
        trim = [float(number) for number in page.TrimBox]
    net = make_net((67.0, 92.0, 6 * 0.6 + 1.0))
    assert (trim[2] - trim[0]) / 72 * 25.4 == pytest.approx(net.width, abs=0.05)
    assert (trim[3] - trim[1]) / 72 * 25.4 == pytest.approx(net.height, abs=0.05)


def test_a_chosen_deck_is_built_without_boxes() -> None:
    kit = replace(loaded("hand-solo"), box_sheets={})
    assert lay_boxes(kit, A4, BuildOptions(decks=("ships",))) == ()


def test_a_deck_that_cannot_be_read_is_told_once_and_not_for_its_box_too(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "components" / "hard-wired", tmp_path / "components" / "hard-wired")
    (tmp_path / "components" / "hard-wired" / "circuits.yaml").write_text("", encoding="utf-8")
    with pytest.raises(InvalidInputError) as error:
        load_game(Workspace(tmp_path), "hard-wired")
    (told,) = map(str, error.value.problems)
    place = "components/hard-wired/circuits.yaml:1:1"
    assert told == f"{place}: the file is empty; expected 'key: value' lines [empty-file]"
