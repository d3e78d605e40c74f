"""The strict models of Hard Wired's cards and rules, and what they refuse."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pydantic import BaseModel, ValidationError

from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.games import models_of
from kitwright.model.games.hard_wired import Circuit, Display, Rules
from kitwright.model.record import Record

ROOT = Path(__file__).parent.parent


@cache
def hard_wired() -> Game:
    return load_game(ROOT, "hard-wired")


def with_rules(**numbers: Any) -> Game:
    game = hard_wired()
    return replace(game, rules=Record({**game.rules, **numbers}))


WIRE = {"from": 1, "to": 1}


@pytest.mark.parametrize(
    ("model", "fields", "said"),
    [
        (
            Circuit,
            {"title": "Odd", "wires": [WIRE, {"from": 2, "to": 1}]},
            "the wires use OUT contacts 1, 1; expected each of 1 to 2 once",
        ),
        (
            Circuit,
            {"title": "Odd", "wires": [WIRE, {"from": 4, "to": 2}]},
            "the wires use IN contacts 1, 4; expected each of 1 to 2 once",
        ),
        (
            Rules,
            {**hard_wired().rules, "segment": {"fewest": 5, "most": 2}},
            "fewest is 5 but most is 2; expected most to be the larger",
        ),
    ],
)
def test_a_card_or_number_that_makes_no_sense_is_refused(
    model: type[BaseModel], fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValidationError) as error:
        model.model_validate(fields, strict=True)
    (fault,) = error.value.errors()
    assert str(fault["ctx"]["error"]) == said


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (Display, {"values": ["1", 2, 3]}),
        (Display, {"values": [0, 2, 3]}),
        (Display, {"values": [1, 2, 3], "colour": "red"}),
        (Circuit, {"title": "Odd", "wires": [{**WIRE, "part": "coil"}]}),
        (Circuit, {"title": "Odd", "wires": []}),
    ],
)
def test_models_are_strict(model: type[BaseModel], fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(fields, strict=True)


def faults(game: Game) -> list[str]:
    models = models_of("hard-wired")
    assert models is not None
    return [str(problem) for problem in models.check_game(game)]


def test_cards_must_agree_with_the_rules() -> None:
    assert faults(hard_wired()) == []
    assert len(faults(with_rules(lines=2))) == 27 + 44
    assert faults(with_rules(values=2))[0] == (
        "components/hard-wired/displays.yaml:11:42: "
        "card 'display-113': value is 3; expected 1 to 2 [rules-mismatch]"
    )
    assert faults(with_rules(extra_circuits=(0, 0))) == [
        "components/hard-wired/game.yaml:2:1: "
        "extra_circuits names 2 seats; expected 6, one for each player [too-few-seats]"
    ]
    assert faults(with_rules(hand=7)) == [
        "components/hard-wired/circuits.yaml:5:1: "
        "the deck has 44 cards; expected at least 45, dealt to 6 players [too-few-cards]"
    ]


def test_both_decks_must_be_there() -> None:
    game = hard_wired()
    less = replace(game, decks=tuple(deck for deck in game.decks if deck.id != "circuits"))
    assert faults(less) == [
        "components/hard-wired/game.yaml:2:1: the game has no deck 'circuits'; "
        "expected one in a file of its own [missing-deck]"
    ]
    assert models_of("kelp-run") is None
