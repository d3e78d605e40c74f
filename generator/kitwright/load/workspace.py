"""Where the files are: the designer's workspace first, what ships with Kitwright behind it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

import kitwright
from kitwright.problems import Place, Problem, did_you_mean

if TYPE_CHECKING:
    from kitwright.load.source import Document


class Workspace(Struct, frozen=True):
    """A folder with components/ and, beside it or behind it, layouts/."""

    root: Path

    @property
    def components(self) -> Path:
        """The folder of the games."""
        return self.root / "components"

    @property
    def layouts(self) -> tuple[Path, ...]:
        """The folders in which layouts are looked for, in order."""
        shipped = shipped_root() / "layouts"
        own = self.root / "layouts"
        return (own,) if own == shipped else (own, shipped)

    def games(self) -> tuple[str, ...]:
        """The ids of all games, sorted."""
        found = self.components.glob("*/game.yaml")
        return tuple(sorted(path.parent.name for path in found))

    def show(self, path: Path) -> str:
        """Write a path as messages do: relative to the workspace, with forward slashes."""
        for base in (self.root, shipped_root()):
            if path.is_relative_to(base):
                return path.relative_to(base).as_posix()
        return path.as_posix()

    def read(self, path: Path, problems: list[Problem]) -> Document | None:
        """Read one YAML file of the workspace."""
        from kitwright.load.source import read_document

        raw = self.read_bytes(path, problems)
        return read_document(raw, self.show(path), problems) if raw is not None else None

    def read_bytes(self, path: Path, problems: list[Problem]) -> bytes | None:
        """Read a file that lies in the project and is no link out of it."""
        place = Place(self.show(path))
        base = next((b for b in (self.root, shipped_root()) if path.is_relative_to(b)), self.root)
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(os.path.realpath(base)):
            text = f"'{path.name}' is a link that leads outside the project; expected a file in it"
            problems.append(Problem(place, "outside-project", text))
            return None
        try:
            return path.read_bytes()
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            text = f"the file cannot be read ({why}); expected a file that can be opened"
            problems.append(Problem(place, "unreadable", text))
            return None

    def find_layout_file(self, name: str) -> Path | None:
        """Return the file of a layout or theme such as `hard-wired/circuit`."""
        from kitwright.model.components import LAYOUT_PATTERN

        if not re.match(LAYOUT_PATTERN, name):  # also refuses every way out of layouts/
            return None
        for base in self.layouts:
            path = base / f"{name}.yaml"
            if path.is_file():
                return path
        return None

    def layout_names(self) -> list[str]:
        """List every layout and theme that can be named, for hints."""
        names: set[str] = set()
        for base in self.layouts:
            paths = base.rglob("*.yaml")
            names.update(p.relative_to(base).with_suffix("").as_posix() for p in paths)
        return sorted(names)

    def missing_layout(self, name: str, what: str, place: Place) -> Problem:
        """Say that no layout or theme has this name."""
        hint = did_you_mean(name, self.layout_names())
        text = (
            f"{what} is '{name}', which is not there; expected the name of a file in layouts/{hint}"
        )
        return Problem(place, "unknown-layout", text)


def shipped_root() -> Path:
    """Return the folder that holds the components/ and layouts/ that came with Kitwright."""
    package = Path(kitwright.__file__).resolve().parent
    inside = package / "workspace"
    return inside if inside.is_dir() else package.parent.parent


def find_workspace(given: Path | None) -> Workspace:
    """Choose the workspace: the one given, the current folder, or what came with Kitwright."""
    if given is not None:
        return Workspace(given.resolve())
    here = Path.cwd()
    return Workspace(here if (here / "components").is_dir() else shipped_root())


def variant_names(workspace: Workspace, game_id: str) -> tuple[str, ...]:
    """List the variants of a game."""
    folder = workspace.components / game_id / "variants"
    return tuple(path.stem for path in yaml_files(folder))


def yaml_files(folder: Path) -> list[Path]:
    """List the YAML files of a folder by name, without those that an editor hides there."""
    return sorted(path for path in folder.glob("*.yaml") if not path.name.startswith("."))
