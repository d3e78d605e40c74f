"""Why a game with other numbers is no game: the same models that its files are read with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from kitwright.model.game import Game
from kitwright.model.games import models_of

_EXPECTED = {  # faults of a number, by the name of their type
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
}


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
        return _said({**error.errors(include_url=False)[0]})
    problems = models.check_game(game)
    return problems[0].message if problems else ""


def _said(first: Mapping[str, Any]) -> str:
    """Put the first fault of a model into a designer's words."""
    where = ".".join(str(step) for step in first["loc"])
    expected = _EXPECTED.get(first["type"])
    if expected is not None:
        words = expected.format(**{k: f"{v:g}" for k, v in first.get("ctx", {}).items()})
        return f"{where} is {first['input']:g}; expected {words}"
    said = first["msg"].removeprefix("Value error, ")
    return f"{where}: {said[:1].lower()}{said[1:]}" if where else said


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value
