"""Commands about printers: calibrate, and how `build --printer` finds one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kitwright.cli.common import (
    chosen_workspace,
    faults_shown,
    output_folder,
    output_option,
    plain,
    shown,
    table,
)

if TYPE_CHECKING:
    from kitwright.jobs.settings import Settings
    from kitwright.model.paper import Printer

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,40}")
printer_option = click.option(
    "--printer", metavar="NAME", help="Set the backs right for a printer that was calibrated."
)


def settings() -> Settings:
    """Return the user's settings; KITWRIGHT_CONFIG names another folder for them."""
    from kitwright.jobs.settings import Settings

    given = os.environ.get("KITWRIGHT_CONFIG")
    return Settings(Path(given) if given else Path(click.get_app_dir("kitwright")))


def chosen_printer(name: str | None) -> Printer | None:
    """Return the printer that a build is for."""
    if name is None:
        return None
    with faults_shown():
        return settings().printer(name)


@click.command()
@click.option("--printer", metavar="NAME", help="What you call the printer, such as office.")
@click.option("--set", "offset", metavar="X,Y[,ANGLE]", help="Store what the page's scales read.")
@click.option("--corrected", is_flag=True, help="Write the page set right, to see that it is.")
@click.option("--paper", default="a4", metavar="NAME", show_default=True, help="a4, letter …")
@click.option(
    "--sides",
    type=click.Choice(("long", "short")),
    default="long",
    show_default=True,
    help="The edge that the printer turns the paper over.",
)
@output_option
@click.option(
    "--workspace",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that holds components/ and layouts/.",
)
def calibrate(
    printer: str | None,
    offset: str | None,
    corrected: bool,
    paper: str,
    sides: str,
    output: Path | None,
    workspace: Path | None,
) -> None:
    """Measure where a printer puts the second side; without --printer, list what is known."""
    if printer is None:
        if offset is not None or corrected:
            raise click.UsageError("--set and --corrected are about a --printer; name it")
        _list()
        return
    if not NAME.fullmatch(printer):
        raise click.UsageError(
            f"the printer is '{printer}'; expected letters, figures and dashes, such as office"
        )
    if offset is not None:
        _keep(printer, offset)
        return
    from kitwright.jobs.calibrate import write_page
    from kitwright.model.paper import Printer as Named

    space = chosen_workspace(workspace)
    with faults_shown():
        known = settings().printer(printer) if corrected else Named(printer)
        folder = output_folder(space, output)
        report = write_page(space, known, paper, sides, corrected, folder)
    click.echo(shown(folder / report.files[0].path))


def _keep(name: str, offset: str) -> None:
    from kitwright.jobs.settings import read_offset

    with faults_shown():
        kept = read_offset(name, offset)
        settings().keep(kept)
    shown = f"x {kept.x:g} mm, y {kept.y:g} mm, angle {kept.angle:g} degrees"
    click.echo(plain(f"{name}: {shown}; stored in {settings().file}"))


def _list() -> None:
    with faults_shown():
        known = settings().printers()
    if not known:
        click.echo("no printer is calibrated; name one with --printer")
        return
    rows = [(p.name, f"{p.x:g}", f"{p.y:g}", f"{p.angle:g}") for p in known.values()]
    click.echo(table(rows, ("printer", "x mm", "y mm", "angle")))
