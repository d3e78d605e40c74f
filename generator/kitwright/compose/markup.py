r"""The markup of card text: icons, emphasis, paragraphs. Knows no font and measures nothing.

`:name:` is an icon, `*…*` italic, `**…**` bold, `\*` and `\:` are a plain star and colon, and a
new line is a new paragraph. Everything else is printed as it stands.
"""

from __future__ import annotations

import re

from msgspec import Struct

_TOKEN = re.compile(
    r"\\(?P<escaped>[*:])|(?P<stars>\*+)|(?<!\w):(?P<icon>[a-z][a-z0-9]*(?:-[a-z0-9]+)*):(?!\w)"
)
_LINES = re.compile(r"[\r\n\u2028\u2029]+")
_MOST_STARS = 3
_BEFORE, _AFTER = 8, 16  # characters around a fault that its message shows


class TextFault(Exception):  # noqa: N818  # a fault of the designer's text, not of the program
    """Why a text cannot be set; the message goes on where `the text of card 'x'` ends."""

    def __init__(self, code: str, message: str, subject: str = "") -> None:
        self.code = code
        self.message = message
        self.subject = subject  # the character, icon, word or markup at fault
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.message, self.subject)


class Run(Struct, frozen=True):
    """Characters that share one emphasis."""

    text: str
    bold: bool = False
    italic: bool = False


class IconName(Struct, frozen=True):
    """An icon that stands in the text like a character."""

    name: str


Paragraph = tuple[Run | IconName, ...]


def parse_markup(text: str) -> tuple[Paragraph, ...]:
    """Split card text into paragraphs of runs and icons; empty paragraphs are left out."""
    lines = (line.replace("\t", " ").strip(" ") for line in _LINES.split(text))
    return tuple(_paragraph(line) for line in lines if line)


def _paragraph(line: str) -> Paragraph:
    if "*" not in line and ":" not in line:
        return (Run(line),)
    pieces: list[Run | IconName] = []
    opened: dict[str, int] = {}  # "bold" or "italic" -> where it began
    pending = ""
    end = 0

    def flush() -> None:
        nonlocal pending
        if pending:
            pieces.append(Run(pending, "bold" in opened, "italic" in opened))
        pending = ""

    for token in _TOKEN.finditer(line):
        pending += line[end : token.start()]
        end = token.end()
        if token["icon"]:
            flush()
            pieces.append(IconName(token["icon"]))
        elif token["escaped"]:
            pending += token["escaped"]
        elif _is_plain(line, token.start(), end, opened):
            pending += token["stars"]
        else:
            flush()
            _turn(line, token.start(), end, opened)
    pending += line[end:]
    flush()
    if opened:
        raise _unclosed(line, min(opened.values()))
    return tuple(pieces)


def _is_plain(line: str, start: int, end: int, opened: dict[str, int]) -> bool:
    """Tell whether stars before a space are stars: they can open nothing and close nothing."""
    if line[end : end + 1] != " ":
        return False
    return start == 0 or line[start - 1] == " " or not (_marks(end - start) & opened.keys())


def _marks(stars: int) -> set[str]:
    return {1: {"italic"}, 2: {"bold"}}.get(stars, {"bold", "italic"})


def _turn(line: str, start: int, end: int, opened: dict[str, int]) -> None:
    """Open or close what the stars from `start` to `end` stand for."""
    if end - start > _MOST_STARS:
        raise _unclosed(line, start)
    may_close = start > 0 and line[start - 1] != " "
    may_open = end < len(line) and line[end] != " "
    for mark in sorted(_marks(end - start)):
        if mark in opened and may_close:
            del opened[mark]
        elif mark not in opened and may_open:
            opened[mark] = start
        else:
            raise _unclosed(line, start)


def _unclosed(line: str, start: int) -> TextFault:
    stars = line[start : len(line) - len(line[start:].lstrip("*"))]
    near = line[max(0, start - _BEFORE) : start + _AFTER]
    message = rf"has '{stars}' without a partner at '{near}'; write '\*' for a plain star"
    return TextFault("bad-markup", message, stars)
