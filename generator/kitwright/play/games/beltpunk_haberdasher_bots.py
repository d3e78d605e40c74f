"""The bots of Beltpunk Haberdasher: one takes what it sees, the other plans its sets.

They read nothing of a state but what their seat may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import fmean

from kitwright.engines.beltpunk_haberdasher import State
from kitwright.engines.beltpunk_haberdasher_legal import open_cards
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
from kitwright.engines.beltpunk_haberdasher_sets import mask_of
from kitwright.play.games.beltpunk_haberdasher_hands import Hands, hands_of

UNSEEN = 0.2  # what a card from the deck or another hand adds to a hand, at a guess
TRADE = 0.1  # what an exchange adds, at a guess

Open = tuple[float, tuple[tuple[int, int], ...]]  # what the best cards in sight bring; their piles
NOTHING: Open = (float("-inf"), ())


class Player:
    """What both bots share: a seat that looks at its own hand and at The Machine."""

    def __init__(self, seen: State) -> None:
        self.seen = seen
        self.box = seen.box
        self.hands: Hands = hands_of(seen.box)
        self.hand = tuple(sorted(seen.hands[seen.to_move]))
        self.mask = mask_of(self.hand)
        self.slots, self.scrap = seen.slots, seen.box.rules.scrap

    def move(self) -> Move:
        """Choose a move of the phase that the table is in."""
        match self.seen.phase:
            case "choose":
                return Choose(self.box.names[max(self.hand, key=self.discarded)])
            case "act":
                return self.act()
            case "reply":
                return Give(self.box.names[self.spare()])
            case "put":
                return self.put()
            case "look":
                pile = sorted(self.seen.scraps[self.seen.pile])
                return Take(self.box.names[max(pile, key=self.with_card)], self.seen.pile)
            case _:
                return self.declare()

    def with_card(self, card: int) -> float:
        """Say what the hand is worth with one card more."""
        return self.hands.value_with(self.mask, card)

    def without(self, card: int) -> float:
        """Say what the hand is worth with one card less."""
        return self.hands.value_without(self.mask, card)

    def spare(self) -> int:
        """Return the card that is missed least."""
        return max(self.hand, key=self.without)

    def declare(self) -> Move:
        """Lay the best set of those that part the hand best."""
        _, sets = self.hands.best(self.hand)
        if not sets:
            return NoSet()
        best = max(sets, key=lambda one: (one.points, one.cards))
        return Lay(tuple(self.box.names[card] for card in best.cards))

    def discarded(self, card: int) -> float:
        """Say what discarding a card is worth: it should not be missed, nor fill its belt."""
        return self.without(card) - self.overflow_after(card)

    def overflow_after(self, card: int) -> float:
        """Say what the belt of a card costs if it is put there now and stays."""
        return self.overflowing(len(self.seen.belts[self.box.suits[card]]) + 1)

    def overflowing(self, cards: int) -> float:
        """Say what a belt with so many cards costs."""
        return float(self.scrap * cards) if cards > self.slots else 0.0

    def full(self) -> float:
        """Say what overflows now."""
        return sum(self.overflowing(len(belt)) for belt in self.seen.belts)

    def act(self) -> Move:
        """Take the action that leaves the best hand and the least scrap."""
        options = list(self.options())
        best = max(rating for rating, _ in options)
        return max((move for rating, move in options if rating == best), key=str)

    def options(self) -> Iterator[tuple[float, Move]]:
        """Rate what can be done with the card that was just discarded."""
        now, full = self.hands.value(self.mask), self.full()
        yield now - full, Skip()
        actions = self.seen.actions
        best = self.best_open(full) if "take" in actions or "swap" in actions else NOTHING
        for action in actions:
            if action == "draw" and self.seen.deck:
                yield now + self.unseen_gain() - full, Draw()
            elif action == "take":
                yield from self.taking(best, now, full)
            elif action == "swap" and self.hand:
                yield from self.swapping(best, full)
            elif action == "exchange" and self.hand:
                yield from self.exchanging(full)

    def best_open(self, full: float) -> Open:
        """Return the cards, with their piles, that are best to have, and what they bring."""
        best, found = NOTHING
        for card, pile in open_cards(self.seen):
            rating = self.with_card(card) - self.still_full(card, pile, full)
            if rating > best:
                best, found = rating, ((card, pile),)
            elif rating == best:
                found = (*found, (card, pile))
        return best, found

    def still_full(self, card: int, pile: int, full: float) -> float:
        """Say what overflows once a card is taken."""
        if pile != MACHINE:
            return full - self.scrap
        there = len(self.seen.belts[self.box.suits[card]])
        return full - self.overflowing(there) + self.overflowing(there - 1)

    def taking(self, best: Open, now: float, full: float) -> Iterator[tuple[float, Move]]:
        """Rate the best cards in sight, and a look at what others have as scrap."""
        rating, cards = best
        for card, pile in cards:
            yield rating, Take(self.box.names[card], pile)
        for seat, scrap in enumerate(self.seen.scraps):
            if scrap and seat != self.seen.to_move:
                yield now + self.looking_gain(len(scrap)) - full, Look(seat)

    def swapping(self, best: Open, full: float) -> Iterator[tuple[float, Move]]:
        """Rate a swap for the best card in sight by the best card to put back."""
        _, cards = best
        if not cards:
            return
        names = self.box.names
        swap, taken = max(
            ((Swap(names[card], pile), card) for card, pile in cards), key=lambda one: str(one[0])
        )
        with_taken = self.mask | 1 << taken
        yield (
            max(
                self.hands.value_without(with_taken, card)
                - self.full_after_swap(taken, card, swap.pile, full)
                for card in self.hand
            ),
            swap,
        )

    def full_after_swap(self, taken: int, card: int, pile: int, full: float) -> float:
        """Say what overflows after a card is taken and another put in its place."""
        if pile != MACHINE:
            return full
        suits, cost = self.box.suits, 0.0
        for number, belt in enumerate(self.seen.belts):
            there = len(belt) - (number == suits[taken]) + (number == suits[card])
            cost += self.overflowing(there)
        return cost

    def exchanging(self, full: float) -> Iterator[tuple[float, Move]]:
        """Rate giving the spare card to the first who has one to give."""
        seats = range(len(self.seen.hands))
        others = [s for s in seats if s != self.seen.to_move and self.seen.hands[s]]
        if others:
            spare = self.spare()
            move = Exchange(self.box.names[spare], others[0])
            yield self.without(spare) + self.unseen_gain() - full, move

    def put(self) -> Move:
        """Put back what is missed least and lets nothing overflow."""
        (taken,) = self.seen.held
        with_taken, suits = self.mask | 1 << taken, self.box.suits

        def rating(card: int) -> float:
            rest = self.hands.value_without(with_taken, card)
            if self.seen.pile == MACHINE:
                lengths = (len(b) + (s == suits[card]) for s, b in enumerate(self.seen.belts))
                rest -= sum(map(self.overflowing, lengths))
            return rest

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
        rest = self.mask ^ 1 << card
        suit, now = self.box.suits[card], self.hands.value(rest)
        full = self.overflow_after(card)
        ratings = [now - full]
        for action in self.box.actions[suit]:
            if action == "draw" and self.seen.deck:
                ratings.append(now + UNSEEN - full)
            elif action == "exchange" and rest:
                ratings.append(now + TRADE - full)
            elif action == "take":
                ratings.extend(
                    self.hands.value_with(rest, other)
                    - (0.0 if self.box.suits[other] == suit else full)
                    for other in self.in_machine()
                )
                ratings.append(now + self.scrap * 0.5)  # it may take itself back
            elif action == "swap" and rest:
                ratings.append(self.swapped(rest, suit, full))
        return max(ratings) - self.crowding(card)

    def swapped(self, rest: int, suit: int, full: float) -> float:
        """Say what a swap with The Machine may bring."""
        gains = [
            (self.hands.value_with(rest, other), self.box.suits[other] == suit)
            for other in self.in_machine()
        ]
        if not gains:
            return self.hands.value(rest) - full
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
        if there != self.slots:
            return 0.0
        lower = (self.box.ranks[card] - 1) / self.box.rules.ranks / len(self.seen.belts)
        return lower * (seats - 1) * (self.slots + 1) * self.scrap

    def unseen_gain(self) -> float:
        """Work out what a card that is not in sight adds to the hand on average."""
        sight = {*self.hand, *self.in_machine(), *self.seen.scraps[self.seen.to_move]}
        sight.update(card for sets in self.seen.sets for laid in sets for card in laid)
        hidden = [card for card in range(len(self.box.names)) if card not in sight]
        if not hidden:
            return 0.0
        return fmean(map(self.with_card, hidden)) - self.hands.value(self.mask)


def planner_bot(seen: State, rng: Random) -> Move:
    """Plan sets: discard for the action that helps them, and keep the belts from running over."""
    return Planner(seen).move()


def greedy_bot(seen: State, rng: Random) -> Move:
    """Lay sets as soon as they are there; discard what fits least."""
    return Player(seen).move()
