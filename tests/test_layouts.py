"""Boxes, inheritance and points: where things go."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitwright.compose.boxes import Boxes, BoxFault, Rect, resolve_boxes
from kitwright.load import Workspace
from kitwright.load.layouts import LayoutReader
from kitwright.model.layouts import Layout
from kitwright.model.spots import cell_counts
from kitwright.problems import Problem

WIDTH, HEIGHT = 60.0, 100.0


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "components").mkdir()
    (tmp_path / "layouts" / "den").mkdir(parents=True)
    return Workspace(tmp_path)


def write(workspace: Workspace, name: str, text: str) -> None:
    path = workspace.root / "layouts" / f"{name}.yaml"
    path.write_text(f"layout: {name}\n{text}", encoding="utf-8")


def read(workspace: Workspace, name: str) -> Layout:
    problems: list[Problem] = []
    layout = LayoutReader(workspace, problems).read(name)
    assert problems == []
    assert layout is not None
    return layout


def boxes(workspace: Workspace, text: str) -> Boxes:
    write(workspace, "den/card", f"boxes:\n{text}")
    problems: list[Problem] = []
    found = resolve_boxes(read(workspace, "den/card"), WIDTH, HEIGHT, problems)
    assert problems == []
    return found


def rect(workspace: Workspace, text: str, name: str = "a") -> Rect:
    return boxes(workspace, text).rect(name)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ("{}", (0, 0, 60, 100)),
        ("{x: 5mm, y: 10mm, w: 20mm, h: 30mm}", (5, 10, 20, 30)),
        ("{x: 5mm, right: 5mm, y: 1cm, bottom: 20mm}", (5, 10, 50, 70)),
        ("{right: 4mm, w: 10mm, bottom: 4mm, h: 10mm}", (46, 86, 10, 10)),
        ("{x: 50%, w: 25%, h: 10%}", (30, 0, 15, 10)),
        ("{inside: safe}", (3, 3, 54, 94)),
        ("{inside: safe, x: 50%, y: 50%}", (30, 50, 27, 47)),
        ("{inside: bleed}", (-3, -3, 66, 106)),
        ("{w: 20mm, h: 10mm, center: both}", (20, 45, 20, 10)),
        ("{w: 20mm, h: 10mm, center: x, x: 2mm}", (22, 0, 20, 10)),
        ("{inset: 5mm}", (5, 5, 50, 90)),
        ("{h: 20mm, bleed: true}", (-3, -3, 66, 23)),
        ("{x: 10mm, y: 10mm, bleed: true}", (10, 10, 53, 93)),
        ("{x: 1in, w: 72pt, h: 1mm}", (25.4, 0, 25.4, 1)),
    ],
)
def test_a_box_lies_here(workspace: Workspace, box: str, expected: tuple[float, ...]) -> None:
    assert tuple(rect(workspace, f"  a: {box}\n")) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        ("{below: b, gap: 2mm, h: 10mm}", (10, 52, 20, 10)),
        ("{below: b, bottom: 8mm}", (10, 50, 20, 42)),
        ("{above: b, gap: 2mm, h: 10mm}", (10, 8, 20, 10)),
        ("{above: b, y: 5mm}", (10, 5, 20, 15)),
        ("{right_of: b, gap: 2mm, w: 10mm}", (32, 20, 10, 30)),
        ("{right_of: b, right: 5mm, h: 4mm}", (30, 20, 25, 4)),
        ("{left_of: b, gap: 2mm, w: 5mm}", (3, 20, 5, 30)),
        ("{mirror: b}", (30, 20, 20, 30)),
        ("{flip: b}", (10, 50, 20, 30)),
        ("{inside: b, x: 50%, h: 50%}", (20, 20, 10, 15)),
        ("{below: b.2, h: 5mm}", (10, 50, 20, 5)),
    ],
)
def test_a_box_beside_another_lies_here(
    workspace: Workspace, box: str, expected: tuple[float, ...]
) -> None:
    other = "  b: {x: 10mm, y: 20mm, w: 20mm, h: 30mm, rows: 2}\n"
    assert tuple(rect(workspace, f"  a: {box}\n{other}")) == pytest.approx(expected)


def test_cells_count_from_one_rows_first(workspace: Workspace) -> None:
    found = boxes(
        workspace,
        "  a: {w: 22mm, h: 31mm, rows: 3, columns: 2, row_gap: 0.5mm, column_gap: 2mm}\n"
        "  b: {mirror: a}\n  c: {w: 30mm, h: 5mm, columns: 3}\n",
    )
    assert tuple(found.rect("a.3.2")) == pytest.approx((12, 21, 10, 10))
    assert tuple(found.rect("b.1.1")) == pytest.approx((50, 0, 10, 10))
    assert tuple(found.rect("c.3")) == pytest.approx((20, 0, 10, 5))


def test_a_mirrored_box_is_cut_like_the_other(workspace: Workspace) -> None:
    write(workspace, "den/card", "boxes: {a: {rows: 3}, b: {mirror: a}, c: {flip: b}, d: {}}\n")
    layout = read(workspace, "den/card")
    assert [cell_counts(layout.boxes, name) for name in "abcd"] == [(3,), (3,), (3,), ()]


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ("a", (20, 20)),
        ("a@left", (10, 20)),
        ("a@top-right", (30, 10)),
        ("a@bottom", (20, 30)),
        ("a@25% 100%", (15, 30)),
        ("a@-10% 50%", (8, 20)),
        ("a.2@right", (30, 25)),
    ],
)
def test_a_point_lies_here(workspace: Workspace, point: str, expected: tuple[float, float]) -> None:
    found = boxes(workspace, "  a: {x: 10mm, y: 10mm, w: 20mm, h: 20mm, rows: 2}\n")
    assert found.point(point) == pytest.approx(expected)


def test_a_point_on_nothing_is_refused(workspace: Workspace) -> None:
    found = boxes(workspace, "  a: {}\n")
    with pytest.raises(BoxFault, match=r"there is no anchor 'lefft'; .* did you mean 'left'"):
        found.point("a@lefft")
    with pytest.raises(BoxFault, match="box 'a' has no cell '2'; expected rows or columns in it"):
        found.rect("a.2")


def test_a_layout_takes_over_boxes_and_draws(workspace: Workspace) -> None:
    write(
        workspace,
        "den/base",
        "bleed: 2mm\nboxes: {a: {h: 1mm}, b: {h: 2mm}}\n"
        "draw:\n  - fill: {box: a, color: red}\n    name: ground\n"
        "  - fill: {box: b, color: red}\n",
    )
    write(
        workspace,
        "den/card",
        "extends: den/base\nsafe: 5mm\nboxes: {b: {h: 9mm}}\n"
        "draw:\n  - fill: {box: b, color: blue}\n    name: ground\n"
        "  - stroke: {box: b, color: blue, width: 1mm}\n",
    )
    layout = read(workspace, "den/card")
    assert (layout.name, layout.bleed, layout.safe, layout.corner) == ("den/card", 2.0, 5.0, 3.0)
    assert [(draw.verb, draw.args.box) for draw in layout.draws] == [  # type: ignore[attr-defined]  # both have it
        ("fill", "b"),
        ("fill", "b"),
        ("stroke", "b"),
    ]
    assert [draw.place.file for draw in layout.draws] == [
        "layouts/den/card.yaml",
        "layouts/den/base.yaml",
        "layouts/den/card.yaml",
    ]
    assert tuple(resolve_boxes(layout, WIDTH, HEIGHT, []).rect("b")) == (0, 0, 60, 9)


def test_a_layout_is_read_once(workspace: Workspace) -> None:
    write(workspace, "den/card", "draw: []\n")
    reader = LayoutReader(workspace, [])
    assert reader.read("den/card") is reader.read("den/card")


def test_the_workspace_s_layouts_stand_before_the_shipped_ones(workspace: Workspace) -> None:
    assert read(workspace, "shared/footer").place.file == "layouts/shared/footer.yaml"
    (workspace.root / "layouts" / "shared").mkdir()
    write(workspace, "shared/footer", "bleed: 1mm\n")
    assert read(workspace, "shared/footer").bleed == 1.0


def test_the_keys_of_a_draw_know_their_place(workspace: Workspace) -> None:
    write(workspace, "den/card", "draw:\n  - fill: {box: face, color: red}\n")
    (draw,) = read(workspace, "den/card").draws
    assert str(draw.at("color")) == "layouts/den/card.yaml:3:30"
    assert str(draw.at("radius")) == "layouts/den/card.yaml:3:5"
