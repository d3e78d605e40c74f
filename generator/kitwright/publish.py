"""What a game publishes beside its cards: the rulebook by itself, staged like a build."""

from __future__ import annotations

from pathlib import Path

from kitwright import __version__
from kitwright.load import Workspace
from kitwright.pipeline import BuildOptions, Made, Report, folder_name, papers_called, prepare
from kitwright.problems import InvalidInputError, Place, Problem
from kitwright.write.staging import check_output, stage


def export_rulebook(
    workspace: Workspace, game_id: str, options: BuildOptions, output: Path
) -> Report:
    """Write the rulebook of a game as PDF, booklet, HTML and Markdown."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    papers = papers_called(workspace, options.papers)
    kit = prepare(workspace, game_id, options)
    if kit.rulebook is None:
        place = Place(workspace.show(workspace.components / game_id / "rules.md"))
        said = "the game has no rules.md; expected one, which begins with '# ' and its title"
        raise InvalidInputError([Problem(place, "missing-file", said)])
    files = tuple(kit.rulebook.files(papers))
    folder = output / folder_name(kit.game, options.skin)
    made = []
    with stage(folder, replaces=["rulebook/*"], sources=sources) as staged:
        for name, pages, data in files:
            target = staged.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            made.append(Made(f"{folder.name}/{name}", pages, len(data)))
        staged.seal(__version__)
    return Report(game_id, folder, tuple(made), kit.warnings)
