"""The icons that a game may name: its own folder first, the shared ones behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kitwright.load.pictures import check_picture, inside
from kitwright.load.syntax import undecodable
from kitwright.load.workspace import Workspace
from kitwright.model.picture import PictureInfo
from kitwright.model.svg import Svg
from kitwright.problems import InvalidInputError, Place, Problem


def load_icons(
    workspace: Workspace, folder: str, problems: list[Problem], proved: bool = False
) -> Mapping[str, Svg]:
    """Read layouts/<folder>/icons/*.svg and layouts/shared/icons/*.svg.

    Icons that are `proved`, known to be without fault, are read when they are asked for.
    """
    paths = [
        path
        for base in reversed(workspace.layouts)
        for name in ("shared", folder)
        for path in sorted((base / name / "icons").glob("*.svg"))
    ]
    if proved:
        return _Unread(workspace, paths)
    found: dict[str, Svg] = {}
    for path in paths:
        _read(path, workspace, found, problems)
    return found


class _Unread(Mapping[str, Svg]):
    """Icons by name, each read once it is asked for."""

    def __init__(self, workspace: Workspace, paths: Iterable[Path]) -> None:
        self.workspace = workspace
        self.paths = {path.stem: path for path in paths}
        self.read: dict[str, Svg] = {}

    def __getitem__(self, name: str) -> Svg:
        if name not in self.read:
            _read(self.paths[name], self.workspace, self.read, [])
        return self.read[name]

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def _read(path: Path, workspace: Workspace, found: dict[str, Svg], problems: list[Problem]) -> None:
    raw = workspace.read_bytes(path, problems)
    if raw is None:
        return
    shown = workspace.show(path)
    try:
        from kitwright.load.svg import read_svg  # not paid for by icons that are proved

        found[path.stem] = read_svg(raw.decode("utf-8-sig"), shown)
    except InvalidInputError as error:
        problems.extend(error.problems)
    except UnicodeDecodeError as error:
        problems.append(undecodable(raw, error, shown))


class PictureFinder:
    """Finds the pictures that layouts name, each file looked at once."""

    def __init__(self, workspace: Workspace, folder: str) -> None:
        self.roots = [base / folder for base in workspace.layouts]
        self.known: dict[str, PictureInfo | Problem] = {}

    def __call__(self, value: str, place: Place) -> PictureInfo | Problem:
        """Return a picture that can be printed, or what is wrong with it."""
        found = self.known.get(value)
        if found is None:
            paths = [inside(root, value, place) for root in self.roots]
            path = next((p for p in paths if isinstance(p, Path) and p.is_file()), paths[0])
            found = path if isinstance(path, Problem) else check_picture(path, place)
            if isinstance(path, Path) and path.suffix.lower() == ".svg" and path.is_file():
                text = f"'{path.name}' is an SVG drawing; expected PNG, JPEG or WebP"
                text += "; move it to icons/ and draw it with icon"
                found = Problem(place, "picture-format", text)
            self.known[value] = found
        if isinstance(found, Problem):
            return Problem(place, found.code, found.message)
        return found
