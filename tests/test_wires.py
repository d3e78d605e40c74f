"""Wires on a card: one runs over the other on a sleeve, and parts sit on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kitwright.load import find_workspace
from kitwright.ops import Op, Stroke, Use
from kitwright.pipeline import STANDARD, compose_kit, load_kit

LAYOUT = """\
layout: wires/card
boxes:
  left: {{x: 8mm, y: 20mm, w: 6mm, h: 40mm, rows: 2}}
  right: {{mirror: left}}
draw:
  - each: wire in card.wires
    crossings: bridge
    {sleeve}
    draw:
      - curve: {{from: "left.{{{{ wire.from }}}}", to: "right.{{{{ wire.to }}}}", style: wire}}
      - icon: {{on: curve, name: bead, length: 6mm, when: wire.part}}
      - icon: {{on: part, name: bead, size: 3mm, when: wire.part}}
"""
FILES = {
    "components/wires/game.yaml": """\
game: wires
title: Wires
designers: [Ada Example]
licence: public domain
source: made for the tests
players: {fewest: 1, most: 2}
minutes: {fewest: 5, most: 10}
age: 6
theme: wires/theme
kit: [wires]
""",
    "components/wires/deck.yaml": """\
deck: wires
title: Wires
layout: wires/card
size: poker
fields: {wires: {list_of: mapping}}
cards:
  - {id: bare, wires: [{from: 1, to: 2, part: false}, {from: 2, to: 1, part: false}]}
  - {id: beaded, wires: [{from: 1, to: 2, part: true}, {from: 2, to: 1, part: false}]}
""",
    "layouts/wires/theme.yaml": """\
theme: wires/theme
colors: {green: "#008000", white: "#ffffff"}
lines: {wire: {width: 1mm, color: green}}
""",
    "layouts/wires/icons/bead.svg": (
        '<svg viewBox="0 0 20 10"><rect width="20" height="10" fill="#123456"/></svg>'
    ),
}


OpsOf = Callable[[str], dict[str, tuple[Op, ...]]]


@pytest.fixture
def ops_of(tmp_path: Path, lay_files: Callable[[Path, Mapping[str, str]], Path]) -> OpsOf:
    """Compose the cards with a line of the layout that differs."""

    def compose(line: str) -> dict[str, tuple[Op, ...]]:
        files = {**FILES, "layouts/wires/card.yaml": LAYOUT.format(sleeve=line)}
        kept: dict[str, tuple[Op, ...]] = {}
        root = lay_files(tmp_path, files)
        kit = load_kit(find_workspace(root), "wires", None, STANDARD)
        compose_kit(kit, STANDARD, keep=lambda face: kept.update({face.id: face.ops}))
        return kept

    return compose


def pieces(ops: tuple[Op, ...]) -> list[int]:
    """Count the pieces of each line that is drawn."""
    strokes = [op for op in ops if isinstance(op, Stroke)]
    return [sum(segment[0] == "M" for segment in stroke.path) for stroke in strokes]


def test_without_a_sleeve_the_lower_wire_is_cut_where_the_upper_passes(ops_of: OpsOf) -> None:
    assert sorted(pieces(ops_of("clearance: 3mm")["wires/bare"])) == [1, 2]


def test_with_a_sleeve_both_run_on_and_the_upper_is_drawn_again_on_top(ops_of: OpsOf) -> None:
    ops = ops_of("sleeve: bead")["wires/bare"]
    assert pieces(ops) == [1, 1, 1]
    assert not isinstance(ops[-1], Stroke), "the sleeve comes last"


def test_a_part_cuts_its_wire_and_carries_a_badge_beside_it(ops_of: OpsOf) -> None:
    ops = ops_of("sleeve: bead")
    assert pieces(ops["wires/beaded"])[:2] == [2, 1]
    badge = ops["wires/beaded"][-1]
    assert isinstance(badge, Use)
    assert badge.matrix[0] == pytest.approx(3.0), "3 mm high and upright"
