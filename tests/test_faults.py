"""Every fault that a workspace can have, through the real build, its messages compared whole.

A file of tests/faults/ begins with the messages that it must give, as comments, and stands for the
file that the first of them names, or that a line `in …` names. A folder is for a fault that needs
several files: they are laid over the game, and expected.txt holds the options and the messages;
with `to=`, the fault is one that the preflight of an export finds.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from kitwright.jobs.changed import build_changed
from kitwright.jobs.exports import ExportOptions, export_game
from kitwright.load import Workspace
from kitwright.load.workspace import shipped_root
from kitwright.pipeline import BuildOptions, build_games
from kitwright.problems import MOST_SHOWN, InvalidInputError
from kitwright.reprint.ledger import LedgerFolder

FAULTS = Path(__file__).parent / "faults"
SOURCE = shipped_root() / "generator" / "kitwright"
CASES = sorted(path for path in FAULTS.iterdir() if path.name != "base")
COMMENT = re.compile(r"(?:# |<!-- )(.*?)(?: -->)?$")
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
CALLS = {"Problem", "TextFault", "fault", "note", "_note", "stop"}
NEVER = {"bad-table"}  # a layout cannot give a row fewer cells than columns


class Fault(Struct, frozen=True):
    """One case: the files it lays over a game, and what must be said."""

    game: str
    variant: str | None
    skin: str
    files: dict[str, bytes]
    messages: list[str]
    to: str = ""  # found by the preflight of this destination, not by a build
    changed: bool = False  # whether only what changed is built


def read_file(path: Path) -> Fault:
    raw = path.read_bytes()
    said: list[str] = []
    for line in raw.decode("utf-8", "replace").splitlines():
        found = COMMENT.match(line)
        if found is None or not re.match(r"in |[a-z]+/\S+:\d+:\d+: ", found[1]):
            break
        said.append(found[1])
    messages = [line for line in said if not line.startswith("in ")]
    target = next((line[3:] for line in said if line.startswith("in ")), messages[0].split(":")[0])
    named = Path(target)
    return Fault(
        named.parts[1],
        named.stem if named.parent.name == "variants" else None,
        named.stem if named.parent.name == "skins" else "standard",
        {target: raw},
        messages,
    )


def read_folder(path: Path) -> Fault:
    options = {"game": "pond", "variant": "", "skin": "standard", "changed": "", "to": ""}
    messages: list[str] = []
    for line in (path / "expected.txt").read_text(encoding="utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and key in options:
            options[key] = value
        else:
            messages.append(line)
    files = {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != "expected.txt"
    }
    variant, changed = options["variant"] or None, bool(options["changed"])
    fault = Fault(options["game"], variant, options["skin"], files, messages)
    return replace(fault, to=options["to"], changed=changed)


def read_case(path: Path) -> Fault:
    return read_folder(path) if path.is_dir() else read_file(path)


def lay_out(fault: Fault, folder: Path) -> Workspace:
    """Copy a sound game and lay the files of a fault over it."""
    shutil.copytree(FAULTS / "base", folder)
    if fault.game not in ("pond", "puddle"):
        shipped = shipped_root() / "components" / fault.game
        shutil.copytree(shipped, folder / "components" / fault.game)
    for name, raw in fault.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    return Workspace(folder)


def build(workspace: Workspace, fault: Fault, output: Path) -> None:
    if fault.to:
        export_game(workspace, fault.game, ExportOptions((fault.to,), workers=1), output)
        return
    options = BuildOptions(papers=("a4",), skin=fault.skin, variant=fault.variant, strict=True)
    if fault.changed:
        ledgers = LedgerFolder(workspace.root / ".kitwright" / "printed")
        build_changed(workspace, [fault.game], options, output, ledgers)
    else:
        build_games(workspace, [fault.game], options, output)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_a_fault_is_told_in_these_words(path: Path, tmp_path: Path) -> None:
    fault = read_case(path)
    workspace = lay_out(fault, tmp_path / "workspace")
    with pytest.raises(InvalidInputError) as error:
        build(workspace, fault, tmp_path / "output")
    assert [str(problem) for problem in error.value.problems] == fault.messages
    assert not (tmp_path / "output").exists()


def test_the_sound_game_has_no_fault(tmp_path: Path) -> None:
    for variant, skin in ((None, "standard"), ("dusk", "night")):
        fault = Fault("pond", variant, skin, {}, [])
        folder = tmp_path / skin
        build(lay_out(fault, folder), fault, tmp_path / f"{skin}-output")


def codes_in(path: Path) -> set[str]:
    """Find the codes of all problems that a module can make."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        values: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            values = [*node.args, *(word.value for word in node.keywords)] if name in CALLS else []
        elif isinstance(node, ast.Assign) and "code" in ast.unparse(node.targets[0]):
            values = [node.value]
        parts = [part for value in values for part in ast.walk(value)]
        texts = [part.value for part in parts if isinstance(part, ast.Constant)]
        found.update(t for t in texts if isinstance(t, str) and CODE.fullmatch(t))
    return found


def test_every_code_has_a_fault_file() -> None:
    used = {code for path in SOURCE.rglob("*.py") for code in codes_in(path)}
    shown = {
        code
        for path in CASES
        for message in read_case(path).messages
        for code in re.findall(r"\[([a-z0-9-]+)\]$", message)
    }
    assert used - shown - NEVER == set()
    assert len(used) > MOST_SHOWN  # the search still finds them
