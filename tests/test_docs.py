"""The manuals' examples: the good ones build, the bad ones are answered as the manual says."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import Struct

from kitwright.formulas import FILTERS, FUNCTIONS, TESTS
from kitwright.jobs.exports import ALL, ExportOptions, preflight_game
from kitwright.load import Workspace
from kitwright.model.components import DeckFile, GameFile, VariantFile
from kitwright.model.layouts import Box, LayoutFile
from kitwright.model.spots import ANCHORS, BUILT_IN
from kitwright.model.verbs import VERBS
from kitwright.pipeline import BuildOptions, build_games, compose_kit, load_kit
from kitwright.problems import InvalidInputError

ROOT = Path(__file__).parent.parent
MANUALS = {room: (ROOT / room / "README.md").read_text() for room in ("components", "layouts")}
BLOCK = re.compile(
    r"```(?:yaml|markdown|svg) (good|bad|verb)=(\S+)\n(.*?)```\n(?:\n```\n(.*?)```)?", re.DOTALL
)
GAME = "night-market"


class Example(Struct, frozen=True):
    """A block of YAML in a manual, and the messages that stand below a bad one."""

    room: str
    kind: str
    name: str
    text: str
    messages: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"{self.room}/{GAME}/{self.name}"


EXAMPLES = [
    Example(room, kind, name, text, tuple(said.splitlines()))
    for room, manual in MANUALS.items()
    for kind, name, text, said in BLOCK.findall(manual)
]


def of_kind(kind: str) -> list[Example]:
    return [example for example in EXAMPLES if example.kind == kind]


@pytest.fixture
def market(tmp_path: Path) -> Workspace:
    """The game that the good examples of both manuals make together."""
    for example in of_kind("good"):
        path = tmp_path / "workspace" / example.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(example.text, encoding="utf-8")
    return Workspace(tmp_path / "workspace")


def build(workspace: Workspace, output: Path, variant: str | None) -> None:
    options = BuildOptions(papers=("a4",), variant=variant, strict=True)
    build_games(workspace, [GAME], options, output)


def test_the_good_examples_are_one_game_that_builds(market: Workspace, tmp_path: Path) -> None:
    for variant in (None, "rainy"):
        build(market, tmp_path / "output", variant)


def test_every_site_takes_the_game_of_the_good_examples(market: Workspace) -> None:
    looked, warnings = preflight_game(market, GAME, ExportOptions((ALL,)))
    assert len(looked) == 9
    assert [str(problem) for each in looked for problem in each.problems] == []
    assert warnings == ()


@pytest.mark.parametrize("example", of_kind("bad"), ids=lambda example: example.path)
def test_a_bad_example_is_answered_as_the_manual_says(
    example: Example, market: Workspace, tmp_path: Path
) -> None:
    (market.root / example.path).write_text(example.text, encoding="utf-8")
    variant = Path(example.name).stem if "variants" in example.name else None
    with pytest.raises(InvalidInputError) as error:
        build(market, tmp_path / "output", variant)
    assert tuple(map(str, error.value.problems)) == example.messages


@pytest.mark.parametrize("example", of_kind("verb"), ids=lambda example: example.name)
def test_the_example_of_a_verb_draws_it(example: Example, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "example", tmp_path / "workspace")
    layout = tmp_path / "workspace" / "layouts" / "example" / "card.yaml"
    layout.write_text(f"layout: example/card\nbleed: 0mm\n{example.text}", encoding="utf-8")
    kit = load_kit(Workspace(tmp_path / "workspace"), "example", None, "standard")
    drawn: list[str] = []
    compose_kit(
        kit, "standard", keep=lambda face: drawn.extend(e.verb for e in face.elements if e.last)
    )
    assert kit.warnings == ()
    assert example.name in drawn


def test_every_verb_has_an_example() -> None:
    assert [example.name for example in of_kind("verb")] == list(VERBS)


@pytest.mark.parametrize(
    ("room", "words"),
    [
        ("components", [*GameFile.model_fields, *DeckFile.model_fields, *VariantFile.model_fields]),
        ("layouts", [*LayoutFile.model_fields, *Box.model_fields, *ANCHORS, *BUILT_IN]),
        ("layouts", [*FILTERS, *FUNCTIONS, "card", "deck", "game", "skin", "loop", "row", "cell"]),
        ("layouts", [f"is {test}" for test in TESTS if test != "in"]),
    ],
)
def test_every_word_is_in_its_manual(room: str, words: list[str]) -> None:
    text = MANUALS[room]
    assert [word for word in words if not re.search(rf"`[^`]*\b{re.escape(word)}\b", text)] == []


def messages_page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("messages", ROOT / "docs" / "messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_messages_is_that_of_the_fault_files() -> None:
    module = messages_page()
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run docs/messages.py"
