"""From components/<game>/figures.yaml to the figures that print may look up."""

from __future__ import annotations

from kitwright.load.reading import read
from kitwright.load.workspace import Workspace
from kitwright.model.components import FiguresFile
from kitwright.model.game import Figures
from kitwright.model.record import freeze
from kitwright.problems import Problem

FILE = "figures.yaml"


def read_figures(workspace: Workspace, game_id: str, problems: list[Problem]) -> Figures:
    """Read the measured figures of a game; there are none when it has no such file."""
    path = workspace.components / game_id / FILE
    if not path.is_file():
        return Figures()
    document = workspace.read(path, problems)
    told = read(FiguresFile, document, (), problems) if document is not None else None
    if document is None or told is None:
        return Figures()
    if told.figures != game_id:
        said = f"figures is '{told.figures}'; expected '{game_id}', the name of its folder"
        problems.append(Problem(document.place("figures"), "wrong-id", said))
    return Figures(freeze(told.measured), freeze(told.rules), document.place())
