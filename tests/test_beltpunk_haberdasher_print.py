"""What is printed of Beltpunk Haberdasher says what its data say, in every skin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from kitwright.load import find_workspace
from kitwright.ops import Face, Group, Op, Use, Word
from kitwright.pipeline import Kit, compose_kit, load_kit

ROOT = Path(__file__).parent.parent
ID = "beltpunk-haberdasher"


@cache
def printed(skin: str = "standard", variant: str | None = None) -> tuple[Kit, dict[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(find_workspace(ROOT), ID, variant, skin)
    composed = compose_kit(kit, skin, (), lambda face: faces.update({face.id: face}))
    return composed, faces


def words(ops: Iterable[Op]) -> Iterator[str]:
    for op in ops:
        if isinstance(op, Word):
            yield from op.text.split()
        elif isinstance(op, Group):
            yield from words(op.ops)
        elif isinstance(op, Use):
            yield from words(op.symbol.ops)


def text_of(face: str, variant: str | None = None) -> str:
    return " ".join(words(printed("standard", variant)[1][face].ops))


@pytest.mark.parametrize("skin", ["standard", "low-ink"])
def test_every_face_is_drawn_without_a_warning(skin: str) -> None:
    kit, faces = printed(skin)
    assert list(kit.warnings) == []
    assert Counter(face.split("/")[0] for face in faces) == {
        "gearbox": 53,
        "foreman": 2,
        "machine": 2,
        "aids": 2,
        "score-pad": 1,
        **{f"mat-{quarter}": 1 for quarter in (1, 2, 3, 4)},
    }


@pytest.mark.parametrize("skin", ["standard", "low-ink"])
def test_no_two_cards_look_alike(skin: str) -> None:
    _, faces = printed(skin)
    hashes = [face.hash for name, face in faces.items() if name.startswith("gearbox/")]
    assert len(set(hashes)) == 53


def test_a_card_shows_its_rank_in_two_corners_and_both_its_actions() -> None:
    game = printed()[0].game
    for card in game.deck("gearbox").cards:
        text = text_of(f"gearbox/{card.id}").split()
        assert text.count(str(card.fields["rank"])) == 2
        for action in game.rules["suits"][card.fields["suit"]]["actions"]:
            row = game.rules["actions"][action]
            said = f"{row['title']}. {row['text']}"
            assert said in " ".join(text)


def test_a_portrait_is_named() -> None:
    assert "Countess of Electricity" in text_of("gearbox/electricity-13")
    assert "of Electricity" not in text_of("gearbox/electricity-10")


def test_the_machine_names_each_suit_and_the_action_of_each_corner() -> None:
    text = text_of("machine/the-machine").split()
    assert Counter(text)["Steam"] == 1
    assert text[-4:] == ["Exchange", "Swap", "Salvage", "Draw"]
    for players in ("2", "3", "4"):
        assert text.count(players) == 4 + 1, "a stop on each belt, and the place of one suit"


def test_the_reference_card_has_every_score_of_the_table() -> None:
    text = text_of("aids/reference")
    for said in (
        "Goggles Two of one number 3",
        "Broken Gears Three of one number 5",
        "Perfect Gears Four of one number 10",
        "Cobbled Belt A run, no suit twice 3\N{EN DASH}4",
        "\N{MINUS SIGN}1",
    ):
        assert said in text
    assert "3 5 4 7 5 9 6 11 7 13" in text, "the ladder of the Perfect Belt"


@pytest.mark.parametrize(("variant", "target"), [(None, "35"), ("quick", "25")])
def test_the_target_is_printed_as_the_rules_have_it(variant: str | None, target: str) -> None:
    assert f"{target} after a round wins" in text_of("aids/back", variant)
    assert f"{target} or more" in text_of("score-pad/score-pad", variant)


def test_the_quarters_of_the_mat_have_all_actions_and_belts() -> None:
    text = " ".join(text_of(f"mat-{quarter}/mat-{quarter}") for quarter in (1, 2, 3, 4))
    for title in ("Draw", "Exchange", "Swap", "Salvage", "Steam", "Gears", "Parts", "Electricity"):
        assert title in text
