"""Commands that play: simulate, solve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kitwright.cli.common import (
    cache_folder,
    chosen_game,
    common_options,
    faults_shown,
    json_option,
    plain,
    progress,
    workers_option,
)
from kitwright.cli.numbers import Whole

if TYPE_CHECKING:
    from kitwright.model.game import Game


def _load(game: str, workspace: Path | None, variant: str | None) -> Game:
    from kitwright.load import load_game

    space = chosen_game(workspace, game, variant)
    with faults_shown():
        return load_game(space, game, variant)


@click.command()
@click.argument("game")
@click.option("--games", default=1000, type=Whole(1, 10_000_000), show_default=True)
@click.option("--players", type=Whole(1, 99), help="The fewest by default.")
@click.option(
    "--bots", help="Names, in turn round the seats: greedy,search; the typical one by default."
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same numbers.")
@workers_option
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786.")
@json_option
@common_options
def simulate(
    game: str,
    games: int,
    players: int | None,
    bots: str | None,
    seed: int,
    workers: int | None,
    cluster: str | None,
    as_json: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Let bots play GAME and print the figures with their 95 % intervals."""
    from kitwright.play.bots import UnknownBotError, typical_bot
    from kitwright.play.simulate import SimulationError
    from kitwright.play.simulate import simulate as run

    loaded = _load(game, workspace, variant)
    seats = players if players is not None else loaded.players[0]
    wanted = bots if bots is not None else typical_bot(loaded.id)
    names = [name.strip() for name in wanted.split(",")]
    try:
        with faults_shown(), progress(f"playing {game}") as bar:
            result = run(loaded, seats, names, games, seed, workers, bar, cluster)
    except (SimulationError, UnknownBotError) as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        click.echo(json.dumps(result, indent=1))
    else:
        _print(result, "")


def _print(value: dict[str, Any], indent: str) -> None:
    for key, item in value.items():
        name = key.replace("_", " ")
        if isinstance(item, dict) and not _is_figure(item):
            click.echo(f"{indent}{name}:")
            _print(item, indent + "  ")
        else:
            click.echo(plain(f"{indent}{name}: {_shown(item)}"))


def _is_figure(value: dict[str, Any]) -> bool:
    return {"mean", "low", "high"} <= value.keys()


def _shown(value: Any) -> str:
    if isinstance(value, dict) and _is_figure(value):
        return f"{value['mean']:.3f} ({value['low']:.3f} to {value['high']:.3f})"
    if isinstance(value, list):
        return "; ".join(_shown(item) for item in value)
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


@click.command()
@click.argument("game")
@click.argument("words", nargs=-1, metavar="WHAT...")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the cards as a PNG."
)
@json_option
@common_options
def solve(
    game: str,
    words: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Ask a solver of GAME.

    Hard Wired: FROM TO[,TO…] CIRCUIT…: the shortest segments.
    Hardware Hustle: [TURNS]: the best mean money of a solo game, and how it is played.
    Beltpunk Haberdasher: CARD…: the sets of a hand that score most.
    Hand Solo: PORT[+] CARD…: the prices with these cards revealed; + is the friendly side.
    Devices: ORDER: the cheapest devices that make it.
    """
    from kitwright.jobs.answers import Answers
    from kitwright.play.solvers import SolverError
    from kitwright.play.solvers import solve as run

    space = chosen_game(workspace, game, variant)
    loaded = _load(game, workspace, variant)
    try:
        with progress(f"solving {game}") as bar:
            result = run(loaded, words, Answers(cache_folder(space)), bar)
    except SolverError as error:
        raise click.UsageError(str(error)) from None
    if picture is not None:
        _draw(game, workspace, variant, result.cards, picture)
    if as_json:
        click.echo(json.dumps(result.data, indent=1))
    else:
        click.echo(plain("\n".join(result.lines)))


def _draw(game: str, workspace: Path | None, variant: str | None, cards: Any, target: Path) -> None:
    from kitwright.jobs.images import picture_faces

    if not cards:
        raise click.UsageError(f"{game} has no picture of this answer; leave --picture out")
    space = chosen_game(workspace, game, variant)
    with faults_shown():
        spots = [(card.face, card.column, card.row) for card in cards]
        picture_faces(space, game, variant, spots, target)
