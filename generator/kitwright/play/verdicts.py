"""Checks that several games make in the same words. Plays nothing itself."""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.play.figures import Check

Value = int | float | str | tuple[int | float, ...]


def must(name: str, figure: Value, bound: str, ok: bool, about: str) -> Check:
    """Return a check that fails the command unless it is ok."""
    return Check(name, "must", figure, bound, ok, about)


def finding(name: str, figure: Value, bound: str, ok: bool, about: str) -> Check:
    """Return a check that is told unless it is ok."""
    return Check(name, "finding", figure, bound, ok, about)


def games_end(players: int, done: int, played: int, who: str) -> Check:
    """Check that all games came to an end."""
    return must(
        f"{players} players: games end",
        done,
        f"= {played}",
        done == played,
        f"{done} of {played} games of {who} came to an end",
    )


def between(name: str, mean: float, bounds: tuple[float, float], about: str) -> Check:
    """Check that a mean lies within bounds."""
    low, high = bounds
    return must(name, round(mean, 2), f"{low:g} to {high:g}", low <= mean <= high, about)


def is_even(shares: Sequence[float], margin: float) -> bool:
    """Tell whether all shares are near to a fair one."""
    return all(abs(share - 1 / len(shares)) <= margin for share in shares)
