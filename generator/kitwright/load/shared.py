"""The small tables of layouts/shared/: card sizes and papers, each figure with its source."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from kitwright.load.reading import read
from kitwright.load.workspace import Workspace
from kitwright.model.components import Side, Strict
from kitwright.model.units import parse_length
from kitwright.model.paper import Paper
from kitwright.problems import Place, Problem


class SizeRow(Strict):
    """The size of a card or a paper, and who says so."""

    width: Side
    height: Side
    margin: Annotated[float, BeforeValidator(parse_length, json_schema_input_type=str)] = 0.0
    title: str = ""
    source: Annotated[str, Field(min_length=1)]


class SizesFile(Strict):
    """layouts/shared/sizes.yaml and papers.yaml."""

    sizes: dict[str, SizeRow] = {}
    papers: dict[str, SizeRow] = {}


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
        problems.append(Problem(place, "missing-file", "the file is missing or has no rows"))
    return rows


def load_papers(workspace: Workspace, problems: list[Problem]) -> dict[str, Paper]:
    """Read the papers of layouts/shared/papers.yaml."""
    return {
        name: Paper(name, row.width, row.height, row.margin)
        for name, row in read_shared(workspace, "papers", problems).items()
    }
