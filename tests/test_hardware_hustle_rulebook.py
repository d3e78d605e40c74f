"""The rulebook of Hardware Hustle: its words, its played game, and parts of faces as figures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from kitwright.engines import facts_of
from kitwright.load import Workspace, load_game
from kitwright.load.rules import load_rules
from kitwright.ops import Face, Group, Use
from kitwright.pipeline import compose_kit, load_kit
from kitwright.press.kit import STANDARD, Kit, cards_of
from kitwright.press.rulebooks import figures_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.blocks import CardScene, Rulebook
from kitwright.rulebook.book import make_rulebook
from kitwright.write.markdown import write_markdown

ROOT = Path(__file__).parent.parent
BESIDE = "components/hardware-hustle/rules.yaml"
PLAIN = "rulebook: hardware-hustle\ndecoration: ['*']\n"


@cache
def composed(variant: str | None = None) -> tuple[Kit, Mapping[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(Workspace(ROOT), "hardware-hustle", variant, STANDARD)
    compose_kit(kit, STANDARD, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


def rulebook(root: Path, variant: str | None = None) -> Rulebook:
    """Make the rulebook whose words lie in a folder."""
    kit, faces = composed(variant)
    problems: list[Problem] = []
    source = load_rules(Workspace(root), kit.game, problems)
    if problems:
        raise InvalidInputError(problems)
    assert source is not None
    drawn = {name for name, _ in kit.materials.dressed}
    standard = load_game(ROOT, "hardware-hustle")
    cards, icons = cards_of(kit.decks, faces), kit.materials.icons
    return make_rulebook(source, kit.game, standard, cards, icons, drawn)


def one_figure(folder: Path, figure: str) -> Rulebook:
    """Make a book of a single figure."""
    home = folder / "components/hardware-hustle"
    home.mkdir(parents=True)
    text = "# Hardware Hustle\n\n![One.](figure:one)\n"
    (home / "rules.md").write_text(text, encoding="utf-8")
    beside = f"{PLAIN}figures:\n  one:\n    card: {figure}\n"
    (home / "rules.yaml").write_text(beside, encoding="utf-8")
    return rulebook(folder)


def faults(folder: Path, figure: str) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        one_figure(folder, figure)
    return [str(problem) for problem in caught.value.problems]


def words_of(variant: str | None = None) -> str:
    return " ".join(write_markdown(rulebook(ROOT, variant)).split())


def test_the_played_game_is_told_with_the_figures_of_the_engine() -> None:
    words = words_of()
    assert "Robin rolls 4 for Buy and gets 1" in words
    assert "12 less 2, less 1, less 2 leaves 7" in words
    assert "the day ends at \N{MINUS SIGN}1 opportunity: a burnout" in words
    days = facts_of(load_game(ROOT, "hardware-hustle"))["sample"]["days"]
    assert (days[0]["money"]["pm"], days[0]["opportunity"]["pm"]) == (11, 7)
    assert (days[3]["number"], days[3]["opportunity"]["pm"]) == (4, -1)


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("shared-rolls", "One player rolls for everybody, once for each phase."),
        ("high-graph", "If you have more than 250 money"),
        ("fair-trade", "choose your research with an eye on what you want to sell"),
    ],
)
def test_a_variant_has_its_own_words(variant: str, said: str) -> None:
    assert said in words_of(variant)
    assert said not in words_of()


def test_costs_and_ranks_are_those_of_the_data() -> None:
    words = words_of()
    assert "| Synth | 40 money | **4** | 3 | 2 | 1 |" in words
    assert "| Noisebox | Enclosure, Speaker, Controls | **2** | 1 | 0 | 0 |" in words
    for rank in load_game(ROOT, "hardware-hustle").tables["ranks"]["rows"]:
        assert f"**{rank['rank']}**" in words


def test_a_part_of_a_face_is_shown_with_spots_from_its_own_corner(tmp_path: Path) -> None:
    note = "{at: [100mm, 30mm], text: There.}"
    book = one_figure(tmp_path, f"{{card: sample, area: [79mm, 4mm, 90mm, 63mm], notes: [{note}]}}")
    (figure,) = figures_of(book.blocks)
    assert isinstance(figure.scene, CardScene)
    face = figure.scene.card.face
    whole = composed()[1]["sample/sample"]
    assert (face.width, face.height, face.bleed) == (90.0, 63.0, 0.0)
    assert figure.scene.spots == ((21.0, 26.0),)
    (group,) = face.ops
    assert isinstance(group, Group)
    assert group.matrix[4:] == (-79.0, -4.0)
    (use,) = group.ops
    assert isinstance(use, Use)
    assert use.symbol.ops == whole.ops
    assert face.hash != whole.hash


def test_an_area_lies_on_its_face(tmp_path: Path) -> None:
    assert faults(tmp_path, "{card: sample, area: [200mm, 4mm, 90mm, 63mm]}") == [
        f"{BESIDE}:5:32: area is [200mm, 4mm, 90mm, 63mm]; "
        "expected a part of the card, which is 264.16mm x 198.12mm [bad-value]"
    ]


def test_a_spot_lies_in_the_area_shown(tmp_path: Path) -> None:
    figure = (
        "{card: sample, area: [79mm, 4mm, 90mm, 63mm], notes: [{at: [9mm, 9mm], text: There.}]}"
    )
    assert faults(tmp_path, figure) == [
        f"{BESIDE}:5:70: at is [9mm, 9mm]; "
        "expected a spot in the area [79mm, 4mm, 90mm, 63mm] [bad-value]"
    ]
