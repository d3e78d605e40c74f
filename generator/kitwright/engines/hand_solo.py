"""Hand Solo: the whole rules for one captain. The career itself is in hand_solo_state.

Section numbers (§) are those of components/hand-solo/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kitwright.engines.api import shuffled
from kitwright.engines.hand_solo_box import Box
from kitwright.engines.hand_solo_state import SEEDS, State
from kitwright.model.game import Game
from kitwright.model.games.hand_solo import HandSolo


class HandSoloEngine:
    """The engine of one loaded game."""

    def __init__(self, game: Game) -> None:
        self.view = HandSolo.of(game)
        self.box = Box(self.view)

    def new_game(self, players: int, rng: Random) -> State:
        """Shuffle the first deck, and draw the seed of all later ones."""
        return self.deal(shuffled(range(len(self.box.cards)), rng), int(rng.random() * SEEDS))

    def deal(self, deck: Sequence[int], seed: int = 0) -> State:
        """Begin a career with a deck in the order given."""
        return State(
            box=self.box,
            seed=seed,
            turn=0,
            year=1,
            credits=self.box.rules.credits,
            phase="meet",
            here=deck[0],
            market=(),
            offered=(deck[0],),
            deck=tuple(deck[1:]),
            discard=(),
            hold=(),
            renowned=0,
        )

    def turn_cap(self, players: int) -> int:
        """Return a number of turns that no career exceeds: every card and a decision each year."""
        return self.box.rules.years * (len(self.box.cards) + 1)

    def score_bounds(self, players: int) -> tuple[int, int]:
        """Return nothing, and more than anybody can earn.

        No encounter brings more than a full hold at the dearest price, or a payout with its
        deposit for each hold.
        """
        box, ship = self.box, self.box.ship
        dearest = max(max(sides[1].values()) for sides in box.prices)
        dearest += sum(max(0, amount) for _, amount in box.modifiers)
        jobs = [job for job in box.contracts if job is not None]
        payout = max((job.pays + (job.deposit or 0) for job in jobs), default=0)
        most = ship.holds * max(dearest * ship.hold_size, payout)
        return 0, (box.rules.credits + most * self.turn_cap(1)) * len(box.cards)


def engine(game: Game) -> HandSoloEngine:
    """Make the engine of a loaded game."""
    return HandSoloEngine(game)
