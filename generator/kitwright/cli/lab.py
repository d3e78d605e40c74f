"""Commands of the laboratory: balance."""

from __future__ import annotations

from pathlib import Path

import click

from kitwright.cli.common import (
    chosen_game,
    common_options,
    every_variant,
    faults_shown,
    progress,
    workers_option,
)
from kitwright.load.workspace import Workspace


@click.command()
@click.argument("game")
@click.option("--write", is_flag=True, help="Measure the figures of figures.yaml anew.")
@click.option("--games", type=click.IntRange(2, 1_000_000), help="Games for each figure.")
@workers_option
@common_options
def balance(
    game: str,
    write: bool,
    games: int | None,
    workers: int | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Measure GAME with bots."""
    space = chosen_game(workspace, game, variant)
    if variant is not None:
        raise click.UsageError(
            "--write measures the game and all its variants; leave --variant out"
        )
    _write_figures(space, game, games, workers)


def _write_figures(space: Workspace, game: str, games: int | None, workers: int | None) -> None:
    from kitwright.play.measure import measure
    from kitwright.play.simulate import SimulationError
    from kitwright.write.figures import figures_text
    from kitwright.write.inplace import replace_file

    path = space.components / game / "figures.yaml"
    with faults_shown():
        loaded = every_variant(space, game)
        try:
            with progress(f"measuring {game}") as bar:
                told = measure(loaded, games, workers, bar)
        except SimulationError as error:
            raise click.UsageError(str(error)) from None
        replace_file(path, figures_text(told))
    click.echo(f"{space.show(path)}: {', '.join(told['measured'])} of {', '.join(told['rules'])}")
