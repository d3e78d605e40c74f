"""The best expected money at Hardware Hustle: expectimax over the real states of a solo game.

Choices are left out only where another is proved to be no worse:

- A widget is only good for selling, so one that sells for no opportunity is sold at once.
- A part that is bought for no opportunity can be bought as well when it is needed, since no
  cost ever rises; so no more are bought than can be used this turn. The same holds for widgets that
  are made for no opportunity.
- Where a widget takes no opportunity at all, all money left goes into it: it comes back as more
  before it can be wanted.

`Limits` leave out more: what is carried over above a number is thrown away, and an evening below
a number is avoided. A player may do both, so the result is then one that can really be
reached: a lower bound. A game of up to three turns needs no limits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from kitwright.engines.hardware_hustle import Box
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import rules_of

BITS, MASK = 6, 63
A, B, C, D, X, Y, Z = (1 << BITS * at for at in range(7))
LEVELS = BITS * 7
SELL_UP, MAKE_UP, BUY_UP = (1 << LEVELS + BITS * at for at in range(3))
MONEY = LEVELS + BITS * 3
UNIT = 1 << MONEY
NEVER = -1e9


class ShapeError(ValueError):
    """The game has other parts and widgets than the solver knows."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the solver leaves out; see above."""

    carry: tuple[int, ...]  # of each part and widget
    keep: tuple[int, ...]  # opportunity left, by turn


def full_limits(game: Game) -> Limits:
    """Return limits under which the whole game is solved in a minute or two.

    They forbid burnouts. The result is what can really be reached, 178.3 with the printed
    numbers; an exact solution made apart from this one finds 181.0, and 88.9 for fair-trade,
    where these limits reach 83.4.
    """
    rules = rules_of(game)
    keep = tuple(min(rules.die, max(0, today - 4)) for today in rules.opportunity)
    return Limits(carry=(2, 2, 2, 1, 1, 1, 1), keep=keep)


def best_money(game: Game, turns: int, limits: Limits | None = None) -> float:
    """Return the best mean money of a solo game that ends after its first `turns` turns."""
    return Solver(game, turns, limits).solve()


def _mean(best: list[float]) -> float:
    """Return the mean over the rolls, when best[c] is what can be had for c opportunity."""
    total, top = 0.0, best[0]
    for value in best[1:]:
        if value > top:
            top = value
        total += top
    return total / (len(best) - 1)


class Solver:
    """The value of every state that can be reached; a state is packed into one number."""

    def __init__(self, game: Game, turns: int, limits: Limits | None) -> None:
        rules = rules_of(game)
        box = Box(rules)
        if box.recipes != ((1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)):
            raise ShapeError(
                "the solver knows four parts and three widgets, each with one part more"
            )
        self.start = rules.money * UNIT
        self.die, self.top = rules.die, box.levels - 1
        self.opportunity, self.last = rules.opportunity[:turns], turns - 1
        self.prices, self.pays = box.part_prices, box.widget_prices
        self.buy, self.make, self.sell = box.costs
        self.limits = limits
        self.keep = limits.keep if limits is not None else (-99,) * turns
        self.values: list[dict[int, float]] = [{} for _ in range(turns)]
        self.raised: list[dict[int, float]] = [{} for _ in range(turns)]
        self.made: list[dict[int, float]] = [{} for _ in range(turns)]
        self.sold: list[dict[int, float]] = [{} for _ in range(turns)]
        self.most_made = lru_cache(maxsize=None)(self._most_made)

    def solve(self) -> float:
        """Return the value of the start."""
        return self.value(0, self.start)

    def value(self, turn: int, state: int) -> float:
        """Return the best mean money from the AM of a turn on."""
        if turn > self.last:
            return float(state >> MONEY)
        known = self.values[turn]
        found = known.get(state)
        if found is None:
            plain = self.clamped(turn, state)
            found = self.morning(turn, state) if plain == state else self.value(turn, plain)
            known[state] = found
        return found

    def upgraded(self, turn: int, state: int) -> float:
        """Return the same after the best research."""
        if turn > self.last:
            return float(state >> MONEY)
        found = self.raised[turn].get(state)
        if found is None:
            found = 0.0
            for step in (BUY_UP, MAKE_UP, SELL_UP):
                level = state // step & MASK
                found = max(found, self.value(turn, state + step * (level < self.top)))
            self.raised[turn][state] = found
        return found

    def clamped(self, turn: int, state: int) -> int:
        """Throw away what is above the limits, or of no use in the last turn."""
        if self.limits is not None:
            for at, most in enumerate(self.limits.carry):
                extra = (state >> BITS * at & MASK) - most
                if extra > 0:
                    state -= extra << BITS * at
        if turn == self.last:
            costs = self.sell[state >> LEVELS & MASK]
            for unit, cost in ((A, 0), (B, 0), (C, 1), (D, 2), (X, 0), (Y, 1), (Z, 2)):
                if costs[cost]:
                    extra = (state // unit & MASK) - self.die // costs[cost]
                    if extra > 0:
                        state -= extra * unit
        return state

    def morning(self, turn: int, state: int) -> float:
        """Return the mean over the roll for Buy."""
        best = [NEVER] * (self.die + 1)
        for bought, spent in self.purchases(turn, state):
            found = self.making(turn, bought, spent)
            if found > best[spent]:
                best[spent] = found
        return _mean(best)

    def room(self, turn: int, spent: int) -> int:
        """Return the opportunity that a phase may use after `spent`."""
        if turn == self.last:
            return self.die
        return min(self.die, self.opportunity[turn] - self.keep[turn] - spent)

    def purchases(self, turn: int, state: int) -> list[tuple[int, int]]:
        """List what may be bought: the state after it, and the opportunity spent."""
        level = state // BUY_UP & MASK
        _, _, oc, od = self.buy[level]
        pc, pd = self.prices[2:]
        make = self.make[state // MAKE_UP & MASK]
        found: list[tuple[int, int]] = []
        room = self.room(turn, 0)
        c, d = state // C & MASK, state // D & MASK
        if turn == self.last:  # what cannot be sold today is of no use
            make = tuple(map(max, make, self.sell[state >> LEVELS & MASK]))
        most_c, most_d = self.die // max(1, min(make[1:])), self.die // max(1, make[2])
        for nd in range((state >> MONEY) // pd + 1):
            if nd * od > room or (nd and d + nd > most_d and not (od and turn < self.last)):
                break
            with_d = state + nd * (D - pd * UNIT)
            for nc in range((with_d >> MONEY) // pc + 1):
                spent = nd * od + nc * oc
                if spent > room or (nc and c + nc > most_c and not (oc and turn < self.last)):
                    break
                self._pairs(with_d + nc * (C - pc * UNIT), spent, room, found)
        return found

    def _pairs(self, state: int, spent: int, room: int, found: list[tuple[int, int]]) -> None:
        """Add the ways to buy the first two parts, which every widget needs."""
        oa, ob = self.buy[state // BUY_UP & MASK][:2]
        make, sell = self.make[state // MAKE_UP & MASK], self.sell[state >> LEVELS & MASK]
        pa, pb = self.prices[:2]
        if not (oa or ob or make[0] or sell[0]) and self.pays[0] >= pa + pb:
            found.append((self._all_in(state), spent))
            return
        a, b, c, d = (state // unit & MASK for unit in (A, B, C, D))
        most_b = self.die // max(1, sell[0]) + c  # made for nothing, but not sold
        if make[0]:
            most_b = self.most_made(make, 99, 99, c, d)
        for nb in range((state >> MONEY) // pb + 1):
            cost = spent + nb * ob
            if cost > room or (nb and not ob and b + nb > most_b):
                break
            with_b = state + nb * (B - pb * UNIT)
            most_a = max(a, self.most_made(make, 99, b + nb, c, d))
            fewest = max(a, b + nb) if nb and not ob else a
            for have in range(fewest, min(most_a, a + (with_b >> MONEY) // pa) + 1):
                whole = cost + (have - a) * oa
                if whole > room:
                    break
                found.append((with_b + (have - a) * (A - pa * UNIT), whole))

    def _all_in(self, state: int) -> int:
        """Put all money into the first two parts, evenly."""
        pa, pb = self.prices[:2]
        a, b, money = state // A & MASK, state // B & MASK, state >> MONEY
        if a < b:
            n = min(b - a, money // pa)
            state, money, a = state + n * (A - pa * UNIT), money - n * pa, a + n
        elif b < a:
            n = min(a - b, money // pb)
            state, money, b = state + n * (B - pb * UNIT), money - n * pb, b + n
        n = money // (pa + pb) if a == b else 0
        # More than a field holds is sold already: each pair comes back as a widget's price.
        n_kept = min(n, MASK - max(a, b))
        state += n_kept * (A + B - (pa + pb) * UNIT)
        return state + (n - n_kept) * (self.pays[0] - pa - pb) * UNIT

    def _most_made(self, make: tuple[int, ...], a: int, b: int, c: int, d: int) -> int:
        """Return the number of widgets that these parts and the highest roll allow."""
        pairs = min(a, b)
        if not make[0]:
            return pairs
        best = 0
        for z in range(min(pairs, c, d) + 1):
            for y in range(min(pairs, c) - z + 1):
                rest = self.die - z * make[2] - y * make[1]
                if rest < 0:
                    break
                best = max(best, z + y + min(pairs - z - y, rest // make[0]))
        return best

    def making(self, turn: int, state: int, spent: int) -> float:
        """Return the mean over the roll for Make."""
        if turn == self.last:  # money no longer matters, so it is left out of the key
            money, state, spent = state >> MONEY, state & UNIT - 1, 0
        else:
            money = 0
        key = state << 6 | spent
        found = self.made[turn].get(key)
        if found is None:
            best = [NEVER] * (self.die + 1)
            for after, cost in self.products(state, self.room(turn, spent)):
                value = self.selling(turn, after, spent + cost)
                if value > best[cost]:
                    best[cost] = value
            found = self.made[turn][key] = _mean(best)
        return money + found

    def products(self, state: int, room: int) -> list[tuple[int, int]]:
        """List what may be made: the state after it, and the opportunity spent."""
        ox, oy, oz = self.make[state // MAKE_UP & MASK]
        sell = self.sell[state >> LEVELS & MASK][0]
        a, b, c, d, x = (state // unit & MASK for unit in (A, B, C, D, X))
        free = not (ox or sell or any(self.buy[state // BUY_UP & MASK][:2]))
        most_x = self.die // max(1, sell) - x
        pairs, found = min(a, b), []
        for z in range(min(pairs, c, d) + 1):
            if z * oz > room:
                break
            for y in range(min(pairs, c) - z + 1):
                cost = z * oz + y * oy
                if cost > room:
                    break
                rest = pairs - z - y
                after = state + z * (Z - A - B - C - D) + y * (Y - A - B - C)
                most = min(rest, most_x) if not ox else min(rest, (room - cost) // ox)
                for n in (rest,) if free else range(max(most, 0) + 1):
                    found.append((after + n * (X - A - B), cost + n * ox))
        return found

    def selling(self, turn: int, state: int, spent: int) -> float:
        """Return the mean over the roll for Sell."""
        last = turn == self.last
        if last:
            state, spent = state & ~(X - 1), 0
        key = state << 6 | spent
        found = self.sold[turn].get(key)
        if found is not None:
            return found
        room, left = self.room(turn, spent), 0 if last else self.opportunity[turn] - spent
        best = [NEVER] * (self.die + 1)
        for after, cost in self.sales(state, room):
            value = float(after >> MONEY) if last else self.evening(turn, after, left - cost)
            if value > best[cost]:
                best[cost] = value
        found = self.sold[turn][key] = _mean(best)
        return found

    def sales(self, state: int, room: int) -> list[tuple[int, int]]:
        """List what may be sold: the state after it, and the opportunity spent."""
        ox, oy, oz = self.sell[state >> LEVELS & MASK]
        px, py, pz = (pay * UNIT for pay in self.pays)
        x, y, z = (state // unit & MASK for unit in (X, Y, Z))
        found = []
        for nz in range(0 if oz else z, z + 1):
            if nz * oz > room:
                break
            for ny in range(0 if oy else y, y + 1):
                cost = nz * oz + ny * oy
                if cost > room:
                    break
                after = state + nz * (pz - Z) + ny * (py - Y)
                for nx in range(0 if ox else x, x + 1):
                    if cost + nx * ox > room:
                        break
                    found.append((after + nx * (px - X), cost + nx * ox))
        return found

    def evening(self, turn: int, state: int, left: int) -> float:
        """Return what PM is worth: research by chance, or a lost turn."""
        if left < 0:
            return self.value(turn + 2, state)
        if left >= self.die:
            return self.upgraded(turn + 1, state)
        plain = self.value(turn + 1, state)
        if not left:
            return plain
        return (left * self.upgraded(turn + 1, state) + (self.die - left) * plain) / self.die
