"""Imports point one way, packages stay in their homes, files and functions stay short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "generator" / "kitwright"
MODULES = sorted(PACKAGE.rglob("*.py"))
PRINT = {"problems", "lore", "ops", "fonts", "formulas", "model"}
MAY_IMPORT: dict[str, set[str]] = {  # the leaves first; a room may always import itself
    "__init__": set(),
    "problems": set(),
    "lore": set(),
    "ops": set(),
    "fonts": set(),
    "numerals": set(),
    "formulas": {"problems", "lore", "numerals"},
    "model": {"problems", "formulas"},
    "load": {"problems", "formulas", "model", "fonts"},
    "validate": {"problems", "formulas", "model"},
    "compose": PRINT,
    "impose": {"problems", "model", "ops"},
    "rulebook": {*PRINT, "numerals", "compose", "impose", "engines"},
    "write": {"problems", "model", "ops", "fonts", "compose", "rulebook"},
    "cache": {"problems", "options", "ops", "model", "write"},
    "destinations": {"problems", "model", "ops"},
    "engines": {"problems", "model"},
    "play": {"problems", "model", "engines"},
    "options": {"problems", "model"},
    "press": {*PRINT, "options", "cache", "compose", "impose", "rulebook", "write"},
    "pipeline": {
        *(*PRINT, "load", "validate", "compose", "impose", "write", "engines"),
        *("options", "cache", "rulebook", "press"),
    },
    "reprint": {*PRINT, "compose", "impose", "write", "press"},
    "sight": {*PRINT, "compose", "write", "press"},
    "reports": {*PRINT, "compose", "rulebook"},
    "preflight": {*PRINT, "compose", "write", "destinations"},
    "jobs": {
        *(*PRINT, "load", "compose", "impose", "write", "rulebook", "options", "cache", "press"),
        *("pipeline", "reprint", "sight", "reports", "preflight", "destinations", "play"),
    },
    "cli": {
        *("problems", "formulas", "model", "load", "write", "engines", "play"),
        *("options", "press", "pipeline", "reprint", "jobs"),
    },
    "__main__": {"cli"},
}
HOMES: dict[str, set[str]] = {  # the rooms that may import a package
    "yaml": {"load"},
    "pydantic": {"model", "load"},
    "pydantic_core": {"load"},
    "jinja2": {"formulas"},
    "uharfbuzz": {"fonts"},
    "pyphen": {"compose"},
    "markdown_it": {"rulebook"},
    "PIL": {"load", "write"},
    "reportlab": {"write"},
    "pypdfium2": {"write"},
    "joblib": {"play"},
    "distributed": {"play"},
    "numpy": {"play"},
    "click": {"cli"},
    "coloraide": {"sight"},
}
LONGEST_FILE, LONGEST_FUNCTION = 400, 40


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} has a relative import"
            module = node.module or ""
            names.update(f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return names


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    for name in sorted(imports_of(path)):
        top, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        if top == "kitwright" and target in MAY_IMPORT and target != room:
            assert target in MAY_IMPORT[room], f"{name_of(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_package_is_imported_in_its_home_alone(path: Path) -> None:
    for name in sorted(imports_of(path)):
        home = HOMES.get(name.partition(".")[0])
        assert home is None or room_of(path) in home, f"{name_of(path)} imports {name}"


def test_every_room_is_in_the_plan() -> None:
    assert {room_of(path) for path in MODULES} <= MAY_IMPORT.keys()


def test_the_plan_has_no_circle() -> None:
    placed: set[str] = set()
    waiting = dict(MAY_IMPORT)
    while ready := [room for room, needs in waiting.items() if needs <= placed]:
        placed.update(ready)
        for room in ready:
            del waiting[room]
    assert waiting == {}


def test_no_file_is_too_long() -> None:
    lengths = {
        name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES
    }
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def test_no_function_is_too_long() -> None:
    long = {
        f"{name_of(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION
    }
    assert long == {}


def test_every_module_says_what_it_knows() -> None:
    silent = [
        name_of(path)
        for path in MODULES
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []
