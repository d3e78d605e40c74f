"""Why a game with other numbers is no game: the same models that its files are read with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from kitwright.model.game import Game
from kitwright.model.games import models_of


def refusal(game: Game) -> str:
    """Say why a game is refused; nothing when it is sound or has no models."""
    models = models_of(game.id)
    if models is None:
        return ""
    try:
        models.RULES.model_validate(_thawed(game.rules), strict=True)
        for deck in game.decks:
            if deck.id in models.CARDS:
                for card in deck.cards:
                    models.CARDS[deck.id].model_validate(_thawed(card.fields), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        return f"{where}: {said[:1].lower()}{said[1:]}" if where else said
    problems = models.check_game(game)
    return problems[0].message if problems else ""


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value
