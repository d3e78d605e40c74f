"""How PDF writes numbers: few decimals, no zeros at the end."""

from __future__ import annotations

_MOST_REMEMBERED = 50_000


def number_text(value: float, decimals: int) -> str:
    """Write a number with at most so many decimals."""
    text = f"{value:.{decimals}f}"
    if decimals:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Numbers(dict[float, str]):
    """Numbers as text, remembered: the cards of a deck share most of their coordinates."""

    def __init__(self, decimals: int) -> None:
        self._decimals = decimals

    def __missing__(self, value: float) -> str:
        if len(self) > _MOST_REMEMBERED:
            self.clear()
        text = self[value] = number_text(value, self._decimals)
        return text
