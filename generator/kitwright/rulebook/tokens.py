"""Markdown as a row of plain tokens: markdown-it reads a page once, and the cache may keep it.

What `{{ }}` stand for is not part of a page here, so it is the same whatever the cards say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it.token import Token as Parsed

_DEPTH = 100  # beyond it the parser drops text without a word
_READ: dict[str, tuple[Token, ...]] = {}  # pages that were read, now or by an earlier build


class Token(Struct, frozen=True):
    """One sign of Markdown: where something opens, closes or stands."""

    type: str
    tag: str
    attrs: dict[str, str | int | float]
    lines: tuple[int, ...]  # the first and the one behind the last; none within a line
    level: int
    content: str
    children: tuple[Token, ...]


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a page."""
    if text not in _READ:
        from markdown_it import MarkdownIt  # only games with a rulebook pay for it

        parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEPTH})
        _READ[text] = _plain(parser.enable("table").parse(text))
    return _READ[text]


def learn_pages(known: Mapping[str, tuple[Token, ...]]) -> None:
    """Know only the pages that were read before."""
    _READ.clear()
    _READ.update(known)


def known_pages() -> dict[str, tuple[Token, ...]]:
    """Return the pages that were read since."""
    return dict(_READ)


def _plain(tokens: Sequence[Parsed]) -> tuple[Token, ...]:
    return tuple(
        Token(
            *(each.type, each.tag, dict(each.attrs), tuple(each.map or ()), each.level),
            *(each.content, _plain(each.children or ())),
        )
        for each in tokens
    )
