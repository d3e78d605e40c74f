"""Run the checks of a game: the general ones, and those that the game brings itself."""

from __future__ import annotations

from collections.abc import Iterator

from kitwright.model.game import Game
from kitwright.play.figures import Check
from kitwright.play.games import module_of
from kitwright.play.simulate import Progress


def run_checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> tuple[Check, ...]:
    """Run every check of a game; one without an engine gets the general ones only."""
    module = module_of(game.id)
    own = module.checks(game, workers, progress) if module is not None else ()
    return (*general_checks(game), *own)


def general_checks(game: Game) -> Iterator[Check]:
    """Check what holds for the decks of any game."""
    for deck in game.decks:
        faces = len({repr(sorted(card.fields.items())) for card in deck.cards})
        yield Check(
            name=f"{deck.id}: no two cards alike",
            level="finding",
            figure=faces,
            bound=f"= {len(deck.cards)}",
            ok=faces == len(deck.cards),
            about=f"{faces} of {len(deck.cards)} cards differ; alike ones could be copies of one",
        )
