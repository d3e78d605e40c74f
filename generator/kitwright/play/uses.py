"""Which cards were put to use, by whom and how often: read from the moves of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from kitwright.engines import engine_of
from kitwright.engines.api import Using
from kitwright.model.game import Game

Use = tuple[tuple[str, int], ...]  # what was used, and how often


def things(game: Game) -> dict[str, str]:
    """Return what a move can put to use, with its title: cards, or what the rules name.

    A game whose engine plays without cards names things in its rules, such as the goods it trades.
    """
    engine = engine_of(game)
    if engine is None:
        return {}
    table = engine.new_game(game.players[1], Random(0)).cards()
    there = {card for cards in table.values() for card in cards}
    titles = {
        card.id: str(card.fields.get("title") or card.id)
        for deck in game.decks
        for card in deck.cards
        if card.id in there
    }
    if titles:
        return titles
    groups = (value for value in game.rules.values() if isinstance(value, Mapping))
    rows = ((key, row) for group in groups for key, row in group.items())
    return {key: str(row.get("title", key)) for key, row in rows if isinstance(row, Mapping)}


class Tally:
    """Counts what each seat uses in one game; shown every move."""

    def __init__(
        self, players: int, known: Collection[str], verbs: tuple[str, ...] | None = None
    ) -> None:
        self.moves: tuple[Counter[Any], ...] = tuple(Counter() for _ in range(players))
        self.cards: tuple[Counter[str], ...] = tuple(Counter() for _ in range(players))
        self.known, self.verbs = known, verbs

    def __call__(self, state: Any, move: Any) -> None:
        """Note a move of the seat that acts."""
        seat: int = state.to_move
        if isinstance(state, Using):
            self.cards[seat].update(state.used(move))
        else:
            self.moves[seat][move] += 1

    def used(self) -> tuple[Use, ...]:
        """Return what every seat has used, sorted."""
        for cards, moves in zip(self.cards, self.moves, strict=True):
            for move, times in moves.items():
                for word in named_in(str(move), self.verbs):
                    if word in self.known:
                        cards[word] += times
        return tuple(tuple(sorted(cards.items())) for cards in self.cards)


@lru_cache(maxsize=4096)
def named_in(move: str, verbs: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the words of a move that may be what it uses."""
    verb, *words = move.split()
    return tuple(words) if verbs is None or verb in verbs else ()
