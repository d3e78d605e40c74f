"""The command proof: a kit as other eyes see it."""

from __future__ import annotations

from pathlib import Path

import click

from kitwright.cli.common import (
    chosen_game,
    common_options,
    faults_shown,
    file_rows,
    output_folder,
    output_option,
    plain,
    show_problems,
    skin_option,
    table,
)
from kitwright.cli.numbers import Measure


@click.command()
@click.argument("game")
@click.option("--dpi", default=60.0, type=Measure(20, 150), show_default=True)
@skin_option
@output_option
@common_options
def proof(
    game: str,
    dpi: float,
    skin: str,
    output: Path | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Show all faces of GAME as colour-blind eyes see them and in grey, and the ink they take."""
    from kitwright.jobs.proofs import write_proof
    from kitwright.jobs.sights import checks_of

    space = chosen_game(workspace, game, variant, skin)
    with faults_shown():
        folder = output_folder(space, output)
        report, looks = write_proof(space, game, variant, skin, dpi, folder)
    show_problems(report.warnings)
    for check in checks_of(looks):
        if check.name.endswith(": ink"):
            click.echo(plain(f"{check.name.removesuffix(': ink')}: {check.figure} ink"))
    rows = [(path, size) for path, _, size in file_rows(report, folder)]
    click.echo(table(rows, ("file", "size")))
