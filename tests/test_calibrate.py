"""Duplex that lines up: the page of verniers, the stored offset, and where backs then lie."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from kitwright.cli import cli
from kitwright.compose.verniers import BACK_PITCH, FRONT_PITCH, LINES
from kitwright.impose.register import correction, error, reach, turned_over
from kitwright.model.geometry import apply
from kitwright.model.paper import Paper, Printer

LayFiles = Callable[[Path, Mapping[str, str]], Path]
DPI = 400
A4 = Paper("a4", 210.0, 297.0)
GAME = """\
game: dots
title: Dots
designers: [Ada Example]
licence: public domain
source: made for the tests
players: {fewest: 1, most: 2}
minutes: {fewest: 5, most: 10}
age: 6
theme: dots/theme
kit: [dots]
"""
DECK = """\
deck: dots
title: Dots
layout: dots/card
back: dots/back
size: poker
cards:
  - {id: dot, copies: 9}
"""
CARD = """\
layout: dots/card
boxes: {dot: {center: both, w: 4mm, h: 4mm}}
draw:
  - fill: {box: bleed, color: "#ffffff"}
  - fill: {box: dot, color: "#000000"}
"""
BACK = """\
layout: dots/back
boxes: {dot: {center: both, w: 4mm, h: 4mm}}
draw:
  - fill: {box: bleed, color: "#40a0ff"}
  - fill: {box: dot, color: "#000000"}
"""


@pytest.fixture
def dots(tmp_path: Path, lay_files: LayFiles, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KITWRIGHT_CONFIG", str(tmp_path / "settings"))
    files = {
        "components/dots/game.yaml": GAME,
        "components/dots/dots.yaml": DECK,
        "layouts/dots/theme.yaml": "theme: dots/theme\n",
        "layouts/dots/card.yaml": CARD,
        "layouts/dots/back.yaml": BACK,
    }
    return lay_files(tmp_path / "dots", files)


def run(dots: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(dots), *words])


def pictures(path: Path) -> list[Image.Image]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.render(scale=DPI / 72).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def spots(picture: Image.Image, near: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the middles of the black dots near some points, in mm."""
    dark = picture.convert("L").point([255 if value < 60 else 0 for value in range(256)])
    found = []
    for x, y in near:
        box = [round(at * DPI / 25.4) for at in (x - 8, y - 8, x + 8, y + 8)]
        inside = dark.crop((box[0], box[1], box[2], box[3])).getbbox()
        assert inside is not None, f"no dot near {x}, {y}"
        left, top, right, bottom = inside
        middle = (box[0] + (left + right) / 2, box[1] + (top + bottom) / 2)
        found.append((middle[0] * 25.4 / DPI, middle[1] * 25.4 / DPI))
    return found


MIDDLES = [(105 + dx * 63.5, 148.5 + dy * 88.9) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


@pytest.mark.parametrize("sides", ["long", "short"])
def test_the_printers_error_brings_every_back_behind_its_front(dots: Path, sides: str) -> None:
    printer = Printer("office", 0.8, -0.6, 0.3)
    assert run(dots, "calibrate", "--printer", "office", "--set", "0.8,-0.6,0.3").exit_code == 0
    words = ("build", "--printer", "office", "--paper", "a4", "--sides", sides, "--marks", "none")
    result = run(dots, *words, "--deck", "dots")
    assert result.exit_code == 0, result.output
    ending = "" if sides == "long" else f"-{sides}"
    front, back = pictures(dots / f"output/dots/print/dots-a4{ending}.pdf")
    over, moved = turned_over(A4, sides), error(printer, A4)
    wanted = spots(front, MIDDLES)
    drawn = spots(back, [apply(over, *middle) for middle in MIDDLES])
    for (x, y), there in zip(wanted, drawn, strict=True):
        lands = apply(moved, *apply(over, *there))
        assert lands == pytest.approx((x, y), abs=0.13)
        assert there != pytest.approx(apply(over, x, y), abs=0.3), "it was moved at all"


def test_without_an_angle_the_back_is_moved_the_other_way(dots: Path) -> None:
    run(dots, "calibrate", "--printer", "office", "--set", "1.5,0.5")
    run(dots, "build", "--printer", "office", "--paper", "a4", "--marks", "none")
    _, back = pictures(dots / "output/dots/print/dots-a4.pdf")
    ((x, y),) = spots(back, [(105.0, 148.5)])
    assert (x, y) == pytest.approx((106.5, 148.0), abs=0.13), "right on the back is left in front"


def test_the_bleed_grows_by_what_the_back_is_moved(dots: Path) -> None:
    run(dots, "calibrate", "--printer", "office", "--set", "1.5,0.0")
    words = ("build", "--paper", "a4", "--marks", "none")
    colors = []
    for printer in ((), ("--printer", "office")):
        run(dots, *words, *printer)
        _, back = pictures(dots / "output/dots/print/dots-a4.pdf")
        shift = 1.5 if printer else 0.0
        left = 105 - 1.5 * 63.5 + shift
        spots_at = (left - 2.5, left - 4.0)  # inside the bleed; beyond it, within what it grew
        colors.append([back.getpixel((round(x * DPI / 25.4), 2000)) for x in spots_at])
    blue, white = (64, 160, 255), (255, 255, 255)
    assert colors == [[blue, white], [blue, blue]]


def test_a_fold_and_fronts_alone_need_no_correction(dots: Path) -> None:
    run(dots, "calibrate", "--printer", "office", "--set", "1.5,0.5")
    for sides in ("fold", "fronts"):
        words = ("build", "--paper", "a4", "--sides", sides, "--marks", "none")
        run(dots, *words)
        plain = pictures(dots / f"output/dots/print/dots-a4-{sides}.pdf")
        run(dots, *words, "--printer", "office")
        near = [(20 * n, 30 * m) for n in range(1, 10) for m in range(1, 9)]
        after = pictures(dots / f"output/dots/print/dots-a4-{sides}.pdf")
        points = [(round(x * DPI / 25.4), round(y * DPI / 25.4)) for x, y in near]
        for one, other in zip(plain, after, strict=True):
            assert [one.getpixel(at) for at in points] == [other.getpixel(at) for at in points]


def test_a_vernier_reads_tenths() -> None:
    # Line n of the back, moved by n tenths, lies on line n of the front.
    for n in range(-LINES, LINES + 1):
        assert n * BACK_PITCH + n / 10 == pytest.approx(n * FRONT_PITCH)


def comb(picture: Image.Image, y: float) -> list[float]:
    """Return where upright lines cross a level one in the middle of the page, in mm."""
    row = round(y * DPI / 25.4)
    line = picture.crop((0, row, picture.width, row + 1)).convert("L").tobytes()
    found: list[list[int]] = []
    for x, value in enumerate(line):
        if value < 140 and 75 < x * 25.4 / DPI < 135:
            if found and x - found[-1][-1] == 1:
                found[-1].append(x)
            else:
                found.append([x])
    return [(group[0] + group[-1] + 1) / 2 * 25.4 / DPI for group in found]


def test_the_scales_of_the_page_lie_back_to_back(dots: Path) -> None:
    result = run(dots, "calibrate", "--printer", "office")
    assert result.output == f"{dots}/output/calibrate/office-a4.pdf\n"
    front, back = pictures(dots / "output/calibrate/office-a4.pdf")
    above, below = comb(front, 148.5 - 2), comb(back, 148.5 + 2)
    assert above == pytest.approx([105 + n for n in range(-25, 26)], abs=0.07)
    assert below == pytest.approx([105 + 0.9 * n for n in range(-25, 26)], abs=0.07)


def test_a_corrected_page_reads_nought_after_the_error(dots: Path) -> None:
    run(dots, "calibrate", "--printer", "office", "--set", "0.7,0")
    assert run(dots, "calibrate", "--printer", "office", "--corrected").exit_code == 0
    _, back = pictures(dots / "output/calibrate/office-a4.pdf")
    assert comb(back, 150.5)[25] == pytest.approx(105.7, abs=0.07)


def test_the_correction_undoes_the_error_and_reach_bounds_it() -> None:
    printer = Printer("office", -1.1, 0.4, -0.5)
    for sides in ("long", "short", "two-pass"):
        over, undo = turned_over(A4, sides), correction(printer, A4, sides)
        for point in ((0.0, 0.0), (50.0, 200.0), (210.0, 297.0)):
            drawn = apply(undo, *apply(over, *point))
            assert apply(error(printer, A4), *apply(over, *drawn)) == pytest.approx(point)
    assert reach(Printer("office", 3.0, 4.0), A4) == pytest.approx(5.0)


def test_settings_are_kept_and_listed(dots: Path, tmp_path: Path) -> None:
    assert run(dots, "calibrate").output == "no printer is calibrated; name one with --printer\n"
    for name, offset in (("office", "0.8,-0.6"), ("home", "0,0.1,-0.2"), ("office", "0.5,0.5")):
        run(dots, "calibrate", "--printer", name, "--set", offset)
    assert run(dots, "calibrate").output.splitlines() == [
        "printer  x mm  y mm  angle",
        "-------  ----  ----  -----",
        "home     0     0.1   -0.2",
        "office   0.5   0.5   0",
    ]
    kept = json.loads((tmp_path / "settings/printers.json").read_text(encoding="utf-8"))
    assert kept["printers"]["home"] == {"x": 0.0, "y": 0.1, "angle": -0.2}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ("calibrate", "--printer", "office", "--set", "wide"),
            2,
            "Error: --set is 'wide'; expected X,Y or X,Y,ANGLE in mm and degrees, such as "
            "0.4,-0.2,0.1",
        ),
        (
            ("calibrate", "--printer", "office", "--set", "12,0"),
            2,
            "Error: --set is '12,0'; expected at most 10 mm either way and 3 degrees",
        ),
        (
            ("calibrate", "--printer", "office", "--set", "nan,0"),
            2,
            "Error: --set is 'nan,0'; expected at most 10 mm either way and 3 degrees",
        ),
        (
            ("calibrate", "--set", "0,0"),
            2,
            "Error: --set and --corrected are about a --printer; name it",
        ),
        (
            ("calibrate", "--printer", "../office"),
            2,
            "Error: the printer is '../office'; expected letters, figures and dashes, such as "
            "office",
        ),
        (
            ("build", "--printer", "office"),
            2,
            "Error: the printer 'office' is not calibrated; there are none; print the page of "
            "'kitwright calibrate --printer office' first",
        ),
    ],
)
def test_a_wrong_word_is_told(dots: Path, words: tuple[str, ...], code: int, said: str) -> None:
    result = run(dots, *words)
    assert result.exit_code == code
    assert result.output.splitlines()[-1] == said


def test_damaged_settings_are_told(dots: Path, tmp_path: Path) -> None:
    file = tmp_path / "settings/printers.json"
    file.parent.mkdir()
    for text in ("{", "[]", '{"printers": {"a": {"x": 1e9, "y": 0}}}'):
        file.write_text(text, encoding="utf-8")
        result = run(dots, "calibrate")
        assert result.exit_code == 3
        assert result.output == (
            f"kitwright: the settings '{file}' are damaged; mend or delete that file, "
            "then calibrate again\n"
        )
