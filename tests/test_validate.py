"""Whole-model checks: what they find, and what they leave alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kitwright.load import Workspace, load_game
from kitwright.load.icons import load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.themes import load_theme
from kitwright.load.workspace import shipped_root
from kitwright.problems import Problem
from kitwright.validate import validate

BASE = Path(__file__).parent / "faults" / "base"
SIXTH = Path(__file__).parent / "workspace"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "pond")
    return tmp_path / "pond"


def found(
    root: Path, game_id: str, variant: str | None = None, skin: str = "standard"
) -> list[str]:
    workspace = Workspace(root)
    problems: list[Problem] = []
    game = load_game(workspace, game_id, variant)
    theme_name = game.theme if skin == "standard" else f"{game_id}/skins/{skin}"
    theme = load_theme(workspace, theme_name, problems)
    assert theme is not None
    reader = LayoutReader(workspace, problems)
    icons = load_icons(workspace, game_id, problems)
    told = validate(game, theme, reader.read, icons, skin)
    assert problems == []
    return [str(problem) for problem in told]


def drawing(pond: Path, draws: str) -> list[str]:
    layout = pond / "layouts" / "pond" / "frog.yaml"
    layout.write_text(
        "layout: pond/frog\nboxes: {name: {inside: safe, h: 8mm}}\ndraw:\n" + draws,
        encoding="utf-8",
    )
    return found(pond, "pond")


@pytest.mark.parametrize(
    ("root", "game", "variant", "skin"),
    [
        (BASE, "pond", None, "standard"),
        (BASE, "pond", "dusk", "night"),
        (SIXTH, "snail-mail", None, "standard"),
        (SIXTH, "snail-mail", "rain", "moonlight"),
        (shipped_root(), "hard-wired", None, "standard"),
        (shipped_root(), "hard-wired", "handicap", "low-ink"),
    ],
)
def test_a_sound_game_gives_nothing_to_say(
    root: Path, game: str, variant: str | None, skin: str
) -> None:
    assert found(root, game, variant, skin) == []


def test_a_draw_that_no_card_asks_for_is_looked_at(pond: Path) -> None:
    assert drawing(pond, "  - icon: {box: name, name: fli, when: card.leap > 99}\n") == [
        "layouts/pond/frog.yaml:4:29: the icon 'fli' is not there; expected the name of an icon's "
        "file; did you mean 'fly'? [unknown-icon]"
    ]


def test_a_draw_that_this_deck_or_skin_never_asks_for_is_left_alone(pond: Path) -> None:
    draws = (
        "  - fill: {box: name, color: glow, when: skin == 'night'}\n"
        "  - text: {box: name, style: name, text: '{{ card.wings }}', overflow: error,"
        " when: deck.id == 'toads'}\n"
    )
    assert drawing(pond, draws) == []


def test_a_field_that_was_tested_for_may_be_missing(pond: Path) -> None:
    draws = (
        "  - text: {box: name, style: name, text: '{{ card.wings }}', overflow: error,"
        " when: card.wings is defined}\n"
        "  - group: {when: card.wings is defined}\n"
        "    draw:\n"
        "      - text: {box: name, style: name, text: '{{ card.wings }}', overflow: error}\n"
        "  - text: {box: name, style: name, text: '{{ card.fins | default(0) }}',"
        " overflow: error}\n"
    )
    assert drawing(pond, draws) == []


def test_names_are_known_only_where_they_are_given(pond: Path) -> None:
    draws = (
        "  - each: n in range(2)\n"
        "    down: name\n"
        "    draw:\n"
        "      - text: {box: cell, style: name, text: '{{ n }}{{ loop.index }}', overflow: error}\n"
        "  - text: {box: name, style: name, text: '{{ n }}', overflow: error}\n"
    )
    assert drawing(pond, draws) == [
        "layouts/pond/frog.yaml:8:42: text: there is no 'n' here; expected one of card, deck, "
        "figures, game, skin [bad-formula]"
    ]


def test_a_fragment_sees_the_names_that_it_is_given(pond: Path) -> None:
    (pond / "layouts" / "pond" / "label.yaml").write_text(
        "layout: pond/label\n"
        "draw: [{text: {box: face, style: name, text: '{{ label }}', overflow: error}}]\n",
        encoding="utf-8",
    )
    given = "  - use: {layout: pond/label, box: name, with: {label: '{{ card.title }}'}}\n"
    assert drawing(pond, given) == []
    assert drawing(pond, "  - use: {layout: pond/label, box: name}\n") == [
        "layouts/pond/label.yaml:2:46: text: there is no 'label' here; expected one of card, deck, "
        "figures, game, skin [bad-formula]"
    ]
    assert drawing(pond, given.replace("title", "titel")) == [
        "layouts/pond/frog.yaml:4:48: with: card has no 'titel'; expected one of title, leap, "
        "home, text, id, copies; did you mean 'title'? [bad-formula]"
    ]


def test_the_cells_of_a_table_know_their_row(pond: Path) -> None:
    draws = (
        "  - table: {box: name, rows: game.tables.depths.rows, style: name,"
        " columns: [{text: '{{ number }} {{ row.water }}'}]}\n"
        "  - table: {box: name, rows: game.tables.depth.rows, style: name,"
        " columns: [{text: '{{ rwo.water }}'}]}\n"
    )
    assert drawing(pond, draws) == [
        "layouts/pond/frog.yaml:5:30: rows: game.tables has no 'depth'; expected one of depths; "
        "did you mean 'depths'? [bad-formula]",
        "layouts/pond/frog.yaml:5:76: columns: there is no 'rwo' here; expected one of card, deck, "
        "figures, game, number, row, skin; did you mean 'row'? [bad-formula]",
    ]


def test_a_gradient_fills_and_does_not_line(pond: Path) -> None:
    draws = (
        "  - fill: {box: name, color: deep}\n  - circle: {box: name, color: deep, stroke: deep}\n"
    )
    assert drawing(pond, draws) == [
        "layouts/pond/frog.yaml:5:46: 'deep' is a gradient; expected a colour here [unknown-color]"
    ]


def test_a_warning_that_many_draws_share_is_told_once(pond: Path) -> None:
    theme = pond / "layouts" / "pond" / "theme.yaml"
    theme.write_text(theme.read_text().replace(", least: 8pt", ""))
    assert found(pond, "pond") == [
        "layouts/pond/frog.yaml:7:72: warning: overflow is 'shrink' but the style 'name' has no "
        "least size; expected 'least' in the style, or 'overflow: error' [never-shrinks]"
    ]


def test_a_layout_that_a_skin_replaces_is_the_one_looked_at(pond: Path) -> None:
    skin = pond / "layouts" / "pond" / "skins" / "night.yaml"
    skin.write_text(skin.read_text() + "replace: {pond/frog: pond/dark-frog}\n")
    (pond / "layouts" / "pond" / "dark-frog.yaml").write_text(
        "layout: pond/dark-frog\ndraw: [{fill: {box: face, color: watr}}]\n", encoding="utf-8"
    )
    assert found(pond, "pond") == []
    assert found(pond, "pond", skin="night") == [
        "layouts/pond/dark-frog.yaml:2:34: the colour 'watr' is not there; expected a colour of "
        "the theme; did you mean 'water'? [unknown-color]"
    ]
