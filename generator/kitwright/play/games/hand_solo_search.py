"""What a career of Hand Solo promises before its end, for a bot that looks some way ahead."""

from __future__ import annotations

from kitwright.engines.hand_solo_state import State

CREDITS_A_YEAR = 8  # that a captain still earns, and
RENOWN_A_YEAR = 0.5  # the renown that comes with it,
MOST_RENOWN = 18  # as far as there are cards to turn


def prospect(state: State, seat: int) -> float:
    """Return the score of a career, or what its credits and renown grow to in the years left."""
    if state.is_over():
        return float(state.scores()[seat])
    left = state.box.rules.years - state.year + 1
    renown = max(state.renown, min(MOST_RENOWN, state.renown + RENOWN_A_YEAR * left))
    return (state.credits + CREDITS_A_YEAR * left) * renown
