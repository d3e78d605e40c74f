"""What the kit of Hardware Hustle prints and proves: sheets, sample, roll table, best play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.compose.boxes import Boxes, resolve_boxes
from kitwright.engines import facts_of
from kitwright.engines.hardware_hustle_rolls import BASE, counts, pointing_bias, roll_table
from kitwright.engines.hardware_hustle_sheet import handwriting
from kitwright.load import Workspace, load_game
from kitwright.load.layouts import LayoutReader
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.pipeline import STANDARD, check_print, compose_kit, load_kit
from kitwright.play.checks import run_checks
from kitwright.play.games.hardware_hustle_checks import room_checks, sample_checks, table_checks
from kitwright.problems import InvalidInputError, Problem

ROOT = Path(__file__).parent.parent


@cache
def hustle(variant: str | None = None) -> Game:
    return load_game(ROOT, "hardware-hustle", variant)


def changed(path: str, value: Any) -> Game:
    """Return the game with one number of its rules changed."""
    *steps, last = path.split(".")
    rules = thawed(hustle().rules)
    at = rules
    for step in steps:
        at = at[step]
    at[last] = value
    return replace(hustle(), rules=freeze(rules))


def thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: thawed(item) for key, item in value.items()}
    return [thawed(item) for item in value] if isinstance(value, tuple) else value


def test_the_sheet_has_the_published_cells() -> None:
    cells = [c for turn in facts_of(hustle())["turns"] for r in turn["rows"] for c in r["cells"]]
    kinds = [cell["kind"] for cell in cells]
    assert len(kinds) == 270
    assert (kinds.count("grey"), kinds.count("given"), kinds.count("carry")) == (48, 14, 40)
    assert kinds.count("write") + kinds.count("carry") == 208


def test_a_changed_price_or_cost_changes_every_place_that_shows_it() -> None:
    cheaper = replace(changed("parts.controls.price", 2), decks=())
    buy, make, sell = facts_of(cheaper)["phases"]
    prices = [row["effect"] for row in buy["rows"]]
    assert prices == [f"−{price} :money:" for price in (1, 2, 2, 4)]  # noqa: RUF001
    assert make["rows"][0]["effect"] == "−:enclosure::speaker:"  # noqa: RUF001
    dearer = replace(changed("widgets.amplifier.make", [2, 1, 0, 0]), decks=())
    assert facts_of(dearer)["phases"][1]["rows"][0]["costs"] == (2, 1, 0, 0)
    assert sell["rows"][2]["costs"] == (4, 3, 2, 1)
    first = facts_of(replace(changed("opportunity", [9, 9, 9]), decks=()))["turns"]
    assert [turn["rows"][-1]["cells"][0]["text"] for turn in first] == ["9", "9", "9"]


def sample_of(record: Any) -> Game:
    game = hustle()
    decks = []
    for deck in game.decks:
        if deck.id == "sample":
            card = deck.cards[0]
            fields = freeze({**card.fields, "record": record})
            deck = replace(deck, cards=(replace(card, fields=fields),))
        decks.append(deck)
    return replace(game, decks=tuple(decks))


def record() -> Any:
    return thawed(hustle().deck("sample").cards[0].fields["record"])


def sample_fault(turns: Any) -> str:
    with pytest.raises(InvalidInputError) as caught:
        facts_of(sample_of(turns))
    (problem,) = caught.value.problems
    assert isinstance(problem, Problem)
    assert problem.code == "wrong-sample"
    return problem.message


def test_the_sample_tells_the_first_turn_as_the_engine_played_it() -> None:
    sample = facts_of(hustle())["sample"]
    assert [(step["phase"], step["roll"], step["text"]) for step in sample["steps"]] == [
        ("AM", "", "Start with 10 :money: and 12 :opportunity:."),
        ("BUY", "4", "Buy 1 :enclosure: and 2 :speaker: for 5 :money:, using 2 :opportunity:."),
        ("MAKE", "1", "Make 1 :amplifier:, using 1 :opportunity:."),
        ("SELL", "3", "Sell 1 :amplifier: for 6 :money:, using 2 :opportunity:."),
        (
            "PM",
            "6",
            "End with 11 :money: and 7 :opportunity:. The roll is not more than 7: "
            "the research succeeds, and Buy gets cheaper.",
        ),
    ]
    assert [turn["mark"] for turn in sample["turns"]] == ["ring", "ring", "cross", "", "", ""]
    assert [turn["rested"] for turn in sample["turns"]].index(True) == 4
    assert sample["levels"] == {"buy": 1, "make": 0, "sell": 1}
    assert sample["total"] == handwriting(82) == ":hand-8::hand-2:"


def test_a_wrong_figure_in_the_sample_is_caught() -> None:
    turns = record()
    turns[0]["ends"]["opportunity"] = 8
    said = "turn 1 of the sample ends with opportunity 8; the rules make it 7"
    assert sample_fault(turns) == said
    (check,) = sample_checks(sample_of(turns))
    assert (check.level, check.ok, check.about) == ("must", False, said)


def test_a_changed_price_asks_for_a_new_sample() -> None:
    with pytest.raises(InvalidInputError) as caught:
        facts_of(changed("parts.controls.price", 2))
    (problem,) = caught.value.problems
    assert problem.message == "turn 2 of the sample ends with money 3; the rules make it 4"


def test_a_move_that_the_rules_forbid_is_caught() -> None:
    turns = record()
    turns[0]["buy"]["speaker"] = 9
    said = "turn 1 of the sample: buy speaker: it costs 2 money and 1 is there"
    assert sample_fault(turns) == said
    turns = record()
    turns[2]["research"] = "make"
    said = "turn 3 of the sample: research make: the roll for it fails"
    assert sample_fault(turns) == said
    assert sample_fault(record()[:5]) == "the sample has 5 turns; expected 6"


@pytest.mark.parametrize("skin", [STANDARD, "low-ink"])
@pytest.mark.parametrize("variant", [None, "fair-trade", "shared-rolls", "high-graph"])
def test_every_variant_and_skin_composes_without_a_warning(variant: str | None, skin: str) -> None:
    kit = compose_kit(load_kit(Workspace(ROOT), "hardware-hustle", variant, skin), skin)
    assert kit.warnings == ()
    assert len(kit.faces) == 8


def boxes(layout: str, width: float, height: float) -> Boxes:
    problems: list[Problem] = []
    found = LayoutReader(Workspace(ROOT), problems).read(layout)
    assert found is not None
    resolved = resolve_boxes(found, width, height, problems)
    assert not problems
    return resolved


def test_there_is_room_to_write() -> None:
    drawn, _ = check_print(Workspace(ROOT), "hardware-hustle", None, STANDARD)
    small, large = room_checks(drawn)
    assert (small.name, small.figure, small.ok) == ("sheet: smallest cell", (11.74, 4.37), True)
    assert (large.name, large.ok) == ("sheet-large: smallest cell", True)
    assert list(room_checks(hustle())) == [], "a game that was not drawn has no cells"
    tight = freeze({"rooms": {"sheet-large": {"hardware-hustle/cell": (12.0, 5.4)}}})
    (check,) = room_checks(replace(hustle(), facts=tight))
    assert (check.ok, check.about) == (False, "the smallest cell of sheet-large is 12.0 x 5.4 mm")


def test_the_roll_table_can_be_pointed_at() -> None:
    size = hustle().deck("roll-table").size
    cell = boxes("hardware-hustle/roll-table", size.width, size.height).rect("table.36.36")
    assert cell.w >= 5.2
    assert cell.h >= 6.8


def test_every_four_rolls_stand_in_the_table_once() -> None:
    table = roll_table(hustle())
    assert [set(counts(table, length).values()) for length in (1, 2, 3, 4)] == [
        {216},
        {36},
        {6},
        {1},
    ]
    assert len(counts(table, 4)) == 1296


def test_another_seed_makes_another_table_that_is_as_fair() -> None:
    tables = {roll_table(changed("roll_table.seed", seed)) for seed in range(12)}
    assert len(tables) == 12
    for table in tables:
        assert set(counts(table, 4).values()) == {1}
    assert pointing_bias(min(tables), 4) == pytest.approx(pointing_bias(max(tables), 4))


def failed(table: Any) -> list[str]:
    return [check.name for check in table_checks(table) if not check.ok]


def test_a_table_without_a_face_fails() -> None:
    rng = Random(1)
    table = [[2 + int(5 * rng.random()) for _ in range(36)] for _ in range(36)]
    assert "roll table: faces" in failed(table)
    assert failed(tuple(tuple(map(int, row)) for row in BASE)) == []


def test_the_textbook_order_is_fair_but_fails_blind_pointing() -> None:
    cells = _textbook(6, 4)
    table = tuple(tuple(cells[at : at + 36]) for at in range(0, 1296, 36))
    assert failed(table) == ["roll table: bias at 4 cells", "roll table: bias at 8 cells"]
    assert pointing_bias(table, 4) == pytest.approx(0.1759, abs=1e-4)


def _textbook(faces: int, length: int) -> list[int]:
    """Return the de Bruijn sequence of the textbooks: Lyndon words in order."""
    word, found = [0] * (faces * length), list[int]()

    def extend(at: int, period: int) -> None:
        if at > length:
            if length % period == 0:
                found.extend(face + 1 for face in word[1 : period + 1])
            return
        word[at] = word[at - period]
        extend(at + 1, period)
        for face in range(word[at - period] + 1, faces):
            word[at] = face
            extend(at + 1, at)

    extend(1, 1)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("variant", [None, "fair-trade"])
def test_no_must_fails(variant: str | None) -> None:
    checks = run_checks(hustle(variant), workers=1)
    assert [check.about for check in checks if check.level == "must" and not check.ok] == []
