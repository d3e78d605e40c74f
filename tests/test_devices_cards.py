"""What is printed of Devices: counts, models, mouths that join, and cubes told apart in grey."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from kitwright.load import find_workspace, load_game
from kitwright.model.game import Game
from kitwright.model.games import models_of
from kitwright.model.games.devices import Basic, Special
from kitwright.pipeline import STANDARD, compose_kit, load_kit
from kitwright.press.kit import Kit
from kitwright.write.png import Raster, raster

ROOT = Path(__file__).parent.parent
ICONS = ROOT / "layouts/devices/icons"
DPI = 127  # five pixels a millimetre
MM = 5


@cache
def devices() -> Game:
    return load_game(ROOT, "devices")


@cache
def kit(skin: str = STANDARD) -> Kit:
    loaded = load_kit(find_workspace(ROOT), "devices", None, skin)
    return compose_kit(loaded, skin, ("special", "basic", "players"))


@cache
def pixels(face: str) -> Raster:
    made = kit()
    return raster(made.faces[face], made.materials.fonts, made.pictures, DPI, bleed=True)


def color(face: str, x: float, y: float) -> tuple[int, int, int]:
    """Return the colour at a place in millimetres from the top left of the cut."""
    image, bleed = pixels(face), 3.0
    at = 3 * (int((y + bleed) * MM) * image.width + int((x + bleed) * MM))
    red, green, blue = image.pixels[at : at + 3]
    return red, green, blue


def test_the_box_has_the_156_cards_of_the_rules_and_its_tokens() -> None:
    counts = {deck.id: deck.count for deck in devices().decks}
    cards = {"orders": 32, "special": 60, "basic": 40, "players": 24}
    assert counts == {**cards, "tokens": 100, "nets": 1, "mat": 1}
    assert sum(cards.values()) == 156
    tokens = {card.fields["color"]: card.copies for card in devices().deck("tokens").cards}
    assert tokens == devices().rules["tokens"]


@pytest.mark.parametrize(
    ("model", "fields", "said"),
    [
        (
            Special,
            {
                "title": "Odd",
                "kind": "splitter",
                "left": {"mid": ["red"]},
                "right": {"mid": ["blue"]},
                "price": 1,
            },
            "right has mid; expected top, bot for a splitter",
        ),
        (
            Basic,
            {
                "title": "Odd",
                "kind": "hopper",
                "left": {"mid": ["wild"]},
                "right": {"mid": ["wild"]},
                "price": 1,
                "text": "",
            },
            "left has mid; expected no port for a hopper",
        ),
    ],
)
def test_a_part_has_the_ports_of_its_kind(
    model: type[BaseModel], fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValidationError) as error:
        model.model_validate(fields, strict=True)
    (fault,) = error.value.errors()
    assert fault["msg"] == f"Value error, {said}"


def test_the_game_agrees_with_its_rules() -> None:
    models = models_of("devices")
    assert models is not None
    assert models.check_game(devices()) == ()


HALF = 88.9 / 2
# The heights, from the top of the card, between which a port's pipe must be seen at the cut.
MOUTHS = {"top": (0.0, 8.0), "mid": (HALF - 8, HALF + 8), "bot": (80.9, 88.9)}
PIPE, SHINE = (0x63, 0xBF, 0xAE), (0xB5, 0xE6, 0xDC)


def is_pipe(seen: tuple[int, int, int]) -> bool:
    return any(
        all(abs(a - b) < 12 for a, b in zip(seen, paint, strict=True)) for paint in (PIPE, SHINE)
    )


def ported() -> list[tuple[str, str, str]]:
    return [
        (f"{deck}/{card.id}", side, port)
        for deck in ("special", "basic")
        for card in devices().deck(deck).cards
        for side in ("left", "right")
        for port in card.fields[side]
        if card.id in ("c01", "s01", "j01") or deck == "basic"
    ]


@pytest.mark.parametrize(("face", "side", "port"), ported())
def test_a_mouth_is_open_over_the_cut_by_a_millimetre_each_way(
    face: str, side: str, port: str
) -> None:
    low, high = MOUTHS[port]
    edge = 0.0 if side == "left" else 63.5
    for off in (-1.0, 0.0, 1.0):
        for height in (max(low + 1.2, 0.2), (low + high) / 2, min(high - 1.2, 88.7)):
            assert is_pipe(color(face, edge + off, height)), (off, height)


def test_there_is_no_pipe_at_the_cut_where_there_is_no_port() -> None:
    for port in ("top", "bot"):
        low, high = MOUTHS[port]
        assert not is_pipe(color("special/c01", 63.0, (low + high) / 2))
    assert not is_pipe(color("basic/hopper", 0.5, HALF))
    assert not is_pipe(color("special/s01", 63.0, HALF + 3))


def test_what_leaves_a_splitter_meets_a_card_half_a_card_higher() -> None:
    """The lower half of its middle mouth lies where the half mouth of the splitter is."""
    for below in (0.8, 4.0, 6.5):
        assert is_pipe(color("special/s01", 63.2, below))
        assert is_pipe(color("special/c01", 0.3, HALF + below))


def luminance(paint: str) -> float:
    red, green, blue = (int(paint[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_cubes_are_told_apart_without_colour() -> None:
    """Painted all alike they still differ in letter and pips, and in grey they differ in tone."""
    drawn = set()
    for name in ("yellow", "red", "blue", "wild"):
        text = (ICONS / f"cube-{name}.svg").read_text(encoding="utf-8")
        text = re.sub(r"<title>.*?</title>", "", text)
        drawn.add(re.sub(r"var\(--[a-z-]+\)", "grey", text))
    assert len(drawn) == 4
    theme = (ROOT / "layouts/devices/theme.yaml").read_text(encoding="utf-8")
    tones = sorted(
        luminance(re.findall(rf'^  {name}: "(#[0-9a-f]+)"', theme, re.MULTILINE)[0])
        for name in ("yellow", "red", "blue")
    )
    assert all(b - a > 0.04 for a, b in pairwise(tones))


@pytest.mark.parametrize("skin", [STANDARD, "low-ink"])
def test_every_face_is_composed_without_a_warning(skin: str) -> None:
    assert kit(skin).warnings == ()
