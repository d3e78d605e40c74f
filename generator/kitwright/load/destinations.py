"""The table of destinations: layouts/shared/destinations.yaml, the workspace's own rows first."""

from __future__ import annotations

from kitwright.load.reading import read
from kitwright.load.workspace import Workspace
from kitwright.model.destination import Destination, DestinationsFile
from kitwright.problems import Problem


def load_destinations(workspace: Workspace, problems: list[Problem]) -> dict[str, Destination]:
    """Read every destination; a row of the workspace replaces the shipped one of its name."""
    found: dict[str, Destination] = {}
    for base in reversed(workspace.layouts):
        path = base / "shared" / "destinations.yaml"
        document = workspace.read(path, problems) if path.is_file() else None
        told = read(DestinationsFile, document, (), problems) if document is not None else None
        if document is not None and told is not None:
            for name, row in told.destinations.items():
                place = document.place("destinations", name)
                found[name] = Destination(name, row, place)
    return found
