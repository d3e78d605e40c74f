"""How results are said: figures with 95 % intervals, and checks. Plays nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

Z = 1.959964  # 95 % of a normal distribution lies within this many standard deviations
# The same for Student's distribution with 1, 2, 3 … degrees of freedom.
STUDENT = (
    *(12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157),
    *(2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922),
    *(2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831),
    *(2.048407, 2.045230, 2.042272),
)

Figure = dict[str, float]


class Check(Struct, frozen=True):
    """What a check found: a must that is not ok fails the command, a finding is told."""

    name: str
    level: Literal["must", "finding"]
    figure: int | float | str | tuple[int | float, ...]
    bound: str
    ok: bool
    about: str

    def as_dict(self) -> dict[str, Any]:
        """Return the check as plain data for JSON."""
        return asdict(self)


def mean_of(values: Sequence[float], bounds: tuple[float, float]) -> Figure | None:
    """Return the mean with its interval, kept within what is possible; None without values.

    One value says nothing of the spread, so its interval is all that is possible.
    """
    if not values:
        return None
    mean, (least, most) = fmean(values), bounds
    if len(values) == 1:
        return _figure(mean, least, most)
    freedom = len(values) - 1
    factor = STUDENT[freedom - 1] if freedom <= len(STUDENT) else Z
    margin = factor * stdev(values, mean) / sqrt(len(values))
    return _figure(mean, max(mean - margin, least), min(mean + margin, most))


def rate_of(hits: float, tries: int) -> Figure | None:
    """Return a rate with its Wilson interval; None without tries."""
    if not tries:
        return None
    rate, weight = hits / tries, Z * Z / tries
    middle = (rate + weight / 2) / (1 + weight)
    margin = Z * sqrt(rate * (1 - rate) / tries + weight / tries / 4) / (1 + weight)
    return _figure(rate, max(middle - margin, 0), min(middle + margin, 1))


def _figure(mean: float, low: float, high: float) -> Figure:
    return {"mean": round(mean, 6), "low": round(float(low), 6), "high": round(float(high), 6)}
