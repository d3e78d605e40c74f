"""The pipes of Devices at the cut: mouths that meet, and what is told when one does not."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from kitwright.jobs.joins import DPI, unlike, with_joins
from kitwright.load import Workspace, load_game
from kitwright.model.game import Game
from kitwright.model.games.devices import MOUTH, joints
from kitwright.model.joints import Joint
from kitwright.model.record import freeze
from kitwright.play.games.devices_box_checks import join_checks
from kitwright.write.png import Raster

ROOT = Path(__file__).parent.parent
PIXELS = DPI / 25.4  # a millimetre
WIDE, HIGH, BLEED = 60.0, 80.0, 3.0


@cache
def devices() -> Game:
    return load_game(ROOT, "devices")


def test_every_port_of_every_part_is_a_joint() -> None:
    found = list(joints(devices()))
    assert len(found) == 88
    high = devices().deck("special").size.height
    by_port = {joint.name: (joint.middle, joint.low, joint.high) for joint in found}
    assert by_port == {
        "top": (0.0, 0.0, MOUTH / 2),
        "mid": (high / 2, -MOUTH / 2, MOUTH / 2),
        "bot": (high, -MOUTH / 2, 0.0),
    }


def test_all_pipes_join_in_every_skin() -> None:
    found = list(join_checks(with_joins(Workspace(ROOT), devices())))
    assert [(check.name, check.figure, check.ok) for check in found] == [
        ("pipes join at the cut: standard", 0, True),
        ("pipes join at the cut: low-ink", 0, True),
    ]


def card(pipe: float, reach: float = WIDE + BLEED) -> Raster:
    """Return a white card with a black pipe 10 mm high from its left edge to `reach`."""
    width, height = (round((side + 2 * BLEED) * PIXELS) for side in (WIDE, HIGH))
    rows = []
    for row in range(height):
        inside = abs(row / PIXELS - BLEED - pipe) < 5.0
        black = round((reach + BLEED) * PIXELS) if inside else 0
        rows.append(b"\0" * 3 * black + b"\xff" * 3 * (width - black))
    return Raster(width, height, b"".join(rows))


@pytest.mark.parametrize(
    ("other", "off"),
    [
        (card(40.0), []),
        (card(40.1), []),
        (card(41.0), ["b right mid"]),
        (card(40.0, reach=WIDE), ["b right mid"]),
    ],
    ids=["the same", "within a pixel", "a millimetre lower", "without bleed"],
)
def test_a_mouth_that_is_off_or_ends_at_the_cut_is_told(other: Raster, off: list[str]) -> None:
    mouths = (
        Joint("a", "left", "mid", 40.0, -6.0, 6.0),
        Joint("b", "right", "mid", 40.0, -6.0, 6.0),
    )
    found = unlike(mouths, {"a": card(40.0), "b": other}, {"a": BLEED, "b": BLEED})
    assert list(found) == off


def test_a_check_names_the_mouths_that_are_off() -> None:
    facts = {"joins": {"standard": {"joints": 88, "off": ("special/s01 right top",)}}}
    (check,) = join_checks(replace(devices(), facts=freeze(facts)))
    assert (check.ok, check.about) == (False, "special/s01 right top")


def test_a_game_without_joints_is_left_as_it_is() -> None:
    game = load_game(ROOT, "hard-wired")
    assert with_joins(Workspace(ROOT), game) is game
