"""Commands that publish: rulebook, pack."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kitwright.cli.common import (
    chosen_game,
    common_options,
    faults_shown,
    file_rows,
    output_folder,
    output_option,
    paper_option,
    papers_named,
    progress,
    show_problems,
    skin_option,
    strict_option,
    table,
)

if TYPE_CHECKING:
    from kitwright.options import Report


@click.command()
@click.argument("game")
@paper_option
@skin_option
@output_option
@strict_option
@common_options
def rulebook(
    game: str,
    paper: str,
    skin: str,
    output: Path | None,
    strict: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Write the rulebook of GAME: PDF, booklet, HTML and Markdown."""
    from kitwright.jobs.publish import export_rulebook
    from kitwright.press.kit import BuildOptions

    space = chosen_game(workspace, game, variant, skin)
    options = BuildOptions(papers_named(paper), skin=skin, variant=variant, strict=strict)
    with faults_shown():
        folder = output_folder(space, output)
        report = export_rulebook(space, game, options, folder)
    _show(report, folder, "pages")


@click.command()
@click.argument("game")
@paper_option
@skin_option
@output_option
@strict_option
@common_options
def pack(
    game: str,
    paper: str,
    skin: str,
    output: Path | None,
    strict: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Build GAME and zip its PDFs with a README for a print-and-play page."""
    from kitwright.jobs.publish import pack_game
    from kitwright.press.kit import BuildOptions

    space = chosen_game(workspace, game, variant, skin)
    options = BuildOptions(papers_named(paper), skin=skin, variant=variant, strict=strict)
    with faults_shown(), progress(f"packing {game}") as bar:
        folder = output_folder(space, output)
        report = pack_game(space, game, options, folder, bar)
    _show(report, folder, "inside")


def _show(report: Report, folder: Path, counted: str) -> None:
    show_problems(report.warnings)
    click.echo(table(file_rows(report, folder), ("file", counted, "size")))
