"""The load room: YAML by its own rules, paths that stay in the project, schemas, variants."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kitwright.load import Workspace, find_workspace, load_game, variant_names
from kitwright.load.icons import PictureFinder, load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.overlay import apply_variant
from kitwright.load.schemas import schemas
from kitwright.load.source import Document, read_document, remembering
from kitwright.load.workspace import shipped_root
from kitwright.problems import InvalidInputError, Place, Problem

BASE = Path(__file__).parent / "faults" / "base"
SIXTH = Path(__file__).parent / "workspace"


def read(text: str | bytes) -> Document:
    problems: list[Problem] = []
    raw = text if isinstance(text, bytes) else text.encode()
    document = read_document(raw, "file.yaml", problems)
    assert problems == []
    assert document is not None
    return document


def plain(text: str | bytes) -> Any:
    return read(text).root.plain()


def told(text: str) -> list[str]:
    problems: list[Problem] = []
    read_document(text.encode(), "file.yaml", problems)
    return [str(problem) for problem in problems]


class Remembered(dict[str, Any]):
    """A memory that lasts as long as a test."""

    def find(self, name: str) -> Any:
        return self.get(name)

    def add(self, name: str, value: Any) -> None:
        self[name] = value


@pytest.fixture
def pond(tmp_path: Path) -> Workspace:
    shutil.copytree(BASE, tmp_path / "pond")
    return Workspace(tmp_path / "pond")


def faults(workspace: Workspace, variant: str | None = None) -> list[str]:
    with pytest.raises(InvalidInputError) as error:
        load_game(workspace, "pond", variant)
    return [str(problem) for problem in error.value.problems]


# YAML


def test_words_that_older_yaml_takes_for_flags_and_times_are_text() -> None:
    said = plain("country: NO\nlight: on\nsure: yes\ntime: 12:30\ncode: 010\nhex: 0x1F\n")
    assert said == {
        "country": "NO",
        "light": "on",
        "sure": "yes",
        "time": "12:30",
        "code": "010",
        "hex": "0x1F",
    }


def test_a_file_that_was_read_is_remembered_by_its_name_and_every_letter_of_it() -> None:
    memory = Remembered()
    with remembering(memory):
        first = read("title: Pond\n")
        assert read("title: Pond\n").root is first.root
        assert read("title: Pond \n").root is not first.root
        other = read_document(b"title: Pond\n", "other.yaml", [])
        assert other is not None
        assert other.place("title") == Place("other.yaml", 1, 8)
    assert len(memory) == 3
    assert read("title: Pond\n").root is not first.root


def test_a_file_with_a_fault_is_not_remembered_and_the_fault_is_told_each_time() -> None:
    memory = Remembered()
    with remembering(memory):
        twice = told("title: Pond\ntitle: Lake\n")
        assert twice == told("title: Pond\ntitle: Lake\n")
        assert len(twice) == 1
    assert memory == {}


def test_numbers_flags_and_nothing_are_what_they_look_like() -> None:
    said = plain("a: 3\nb: -2.5\nc: 1e3\nd: .5\ne: true\nf: False\ng: null\nh: ~\ni:\nj: '3'\n")
    assert said == {
        "a": 3,
        "b": -2.5,
        "c": 1000.0,
        "d": 0.5,
        "e": True,
        "f": False,
        "g": None,
        "h": None,
        "i": None,
        "j": "3",
    }


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbftitle: Caf\xc3\xa9\n",
        b"title: Caf\xc3\xa9\r\n",
        "title: Café\n".encode("utf-16"),
        "\ufefftitle: Café\n".encode("utf-16-be"),
    ],
    ids=["bom", "crlf", "utf-16", "utf-16-be"],
)
def test_a_file_may_be_saved_the_windows_way(raw: bytes) -> None:
    assert plain(raw) == {"title": "Café"}


def test_a_merge_key_fills_in_what_is_not_said() -> None:
    said = plain("base: &base {cost: 1, color: red}\ncard: {<<: *base, cost: 2}\n")
    assert said["card"] == {"cost": 2, "color": "red"}


def test_a_merge_key_takes_several_mappings_the_first_wins() -> None:
    said = plain("a: &a {x: 1}\nb: &b {x: 2, y: 3}\nc:\n  <<: [*a, *b]\n")
    assert said["c"] == {"x": 1, "y": 3}


def test_a_quoted_merge_key_is_a_key_like_any_other() -> None:
    assert plain("'<<': 3\n") == {"<<": 3}


def test_places_count_from_one() -> None:
    document = read("cards:\n  - {id: owl, wires: [{from: 1}]}\n")
    assert document.place("cards", 0, "wires", 0, "from") == Place("file.yaml", 2, 30)
    assert document.key_place("cards", 0, "wires") == Place("file.yaml", 2, 15)
    assert document.place("cards", 7) == Place("file.yaml", 2, 3)


def test_depth_is_refused_at_the_first_level_too_many() -> None:
    assert plain("a: " + "[" * 63 + "]" * 63)
    assert told("a: " + "[" * 30_000) == [
        "file.yaml:1:67: brackets or indents go 65 levels deep; expected at most 64 [too-deep]"
    ]


def test_aliases_are_counted_and_never_copied_out() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for old, new in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]")
    (message,) = told("\n".join(lines))
    assert message.startswith("file.yaml:5:")
    assert message.endswith("[alias-bomb]")


def test_ten_thousand_cards_keep_their_places() -> None:
    text = "cards:\n" + "".join(f"  - {{id: card-{n}, cost: {n % 9}}}\n" for n in range(10_000))
    document = read(text)
    assert document.place("cards", 9_999, "cost") == Place("file.yaml", 10_001, 27)


# Paths


def test_a_link_out_of_the_project_is_refused(pond: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "secret.yaml"
    outside.write_text("deck: secrets\n")
    (pond.components / "pond" / "toads.yaml").symlink_to(outside)
    assert faults(pond) == [
        "components/pond/toads.yaml:1:1: 'toads.yaml' is a link that leads outside the project; "
        "expected a file in it [outside-project]"
    ]


def test_a_link_within_the_project_is_followed(pond: Workspace) -> None:
    real = pond.components / "pond" / "frogs.yaml"
    real.rename(pond.root / "frogs.txt")
    real.symlink_to(pond.root / "frogs.txt")
    assert load_game(pond, "pond").deck("frogs").count == 3


def test_a_link_that_goes_round_is_refused(pond: Workspace) -> None:
    folder = pond.components / "pond"
    (folder / "toads.yaml").symlink_to(folder / "toads.yaml")
    (message,) = faults(pond)
    assert message.startswith("components/pond/toads.yaml:1:1: ")
    assert message.endswith("[unreadable]")


def test_an_icon_and_a_picture_may_not_be_links_out(pond: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "secret.svg"
    outside.write_text("<svg/>")
    folder = pond.root / "layouts" / "pond"
    (folder / "icons" / "spy.svg").symlink_to(outside)
    (folder / "spy.png").symlink_to(outside)
    problems: list[Problem] = []
    assert "spy" not in load_icons(pond, "pond", problems)
    assert [problem.code for problem in problems] == ["outside-project"]
    found = PictureFinder(pond, "pond")("spy.png", Place("layout.yaml", 3, 4))
    assert isinstance(found, Problem)
    assert found.code == "outside-project"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "pond/../pond/frog", "pond"])
def test_no_name_of_a_layout_leads_out_of_layouts(pond: Workspace, name: str) -> None:
    assert pond.find_layout_file(name) is None
    assert LayoutReader(pond, []).read(name) is None


def test_what_editors_leave_behind_is_not_read(pond: Workspace) -> None:
    (pond.components / "pond" / ".#frogs.yaml").write_text("{{{")
    assert load_game(pond, "pond").title == "Frogs of the Pond"


def test_the_current_folder_is_the_workspace_when_it_has_components(
    pond: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pond.root)
    assert find_workspace(None).root == Path(os.path.realpath(pond.root))
    monkeypatch.chdir(pond.root / "layouts")
    assert find_workspace(None).root == shipped_root()
    assert find_workspace(pond.root).games() == ("pond",)


# Games


def test_a_field_may_be_called_what_a_program_would_not_like(pond: Workspace) -> None:
    names = ("copy", "json", "model_config", "schema", "values", "items", "dict")
    fields = ", ".join(f"{name}: {{whole: 0..9}}" for name in names)
    values = ", ".join(f"{name}: {index}" for index, name in enumerate(names))
    (pond.components / "pond" / "frogs.yaml").write_text(
        "deck: frogs\ntitle: Frogs\nlayout: pond/frog\nsize: mini\n"
        f"fields: {{{fields}}}\ncards:\n  - {{id: frog, {values}}}\n"
    )
    (card,) = load_game(pond, "pond").deck("frogs").cards
    assert card.fields == {"title": "", **{name: index for index, name in enumerate(names)}}


def test_an_optional_field_that_is_left_out_is_empty() -> None:
    bull, tree = load_game(Workspace(BASE), "pond").deck("frogs").cards
    assert (bull.fields["text"], tree.fields["home"]) == (None, None)


def test_what_is_loaded_cannot_be_changed() -> None:
    game = load_game(Workspace(BASE), "pond")
    with pytest.raises(TypeError):
        game.rules["hand"] = 9


def test_the_workspace_s_own_sizes_stand_before_the_shipped_ones(pond: Workspace) -> None:
    shared = pond.root / "layouts" / "shared"
    shared.mkdir()
    (shared / "sizes.yaml").write_text(
        "sizes:\n  mini: {width: 40mm, height: 60mm, source: the pond's own ruler}\n"
    )
    assert load_game(pond, "pond").deck("frogs").size.width == 40.0


# Variants


def test_a_variant_that_is_not_there_is_refused_with_those_that_are() -> None:
    assert variant_names(Workspace(BASE), "pond") == ("dusk",)
    assert faults(Workspace(BASE), "../variants/dusk") == [
        "components/pond/variants:1:1: the game has no variant '../variants/dusk'; expected dusk "
        "[unknown-variant]"
    ]


def test_a_variant_changes_one_card_although_an_alias_made_two_of_it() -> None:
    head = read("rules: {hand: 3}\n")
    part = read("deck: frogs\ncards:\n  - &one {id: a, leap: {far: 1}}\n  - {<<: *one, id: b}\n")
    overlay = read("rules: {hand: 4}\ndecks: {frogs: {cards: {a: {leap: {far: 9}}}}}\n")
    problems: list[Problem] = []
    apply_variant(head, [part], overlay, problems)
    assert problems == []
    assert head.root.plain() == {"rules": {"hand": 4}}
    assert part.root.plain()["cards"] == [
        {"id": "a", "leap": {"far": 9}},
        {"leap": {"far": 1}, "id": "b"},
    ]


# Schemas


def validators() -> dict[str, jsonschema.Draft202012Validator]:
    made = schemas()
    for schema in made.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    return {name: jsonschema.Draft202012Validator(schema) for name, schema in made.items()}


VALIDATORS = validators()


def kind_of(path: Path, data: dict[str, Any]) -> str:
    if path.stem in ("sizes", "papers") and path.parent.name == "shared":
        return "sizes"
    if "rulebook" in data:
        return "rules"
    words = "game deck sheet board variant layout theme table stock destinations"
    kind = next(key for key in words.split() if key in data)
    game = path.parent.name
    exact = f"{game}-{data['deck'] if kind == 'deck' else kind}"
    return exact if exact in VALIDATORS else kind


YAML_FILES = [
    path
    for root in (shipped_root(), SIXTH, BASE)
    for folder in ("components", "layouts")
    for path in sorted((root / folder).rglob("*.yaml"))
    if path.name != "figures.yaml"
]


@pytest.mark.parametrize("path", YAML_FILES, ids=lambda path: "/".join(path.parts[-3:]))
def test_a_file_that_ships_fits_its_schema(path: Path) -> None:
    data = plain(path.read_bytes())
    errors = [error.message for error in VALIDATORS[kind_of(path, data)].iter_errors(data)]
    assert errors == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("game", "game: pond\ntitel: Pond\n"),
        ("deck", "deck: frogs\ntitle: Frogs\nlayout: pond/frog\nsize: mini\ncards: [{title: x}]\n"),
        ("hard-wired-displays", "deck: displays\ncards: [{id: d, values: [1, 2, x]}]\n"),
        ("sheet", "board: map\ntitle: Map\nlayout: a/b\nsize: mini\n"),
        ("variant", "variant: dusk\ntitle: Dusk\nabout: x\nkit: [frogs]\n"),
        ("layout", "layout: pond/frog\ndraw:\n  - fil: {box: face, color: ink}\n"),
        ("layout", "layout: pond/frog\ndraw:\n  - fill: {box: face, colour: ink}\n"),
        ("layout", "layout: pond/frog\ndraw:\n  - stroke: {box: face, color: ink, width: 3}\n"),
        ("layout", "layout: pond/frog\ndraw:\n  - group: {}\n    draw: [{fill: {box: face}}]\n"),
        ("layout", "layout: pond/frog\nboxes: {a: {widht: 3mm}}\n"),
        ("theme", "theme: pond/theme\ncolors: {ink: black}\n"),
        ("sizes", "sizes: {mini: {width: 40mm, height: 60mm}}\n"),
        ("stock", "stock: {card: {thickness: 0.3mm}}\n"),
        ("rules", "rulebook: pond\nglosary: {}\n"),
    ],
)
def test_a_slip_does_not_fit_the_schema(kind: str, text: str) -> None:
    assert not VALIDATORS[kind].is_valid(plain(text))


def test_every_key_of_a_schema_says_what_it_is_for() -> None:
    bare = [
        f"{name}: {key}"
        for name, schema in schemas().items()
        if not name.startswith("hard-wired")
        for key, value in schema["properties"].items()
        if "description" not in value
    ]
    assert bare == []
    assert json.dumps(schemas()) == json.dumps(schemas())
