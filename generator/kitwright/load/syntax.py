"""What a file that is not YAML has wrong, in a designer's words: bytes, characters, syntax.

Knows the messages of PyYAML's two parsers; reads no value.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from kitwright.problems import Place, Problem

_COLOR_COMMENT = re.compile(r"[:,\[]\s+(#[0-9A-Za-z]{3,8})\b")
_LOOK_BACK = 4  # lines before the one at which the parser gave up
_BRACKET = re.compile(r"expected ',' or '([]}])'")

_COLON = "a ': ' stands in unquoted text; expected text without it; quote text with ': '"
_HINTS = (
    (
        ("end of stream",),
        "this quote is never closed; expected a quote at the end of the text",
    ),
    (("mapping values are not allowed",), _COLON),
    (
        ("scanning an alias",),
        "'*' begins an alias in YAML; expected text in quotes; quote text that begins with '*'",
    ),
    (
        ("sequence entries are not allowed",),
        "a '-' stands behind a key; expected list items on lines of their own",
    ),
    (
        ("cannot start any token", "mapping keys are not allowed"),
        "this character cannot begin a text; expected a letter or a quote; quote the text",
    ),
    (
        ("unknown escape character",),
        "an unknown '\\' escape in double quotes; expected one of YAML's; use single quotes",
    ),
    (
        ("could not find expected ':'",),
        "this line has no ':' of its own; expected 'key: value', or '-' in a list",
    ),
    (
        ("did not find expected '-' indicator", "parsing a block collection"),
        "this line does not go on with the list above; expected '-'; check the indentation",
    ),
    (
        ("did not find expected key", "<block end>"),
        "this does not go on with the mapping above; expected a key;"
        " check the indentation and the quotes",
    ),
    (
        ("<document start>",),
        "something stands behind the end of the value; expected nothing more",
    ),
)


def undecodable(raw: bytes, error: UnicodeDecodeError, file: str) -> Problem:
    """Place the first byte that is not of the file's encoding."""
    before = raw[: error.start].decode(error.encoding, "replace")
    line, column = position(before, len(before))
    found = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
    message = f"{found}; expected text in UTF-8; save the file as UTF-8"
    return Problem(Place(file, line, column), "not-utf8", message)


def bad_character(error: yaml.reader.ReaderError, file: str, text: str) -> Problem:
    """Place a character that YAML does not allow."""
    found: Any = error.character  # a number from the C parser, a letter from the other
    code = found if isinstance(found, int) else ord(str(found))
    line, column = position(text, max(text.find(chr(code)), 0))
    message = f"the character U+{code:04X} is not allowed; expected printable text; delete it"
    return Problem(Place(file, line, column), "bad-character", message)


def position(text: str, index: int) -> tuple[int, int]:
    """Return line and column of a character, counted from 1."""
    start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - start + 1


def bad_syntax(error: yaml.MarkedYAMLError, file: str, text: str) -> Problem:
    """Explain why the parser gave up."""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    here = lines[line - 1] if line <= len(lines) else ""
    opened = error.context_mark
    if "\t" in here[:column]:
        message = "a tab indents this line; expected spaces; set your editor to indent with spaces"
        return Problem(Place(file, line, here.index("\t") + 1), "tab-indent", message)
    first = min(opened.line if opened else line, max(line - _LOOK_BACK, 0))
    for number, candidate in enumerate(lines[first:line], first + 1):
        if found := _COLOR_COMMENT.search(candidate):
            return comment_for_value(Place(file, number, found.start(1) + 1), found[1])
    message = _message(error, here, column)
    if opened and any(sign in (error.context or "") for sign in ("quoted", "alias", "simple key")):
        line, column = opened.line + 1, opened.column + 1  # the end tells a designer nothing
    return Problem(Place(file, line, column), "yaml-syntax", message)


def comment_for_value(place: Place, value: str) -> Problem:
    """Say that `color: #ff0000` is a comment."""
    message = f"'#' starts a comment, so no value stands here; expected one; quote it: \"{value}\""
    return Problem(place, "comment-for-value", message)


def _message(error: yaml.MarkedYAMLError, here: str, column: int) -> str:
    said = f"{error.context or ''} {error.problem or ''}"
    found = _BRACKET.search(said)
    if found and here[column - 1 : column + 1].strip() == ":":
        return _COLON
    if found:
        opened = error.context_mark
        at = f" opened at {opened.line + 1}:{opened.column + 1}" if opened else ""
        return f"the bracket{at} is not closed; expected ',' or '{found[1]}' before this"
    if "mapping values" in said and ":" not in here[: column - 1]:
        return "this key stands too far to the right; expected it under its neighbours"
    for signs, hint in _HINTS:
        if any(sign in said for sign in signs):
            return hint
    return f"the file cannot be read here ({error.problem}); expected YAML"
