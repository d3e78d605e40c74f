"""What the solver of Hardware Hustle tells: the best mean money, and how games played so go."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Protocol

from kitwright.engines.hardware_hustle import Box
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import rules_of
from kitwright.play.games.hardware_hustle_loop import loops

VERSION = 1  # of the solver: another one finds its answers anew
GAMES, SEED = 2000, 1

Progress = Callable[[int, int], None]


class Memory(Protocol):
    """Where answers are remembered."""

    def recall(self, key: str) -> dict[str, Any] | None:
        """Return what was found before."""

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        """Remember an answer."""


def solution_key(game: Game) -> str:
    """Return a hash of the numbers that the solution of the whole game depends on."""
    numbers = rules_of(game).model_dump(mode="json", exclude={"roll_table", "rolls"})
    for thing in (*numbers["parts"].values(), *numbers["widgets"].values()):
        del thing["title"]
    return sha256(json.dumps([VERSION, GAMES, numbers]).encode()).hexdigest()[:24]


def best_play(game: Game, memory: Memory | None, progress: Progress | None) -> dict[str, Any]:
    """Solve the whole game and play it so, unless it is remembered."""
    from kitwright.play.games.hardware_hustle_best import solved
    from kitwright.play.games.hardware_hustle_expert import careers, figures

    key = solution_key(game)
    known = memory.recall(key) if memory is not None else None
    if known is not None:
        return known
    box = Box(rules_of(game))
    solution = solved(game, box.turns, progress=progress)
    told = figures(box, careers(game, solution, GAMES, SEED))
    found = {"best": round(solution.best, 4), "played": told}
    if memory is not None:
        memory.keep(key, found)
    return found


def in_words(game: Game, found: Mapping[str, Any]) -> Iterator[str]:
    """Tell an answer line by line."""
    box, played = Box(rules_of(game)), found["played"]
    yield f"best mean money of a whole game: {found['best']}"
    yield (
        f"{played['games']} games played so: mean {played['mean']}, standard deviation "
        f"{played['sd']}, one in ten below {played['p10']:g}, half below {played['median']:g}, "
        f"one in ten above {played['p90']:g}, the best {played['most']}"
    )
    yield f"money after each turn: {', '.join(f'{money:g}' for money in played['money_by_turn'])}"
    sold = ", ".join(
        f"{count} {box.rules.widgets[name].title}" for name, count in played["sold"].items()
    )
    yield f"sold in a game: {sold}; turns lost to burnouts: {played['lost_turns']}"
    yield (
        f"upgrades: {played['upgrades']} a game; most often {', '.join(played['order'])} "
        f"({played['order_share']:.0%} of the games)"
    )
    for name, levels in loops(box):
        widget = box.rules.widgets[name]
        yield (
            f"the plan: with Buy, Make and Sell at levels {', '.join(map(str, levels))} every "
            f"{widget.title} turns {box.rules.kit_price(widget)} money into {widget.price} without "
            f"opportunity or die; {played['looped']:.0%} of the games get there, on average for "
            f"{played['loop_turns']} of {box.turns} turns, and put all they have into it"
        )
    yield f"games that run off the graph at {box.rules.graph.top}: {played['off_the_graph']:.1%}"
