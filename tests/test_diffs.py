"""Before and after: words, pictures with the difference marked, HTML and PDF."""

from __future__ import annotations

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw

from kitwright.cli import cli
from kitwright.reprint.entries import entries_of
from kitwright.reprint.stock import Design
from kitwright.reprint.words import field_changes
from kitwright.write.contrast import difference_boxes

BASE = Path(__file__).parent / "faults" / "base"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    shutil.copytree(BASE, tmp_path / "pond")
    return tmp_path / "pond"


def run(pond: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(pond), *words])


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_fields_are_told_with_their_path() -> None:
    old = {"price": 3, "text": "Leap.", "wires": [{"to": 1}, {"to": 2}], "cubes": ["red"]}
    new = {"price": 2, "text": None, "wires": [{"to": 1}, {"to": 3}], "cubes": ["red", "blue"]}
    assert field_changes(old, new) == (
        "price 3 -> 2",
        "text Leap. -> nothing",
        "wires.2.to 2 -> 3",
        "cubes [red] -> [red, blue]",
    )


def test_a_long_value_is_shortened() -> None:
    (line,) = field_changes({"text": "word " * 40}, {"text": "none"})
    assert line == "text " + ("word " * 12)[:59].rstrip() + "… -> none"


def picture(*spots: tuple[int, int], shade: str = "#ffffff") -> bytes:
    image = Image.new("RGB", (120, 180), shade)
    for x, y in spots:
        ImageDraw.Draw(image).rectangle((x, y, x + 9, y + 9), fill="#203040")
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_each_place_that_differs_has_its_box() -> None:
    boxes = difference_boxes(picture((10, 10)), picture((10, 10), (60, 20), (60, 150)))
    assert len(boxes) == 2
    for (left, top, right, bottom), y in zip(boxes, (20, 150), strict=True):
        assert left * 120 <= 60 < 69 <= right * 120
        assert top * 180 <= y < y + 9 <= bottom * 180
        assert (right - left) * 120 <= 24


def test_a_faint_difference_is_marked_where_there_is_no_plain_one() -> None:
    faint = picture((10, 10), shade="#fafafa")
    assert difference_boxes(picture((10, 10)), faint) == ((0.0, 0.0, 1.0, 1.0),)
    (box,) = difference_boxes(picture(), faint)
    assert box[2] * 120 < 30, "the shade of the ground is not marked beside a new square"
    assert difference_boxes(picture((10, 10)), picture((10, 10), shade="#fefefe")) == ()


def test_a_change_that_no_picture_shows_is_said(pond: Path) -> None:
    assert run(pond, "printed", "pond", "--anyway", "--workers", "1").exit_code == 0
    edit(pond / "layouts/pond/theme.yaml", 'water: "#cfe8e4"', 'water: "#cfe8e5"')
    lines = run(pond, "diff", "pond", "--workers", "1").output.splitlines()
    assert lines[1] == "frogs/bull-frog: front changed (too faint to see, or outside the cut)"


def test_a_back_that_many_cards_share_is_shown_once() -> None:
    def kit(back: str) -> tuple[Design, ...]:
        return tuple(
            Design("frogs", name, name, 60, 90, {}, ((name, back),)) for name in ("ab", "cd")
        )

    cards = entries_of(kit("00"), kit("11"))
    assert [(e.name, e.why, e.before, e.after) for e in cards] == [
        ("frogs/ab", "back changed", "ab", "ab"),
        ("frogs/cd", "back changed", "cd", "cd"),
        ("frogs, back", "back changed", "00", "11"),
    ]


def test_a_diff_with_the_last_print_tells_and_shows(pond: Path) -> None:
    assert run(pond, "printed", "pond", "--anyway", "--workers", "1").exit_code == 0
    frogs = pond / "components/pond/frogs.yaml"
    edit(frogs, "title: Bull frog, copies: 2, leap: 3", "title: Ox frog, copies: 2, leap: 4")
    edit(frogs, "leap: 5", "leap: 2")
    result = run(pond, "diff", "pond", "--workers", "1")
    assert result.exit_code == 0, result.output
    day = result.output.partition("printed on ")[2][:10]
    assert result.output.splitlines() == [
        f"pond: 2 changed (printed on {day}, and now)",
        "frogs/bull-frog: front changed",
        "  title Bull frog -> Ox frog",
        "  leap 3 -> 4",
        "frogs/tree-frog: data changed",
        "  leap 5 -> 2",
        f"{pond}/output/pond/diff.html, {pond}/output/pond/diff.pdf",
    ]
    page = (pond / "output/pond/diff.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 3, "two of the changed card, one of the other"
    assert page.count('class="mark"') == 2, "one box on each of the pair"
    with pikepdf.open(pond / "output/pond/diff.pdf") as document:
        drawn = document.pages[0].Resources.XObject
        assert [str(each.Subtype) for each in drawn.values()] == ["/Image"] * 3


def test_a_diff_with_a_revision_needs_no_ledger(pond: Path) -> None:
    who = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message=first")):
        subprocess.run(["git", "-C", str(pond), *who, *words], check=True, capture_output=True)
    edit(pond / "components/pond/frogs.yaml", "copies: 2", "copies: 3")
    result = run(pond, "diff", "pond", "HEAD", "--workers", "1")
    assert result.output.splitlines()[:2] == [
        "pond: 1 changed (at HEAD, and now)",
        "frogs/bull-frog: copies 2 -> 3",
    ]


def test_a_diff_with_another_folder(pond: Path, tmp_path: Path) -> None:
    shutil.copytree(pond, tmp_path / "older")
    frogs = pond / "components/pond/frogs.yaml"
    edit(frogs, "bull-frog", "ox-frog")
    edit(frogs, "Tree frog", "Leaf frog")
    result = run(pond, "diff", "pond", str(tmp_path / "older"), "--workers", "1")
    assert result.output.splitlines()[1:5] == [
        "frogs/ox-frog: renamed",
        "frogs/tree-frog: front changed",
        "  title Tree frog -> Leaf frog",
        "frogs/bull-frog: renamed",
    ]


def test_a_fault_of_the_other_side_says_where_it_is(pond: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    shutil.copytree(pond, older)
    edit(older / "components/pond/frogs.yaml", "leap: 3", "leap: 9")
    result = run(pond, "diff", "pond", str(older))
    assert result.exit_code == 1
    assert result.output == (
        f"{older}/components/pond/frogs.yaml:11:56: card 'bull-frog': leap is 9; "
        "expected 0 to 5 [bad-value]\n"
    )


def test_a_game_that_was_not_there_is_told(pond: Path, tmp_path: Path) -> None:
    shutil.copytree(pond, tmp_path / "older")
    (tmp_path / "older/components/pond").rename(tmp_path / "older/components/lake")
    result = run(pond, "diff", "pond", str(tmp_path / "older"))
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == f"Error: '{tmp_path / 'older'}' has no game 'pond'"


def test_the_same_kit_has_no_difference(pond: Path) -> None:
    result = run(pond, "diff", "pond", str(pond), "--workers", "1")
    assert result.output.splitlines()[0] == f"pond: no card differs (at {pond}, and now)"
    assert "No card differs." in (pond / "output/pond/diff.html").read_text(encoding="utf-8")
