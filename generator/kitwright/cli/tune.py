"""The command that sweeps numbers: tune."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from kitwright.cli.common import (
    chosen_game,
    common_options,
    faults_shown,
    json_option,
    output_folder,
    output_option,
    plain,
    progress,
    shown,
    table,
    workers_option,
)
from kitwright.cli.lab import games_option, played_shown, players_option
from kitwright.load.workspace import Workspace

BAR = 30


@click.command()
@click.argument("game")
@click.option("--vary", "varied", multiple=True, required=True, metavar="PATH=LO..HI",
              help="A number of the YAML, such as rules.hand=2..5; one or two.")  # fmt: skip
@click.option("--target", required=True, metavar="FIGURE<VALUE",
              help="Such as 'seat_advantage<0.02', 'score=90', 'minutes<30'.")  # fmt: skip
@click.option("--write", is_flag=True, help="Write the value found into the file.")
@games_option
@players_option
@workers_option
@json_option
@output_option
@common_options
def tune(
    game: str,
    varied: tuple[str, ...],
    target: str,
    write: bool,
    games: int | None,
    players: int | None,
    workers: int | None,
    as_json: bool,
    output: Path | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Sweep one or two numbers of GAME and find the value nearest to a target."""
    from kitwright.jobs.laboratory import draw_cards, write_tuning
    from kitwright.load import load_game
    from kitwright.load.numbers import find_number
    from kitwright.play.tune import read_varied, sweep

    space = chosen_game(workspace, game, variant)
    if write and variant is not None:
        raise click.UsageError("--write edits the game itself; leave --variant out")
    with faults_shown(), played_shown():
        loaded = load_game(space, game, variant)
        sweeps = read_varied(varied)
        spots = [find_number(space, game, sweep.path) for sweep in sweeps]
        now = [spot.value for spot in spots]
        with progress(f"tuning {game}") as bar:
            found = sweep(loaded, sweeps, now, target, players, games, workers, bar)
        told = found.as_dict()
        kit = draw_cards(space, game, variant)
        folder = write_tuning(space, kit, found, output_folder(space, output))
        if write:
            _write(spots, told)
    click.echo(json.dumps(told, indent=1)) if as_json else _print(told, folder)
    if write and told["best"] is not None:
        _tell(space, spots, told)


def _print(told: dict[str, Any], folder: Path) -> None:
    from kitwright.jobs.laboratory import verdict

    scale, unit = (100, " %") if told["percent"] else (1, "")
    tops = [p["figure"]["high"] for p in told["points"] if p["figure"]]
    most = max((abs(top) for top in tops), default=1.0) or 1.0
    rows = []
    for point in told["points"]:
        figure, mark = point["figure"], "<" if point["at"] == told["best"] else ""
        values = [f"{value:g}" for value in point["at"]]
        if figure is None:
            rows.append((*values, "no game ended", "", mark))
            continue
        margin = (figure["high"] - figure["low"]) / 2 * scale
        bar = "#" * max(0, round(BAR * figure["mean"] / most))
        rows.append((*values, f"{figure['mean'] * scale:.2f}{unit} +- {margin:.2f}", bar, mark))
    click.echo(table(rows, (*told["paths"], told["title"], "", "")))
    click.echo(plain(verdict(told).replace("**", "")))
    click.echo(shown(folder / "tune.html"))


def _write(spots: Any, told: dict[str, Any]) -> None:
    """Edit each number in place, from the end of a file, so that earlier spots stay true."""
    from kitwright.write.inplace import replace_file

    if told["best"] is None:
        return
    pairs = sorted(
        zip(spots, told["best"], strict=True), key=lambda pair: (pair[0].line, pair[0].column)
    )
    for spot, value in reversed(pairs):
        if spot.value != value:
            replace_file(spot.path, spot.text_with(value))


def _tell(space: Workspace, spots: Any, told: dict[str, Any]) -> None:
    for path, spot, value in zip(told["paths"], spots, told["best"], strict=True):
        if spot.value == value:
            click.echo(f"{path} is {value:g} already", err=True)
        else:
            place = f"{space.show(spot.path)}:{spot.line}:{spot.column}"
            click.echo(f"{place}: {path} {spot.value:g} -> {value:g}", err=True)
