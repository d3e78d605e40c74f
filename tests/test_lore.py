"""Facts that one build finds out and the next need not."""

from __future__ import annotations

from kitwright.compose.bends import Spacing, bend
from kitwright.compose.hyphens import breaks_in
from kitwright.lore import count, known, learn, lore, since


def test_facts_that_have_come_since_are_told_and_can_be_learnt() -> None:
    before, facts = count(), lore("hyphens")
    facts["xx", "tuesday"] = (4,)
    assert since(before) == {"bends": {}, "formulas": {}, "hyphens": {("xx", "tuesday"): (4,)}}
    learn({"hyphens": {("xx", "wednesday"): (3, 6)}})
    assert known()["hyphens"]["xx", "wednesday"] == (3, 6)
    del facts["xx", "tuesday"], facts["xx", "wednesday"]


def test_a_word_is_looked_up_once() -> None:
    assert breaks_in("Haberdashery", "en_US") == [3, 5, 9]
    lore("hyphens")["en_US", "Haberdashery"] = (4,)
    assert breaks_in("Haberdashery", "en_US") == [4]
    del lore("hyphens")["en_US", "Haberdashery"]


def test_wires_that_were_bent_before_are_bent_alike_without_trying() -> None:
    ends = (((0.0, 0.0), (41.0, 30.0), 0.0, 0.0), ((0.0, 30.0), (41.0, 0.0), 0.0, 0.0))
    first = bend(ends, Spacing())
    bend.cache_clear()
    picks = known()["bends"]
    key = next(key for key in picks if key[0] == ends)
    assert bend(ends, Spacing()) == first
    bend.cache_clear()
    learn({"bends": {key: (3, 4)}})
    assert bend(ends, Spacing()) != first
    bend.cache_clear()
    del lore("bends")[key]
    assert bend(ends, Spacing()) == first
