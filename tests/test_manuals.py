"""The manuals of both languages are made from the models, and their examples work."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from pydantic import BaseModel

from kitwright.model import components, destination, dress, layouts, rulebook, verbs
from kitwright.model.verbs import VERBS

ROOT = Path(__file__).parent.parent


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


KEYS = script("keys")
MANUALS = {path: path.read_text(encoding="utf-8") for path in KEYS.MANUALS}


@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.parent.name)
def test_the_tables_of_keys_are_those_of_the_models(path: Path) -> None:
    assert KEYS.refreshed(MANUALS[path]) == MANUALS[path], "run make gallery"


def test_every_model_of_the_languages_has_its_table() -> None:
    named = re.findall(r"<!-- keys: (\w+) -->", "".join(MANUALS.values()))
    told = [KEYS.model_named(name) for name in named]
    untold = {
        value.__name__
        for module in (components, layouts, dress, verbs, rulebook, destination)
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, BaseModel)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
        and not any(issubclass(model, value) for model in told)
    }
    assert untold == set()


def test_every_verb_has_an_example_and_its_picture() -> None:
    text = MANUALS[ROOT / "layouts/README.md"]
    shown = set(re.findall(r"```yaml verb=([a-z]+)\n", text))
    assert shown == set(VERBS)
    assert [verb for verb in VERBS if not (ROOT / f"docs/verbs/{verb}.png").is_file()] == []
