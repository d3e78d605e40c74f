"""A bot that looks ahead: flat Monte-Carlo search over worlds that it cannot tell apart.

It plays every game through the engine contract. For each of its moves it deals the hidden
cards anew many times and lets a simpler bot, its base, play all seats on; every move is tried
in the same worlds, the worse half is given up again and again, and the base's own move is
kept unless another is better by more than chance explains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

Player = Callable[[Any, Random], Any]
Value = Callable[[Any, int], float]
FEWEST = 4  # worlds without which nothing is sure
VICTORY = 0.2  # of the best score: what it is worth beyond the lead to have won


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard the bot thinks."""

    games: int = 64  # played ahead for one move, all its choices together
    turns: int | None = None  # how far; None to the end of the game
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


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Chooses the move that turns out best when the base plays on."""

    base: Player
    effort: Effort
    value: Value = outcome

    def __call__(self, seen: Any, rng: Random) -> Any:
        """Return one of `seen.legal_moves()`."""
        moves = seen.legal_moves()
        if len(moves) == 1:
            return moves[0]
        favourite = self.base(seen, rng)
        if self.effort.only:
            moves = tuple(move for move in moves if str(move).split()[0] in self.effort.only)
            if favourite not in moves or len(moves) == 1:
                return favourite
        return _Choice(self, seen, favourite, moves, rng).best()

    def play_on(self, state: Any, seat: int, rng: Random) -> float:
        """Let the base play all seats; return how it turned out."""
        last = None if self.effort.turns is None else state.turn + self.effort.turns
        base = self.base
        while not state.is_over() and (last is None or state.turn < last):
            state = state.apply(base(state, rng))
        return self.value(state, seat)


class _Choice:
    """One decision: the moves, and what came of each in the worlds tried so far."""

    def __init__(
        self, bot: SearchBot, seen: Any, favourite: Any, moves: Sequence[Any], rng: Random
    ) -> None:
        self.bot, self.seen, self.seat = bot, seen, seen.to_move
        self.moves = moves
        self.favourite = next(n for n, move in enumerate(moves) if move == favourite)
        self.found: list[list[float]] = [[] for _ in moves]
        self.seed = rng.random()

    def best(self) -> Any:
        """Try all moves in a few worlds, the better half in more, and so on."""
        left = list(range(len(self.moves)))
        phases = max(1, (len(left) - 1).bit_length())
        worlds = 0
        for _ in range(phases):
            more = max(1, self.bot.effort.games // (phases * len(left)))
            worlds += more
            self.try_out(left, worlds)
            left.sort(key=lambda n: (-fmean(self.found[n]), n))
            left = left[: max(1, len(left) // 2)]
            if self.favourite not in left:
                left.append(self.favourite)
        return self.moves[self.surely_better(left[0])]

    def try_out(self, moves: Sequence[int], worlds: int) -> None:
        """Play moves on until each has been tried in so many worlds."""
        for world in range(min(len(self.found[n]) for n in moves), worlds):
            seed = f"{self.seed}:{world}"
            dealt = self.seen.as_seen_by(self.seat, Random(seed))
            for n in moves:
                if len(self.found[n]) == world:
                    after = dealt.apply(self.moves[n])
                    self.found[n].append(self.bot.play_on(after, self.seat, Random(seed)))

    def surely_better(self, best: int) -> int:
        """Return the best move, or that of the base where the difference may be chance."""
        pairs = zip(self.found[best], self.found[self.favourite], strict=False)
        gains = [ours - theirs for ours, theirs in pairs]
        if best == self.favourite or len(gains) < FEWEST:
            return self.favourite
        error = stdev(gains) / sqrt(len(gains))
        return best if fmean(gains) > self.bot.effort.doubt * error else self.favourite
