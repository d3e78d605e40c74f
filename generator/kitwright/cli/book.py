"""Commands that publish: rulebook, pack."""

from __future__ import annotations

from pathlib import Path

import click

from kitwright.cli.common import (
    check_skin,
    check_variant,
    chosen_games,
    chosen_workspace,
    common_options,
    faults_shown,
    output_folder,
    output_option,
    progress,
    show_problems,
    skin_option,
    strict_option,
    table,
)

paper_option = click.option(
    "--paper",
    default="both",
    show_default=True,
    help="a4, letter, legal, a3; several with commas; both is A4 and Letter.",
)


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
    from kitwright.press import BuildOptions
    from kitwright.publish import export_rulebook

    space = chosen_workspace(workspace)
    (name,) = chosen_games(space, [game])
    check_variant(space, name, variant)
    check_skin(space, name, skin)
    papers = ("a4", "letter") if paper == "both" else tuple(paper.split(","))
    options = BuildOptions(papers, skin=skin, variant=variant, strict=strict)
    with faults_shown():
        report = export_rulebook(space, name, options, output_folder(space, output))
    show_problems(report.warnings)
    rows = [(file.path, str(file.pages), f"{file.size / 1024:.0f} KB") for file in report.files]
    click.echo(table(rows, ("file", "pages", "size")))


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
    from kitwright.press import BuildOptions
    from kitwright.publish import pack_game

    space = chosen_workspace(workspace)
    (name,) = chosen_games(space, [game])
    check_variant(space, name, variant)
    check_skin(space, name, skin)
    papers = ("a4", "letter") if paper == "both" else tuple(paper.split(","))
    options = BuildOptions(papers, skin=skin, variant=variant, strict=strict)
    with faults_shown(), progress(f"packing {name}") as bar:
        report = pack_game(space, name, options, output_folder(space, output), bar)
    show_problems(report.warnings)
    rows = [(file.path, str(file.pages), f"{file.size / 1024:.0f} KB") for file in report.files]
    click.echo(table(rows, ("file", "inside", "size")))
