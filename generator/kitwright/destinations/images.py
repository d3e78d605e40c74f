"""One image a face: The Game Crafter's canvases, Tabletopia, plain images."""

from __future__ import annotations

from msgspec.structs import replace

from kitwright.destinations.listing import Line, as_csv, as_json
from kitwright.destinations.pieces import Request, grown, shots_of, sort_out
from kitwright.destinations.plan import Plan, Shot, Skipped, Text
from kitwright.destinations.products import Match, find_product, no_product
from kitwright.model.destination import Destination


def plan_images(destination: Destination, request: Request) -> Plan:
    """Plan an image of every face, and the lists that go with them."""
    row = destination.row
    pieces, skipped = sort_out(row, request.pieces)
    shots: dict[str, Shot] = {}
    lines: list[Line] = []
    for piece in pieces:
        match = find_product(row, piece)
        if match is None and row.products:
            skipped.append(Skipped(piece.id, no_product(row, piece)))
            continue
        if match is None:
            chosen = request.dpi if row.any_dpi else None
            bleed = piece.bleed if row.any_dpi and request.bleed else row.bleed
            match = Match("", grown(piece, chosen or row.dpi, bleed))
        for card, front, back in shots_of(row, piece, match.view, match.name):
            shots.setdefault(front.file, front)
            if back is not None:
                shots.setdefault(back.file, back)
            lines.append(Line(piece, card, front.file, back.file if back else "", match.name))
    texts = (Text("cards.csv", as_csv(lines)), Text("cards.json", as_json(request.game, lines)))
    plan = Plan(shots=tuple(shots.values()), skipped=tuple(skipped))
    return replace(plan, texts=texts if lines else ())
