"""Words on pages that Kitwright writes itself take any title as it stands."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from kitwright.compose.notes import Notes
from kitwright.compose.pen import Materials
from kitwright.fonts import Fonts
from kitwright.load import find_workspace
from kitwright.load.themes import load_theme
from kitwright.ops import Word
from kitwright.problems import Place, Problem

ROOT = Path(__file__).parent.parent


@cache
def materials() -> Materials:
    theme = load_theme(find_workspace(ROOT), "shared/theme", [])
    assert theme is not None
    fonts = Fonts({name: Path(path) for name, path in theme.fonts.items()})
    return Materials(theme, fonts, {}, lambda _: None, lambda _, at: no_picture(at))


def no_picture(place: Place) -> Problem:
    return Problem(place, "missing-file", "there are no pictures here")


def said(text: str, width: float = 80.0) -> str:
    notes = Notes(materials())
    notes.words(text, "small", (0.0, 0.0, width, 4.0))
    return " ".join(op.text for op in notes.ops if isinstance(op, Word))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Straight", "Straight"),
        ("**Bold** :fly: * : \\*", "**Bold** :fly: * : \\*"),
        ("Snow ☃ frog", "Snow ? frog"),
        ("", ""),
    ],
)
def test_nothing_is_markup_and_every_character_has_a_sign(text: str, shown: str) -> None:
    assert said(text) == shown


def test_what_is_too_long_ends_in_dots() -> None:
    short = said("A very long title " * 40)
    assert short.startswith("A very long title")
    assert short.endswith("…")
    assert said("frog", width=0.2) == ""
