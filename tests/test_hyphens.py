"""Where words may be broken."""

from __future__ import annotations

import pyphen
import pytest

from kitwright.compose.hyphens import breaks_in
from kitwright.compose.markup import TextFault

WORDS = (
    *("Haberdasher", "difference", "programmed", "extraordinary", "unbreakable", "Silbentrennung"),
    *("Schifffahrt", "állampolgárság", "asszonnyal", "extraordinària", "coördinatie", "rhythms"),
)


@pytest.mark.parametrize("language", ["en_US", "en_GB", "de_DE", "hu_HU", "af_ZA", "ca", "es"])
def test_words_break_where_the_whole_dictionary_breaks_them(language: str) -> None:
    whole = pyphen.Pyphen(lang=language, left=2, right=3)
    for word in WORDS:
        kept = [at for at in whole.positions(word) if not at.data]  # those that keep the spelling
        assert breaks_in(word, language) == kept, word


def test_short_words_are_not_broken() -> None:
    assert breaks_in("after", "en_US") == []
    assert breaks_in("10 orders, unbreakable", "en_US") == [13, 18]


def test_a_language_that_nobody_knows_is_a_fault() -> None:
    with pytest.raises(TextFault, match="no hyphenation for the language 'xx_XX'"):
        breaks_in("unbreakable", "xx_XX")
