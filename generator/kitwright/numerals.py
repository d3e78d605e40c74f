"""Small numbers as words, for running text. Imports nothing of ours."""

from __future__ import annotations

WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(value: object) -> str:
    """Write a whole number from 0 to 12 as a word, and anything else in digits."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(WORDS):
        return WORDS[value]
    return str(value)
