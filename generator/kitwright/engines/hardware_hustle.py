"""Hardware Hustle: the whole rules for any number of players.

Section numbers (§) are those of components/hardware-hustle/rules.md.
A turn is Buy, Make, Sell and the research of PM (§4). The dice to come follow from a
seed that is kept in the state, so everything is pure; dice that are given come first,
which is how a recorded game is replayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import ACTIONS, Rules, rules_of

BUY, MAKE, SELL, RESEARCH = range(4)
PHASES = 4
_MASK = (1 << 64) - 1


class Do(Struct, frozen=True):
    """Buy one part, make one widget or sell one widget."""

    action: str
    what: str

    def __str__(self) -> str:
        return f"{self.action} {self.what}"


class Done(Struct, frozen=True):
    """End the phase."""

    def __str__(self) -> str:
        return "done"


class Research(Struct, frozen=True):
    """Lower the costs of one action."""

    action: str

    def __str__(self) -> str:
        return f"research {self.action}"


class Rest(Struct, frozen=True):
    """Lose the turn after a burnout."""

    def __str__(self) -> str:
        return "rest"


Move = Do | Done | Research | Rest
DONE = Done()


class Box:
    """What does not change during a game: the numbers, with names turned into positions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.parts = tuple(rules.parts)
        self.widgets = tuple(rules.widgets)
        self.part_prices = tuple(part.price for part in rules.parts.values())
        self.widget_prices = tuple(widget.price for widget in rules.widgets.values())
        self.recipes = tuple(
            tuple(int(part in widget.parts) for part in self.parts)
            for widget in rules.widgets.values()
        )
        self.turns = len(rules.opportunity)
        self.levels = len(next(iter(rules.parts.values())).buy)
        costs = (
            [part.buy for part in rules.parts.values()],
            [widget.make for widget in rules.widgets.values()],
            [widget.sell for widget in rules.widgets.values()],
        )
        # by phase, then level, then part or widget
        self.costs = tuple(
            tuple(tuple(row[level] for row in rows) for level in range(self.levels))
            for rows in costs
        )
        names = (self.parts, self.widgets, self.widgets)
        self.moves = tuple(
            tuple(Do(ACTIONS[phase], name) for name in names[phase]) for phase in range(RESEARCH)
        )
        self.places = {move: at for moves in self.moves for at, move in enumerate(moves)}


class Sheet(Struct, frozen=True):
    """What one player owns and knows."""

    money: int
    parts: tuple[int, ...]
    widgets: tuple[int, ...]
    levels: tuple[int, int, int] = (0, 0, 0)  # of Buy, Make and Sell
    burnouts: int = 0
    resting: bool = False  # the next turn is lost


class State(Struct, frozen=True):
    """A table of Hardware Hustle between two moves."""

    box: Box
    turn: int  # turns completed, by all seats together
    sheets: tuple[Sheet, ...]
    phase: int
    roll: int  # of this phase
    room: int  # opportunity that the roll still allows in this phase
    left: int  # opportunity that the turn still has; below 0 is a burnout
    seed: int  # hidden: of the dice to come
    dice: tuple[int, ...] = ()  # given rolls, used before the seed's

    @property
    def to_move(self) -> int:
        """The seat that acts next."""
        return self.turn % len(self.sheets)

    @property
    def day(self) -> int:
        """The number of the turn on the sheet, counted from 0."""
        return self.turn // len(self.sheets)

    @property
    def sheet(self) -> Sheet:
        """The sheet of the seat that acts next."""
        return self.sheets[self.turn % len(self.sheets)]

    def is_over(self) -> bool:
        """Tell whether all sheets are filled out."""
        return self.day >= self.box.turns

    def legal_moves(self) -> tuple[Move, ...]:
        """List the moves open to `to_move`, in a fixed order; none once the game is over."""
        if self.is_over():
            return ()
        sheet, box = self.sheet, self.box
        if sheet.resting:
            return (Rest(),)
        if self.phase == RESEARCH:
            top = box.levels - 1
            open_ = (a for a, lv in zip(ACTIONS, sheet.levels, strict=True) if lv < top)
            return (*map(Research, open_), DONE)
        able = [move for at, move in enumerate(box.moves[self.phase]) if not self.refusal(at)]
        return (*able, DONE)

    def cost(self, at: int) -> int:
        """Return the opportunity that one part or widget takes in this phase."""
        phase = self.phase
        return self.box.costs[phase][self.sheet.levels[phase]][at]

    def refusal(self, at: int) -> str:
        """Say what forbids part or widget `at` now (§4.2, §4.3, §4.4); nothing if allowed."""
        sheet, box = self.sheet, self.box
        phase = self.phase
        if phase == BUY and box.part_prices[at] > sheet.money:
            return f"it costs {box.part_prices[at]} money and {sheet.money} is there"
        if phase == MAKE:
            for name, need, have in zip(box.parts, box.recipes[at], sheet.parts, strict=True):
                if need > have:
                    return f"there is no {name} for it"
        if phase == SELL and not sheet.widgets[at]:
            return "there is none to sell"
        if (cost := box.costs[phase][sheet.levels[phase]][at]) > self.room:
            return f"it costs {cost} opportunity and the roll of {self.roll} leaves {self.room}"
        return ""

    def apply(self, move: Move) -> State:
        """Return the state after `move`."""
        if self.is_over():
            raise IllegalMoveError(f"{move}: the game is over")
        sheet = self.sheet
        match move:
            case Rest():
                if not sheet.resting:
                    raise IllegalMoveError(f"{move}: there was no burnout")
                return self._next_turn(replace(sheet, resting=False))
            case _ if sheet.resting:
                raise IllegalMoveError(f"{move}: the turn is lost to a burnout")
            case Research():
                return self._research(move)
            case Done() if self.phase == RESEARCH:
                return self._next_turn(sheet)
            case Done():
                return self._next_phase()
            case Do():
                return self._do(move)

    def _do(self, move: Do) -> State:
        if self.phase == RESEARCH or move.action != ACTIONS[self.phase]:
            raise IllegalMoveError(f"{move}: it is not the phase for it")
        if move not in self.box.places:
            raise IllegalMoveError(f"{move}: there is no such thing")
        at = self.box.places[move]
        if refusal := self.refusal(at):
            raise IllegalMoveError(f"{move}: {refusal}")
        cost = self.cost(at)
        sheets = _with(self.sheets, self.to_move, _CHANGES[self.phase](self.box, self.sheet, at))
        room, left = self.room - cost, self.left - cost
        return State(
            self.box, self.turn, sheets, self.phase, self.roll, room, left, self.seed, self.dice
        )

    def _next_phase(self) -> State:
        """Go on to Make or Sell; after Sell tell a burnout (§4.6) or roll for research (§4.5)."""
        phase = self.phase + 1
        if phase == RESEARCH:
            if self.left < 0:
                sheet = self.sheet
                worn = replace(sheet, burnouts=sheet.burnouts + 1, resting=True)
                return self._next_turn(worn)
            if self.day == self.box.turns - 1 or min(self.sheet.levels) == self.box.levels - 1:
                return self._next_turn(self.sheet)
        roll = self.roll_of(phase)
        if phase == RESEARCH and roll > self.left:
            return self._next_turn(self.sheet)
        return replace(self, phase=phase, roll=roll, room=roll if phase != RESEARCH else 0)

    def _research(self, move: Research) -> State:
        if self.phase != RESEARCH:
            raise IllegalMoveError(f"{move}: it is not the phase for it")
        at = ACTIONS.index(move.action)
        levels = list(self.sheet.levels)
        if levels[at] >= self.box.levels - 1:
            raise IllegalMoveError(f"{move}: its costs are as low as they go")
        levels[at] += 1
        return self._next_turn(replace(self.sheet, levels=(levels[0], levels[1], levels[2])))

    def _next_turn(self, sheet: Sheet) -> State:
        sheets = _with(self.sheets, self.to_move, sheet)
        return replace(self, turn=self.turn + 1, sheets=sheets, phase=BUY).begun()

    def begun(self) -> State:
        """Return the state after the AM of a turn (§4.1): its opportunity, and the roll for Buy."""
        if self.is_over():
            return replace(self, roll=0, room=0, left=0)
        roll = self.roll_of(BUY)
        return replace(self, roll=roll, room=roll, left=self.box.rules.opportunity[self.day])

    def roll_of(self, phase: int) -> int:
        """Return the die of a phase of this turn: a given one, or that of the seed."""
        shared = self.box.rules.rolls == "shared"
        at = (self.day if shared else self.turn) * PHASES + phase
        if at < len(self.dice):
            return self.dice[at]
        return 1 + _mixed(self.seed + at) % self.box.rules.die

    def scores(self) -> tuple[int, ...]:
        """Return the money of each seat; parts and widgets count for nothing (§6)."""
        return tuple(sheet.money for sheet in self.sheets)

    def winners(self) -> tuple[int, ...]:
        """Return the seats with most money, then fewest burnouts (§6)."""
        if not self.is_over():
            return ()
        ranks = [(sheet.money, -sheet.burnouts) for sheet in self.sheets]
        return tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))

    def as_seen_by(self, seat: int, rng: Random) -> State:
        """Return a state with other dice to come; all else lies open."""
        seed = int(rng.random() * _MASK)
        return State(
            self.box, self.turn, self.sheets, self.phase, self.roll, self.room, self.left, seed
        )

    def cards(self) -> Mapping[str, tuple[str, ...]]:
        """Return no cards: there are none."""
        return {}

    def hidden_from(self, seat: int) -> frozenset[str]:
        """Return no places: only the dice to come are hidden."""
        return frozenset()


class HardwareHustleEngine:
    """The engine of one loaded game."""

    def __init__(self, game: Game) -> None:
        self.box = Box(rules_of(game))

    def new_game(self, players: int, rng: Random, dice: tuple[int, ...] = ()) -> State:
        """Hand everybody an empty sheet; `dice` are rolled before any others, in order of play."""
        box = self.box
        sheet = Sheet(box.rules.money, (0,) * len(box.parts), (0,) * len(box.widgets))
        seed = int(rng.random() * _MASK)
        return State(box, 0, (sheet,) * players, BUY, 0, 0, 0, seed, dice).begun()

    def turn_cap(self, players: int) -> int:
        """Return the number of turns of a whole game."""
        return self.box.turns * players

    def score_bounds(self, players: int) -> tuple[int, int]:
        """Return the least and the most money.

        Weigh money once, a widget at its price and a part at its price times the best gain
        of any kit: only buying adds weight, at most by that gain, and each turn buys once.
        """
        rules = self.box.rules
        gain = max(1, *(-(-w.price // rules.kit_price(w)) for w in rules.widgets.values()))
        return 0, int(max(rules.money, 1) * gain**self.box.turns)


def engine(game: Game) -> HardwareHustleEngine:
    """Make the engine of a loaded game."""
    return HardwareHustleEngine(game)


def _bought(box: Box, sheet: Sheet, at: int) -> Sheet:
    money, parts = sheet.money - box.part_prices[at], _added(sheet.parts, at, 1)
    return Sheet(money, parts, sheet.widgets, sheet.levels, sheet.burnouts)


def _made(box: Box, sheet: Sheet, at: int) -> Sheet:
    parts = tuple(have - need for have, need in zip(sheet.parts, box.recipes[at], strict=True))
    widgets = _added(sheet.widgets, at, 1)
    return Sheet(sheet.money, parts, widgets, sheet.levels, sheet.burnouts)


def _sold(box: Box, sheet: Sheet, at: int) -> Sheet:
    money, widgets = sheet.money + box.widget_prices[at], _added(sheet.widgets, at, -1)
    return Sheet(money, sheet.parts, widgets, sheet.levels, sheet.burnouts)


_CHANGES = (_bought, _made, _sold)


def _added(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])


def _with(sheets: tuple[Sheet, ...], at: int, sheet: Sheet) -> tuple[Sheet, ...]:
    return (*sheets[:at], sheet, *sheets[at + 1 :])


def _mixed(value: int) -> int:
    """Scramble a number into 64 even bits (splitmix64), the same in every version of Python."""
    value = (value * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ value >> 27) * 0x94D049BB133111EB) & _MASK
    return value ^ value >> 31
