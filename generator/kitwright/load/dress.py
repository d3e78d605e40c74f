"""The faults of a game's theme, layouts and icons when its components have faults of their own.

A designer is shown everything in one run: what the files name is read as far as it is there.
"""

from __future__ import annotations

from kitwright.load.icons import load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.themes import load_theme
from kitwright.load.workspace import Workspace, yaml_files
from kitwright.problems import Problem


def dress_faults(workspace: Workspace, game_id: str) -> list[Problem]:
    """Find what is wrong with the dress of a game that could not be loaded."""
    problems: list[Problem] = []
    themes: list[str] = []
    layouts: list[str] = []
    for path in yaml_files(workspace.components / game_id):
        document = workspace.read(path, [])  # its own faults are told by load_game
        entries = document.root.value if document is not None else {}
        for key, names in (("theme", themes), ("layout", layouts), ("back", layouts)):
            if key in entries:
                names.append(str(entries[key].node.value))
    for name in themes:
        if workspace.find_layout_file(name) is not None:
            load_theme(workspace, name, problems)
    reader = LayoutReader(workspace, problems)
    for name in layouts:
        reader.read(name)
    load_icons(workspace, game_id, problems)
    return problems
