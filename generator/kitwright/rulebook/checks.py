"""What a rulebook must not get wrong: free-hand numbers, section numbers, the glossary.

Looks at the words as they were written, so that every fault has its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from kitwright.model.game import Game
from kitwright.model.rulebook import RulesSource
from kitwright.numerals import WORDS
from kitwright.problems import Place, Problem, did_you_mean
from kitwright.rulebook.blocks import Heading
from kitwright.rulebook.prose import blanked, place_in
from kitwright.rulebook.references import REFERENCE

_NUMBER = re.compile(rf"\b(?:\d+|{'|'.join(WORDS[2:])})\b", re.IGNORECASE)
_TARGETS = re.compile(r"\]\([^)\n]*\)")
_MARKERS = re.compile(r"^[ >]*\d+[.)](?= )", re.MULTILINE)
_HEADINGS = re.compile(r"^#.*", re.MULTILINE)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_ICON = re.compile(r"(?<!\w):([a-z][a-z0-9]*(?:-[a-z0-9]+)*):(?!\w)")


def check_numbers(source: RulesSource) -> Iterator[Problem]:
    """Find numbers that no data stands behind, and reasons for numbers that are not there."""
    free = source.told.free_numbers
    phrases = [re.compile(r"\s+".join(map(re.escape, each.says.split()))) for each in free]
    used: set[int] = set()
    for text, file, where in _texts(source):
        words = blanked(text)
        for index, phrase in enumerate(phrases):
            found = phrase.search(words)
            if found is not None:
                used.add(index)
                words = phrase.sub(_spaces, words)
        for pattern in (_TARGETS, _MARKERS, REFERENCE, _ICON):
            words = pattern.sub(_spaces, words)
        for number in _NUMBER.finditer(words):
            place = where or place_in(text, number.start(), file)
            said = f"the number '{number[0]}' is written by hand; expected it from the data,"
            said += " as in {{ game.rules.hand }}; or give its reason under free_numbers"
            yield Problem(place, "free-number", said)
    for index, each in enumerate(free):
        if index not in used:
            said = f"'{each.says}' is not in the rulebook; expected words that are; take it out"
            yield Problem(source.place("free_numbers", index), "unused-number", said)


def quoted(formula: str) -> list[str]:
    """Return the texts in quotes of an expression: they are printed as they stand."""
    return [found[1] or found[2] or "" for found in _QUOTED.finditer(formula)]


def _spaces(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _texts(source: RulesSource) -> Iterator[tuple[str, str, Place | None]]:
    """Yield the page, then every text of rules.yaml that is printed, with its place."""
    yield source.text, source.file, None
    told = source.told
    for key, entry in told.glossary.items():
        yield entry.name, "", source.place("glossary", key, "name")
        yield entry.text, "", source.place("glossary", key, "text")
    for key, table in told.tables.items():
        for index, column in enumerate(table.columns):
            yield column.title, "", source.place("tables", key, "columns", index, "title")
            yield column.text, "", source.place("tables", key, "columns", index, "text")
    for key, figure in told.figures.items():
        if figure.row is not None and figure.row.labels:
            place = source.place("figures", key, "row", "labels")
            yield from ((words, "", place) for words in quoted(figure.row.labels))
        for index, note in enumerate(figure.card.notes if figure.card else ()):
            yield note.text, "", source.place("figures", key, "card", "notes", index, "text")
        for index, note in enumerate(figure.laid.notes if figure.laid else ()):
            yield note.text, "", source.place("figures", key, "laid", "notes", index, "text")
        for index, note in enumerate(figure.splay.notes if figure.splay else ()):
            yield note.text, "", source.place("figures", key, "splay", "notes", index, "text")
        for part in ("centre", "seat") if figure.table else ():
            for index, group in enumerate(getattr(figure.table, part)):
                yield group.label, "", source.place("figures", key, "table", part, index, "label")


def check_sections(source: RulesSource, headings: Sequence[Heading]) -> Iterator[Problem]:
    """Find headings that do not follow the one before, and references to no section."""
    before: tuple[int, ...] = (0,)
    for heading in headings:
        here = tuple(int(part) for part in heading.section.split("."))
        after = (before[0] + 1,) if len(here) == 1 else (before[0], (*before, 0)[1] + 1)
        if here != after:
            wanted = ".".join(map(str, after))
            said = f"the section is §{heading.section}; expected §{wanted}, the next one"
            yield Problem(heading.place, "wrong-section", said)
        before = here
    known = {heading.section for heading in headings}
    there = f"one of {', '.join(heading.section for heading in headings)}" if known else "none"
    for text, file, where in _texts(source):
        words = _HEADINGS.sub(_spaces, blanked(text)) if where is None else blanked(text)
        for found in REFERENCE.finditer(words):
            if found[1] not in known:
                place = where or place_in(text, found.start(), file)
                said = f"there is no §{found[1]}; expected {there}"
                yield Problem(place, "unknown-section", said)


def check_glossary(source: RulesSource, game: Game, drawn: Collection[str]) -> Iterator[Problem]:
    """Find icons and keywords without an entry, and entries for what no card has."""
    yield from _check_keywords(source, game)
    told = source.told
    place = source.place("glossary")
    entries = set(told.glossary)
    shown = {entry.icon or key for key, entry in told.glossary.items()}
    keywords = set(_keywords(source, game))
    icons = {name for name in drawn if not any(fnmatchcase(name, d) for d in told.decoration)}
    for name in sorted((icons - shown - entries) | (keywords - entries)):
        what = "icon" if name in icons else "keyword"
        said = f"the {what} '{name}' is on a card but has no entry; expected one in the glossary,"
        said += " or its name under decoration" if what == "icon" else " with what it means"
        yield Problem(place, "no-entry", said + did_you_mean(name, entries))
    for key, entry in told.glossary.items():
        if not {key, entry.icon} & (set(drawn) | keywords):
            said = (
                f"the entry '{key}' names something that no card has; expected an icon or keyword"
            )
            hint = did_you_mean(key, {*icons, *keywords})
            yield Problem(source.place("glossary", key), "unknown-entry", said + hint)


def _check_keywords(source: RulesSource, game: Game) -> Iterator[Problem]:
    decks = {deck.id: deck for deck in game.decks}
    for name, fields in source.told.keywords.items():
        if name not in decks:
            said = f"keywords names '{name}'; expected the id of a deck{did_you_mean(name, decks)}"
            yield Problem(source.place("keywords", name), "unknown-part", said)
            continue
        known = {key for card in decks[name].cards for key in card.fields}
        for index, each in enumerate(fields):
            if each.split(".")[0] not in known:
                hint = did_you_mean(each, known)
                said = f"the cards of '{name}' have no '{each}'; expected a field of theirs{hint}"
                yield Problem(source.place("keywords", name, index), "unknown-key", said)


def _keywords(source: RulesSource, game: Game) -> Iterator[str]:
    decks = {deck.id: deck for deck in game.decks}
    for deck_id, fields in source.told.keywords.items():
        for card in decks[deck_id].cards if deck_id in decks else ():
            for name in fields:
                yield from _values(card.fields, name.split("."))


def _values(value: Any, path: Sequence[str]) -> Iterator[str]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _values(item, path)
    elif path and isinstance(value, dict):
        yield from _values(value.get(path[0]), path[1:])
    elif isinstance(value, str):
        yield value
