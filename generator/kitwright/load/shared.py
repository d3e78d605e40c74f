"""The small tables of layouts/shared/: card sizes and papers, each figure with its source."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from kitwright.load.reading import read
from kitwright.load.workspace import Workspace
from kitwright.model.components import Id, Side, Strict
from kitwright.model.game import Size
from kitwright.model.lengths import Natural
from kitwright.model.paper import Paper
from kitwright.problems import Place, Problem


class SizeRow(Strict):
    """The size of a card or a paper, and who says so."""

    width: Annotated[Side, Field(description="the width, such as 63.5mm")]
    height: Annotated[Side, Field(description="the height, such as 88.9mm")]
    margin: Annotated[
        Natural, Field(le=50, description="of a paper: what a printer leaves white on each side")
    ] = 0.0
    title: Annotated[str, Field(description="its name in print")] = ""
    source: Annotated[str, Field(min_length=1, description="who says so")]


class SizesFile(Strict):
    """layouts/shared/sizes.yaml and papers.yaml."""

    sizes: Annotated[
        dict[Id, SizeRow], Field(description="names of card sizes, each with its figures")
    ] = {}
    papers: Annotated[
        dict[Id, SizeRow], Field(description="names of papers, each with its figures")
    ] = {}


def read_shared(workspace: Workspace, name: str, problems: list[Problem]) -> dict[str, SizeRow]:
    """Read layouts/shared/<name>.yaml; the workspace's own rows stand before the shipped ones."""
    rows: dict[str, SizeRow] = {}
    for base in reversed(workspace.layouts):
        path = base / "shared" / f"{name}.yaml"
        document = workspace.read(path, problems) if path.is_file() else None
        told = read(SizesFile, document, (), problems) if document is not None else None
        if told is not None:
            rows.update(told.sizes if name == "sizes" else told.papers)
    if not rows:
        place = Place(f"layouts/shared/{name}.yaml")
        problems.append(
            Problem(place, "missing-file", f"the file has no {name}; expected at least one")
        )
    return rows


def load_sizes(workspace: Workspace, problems: list[Problem]) -> dict[str, Size]:
    """Read the card sizes of layouts/shared/sizes.yaml."""
    return {
        name: Size(name, told.width, told.height)
        for name, told in read_shared(workspace, "sizes", problems).items()
    }


def load_papers(workspace: Workspace, problems: list[Problem]) -> dict[str, Paper]:
    """Read the papers of layouts/shared/papers.yaml."""
    return {
        name: Paper(name, row.width, row.height, row.margin)
        for name, row in read_shared(workspace, "papers", problems).items()
    }
