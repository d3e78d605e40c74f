"""The rulebook of Hand Solo: what its figures show and what its examples tell."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from random import Random

import pytest

from kitwright.engines.hand_solo import engine
from kitwright.load import Workspace, load_game
from kitwright.ops import Face, Group, Use
from kitwright.pipeline import BuildOptions, compose_kit, load_kit, prepare
from kitwright.press.kit import STANDARD, Kit, cards_of
from kitwright.press.rulebooks import figures_of
from kitwright.problems import InvalidInputError
from kitwright.rulebook.blocks import Callout, CardScene, Figure, Paragraph, RowScene, Rulebook
from kitwright.rulebook.blocks import Table as TableBlock
from kitwright.rulebook.book import make_rulebook

ROOT = Path(__file__).parent.parent
RULES = "components/hand-solo/rules.yaml"


@cache
def composed() -> tuple[Kit, dict[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(Workspace(ROOT), "hand-solo", None, STANDARD)
    compose_kit(kit, STANDARD, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


@cache
def book() -> Rulebook:
    kit, faces = composed()
    assert kit.rules is not None
    drawn = {name for name, _ in kit.materials.dressed}
    cards = cards_of(kit.decks, faces)
    return make_rulebook(kit.rules, kit.game, kit.game, cards, kit.materials.icons, drawn)


def figure(name: str) -> Figure:
    return next(each for each in figures_of(book().blocks) if each.name == name)


def held(name: str) -> list[str]:
    """List the faces of a hand from the lowest, by the ids of their faces."""
    scene = figure(name).scene
    assert isinstance(scene, CardScene | RowScene)
    hand = scene.card if isinstance(scene, CardScene) else scene.cards[0]
    assert hand.of, "the cards of a hand have edges of their own"
    ids = {face.hash: face.id for face in composed()[1].values()}
    found = []
    for op in hand.face.ops:
        assert isinstance(op, Group)
        card = op.ops[0]
        assert isinstance(card, Group)
        (use,) = card.ops
        assert isinstance(use, Use)
        found.append(ids[use.symbol.id])
    return found


def test_the_hand_of_the_set_up_is_the_landing_that_the_example_plays() -> None:
    assert held("hand") == [
        "starports/mars",
        "ships/shuttle",
        "starports/titan",
        "starports/luna",
        "starports/europa",
    ]


def test_a_contract_is_turned_left_and_goods_are_turned_right() -> None:
    assert held("favour")[:2] == ["starports/venus", "contacts/smuggler"]
    scene = figure("favour").scene
    assert isinstance(scene, RowScene)
    contract, goods = scene.cards[0].face.ops[:2]
    assert isinstance(contract, Group)
    assert isinstance(goods, Group)
    assert [round(x) for x in contract.matrix[:4]] == [0, -1, 1, 0]
    assert [round(x) for x in goods.matrix[:4]] == [0, 1, -1, 0]


def test_a_port_that_has_turned_shows_its_friendly_side() -> None:
    assert held("delivered")[-1] == "starports/ganymede-back"


def test_notes_on_a_hand_are_pins_without_lines() -> None:
    scene = figure("market").scene
    assert isinstance(scene, CardScene)
    assert scene.pins
    assert scene.notes[1] == "The Freighter's modifier: **FO +3** counts."


def test_the_pricing_table_is_that_of_the_rules() -> None:
    example = next(
        block
        for block in book().blocks
        if isinstance(block, Callout)
        and isinstance(block.blocks[0], Paragraph)
        and block.blocks[0].text.startswith("**Example: a market")
    )
    (table,) = (block for block in example.blocks if isinstance(block, TableBlock))
    rows = {row[0].split("**")[1]: row[1:] for row in table.rows}
    assert rows == {
        "FO": ("4", "+3", "**7**"),
        "IN": ("5", "", "**5**"),
        "MI": ("4", "", "**4**"),
        "FU": ("2", "", "**2**"),
        "TE": ("7", "\u22124", "**3**"),
        "CN": ("10", "", "**10**"),
        "MI+": ("7", "", "**7**"),
    }


@pytest.mark.parametrize("variant", ["easy-fees", "good-name", "no-contracts"])
def test_every_variant_has_its_rulebook(variant: str) -> None:
    kit = prepare(Workspace(ROOT), "hand-solo", BuildOptions(variant=variant, strict=True))
    assert kit.rulebook is not None


def test_an_edit_that_breaks_the_example_is_told_at_its_move(tmp_path: Path) -> None:
    for folder in ("components", "layouts"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=_others)
    ports = tmp_path / "components/hand-solo/starports.yaml"
    text = ports.read_text(encoding="utf-8")
    dearer = text.replace(
        "prices: {FO: 4, IN: 5, MI: 4, FU: 2, TE: 7", "prices: {FO: 4, IN: 5, MI: 4, FU: 2, TE: 8"
    )
    assert dearer != text
    ports.write_text(dearer, encoding="utf-8")
    with pytest.raises(InvalidInputError) as caught:
        prepare(Workspace(tmp_path), "hand-solo", BuildOptions())
    (said,) = [str(problem) for problem in caught.value.problems]
    assert re.fullmatch(
        rf"{RULES}:\d+:\d+: the example 'pricing' no longer holds: "
        r"after 'land' '.* prices.TE == 3' is not true; expected it to be \[example-fails\]",
        said,
    )


def _others(folder: str, names: list[str]) -> list[str]:
    """Leave out the other games."""
    inside = Path(folder).name in ("components", "layouts")
    return [name for name in names if inside and name not in ("hand-solo", "shared")]


def test_a_state_tells_which_side_is_up_and_what_fills_the_holds() -> None:
    made = engine(load_game(Workspace(ROOT), "hand-solo"))
    state = made.new_game(1, Random(286))
    for move in ("land", "accept", "buy smuggler", "leave", "land", "complete venus for renown"):
        legal = {str(each): each for each in state.legal_moves()}
        if move == "land" and state.hold:
            assert state.facts()["up"]["contracts"] == ("venus",)
            assert state.facts()["up"]["goods"] == ("smuggler",)
        state = state.apply(legal[move])
    facts = state.facts()
    assert facts["up"]["discard"][-1] == "venus+"
    assert facts["goods"]["venus"] == "FO+"
    assert (facts["credits"], facts["renown"], facts["free"]) == (7, 1, 1)
    assert facts["rank"] == "Citizen"
    assert facts["prices"]["CN"] == 12


def test_a_contact_that_deals_in_nothing_has_no_prices() -> None:
    made = engine(load_game(Workspace(ROOT), "hand-solo"))
    deck = [made.box.number["pirate-1"], made.box.number["courier"]]
    state = made.deal(deck)
    assert state.facts()["prices"] == {}
    assert state.apply(state.legal_moves()[0]).facts()["prices"] == {"IN": 7}
