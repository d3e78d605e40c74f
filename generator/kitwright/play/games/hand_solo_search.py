"""What a career of Hand Solo promises before its end, for a bot that looks some way ahead.

The numbers were set by eye from 600 careers of the infamous captain: what credits, cargo and
renown at the end of each year had become at the end. FAME alone is higher than they came to,
because a captain who looks ahead makes more of the last year.
"""

from __future__ import annotations

from math import exp

from kitwright.engines.hand_solo_state import State
from kitwright.play.games.hand_solo_outlook import Outlook

SOLD = 0.7  # of what cargo is thought to bring
RUIN = 14  # credits and cargo with which nearly two careers in three get past their fees
INCOME = 11  # credits that a year brings with the fee paid, and
FRIENDS = 0.9  # that each renowned card adds to them
FAME = 8  # the renown that careers come to, whatever they have so far,
KEPT, FORGOTTEN = 0.7, 15  # but for a part of the difference, which fades in so many years


def prospect(state: State, seat: int) -> float:
    """Return the score of a career, or what its credits and renown become in the years left."""
    if state.is_over():
        return float(state.scores()[seat])
    outlook = Outlook(state)
    cargo = sum(outlook.aboard(card, job) for card, job in state.hold)
    wealth = state.credits + SOLD * cargo
    years = state.box.rules.years - state.year
    ports = (state.renowned & (1 << state.box.ports) - 1).bit_count()
    renown = ports if years else state.renown  # a hostile contact is met again next year
    left = years + len(state.deck) / len(state.box.cards)
    credits = wealth + (INCOME + FRIENDS * renown) * left
    fame = FAME + (renown - FAME) * KEPT * exp(-left / FORGOTTEN)
    lasts = 1 - exp(-wealth / RUIN) if years else 1.0
    return lasts * credits * fame
