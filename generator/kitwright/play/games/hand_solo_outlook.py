"""What cargo aboard will bring, judged by the cards that are known to be left. Moves nothing.

The rest of the deck is known, its order is not: each encounter to come is taken as any card of
the rest with equal chance, and the captain as one who sells at the first price worth taking.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from kitwright.engines.hand_solo_box import Box
from kitwright.engines.hand_solo_state import State

CARDS_A_STOP = 1.7  # what a stop uses up of the deck, landings with their markets among them
INCOME = 14  # credits that a year brings a planner, fee paid
FAME = 0.4  # renown that a year brings a planner, early on
MOST_FAME = 9
LATER = 0.85  # what next year's credits are worth today

Outcome = Callable[[int, float], float]  # of meeting a card, given what carrying on is worth


class Outlook:
    """The worth of goods, contracts and renown as one state shows them."""

    def __init__(self, seen: State) -> None:
        self.seen = seen
        self.box = seen.box
        self.rest = tuple(sorted(seen.deck))
        aboard = {card for card, _ in seen.hold}
        self.all = tuple(card for card in range(len(self.box.cards)) if card not in aboard)
        self.last = seen.year >= self.box.rules.years

    def cargo(self, good: str, stranded: bool = False) -> float:
        """Return what a card of a good will bring; a stranded captain sees no next year."""
        later = 0.0
        if not self.last and not stranded:
            later = LATER * cargo_worth(self.box, self.seen.renowned, good, self.all, 0.0)
        return cargo_worth(self.box, self.seen.renowned, good, self.rest, later)

    def contract(self, card: int, stranded: bool = False) -> float:
        """Return what the contract of a card will bring, its deposit included."""
        later, contract = 0.0, self.box.contract(card)
        reward = contract.pays * self.box.times(card)
        if card < self.box.ports and not self.seen.is_renowned(card):
            reward = max(reward, int(self.renown()))
        reward += (contract.deposit or 0) * self.box.times(card)
        if not (self.last or stranded or contract.rush):
            later = LATER * contract_worth(self.box, card, reward, self.all, 0.0)
        return contract_worth(self.box, card, reward, self.rest, later)

    def aboard(self, card: int, job: bool) -> float:
        """Return what a card in the hold will bring."""
        return self.contract(card) if job else self.cargo(self.seen.good(card))

    def renown(self) -> float:
        """Return the credits that one more renowned card is worth at the end."""
        seen = self.seen
        if seen.credits < 2 * self.box.ship.fees and not self.last:
            return 0.0
        years = self.box.rules.years - seen.year
        credits = seen.credits + INCOME * years
        return credits / max(0.5, min(MOST_FAME, seen.renown + FAME * years))


def stops(rest: Sequence[int]) -> int:
    """Return about how many encounters a rest of the deck gives."""
    return -int(-len(rest) // CARDS_A_STOP)


@lru_cache(maxsize=20_000)
def cargo_worth(box: Box, renowned: int, good: str, rest: tuple[int, ...], later: float) -> float:
    """Return the credits that a card of a good brings before the rest is gone, or `later`."""
    fixed: list[float] = []  # offers that may be taken or left
    taken = lost = 0
    size = box.ship.hold_size
    for card in rest:
        side = bool(renowned >> card & 1)
        if card < box.ports:
            fixed.append(box.price(card, side, good, ()) * size)
            continue
        contact = box.sides[card][side]
        if contact.faction == "Federation" and good in box.illegal:
            taken, lost = taken + 1, lost + contact.stat.amount
        elif contact.faction == "Pirate" and good in box.valuable:
            taken += 1
        elif contact.faction == "Merchant" and contact.commodity == good:
            fixed.append((contact.price or 0) * size)
    worth, idle = later, len(rest) - len(fixed) - taken
    for _ in range(stops(rest)):
        worth = (sum([max(offer, worth) for offer in fixed]) - lost + idle * worth) / len(rest)
    return worth


@lru_cache(maxsize=20_000)
def contract_worth(box: Box, card: int, reward: int, rest: tuple[int, ...], later: float) -> float:
    """Return the credits that a contract brings before the rest is gone, or `later`."""
    flag, goals, taken, lost = box.contract(card).flag, 0, 0, 0
    for other in rest:
        if other < box.ports:
            goals += box.goal_of(card, other)
            continue
        contact = box.sides[other][0]
        if contact.faction == "Federation" and flag == "illegal":
            taken, lost = taken + 1, lost + contact.stat.amount
        elif contact.faction == "Pirate" and flag == "valuable":
            taken += 1
    worth, idle = later, len(rest) - goals - taken
    for _ in range(stops(rest)):
        worth = (goals * reward - lost + idle * worth) / len(rest)
    return worth
