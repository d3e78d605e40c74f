"""The checks of Devices: its decks first, then what devices can do. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from kitwright.engines.devices import engine
from kitwright.model.game import Game
from kitwright.model.games.devices import Devices, price_by_rule
from kitwright.play.figures import Check
from kitwright.play.simulate import Progress


def checks(
    game: Game, workers: int | None = None, progress: Progress | None = None
) -> Iterator[Check]:
    """Yield the checks of the decks."""
    yield from price_checks(engine(game).view)


def price_checks(view: Devices) -> Iterator[Check]:
    """Check that every price is the one of the rule, or says why not."""
    off = [
        f"{name} costs {part.price}, by rule {price_by_rule(part, view.rules)}"
        for name, part in dict(view.special).items()
        if part.price != price_by_rule(part, view.rules) and part.because is None
    ]
    basic = view.rules.price.basic
    off += [
        f"{name} costs {part.price}, by rule {basic}"
        for name, part in dict(view.basic).items()
        if part.price != basic
    ]
    yield Check(
        name="prices by rule",
        level="must",
        figure=len(off),
        bound="= 0",
        ok=not off,
        about="; ".join(off) or "every price follows from what its part does",
    )
