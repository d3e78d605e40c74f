"""What Hard Wired brings to play: a bot that builds whenever it can, and the game's checks."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from kitwright.engines.hard_wired import Draw, Finish, Lay, Move, Pass, Play, State
from kitwright.play.bots import Bot
from kitwright.play.games.hard_wired_checks import checks
from kitwright.play.segments import cheapest

__all__ = ["BOTS", "checks", "greedy_bot"]


def greedy_bot(seen: State, rng: Random) -> Move:
    """Build with the fewest circuits, and of those the fewest from the hand; else play and draw."""
    box, hand = seen.box, seen.hands[seen.to_move]
    way = cheapest(
        box.wiring, seen.value, seen.targets, hand, seen.public_circuits, len(seen.segment)
    )
    if way is None:
        return _gather(seen, hand)
    if way:
        return Lay(box.circuits[way[0]], way[0] in hand)
    value = seen.value
    return Finish(
        next(box.displays[card] for card in seen.public_displays if box.values[card] == value)
    )


def _gather(seen: State, hand: tuple[int, ...]) -> Move:
    """Play the oldest circuit that lets the next player build nothing from the table alone."""
    if not hand:
        return Draw() if seen.circuit_reserve else Pass()
    box = seen.box
    after = seen.machines[(seen.to_move + 1) % len(seen.hands)]
    value, targets = box.values[after[-1]], seen.targets
    for card in hand:
        if cheapest(box.wiring, value, targets, (), (*seen.public_circuits, card)) is None:
            return Play(box.circuits[card])
    return Play(box.circuits[hand[0]])


BOTS: Mapping[str, Bot] = {"greedy": greedy_bot}
