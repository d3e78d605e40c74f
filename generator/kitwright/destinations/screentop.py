"""Sheets that a site cuts by rows and columns, with a list of what is where: Screentop."""

from __future__ import annotations

import csv
import io

from kitwright.destinations.grids import Batch, batches, room_on_sheet, title_of
from kitwright.destinations.pieces import NAMES, Piece, Request, sort_out, trimmed
from kitwright.destinations.plan import Excess, Grid, Plan, Shot, Text
from kitwright.model.destination import Destination

_HEAD = ("sheet", "back", "columns", "rows", "row", "column", "deck", "name", "copies")


def plan_sheets(destination: Destination, request: Request) -> Plan:
    """Plan one sheet a deck, its back, and cards.csv."""
    row = destination.row
    assert row.sheet is not None
    pieces, skipped = sort_out(row, request.pieces)
    shots: list[Shot] = []
    grids: list[Grid] = []
    excess: list[Excess] = []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for piece in pieces:
        most = room_on_sheet(row)
        if len(piece.cards) > most and not row.sheet.split:
            what = NAMES[piece.kind_at(row)].rstrip("s")
            text = f"the {what} has {len(piece.cards)} designs; {row.title} takes {most} a sheet"
            excess.append(Excess(piece.id, text))
            continue
        for batch in batches(row, request, piece):
            back = _back(piece, batch, row.dpi)
            grids += [grid for grid in (batch.fronts, batch.backs) if grid is not None]
            shots += [back] if back is not None and back not in shots else []
            behind = batch.backs.file if batch.backs else back.file if back else ""
            for place, card in enumerate(batch.cards):
                down, across = divmod(place, batch.fronts.columns)
                where = [batch.fronts.columns, batch.fronts.rows, down + 1, across + 1]
                told = [piece.id, title_of(piece, card), card.copies]
                writer.writerow([batch.fronts.file, behind, *where, *told])
    texts = (Text("cards.csv", out.getvalue()),) if grids else ()
    faults = tuple(excess)
    return Plan(tuple(shots), tuple(grids), texts, skipped=tuple(skipped), excess=faults)


def _back(piece: Piece, batch: Batch, dpi: float) -> Shot | None:
    face = piece.cards[0].back
    if batch.backs is not None or face is None:
        return None
    return Shot(face, f"{piece.id}-back.png", trimmed(piece, dpi))
