"""The paper plan: how many sheets a kit takes, what stays empty on them, how often you cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from kitwright.model.paper import Paper
from kitwright.options import BuildOptions, PlanRow
from kitwright.press.bindery import batches_of, impose_batch
from kitwright.press.kit import Kit
from kitwright.press.spares import Batch, filled
from kitwright.problems import InvalidInputError

ALWAYS = ("long", "fold")


def plan_kit(kit: Kit, papers: Sequence[Paper], options: BuildOptions) -> tuple[PlanRow, ...]:
    """Plan a whole kit on each paper, duplex and folded, and as the options ask."""
    return plan_ways(lambda _, asked: batches_of(kit.decks, asked), papers, options)


def plan_ways(
    batches: Callable[[Paper, BuildOptions], Sequence[Batch]],
    papers: Sequence[Paper],
    options: BuildOptions,
) -> tuple[PlanRow, ...]:
    """Plan what `batches` gathers for each paper and each way to print."""
    rows = []
    for sides in dict.fromkeys((options.sides, *ALWAYS)):
        asked = replace(options, sides=sides)
        for paper in papers:
            try:
                row = plan_batches(batches(paper, asked), paper, asked)
            except InvalidInputError:
                row = PlanRow(paper.name, sides, None, 0, 0, 0, 0)
            chosen = sides == options.sides and paper.name in options.papers
            rows.append(replace(row, chosen=chosen))
    return tuple(rows)


def plan_batches(batches: Sequence[Batch], paper: Paper, options: BuildOptions) -> PlanRow:
    """Count the sheets, slots and cuts of some batches; what is too large raises."""
    sheets = cards = spares = empty = cuts = 0
    for batch in batches:
        cards += len(batch.cards)
        full = filled(batch, options.fill, paper, options.sides)
        laid = [s for s in impose_batch(full, paper, options) if s.side != "back"]
        slots = full.slots(paper, full.sides(options.sides))
        sheets += len(laid)
        spares += len(full.cards) - len(batch.cards)
        empty += len(laid) * slots - len(full.cards)
        cuts += sum(len(sheet.cuts_x) + len(sheet.cuts_y) for sheet in laid)
    return PlanRow(paper.name, options.sides, sheets, cards, spares, empty, cuts)
