"""A bot that looks ahead: Monte-Carlo tree search over worlds that it cannot tell apart.

It plays every game through the engine contract. For each of its moves it deals the hidden
cards anew many times and plays on: its own next decisions down a tree that it grows, all the
rest by a simpler bot, its base. Every move is tried in the same worlds, the worse half is given
up again and again, and the base's own move is kept unless another is better by more than chance
explains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from kitwright.play.tree import Node, Tree, Way

Player = Callable[[Any, Random], Any]
Value = Callable[[Any, int], float]
FEWEST = 4  # worlds without which nothing is sure
SCOUTED = 2  # of so many worlds one is also played by a scout, who looks for better plans
VICTORY = 0.2  # of the best score: what it is worth beyond the lead to have won


class Effort(Struct, frozen=True):
    """How hard the bot thinks."""

    games: int = 64  # played ahead for one move, all its choices together
    turns: int | None = None  # how far; None to the end of the game
    depth: int = 3  # own decisions in the tree, this one among them; with 1 the base plays on
    base: str | None = None  # the bot that plays on; the typical one of the game without it
    only: tuple[str, ...] = ()  # the first words of moves worth a thought; all without them
    doubt: float = 2.0  # standard errors by which a move must beat that of the base


def outcome(state: Any, seat: int) -> float:
    """Return how good a moment is for a seat: its score alone, its lead in company.

    A lead says more than a victory, so fewer games ahead tell two moves apart.
    """
    scores = state.scores()
    if len(scores) == 1:
        return float(scores[0])
    lead: float = scores[seat] - max(s for other, s in enumerate(scores) if other != seat)
    winners = state.winners()
    return lead + VICTORY * max(map(abs, scores)) / len(winners) if seat in winners else lead


class SearchBot(Struct, frozen=True):
    """Chooses the move that turns out best when it plans some moves on and the base the rest."""

    base: Player
    effort: Effort
    value: Value = outcome

    def __call__(self, seen: Any, rng: Random) -> Any:
        """Return one of `seen.legal_moves()`."""
        moves = seen.legal_moves()
        if len(moves) == 1:
            return moves[0]
        favourite = self.base(seen, rng)
        moves = self.worth_a_thought(moves, favourite)
        return _Choice(self, seen, favourite, moves, rng).best() if len(moves) > 1 else favourite

    def worth_a_thought(self, moves: Sequence[Any], favourite: Any) -> Sequence[Any]:
        """Return the moves between which to choose: that of the base alone if it is not one."""
        if not self.effort.only:
            return moves
        left = [move for move in moves if str(move).split()[0] in self.effort.only]
        return left if favourite in left else (favourite,)

    def play_on(self, state: Any, seat: int, last: int | None, rng: Random) -> float:
        """Let the base play all seats until a turn; return how it turned out."""
        base = self.base
        while not state.is_over() and (last is None or state.turn < last):
            state = state.apply(base(state, rng))
        return self.value(state, seat)

    def follow(self, way: Way, state: Any, seat: int, last: int | None, rng: Random) -> float:
        """Make own decisions as a way down the tree says, the base all others and the rest."""
        while way.steps < self.effort.depth and not state.is_over():
            if last is not None and state.turn >= last:
                break
            move = self.base(state, rng)
            if state.to_move == seat:
                moves = self.worth_a_thought(state.legal_moves(), move)
                if len(moves) > 1:
                    move = way.step(moves, move)
            state = state.apply(move)
        return self.play_on(state, seat, last, rng)


class _Choice:
    """One decision: the moves, and what came of each in the worlds tried so far."""

    def __init__(
        self, bot: SearchBot, seen: Any, favourite: Any, moves: Sequence[Any], rng: Random
    ) -> None:
        self.bot, self.seen, self.seat = bot, seen, seen.to_move
        self.moves = moves
        self.favourite = next(n for n, move in enumerate(moves) if move == favourite)
        self.found: list[list[float]] = [[] for _ in moves]
        self.tree, self.roots = Tree(), [Node() for _ in moves]
        self.seed = rng.random()

    def best(self) -> Any:
        """Try all moves in a few worlds, the better half in more, and so on."""
        effort, left = self.bot.effort, list(range(len(self.moves)))
        phases = max(1, (len(left) - 1).bit_length())
        worlds, cost = 0, 1 + (effort.depth > 1) / SCOUTED
        for _ in range(phases):
            worlds += max(1, int(effort.games / (phases * cost * len(left))))
            self.try_out(left, worlds)
            left.sort(key=lambda n: (-fmean(self.found[n]), n))
            left = left[: max(1, len(left) // 2)]
            if self.favourite not in left:
                left.append(self.favourite)
        return self.moves[self.surely_better(left[0])]

    def try_out(self, moves: Sequence[int], worlds: int) -> None:
        """Play moves on until each has been tried in so many worlds."""
        first = sorted(moves, key=lambda n: n != self.favourite)
        for world in range(min(len(self.found[n]) for n in moves), worlds):
            seed = f"{self.seed}:{world}"
            dealt = self.seen.as_seen_by(self.seat, Random(seed))
            usual = 0.0
            for n in first:
                if len(self.found[n]) == world:
                    usual = self.play(n, dealt, usual, seed)
                    if self.bot.effort.depth > 1 and world % SCOUTED == 0:
                        self.scout(n, dealt, usual, seed)

    def play(self, n: int, dealt: Any, usual: float, seed: str) -> float:
        """Play a move on as well as is known; return what the base alone makes of the world.

        All that the tree learns is compared with that, so no plan has the luck of its worlds.
        The favourite comes first, and mostly is followed as the base would.
        """
        way = self.tree.way(self.roots[n])
        value = self.go(n, way, dealt, seed)
        self.found[n].append(value)
        if n == self.favourite:
            alone = Way(Node(), 0.0)
            usual = self.go(n, alone, dealt, seed) if way.strayed else value
        self.tree.learn(way, value - usual)
        return usual

    def scout(self, n: int, dealt: Any, usual: float, seed: str) -> None:
        """Play a move on in ways that are not well known; only the tree learns from it."""
        way = self.tree.way(self.roots[n], curious=True)
        self.tree.learn(way, self.go(n, way, dealt, seed) - usual)

    def go(self, n: int, way: Way, dealt: Any, seed: str) -> float:
        """Follow a way from one of the moves."""
        turns = self.bot.effort.turns
        last = None if turns is None else dealt.turn + turns
        return self.bot.follow(way, dealt.apply(self.moves[n]), self.seat, last, Random(seed))

    def surely_better(self, best: int) -> int:
        """Return the best move, or that of the base where the difference may be chance."""
        pairs = zip(self.found[best], self.found[self.favourite], strict=False)
        gains = [ours - theirs for ours, theirs in pairs]
        if best == self.favourite or len(gains) < FEWEST:
            return self.favourite
        error = stdev(gains) / sqrt(len(gains))
        return best if fmean(gains) > self.bot.effort.doubt * error else self.favourite
