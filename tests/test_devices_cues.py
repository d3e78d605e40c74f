"""The cubes of Devices without colour: what is left of them in grey, in every skin."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.fonts import Fonts
from kitwright.jobs.cues import faintest, measure_cues, most_alike, with_cues
from kitwright.load import Workspace, load_game
from kitwright.load.icons import load_icons
from kitwright.model.games.devices import CUES
from kitwright.model.record import freeze
from kitwright.model.svg import Svg
from kitwright.play.games.devices_box_checks import cue_checks

ROOT = Path(__file__).parent.parent
COLORS = {
    "ink": "#000000",
    **{f"red{end}": color for end, color in zip(("", "-light", "-dark", "-mark"),
       ("#cc3322", "#ee8877", "#aa2211", "#ffffff"), strict=True)},
}  # fmt: skip


@cache
def icons() -> dict[str, Svg]:
    return dict(load_icons(Workspace(ROOT), "devices", []))


def painted(family: str, like: str = "red") -> dict[str, str]:
    """Return colours in which a family has the paints of another."""
    return {**COLORS, **{name.replace(like, family): c for name, c in COLORS.items()}}


def test_icons_that_differ_in_colour_alone_do_not_differ() -> None:
    red = icons()["cube-red"]
    found = most_alike({"one": (red, "red"), "other": (red, "red")}, COLORS, Fonts({}))
    assert found == {"pair": ("one", "other"), "differs": 0.0}


def test_letters_and_pips_are_an_area_that_can_be_measured() -> None:
    cubes = {"cube-red": (icons()["cube-red"], "red"), "cube-blue": (icons()["cube-blue"], "blue")}
    assert most_alike(cubes, painted("blue"), Fonts({}))["differs"] > 3


def test_a_sign_as_grey_as_its_ground_does_not_stand_out() -> None:
    cube = {"cube-red": (icons()["cube-red"], "red")}
    assert faintest(cube, COLORS, Fonts({}))["stands_out"] > 80
    hidden = {**COLORS, "red": "#767676", "red-light": "#767676", "red-mark": "#2a8a4a"}
    assert faintest(cube, hidden, Fonts({}))["stands_out"] < 30


def test_the_cubes_are_told_apart_in_every_skin() -> None:
    cues = measure_cues(Workspace(ROOT), "devices", None)
    assert list(cues) == ["standard", "low-ink"]
    game = replace(load_game(ROOT, "devices"), facts=freeze({"cues": cues}))
    found = list(cue_checks(game))
    assert [check.name for check in found] == [
        "cubes differ without colour: standard",
        "cubes show their sign in grey: standard",
        "cubes differ without colour: low-ink",
        "cubes show their sign in grey: low-ink",
    ]
    assert all(check.ok for check in found)


def test_cues_that_are_too_weak_are_told() -> None:
    weak = {"pair": ("cube-red", "cube-blue"), "differs": 1.2, "faintest": "cube-red"}
    cues: Any = {"standard": {"cubes": {**weak, "stands_out": 30}}}
    game = replace(load_game(ROOT, "devices"), facts=freeze({"cues": cues}))
    shape, tone = cue_checks(game)
    assert (shape.ok, shape.about) == (
        False,
        "painted alike, cube-red and cube-blue still differ in 1.2 square millimetres, "
        "the least of all pairs",
    )
    assert (tone.ok, tone.about) == (
        False,
        "the sign of cube-red is 30 of 255 steps of grey from its ground, the least of all",
    )


def test_a_game_without_cues_is_left_as_it_is() -> None:
    game = load_game(ROOT, "hard-wired")
    assert with_cues(Workspace(ROOT), game) is game


@pytest.mark.parametrize(("color", "pips"), [("yellow", 1), ("red", 2), ("blue", 4), ("wild", 0)])
def test_a_cube_has_as_many_pips_as_it_pays(color: str, pips: int) -> None:
    text = (ROOT / f"layouts/devices/icons/cube-{color}.svg").read_text(encoding="utf-8")
    assert text.count("<ellipse") == pips
    assert f"cube-{color}" in CUES["cubes"]
    assert load_game(ROOT, "devices").rules["values"].get(color, 0) == pips
