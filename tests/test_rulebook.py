"""Rulebooks that cannot lie: which blocks come out, and how each fault is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from kitwright.load import Workspace, load_game
from kitwright.load.rules import load_rules
from kitwright.model.game import Game
from kitwright.ops import Face
from kitwright.pipeline import compose_kit, load_kit
from kitwright.press.kit import STANDARD, Kit, cards_of
from kitwright.press.rulebooks import figures_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.blocks import (
    Callout,
    Figure,
    Heading,
    Paragraph,
    RowScene,
    Rulebook,
    Table,
    TableScene,
)
from kitwright.rulebook.book import make_rulebook
from kitwright.rulebook.checks import quoted

ROOT = Path(__file__).parent.parent
RULES = "components/hard-wired/rules.md"
BESIDE = "components/hard-wired/rules.yaml"

# The smallest rulebook.yaml that explains every icon of the cards.
HEAD = "# Hard Wired\n\n## §1 One\n\nWords.\n"
PLAIN = "rulebook: hard-wired\ndecoration: ['*']\n"


@cache
def composed() -> tuple[Kit, Mapping[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(Workspace(ROOT), "hard-wired", None, STANDARD)
    compose_kit(kit, STANDARD, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


def rulebook(folder: Path, text: str, beside: str = PLAIN, game: Game | None = None) -> Rulebook:
    """Make the rulebook of Hard Wired from other words."""
    home = folder / "components/hard-wired"
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
    return make_rulebook(source, game or kit.game, game or kit.game, cards, icons, drawn)


def faults(folder: Path, text: str, beside: str = PLAIN) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        rulebook(folder, text, beside)
    return [str(problem) for problem in caught.value.problems]


def shipped() -> tuple[str, str]:
    return (ROOT / RULES).read_text(encoding="utf-8"), (ROOT / BESIDE).read_text(encoding="utf-8")


@pytest.mark.parametrize("number", ["3", "17", "two", "Seven", "twelve"])
def test_a_number_written_by_hand_is_a_fault_at_its_column(tmp_path: Path, number: str) -> None:
    assert faults(tmp_path, f"# Hard Wired\n\nDraw {number} cards.\n") == [
        f"{RULES}:3:6: the number '{number}' is written by hand; expected it from the data, "
        "as in {{ game.rules.hand }}; or give its reason under free_numbers [free-number]"
    ]


def test_a_number_from_the_data_is_printed_as_digits_or_as_a_word(tmp_path: Path) -> None:
    text = "# Hard Wired\n\n{{ game.rules.hand }} or {{ game.rules.hand|spelled }}.\n"
    (_, paragraph) = rulebook(tmp_path, text).blocks
    assert isinstance(paragraph, Paragraph)
    assert paragraph.text == "3 or three."


def test_a_free_number_needs_its_words_in_the_book(tmp_path: Path) -> None:
    free = PLAIN + "free_numbers:\n  - {says: It is\n      1957, why: the story}\n"
    assert rulebook(tmp_path, "# Hard Wired\n\nIt is\n1957.\n", free).blocks
    assert faults(tmp_path, "# Hard Wired\n\nIt was long ago.\n", free) == [
        f"{BESIDE}:4:5: 'It is 1957' is not in the rulebook; expected words that are; "
        "take it out [unused-number]"
    ]


def test_numbers_in_a_glossary_and_on_a_figure_are_checked_too(tmp_path: Path) -> None:
    text, beside = shipped()
    found = faults(tmp_path, text, beside.replace("Adds one to the value", "Adds two to the value"))
    assert [fault.split(": ")[1] for fault in found] == [
        "the number 'two' is written by hand; expected it from the data, as in "
        "{{ game.rules.hand }}; or give its reason under free_numbers [free-number]"
    ]
    assert found[0].startswith(f"{BESIDE}:")


def test_an_icon_without_an_entry_is_a_fault(tmp_path: Path) -> None:
    text, beside = shipped()
    line = beside[: beside.index("  inductor:")].count("\n") + 1
    without = re.sub(r"  sleeve:\n    name: .*\n    text: .*\n", "", beside)
    assert faults(tmp_path, text, without) == [
        f"{BESIDE}:{line}:3: the icon 'sleeve' is on a card but has no entry; "
        "expected one in the glossary, or its name under decoration [no-entry]"
    ]


def test_a_keyword_without_an_entry_is_a_fault(tmp_path: Path) -> None:
    beside = PLAIN + "keywords: {circuits: [wires.part]}\n"
    assert faults(tmp_path, "# Hard Wired\n", beside) == [
        f"{BESIDE}:1:1: the keyword '{part}' is on a card but has no entry; "
        "expected one in the glossary, with what it means [no-entry]"
        for part in ("inductor", "resistor")
    ]


def test_an_entry_for_what_no_card_has_is_a_fault(tmp_path: Path) -> None:
    text, beside = shipped()
    line = beside[: beside.index("  inductor:")].count("\n") + 1
    entry = "glossary:\n  capacitor: {name: Capacitor, text: Waits.}\n"
    assert faults(tmp_path, text, beside.replace("glossary:\n", entry, 1)) == [
        f"{BESIDE}:{line}:14: the entry 'capacitor' names something that no card has; "
        "expected an icon or keyword [unknown-entry]"
    ]


def test_an_example_that_no_longer_holds_is_a_fault_at_its_move(tmp_path: Path) -> None:
    text, beside = shipped()
    wrong = beside.replace("move: finish display-123", "move: finish display-133")
    (found,) = faults(tmp_path, text, wrong)
    assert found.endswith(
        "the example 'first_turns' no longer holds: 'finish display-133' is not open at this "
        "moment; expected one of 'finish display-123', 'lay outer-swap-plain from hand', "
        "'lay roll-down-inductor-3 from hand', 'lay high-swap-resistor-1 from table'; "
        "did you mean 'finish display-123'? [example-fails]"
    )
    line = wrong.split("finish display-133")[0].count("\n") + 1
    assert found.startswith(f"{BESIDE}:{line}:9: ")


def test_what_an_example_claims_is_checked(tmp_path: Path) -> None:
    text, beside = shipped()
    (found,) = faults(
        tmp_path, text, beside.replace('so: "values[2] == 3"', 'so: "values[2] == 1"')
    )
    assert found.endswith(
        "the example 'first_turns' no longer holds: after 'lay high-swap-resistor-3 from table' "
        "'values[2] == 1' is not true; expected it to be [example-fails]"
    )


def test_another_number_of_the_rules_changes_the_words_or_fails_the_example(
    tmp_path: Path,
) -> None:
    text, beside = shipped()
    game = load_game(ROOT, "hard-wired", "handicap")
    with pytest.raises(InvalidInputError) as caught:
        rulebook(tmp_path, text, beside, game)
    assert {problem.code for problem in caught.value.problems} == {"example-fails"}


def test_an_unknown_name_in_braces_is_a_fault_at_its_column(tmp_path: Path) -> None:
    assert faults(tmp_path, "# Hard Wired\n\nTake {{ game.rules.hands }}.\n") == [
        f"{RULES}:3:6: game.rules has no 'hands'; expected one of lines, values, display_copies, "
        "public_displays, public_circuits, hand, extra_circuits, draw, segment, goal, end; "
        "did you mean 'hand'? [bad-formula]"
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("```\ncode\n```", "a code block"),
        ("***", "a line across"),
        ("Some `code` here.", "code in backquotes"),
        ("Words and ![a picture](figure:x) among them.", "a picture among words"),
    ],
)
def test_markup_that_a_rulebook_has_no_place_for_is_refused(
    tmp_path: Path, text: str, what: str
) -> None:
    assert faults(tmp_path, f"# Hard Wired\n\n{text}\n") == [
        f"{RULES}:3:1: {what} stands here; expected headings, paragraphs, lists, tables "
        "and call-outs [unknown-markup]"
    ]


def test_html_is_printed_as_it_stands(tmp_path: Path) -> None:
    (_, paragraph) = rulebook(tmp_path, "# Hard Wired\n\nA <b>bold</b> word.\n").blocks
    assert isinstance(paragraph, Paragraph)
    assert paragraph.text == "A <b>bold</b> word."


@pytest.mark.parametrize("depth", [9, 30, 120])
def test_lists_that_nest_too_deeply_are_refused_and_never_lost(tmp_path: Path, depth: int) -> None:
    text = "# Hard Wired\n\n" + "\n".join(f"{'  ' * at}- item" for at in range(depth)) + "\n"
    (found,) = faults(tmp_path, text)
    assert found.endswith("this nests deeper than 6 lists or call-outs; expected fewer [too-deep]")


def test_sections_follow_each_other(tmp_path: Path) -> None:
    text = "# Hard Wired\n\n## §1 One\n\n### §1.2 Part\n\n## §3 Last\n"
    assert faults(tmp_path, text) == [
        f"{RULES}:5:1: the section is §1.2; expected §1.1, the next one [wrong-section]",
        f"{RULES}:7:1: the section is §3; expected §2, the next one [wrong-section]",
    ]


def test_a_heading_without_a_section_is_refused(tmp_path: Path) -> None:
    assert faults(tmp_path, "# Hard Wired\n\n## Set-up\n") == [
        f"{RULES}:3:1: the heading is 'Set-up'; expected '## §3 Set-up' [bad-heading]"
    ]


def test_a_reference_to_no_section_is_a_fault(tmp_path: Path) -> None:
    assert faults(tmp_path, "# Hard Wired\n\n## §1 One\n\nSee §1 and §4.\n") == [
        f"{RULES}:5:12: there is no §4; expected one of 1 [unknown-section]"
    ]


def test_a_figure_of_an_unknown_card_is_a_fault(tmp_path: Path) -> None:
    beside = PLAIN + "figures:\n  pair: {row: {cards: \"['roll-up-plane']\"}}\n"
    assert faults(tmp_path, "# Hard Wired\n\n![A card](figure:pair)\n", beside) == [
        f"{BESIDE}:4:23: there is no card 'roll-up-plane'; expected the id of a card; "
        "did you mean 'roll-up-plain'? [unknown-card]"
    ]


def test_a_figure_that_is_not_there_and_one_that_is_not_shown_are_faults(tmp_path: Path) -> None:
    beside = PLAIN + "figures:\n  pair: {row: {cards: \"['roll-up-plain']\"}}\n"
    assert faults(tmp_path, "# Hard Wired\n\n![A card](figure:pairs)\n", beside) == [
        f"{RULES}:3:1: there is nothing called 'figure:pairs'; expected a figure or table of "
        "rules.yaml; did you mean 'figure:pair'? [unknown-figure]",
        f"{BESIDE}:4:9: the figure 'pair' is not shown; expected it in rules.md as "
        "![…](figure:pair) [not-shown]",
    ]


def test_all_faults_are_told_in_one_run(tmp_path: Path) -> None:
    found = faults(tmp_path, "# Hard Wired\n\nTake 4.\n\n## Two\n\n{{ nothing }}\n")
    assert [fault.rpartition("[")[2] for fault in found] == [
        "free-number]",
        "bad-heading]",
        "free-number]",
        "bad-formula]",
    ]


def test_a_table_is_drawn_from_the_data(tmp_path: Path) -> None:
    beside = PLAIN + (
        "tables:\n  decks:\n    rows: decks\n    columns:\n"
        '      - {title: Cards, text: "{{ row.title }}"}\n'
        '      - {title: Pieces, text: "{{ row.count }}", align: right}\n'
    )
    (_, table) = rulebook(tmp_path, "# Hard Wired\n\n![](table:decks)\n", beside).blocks
    assert isinstance(table, Table)
    assert table.header == ("Cards", "Pieces")
    assert table.rows == (("Display cards", "54"), ("Circuit cards", "44"), ("Player aids", "6"))
    assert table.aligns == ("left", "right")


def test_a_quotation_is_a_call_out_and_an_example_by_its_first_word(tmp_path: Path) -> None:
    text = "# Hard Wired\n\n> **Example.** A move.\n\nWords.\n\n> **Note.** A ruling.\n"
    blocks = rulebook(tmp_path, text).blocks
    assert [block.kind for block in blocks if isinstance(block, Callout)] == ["example", "note"]


def test_an_expression_is_never_read_as_markdown(tmp_path: Path) -> None:
    text = "# Hard Wired\n\n| Cards | Sum |\n|---|---|\n| {{ [2, 3]|max }} | {{ 2 * 3 * 4 }} |\n"
    (_, table) = rulebook(tmp_path, text).blocks
    assert isinstance(table, Table)
    assert table.rows == (("3", "24"),)


def test_the_worked_example_shows_the_cards_that_the_engine_laid(tmp_path: Path) -> None:
    text, beside = shipped()
    book = rulebook(tmp_path, text, beside)
    (segment,) = (f for f in figures_of(book.blocks) if f.name == "first-segment")
    assert isinstance(segment, Figure)
    assert isinstance(segment.scene, RowScene)
    assert [card.face.id for card in segment.scene.cards] == [
        "displays/display-312",
        "circuits/roll-down-inductor-1",
        "circuits/high-swap-resistor-3",
        "displays/display-123",
    ]
    assert segment.scene.labels == (
        "shows 3, 1, 2",
        "leaves 2, 1, 1",
        "leaves 1, 2, 3",
        "shows 1, 2, 3",
    )


@pytest.mark.parametrize("folder", sorted((ROOT / "components").glob("*/rules.md")), ids=str)
def test_every_section_that_an_engine_cites_is_in_its_rulebook(folder: Path) -> None:
    module = folder.parent.name.replace("-", "_")
    engines = (ROOT / "generator/kitwright/engines").glob(f"{module}*.py")
    cited = {
        c for path in engines for c in re.findall(r"§(\d+(?:\.\d+)?)", path.read_text("utf-8"))
    }
    known = set(re.findall(r"^##+ §(\S+)", folder.read_text("utf-8"), re.MULTILINE))
    assert cited
    assert cited <= known


def test_headings_have_anchors_that_links_can_name(tmp_path: Path) -> None:
    book = rulebook(tmp_path, "# Hard Wired\n\n## §1 One\n\n### §1.1 Part\n\nWords.\n")
    assert [heading.anchor for heading in book.headings] == ["s1", "s1-1"]
    assert all(isinstance(heading, Heading) for heading in book.headings)


def test_a_number_in_the_label_of_a_card_is_checked(tmp_path: Path) -> None:
    text, beside = shipped()
    found = faults(tmp_path, text, beside.replace("'adds one to every line'", "'adds 2 to all'"))
    assert [fault.split(": ", 1)[1] for fault in found] == [
        "the number '2' is written by hand; expected it from the data, as in "
        "{{ game.rules.hand }}; or give its reason under free_numbers [free-number]"
    ]
    assert found[0].startswith(f"{BESIDE}:")


def test_texts_in_quotes_are_what_an_expression_prints() -> None:
    formula = """['it\\'s ' ~ row.id, "two of " ~ card['hand 2'] ]"""
    assert quoted(formula) == ["it\\'s ", "two of ", "hand 2"]


def test_a_reference_in_the_glossary_is_checked(tmp_path: Path) -> None:
    beside = PLAIN + "glossary:\n  plus: {name: Plus, text: See §7.}\n"
    found = faults(tmp_path, HEAD + "\n![](glossary)\n", beside)
    assert found == [f"{BESIDE}:4:28: there is no §7; expected one of 1 [unknown-section]"]


TABLE = """\
examples:
  game: {players: 2, seed: 1, moves: []}
figures:
  ring: {table: {example: game, %s centre: [{cards: "['display-111']", %s}]}}
"""


def test_a_table_without_seats_shows_its_middle(tmp_path: Path) -> None:
    sides = 'sides: ["cards[\'hand 1\']", "[]"], slots: 2 + 1'
    made = rulebook(tmp_path, HEAD + "\n![](figure:ring)\n", PLAIN + TABLE % ("", sides))
    (figure,) = figures_of(made.blocks)
    assert isinstance(figure, Figure)
    assert isinstance(figure.scene, TableScene)
    (pile,) = figure.scene.centre
    assert [len(side) for side in pile.sides] == [3, 0]
    assert pile.slots == 3
    assert figure.scene.seats == ((), ())


@pytest.mark.parametrize(
    ("table", "group", "said"),
    [
        (
            "after: 3,",
            "label: x",
            "after is 3; expected at most 0, the moves of the example 'game' [bad-value]",
        ),
        (
            "",
            "sides: [\"cards['hand 1']\"], slots: \"'many'\"",
            "''many'' is many; expected a whole number from 0 to 12 [bad-value]",
        ),
    ],
)
def test_a_table_that_cannot_be_laid_out_is_told(
    tmp_path: Path, table: str, group: str, said: str
) -> None:
    found = faults(tmp_path, HEAD + "\n![](figure:ring)\n", PLAIN + TABLE % (table, group))
    assert [fault.split(": ", 1)[1] for fault in found] == [said]
