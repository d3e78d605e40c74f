"""Commands for prototyping sites: export, preflight."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
    show_problems,
    shown,
    skin_option,
    strict_option,
    table,
    workers_option,
)
from kitwright.cli.numbers import Measure, Whole

to_option = click.option(
    "--to",
    "to",
    required=True,
    multiple=True,
    metavar="NAME",
    help="A destination of layouts/shared/destinations.yaml, several with commas, or all.",
)


@click.command()
@click.argument("game")
@to_option
@click.option("--url-base", metavar="URL", help="tts: where the images are hosted; file URLs else.")
@click.option(
    "--sheet-px",
    type=Whole(512, 16384),
    help="The longest side of a sheet of cards instead of the destination's own.",
)
@click.option("--dpi", type=Measure(36, 1200), help="Plain images: pixels an inch instead of 300.")
@click.option("--bleed", is_flag=True, help="Plain images: keep the bleed round the card.")
@skin_option
@output_option
@workers_option
@strict_option
@json_option
@common_options
def export(
    game: str,
    to: tuple[str, ...],
    url_base: str | None,
    sheet_px: int | None,
    dpi: float | None,
    bleed: bool,
    skin: str,
    output: Path | None,
    workers: int | None,
    strict: bool,
    as_json: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Write GAME for prototyping sites and print shops, after a preflight."""
    from kitwright.jobs.exports import ExportOptions, export_game

    if url_base is not None and not url_base.startswith(("http://", "https://", "file://")):
        raise click.UsageError(f"--url-base is '{url_base}'; expected https://… or http://…")
    space = chosen_game(workspace, game, variant, skin)
    options = ExportOptions(
        _names(to), url_base, sheet_px, dpi, bleed, skin, variant, strict, workers
    )
    folder = output_folder(space, output)
    with faults_shown(), progress(f"exporting {game}") as bar:
        report = export_game(space, game, options, folder, bar)
    show_problems(report.warnings)
    if as_json:
        click.echo(json.dumps(_as_json(report), indent=1))
    else:
        _print(report)


@click.command()
@click.argument("game")
@to_option
@skin_option
@json_option
@common_options
def preflight(
    game: str,
    to: tuple[str, ...],
    skin: str,
    as_json: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Check what GAME would send to a destination, face by face, without writing it."""
    from kitwright.jobs.exports import ExportOptions, preflight_game

    space = chosen_game(workspace, game, variant, skin)
    options = ExportOptions(_names(to), skin=skin, variant=variant)
    with faults_shown():
        looked, warnings = preflight_game(space, game, options)
    show_problems(warnings)
    problems = [problem for each in looked for problem in each.problems]
    show_problems(problems)
    if as_json:
        click.echo(json.dumps({"game": game, "destinations": [_told(e) for e in looked]}, indent=1))
    else:
        rows = [
            (e.destination.name, str(e.faces), str(len(e.problems)), "no" if e.problems else "yes")
            for e in looked
        ]
        click.echo(table(rows, ("destination", "faces", "faults", "ready")))
        _print_skipped([(each.destination.name, each.skipped) for each in looked])
    if problems:
        click.get_current_context().exit(1)


def _names(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for part in given for name in part.split(",") if name.strip())


def _told(each: Any) -> dict[str, Any]:
    return {
        "name": each.destination.name,
        "faces": each.faces,
        "faults": [str(problem) for problem in each.problems],
        "skipped": [{"piece": one.piece, "reason": one.reason} for one in each.skipped],
    }


def _as_json(report: Any) -> dict[str, Any]:
    sent = [
        {
            "name": each.destination.name,
            "files": each.files,
            "bytes": each.size,
            "unchanged": each.kept,
            "warnings": list(each.warnings),
            "skipped": [{"piece": one.piece, "reason": one.reason} for one in each.skipped],
            "next": list(each.destination.row.next),
        }
        for each in report.sent
    ]
    return {"game": report.game, "folder": report.folder.as_posix(), "destinations": sent}


def _print(report: Any) -> None:
    rows = [
        (
            each.destination.name,
            str(each.files),
            str(each.kept),
            f"{each.size / 1024:.0f} KB",
            str(len(each.warnings)),
        )
        for each in report.sent
    ]
    click.echo(table(rows, ("destination", "files", "unchanged", "size", "warnings")))
    for each in report.sent:
        for warning in each.warnings:
            click.echo(plain(f"warning: {each.destination.name}: {warning}"))
    _print_skipped([(each.destination.name, each.skipped) for each in report.sent])
    click.echo(f"\nIn {shown(report.folder)}. What to do next:")
    for each in report.sent:
        click.echo(plain(f"{each.destination.row.title} ({each.destination.name}/)"))
        for line in each.destination.row.next:
            click.echo(plain(f"  {line}"))


def _print_skipped(skipped: Sequence[tuple[str, Any]]) -> None:
    for name, pieces in skipped:
        for each in pieces:
            click.echo(plain(f"skipped: {name}: {each.piece}: {each.reason}"))
