"""The bots of Beltpunk Haberdasher: one takes what it sees, the other plans its sets.

They read nothing of a state but what their seat may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean

from kitwright.engines.beltpunk_haberdasher import State
from kitwright.engines.beltpunk_haberdasher_moves import (
    MACHINE,
    Choose,
    Draw,
    Exchange,
    Give,
    Lay,
    Look,
    Move,
    NoSet,
    Put,
    Skip,
    Swap,
    Take,
)
from kitwright.play.games.beltpunk_haberdasher_hands import Hands, hands_of

UNSEEN = 0.2  # what a card from the deck or another hand adds to a hand, at a guess
TRADE = 0.1  # what an exchange adds, at a guess
Cards = tuple[int, ...]


class Player:
    """What both bots share: a seat that looks at its own hand and at The Machine."""

    def __init__(self, seen: State) -> None:
        self.seen = seen
        self.box = seen.box
        self.hands: Hands = hands_of(seen.box)
        self.hand = tuple(sorted(seen.hands[seen.to_move]))

    def move(self) -> Move:
        """Choose a move of the phase that the table is in."""
        match self.seen.phase:
            case "choose":
                return self.choose()
            case "act":
                return self.act()
            case "reply":
                return Give(self.box.names[self.spare(self.hand)])
            case "put":
                return self.put()
            case "look":
                pile = self.seen.scraps[self.seen.pile]
                card = max(pile, key=lambda card: (self.with_card(card), -card))
                return Take(self.box.names[card], self.seen.pile)
            case _:
                return self.declare()

    def value(self, cards: Cards) -> float:
        """Say what a hand is worth."""
        return self.hands.value(cards)

    def with_card(self, card: int) -> float:
        """Say what the hand is worth with one card more."""
        return self.value((*self.hand, card))

    def spare(self, cards: Cards) -> int:
        """Return the card that is missed least."""
        return max(cards, key=lambda card: (self.value(_without(cards, card)), -card))

    def declare(self) -> Move:
        """Lay the best set of those that part the hand best."""
        _, sets = self.hands.best(self.hand)
        if not sets:
            return NoSet()
        best = max(sets, key=lambda one: (one.points, one.cards))
        return Lay(tuple(self.box.names[card] for card in best.cards))

    def choose(self) -> Move:
        """Discard what is missed least, unless the belt is full."""
        best = max(self.hand, key=lambda card: (self.discarded(card), -card))
        return Choose(self.box.names[best])

    def discarded(self, card: int) -> float:
        """Say what discarding a card is worth."""
        return self.value(_without(self.hand, card)) - self.overflow_after(card)

    def overflow_after(self, card: int) -> float:
        """Say what the belt of a card costs if it is put there now and stays."""
        belt = self.seen.belts[self.box.suits[card]]
        return self.overflowing(len(belt) + 1)

    def overflowing(self, cards: int) -> float:
        """Say what a belt with so many cards costs."""
        return float(self.box.rules.scrap * cards) if cards > self.seen.slots else 0.0

    def act(self) -> Move:
        """Take the action that leaves the best hand and the least scrap."""
        return max(self.options(), key=lambda option: (option[0], str(option[1])))[1]

    def options(self) -> Iterator[tuple[float, Move]]:
        """Rate the actions of the card that was just discarded."""
        names, now = self.box.names, self.value(self.hand)
        full = sum(self.overflowing(len(belt)) for belt in self.seen.belts)
        yield now - full, Skip()
        swaps: list[tuple[float, Swap]] = []
        for move in self.seen.legal_moves():
            match move:
                case Draw():
                    yield now + self.unseen_gain() - full, move
                case Take(card, pile):
                    number = self.box.numbers[card]
                    yield self.with_card(number) - self.still_full(number, pile, full), move
                case Swap(str(card), pile):
                    number = self.box.numbers[card]
                    rating = self.with_card(number) - self.still_full(number, pile, full)
                    swaps.append((rating, move))
                case Look(pile):
                    yield now + self.looking_gain(len(self.seen.scraps[pile])) - full, move
                case _:
                    pass
        if swaps:
            yield self.swapping(max(swaps, key=lambda swap: (swap[0], str(swap[1])))[1], full)
        yield from self.exchanging(names, full)

    def exchanging(self, names: tuple[str, ...], full: float) -> Iterator[tuple[float, Move]]:
        """Rate giving the spare card to somebody."""
        moves = [move for move in self.seen.legal_moves() if isinstance(move, Exchange)]
        if moves:
            spare = self.spare(self.hand)
            rest = self.value(_without(self.hand, spare))
            move = next(move for move in moves if move.card == names[spare])
            yield rest + self.unseen_gain() - full, move

    def still_full(self, card: int, pile: int, full: float) -> float:
        """Say what overflows once a card is taken."""
        if pile != MACHINE:
            return full - self.box.rules.scrap
        suit = self.box.suits[card]
        return sum(
            self.overflowing(len(belt) - (number == suit))
            for number, belt in enumerate(self.seen.belts)
        )

    def swapping(self, move: Swap, full: float) -> tuple[float, Move]:
        """Rate a swap by the best card to put back."""
        assert move.card is not None
        taken = self.box.numbers[move.card]
        best = max(self.after_swap(taken, card, move.pile, full) for card in self.hand)
        return best, move

    def after_swap(self, taken: int, card: int, pile: int, full: float) -> float:
        """Say what is left after a card is taken and another put in its place."""
        rest = self.value((*_without(self.hand, card), taken))
        if pile != MACHINE:
            return rest - full
        suits, cost = self.box.suits, 0.0
        for number, belt in enumerate(self.seen.belts):
            there = len(belt) - (number == suits[taken]) + (number == suits[card])
            cost += self.overflowing(there)
        return rest - cost

    def put(self) -> Move:
        """Put back what is missed least and lets nothing overflow."""
        (taken,) = self.seen.held
        suits, belts = self.box.suits, self.seen.belts

        def rating(card: int) -> tuple[float, int]:
            rest = self.value((*_without(self.hand, card), taken))
            if self.seen.pile == MACHINE:
                lengths = (len(b) + (s == suits[card]) for s, b in enumerate(belts))
                rest -= sum(map(self.overflowing, lengths))
            return rest, -card

        return Put(self.box.names[max(self.hand, key=rating)])

    def unseen_gain(self) -> float:
        """Say what a card that nobody has seen adds to the hand."""
        return UNSEEN

    def looking_gain(self, cards: int) -> float:
        """Say what the best of some unseen cards adds to the hand."""
        return UNSEEN + 0.4 * min(cards - 1, 3)


class Planner(Player):
    """A seat that also thinks of the action that a discard will bring, and of who comes before."""

    def discarded(self, card: int) -> float:
        """Say what a discard is worth with the better of its two actions."""
        rest = _without(self.hand, card)
        suit, now = self.box.suits[card], self.value(rest)
        full = self.overflow_after(card)
        ratings = [now - full]
        for action in self.box.actions[suit]:
            if action == "draw" and self.seen.deck:
                ratings.append(now + UNSEEN - full)
            elif action == "exchange" and rest:
                ratings.append(now + TRADE - full)
            elif action == "take":
                ratings.extend(
                    self.value((*rest, other)) - (0.0 if self.box.suits[other] == suit else full)
                    for other in self.in_machine()
                )
                ratings.append(now + self.box.rules.scrap * 0.5)  # it may take itself back
            elif action == "swap" and rest:
                ratings.append(self.swapped(rest, suit, full))
        return max(ratings) - self.crowding(card)

    def swapped(self, rest: Cards, suit: int, full: float) -> float:
        """Say what a swap with The Machine may bring."""
        gains = [
            (self.value((*rest, other)), self.box.suits[other] == suit)
            for other in self.in_machine()
        ]
        if not gains:
            return self.value(rest) - full
        best, same = max(gains)
        return best - 0.9 - (0.0 if same else full)

    def in_machine(self) -> Iterator[int]:
        """Yield the cards of all belts."""
        for belt in self.seen.belts:
            yield from belt

    def crowding(self, card: int) -> float:
        """Say what it may cost that others put a lower card of the suit onto the belt first."""
        suit, seats = self.box.suits[card], len(self.seen.hands)
        there = len(self.seen.belts[suit]) + 1
        if there != self.seen.slots:
            return 0.0
        lower = (self.box.ranks[card] - 1) / self.box.rules.ranks / len(self.seen.belts)
        return lower * (seats - 1) * (self.seen.slots + 1) * self.box.rules.scrap

    def unseen_gain(self) -> float:
        """Work out what a card that is not in sight adds to the hand on average."""
        sight = {*self.hand, *self.in_machine(), *self.seen.scraps[self.seen.to_move]}
        sight.update(card for sets in self.seen.sets for laid in sets for card in laid)
        hidden = [card for card in range(len(self.box.names)) if card not in sight]
        if not hidden:
            return 0.0
        return fmean(map(self.with_card, hidden)) - self.value(self.hand)


def planner_bot(seen: State, rng: Random) -> Move:
    """Plan sets: discard for the action that helps them, and keep the belts from running over."""
    return Planner(seen).move()


def greedy_bot(seen: State, rng: Random) -> Move:
    """Lay sets as soon as they are there; discard what fits least."""
    return Player(seen).move()


def _without(cards: Cards, card: int) -> Cards:
    return tuple(other for other in cards if other != card)
