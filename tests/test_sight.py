"""Seen by everyone: colours through other eyes, words on their ground, size of type, ink."""

from __future__ import annotations

import json
import shutil
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from kitwright.cli import cli
from kitwright.fonts import SHIPPED, Fonts
from kitwright.jobs.sights import Sight, checks_of, look_at_skins, sight_checks
from kitwright.load import Workspace, find_workspace
from kitwright.load.themes import load_theme
from kitwright.model.geometry import rectangle
from kitwright.model.theme import Theme, Told
from kitwright.ops import Face, Fill, Group, Op, Use, Word, make_symbol
from kitwright.problems import Problem
from kitwright.sight.eyes import (
    LEAST,
    NORMAL,
    STEPS,
    WAYS,
    contrast,
    difference,
    luminance,
    seen,
    table,
)
from kitwright.sight.letters import letters_of, wordless
from kitwright.sight.looks import colors_apart
from kitwright.write.png import Raster
from kitwright.write.tints import tinted_png

ROOT = Path(__file__).parent.parent
BASE = Path(__file__).parent / "faults" / "base"
FONTS = Fonts({"source-sans-pro": SHIPPED["source-sans-pro"].path})


@pytest.fixture
def pond(tmp_path: Path) -> Workspace:
    shutil.copytree(BASE, tmp_path / "pond")
    return Workspace(tmp_path / "pond")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(pond: Workspace, *words: str) -> Result:
    return CliRunner().invoke(cli, ["--workspace", str(pond.root), *words])


def checks(pond: Workspace) -> dict[str, Sight]:
    return {check.name: check for check in sight_checks(pond, "pond", None)}


def test_red_and_green_are_near_for_some_eyes_only() -> None:
    red, green = "#c0392b", "#7a7a1e"
    apart = {way: difference(red, green, way) for way in (NORMAL, *WAYS)}
    assert apart[NORMAL] > 30
    assert apart["tritan"] > 20
    assert min(apart["protan"], apart["deutan"]) < LEAST


def test_grey_has_no_hue() -> None:
    for color in ("#c0392b", "#2160ae", "#ffc928"):
        shade = seen(color, "grey")
        assert shade[1:3] == shade[3:5] == shade[5:7]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast(luminance(0, 0, 0), luminance(255, 255, 255)) == pytest.approx(21)
    assert contrast(luminance(119, 119, 119), luminance(255, 255, 255)) == pytest.approx(
        4.48, abs=0.01
    )


def told(colors: tuple[tuple[str, str], ...], cue: str) -> Theme:
    return Theme("pond/theme", {}, {}, {}, {}, {}, {}, {"frogs": Told(colors, cue)})


def test_colours_that_are_too_near_need_a_second_cue() -> None:
    near = (("moss", "#7a7a1e"), ("rust", "#c0392b"), ("sky", "#8cc4ff"))
    (alone,) = colors_apart(told(near, ""))
    (marked,) = colors_apart(told(near, "a letter"))
    assert (alone.ok, marked.ok) == (False, True)
    assert alone.pairs["protan"] == ("moss", "rust")
    (far,) = colors_apart(told((("black", "#000000"), ("white", "#ffffff")), ""))
    assert far.ok


def face(*ops: Op) -> Face:
    return Face("frogs/one", 60.0, 90.0, 3.0, ops, "")


def word(text: str, x: float = 10.0, baseline: float = 20.0, color: str = "#222222") -> Word:
    return Word(x, baseline, "source-sans-pro", 12.0, color, text, style="name")


def test_words_are_found_in_groups_and_symbols_at_their_printed_size() -> None:
    symbol = make_symbol((word("Toad"),), (0, 0, 60, 90))
    half = (0.5, 0.0, 0.0, 0.5, 0.0, 0.0)
    found = list(letters_of(face(word("Frog"), Group((Use(symbol),), half, opacity=0.6)), FONTS))
    assert [(each.text, each.size_pt, each.opacity) for each in found] == [
        ("Frog", 12.0, 1.0),
        ("Toad", 6.0, 0.6),
    ]
    assert found[1].box[:2] == pytest.approx([v / 2 for v in found[0].box[:2]])


def test_a_word_that_is_cut_away_or_under_itself_does_not_count() -> None:
    hidden = Group((word("Newt"),), clip=rectangle(30, 50, 10, 10))
    outside = word("Olm", x=70.0)
    shadow, top = word("Eft", x=20.2, baseline=40.2, color="#999999"), word("Eft", 20.0, 40.0)
    found = [each.color for each in letters_of(face(hidden, outside, shadow, top), FONTS)]
    assert found == ["#222222"]


def test_the_ground_of_a_word_is_what_was_painted_before_it() -> None:
    below, above = (Fill(rectangle(0, 0, 60, 90), paint) for paint in ("#ffffff", "#000000"))
    group = Group((below, word("Frog"), above))
    assert wordless(face(group)).ops == (Group((below, above)),)
    assert wordless(face(group), before=0).ops == (Group((below,)),)


def test_every_game_can_be_seen_by_everyone() -> None:
    for check in checks_of(look_at_skins(find_workspace(ROOT), "hard-wired", None)):
        assert check.ok, check


@pytest.mark.slow
@pytest.mark.parametrize("game", find_workspace(ROOT).games())
def test_all_games_can_be_seen_by_everyone(game: str) -> None:
    found = sight_checks(find_workspace(ROOT), game, None)
    assert [check for check in found if not check.ok] == []
    assert any(check.name == "standard: contrast of text" for check in found)
    assert any(check.name.endswith("told apart") for check in found)


def test_faint_text_is_a_must_that_fails_and_names_its_place(pond: Workspace) -> None:
    edit(pond.root / "layouts/pond/theme.yaml", 'ink: "#1d2b2a"', 'ink: "#6f9f98"')
    check = checks(pond)["standard: contrast of text"]
    assert (check.level, check.ok, check.bound) == ("must", False, ">= 4.5")
    assert check.figure == pytest.approx(2.3, abs=0.1)
    assert check.about == (
        f"'Bull frog' (#6f9f98, style 'name') in frogs/bull-frog has {check.figure}:1; "
        "drawn at layouts/pond/frog.yaml:7"
    )


def test_the_ground_of_the_face_counts_and_not_that_of_the_theme(pond: Workspace) -> None:
    assert checks(pond)["standard: contrast of text"].ok
    layout = pond.root / "layouts/pond/frog.yaml"
    edit(
        layout, "  - text: {box: name,", "  - fill: {box: name, color: ink}\n  - text: {box: name,"
    )
    check = checks(pond)["standard: contrast of text"]
    assert (check.ok, check.figure) == (False, 1.0)


def test_what_is_painted_over_a_word_is_not_its_ground(pond: Workspace) -> None:
    before = checks(pond)["standard: contrast of text"].figure
    layout = pond.root / "layouts/pond/frog.yaml"
    text = layout.read_text(encoding="utf-8")
    layout.write_text(text + "  - fill: {box: safe, color: ink}\n", encoding="utf-8")
    assert checks(pond)["standard: contrast of text"].figure == before


def test_small_type_is_a_must_that_fails(pond: Workspace) -> None:
    edit(pond.root / "layouts/pond/theme.yaml", "size: 11pt", "size: 4.8pt")
    edit(pond.root / "layouts/pond/theme.yaml", "least: 8pt", "least: 4pt")
    check = checks(pond)["standard: smallest type"]
    assert (check.level, check.ok, check.figure, check.bound) == ("must", False, 4.8, ">= 5 pt")
    assert check.about == "in points, by style: name 4.8"


def test_declared_colours_are_checked_in_every_skin(pond: Workspace) -> None:
    theme = pond.root / "layouts/pond/theme.yaml"
    theme.write_text(
        theme.read_text(encoding="utf-8") + "tells_apart:\n  sides: {colors: [water, ink]}\n",
        encoding="utf-8",
    )
    night = pond.root / "layouts/pond/skins/night.yaml"
    edit(night, 'ink: "#e6f4f1"', 'ink: "#17302e"')
    found = checks(pond)
    assert found["standard: sides told apart"].ok
    dark = found["night: sides told apart"]
    assert (dark.level, dark.ok, dark.bound) == ("must", False, ">= 10, or a cue")
    assert isinstance(dark.figure, dict)
    assert list(dark.figure) == [NORMAL, *WAYS]
    way = min(dark.figure, key=lambda each: dict(dark.figure)[each])  # type: ignore[arg-type]  # a dict
    assert dark.about == f"water and ink are {dark.figure[way]} apart in {way}; no second cue"


def test_an_unknown_colour_is_told_at_its_place(pond: Workspace) -> None:
    theme = pond.root / "layouts/pond/theme.yaml"
    lines = theme.read_text(encoding="utf-8") + "tells_apart:\n  sides: {colors: [water, inc]}\n"
    theme.write_text(lines, encoding="utf-8")
    problems: list[Problem] = []
    assert load_theme(pond, "pond/theme", problems) is None
    row = lines.splitlines().index("  sides: {colors: [water, inc]}") + 1
    assert [str(problem) for problem in problems] == [
        f"layouts/pond/theme.yaml:{row}:27: the colour 'inc' is not there; "
        "expected a colour of the theme; did you mean 'ink'? [unknown-color]"
    ]


def test_ink_is_told_for_each_skin_and_low_ink_must_save(pond: Workspace) -> None:
    skins = pond.root / "layouts/pond/skins"
    (skins / "low-ink.yaml").write_text(
        "theme: pond/skins/low-ink\nextends: pond/theme\n"
        'colors: {water: "#ffffff", ink: "#1d2b2a"}\n',
        encoding="utf-8",
    )
    found = checks(pond)
    assert found["standard: ink"].figure == "49 %"
    assert found["low-ink: ink"].figure == "49 % -> 43 %"
    assert (found["low-ink: ink"].ok, found["low-ink: ink"].bound) == (False, "< 25 %")
    back = pond.root / "layouts/pond/back.yaml"
    edit(back, "color: ink", "color: water")
    assert checks(pond)["low-ink: ink"].ok


def test_check_tells_what_is_seen(pond: Workspace) -> None:
    result = run(pond, "check", "pond", "--json")
    names = [row["name"] for row in json.loads(result.output)["checks"]]
    assert names[-4:] == ["night: contrast of text", "night: smallest type", *names[-2:]]
    assert names[-2:] == ["standard: ink", "night: ink"]
    edit(pond.root / "layouts/pond/theme.yaml", 'ink: "#1d2b2a"', 'ink: "#6f9f98"')
    assert run(pond, "check", "pond").exit_code == 1


def test_a_table_of_colours_is_what_single_colours_become() -> None:
    colors = ("#d2382c", "#2160ae", "#ffc928", "#3f8f5a")
    for way in WAYS:
        pixels = b"".join(bytes.fromhex(color[1:]) for color in colors)
        image = Image.open(BytesIO(tinted_png(Raster(4, 1, pixels), STEPS, table(way))))
        for x, color in enumerate(colors):
            exact = bytes.fromhex(seen(color, way)[1:])
            shown = image.convert("RGB").tobytes()[3 * x : 3 * x + 3]
            assert max(abs(a - b) for a, b in zip(exact, shown, strict=True)) <= 10


def test_a_proof_has_a_sheet_for_each_way_of_seeing(pond: Workspace) -> None:
    result = run(pond, "proof", "pond", "--dpi", "30")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:2] == ["standard: 49 % ink", "night: 49 % -> 48 % ink"]
    folder = pond.root / "output/pond/proof"
    names = sorted(path.name for path in folder.iterdir())
    pictures = [f"{way}.png" for way in sorted((NORMAL, *WAYS))]
    assert names == sorted([*pictures, "proof.html"])
    sizes = {Image.open(BytesIO((folder / name).read_bytes())).size for name in pictures}
    assert len(sizes) == 1
    with Image.open(folder / "grey.png") as grey:
        red, green, blue = grey.convert("RGB").split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    page = (folder / "proof.html").read_text(encoding="utf-8")
    assert page.count("<img ") == 5
