"""Commands of the laboratory: balance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from kitwright.cli.common import (
    chosen_game,
    common_options,
    every_variant,
    faults_shown,
    json_option,
    output_folder,
    output_option,
    plain,
    progress,
    shown,
    workers_option,
)
from kitwright.cli.numbers import Whole
from kitwright.load.workspace import Workspace

players_option = click.option(
    "--players", type=Whole(1, 99), help="Four by default, or as many as can play."
)
games_option = click.option(
    "--games", type=Whole(2, 1_000_000), help="How many; fewer for games that play slowly."
)


@click.command()
@click.argument("game")
@click.option(
    "--against", metavar="REV", help="Show what changed since a git revision, or another workspace."
)
@click.option("--write", is_flag=True, help="Measure what figures.yaml holds, and write it.")
@click.option("--force", is_flag=True, help="Let --write replace figures of more games.")
@games_option
@players_option
@click.option("--search", type=Whole(0, 10_000), help="Games of the search bot; 0 leaves it out.")
@workers_option
@json_option
@output_option
@common_options
def balance(
    game: str,
    against: str | None,
    write: bool,
    force: bool,
    games: int | None,
    players: int | None,
    search: int | None,
    workers: int | None,
    as_json: bool,
    output: Path | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Let bots play GAME and report how balanced it is, as HTML and PDF."""
    space = chosen_game(workspace, game, variant)
    _check_write(write, force, variant, against)
    if write:
        _write_figures(space, game, games, workers, force)
        return
    target = output_folder(space, output)
    if against is not None:
        _against(space, game, variant, against, (players, games, workers), as_json, target)
        return
    from kitwright.jobs.laboratory import draw_cards, write_balance
    from kitwright.load import load_game
    from kitwright.play.balance import study

    with faults_shown(), played_shown():
        loaded = load_game(space, game, variant)
        drawn = draw_cards(space, game, variant)
        with progress(f"playing {game}") as bar:
            found = study(loaded, players, games, search, workers, bar)
        folder = write_balance(space, drawn, found, target)
    if as_json:
        click.echo(json.dumps(found.as_dict(), indent=1))
    else:
        click.echo(f"{shown(folder / 'balance.html')}\n{shown(folder / 'balance.pdf')}")


def _check_write(write: bool, force: bool, variant: str | None, against: str | None) -> None:
    """Refuse what does not go with --write, or only with it."""
    if force and not write:
        raise click.UsageError("--force goes with --write; there is nothing else to replace")
    if write and variant is not None:
        raise click.UsageError("--write measures all variants; leave --variant out")
    if write and against is not None:
        raise click.UsageError("--write and --against exclude each other")


def _against(
    space: Workspace,
    game: str,
    variant: str | None,
    rev: str,
    numbers: tuple[int | None, int | None, int | None],
    as_json: bool,
    output: Path,
) -> None:
    """Play the game as it was and as it is, and tell what the edit did."""
    from kitwright.jobs.laboratory import draw_cards, write_comparison
    from kitwright.jobs.revisions import faults_of, workspace_at
    from kitwright.load import load_game
    from kitwright.play.compare import compare

    with faults_shown(), played_shown():
        after = load_game(space, game, variant)
        with workspace_at(space, rev) as then:
            if game not in then.games():
                raise click.UsageError(f"{rev} has no game '{game}' to compare with")
            with faults_of(rev):
                before = load_game(then, game, variant)
            with progress(f"playing {game} twice") as bar:
                found = compare(before, after, *numbers, bar)
            # What the edit does is told even where a face no longer fits it.
            told = json.dumps(found.as_dict(), indent=1) if as_json else "\n".join(found.verdicts)
            click.echo(plain(told))
            drawn = draw_cards(space, game, variant)
            with faults_of(rev):
                old = draw_cards(then, game, variant)
            folder = write_comparison(space, old, drawn, found, rev, output)
    if not as_json:
        click.echo(shown(folder / "balance-against.html"))


@contextmanager
def played_shown() -> Iterator[None]:
    """Turn what cannot be played into a fault of the command line."""
    from kitwright.play.bots import UnknownBotError
    from kitwright.play.simulate import SimulationError

    try:
        yield
    except (SimulationError, UnknownBotError) as error:
        raise click.UsageError(str(error)) from None


def _write_figures(
    space: Workspace, game: str, games: int | None, workers: int | None, force: bool
) -> None:
    from kitwright.play.measure import check_better, measure
    from kitwright.write.figures import figures_text
    from kitwright.write.inplace import replace_file

    path = space.components / game / "figures.yaml"
    with faults_shown(), played_shown():
        loaded = every_variant(space, game)
        if not force:
            check_better(loaded, games)
        with progress(f"measuring {game}") as bar:
            told = measure(loaded, games, workers, bar)
        replace_file(path, figures_text(told))
    click.echo(f"{space.show(path)}: {', '.join(told['measured'])} of {', '.join(told['rules'])}")
