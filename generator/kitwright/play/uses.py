"""Which cards were put to use, by whom and how often: read from the moves of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kitwright.engines.api import Using
from kitwright.model.game import Game
from kitwright.model.games import models_of
from kitwright.play.games import USES

Use = tuple[tuple[str, int], ...]  # what was used, and how often


def things(game: Game) -> dict[str, str]:
    """Return what a move can put to use, with its title: cards, or what the rules name.

    A game whose engine plays without cards names things in its rules, such as the goods it trades.
    """
    models = models_of(game.id)
    decks = models.CARDS if models is not None else ()
    cards = {
        card.id: str(card.fields.get("title") or card.id)
        for deck in game.decks
        if deck.id in decks
        for card in deck.cards
    }
    if cards:
        return cards
    groups = (value for value in game.rules.values() if isinstance(value, Mapping))
    rows = ((key, row) for group in groups for key, row in group.items())
    return {key: str(row.get("title", key)) for key, row in rows if isinstance(row, Mapping)}


class Tally:
    """Counts what each seat uses in one game; shown every move."""

    def __init__(self, game: Game, players: int) -> None:
        self.moves: tuple[Counter[Any], ...] = tuple(Counter() for _ in range(players))
        self.cards: tuple[Counter[str], ...] = tuple(Counter() for _ in range(players))
        self.known = frozenset(things(game))
        self.verbs = USES.get(game.id)

    def __call__(self, state: Any, move: Any) -> None:
        """Note a move of the seat that acts."""
        if isinstance(state, Using):
            self.cards[state.to_move].update(state.used(move))
        else:
            self.moves[state.to_move][move] += 1

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
