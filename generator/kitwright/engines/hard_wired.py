"""Hard Wired: the whole rules for two to six players.

Chance enters once, in `new_game`, through the generator it is given; after
that everything is pure, so a deck order and a list of moves replay for ever.
A segment is laid circuit by circuit, and only a circuit from which it can
still be finished may be laid, so nobody gets stuck in one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError, shuffled
from kitwright.engines.hard_wired_wiring import Wiring
from kitwright.model.game import Game
from kitwright.model.games.hard_wired import HardWired


class Play(Struct, frozen=True):
    """Play a circuit from the hand to the table, then draw."""

    circuit: str

    def __str__(self) -> str:
        return f"play {self.circuit}"


class Draw(Struct, frozen=True):
    """Draw without playing, which needs an empty hand."""

    def __str__(self) -> str:
        return "draw"


class Lay(Struct, frozen=True):
    """Lay the next circuit of a segment."""

    circuit: str
    from_hand: bool

    def __str__(self) -> str:
        return f"lay {self.circuit} from {'hand' if self.from_hand else 'table'}"


class Finish(Struct, frozen=True):
    """Finish the segment with a display of the table."""

    display: str

    def __str__(self) -> str:
        return f"finish {self.display}"


class Pass(Struct, frozen=True):
    """Do nothing, because nothing can be done."""

    def __str__(self) -> str:
        return "pass"


Move = Play | Draw | Lay | Finish | Pass


class Box:
    """What does not change during a game: the rules, the wiring, the names of the cards."""

    def __init__(self, view: HardWired) -> None:
        self.rules = view.rules
        self.wiring = Wiring(view)
        self.circuits = tuple(card for card, _ in view.circuits)
        self.displays = tuple(card for card, _ in view.displays)
        self.values = tuple(self.wiring.number[display.values] for _, display in view.displays)


class State(Struct, frozen=True):
    """A table of Hard Wired between two moves; cards are their numbers in the box."""

    box: Box
    turn: int
    machines: tuple[tuple[int, ...], ...]  # the displays of each seat, the first one first
    hands: tuple[tuple[int, ...], ...]
    public_displays: tuple[int, ...]
    public_circuits: tuple[int, ...]
    display_reserve: tuple[int, ...]  # hidden; the first card is drawn next
    circuit_reserve: tuple[int, ...]  # hidden; used circuits go to its end
    segment: tuple[int, ...] = ()  # what the seat to move has laid in this turn

    @property
    def to_move(self) -> int:
        """The seat that acts next."""
        return self.turn % len(self.hands)

    @property
    def value(self) -> int:
        """The values that leave the last circuit laid, or else the last display, of `to_move`."""
        value = self.box.values[self.machines[self.to_move][-1]]
        for card in self.segment:
            value = self.box.wiring.acts[card][value]
        return value

    @property
    def targets(self) -> int:
        """The values of the displays on the table, as a set."""
        targets = 0
        for display in self.public_displays:
            targets |= 1 << self.box.values[display]
        return targets

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves open to `to_move`, in a fixed order; none once the game is over."""
        if self.is_over():
            return ()
        if self.segment:
            return (*self._finishes(), *self._lays())
        circuits, hand = self.box.circuits, self.hands[self.to_move]
        actions: list[Move] = [Play(circuit) for circuit in _distinct(circuits, hand)]
        if not hand and self.circuit_reserve:
            actions.append(Draw())
        actions.extend(self._lays())
        return tuple(actions) or (Pass(),)

    def _finishes(self) -> Iterator[Finish]:
        if len(self.segment) >= self.box.rules.segment.fewest:
            value, values = self.value, self.box.values
            fitting = [card for card in self.public_displays if values[card] == value]
            yield from map(Finish, _distinct(self.box.displays, fitting))

    def _lays(self) -> Iterator[Lay]:
        circuits, value = self.box.circuits, self.value
        for from_hand in (True, False):
            held = self.hands[self.to_move] if from_hand else self.public_circuits
            for circuit in _distinct(circuits, held):
                card = next(card for card in held if circuits[card] == circuit)
                if self._can_lay(value, card):
                    yield Lay(circuit, from_hand)

    def _can_lay(self, value: int, card: int) -> bool:
        """Tell whether the segment, come to `value`, can be finished once `card` is laid."""
        laid = len(self.segment) + 1
        if laid > self.box.rules.segment.most:
            return False
        rest = [c for c in (*self.public_circuits, *self.hands[self.to_move]) if c != card]
        wiring = self.box.wiring
        return wiring.can_finish(wiring.acts[card][value], laid, rest, self.targets)

    def apply(self, move: Move) -> State:
        """Return the state after `move`."""
        if self.is_over():
            raise IllegalMoveError(f"{move}: the game is over")
        match move:
            case Lay():
                return self._lay(move)
            case Finish():
                return self._finish(move)
            case _ if self.segment:
                raise IllegalMoveError(f"{move}: a segment is begun")
            case Play():
                return self._play(move)
            case Draw():
                return self._draw(move)
            case Pass():
                return self._pass(move)

    def _play(self, move: Play) -> State:  # §5.1
        hand = self.hands[self.to_move]
        card = self._find(move, move.circuit, self.box.circuits, hand)
        draw = self.box.rules.draw
        hand = (*_without(hand, card), *self.circuit_reserve[:draw])
        return replace(
            self,
            turn=self.turn + 1,
            hands=_with_item(self.hands, self.to_move, hand),
            public_circuits=(*self.public_circuits, card),
            circuit_reserve=self.circuit_reserve[draw:],
        )

    def _draw(self, move: Draw) -> State:  # §5.1
        if self.hands[self.to_move] or not self.circuit_reserve:
            raise IllegalMoveError(f"{move}: it needs an empty hand and a circuit to draw")
        draw = self.box.rules.draw
        return replace(
            self,
            turn=self.turn + 1,
            hands=_with_item(self.hands, self.to_move, self.circuit_reserve[:draw]),
            circuit_reserve=self.circuit_reserve[draw:],
        )

    def _pass(self, move: Pass) -> State:  # §5.3
        if self.legal_moves() != (move,):
            raise IllegalMoveError(f"{move}: there is something to do")
        return replace(self, turn=self.turn + 1)

    def _lay(self, move: Lay) -> State:  # §5.2
        hand = self.hands[self.to_move]
        held = hand if move.from_hand else self.public_circuits
        card = self._find(move, move.circuit, self.box.circuits, held)
        if not self._can_lay(self.value, card):
            raise IllegalMoveError(f"{move}: no segment can be finished from there")
        segment = (*self.segment, card)
        if move.from_hand:
            hands = _with_item(self.hands, self.to_move, _without(hand, card))
            return replace(self, hands=hands, segment=segment)
        return replace(self, public_circuits=_without(held, card), segment=segment)

    def _finish(self, move: Finish) -> State:  # §5.2
        card = self._find(move, move.display, self.box.displays, self.public_displays)
        if move not in self._finishes():
            raise IllegalMoveError(f"{move}: the segment does not lead there")
        seat = self.to_move
        return replace(
            self,
            turn=self.turn + 1,
            machines=_with_item(self.machines, seat, (*self.machines[seat], card)),
            public_displays=(*_without(self.public_displays, card), *self.display_reserve[:1]),
            display_reserve=self.display_reserve[1:],
            circuit_reserve=(*self.circuit_reserve, *self.segment),
            segment=(),
        )

    def _find(self, move: Move, wanted: str, names: Sequence[str], held: Sequence[int]) -> int:
        for card in held:
            if names[card] == wanted:
                return card
        raise IllegalMoveError(f"{move}: the card is not there")

    def is_over(self) -> bool:  # §7
        """Tell whether a machine is finished and, if the rules say so, its round as well."""
        rules = self.box.rules
        if rules.end == "round" and (self.segment or self.to_move):
            return False
        return any(len(machine) >= rules.goal for machine in self.machines)

    def scores(self) -> tuple[int, ...]:
        """Count the displays of each machine."""
        return tuple(map(len, self.machines))

    def winners(self) -> tuple[int, ...]:
        """Return the seats with most displays, then most circuits in hand."""
        if not self.is_over():
            return ()
        ranks = [
            (len(machine), len(hand) if self.box.rules.end == "round" else 0)
            for machine, hand in zip(self.machines, self.hands, strict=True)
        ]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    def as_seen_by(self, seat: int, rng: Random) -> State:
        """Return a table that looks the same from `seat`: reserves and other hands dealt anew.

        What a player may remember of cards that went under the reserve is not kept.
        """
        hidden = [*self.circuit_reserve]
        for other, hand in enumerate(self.hands):
            if other != seat:
                hidden.extend(hand)
        order = shuffled(hidden, rng)
        hands, start = [], 0
        for other, hand in enumerate(self.hands):
            if other != seat:
                hand, start = order[start : start + len(hand)], start + len(hand)
            hands.append(hand)
        return replace(
            self,
            hands=tuple(hands),
            circuit_reserve=order[start:],
            display_reserve=shuffled(self.display_reserve, rng),
        )

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of all cards by place."""
        box, seats = self.box, range(len(self.hands))
        displays = {
            **{f"machine {seat + 1}": self.machines[seat] for seat in seats},
            "public displays": self.public_displays,
            "display reserve": self.display_reserve,
        }
        circuits = {
            **{f"hand {seat + 1}": self.hands[seat] for seat in seats},
            "public circuits": self.public_circuits,
            "segment": self.segment,
            "circuit reserve": self.circuit_reserve,
        }
        return {
            place: tuple(names[card] for card in cards)
            for names, places in ((box.displays, displays), (box.circuits, circuits))
            for place, cards in places.items()
        }

    def facts(self) -> Mapping[str, tuple[int, ...]]:
        """Return the values that leave what `to_move` has laid last."""
        return {"values": self.box.wiring.lineups[self.value]}

    def hidden_from(self, seat: int) -> frozenset[str]:
        """Return the places that `seat` may not look at."""
        others = (other for other in range(len(self.hands)) if other != seat)
        return frozenset(
            {"display reserve", "circuit reserve", *(f"hand {other + 1}" for other in others)}
        )


class HardWiredEngine:
    """The engine of one loaded game."""

    def __init__(self, game: Game) -> None:
        self.view = HardWired.of(game)
        self.box = Box(self.view)

    def new_game(self, players: int, rng: Random) -> State:
        """Shuffle both decks and deal."""
        displays = shuffled(range(len(self.box.displays)), rng)
        return self.deal(displays, shuffled(range(len(self.box.circuits)), rng), players)

    def deal(self, displays: Sequence[int], circuits: Sequence[int], players: int) -> State:  # §4
        """Set up the table from decks in the order given: each seat, then the public cards."""
        rules = self.box.rules
        hands, start = [], 0
        for seat in range(players):
            end = start + rules.hand + rules.extra_circuits[seat]
            hands.append(tuple(circuits[start:end]))
            start = end
        public = players + rules.public_displays
        return State(
            box=self.box,
            turn=0,
            machines=tuple((display,) for display in displays[:players]),
            hands=tuple(hands),
            public_displays=tuple(displays[players:public]),
            public_circuits=tuple(circuits[start : start + rules.public_circuits]),
            display_reserve=tuple(displays[public:]),
            circuit_reserve=tuple(circuits[start + rules.public_circuits :]),
        )

    def turn_cap(self, players: int) -> int:
        """Return a number of turns that no game with a connected deck can exceed.

        Twice the reserve plus all hands shrinks with every play or draw, and a
        segment adds at most two for each of its circuits; the number of segments
        is limited by the goal, and not everybody can pass in a row.
        """
        rules = self.box.rules
        in_hands = self.view.dealt(players) - rules.public_circuits
        start = 2 * (len(self.box.circuits) - self.view.dealt(players)) + in_hands
        segments = players * (rules.goal - 2) + (players if rules.end == "round" else 1)
        return players * (start + segments * (2 * rules.segment.most + 1))

    def score_bounds(self, players: int) -> tuple[int, int]:
        """Return the fewest and most displays of a machine."""
        return 1, self.box.rules.goal


def engine(game: Game) -> HardWiredEngine:
    """Make the engine of a loaded game."""
    return HardWiredEngine(game)


def _distinct(names: Sequence[str], cards: Sequence[int]) -> dict[str, None]:
    return dict.fromkeys(names[card] for card in cards)


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _with_item(
    rows: tuple[tuple[int, ...], ...], at: int, row: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    return (*rows[:at], row, *rows[at + 1 :])
