"""What the rules of Hardware Hustle need to know: parts, widgets, their costs by research level.

Knows what the numbers mean, not how they look on a sheet or how a game runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from kitwright.model.game import Game
from kitwright.problems import Problem

T = TypeVar("T")
ACTIONS = ("buy", "make", "sell")


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Strict models take a tuple only, and YAML has lists.
Listed = Annotated[tuple[T, ...], BeforeValidator(_as_tuple)]
Costs = Annotated[Listed[Annotated[int, Field(ge=0, le=20)]], Field(min_length=1, max_length=6)]
Money = Annotated[int, Field(ge=1, le=999)]


class StrictModel(BaseModel):
    """A model that takes nothing it does not know and changes no type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class Part(StrictModel):
    """A part: its price, and the opportunity to buy one at each research level."""

    title: str
    price: Money
    buy: Costs


class Widget(StrictModel):
    """A widget: its parts, the opportunity to make and to sell one, and what it sells for."""

    title: str
    parts: Listed[str] = Field(min_length=1)
    make: Costs
    sell: Costs
    price: Money


class Graph(StrictModel):
    """The axis of the Money/Turn graph, drawn in ten steps."""

    top: int = Field(ge=10, le=1000, multiple_of=10)


class RollTable(StrictModel):
    """Which of the equally fair roll tables is printed."""

    seed: int = Field(ge=0, le=10**9)


class Rules(StrictModel):
    """The numbers of the rules."""

    die: int = Field(ge=2, le=20)
    rolls: Literal["own", "shared"]
    money: int = Field(ge=0, le=999)
    opportunity: Listed[Annotated[int, Field(ge=0, le=99)]] = Field(min_length=1, max_length=6)
    parts: dict[str, Part] = Field(min_length=1)
    widgets: dict[str, Widget] = Field(min_length=1)
    graph: Graph
    roll_table: RollTable

    def kit_price(self, widget: Widget) -> int:
        """Add up what the parts of a widget cost."""
        return sum(self.parts[part].price for part in widget.parts)


CARDS: Mapping[str, type[BaseModel]] = {}
RULES: type[BaseModel] = Rules


def rules_of(game: Game) -> Rules:
    """Read the typed numbers of a loaded game."""
    return Rules.model_validate(_plain(game.rules))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def check_game(game: Game) -> tuple[Problem, ...]:
    """Find numbers that do not agree with each other."""
    found = tuple(_faults(rules_of(game)))
    return tuple(Problem(game.place, "rules-mismatch", said) for said in found)


def _faults(rules: Rules) -> Iterator[str]:
    known, levels = ", ".join(rules.parts), len(next(iter(rules.parts.values())).buy)
    tables = [(name, "buy", part.buy) for name, part in rules.parts.items()]
    for name, widget in rules.widgets.items():
        for part in widget.parts:
            if part not in rules.parts:
                yield f"the {name} is made of '{part}'; expected one of {known}"
        if len(set(widget.parts)) < len(widget.parts):
            yield f"the {name} needs a part twice; expected each part once"
        tables += [(name, "make", widget.make), (name, "sell", widget.sell)]
    for name, action, costs in tables:
        if len(costs) != levels:
            yield f"{action} of the {name} has {len(costs)} levels; expected {levels} for all"
        if any(later > earlier for earlier, later in pairwise(costs)):
            said = ", ".join(map(str, costs))
            yield f"{action} of the {name} is {said}; expected no level to cost more than the last"
