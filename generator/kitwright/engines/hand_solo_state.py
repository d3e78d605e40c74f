"""A career of Hand Solo between two moves: what is legal, and what a move does.

Chance is kept as a seed, from which every later year is shuffled, so a deck, a seed and a list
of moves replay for ever. An encounter is a series of small moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError, shuffled
from kitwright.engines.hand_solo_box import Box
from kitwright.engines.hand_solo_moves import (
    Accept,
    Bribe,
    Buy,
    Complete,
    Deliver,
    Drop,
    GoOn,
    Land,
    Leave,
    Meet,
    Move,
    Refuse,
    Retire,
    Sell,
)
from kitwright.engines.hand_solo_sight import facts, places
from kitwright.model.games.hand_solo import ContactSide

Phase = Literal["meet", "trade", "buy", "year", "over"]
Cargo = tuple[int, bool]  # a card, and whether it is aboard as its contract
SEEDS = 2**48


class State(Struct, frozen=True):
    """A career between two moves; cards are their numbers in the box."""

    box: Box
    seed: int  # hidden; every later year is shuffled from it
    turn: int
    year: int
    credits: int
    phase: Phase
    here: int  # the card that is met, or was met last
    market: tuple[int, ...]  # all that were revealed; their modifiers hold until the end
    offered: tuple[int, ...]  # what can still be bought here: the card that is met, then the market
    deck: tuple[int, ...]  # hidden; the first card is met next
    discard: tuple[int, ...]
    hold: tuple[Cargo, ...]
    renowned: int  # a bit for each card on its friendly or hostile side

    @property
    def to_move(self) -> int:
        """The one seat."""
        return 0

    def is_renowned(self, card: int) -> bool:
        """Tell whether a card is on its friendly or hostile side."""
        return bool(self.renowned >> card & 1)

    def good(self, card: int) -> str:
        """Return the commodity of a card on the side that is up."""
        return self.box.goods[card][self.is_renowned(card)]

    @property
    def at_port(self) -> bool:
        """Whether the card that is met is a starport."""
        return self.here < self.box.ports

    @property
    def contact(self) -> ContactSide:
        """The contact that is met, on the side that is up."""
        return self.box.sides[self.here][self.is_renowned(self.here)]

    @property
    def free_holds(self) -> int:
        """The holds that nothing fills."""
        used = sum(self.box.room(card) if job else 1 for card, job in self.hold)
        return self.box.ship.holds - used

    @property
    def renown(self) -> int:
        """The renowned cards, wherever they are (§10)."""
        ports = (1 << self.box.ports) - 1
        return (self.renowned if self.box.rules.infamy else self.renowned & ports).bit_count()

    def price(self, good: str) -> int:
        """Return what one card of a good costs or brings here."""
        if self.at_port:
            friendly = self.is_renowned(self.here)
            unit = self.box.price(self.here, friendly, good, self.market)
        else:
            unit = self.contact.price or 0
        return unit * self.box.ship.hold_size

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves that are open, in a fixed order; none once the career is over."""
        return tuple(move for move in self._thinkable() if not self.why_not(move))

    def _thinkable(self) -> Iterator[Move]:
        names = self.box.cards
        if self.phase == "year":
            yield from (GoOn(), Retire())
            return
        if self.phase == "over":
            return
        yield from (Land(), Meet(), Bribe(), Refuse(), Deliver())
        for card, job in self.hold:
            if job:
                yield Complete(names[card], "credits")
                yield Complete(names[card], "renown")
            else:
                yield Sell(names[card])
        yield from (Buy(names[card]) for card in self.offered)
        yield Accept()
        yield Leave()
        yield from (Drop(names[card]) for card, _ in self.hold)

    def why_not(self, move: Move) -> str:
        """Say why a move is refused; nothing when it is legal."""
        if self.phase == "over":
            return "the career is over"
        if self.phase == "year":
            return self._why_not_at_years_end(move)
        match move:
            case Land():
                landed = self.phase != "meet"
                return "there is no starport to land at" if landed or not self.at_port else ""
            case Meet():
                return "" if self._forced else "there is nothing to wait for"
            case Bribe() | Refuse():
                return self._why_not_bribe(move)
            case Leave() | Drop() if self._forced or self._hostile:
                return "the contact's text comes first"
            case Leave():
                return ""
            case Drop():
                aboard = any(self.box.cards[card] == move.card for card, _ in self.hold)
                return "" if aboard else "the card is not aboard"
            case GoOn() | Retire():
                return "the year is not over"
            case _:
                return self._why_not_deal(move)

    def _why_not_at_years_end(self, move: Move) -> str:
        if isinstance(move, Retire):
            return ""
        if not isinstance(move, GoOn):
            return "the year is over"
        if self.year >= self.box.rules.years:
            return f"a career ends after {self.box.rules.years} years"
        fee = self.box.ship.fees
        return f"the fee is {fee} credits" if self.credits < fee else ""

    @property
    def _forced(self) -> bool:
        """Whether a patrol or a pirate has its way."""
        return not self.at_port and self.contact.faction in ("Federation", "Pirate")

    @property
    def _hostile(self) -> bool:
        return not self.at_port and self.contact.faction == "Mercenary"

    def _why_not_bribe(self, move: Move) -> str:
        if not self._hostile:
            return "there is no mercenary"
        bribe = self.contact.stat.amount
        short = isinstance(move, Bribe) and self.credits < bribe
        return f"the bribe is {bribe} credits" if short else ""

    def _why_not_deal(self, move: Move) -> str:
        """Say why nothing can be sold, delivered, completed, bought or accepted."""
        merchant = not self.at_port and self.contact.faction == "Merchant"
        if not merchant and (not self.at_port or self.phase == "meet"):
            return "there is nobody to deal with"
        match move:
            case Buy():
                return self._why_not_buy(move)
            case Accept():
                return self._why_not_accept()
            case Sell() if self.phase != "buy":
                return self._why_not_sell(move)
            case Deliver() if self.phase != "buy" and self.at_port:
                return self._why_not_deliver()
            case Complete() if self.phase != "buy" and self.at_port:
                return self._why_not_complete(move)
            case _:
                return "selling comes before buying" if self.at_port else "no starport is here"

    def _why_not_sell(self, move: Sell) -> str:
        number = self.box.number.get(move.card, -1)
        if (number, False) not in self.hold:
            return "the card is not aboard"
        if not self.at_port and self.good(number) != self.contact.commodity:
            return f"the merchant trades {self.contact.commodity}"
        return ""

    def _why_not_deliver(self) -> str:
        wants = self.box.wants[self.here]
        if self.is_renowned(self.here):
            return "the port is friendly"
        there = len(self._deliverable())
        return "" if there else f"it takes {wants.count} cards of {wants.good}"

    def _deliverable(self) -> tuple[int, ...]:
        """Return the cards that a delivery takes; none when they are too few."""
        wants = self.box.wants[self.here]
        cards = [c for c, job in self.hold if not job and self.good(c) == wants.good]
        return tuple(cards[: wants.count]) if len(cards) >= wants.count else ()

    def _why_not_complete(self, move: Complete) -> str:
        number = self.box.number.get(move.card, -1)
        if (number, True) not in self.hold:
            return "the contract is not aboard"
        if not self.box.goal_of(number, self.here):
            return f"the contract goes to {self.box.contract(number).to}"
        own = number < self.box.ports and not self.is_renowned(number)
        return "" if own or move.reward == "credits" else "only an unknown port gives renown"

    def _why_not_buy(self, move: Buy) -> str:
        number = self.box.number.get(move.card, -1)
        if number not in self.offered:
            return "the card is not for sale"
        if not self.free_holds:
            return "the holds are full"
        price = self.price(self.good(number))
        return f"it costs {price} credits" if self.credits < price else ""

    def _why_not_accept(self) -> str:
        if self.phase == "buy":
            return "buying and accepting exclude each other"
        contract = self.box.contracts[self.here]
        if contract is None:
            return "there is no contract"
        if contract.bulk and self.hold:
            return "a bulk contract needs an empty ship"
        room = self.box.room(self.here)
        if room > self.free_holds:
            return f"the contract fills {room} holds"
        deposit = (contract.deposit or 0) * self.box.times(self.here)
        return f"the deposit is {deposit} credits" if self.credits < deposit else ""

    def apply(self, move: Move) -> State:
        """Return the state after `move`."""
        if said := self.why_not(move):
            raise IllegalMoveError(f"{move}: {said}")
        match move:
            case Land():
                size = self.box.market_sizes[self.here]
                market, deck = self.deck[:size], self.deck[size:]
                offered = (self.here, *market)
                return replace(self, phase="trade", market=market, offered=offered, deck=deck)
            case Meet():
                return self._seized()._met()
            case Bribe():
                return self._paid(-self.contact.stat.amount)._turned(self.here, False)._met()
            case Refuse():
                everything = tuple(card for card, _ in self.hold)
                return self._without(everything)._turned(self.here, False)._met()
            case Drop():
                return self._without((self.box.number[move.card],))
            case Leave():
                return self._met()
            case GoOn():
                return self._paid(-self.box.ship.fees)._new_year()
            case Retire():
                return replace(self, turn=self.turn + 1, phase="over")
            case _:
                return self._dealt(move)

    def _dealt(self, move: Move) -> State:
        match move:
            case Sell():
                card = self.box.number[move.card]
                after = self._paid(self.price(self.good(card)))._without((card,), failed=False)
                return after if self.at_port else after._met()
            case Deliver():
                return self._without(self._deliverable())._turned(self.here, True)
            case Complete():
                return self._completed(self.box.number[move.card], move.reward)
            case Buy():
                card = self.box.number[move.card]
                after = self._paid(-self.price(self.good(card)))._loaded(card, False)
                return replace(after, phase="buy") if self.at_port else after._met()
            case _:
                deposit = self.box.contract(self.here).deposit or 0
                owed = deposit * self.box.times(self.here)
                return self._paid(-owed)._loaded(self.here, True)._met()

    def _completed(self, card: int, reward: str) -> State:
        contract = self.box.contract(card)
        paid = (contract.deposit or 0) + (contract.pays if reward == "credits" else 0)
        after = self._paid(paid * self.box.times(card))._without((card,), failed=False)
        return after._turned(card, True) if reward == "renown" else after

    def _seized(self) -> State:
        """Lose what the contact is after; a patrol fines a captain who had any of it."""
        patrol = self.contact.faction == "Federation"
        goods, flag = (self.box.illegal, "illegal") if patrol else (self.box.valuable, "valuable")
        taken = tuple(
            card
            for card, job in self.hold
            if (self.box.contract(card).flag == flag if job else self.good(card) in goods)
        )
        fine = min(self.contact.stat.amount, self.credits) if patrol and taken else 0
        return self._paid(-fine)._without(taken)

    def _paid(self, amount: int) -> State:
        return replace(self, credits=self.credits + amount)

    def _loaded(self, card: int, job: bool) -> State:
        offered = tuple(other for other in self.offered if other != card)
        return replace(self, hold=(*self.hold, (card, job)), offered=offered)

    def _turned(self, card: int, renowned: bool) -> State:
        bits = self.renowned | 1 << card if renowned else self.renowned & ~(1 << card)
        return replace(self, renowned=bits)

    def _without(self, cards: tuple[int, ...], failed: bool = True) -> State:
        """Discard cargo; a contract among it fails: its port unknown, its merchant hostile."""
        state = self
        for card, job in self.hold:
            if failed and job and card in cards:
                state = state._turned(card, card >= self.box.ports)
        hold = tuple(cargo for cargo in self.hold if cargo[0] not in cards)
        return replace(state, hold=hold, discard=(*self.discard, *cards))

    def _met(self) -> State:
        """Discard what was met and revealed; meet the next card, or come to the year's end."""
        discard = (*self.discard, *self.offered)
        state = replace(self, turn=self.turn + 1, market=(), offered=(), discard=discard)
        if self.deck:
            return state._facing(self.deck)
        late = tuple(c for c, job in state.hold if job and self.box.contract(c).rush)
        return replace(state._without(late), phase="year")

    def _new_year(self) -> State:
        order = shuffled(sorted(self.discard), Random(f"{self.seed}:{self.year}"))
        state = replace(self, turn=self.turn + 1, year=self.year + 1, discard=())
        return state._facing(order)

    def _facing(self, deck: tuple[int, ...]) -> State:
        """Meet the first card of a deck."""
        return replace(self, phase="meet", here=deck[0], offered=deck[:1], deck=deck[1:])

    def is_over(self) -> bool:
        """Tell whether the captain has retired."""
        return self.phase == "over"

    def scores(self) -> tuple[int, ...]:
        """Multiply credits by renown (§11.1)."""
        return (self.credits * self.renown,)

    def winners(self) -> tuple[int, ...]:
        """Return the one seat once the career is over; the rank says how well it went."""
        return (0,) if self.is_over() else ()

    def as_seen_by(self, seat: int, rng: Random) -> State:
        """Return a career that looks the same: the deck and all later years dealt anew."""
        deck = shuffled(sorted(self.deck), rng)
        return replace(self, deck=deck, seed=int(rng.random() * SEEDS))

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all cards by place."""
        return places(self)

    def facts(self) -> Mapping[str, Any]:
        """Return what a captain knows besides."""
        return facts(self)

    def used(self, move: Move) -> tuple[str, ...]:
        """Return the card that a move deals with: where the captain lands, or what is traded."""
        match move:
            case Land() | Accept() | Deliver():
                return (self.box.cards[self.here],)
            case Buy(card) | Complete(card, _):
                return (card,)
            case _:
                return ()

    def hidden_from(self, seat: int) -> frozenset[str]:
        """Return the place that may not be looked at."""
        return frozenset({"deck"})
