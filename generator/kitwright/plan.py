"""The paper plan: how many sheets a kit takes, what stays empty on them, how often you cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kitwright.bindery import batches_of, impose_batch
from kitwright.model.paper import Paper
from kitwright.options import BuildOptions, PlanRow
from kitwright.press import Kit
from kitwright.problems import InvalidInputError
from kitwright.spares import Batch, filled

ALWAYS = ("long", "fold")


def plan_kit(kit: Kit, papers: Sequence[Paper], options: BuildOptions) -> tuple[PlanRow, ...]:
    """Plan a kit on each paper, duplex and folded, and as the options ask."""
    batches = batches_of(kit.decks, options)
    asked = {(paper, options.sides) for paper in options.papers}
    rows = (
        plan_batches(batches, paper, replace(options, sides=sides))
        for sides in dict.fromkeys((options.sides, *ALWAYS))
        for paper in papers
    )
    return tuple(replace(row, chosen=(row.paper, row.sides) in asked) for row in rows)


def plan_batches(batches: Sequence[Batch], paper: Paper, options: BuildOptions) -> PlanRow:
    """Count the sheets, slots and cuts of some batches."""
    sheets = cards = spares = empty = cuts = 0
    for batch in batches:
        cards += len(batch.cards)
        try:
            full = filled(batch, options.fill, paper, options.sides)
            laid = [s for s in impose_batch(full, paper, options) if s.side != "back"]
            slots = full.slots(paper, full.sides(options.sides))
        except InvalidInputError:
            return PlanRow(paper.name, options.sides, None, cards, 0, 0, 0)
        sheets += len(laid)
        spares += len(full.cards) - len(batch.cards)
        empty += len(laid) * slots - len(full.cards)
        cuts += sum(len(sheet.cuts_x) + len(sheet.cuts_y) for sheet in laid)
    return PlanRow(paper.name, options.sides, sheets, cards, spares, empty, cuts)
