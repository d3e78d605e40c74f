"""What `build` says of paper: the plan before and after, and what fills empty slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from kitwright.cli.common import faults_shown, table
from kitwright.cli.numbers import Measure
from kitwright.load.workspace import Workspace

if TYPE_CHECKING:
    from kitwright.options import PlanRow
    from kitwright.press.kit import BuildOptions

HEADER = ("game", "paper", "sides", "sheets", "cards", "spares", "empty", "cuts", "asked for")
fill_option = click.option(
    "--fill",
    multiple=True,
    metavar="WHAT",
    help="Fill empty slots with blanks, or with DECK/CARD; may be repeated.",
)
plan_option = click.option(
    "--plan", is_flag=True, help="Only show the paper that it takes; build nothing."
)
sleeved_option = click.option("--sleeved", is_flag=True, help="Boxes for cards in sleeves.")
stock_option = click.option(
    "--stock",
    type=Measure(0.05, 5),
    metavar="MM",
    help="Thickness of a card, for boxes; 0.3 unless told.",
)


def plan_builds(space: Workspace, names: Sequence[str], options: BuildOptions) -> None:
    """Show the plan of some games before they are built."""
    from kitwright.jobs.plans import plan_games

    with faults_shown():
        plans = plan_games(space, names, options)
    show_plans(plans)


def show_plans(plans: Mapping[str, Sequence[PlanRow]]) -> None:
    """Print the paper of each game, what was asked for first."""
    rows = [_row(game, row) for game, plan in plans.items() for row in plan]
    if rows:
        click.echo(table(rows, HEADER))


def _row(game: str, row: PlanRow) -> tuple[str, ...]:
    if row.sheets is None:
        return (game, row.paper, row.sides, "-", *[""] * 4, "a part is too large")
    figures = (row.sheets, row.cards, row.spares, row.empty, row.cuts)
    return (game, row.paper, row.sides, *map(str, figures), "yes" if row.chosen else "")
