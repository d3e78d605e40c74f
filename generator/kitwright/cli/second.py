"""Commands of the second print: printed, and what `build --changed` says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kitwright.cli.common import (
    check_skin,
    check_variant,
    chosen_game,
    chosen_games,
    chosen_workspace,
    common_options,
    faults_shown,
    file_rows,
    home_folder,
    output_folder,
    output_option,
    plain,
    progress,
    show_problems,
    skin_option,
    table,
    workers_option,
)
from kitwright.cli.paper import show_plans
from kitwright.load.workspace import Workspace
from kitwright.options import folder_of

if TYPE_CHECKING:
    from kitwright.jobs.changed import Markable, Reprint
    from kitwright.jobs.diffs import Difference
    from kitwright.options import BuildOptions
    from kitwright.reprint.ledger import LedgerFolder

SIDES = ("long", "short", "fold", "two-pass", "fronts")


def ledger_folder(workspace: Workspace) -> LedgerFolder:
    """Return where the print ledger of a workspace is kept."""
    from kitwright.reprint.ledger import LedgerFolder

    return LedgerFolder(home_folder(workspace) / ".kitwright" / "printed")


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--paper", metavar="NAME", help="What it was printed on; as last time by default.")
@click.option("--sides", type=click.Choice(SIDES), help="How; as last time, or long, by default.")
@click.option("--deck", "decks", multiple=True, help="Only this deck; may be repeated.")
@click.option("--show", is_flag=True, help="List what is marked as printed, and mark nothing.")
@click.option("--anyway", is_flag=True, help="Also when the kit in output/ is older, or none.")
@skin_option
@output_option
@workers_option
@common_options
def printed(
    games: tuple[str, ...],
    paper: str | None,
    sides: str | None,
    decks: tuple[str, ...],
    show: bool,
    anyway: bool,
    skin: str,
    output: Path | None,
    workers: int | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Mark the kits of GAMEs, or of all, as printed: build --changed starts from there."""
    from kitwright.options import BuildOptions

    space = chosen_workspace(workspace)
    names = chosen_games(space, games)
    folder = ledger_folder(space)
    if show:
        with faults_shown():
            _show(folder, names if games else ())
        return
    for name in names:
        check_variant(space, name, variant)
        check_skin(space, name, skin)
    known = BuildOptions(
        papers=(paper or "",), sides=sides or "", decks=decks, skin=skin, variant=variant,
        workers=workers,
    )  # fmt: skip
    kits = None if anyway else output_folder(space, output)
    with faults_shown():
        found = [_markable(space, name, known, folder, kits) for name in names]
    for each in found:
        _mark(each, folder, workers)


def _markable(
    space: Workspace, name: str, known: BuildOptions, folder: LedgerFolder, kits: Path | None
) -> Markable:
    """Look at one kit; all are looked at before the first is marked."""
    from msgspec.structs import replace

    from kitwright.jobs.changed import markable
    from kitwright.pipeline import papers_called

    last = folder.read(folder_of(name, known.variant, known.skin))
    papers = known.papers if known.papers[0] else (last.paper if last else "a4",)
    sides = known.sides or (last.sides if last else "long")
    options = replace(known, papers=papers, sides=sides)
    papers_called(space, options.papers)
    return markable(space, name, options, folder, date.today().isoformat(), kits)


def _mark(found: Markable, folder: LedgerFolder, workers: int | None) -> None:
    from kitwright.jobs.changed import mark_printed

    ledger = found.ledger
    with faults_shown(), progress(f"marking {ledger.kit}") as bar:
        marked = mark_printed(found, folder, workers, bar)
    show_problems(marked.warnings)
    count = sum(len(design.copies) for design in ledger.stock)
    since = f", {_summary(marked.changes)} since {marked.before.date}" if marked.before else ""
    on = f"{ledger.paper}, {ledger.sides}"
    click.echo(
        plain(f"{ledger.kit}: {count} cards marked as printed on {ledger.date} ({on}){since}")
    )


def _summary(changes: Sequence[object]) -> str:
    return f"{len(changes)} changed" if changes else "none changed"


def _show(folder: LedgerFolder, games: Sequence[str]) -> None:
    kits = [kit for kit in folder.kits() if not games or kit.partition("+")[0] in games]
    if not kits:
        click.echo("nothing is marked as printed")
        return
    rows = []
    for kit in kits:
        ledger = folder.read(kit)
        if ledger is not None:
            cards = sum(len(design.copies) for design in ledger.stock)
            rows.append((kit, ledger.date, ledger.paper, ledger.sides, str(cards)))
    click.echo(table(rows, ("kit", "printed", "paper", "sides", "cards")))


def build_reprints(
    space: Workspace, names: Sequence[str], options: BuildOptions, output: Path, plan: bool
) -> None:
    """Build what changed, or only plan it, and say what that is."""
    from kitwright.jobs.changed import build_changed

    context = click.get_current_context()
    default = click.core.ParameterSource.DEFAULT
    given = frozenset(
        name for name in ("paper", "sides") if context.get_parameter_source(name) != default
    )
    with faults_shown():
        made = build_changed(
            space, names, options, output, ledger_folder(space), given, write=not plan
        )
    for each in made:
        _show_reprint(each, output)


def _show_reprint(made: Reprint, output: Path) -> None:
    show_problems(made.report.warnings)
    kit, day = made.ledger.kit, made.ledger.date
    moved = [change for change in made.changes if change.take or change.put]
    if not moved:
        click.echo(plain(f"{kit}: nothing has changed since {day}; nothing to print"))
        return
    rows = [
        (f"{c.any.deck}/{c.any.card}", str(c.take or ""), str(c.put or ""), c.why) for c in moved
    ]
    click.echo(plain(f"{kit}: since {day} take {made.take} out, put {made.put} in"))
    click.echo(table(rows, ("card", "out", "in", "why")))
    files = file_rows(made.report, output)
    if files:
        click.echo(table(files, ("file", "pages", "size")))
    show_plans({made.report.game: made.report.plan})


@click.command()
@click.argument("game")
@click.argument("rev", required=False, metavar="[REV]")
@click.option("--paper", metavar="NAME", default="a4", show_default=True, help="For diff.pdf.")
@skin_option
@output_option
@workers_option
@common_options
def diff(
    game: str,
    rev: str | None,
    paper: str,
    skin: str,
    output: Path | None,
    workers: int | None,
    workspace: Path | None,
    variant: str | None,
) -> None:
    """Show which cards of GAME changed since it was printed, or since REV.

    REV is a git revision such as HEAD~1, or another workspace folder.
    """
    from kitwright.jobs.diffs import Asked, diff_game

    space = chosen_game(workspace, game, variant, skin)
    asked = Asked(game, rev, variant, skin, paper, workers)
    with faults_shown():
        folder = output_folder(space, output)
        found = diff_game(space, asked, ledger_folder(space), folder)
    show_problems(found.report.warnings)
    _show_entries(game, found)
    click.echo(", ".join(path for path, _, _ in file_rows(found.report, folder)))


def _show_entries(game: str, found: Difference) -> None:
    kinds = [entry.kind for entry in found.entries]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    click.echo(plain(f"{game}: {counts or 'no card differs'} ({found.since}, and now)"))
    for entry in found.entries:
        click.echo(plain(f"{entry.name}: {entry.why}"))
        for line in entry.lines:
            click.echo(plain(f"  {line}"))
