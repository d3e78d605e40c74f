"""The rulebook of Beltpunk Haberdasher: its words follow the data, its diagrams the engine."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from kitwright.load import Workspace
from kitwright.pipeline import BuildOptions, prepare
from kitwright.press.rulebooks import figures_of
from kitwright.problems import InvalidInputError
from kitwright.rulebook.blocks import Figure, Rulebook, Table, TableScene
from kitwright.write.markdown import write_markdown

ROOT = Path(__file__).parent.parent
GAME = "beltpunk-haberdasher"


def book(root: Path, variant: str | None = None) -> Rulebook:
    kit = prepare(Workspace(root), GAME, BuildOptions(variant=variant))
    assert kit.rulebook is not None
    return kit.rulebook.book


@cache
def shipped() -> Rulebook:
    return book(ROOT)


def changed(folder: Path, file: str, old: str, new: str) -> Path:
    """Copy the game with one thing changed."""
    for part in ("components", "layouts"):
        shutil.copytree(ROOT / part / GAME, folder / part / GAME)
        if part == "layouts":
            shutil.copytree(ROOT / part / "shared", folder / part / "shared")
    path = folder / "components" / GAME / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder


def scene(made: Rulebook, name: str) -> TableScene:
    (found,) = (figure for figure in figures_of(made.blocks) if figure.name == name)
    assert isinstance(found, Figure)
    assert isinstance(found.scene, TableScene)
    return found.scene


def laid(made: Rulebook, name: str, at: int = 0) -> list[list[str]]:
    """Return the cards at the sides of The Machine in a figure."""
    pile = scene(made, name).centre[at]
    return [[card.face.id.split("/")[1] for card in side] for side in pile.sides]


def test_the_diagram_of_the_deal_shows_the_belts_that_the_engine_dealt() -> None:
    assert laid(shipped(), "into-the-machine") == [[], ["gears-1"], ["parts-6", "parts-3"], []]
    assert scene(shipped(), "into-the-machine").centre[0].slots == 3


def test_the_set_up_is_shown_for_every_number_of_players() -> None:
    shown = scene(shipped(), "set-up-three")
    assert [len(seat[0].cards) for seat in shown.seats] == [7, 7, 7]
    others = scene(shipped(), "set-up-others").centre
    assert [pile.slots for pile in others] == [2, 4]
    assert [sum(map(len, pile.sides)) for pile in others] == [2, 4]


def test_the_overflow_empties_a_belt_before_the_next_card_comes() -> None:
    before, after = (laid(shipped(), "overflow", at)[3] for at in (0, 1))
    assert before == ["electricity-1", "electricity-2"]
    assert after == ["electricity-13"]


def test_the_score_table_is_that_of_the_data() -> None:
    (table,) = (
        block for block in shipped().blocks
        if isinstance(block, Table) and block.header[1:3] == ("Set", "What it is")
    )  # fmt: skip
    assert [(row[1], row[3], row[4]) for row in table.rows] == [
        ("**Goggles**", "2", "3"),
        ("**Broken Gears**", "3", "5"),
        ("**Perfect Gears**", "4", "10"),
        ("**Perfect Belt**", "3 to 13", "5, each further card 2"),
        ("**Cobbled Belt**", "3 to 4", "3, each further card 1"),
    ]


def test_another_score_is_told_in_the_table_and_in_the_example(tmp_path: Path) -> None:
    old = "{id: goggles, title: Goggles, shape: same-rank, fewest: 2, most: 2, points: 3, extra: 0}"
    root = changed(tmp_path, "game.yaml", old, old.replace("points: 3", "points: 4"))
    words = write_markdown(book(root))
    assert "player 1 Goggles for 4 points" in words
    assert "player 1 Goggles for 3 points" in write_markdown(shipped())


def test_another_deal_tells_that_the_example_no_longer_holds(tmp_path: Path) -> None:
    old = "{players: 3, hand: 7, machine: 3, slots: 3}"
    root = changed(tmp_path, "game.yaml", old, old.replace("hand: 7", "hand: 6"))
    with pytest.raises(InvalidInputError) as caught:
        book(root)
    first = str(caught.value.problems[0])
    assert first.startswith(f"components/{GAME}/rules.yaml:")
    assert "the example 'first_turn' no longer holds: 'choose steam-10' is not open" in first


def test_the_quick_game_has_its_own_target_and_length() -> None:
    quick = write_markdown(book(ROOT, "quick"))
    assert "**25 points** or more" in quick
    assert "**35 points** or more" in write_markdown(shipped())
    assert "Short shift: rounds" in quick
