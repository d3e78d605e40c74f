"""Commands that make files: build, images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kitwright.cli.common import (
    cache_folder,
    check_skin,
    check_variant,
    chosen_game,
    chosen_games,
    chosen_workspace,
    common_options,
    faults_shown,
    file_rows,
    output_folder,
    output_option,
    paper_option,
    papers_named,
    progress,
    show_problems,
    shown,
    skin_option,
    strict_option,
    table,
    workers_option,
)
from kitwright.cli.numbers import Measure
from kitwright.cli.paper import (
    fill_option,
    plan_builds,
    plan_option,
    show_plans,
    sleeved_option,
    stock_option,
)
from kitwright.cli.printers import chosen_printer, printer_option
from kitwright.cli.second import build_reprints
from kitwright.load.workspace import Workspace

if TYPE_CHECKING:
    from kitwright.options import BuildOptions, Report

SIDES = ("long", "short", "fold", "two-pass", "fronts")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@paper_option
@click.option(
    "--sides",
    type=click.Choice(SIDES),
    default="long",
    show_default=True,
    help="How backs get behind fronts.",
)
@click.option("--gap", type=Measure(0, 50), metavar="MM", help="Space between cards, in mm.")
@click.option(
    "--marks",
    type=click.Choice(("edge", "full", "none")),
    default="edge",
    show_default=True,
    help="Crop marks at the page's edge, or full cut lines.",
)
@click.option("--deck", "decks", multiple=True, help="Only this deck or sheet; may be repeated.")
@click.option(
    "--changed", is_flag=True, help="Only what changed since it was marked as printed; a pull list."
)
@printer_option
@fill_option
@plan_option
@sleeved_option
@stock_option
@skin_option
@output_option
@workers_option
@click.option("--no-cache", is_flag=True, help="Draw everything anew, and remember nothing.")
@strict_option
@common_options
def build(
    games: tuple[str, ...],
    changed: bool,
    plan: bool,
    output: Path | None,
    no_cache: bool,
    workspace: Path | None,
    **asked: Any,
) -> None:
    """Build the kits of GAMEs, or of all, as PDFs."""
    space = chosen_workspace(workspace)
    names = chosen_games(space, games)
    for name in names:
        check_variant(space, name, asked["variant"])
        check_skin(space, name, asked["skin"])
    options = _options(**asked)
    folder = output_folder(space, output)
    if changed:
        build_reprints(space, names, options, folder, plan)
    elif plan:
        plan_builds(space, names, options)
    else:
        _build(space, names, options, folder, None if no_cache else cache_folder(space))


def _options(paper: str, printer: str | None, **asked: Any) -> BuildOptions:
    """Gather the options of a build."""
    from kitwright.options import BuildOptions

    return BuildOptions(papers=papers_named(paper), printer=chosen_printer(printer), **asked)


def _build(
    space: Workspace,
    names: tuple[str, ...],
    options: BuildOptions,
    folder: Path,
    cache: Path | None,
) -> None:
    with faults_shown(), progress("building") as bar:
        from kitwright.jobs.builds import build_kits

        reports = build_kits(space, names, options, folder, bar, cache)
    _show(reports, folder)


def _show(reports: Sequence[Report], folder: Path) -> None:
    for report in reports:
        show_problems(report.warnings)
    rows = [row for report in reports for row in file_rows(report, folder)]
    click.echo(table(rows, ("file", "pages", "size")))
    show_plans({report.game: report.plan for report in reports})
    click.echo(_done(reports))


def _done(reports: Sequence[Report]) -> str:
    """Say how much of a build was work."""
    drawn, recalled = sum(r.drawn for r in reports), sum(r.recalled for r in reports)
    if all(report.unchanged for report in reports):
        return "nothing changed"
    told = f"{drawn} face{'s' * (drawn != 1)} drawn"
    return told + (f", {recalled} from the cache" if recalled else "")


@click.command()
@click.argument("game")
@click.option("--dpi", default=300.0, type=Measure(36, 1200), show_default=True)
@click.option("--bleed", is_flag=True, help="Keep the bleed round the card.")
@click.option("--deck", "decks", multiple=True, help="Only this deck; may be repeated.")
@click.option("--rounded", is_flag=True, help="Round the corners, transparent outside.")
@click.option(
    "--splay",
    metavar="CARD,...",
    help="One picture of these cards in the hand instead, the top one first; + shows a back.",
)
@click.option("--behind", metavar="CARD", help="With --splay: a card that peeks over the deck.")
@click.option("--turned", metavar="CARD,...", help="With --splay: cards turned to the right.")
@skin_option
@output_option
@workers_option
@strict_option
@common_options
def images(
    game: str,
    dpi: float,
    bleed: bool,
    decks: tuple[str, ...],
    rounded: bool,
    splay: str | None,
    behind: str | None,
    turned: str | None,
    skin: str,
    output: Path | None,
    workers: int | None,
    strict: bool,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Export the faces of GAME as PNG, with a cards.csv beside them."""
    from kitwright.jobs.images import export_images
    from kitwright.jobs.splays import Held, export_splay
    from kitwright.press.kit import ImageOptions

    if splay is None and (behind or turned):
        raise click.UsageError("--behind and --turned show a card with --splay; name its cards")
    if splay is not None and (bleed or rounded or decks):
        raise click.UsageError("--bleed, --rounded and --deck do not go with --splay")
    if rounded and bleed:
        raise click.UsageError("--rounded cuts at the trim; it does not go with --bleed")
    space = chosen_game(workspace, game, variant, skin)
    options = ImageOptions(dpi, bleed, rounded, decks, skin, variant, strict, workers)
    folder = output_folder(space, output)
    with faults_shown(), progress(f"images of {game}") as bar:
        if splay is not None:
            held = Held(_names(splay), behind, _names(turned))
            report = export_splay(space, game, held, options, folder)
        else:
            report = export_images(space, game, options, folder, bar)
    show_problems(report.warnings)
    count = len(report.files)
    click.echo(f"{count} file{'s' * (count != 1)} in {shown(report.folder)}")


def _names(given: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(",") if name.strip()) if given else ()
