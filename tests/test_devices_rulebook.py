"""The rulebook of Devices: its examples, its figures, and cards laid at their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from kitwright.load import Workspace, load_game
from kitwright.load.rules import load_rules
from kitwright.ops import Face, Group, Op, Stroke, Use, Word
from kitwright.pipeline import compose_kit, load_kit
from kitwright.press.kit import STANDARD, Kit, cards_of
from kitwright.press.rulebooks import figures_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.blocks import Figure, LaidScene, Paragraph, Rulebook, Table
from kitwright.rulebook.book import make_rulebook
from kitwright.rulebook.figures import Artist
from kitwright.rulebook.laid import columns_of, plan_of
from kitwright.rulebook.pages import paginate
from kitwright.rulebook.rows import part_rows
from kitwright.rulebook.slabs import Frame, Slab, Typesetter
from kitwright.write.markdown import write_markdown

ROOT = Path(__file__).parent.parent
BESIDE = "components/devices/rules.yaml"
PLAIN = "rulebook: devices\ndecoration: ['*']\n"


@cache
def composed() -> tuple[Kit, Mapping[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(Workspace(ROOT), "devices", None, STANDARD)
    compose_kit(kit, STANDARD, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


def rulebook(folder: Path, text: str, beside: str, variant: str | None = None) -> Rulebook:
    """Make the rulebook of Devices from other words."""
    home = folder / "components/devices"
    home.mkdir(parents=True, exist_ok=True)
    (home / "rules.md").write_text(text, encoding="utf-8")
    (home / "rules.yaml").write_text(beside, encoding="utf-8")
    kit, faces = composed()
    problems: list[Problem] = []
    source = load_rules(Workspace(folder), kit.game, problems)
    if problems:
        raise InvalidInputError(problems)
    assert source is not None
    drawn = {name for name, _ in kit.materials.dressed}
    cards, icons = cards_of(kit.decks, faces), kit.materials.icons
    game = load_game(ROOT, "devices", variant)
    return make_rulebook(source, game, kit.game, cards, icons, drawn)


def faults(folder: Path, text: str, beside: str) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        rulebook(folder, text, beside)
    return [str(problem) for problem in caught.value.problems]


def shipped() -> tuple[str, str]:
    home = ROOT / "components/devices"
    return (home / "rules.md").read_text("utf-8"), (home / "rules.yaml").read_text("utf-8")


def laid(cards: str, notes: str = "[]") -> tuple[str, str]:
    figure = f"figures:\n  one:\n    laid:\n      cards: {cards}\n      notes: {notes}\n"
    return "# Devices\n\n![One.](figure:one)\n", PLAIN + figure


def scene_of(book: Rulebook, name: str) -> LaidScene:
    (figure,) = (each for each in figures_of(book.blocks) if each.name == name)
    assert isinstance(figure, Figure)
    assert isinstance(figure.scene, LaidScene)
    return figure.scene


def test_the_device_of_the_rulebook_is_the_one_that_the_engine_laid(tmp_path: Path) -> None:
    scene = scene_of(rulebook(tmp_path, *shipped()), "device")
    wide, high = 63.5, 88.9
    assert [(card.face.id, spot) for card, spot in scene.cards] == [
        ("players/moon-hopper", (0.0, high / 2)),
        ("special/s01", (wide, high / 2)),
        ("special/c01", (2 * wide, 0.0)),
        ("special/c02", (2 * wide, high)),
        ("basic/basic-joiner", (3 * wide, high / 2)),
        ("players/moon-packer", (4 * wide, high / 2)),
    ]
    assert len(scene.notes) == len(scene.spots) == 6
    assert [note.split(".")[0] for note in scene.notes if "plitter.**" in note] == ["**Splitter"]


def test_cubes_in_a_hopper_lie_on_it_in_the_picture(tmp_path: Path) -> None:
    scene = scene_of(rulebook(tmp_path, *shipped()), "waiting")
    tokens = [card.face.id for card, _ in scene.cards if card.face.width < 20]
    assert tokens == ["tokens/yellow-cube"] * 2 + ["tokens/red-cube"]


def test_the_run_is_told_part_by_part(tmp_path: Path) -> None:
    text = "# Devices\n\n![](table:run)\n\n{{ examples.machine.after[20].runs[0][0].part }}\n"
    _, beside = shipped()
    kept = beside[beside.index("  run:") : beside.index("  variants:")]
    played = beside[beside.index("examples:") : beside.index("  waiting:")]
    blocks = rulebook(tmp_path, text, f"{PLAIN}tables:\n{kept}{played}").blocks
    assert isinstance(blocks[1], Table)
    assert blocks[1].rows == (
        ("**Fountain**", "1 blue", "2 yellow above, 2 red below"),
        ("**Pinch Press**", "2 yellow", "1 red"),
        ("**Blue Kettle**", "2 red", "1 blue"),
        ("**Basic Joiner**", "1 red above, 1 blue below", "1 red, 1 blue"),
    )
    assert isinstance(blocks[2], Paragraph)
    assert blocks[2].text == "Hopper"


def test_an_example_that_claims_another_output_is_told(tmp_path: Path) -> None:
    text, beside = shipped()
    wrong = beside.replace("packed == '1 red, 1 blue'", "packed == '2 blue'")
    line = wrong[: wrong.index("packed == '2 blue'")].count("\n") + 1
    assert faults(tmp_path, text, wrong) == [
        f"{BESIDE}:{line}:27: the example 'machine' no longer holds: after 'run 1' "
        "'packed == '2 blue'' is not true; expected it to be [example-fails]"
    ]


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        (None, "It is open"),
        ("hard-bank", "it has 24 yellow, 24 red and 24 blue cubes"),
        ("haggling", "brings one yellow, at most four in one Buy"),
        ("second-thoughts", "an Accept may put one that you hold under the deck"),
    ],
)
def test_the_words_follow_the_variant(tmp_path: Path, variant: str | None, said: str) -> None:
    book = write_markdown(rulebook(tmp_path, *shipped(), variant))
    assert said in re.sub(r"\s+", " ", book)


@pytest.mark.parametrize(
    ("cards", "notes", "said"),
    [
        ("\"['s01']\"", "[]", "6:14: 's01' is no place of a card; expected [card, column, row]"),
        (
            "\"[['basic-joner', 0, 0]]\"",
            "[]",
            "6:14: there is no card 'basic-joner'; expected the id of a card; "
            "did you mean 'basic-joiner'?",
        ),
        (
            "\"[['s01', 0, 0]]\"",
            "[{card: c01, at: [1mm, 1mm], text: A}]",
            "7:22: card is 'c01'; expected a card of the figure; did you mean 's01'?",
        ),
        (
            "\"[['s01', 0, 0]]\"",
            "[{card: s01, at: [99mm, 1mm], text: A}]",
            "7:31: at is [99mm, 1mm]; expected a spot on the card, which is 63.5mm x 88.9mm",
        ),
    ],
)
def test_cards_that_cannot_be_laid_are_told_with_their_place(
    tmp_path: Path, cards: str, notes: str, said: str
) -> None:
    (found,) = faults(tmp_path, *laid(cards, notes))
    assert found.startswith(f"{BESIDE}:{said} [")


def test_numbers_in_the_notes_of_laid_cards_are_checked(tmp_path: Path) -> None:
    note = "[{card: s01, at: [1mm, 1mm], text: Costs 4}]"
    (found,) = faults(tmp_path, *laid("\"[['s01', 0, 0]]\"", note))
    assert found.startswith(f"{BESIDE}:7:49: the number '4' is written by hand;")


def used(ops: tuple[Op, ...]) -> list[Use]:
    return [
        each
        for op in ops
        for each in ([op] if isinstance(op, Use) else used(op.ops) if isinstance(op, Group) else [])
    ]


def test_laid_cards_fit_the_width_and_their_notes_stand_below(tmp_path: Path) -> None:
    note = "[{card: c01, at: [1mm, 1mm], text: A}, {card: s01, at: [1mm, 1mm], text: B}]"
    book = rulebook(tmp_path, *laid("\"[['s01', 0, 0.5], ['c01', 1, 0]]\"", note))
    scene = scene_of(book, "one")
    plan = plan_of(scene, 50.0)
    assert plan.width == pytest.approx(50.0)
    assert plan.at(scene.cards[1][1]) == pytest.approx((25.0, 0.0))
    kit, _ = composed()
    assert kit.rules is not None
    artist = Artist(kit.rules.dress, kit.materials.fonts, lambda name: None)
    bare = artist.draw(scene, 50.0, with_notes=False)
    told = artist.draw(scene, 50.0)
    assert len(used(bare.ops)) == 2
    assert told.height > bare.height == pytest.approx(plan.height)


def test_notes_are_shared_out_to_columns_of_like_height() -> None:
    assert columns_of([4.0, 4.0, 4.0], 1.0) == (2, 10.0)
    assert columns_of([9.0, 3.0, 3.0], 1.0) == (1, 10.0)
    assert columns_of([5.0], 1.0) == (1, 6.0)


def test_figures_that_wait_go_to_as_many_pages_as_they_need() -> None:
    figure = Slab((), 60.0, floats=True)
    pages = paginate([Slab((), 50.0), figure, figure, Slab((), 10.0)], 100.0)
    assert [page.y for page in pages] == [60.0, 60.0, 60.0]


def test_a_long_table_without_a_header_is_parted_between_its_rows() -> None:
    path = (("M", 0.0, 5.0), ("L", 40.0, 5.0), ("M", 0.0, 11.0), ("L", 40.0, 11.0))
    line = Stroke(path, "#000", 0.2)
    words = [Word(1.0, 3.0 + 6 * at, "sans", 9.0, "#000", f"row {at}") for at in range(3)]
    rows = list(part_rows((line, *words), 0.0, 40.0, 16.0))
    assert [tall for _, tall in rows] == [5.0, 6.0, 5.0]
    told = [[op.text for op in group.ops if isinstance(op, Word)] for group in map(first, rows)]
    assert told == [["row 0"], ["row 1"], ["row 2"]]
    assert [group.matrix[5] for group in map(first, rows)] == [0.0, -5.0, -11.0]


def first(row: tuple[tuple[Op, ...], float]) -> Group:
    (group,) = row[0]
    assert isinstance(group, Group)
    return group


def test_the_rows_at_either_end_of_a_parted_table_stay_together(tmp_path: Path) -> None:
    text = "# Devices\n\n## §1 Icons\n\n![](glossary)\n"
    beside = shipped()[1]
    glossary = beside[beside.index("glossary:") : beside.index("tables:")]
    kept = re.sub(r"§[\d.]+", "there", glossary)
    book = rulebook(tmp_path, text, f"rulebook: devices\n{kept}")
    kit, _ = composed()
    assert kit.rules is not None
    fonts, icons = kit.materials.fonts, no_icon
    setter = Typesetter(kit.rules.dress, fonts, icons, Frame(120.0, 250.0, 0.0), [])
    table = next(block for block in book.blocks if isinstance(block, Table))
    bare = replace(table, rows=tuple(("", *row[1:]) for row in table.rows))
    slabs = setter.table(bare, 0.0, 120.0, "")
    count = len(table.rows)
    assert [slab.keep for slab in slabs] == [True] * 2 + [False] * (count - 5) + [True] * 2 + [
        False
    ]


def no_icon(name: str) -> None:
    return None
