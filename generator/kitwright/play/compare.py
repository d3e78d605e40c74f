"""What an edit does to a game: both are played from the same seeds, and the pairs compared."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from kitwright.engines import engine_of
from kitwright.model.game import Game
from kitwright.play.balance import SEED, games_for, players_for
from kitwright.play.bots import typical_bot
from kitwright.play.changes import Change, changes
from kitwright.play.figures import Figure
from kitwright.play.metrics import SHARES, TITLES, effect_of, figure_names, figure_of
from kitwright.play.simulate import Played, Progress, Series, SimulationError


class Effect(Struct, frozen=True):
    """One figure before and after, and by how much it changed."""

    name: str
    before: Figure
    after: Figure
    change: Figure

    @property
    def is_beyond_noise(self) -> bool:
        """Whether the change is more than chance explains."""
        return not self.change["low"] <= 0 <= self.change["high"]

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.change["high"] - self.change["low"]) / 2


class Comparison(Struct, frozen=True):
    """A game before and after an edit."""

    game: str
    bot: str
    players: int
    games: int
    changes: tuple[Change, ...]
    effects: tuple[Effect, ...]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The effect in one line a figure, what changed before it."""
        return tuple(f"{self.edit}: {self.bot} {said(effect)}" for effect in self.effects)

    @property
    def edit(self) -> str:
        """The edit in a few words."""
        if not self.changes:
            return "nothing changed"
        more = f" and {len(self.changes) - 1} more" if len(self.changes) > 1 else ""
        return f"{self.changes[0]}{more}"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON."""
        return {
            "game": self.game,
            "bot": self.bot,
            "players": self.players,
            "games": self.games,
            "edit": self.edit,
            "changes": [
                {"path": c.path, "what": c.what, "old": c.old, "new": c.new, "card": c.card}
                for c in self.changes
            ],
            "effects": [
                {
                    "figure": e.name,
                    "title": TITLES[e.name],
                    "before": e.before,
                    "after": e.after,
                    "change": e.change,
                    "beyond_noise": e.is_beyond_noise,
                    "percent": e.name in SHARES,
                    "said": said(e),
                }
                for e in self.effects
            ],
        }


def said(effect: Effect) -> str:
    """Write an effect: 'mean score 91.2 -> 84.0 (-7.2 +- 0.9)', and whether chance explains it."""
    scale, unit = (100, " %") if effect.name in SHARES else (1, "")
    old, new, change, margin = (
        value * scale
        for value in (
            effect.before["mean"], effect.after["mean"], effect.change["mean"], effect.margin
        )
    )  # fmt: skip
    if not (effect.change["mean"] or margin):
        return f"{TITLES[effect.name]} {old:.1f}{unit}, unchanged"
    noise = "" if effect.is_beyond_noise else ", within noise"
    what = f"{TITLES[effect.name]} {old:.1f}{unit} -> {new:.1f}{unit}"
    return f"{what} ({change:+.1f} +- {margin:.1f}{noise})"


def compare(
    before: Game,
    after: Game,
    players: int | None = None,
    games: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play both games from the same seeds."""
    if engine_of(after) is None:
        raise SimulationError(f"{after.title} has no engine, so an edit of it cannot be measured")
    seats, count = players_for(after, players), games_for(after, games)
    bot = typical_bot(after.id)
    played: list[tuple[Played, ...]] = []
    for game in (before, after):
        done = count * len(played)

        def tell(now: int, _: int, done: int = done) -> None:
            if progress is not None:
                progress(done + now, 2 * count)

        played.append(Series(game, seats, (bot,), SEED).play(range(count), workers, tell))
    effects = []
    for name in figure_names(after, seats):
        first, second = (
            figure_of(name, g, p) for g, p in zip((before, after), played, strict=True)
        )
        change = effect_of(name, after, *played)
        if first is not None and second is not None and change is not None:
            effects.append(Effect(name, first, second, change))
    return Comparison(after.id, bot, seats, count, changes(before, after), tuple(effects))
