"""Snail Mail, a game of YAML alone: it builds like the rest and shows every verb and key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from kitwright.jobs.images import export_images
from kitwright.load import Workspace, load_game, variant_names
from kitwright.load.source import read_document
from kitwright.load.workspace import shipped_root
from kitwright.model.components import FieldRule
from kitwright.model.dress import FontRow, GradientRow, LineRow, StyleRow, ThemeFile
from kitwright.model.games import models_of
from kitwright.model.layouts import Box, LayoutFile
from kitwright.model.verbs import VERBS, Column
from kitwright.ops import Face, Group, Op, Use, dump
from kitwright.pipeline import (
    BuildOptions,
    ImageOptions,
    build_games,
    compose_kit,
    load_kit,
)
from kitwright.problems import Problem

ROOT = Path(__file__).parent / "workspace"
GAME = "snail-mail"
LANGUAGE: dict[str, type[BaseModel]] = {"theme": ThemeFile, "layout": LayoutFile}
ROWS: dict[str, type[BaseModel]] = {
    "boxes": Box,
    "fonts": FontRow,
    "styles": StyleRow,
    "lines": LineRow,
    "gradients": GradientRow,
}


@pytest.fixture(scope="module")
def faces() -> dict[str, Face]:
    found: dict[str, Face] = {}
    kit = load_kit(Workspace(ROOT), GAME, None, "standard")
    compose_kit(kit, "standard", keep=lambda face: found.update({face.id: face}))
    return found


def test_it_has_no_engine() -> None:
    assert models_of(GAME) is None


def test_it_builds_without_a_warning_in_every_dress(tmp_path: Path) -> None:
    for variant, skin in ((None, "standard"), ("rain", "moonlight")):
        options = BuildOptions(papers=("a4",), variant=variant, skin=skin, strict=True)
        (report,) = build_games(Workspace(ROOT), [GAME], options, tmp_path)
        assert [Path(made.path).name for made in report.files] == [
            "kit-a4.pdf",
            "letters-a4.pdf",
            "snails-a4.pdf",
            "garden-a4.pdf",
            "tally-a4.pdf",
        ]


def test_it_exports_an_image_of_each_face(tmp_path: Path) -> None:
    options = ImageOptions(dpi=30, decks=("letters", "snails"), workers=1)
    export_images(Workspace(ROOT), GAME, options, tmp_path)
    images = tmp_path / GAME / "images"
    assert sorted(path.relative_to(images).as_posix() for path in images.rglob("*.png")) == [
        "letters/to-the-moon-back.png",
        "letters/to-the-moon.png",
        "letters/to-the-robin-back.png",
        "letters/to-the-robin.png",
        "letters/to-the-toad-back.png",
        "letters/to-the-toad.png",
        "snails/back.png",
        "snails/old-albert.png",
        "snails/quick-ida.png",
    ]


def test_cards_whose_backs_differ_are_double_sided(faces: dict[str, Face]) -> None:
    backs = [faces[f"letters/{name}-back"] for name in ("to-the-toad", "to-the-moon")]
    assert backs[0].hash != backs[1].hash
    assert "snails/back" in faces
    assert "snails/old-albert-back" not in faces


def test_a_custom_size_is_the_size_of_the_face(faces: dict[str, Face]) -> None:
    assert (faces["letters/to-the-toad"].width, faces["letters/to-the-toad"].height) == (85.0, 55.0)


@pytest.mark.parametrize(
    "name", ["letters/to-the-toad", "letters/to-the-moon-back", "snails/quick-ida", "tally/tally"]
)
def test_a_face_is_drawn_like_this(
    name: str, faces: dict[str, Face], golden: Callable[[str, str], None]
) -> None:
    golden(f"ops/{GAME}/{name.replace('/', '-')}.txt", whole_dump(faces[name].ops))


def whole_dump(ops: tuple[Op, ...]) -> str:
    """Dump ops, and below them the symbols that they use, each once."""
    symbols: dict[str, tuple[Op, ...]] = {}

    def gather(inner: tuple[Op, ...]) -> None:
        for op in inner:
            if isinstance(op, Use):
                symbols.setdefault(op.symbol.id, op.symbol.ops)
                gather(op.symbol.ops)
            elif isinstance(op, Group):
                gather(op.ops)

    gather(ops)
    parts = (f"symbol {name}\n{dump(inner, '  ')}" for name, inner in symbols.items())
    return dump(ops) + "".join(parts)


def test_a_variant_changes_numbers_cards_texts_and_tables() -> None:
    plain = load_game(Workspace(ROOT), GAME)
    wet = load_game(Workspace(ROOT), GAME, "rain")
    assert variant_names(Workspace(ROOT), GAME) == ("rain",)
    assert (plain.rules["last_post"], wet.rules["last_post"]) == (30, 20)
    assert wet.rules["dew"] == {"morning": 3, "evening": 2}
    assert wet.rules["hand"] == plain.rules["hand"]
    assert wet.players == (2, 3)
    letters = {card.id: card for card in wet.deck("letters").cards}
    assert list(letters) == ["to-the-toad", "to-the-robin", "to-the-newt"]
    assert letters["to-the-toad"].copies == 2
    assert letters["to-the-toad"].fields["message"] == "Dear toad, it **rains**. I may be early."
    assert letters["to-the-toad"].fields["to"] == "Mr Toad, Third Stone, Pond"
    assert wet.deck("letters").data["office"] == "Inside the watering can"
    assert wet.deck("tally").cards[0].copies == 3
    assert wet.deck("garden").cards[0].fields["compass"] == ("up", "right", "down", "left")
    assert [row["what"] for row in wet.tables["postage"]["rows"]] == ["Anything"]
    assert plain.deck("letters").count == 7


def test_a_changed_text_is_placed_in_the_variant_s_file() -> None:
    game = load_game(Workspace(ROOT), GAME, "rain")
    toad, _, newt = game.deck("letters").cards
    assert str(toad.at("message")) == "components/snail-mail/variants/rain.yaml:15:41"
    assert str(toad.at("to")) == "components/snail-mail/letters.yaml:24:9"
    assert str(newt.place) == "components/snail-mail/variants/rain.yaml:18:13"


def documents(*folders: Path) -> Iterator[dict[str, Any]]:
    for folder in folders:
        for path in sorted(folder.rglob("*.yaml")):
            problems: list[Problem] = []
            document = read_document(path.read_bytes(), path.name, problems)
            assert document is not None
            assert problems == []
            yield document.root.plain()


def draws_of(draws: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for draw in draws:
        verb = next(key for key in draw if key in VERBS)
        yield verb, draw if verb == "each" else draw[verb] or {}
        yield from draws_of(draw.get("draw", []))


def keys_of(model: type[BaseModel]) -> set[str]:
    return {info.alias or name for name, info in model.model_fields.items()}


def test_every_key_of_every_verb_is_shown_somewhere() -> None:
    used: dict[str, set[str]] = {verb: set() for verb in VERBS}
    columns: set[str] = set()
    for layout in documents(ROOT / "layouts", shipped_root() / "layouts"):
        for verb, keys in draws_of(layout.get("draw", [])):
            used[verb] |= keys.keys()
            if verb == "table":
                columns |= {key for column in keys["columns"] for key in column}
    everywhere = set().union(*used.values())
    unused = {
        f"{verb}.{key}"
        for verb, model in VERBS.items()
        for key in keys_of(model)
        if key not in used[verb] and not (key in ("when", "edge") and key in everywhere)
    }
    assert unused == set()
    assert keys_of(Column) - columns == set()


def test_this_game_alone_shows_every_verb() -> None:
    shown = {
        verb
        for layout in documents(ROOT / "layouts")
        for verb, _ in draws_of(layout.get("draw", []))
    }
    assert shown == set(VERBS)


def test_every_key_of_boxes_layouts_and_themes_is_shown_somewhere() -> None:
    used: dict[type[BaseModel], set[str]] = {}

    def note(model: type[BaseModel], keys: Any) -> None:
        used.setdefault(model, set()).update(keys)

    for told in documents(ROOT / "layouts", shipped_root() / "layouts"):
        for first, model in LANGUAGE.items():
            if first in told:
                note(model, told)
        for section, model in ROWS.items():
            for row in told.get(section, {}).values():
                note(model, row)
    assert {f"{m.__name__}.{key}" for m, keys in used.items() for key in keys_of(m) - keys} == set()


def test_its_letters_have_a_field_of_each_kind() -> None:
    (letters,) = [told for told in documents(ROOT / "components") if told.get("deck") == "letters"]
    kinds = {key for rule in letters["fields"].values() for key in rule}
    assert kinds == keys_of(FieldRule)
