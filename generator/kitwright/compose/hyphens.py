"""Where words may be broken: a fact of the language, learnt once.

Knows languages and words. Of pyphen's patterns only those that a word has are parsed: a whole
dictionary would take longer than anything else that a changed title asks for.
"""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kitwright.compose.markup import TextFault
from kitwright.lore import lore

_LETTERS = re.compile(r"[^\W\d_]{7,}")  # shorter words are not hyphenated
_DIGITS = re.compile("[0-9]")
_NO_WORD = "\x001"  # a pattern that no word has: pyphen asks for one at least
_FIRST, _LAST = 2, 3  # letters that stay before and after a break

_BREAKS: dict[tuple[str, str], tuple[int, ...]] = lore("hyphens")  # of a language's words


def breaks_in(text: str, language: str) -> list[int]:
    """List where the words of a text may be broken."""
    if (language, "") not in _BREAKS:
        _dictionary(language)  # a name that nobody knows is a fault of the style
        _BREAKS[language, ""] = ()
    return [
        match.start() + at
        for match in _LETTERS.finditer(text)
        for at in _positions(language, match[0])
    ]


def _positions(language: str, word: str) -> tuple[int, ...]:
    found = _BREAKS.get((language, word))
    if found is None:
        every = _dictionary(language).positions(word)
        # A break with data changes the spelling.
        found = tuple(int(at) for at in every if not at.data and _FIRST <= at <= len(word) - _LAST)
        _BREAKS[language, word] = found
    return found


@cache
def _dictionary(language: str) -> _Dictionary:
    import pyphen  # a text without hyphens does without

    name = pyphen.language_fallback(language)
    if name is None:
        message = f"has no hyphenation for the language '{language}'; expected a name like 'en_US'"
        raise TextFault("unknown-language", message, language)
    return _Dictionary(pyphen.LANGUAGES[name])


class _Dictionary:
    """The patterns of a language, of which a word is shown to pyphen with its own alone."""

    def __init__(self, path: Path) -> None:
        encoding, _, patterns = path.read_bytes().partition(b"\n")
        name = encoding.decode().strip().lower()
        text = patterns.decode("cp1251" if name == "microsoft-cp1251" else name)
        letters = (line.partition("/")[0].strip() for line in _DIGITS.sub("", text).split("\n"))
        self._lines = dict(zip(letters, text.split("\n"), strict=True))
        self._always = ["", _NO_WORD, *(line for line in self._lines.values() if "^^" in line)]

    def positions(self, word: str) -> Any:
        """Return where a word may be broken, as pyphen tells it."""
        from pyphen import HyphDict

        whole = f".{word.lower()}."
        ends = range(1, len(whole) + 1)
        pieces = {whole[start:end] for end in ends for start in range(end)}
        own = (self._lines[each] for each in pieces & self._lines.keys())
        return HyphDict(_Excerpt("\n".join((*self._always, *own)))).positions(word)


class _Excerpt(NamedTuple):
    """Some lines of a dictionary, read as pyphen reads its files."""

    text: str

    def open(self, _: str) -> io.BytesIO:
        """Open the file for its first line, which tells the encoding."""
        return io.BytesIO(b"UTF-8\n")

    def read_text(self, _: str) -> str:
        """Return the whole file; the first line is passed over."""
        return self.text
