"""Beltpunk Haberdasher: the whole rules for two to four players, round after round.

Section numbers (§) are those of components/beltpunk-haberdasher/rules.md.
A card is its number in Machine Order, so the lower card is resolved first.
All chance comes from a seed that the state keeps, drawn in `new_game` from the
generator it is given; a state as seen by a player has another seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError, shuffled
from kitwright.engines.beltpunk_haberdasher_legal import allows, open_moves
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
from kitwright.engines.beltpunk_haberdasher_sets import Box, Round
from kitwright.engines.beltpunk_haberdasher_sight import (
    SEEDS,
    dealt_anew,
    facts,
    hidden_from,
    places,
)
from kitwright.model.game import Game
from kitwright.model.games.beltpunk_haberdasher import Beltpunk

ROUND_CAP = 30  # rounds of full length; random players may need more

Cards = tuple[int, ...]
Phase = Literal["choose", "act", "reply", "look", "put", "declare", "over"]


class State(Struct, frozen=True):
    """A table of Beltpunk Haberdasher between two moves; cards are their numbers."""

    box: Box
    seed: int
    turn: int
    to_move: int
    foreman: int
    phase: Phase
    deck: Cards  # hidden; the first card is drawn next
    hands: tuple[Cards, ...]
    chosen: tuple[Cards, ...]
    belts: tuple[Cards, ...]  # The Machine, by suit
    scraps: tuple[Cards, ...]
    sets: tuple[tuple[Cards, ...], ...]
    declared: tuple[Cards | None, ...]  # in this turn; None before a seat has said
    queue: tuple[int, ...] = ()  # the seats whose cards are still to resolve, the actor first
    held: Cards = ()  # what the actor offers, or has taken in a swap
    pile: int = MACHINE
    played: int = 0  # turns of this round
    overflows: int = 0  # of this round
    pad: tuple[Round, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds that are over."""
        return len(self.pad)

    @property
    def slots(self) -> int:
        """How many cards a belt holds."""
        return self.box.deals[len(self.hands)].slots

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the card that the seat to move has discarded."""
        return self.box.actions[self.box.suits[self.chosen[self.to_move][0]]]

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves open to `to_move`, in a fixed order; none once the game is over."""
        return open_moves(self)

    def apply(self, move: Move) -> State:
        """Return the state after `move`."""
        if not allows(self, move):
            raise IllegalMoveError(f"{move}: the rules do not allow it now")
        match move:
            case Choose(card):
                return self._choose(self.box.numbers[card])
            case Skip():
                return self._resolved()
            case Draw():
                hands = self._hands_with(self.to_move, add=self.deck[:1])
                return replace(self, hands=hands, deck=self.deck[1:])._resolved()
            case Exchange(card, seat):
                held = (self.box.numbers[card],)
                hands = self._hands_with(self.to_move, drop=held)
                return replace(self, hands=hands, held=held, to_move=seat, phase="reply")
            case Give(card):
                return self._give((self.box.numbers[card],))
            case Look(pile):
                return replace(self, phase="look", pile=pile)
            case Take(card, pile):
                taken = self.box.numbers[card]
                hands = self._hands_with(self.to_move, add=(taken,))
                return replace(self._picked(taken, pile), hands=hands)._resolved()
            case Swap(name, pile):
                swapped = self._unseen(pile) if name is None else self.box.numbers[name]
                state = self._picked(swapped, pile)
                return replace(state, held=(swapped,), pile=pile, phase="put")
            case Put(card):
                return self._put(self.box.numbers[card])
            case Lay(cards):
                return self._declare(tuple(self.box.numbers[card] for card in cards))
            case NoSet():
                return self._declare(())

    def _hands_with(self, seat: int, add: Cards = (), drop: Cards = ()) -> tuple[Cards, ...]:
        hand = tuple(card for card in self.hands[seat] if card not in drop)
        return _with_item(self.hands, seat, (*hand, *add))

    def _choose(self, card: int) -> State:
        seat = self.to_move
        hands, chosen = self._hands_with(seat, drop=(card,)), list(self.chosen)
        chosen[seat] = (card,)
        after = (seat + 1) % len(hands)
        state = replace(self, hands=hands, chosen=tuple(chosen), to_move=after)
        if after != self.foreman:
            return state
        queue = tuple(sorted(range(len(hands)), key=lambda seat: chosen[seat]))
        return replace(state, queue=queue)._next_actor()

    def _next_actor(self) -> State:
        """Put the next card into The Machine; its player may act (§5.2)."""
        actor = self.queue[0]
        belts = _with_card(self.box, self.belts, self.chosen[actor][0])
        return replace(self, belts=belts, to_move=actor, phase="act", pile=MACHINE)

    def _give(self, card: Cards) -> State:
        hands = self._hands_with(self.to_move, add=self.held, drop=card)
        actor = self.queue[0]
        hands = _with_item(hands, actor, (*hands[actor], *card))
        return replace(self, hands=hands, held=(), to_move=actor)._resolved()

    def _unseen(self, pile: int) -> int:
        """Draw from a pile that lies face down (§6)."""
        dice = Random(f"{self.seed}:{self.rounds}:{self.played}:{len(self.queue)}")
        return self.scraps[pile][int(dice.random() * len(self.scraps[pile]))]

    def _picked(self, card: int, pile: int) -> State:
        """Return the table without a card of a pile."""
        if pile == MACHINE:
            belts = tuple(tuple(c for c in belt if c != card) for belt in self.belts)
            return replace(self, belts=belts)
        scrap = tuple(c for c in self.scraps[pile] if c != card)
        return replace(self, scraps=_with_item(self.scraps, pile, scrap))

    def _put(self, card: int) -> State:
        state = replace(self, held=(), hands=self._hands_with(self.to_move, self.held, (card,)))
        if self.pile == MACHINE:
            return replace(state, belts=_with_card(self.box, self.belts, card))._resolved()
        scrap = (*self.scraps[self.pile], card)
        return replace(state, scraps=_with_item(self.scraps, self.pile, scrap))._resolved()

    def _resolved(self) -> State:
        """Let what is too full overflow to the actor (§5.3), then go on in Machine Order (§4.2)."""
        actor, queue = self.queue[0], self.queue[1:]
        chosen = _with_item(self.chosen, actor, ())
        state = replace(self, queue=queue, chosen=chosen)._overflowed(actor)
        if queue:
            return state._next_actor()
        blank = (None,) * len(self.hands)
        return replace(state, phase="declare", to_move=self.foreman, declared=blank)

    def _overflowed(self, actor: int) -> State:
        """Give the belts that hold more than their slots to the actor, as scrap (§4.3)."""
        slots = self.slots
        over = [belt for belt in self.belts if len(belt) > slots]
        if not over:
            return self
        scrap = (*self.scraps[actor], *(card for belt in over for card in belt))
        return replace(
            self,
            belts=tuple(() if len(belt) > slots else belt for belt in self.belts),
            scraps=_with_item(self.scraps, actor, scrap),
            overflows=self.overflows + len(over),
        )

    def _declare(self, cards: Cards) -> State:
        seat = self.to_move
        declared = (*self.declared[:seat], cards, *self.declared[seat + 1 :])
        after = (seat + 1) % len(self.hands)
        state = replace(
            self, hands=self._hands_with(seat, drop=cards), declared=declared, to_move=after
        )
        return state if after != self.foreman else state._turn_over()

    def _turn_over(self) -> State:
        """Show the sets that were declared (§5.4); the round may be over with them (§5.5)."""
        sets = tuple(
            (*laid, cards) if cards else laid
            for laid, cards in zip(self.sets, self.declared, strict=True)
        )
        state = replace(
            self,
            sets=sets,
            declared=(None,) * len(sets),
            turn=self.turn + len(sets),
            played=self.played + 1,
            foreman=(self.foreman + 1) % len(sets),
        )
        if state.deck and all(state.hands):
            return state._next_turn()
        return state._round_over()

    def _next_turn(self) -> State:
        """Let everybody draw, from the Foreman on, as long as there are cards (§5.1)."""
        hands, deck = list(self.hands), self.deck
        for step in range(len(hands)):
            seat = (self.foreman + step) % len(hands)
            hands[seat], deck = (*hands[seat], *deck[:1]), deck[1:]
        return replace(self, hands=tuple(hands), deck=deck, to_move=self.foreman, phase="choose")

    def _round_over(self) -> State:
        """Score the round (§8), and deal the next one unless somebody has won."""
        scraps = tuple((*s, *h) for s, h in zip(self.scraps, self.hands, strict=True))
        found = [[self.box.book.find(cards) for cards in laid] for laid in self.sets]
        line = Round(
            scores=tuple(
                sum(one.points for one in laid if one) - self.box.rules.scrap * len(scrap)
                for laid, scrap in zip(found, scraps, strict=True)
            ),
            scrap=tuple(map(len, scraps)),
            turns=self.played,
            overflows=self.overflows,
            kinds=tuple(one.kind for laid in found for one in laid if one),
            emptied=not all(self.hands),
        )
        state = replace(
            self, hands=((),) * len(scraps), scraps=scraps, phase="over", pad=(*self.pad, line)
        )
        return state if state._is_won() else deal(state)

    def _is_won(self) -> bool:
        """Tell whether one seat alone is ahead, and has reached the target; a tie plays on (§9)."""
        totals = self.scores()
        return max(totals) >= self.box.rules.target and totals.count(max(totals)) == 1

    def is_over(self) -> bool:
        """Tell whether the last round was the last one."""
        return self.phase == "over"

    def scores(self) -> tuple[int, ...]:
        """Add up the rounds that are over."""
        return tuple(sum(line.scores[seat] for line in self.pad) for seat in range(len(self.hands)))

    def winners(self) -> tuple[int, ...]:
        """Return the seat with most points."""
        totals = self.scores()
        return (totals.index(max(totals)),) if self.is_over() else ()

    def as_seen_by(self, seat: int, rng: Random) -> State:
        """Return a table that looks the same from `seat`: deck, hands and face-down cards anew.

        What a player may remember of cards that went into a scrap pile or a hand is not kept.
        """
        return dealt_anew(self, seat, rng)

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all cards by place."""
        names = self.box.names
        return {place: tuple(names[c] for c in cards) for place, cards in places(self).items()}

    def hidden_from(self, seat: int) -> frozenset[str]:
        """Return the places with cards that `seat` may not look at."""
        return hidden_from(self, seat)

    def facts(self) -> Mapping[str, Any]:
        """Tell what a rulebook's examples may look up: the order, the sets laid, the score pad."""
        return facts(self)


def deal(state: State) -> State:
    """Return the table at the start of the next round (§3), the Foreman staying where it is."""
    players, box = len(state.hands), state.box
    row = box.deals[players]
    dice = Random(f"{state.seed}:{state.rounds}")
    order = shuffled(range(len(box.names)), dice)
    start = players * row.hand
    belts: tuple[Cards, ...] = ((),) * len(box.suit_names)
    for card in order[start : start + row.machine]:
        belts = _with_card(box, belts, card)
    none: tuple[Cards, ...] = ((),) * players
    return replace(
        state,
        deck=order[start + row.machine :],
        hands=tuple(order[seat * row.hand : (seat + 1) * row.hand] for seat in range(players)),
        belts=belts,
        scraps=none,
        sets=((),) * players,
        played=0,
        overflows=0,
    )._next_turn()


class BeltpunkEngine:
    """The engine of one loaded game."""

    def __init__(self, game: Game) -> None:
        self.view = Beltpunk.of(game)
        self.box = Box(self.view)

    def new_game(self, players: int, rng: Random) -> State:
        """Deal the first round; the first seat is the Foreman."""
        none: tuple[Cards, ...] = ((),) * players
        blank = State(
            box=self.box,
            seed=int(rng.random() * SEEDS),
            turn=0,
            to_move=0,
            foreman=0,
            phase="choose",
            deck=(),
            hands=none,
            chosen=none,
            belts=(),
            scraps=none,
            sets=((),) * players,
            declared=(None,) * players,
        )
        return deal(blank)

    def longest_round(self, players: int) -> int:
        """Return the turns after which the deck is empty at the latest."""
        row = self.box.deals[players]
        left = len(self.box.names) - players * row.hand - row.machine
        return -(-left // players)

    def turn_cap(self, players: int) -> int:
        """Return the turns of all seats in so many rounds of full length."""
        return ROUND_CAP * self.longest_round(players) * players

    def score_bounds(self, players: int) -> tuple[int, int]:
        """Return scores that nobody can leave: all cards as scrap, or as the best of sets."""
        rounds, cards = self.turn_cap(players) // players, len(self.box.names)
        rate = max(one.points / len(one.cards) for one in self.box.book.sets)
        return -rounds * self.box.rules.scrap * cards, int(rounds * rate * cards)


def engine(game: Game) -> BeltpunkEngine:
    """Make the engine of a loaded game."""
    return BeltpunkEngine(game)


def _with_card(box: Box, belts: tuple[Cards, ...], card: int) -> tuple[Cards, ...]:
    suit = box.suits[card]
    return _with_item(belts, suit, (*belts[suit], card))


def _with_item(rows: tuple[Cards, ...], at: int, row: Cards) -> tuple[Cards, ...]:
    return (*rows[:at], row, *rows[at + 1 :])
