"""The preflight: our games pass it everywhere; what it sees and what it lets pass.

Each of its faults has a case in tests/faults/.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kitwright.cli import cli
from kitwright.fonts import Fonts
from kitwright.jobs.exports import ExportOptions, preflight_game
from kitwright.load import Workspace
from kitwright.load.workspace import shipped_root
from kitwright.ops import Face, Fill, Group, Stroke, Use, make_symbol
from kitwright.ops import Path as OpPath
from kitwright.preflight.edges import bare_sides, is_covered
from kitwright.preflight.leaves import leaves
from kitwright.write.encode import Encoder
from kitwright.write.views import Window

ROOT = Path(__file__).parent.parent
HARBOUR = Path(__file__).parent / "harbour"
GAMES = Workspace(shipped_root()).games()
FONTS = Fonts({})
WINDOW = Window(-3, -3, 26, 36, (260, 360))


def rectangle(left: float, top: float, right: float, bottom: float) -> OpPath:
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return (("M", *corners[0]), *(("L", *corner) for corner in corners[1:]), ("Z",))


def face(*ops: Any) -> Face:
    return Face("card", 20, 30, 3, ops, "hash")


def bare(card: Face) -> dict[str, float]:
    (sides,) = bare_sides([Encoder(FONTS).encode(card)], [WINDOW], FONTS, {})
    return {side.side: round(side.length, 1) for side in sides}


@pytest.mark.parametrize("game", GAMES)
def test_our_games_pass_wherever_they_go(game: str) -> None:
    workspace = Workspace(shipped_root())
    looked, warnings = preflight_game(workspace, game, ExportOptions(("all",)))
    assert [problem for each in looked for problem in each.problems] == []
    assert warnings == ()
    assert len(looked) == 9
    assert all(each.faces for each in looked)


def test_a_ground_that_covers_the_bleed_is_known_without_drawing() -> None:
    ground = Fill(rectangle(-3, -3, 23, 33), "#2f6f86")
    assert is_covered(face(ground), WINDOW)
    assert is_covered(face(Use(make_symbol((ground,), (-3, -3, 23, 33)))), WINDOW)
    assert not is_covered(face(Group((ground,), opacity=0.5)), WINDOW)
    assert not is_covered(face(Fill(rectangle(-3, -3, 23, 32.9), "#2f6f86")), WINDOW)


def test_a_sliver_of_a_tenth_of_a_millimetre_is_seen() -> None:
    assert bare(face(Fill(rectangle(-3, -3, 23, 32.9), "#2f6f86"))) == {"bottom": 26.0}
    assert bare(face(Fill(rectangle(-3, -3, 23, 33), "#2f6f86"))) == {}


def test_white_paper_needs_no_bleed_but_a_bar_that_runs_over_the_cut_does() -> None:
    assert bare(face()) == {}
    assert bare(face(Fill(rectangle(0, 10, 20, 14), "#2f6f86"))) == {"left": 4.0, "right": 4.0}


def test_the_ink_of_a_turned_mark_is_measured_as_it_lies() -> None:
    diamond: OpPath = (("M", 0, -2), ("L", 2, 0), ("L", 0, 2), ("L", -2, 0), ("Z",))
    eighth = (0.7071, 0.7071, -0.7071, 0.7071, 10.0, 10.0)
    (leaf,) = leaves(face(Group((Fill(diamond, "#000000"),), eighth)), {})
    left, top, right, bottom = leaf.box(FONTS)
    assert (right - left, bottom - top) == pytest.approx((2.83, 2.83), abs=0.01)


def test_what_a_clip_hides_is_not_outside() -> None:
    line = Stroke((("M", -9, 5), ("L", 40, 5)), "#000000", 1.0)
    (leaf,) = leaves(face(Group((line,), clip=rectangle(4, 0, 16, 30))), {})
    assert leaf.box(FONTS)[0::2] == (4, 16)


@pytest.fixture
def spoil(tmp_path: Path) -> Callable[..., list[str]]:
    """Change a layout of the small game and return what the preflight of a shop says."""

    def check(changes: dict[str, str], site: str = "mpc") -> list[str]:
        root = tmp_path / "workspace"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(HARBOUR, root)
        path = root / "layouts/harbour/card.yaml"
        text = path.read_text(encoding="utf-8")
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        looked, _ = preflight_game(Workspace(root), "harbour", ExportOptions((site,)))
        return [problem.code for each in looked for problem in each.problems]

    return check


FOOT = "  foot: {inside: safe, x: 4mm, right: 4mm, bottom: 6mm, h: 6mm}"
LOW = "  foot: {x: 4mm, right: 4mm, bottom: 1mm, h: 6mm}"


GROUND = "fill: {box: bleed, color: sand}"
WORDS = 'text: {box: foot, style: name, text: "{{ card.id }}", overflow: shrink}'
NESTED = f"group: {{edge: true}}\n    draw:\n      - {WORDS}"


def test_a_sound_game_has_nothing_to_tell(spoil: Callable[..., list[str]]) -> None:
    assert spoil({}) == []


def test_words_near_the_cut_are_told_where_something_is_cut(
    spoil: Callable[..., list[str]],
) -> None:
    assert spoil({FOOT: LOW}) == ["outside-safe"]
    assert spoil({FOOT: LOW}, "tts") == []


def test_what_is_meant_to_be_near_the_cut_may_be_there(spoil: Callable[..., list[str]]) -> None:
    assert spoil({FOOT: LOW, WORDS: f"{WORDS[:-1]}, edge: true}}"}) == []
    assert spoil({FOOT: LOW, WORDS: NESTED}) == []


def test_a_ground_is_drawn_as_far_as_a_shop_looks(spoil: Callable[..., list[str]]) -> None:
    fixed = f"{FOOT}\n  paper: {{x: -3mm, right: -3mm, y: -3mm, bottom: -3mm}}"
    assert spoil({}, "tgc") == []  # 3.175 mm, where the layout has 3
    spoilt = {FOOT: fixed, GROUND: GROUND.replace("bleed", "paper")}
    assert spoil(spoilt, "tgc") == ["white-edge"]
    assert spoil(spoilt, "images") == []


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, ["--workspace", str(HARBOUR), *words])


def test_the_command_tells_of_each_destination_and_what_it_skips() -> None:
    result = run("preflight", "harbour", "--to", "tgc,mpc")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        "destination  faces  faults  ready",
        "-----------  -----  ------  -----",
        "tgc          12     0       yes",
        "mpc          10     0       yes",
        "skipped: tgc: coins: The Game Crafter has no product of 15 x 15 mm",
        "skipped: mpc: coins: MakePlayingCards takes decks; this is a token",
        "skipped: mpc: chart: MakePlayingCards takes decks; this is a board",
        "skipped: mpc: log: MakePlayingCards takes decks; this is a sheet",
    ]


def test_a_fault_ends_the_command_with_1_and_is_in_its_json(tmp_path: Path) -> None:
    shutil.copytree(HARBOUR, tmp_path / "w")
    layout = tmp_path / "w/layouts/harbour/card.yaml"
    layout.write_text(layout.read_text().replace(FOOT, LOW))
    words = ["--workspace", str(tmp_path / "w"), "preflight", "harbour", "--to", "mpc", "--json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    (shop,) = told["destinations"]
    assert shop["faults"] == [
        "layouts/harbour/card.yaml:12:5: card 'brig': the text 'brig' is 1.68mm from the cut; "
        "MakePlayingCards wants 3.05mm, or edge: true (and 5 more like it) [outside-safe]"
    ]
