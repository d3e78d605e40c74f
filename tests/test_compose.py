"""Verbs become ops: what each draw of a layout paints, and what it cannot."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kitwright.load import Workspace
from kitwright.ops import Face, Fill, Group, Op, Stroke, Use, Word, dump
from kitwright.pipeline import compose_kit, load_kit
from kitwright.problems import InvalidInputError

BASE = Path(__file__).parent / "faults" / "base"
BOXES = """boxes:
  a: {x: 10mm, y: 10mm, w: 20mm, h: 10mm}
  b: {x: 10mm, y: 30mm, w: 20mm, h: 20mm}
  wide: {inside: safe, y: 20mm}
"""
Drawer = Callable[..., dict[str, Face]]


@pytest.fixture
def faces(tmp_path: Path) -> Drawer:
    """Compose the pond with these draws on its frogs."""

    def compose(draws: str, boxes: str = BOXES, **files: str) -> dict[str, Face]:
        root = tmp_path / "pond"
        shutil.copytree(BASE, root, dirs_exist_ok=True)
        told = {"frog": f"layout: pond/frog\n{boxes}draw:\n{draws}", **files}
        for name, text in told.items():
            (root / "layouts" / "pond" / f"{name}.yaml").write_text(text, encoding="utf-8")
        found: dict[str, Face] = {}
        kit = load_kit(Workspace(root), "pond", None, "standard")
        compose_kit(kit, "standard", keep=lambda face: found.update({face.id: face}))
        return found

    return compose


def opened(ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """Put what the deck shares back among the rest."""
    found: list[Op] = []
    for op in ops:
        found.extend(opened(op.symbol.ops) if isinstance(op, Use) else (op,))
    return tuple(found)


def drawn(faces: dict[str, Face], name: str = "frogs/bull-frog") -> str:
    return dump(opened(faces[name].ops))


def words(ops: tuple[Op, ...]) -> Iterator[str]:
    for op in opened(ops):
        if isinstance(op, Word):
            yield op.text
        elif isinstance(op, Group):
            yield from words(op.ops)


def test_draws_are_painted_in_order(faces: Drawer) -> None:
    made = faces(
        "  - fill: {box: a, color: water}\n"
        "  - stroke: {box: a, color: '#abc', width: 0.5mm, inset: 1mm, dash: [2mm, 1mm]}\n"
    )
    assert drawn(made) == (
        "fill #cfe8e4 M10,10 L30,10 L30,20 L10,20 Z\n"
        "stroke #aabbcc 0.5 butt miter dash 2 1 M11,11 L29,11 L29,19 L11,19 Z\n"
    )


def test_when_chooses_cards(faces: Drawer) -> None:
    made = faces("  - fill: {box: a, color: ink, when: card.leap > 3}\n")
    assert drawn(made, "frogs/bull-frog") == ""
    assert drawn(made, "frogs/tree-frog") == "fill #1d2b2a M10,10 L30,10 L30,20 L10,20 Z\n"


def test_each_cuts_a_box_downwards_or_across(faces: Drawer) -> None:
    made = faces(
        "  - each: n in range(2)\n    down: b\n    gap: 2mm\n"
        "    draw: [fill: {box: cell, color: ink}]\n"
        "  - each: n in range(2)\n    across: b\n    slots: 4\n"
        "    draw: [fill: {box: cell, color: water}]\n"
    )
    assert drawn(made) == (
        "fill #1d2b2a M10,30 L30,30 L30,39 L10,39 Z\n"
        "fill #1d2b2a M10,41 L30,41 L30,50 L10,50 Z\n"
        "fill #cfe8e4 M10,30 L15,30 L15,50 L10,50 Z\n"
        "fill #cfe8e4 M15,30 L20,30 L20,50 L15,50 Z\n"
    )


def test_each_knows_its_item_and_its_turn(faces: Drawer) -> None:
    made = faces(
        "  - each: row in game.tables.depths.rows\n"
        "    draw:\n"
        "      - text: {box: b, style: name, overflow: shrink,"
        " text: '{{ loop.index }}/{{ loop.length }}/{{ row.water }}/{{ loop.last }}'}\n"
    )
    assert list(words(made["frogs/bull-frog"].ops)) == ["1/1/deep/yes"]


def test_a_group_turns_mirrors_clips_and_fades(faces: Drawer) -> None:
    inner = "    draw: [fill: {box: a, color: ink}]\n"
    made = faces(
        f"  - group: {{box: a, rotate: 90}}\n{inner}"
        f"  - group: {{box: a, mirror: x}}\n{inner}"
        f"  - group: {{mirror: y}}\n{inner}"
        f"  - group: {{box: a, clip: true}}\n{inner}"
        f"  - group: {{opacity: 0.5}}\n{inner}"
        f"  - group:\n{inner}"
    )
    box = "M10,10 L30,10 L30,20 L10,20 Z"
    fill = f"  fill #1d2b2a {box}\n"
    assert drawn(made) == (
        f"group [0 1 -1 0 35 -5] opacity 1\n{fill}"
        f"group [-1 0 0 1 40 0] opacity 1\n{fill}"
        f"group [1 0 0 -1 0 63.5] opacity 1\n{fill}"
        f"group [1 0 0 1 0 0] opacity 1 clip {box}\n{fill}"
        f"group [1 0 0 1 0 0] opacity 0.5\n{fill}"
        f"fill #1d2b2a {box}\n"
    )


def test_a_fragment_takes_the_box_for_its_face(faces: Drawer) -> None:
    made = faces(
        "  - use: {layout: pond/tag, box: a, with: {label: '{{ card.leap }} leaps'}}\n",
        tag=(
            "layout: pond/tag\nsafe: 1mm\ndraw:\n"
            "  - fill: {box: safe, color: water}\n"
            "  - text: {box: face, style: name, text: '{{ label }}', overflow: shrink}\n"
        ),
    )
    (group,) = opened(made["frogs/bull-frog"].ops)
    assert isinstance(group, Group)
    assert group.matrix == pytest.approx((1, 0, 0, 1, 10, 10))
    assert dump(group.ops[:1]) == "fill #cfe8e4 M1,1 L19,1 L19,9 L1,9 Z\n"
    assert list(words(group.ops)) == ["3 leaps"]


def test_a_grid_without_its_outline_has_inner_lines_only(faces: Drawer) -> None:
    made = faces("  - grid: {box: a, rows: 2, columns: 2, color: ink, outline: false}\n")
    assert drawn(made) == "stroke #1d2b2a 0.2 butt miter M10,15 L30,15 M20,10 L20,20\n"


def test_a_track_that_snakes_runs_back_in_its_second_row(faces: Drawer) -> None:
    made = faces(
        "  - track: {box: b, from: 1, to: 4, columns: 2, style: name, gap: 0, snake: true}\n"
    )
    found = [op for op in opened(made["frogs/bull-frog"].ops) if isinstance(op, Word)]
    xs = {op.text: op.x for op in found}
    assert xs["1"] < xs["2"]
    assert xs["4"] < xs["3"]


def test_rows_of_a_table_can_be_stretched_to_its_box(faces: Drawer) -> None:
    def height(more: str) -> float:
        made = faces(
            "  - table: {box: b, rows: 'range(2)', style: name, stripe: water,"
            f" columns: [{{text: '{{{{ number }}}}'}}]{more}}}\n"
        )
        stripe = opened(made["frogs/bull-frog"].ops)[0]
        assert isinstance(stripe, Fill)
        ys = [segment[2] for segment in stripe.path if len(segment) == 3]
        return max(ys) - min(ys)

    assert height(", fill_height: true") == pytest.approx(10.0)
    assert height("") < 9


def test_a_line_goes_through_points_and_may_close(faces: Drawer) -> None:
    made = faces(
        "  - line: {points: ['a@left', 'a@top', 'a@right'], closed: true, style: ripple,"
        " color: water, width: 1mm, dash: [1mm, 1mm], cap: square}\n"
    )
    assert drawn(made) == ("stroke #cfe8e4 1 square round dash 1 1 M10,15 L20,10 L30,15 Z\n")


def test_a_gradient_is_laid_over_its_box(faces: Drawer) -> None:
    made = faces("  - fill: {box: a, color: deep}\n")
    paint = "linear(20 10 20 20 0:#cfe8e4 1:#1d2b2a)"
    assert drawn(made) == f"fill {paint} M10,10 L30,10 L30,20 L10,20 Z\n"


def test_text_that_looks_like_markup_is_printed_as_it_stands(faces: Drawer) -> None:
    made = faces(
        "  - text: {box: wide, style: name, overflow: shrink, text: '{{ deck.title }} Salt &"
        " Pepper <3 <b> <img src=/etc/passwd>'}\n"
    )
    shown = " ".join(words(made["frogs/bull-frog"].ops))
    assert shown == "Frogs Salt & Pepper <3 <b> <img src=/etc/passwd>"


def test_a_mirrored_icon_keeps_its_place(faces: Drawer) -> None:
    made = faces(
        "  - icon: {name: fly, at: a, size: 4mm}\n"
        "  - icon: {name: fly, at: a, size: 4mm, mirror: true}\n"
    )
    first, second = (op for op in _uses(made["frogs/bull-frog"].ops))
    assert first.matrix == pytest.approx((4, 0, 0, 4, 18, 13))
    assert second.matrix == pytest.approx((-4, 0, 0, 4, 22, 13))


def _uses(ops: tuple[Op, ...]) -> Iterator[Use]:
    for op in ops:
        if isinstance(op, Use):
            inner = tuple(_uses(op.symbol.ops))
            yield from inner or (op,)


def test_an_icon_rides_on_the_curve_before_it(faces: Drawer) -> None:
    made = faces(
        "  - curve: {from: b@left, to: b@right, style: ripple, bend: 0}\n"
        "  - icon: {name: fly, on: curve, length: 4mm, follow: false}\n"
    )
    ops = opened(made["frogs/bull-frog"].ops)
    assert isinstance(ops[0], Stroke)
    assert isinstance(ops[1], Fill)


def test_what_all_cards_share_is_one_symbol(faces: Drawer) -> None:
    made = faces(
        "  - fill: {box: a, color: ink}\n  - fill: {box: b, color: ink}\n"
        "  - text: {box: b, style: name, text: '{{ card.title }}', overflow: shrink}\n"
    )
    first, second = (made[f"frogs/{name}-frog"].ops[0] for name in ("bull", "tree"))
    assert isinstance(first, Use)
    assert isinstance(second, Use)
    assert first.symbol is second.symbol
    assert "frogs/back" in made


def test_a_fault_that_many_cards_share_is_told_once(faces: Drawer) -> None:
    with pytest.raises(InvalidInputError) as error:
        faces("  - icon: {box: a, name: '{{ card.id }}'}\n")
    assert str(error.value) == (
        "layouts/pond/frog.yaml:7:26: card 'bull-frog': the icon 'bull-frog' is not there; "
        "expected the name of an icon's file (and 1 more like it) [unknown-icon]"
    )


def test_one_draw_that_fails_does_not_hide_the_next(faces: Drawer) -> None:
    with pytest.raises(InvalidInputError) as error:
        faces(
            '  - fill: {box: a, color: \'{{ card.title | lower | replace(" ", "-") }}\'}\n'
            "  - fill: {box: 'a{{ card.leap }}', color: ink}\n"
        )
    assert [problem.code for problem in error.value.problems] == ["unknown-color", "unknown-box"]
