"""Spearman's rank correlation, with equal ranks for equal figures. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import StatisticsError, correlation


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how well two lists agree in their order: 1 wholly, 0 not at all."""
    try:
        return correlation(_ranks(one), _ranks(other))
    except StatisticsError:
        return 0.0


def _ranks(figures: Sequence[float]) -> list[float]:
    ordered = sorted(figures)
    return [ordered.index(figure) + (ordered.count(figure) - 1) / 2 for figure in figures]
