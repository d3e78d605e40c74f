"""Tabletop Playground: a package with a template for each deck, its texture and its backs."""

from __future__ import annotations

import json
from typing import Any

from kitwright.destinations.grids import batches, title_of
from kitwright.destinations.pieces import Request, sort_out, trimmed
from kitwright.destinations.plan import Grid, Plan, Shot, Text
from kitwright.model.destination import Destination
from kitwright.ops import digest

_SHARED_BACK, _BACK_SHEET = 2, 3  # BackIndex: one picture for all, or a sheet like the fronts'
_BACK_HIDES = -3  # HiddenIndex: whoever may not see a card sees its back
_TEXTURES = "Textures/"


def plan_package(destination: Destination, request: Request) -> Plan:
    """Plan the package of a game."""
    row = destination.row
    assert row.table is not None
    pieces, skipped = sort_out(row, request.pieces)
    shots: dict[str, Shot] = {}
    grids: list[Grid] = []
    texts = [Text("Manifest.json", _json(_manifest(request)))]
    for piece in pieces:
        made = batches(row, request, piece, _TEXTURES)
        for number, batch in enumerate(made, 1):
            grids += [grid for grid in (batch.fronts, batch.backs) if grid is not None]
            back = batch.backs.file if batch.backs else f"{_TEXTURES}{piece.id}-back.png"
            if batch.backs is None:
                face = piece.cards[0].back or ""
                shots[back] = Shot(face, back, trimmed(piece, row.dpi))
            part = f" ({number} of {len(made)})" if len(made) > 1 else ""
            name = f"{piece.id}-{number}" if len(made) > 1 else piece.id
            deck: dict[str, Any] = {
                "Type": "Card",
                "GUID": guid(f"{request.game} {name}"),
                "Name": f"{piece.title}{part}",
                "FrontTexture": batch.fronts.file.removeprefix(_TEXTURES),
                "BackTexture": back.removeprefix(_TEXTURES),
                "BackIndex": _BACK_SHEET if batch.backs else _SHARED_BACK,
                "HiddenIndex": _BACK_HIDES,
                "NumHorizontal": batch.fronts.columns,
                "NumVertical": batch.fronts.rows,
                "Width": round(piece.width / row.table.unit, 3),
                "Height": round(piece.height / row.table.unit, 3),
                "Thickness": row.table.thickness,
                "Indices": [
                    place for place, card in enumerate(batch.cards) for _ in range(card.copies)
                ],
                "CardNames": {
                    str(place): title_of(piece, card) for place, card in enumerate(batch.cards)
                },
            }
            texts.append(Text(f"Templates/{name}.json", _json(deck)))
    return Plan(tuple(shots.values()), tuple(grids), tuple(texts), skipped=tuple(skipped))


def _manifest(request: Request) -> dict[str, str]:
    return {"Name": request.title, "GUID": guid(request.game), "Version": "1.0.0"}


def guid(text: str) -> str:
    """Return 32 hexadecimal digits that a text always gives."""
    return (digest(text) + digest(f"{text} again"))[:32].upper()


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
