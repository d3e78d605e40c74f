"""The paper plan of games that are not built yet."""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.load import Workspace
from kitwright.options import PlanRow
from kitwright.pipeline import papers_called, planned_papers, prepare
from kitwright.press.kit import BuildOptions, ImageOptions
from kitwright.press.plan import plan_kit
from kitwright.press.spares import check_fill
from kitwright.problems import InvalidInputError, Problem


def plan_games(
    workspace: Workspace, games: Sequence[str], options: BuildOptions
) -> dict[str, tuple[PlanRow, ...]]:
    """Plan the paper of some games; nothing is written."""
    papers_called(workspace, options.papers)
    plain = ImageOptions(
        decks=options.decks, skin=options.skin, variant=options.variant, strict=options.strict
    )
    plans: dict[str, tuple[PlanRow, ...]] = {}
    faults: list[Problem] = []
    for game in games:
        try:
            kit = prepare(workspace, game, plain)
        except InvalidInputError as error:
            faults.extend(error.problems)
            continue
        check_fill(options.fill, kit)
        plans[game] = plan_kit(kit, planned_papers(workspace, options), options)
    if faults:
        raise InvalidInputError(faults)
    return plans
