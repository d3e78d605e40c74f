"""JSON Schemas of the data, layout and theme languages, so that an editor completes and checks.

They are made from the same models that files are read with; what files say of each other is
beyond them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from kitwright.load.boxes import StockFile
from kitwright.load.shared import SizesFile
from kitwright.model.components import (
    CardKeys,
    DeckFile,
    FiguresFile,
    GameFile,
    OpenCard,
    SheetFile,
    TableFile,
    VariantFile,
)
from kitwright.model.destination import DestinationsFile
from kitwright.model.dress import ThemeFile
from kitwright.model.games import MODULES, models_of
from kitwright.model.layouts import LayoutFile
from kitwright.model.rulebook import RulesFile
from kitwright.model.verbs import NESTING, VERBS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """Return the schema of each kind of file by its name, and of each deck that has an engine."""
    made = {
        "game": _schema(GameFile),
        "deck": _deck(_schema(OpenCard), closed=False),
        "sheet": _sheet("sheet", "board"),
        "board": _sheet("board", "sheet"),
        "table": _schema(TableFile),
        "variant": _schema(VariantFile),
        "layout": _layout(),
        "theme": _schema(ThemeFile),
        "rules": _schema(RulesFile),
        "figures": _schema(FiguresFile),
        "sizes": _schema(SizesFile),
        "stock": _schema(StockFile),
        "destinations": _schema(DestinationsFile),
    }
    for game_id in sorted(MODULES):
        made.update(_of_game(game_id))
    return {name: {"$schema": DIALECT, **schema} for name, schema in made.items()}


def _schema(model: type[BaseModel]) -> Schema:
    schema = model.model_json_schema(by_alias=True)
    _drop_titles(schema)
    return schema


def _drop_titles(schema: Any) -> None:
    """Remove the titles that pydantic makes of names; our descriptions say more."""
    if isinstance(schema, list):
        for item in schema:
            _drop_titles(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for item in schema.values():
            _drop_titles(item)


def _deck(card: Schema, closed: bool, name: str | None = None) -> Schema:
    schema = _schema(DeckFile)
    card = _joined(schema, card, "card-")
    card["additionalProperties"] = not closed
    schema["properties"]["cards"]["items"] = card
    if name is not None:
        about = schema["properties"]["deck"]["description"]
        schema["properties"]["deck"] = {"const": name, "description": about}
        del schema["properties"]["fields"]
    return schema


def _joined(schema: Schema, part: Schema, prefix: str) -> Schema:
    """Move the definitions of a part into the whole under names that cannot be taken."""
    defined = part.pop("$defs", {})
    text = json.dumps([part, defined]).replace('"#/$defs/', f'"#/$defs/{prefix}')
    part, defined = json.loads(text)
    schema.setdefault("$defs", {}).update({prefix + name: value for name, value in defined.items()})
    return part


def _sheet(kind: str, other: str) -> Schema:
    schema = _schema(SheetFile)
    del schema["properties"][other]
    schema["properties"][kind] = {
        "type": "string",
        "description": schema["properties"][kind]["description"],
    }
    schema["required"] = [kind, *schema["required"]]
    return schema


def _of_game(game_id: str) -> Iterator[tuple[str, Schema]]:
    """Make the exact schemas of a game whose rules have an engine."""
    models = models_of(game_id)
    assert models is not None
    head = _schema(GameFile)
    head["properties"]["rules"] = _joined(head, _schema(models.RULES), "rules-")
    head["required"].append("rules")
    yield f"{game_id}-game", head
    for deck, model in models.CARDS.items():
        card, keys = _schema(model), _schema(CardKeys)
        card["properties"] = {**keys["properties"], **card["properties"]}
        card["required"] = [*keys["required"], *card.get("required", [])]
        yield f"{game_id}-{deck}", _deck(card, closed=True, name=deck)


def _layout() -> Schema:
    schema = _schema(LayoutFile)
    shared = schema.setdefault("$defs", {})
    draws = []
    for verb, model in VERBS.items():
        args = _schema(model)
        shared.update(args.pop("$defs", {}))
        draws.append(_draw(verb, args))
    shared["draw"] = {
        "oneOf": draws,
        "description": f"one of the verbs: {', '.join(VERBS)}",
    }
    schema["properties"]["draw"]["items"] = {"$ref": "#/$defs/draw"}
    return schema


def _draw(verb: str, args: Schema) -> Schema:
    """Describe one draw: its verb, and what may stand beside it."""
    about = args.pop("description", "")
    properties: Schema = {verb: {**args, "description": about}}
    if verb == "each":  # its keys stand beside it
        properties = args["properties"]
    elif verb == "group":
        properties = {verb: {"anyOf": [args, {"type": "null"}], "description": about}}
    properties["name"] = {
        "type": "string",
        "description": "a name by which a layout that extends this one can replace the draw",
    }
    required = [verb]
    if verb in NESTING:
        properties["draw"] = {"type": "array", "items": {"$ref": "#/$defs/draw"}}
        required.append("draw")
    return {
        "type": "object",
        "description": about,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
