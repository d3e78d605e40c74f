"""One YAML file as nodes that know their place, read from PyYAML's events.

Scalars follow YAML 1.2: `NO` and `12:30` are text. Whatever can hurt or
surprise (tags, bombs, endless depth, lost values) is a Problem here, so
that no later stage needs to ask.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from kitwright.problems import Place, Problem

DEEPEST = 64
MOST_ALIASED = 50_000  # nodes that aliases may add up to
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z")
ZERO_LED = re.compile(r"[-+]?0[0-9]+\Z")


@dataclass(slots=True)
class Node:
    """A value of the file; `value` is plain data for scalars, children otherwise."""

    value: Any  # a scalar, list[Node], or dict[str, Entry]
    file: str
    line: int
    column: int
    weight: int = 1

    def plain(self) -> Any:
        """Return the value as dicts, lists and scalars."""
        value = self.value
        if isinstance(value, dict):
            return {key: entry.node.plain() for key, entry in value.items()}
        if isinstance(value, list):
            return [node.plain() for node in value]
        return value


@dataclass(slots=True)
class Entry:
    """A key of a mapping, where it stands, and its value."""

    file: str
    line: int
    column: int
    node: Node


@dataclass(slots=True)
class Document:
    """A file that was read; `root` is always a mapping."""

    file: str
    root: Node

    def node(self, path: tuple[str | int, ...]) -> Node:
        """Return the node at `path`, or its nearest ancestor that exists."""
        node = self.root
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                node = node.value[step].node
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
        return node

    def place(self, *path: str | int) -> Place:
        """Return where the value at `path` stands."""
        node = self.node(path)
        return Place(node.file, node.line, node.column)

    def key_place(self, *path: str | int) -> Place:
        """Return where the key at the end of `path` stands."""
        parent = self.node(path[:-1])
        if isinstance(parent.value, dict) and path[-1] in parent.value:
            entry = parent.value[path[-1]]
            return Place(entry.file, entry.line, entry.column)
        return self.place(*path)


class _StopError(Exception):
    """The rest of the file cannot be read."""


def read_document(raw: bytes, file: str, problems: list[Problem]) -> Document | None:
    """Read one file; None, with a problem noted, when there is nothing to go on with."""
    text = _decode(raw, file, problems)
    if text is None:
        return None
    reader = _Reader(file, text, problems)
    try:
        root = reader.read()
    except _StopError:
        return None
    except yaml.MarkedYAMLError as error:
        problems.append(_syntax(error, file, text))
        return None
    except yaml.reader.ReaderError as error:
        problems.append(_bad_character(error, file, text))
        return None
    return Document(file, root)


def _decode(raw: bytes, file: str, problems: list[Problem]) -> str | None:
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode(encoding, "replace")
        line, column = _at(before, len(before))
        found = f"the byte 0x{raw[error.start]:02x} is not UTF-8"
        message = f"{found}; expected text in UTF-8; save the file as UTF-8"
        problems.append(Problem(Place(file, line, column), "not-utf8", message))
        return None


def _at(text: str, index: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - start + 1


def _bad_character(error: yaml.reader.ReaderError, file: str, text: str) -> Problem:
    found: Any = error.character  # a number from the C parser, a letter from the other
    code = found if isinstance(found, int) else ord(str(found))
    line, column = _at(text, max(text.find(chr(code)), 0))
    message = f"the character U+{code:04X} is not allowed; delete it"
    return Problem(Place(file, line, column), "bad-character", message)


_HINTS = (
    ("mapping values are not allowed", "a ': ' inside unquoted text; quote text with ': '"),
    ("cannot start any token", "a character that cannot stand here; quote the text"),
    ("found undefined alias", "this alias has no anchor"),
    ("found unexpected end of stream", "a quote is never closed"),
    ("did not find expected key", "the indentation or a quote is off"),
    ("did not find expected '-' indicator", "the indentation of this list is off"),
    ("could not find expected ':'", "a ':' is missing after the key"),
    ("did not find expected ',' or", "a ',' or a closing bracket is missing"),
    ("found unknown escape character", "an unknown escape in double quotes; use single quotes"),
)


def _syntax(error: yaml.MarkedYAMLError, file: str, text: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    here = lines[line - 1] if line <= len(lines) else ""
    problem = error.problem or "cannot be read"
    if "\t" in here[: max(column, 1)]:
        message = "a tab indents this line; YAML is indented with spaces"
        return Problem(Place(file, line, here.index("\t") + 1), "tab-indent", message)
    if "mapping values" in problem and ":" not in here[: column - 1]:
        return Problem(Place(file, line, column), "yaml-syntax", "the indentation is off")
    for sign, hint in _HINTS:
        if sign in problem:
            return Problem(Place(file, line, column), "yaml-syntax", hint)
    return Problem(Place(file, line, column), "yaml-syntax", problem)


@dataclass
class _Reader:
    file: str
    text: str
    problems: list[Problem]
    anchors: dict[str, Node | None] = field(default_factory=dict)
    aliased: int = 0
    lines: list[str] = field(default_factory=list)

    def read(self) -> Node:
        self.lines = self.text.splitlines()
        events = iter(yaml.parse(self.text, Loader=_LOADER))
        next(events)  # the stream's start
        event = next(events)
        if isinstance(event, yaml.StreamEndEvent):
            self.stop(1, 1, "empty-file", "the file is empty; expected a mapping")
        first = next(events)
        root = self.node(first, events, 1)
        next(events)
        after = next(events)
        if not isinstance(after, yaml.StreamEndEvent):
            line, column = _mark(after)
            text = "a second document begins here; one file holds one document"
            self.stop(line, column, "two-documents", text)
        if root.value is None:
            self.stop(1, 1, "empty-file", "the file is empty; expected a mapping")
        if not isinstance(root.value, dict):
            found = "a list" if isinstance(root.value, list) else f"'{root.value}'"
            text = f"the file holds {found}; expected a mapping (key: value)"
            self.stop(root.line, root.column, "not-a-mapping", text)
        return root

    def node(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Node:
        line, column = _mark(event)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, line, column)
        if depth > DEEPEST:
            self.stop(line, column, "too-deep", f"nested deeper than {DEEPEST} levels")
        assert isinstance(event, yaml.NodeEvent)
        anchor = event.anchor
        if anchor is not None:
            self.anchors[anchor] = None
        tag = getattr(event, "tag", None)
        if tag is not None and not (isinstance(event, yaml.ScalarEvent) and tag == "!"):
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            text = f"the tag '{shown}' is not allowed; remove it, and quote what must be text"
            self.note(line, column, "bad-tag", text)
        if isinstance(event, yaml.ScalarEvent):
            node = Node(self.scalar(event, line, column), self.file, line, column)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self.sequence(events, line, column, depth)
        else:
            node = self.mapping(events, line, column, depth)
        if anchor is not None:
            self.anchors[anchor] = node
        return node

    def sequence(self, events: Iterator[yaml.Event], line: int, column: int, depth: int) -> Node:
        items: list[Node] = []
        weight = 1
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(self.node(event, events, depth + 1))
            weight += items[-1].weight
        return Node(items, self.file, line, column, weight)

    def mapping(self, events: Iterator[yaml.Event], line: int, column: int, depth: int) -> Node:
        entries: dict[str, Entry] = {}
        merged: list[Node] = []
        weight = 1
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key_line, key_column = _mark(event)
            if not isinstance(event, yaml.ScalarEvent):
                text = "a key is a list or mapping; expected a word"
                self.stop(key_line, key_column, "bad-key", text)
            key = str(event.value)
            node = self.node(next(events), events, depth + 1)
            weight += node.weight
            if key == "<<" and event.implicit[0]:
                merged.append(node)
            elif key in entries:
                first = entries[key]
                text = f"'{key}' was already given at {first.line}:{first.column}; keep one"
                self.note(key_line, key_column, "duplicate-key", text)
            else:
                entries[key] = Entry(self.file, key_line, key_column, node)
        for source in merged:
            self.merge(source, entries)
        return Node(entries, self.file, line, column, weight)

    def merge(self, source: Node, entries: dict[str, Entry]) -> None:
        parts = source.value if isinstance(source.value, list) else [source]
        for part in parts:
            if not isinstance(part.value, dict):
                text = "'<<' merges mappings only; expected an alias of a mapping"
                self.note(part.line, part.column, "bad-merge", text)
                continue
            for key, entry in part.value.items():
                entries.setdefault(key, entry)

    def alias(self, event: yaml.AliasEvent, line: int, column: int) -> Node:
        name = str(event.anchor)
        node = self.anchors.get(name)
        if node is None:
            text = f"'*{name}' stands inside the value that it repeats"
            if name not in self.anchors:
                text = f"'*{name}' repeats an anchor that was never set"
            self.stop(line, column, "bad-alias", text)
        self.aliased += node.weight
        if self.aliased > MOST_ALIASED:
            text = f"aliases repeat more than {MOST_ALIASED} values; write them out or use fewer"
            self.stop(line, column, "alias-bomb", text)
        return node

    def scalar(self, event: yaml.ScalarEvent, line: int, column: int) -> Any:
        raw = str(event.value)
        if not event.implicit[0]:  # quoted
            return raw
        if raw in _NULL:
            if raw == "":
                self.lost_value(line, column)
            return None
        if raw in _BOOL:
            return _BOOL[raw]
        if raw[0] not in "-+.0123456789":
            return raw
        return self.number(raw, line, column)

    def number(self, raw: str, line: int, column: int) -> Any:
        value: Any = raw
        if _INT.match(raw):
            value = int(raw) if len(raw) <= 16 else math.inf
        elif _FLOAT.match(raw) and not ZERO_LED.match(raw):
            value = float(raw)
        elif _NOT_FINITE.match(raw):
            value = math.inf
        if isinstance(value, float) and not math.isfinite(value):
            text = f"'{raw[:20]}' is not a number that can be used; quote it if it is text"
            self.note(line, column, "bad-number", text)
            return 0
        return value

    def lost_value(self, line: int, column: int) -> None:
        """Notice `color: #ff0000`, where YAML sees a comment and no value."""
        rest = self.lines[line - 1][column - 1 :] if line <= len(self.lines) else ""
        if found := re.match(r"\s+(#[0-9A-Za-z]{3,8})\b", rest):
            at = column + found.start(1)
            text = f"'#' starts a comment, so the value is empty; quote it: \"{found[1]}\""
            self.note(line, at, "comment-for-value", text)

    def note(self, line: int, column: int, code: str, text: str) -> None:
        self.problems.append(Problem(Place(self.file, line, column), code, text))

    def stop(self, line: int, column: int, code: str, text: str) -> NoReturn:
        self.note(line, column, code, text)
        raise _StopError


def _mark(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    assert mark is not None
    return mark.line + 1, mark.column + 1
