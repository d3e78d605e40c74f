"""Values as a card or running text shows them. Imports nothing of ours."""

from __future__ import annotations

from typing import Any

WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(value: object) -> str:
    """Write a whole number from 0 to 12 as a word, and anything else in digits."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(WORDS):
        return WORDS[value]
    return str(value)


def show(value: Any) -> str:
    """Write a value as a card shows it: whole numbers without a point."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
