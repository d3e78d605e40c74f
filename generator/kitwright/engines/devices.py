"""Devices: the whole rules for two to four players, with their optional rules as switches.

Chance enters once, in `new_game`, through the generator it is given; after
that everything is pure, so the order of the decks and a list of moves replay for
ever. Hoppers and packers are never moved by hand: a part that is laid takes the
idle hoppers that it needs, and packers slide to the open ends. Sections (§) are
those of components/devices/rules.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError, shuffled
from kitwright.engines.devices_grid import add, one, open_ends, take
from kitwright.engines.devices_legal import (
    can_place,
    legal,
    run_of,
    runnable,
    sellable,
    served,
    wares,
)
from kitwright.engines.devices_moves import (
    Accept,
    Activate,
    Buy,
    Decide,
    Fulfil,
    GiveBack,
    Load,
    Move,
    Offer,
    Pay,
    Place,
    Return,
    Sell,
    Simple,
    Take,
)
from kitwright.engines.devices_table import (
    Box,
    Seat,
    Table,
    Turn,
    distinct,
    with_item,
    without,
)
from kitwright.engines.devices_told import cards_by_place, facts
from kitwright.model.game import Game
from kitwright.model.games.devices import NOTHING, Cubes, Devices

ROUND_CAP = 60  # greedy games take about 15 rounds; aimless ones need never end


class State(Table, frozen=True):
    """A table of Devices that moves can be made on."""

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves open to `to_move`, in a fixed order; none once the game is over."""
        return () if self.is_over() else tuple(legal(self))

    def apply(self, move: Move) -> State:
        """Return the state after `move`."""
        if move not in self.legal_moves():
            raise IllegalMoveError(f"{move}: it is not open now")
        match move:
            case Simple(word):
                return self._simple(word)
            case Accept() | GiveBack():
                return self._order(move)
            case Buy() | Sell() | Pay():
                return self._shop(move)
            case Place() | Take() | Load():
                return self._build(move)
            case Return(color):
                seat = replace(self.seat, storage=take(self.seat.storage, one(color)))
                return self._with(seat)._settled()
            case Activate(device):
                return self._run(device, ())
            case Decide(_, cubes):
                assert self.now.running is not None
                return self._run(self.now.running, (*self.now.decisions, cubes))
            case Fulfil():
                return self._fulfil(move)
            case Offer():
                return self._offer(move)

    def _with(self, seat: Seat, **changes: Any) -> State:
        seats = with_item(self.seats, self.active, seat)
        return replace(self, seats=seats, now=replace(self.now, **changes))

    def _acting(self, mode: str) -> dict[str, Any]:
        """Return what changes when `mode` begins: an action is spent, unless it is under way."""
        begun = self.now.mode == mode
        return {"mode": mode, "actions": self.now.actions - (0 if begun else 1)}

    def _simple(self, word: str) -> State:
        match word:
            case "collect":
                bank, number = self.bank, self.box.rules.collect
                number = number if bank is None else min(number, bank[0])
                seat = replace(self.seat, storage=add(self.seat.storage, (number, 0, 0)))
                return self._with(seat, **self._acting("return"))._settled()
            case "clear":
                state = replace(self, part_row=(), part_deck=(*self.part_deck, *self.part_row))
                return state._with(self.seat, actions=self.now.actions - 1)._refilled()
            case "agree" | "refuse":
                return self._answer(word == "agree")
            case "stop":
                return self._with(self.seat, mode="run")._flowing()
            case _:
                return self._done()

    def _done(self) -> State:
        match self.now.mode:
            case "run":
                return self._with(self.seat, mode="fulfil")._flowing()
            case "fulfil":
                storage = add(self.seat.storage, self.now.packed)
                seat = replace(self.seat, storage=storage)
                return self._with(seat, mode="surplus", packed=NOTHING)._settled()
            case "place" | "buy":
                seat = replace(self.seat, hand=(*self.seat.hand, *self.now.fresh))
                state = self._with(seat, mode="", fresh=(), due=0, sold=0)
                return state._refilled()
            case _:
                return self._with(self.seat, mode="")

    def _settled(self) -> State:
        """Go on once no more than the limit of cubes is left (§8.2)."""
        if self.seat.count > self.box.rules.storage:
            return self
        if self.now.mode == "surplus":
            return replace(self, turn=self.turn + 1, now=Turn(self.box.rules.actions))
        return self._with(self.seat, mode="")

    def _flowing(self) -> State:
        """Leave out the phases in which nothing can be done."""
        if self.now.mode == "run" and not runnable(self):
            return self._with(self.seat, mode="fulfil")._flowing()
        if self.now.mode == "fulfil" and not any(True for _ in served(self)):
            return self._done()
        return self

    def _refilled(self) -> State:
        missing = max(0, self.box.rules.part_row - len(self.part_row))
        row, deck = self.part_row, self.part_deck
        return replace(self, part_row=(*row, *deck[:missing]), part_deck=deck[missing:])

    def _order(self, move: Accept | GiveBack) -> State:  # §6.2
        order = self.box.orders.index(move.order)
        spent = self.now.actions - 1
        if isinstance(move, GiveBack):
            seat = replace(self.seat, orders=without(self.seat.orders, order))
            state = replace(self, order_deck=(*self.order_deck, order))
            return state._with(seat, actions=spent)
        seat = replace(self.seat, orders=(*self.seat.orders, order))
        row = (*without(self.order_row, order), *self.order_deck[:1])
        state = replace(self, order_row=row, order_deck=self.order_deck[1:])
        return state._with(seat, actions=spent)

    def _shop(self, move: Buy | Sell | Pay) -> State:
        match move:
            case Buy(name):
                card = wares(self)[name]
                due, fresh = self.now.due + self.box.parts[card].price, (*self.now.fresh, card)
                state = self._without_ware(card)
                return state._with(self.seat, **self._acting("buy"), due=due, fresh=fresh)
            case Sell(name):
                return self._sell(distinct(self.box.names, sellable(self))[name])
            case Pay(cubes):
                return self._pay(cubes)

    def _without_ware(self, card: int) -> State:
        if card in self.part_row:
            return replace(self, part_row=without(self.part_row, card))
        piles = tuple(without(pile, card) if card in pile else pile for pile in self.piles)
        return replace(self, piles=piles)

    def _sell(self, card: int) -> State:
        each, seat = self.box.rules.selling.each, self.seat
        kept: dict[str, Any] = {
            place: without(cards, card) if card in cards else cards
            for place, cards in (
                ("hand", seat.hand),
                ("hoppers", seat.hoppers),
                ("packers", seat.packers),
            )
        }
        bank = self.bank
        gained = each if bank is None else min(each, bank[0])
        seat = replace(seat, storage=add(seat.storage, (gained, 0, 0)), **kept)
        state = self._with(seat, **self._acting("buy"), sold=self.now.sold + each)
        if card in self.box.special:
            return replace(state, part_deck=(*self.part_deck, card))
        names = self.box.names
        pile = [*distinct(names, self.box.basic)].index(names[card])
        return replace(state, piles=with_item(self.piles, pile, (*self.piles[pile], card)))

    def _pay(self, cubes: Cubes) -> State:
        """Take the cubes; hoppers and packers are idle at once, parts may be laid (§6.3)."""
        kinds, seat = self.box.parts, self.seat
        fresh = self.now.fresh
        hoppers = tuple(card for card in fresh if kinds[card].kind == "hopper")
        packers = tuple(card for card in fresh if kinds[card].kind == "packer")
        seat = replace(
            seat,
            storage=take(seat.storage, cubes),
            hoppers=(*seat.hoppers, *hoppers),
            packers=(*seat.packers, *packers),
        )
        rest = tuple(card for card in fresh if card not in (*hoppers, *packers))
        state = self._with(seat, mode="place", fresh=rest, due=0)
        return state if can_place(state) else state._done()

    def _build(self, move: Place | Take | Load) -> State:
        seat, names = self.seat, self.box.names
        match move:
            case Place(name, placing) if self.now.mode == "place":
                card = distinct(names, self.now.fresh)[name]
                fresh = without(self.now.fresh, card)
                state = self._with(seat.with_part(card, placing), fresh=fresh)
                return state if can_place(state) else state._done()
            case Place(name, placing):
                card = distinct(names, seat.hand)[name]
                seat = replace(seat.with_part(card, placing), hand=without(seat.hand, card))
                return self._with(seat, **self._acting("build"))
            case Take(_, device, spot):
                placed = next(p for p in seat.devices[device] if p.spot == spot)
                seat = seat.without_part(device, placed, self.box.parts)
                return self._with(seat, **self._acting("take"))
            case Load(color, device, spot):
                cube = one(color)
                loaded = tuple(
                    replace(p, cubes=add(p.cubes, cube)) if p.spot == spot else p
                    for p in seat.devices[device]
                )
                seat = replace(seat.with_device(device, loaded), storage=take(seat.storage, cube))
                return self._with(seat, **self._acting("load"))

    def _run(self, device: int, decisions: tuple[Cubes, ...]) -> State:  # §7
        outcome = run_of(self, device, decisions).outcome()
        if outcome.choice is not None:
            return self._with(self.seat, running=device, decisions=decisions)
        seat = self.seat.with_device(device, outcome.device)
        return self._with(
            seat,
            packed=add(self.now.packed, outcome.packed),
            used=self.now.used + len(open_ends(outcome.device, self.box.parts)),
            ran=(*self.now.ran, device),
            running=None,
            decisions=(),
        )._flowing()

    def _fulfil(self, move: Fulfil) -> State:  # §8.1
        order, seat = self.box.orders.index(move.order), self.seat
        seat = replace(seat, orders=without(seat.orders, order), served=(*seat.served, order))
        packed = take(self.now.packed, self.box.wants[order])
        return self._with(seat, packed=packed)._flowing()

    def _offer(self, move: Offer) -> State:  # §10
        names = self.box.names
        mine = distinct(names, self.seat.hand)[move.part]
        wanted = distinct(names, self.seats[move.seat].hand)[move.wanted]
        offers = self.now.offers + 1
        return self._with(self.seat, offers=offers, offer=(mine, wanted, move.seat))

    def _answer(self, agreed: bool) -> State:
        assert self.now.offer is not None
        mine, wanted, seat = self.now.offer
        state = self._with(self.seat, offer=None)
        if not agreed:
            return state
        own, other = self.seat, self.seats[seat]
        own = replace(own, hand=(*without(own.hand, mine), wanted))
        other = replace(other, hand=(*without(other.hand, wanted), mine))
        seats = with_item(with_item(self.seats, self.active, own), seat, other)
        return replace(state, seats=seats)

    def is_over(self) -> bool:
        """Tell whether somebody has reached the goal and the round is finished (§9)."""
        between = self.active == 0 and self.now == Turn(self.box.rules.actions)
        return between and max(self.scores()) >= self.box.rules.goal

    def scores(self) -> tuple[int, ...]:
        """Add up the points of the orders served."""
        points = self.box.points
        return tuple(sum(points[order] for order in seat.served) for seat in self.seats)

    def winners(self) -> tuple[int, ...]:
        """Return the seats with most points, then the largest device (§9)."""
        if not self.is_over():
            return ()
        parts = self.box.parts
        ranks = [
            (score, seat.largest(parts))
            for score, seat in zip(self.scores(), self.seats, strict=True)
        ]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    def as_seen_by(self, seat: int, rng: Random) -> State:
        """Return a table that looks the same from any seat: both decks shuffled anew.

        What a player may remember of cards that went under a deck is not kept.
        """
        return replace(
            self,
            order_deck=shuffled(self.order_deck, rng),
            part_deck=shuffled(self.part_deck, rng),
        )

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all cards by place."""
        return cards_by_place(self)

    def facts(self) -> Mapping[str, Any]:
        """Return cubes, devices, and what devices would make."""
        return facts(self)

    def hidden_from(self, seat: int) -> frozenset[str]:
        """Return the places that nobody may look at."""
        return frozenset({"order deck", "part deck"})


class DevicesEngine:
    """The engine of one loaded game."""

    def __init__(self, game: Game) -> None:
        self.view = Devices.of(game)
        self.box = Box(self.view)

    def new_game(self, players: int, rng: Random) -> State:
        """Shuffle both decks and set up the table."""
        orders = shuffled(range(len(self.box.orders)), rng)
        return self.deal(orders, shuffled(self.box.special, rng), players)

    def deal(self, orders: Sequence[int], special: Sequence[int], players: int) -> State:
        """Set up the table from decks in the order given (§4)."""
        box, rules = self.box, self.box.rules
        height = players + rules.basic_extra
        kinds = distinct(box.names, box.basic)
        whole = [tuple(c for c in box.basic if box.names[c] == name) for name in kinds]
        spare = tuple(card for pile in whole for card in pile[height:])
        left = tuple(card for cards in box.own[players:] for card in cards)
        return State(
            box=box,
            turn=0,
            seats=tuple(self._seat(cards) for cards in box.own[:players]),
            now=Turn(rules.actions),
            order_row=tuple(orders[: rules.order_row]),
            part_row=tuple(special[: rules.part_row]),
            piles=tuple(pile[:height] for pile in whole),
            order_deck=tuple(orders[rules.order_row :]),
            part_deck=tuple(special[rules.part_row :]),
            aside=(*spare, *left),
        )

    def _seat(self, cards: Sequence[int]) -> Seat:
        kinds = {card: self.box.parts[card].kind for card in cards}
        return Seat(
            storage=self.box.rules.start.cubes,
            hoppers=tuple(card for card in cards if kinds[card] == "hopper"),
            packers=tuple(card for card in cards if kinds[card] == "packer"),
            own=tuple(card for card in cards if not kinds[card]),
        )

    def turn_cap(self, players: int) -> int:
        """Return a number of turns that only aimless players need."""
        return ROUND_CAP * players

    def score_bounds(self, players: int) -> tuple[int, int]:
        """Return no points, and all points of the deck."""
        return 0, sum(self.box.points)


def engine(game: Game) -> DevicesEngine:
    """Make the engine of a loaded game."""
    return DevicesEngine(game)
