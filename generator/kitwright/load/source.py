"""One YAML file as nodes that know their place, read from PyYAML's events.

Scalars follow YAML 1.2: `NO` and `12:30` are text. Whatever can hurt or
surprise (tags, bombs, endless depth, lost values) is a Problem here, so
that no later stage needs to ask.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import blake2b
from typing import Any, NoReturn, Protocol

import yaml
from msgspec import Struct, field

from kitwright.load.syntax import bad_character, bad_syntax, comment_for_value, undecodable
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


class Node(Struct):
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


class Entry(Struct):
    """A key of a mapping, where it stands, and its value."""

    file: str
    line: int
    column: int
    node: Node


class Document(Struct):
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


class Memory(Protocol):
    """What was read by earlier builds, by names that say all that it was read from."""

    def find(self, name: str) -> Any:
        """Return what has a name, or None."""

    def add(self, name: str, value: Any) -> None:
        """Remember it."""


_memories: list[Memory] = []


@contextmanager
def remembering(memory: Memory) -> Iterator[None]:
    """Read no file again that is in a memory."""
    _memories.append(memory)
    try:
        yield
    finally:
        _memories.pop()


def read_document(raw: bytes, file: str, problems: list[Problem]) -> Document | None:
    """Read one file; None, with a problem noted, when there is nothing to go on with."""
    read = partial(_recall, _memories[-1]) if _memories else _read
    root = read(raw, file, problems)
    return Document(file, root) if root is not None else None


def _recall(memory: Memory, raw: bytes, file: str, problems: list[Problem]) -> Node | None:
    """Return what is remembered of a file, or read it; with a fault it is read each time."""
    name = blake2b(raw + file.encode(), digest_size=20).hexdigest()
    root: Node | None = memory.find(name)
    if root is None:
        before = len(problems)
        root = _read(raw, file, problems)
        if root is not None and len(problems) == before:
            memory.add(name, root)
    return root


def _read(raw: bytes, file: str, problems: list[Problem]) -> Node | None:
    text = decode(raw, file, problems)
    if text is None:
        return None
    try:
        return _Reader(file, text, problems).read()
    except _StopError:
        pass
    except yaml.MarkedYAMLError as error:
        problems.append(bad_syntax(error, file, text))
    except yaml.reader.ReaderError as error:
        problems.append(bad_character(error, file, text))
    return None


def decode(raw: bytes, file: str, problems: list[Problem]) -> str | None:
    """Return the text of a file; None, with a problem noted, when it is not UTF-8."""
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        problems.append(undecodable(raw, error, file))
        return None


class _Reader(Struct):
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
            self.stop(1, 1, "empty-file", "the file is empty; expected 'key: value' lines")
        first = next(events)
        root = self.node(first, events, 1)
        next(events)
        after = next(events)
        if not isinstance(after, yaml.StreamEndEvent):
            line, column = _mark(after)
            text = (
                "a second document begins here; expected one a file; move it to a file of its own"
            )
            self.stop(line, column, "two-documents", text)
        if root.value is None:
            self.stop(1, 1, "empty-file", "the file is empty; expected 'key: value' lines")
        if not isinstance(root.value, dict):
            found = "a list" if isinstance(root.value, list) else f"'{root.value}'"
            text = f"the file holds {found}; expected 'key: value' lines"
            self.stop(root.line, root.column, "not-a-mapping", text)
        return root

    def node(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> Node:
        line, column = _mark(event)
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event, line, column)
        if depth > DEEPEST:
            text = f"brackets or indents go {depth} levels deep; expected at most {DEEPEST}"
            self.stop(line, column, "too-deep", text)
        assert isinstance(event, yaml.NodeEvent)
        anchor = event.anchor
        if anchor is not None:
            self.anchors[anchor] = None
        tag = getattr(event, "tag", None)
        if tag is not None and not (isinstance(event, yaml.ScalarEvent) and tag == "!"):
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            text = f"the tag '{shown}' is not allowed; expected plain text;"
            text += " quote text that begins with '!'"
            self.note(line, column, "bad-tag", text)
        if isinstance(event, yaml.ScalarEvent):
            if event.value == "" and event.implicit[0]:
                column = self.lost_value(line, column)
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
                text = "the key is a list or mapping; expected a word"
                self.stop(key_line, key_column, "bad-key", text)
            key = str(event.value)
            node = self.node(next(events), events, depth + 1)
            weight += node.weight
            if key == "<<" and event.implicit[0]:
                merged.append(node)
            elif key in entries:
                first = entries[key]
                at = f"{first.line}:{first.column}"
                text = f"'{key}' is given again, first at {at}; expected it once"
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
                text = "'<<' merges something that is no mapping; expected an alias such as *base"
                self.note(part.line, part.column, "bad-merge", text)
                continue
            for key, entry in part.value.items():
                entries.setdefault(key, entry)

    def alias(self, event: yaml.AliasEvent, line: int, column: int) -> Node:
        name = str(event.anchor)
        node = self.anchors.get(name)
        if node is None:
            text = f"'*{name}' stands inside the value that it repeats; expected another value"
            if name not in self.anchors:
                text = (
                    f"'*{name}' repeats what no '&{name}' names; expected text in quotes;"
                    " quote text that begins with '*'"
                )
            self.stop(line, column, "bad-alias", text)
        self.aliased += node.weight
        if self.aliased > MOST_ALIASED:
            text = f"'*{name}' and the aliases before it repeat more than {MOST_ALIASED} values;"
            text += " expected fewer"
            self.stop(line, column, "alias-bomb", text)
        return node

    def scalar(self, event: yaml.ScalarEvent, line: int, column: int) -> Any:
        raw = str(event.value)
        if not event.implicit[0]:  # quoted
            return raw
        if raw in _NULL:
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
            text = f"'{raw[:20]}' is beyond all counting; expected a finite number;"
            text += " quote it if it is text"
            self.note(line, column, "bad-number", text)
            return 0
        return value

    def lost_value(self, line: int, column: int) -> int:
        """Notice `color: #ff0000`, where YAML sees a comment; return where the value was meant."""
        rest = self.lines[line - 1][column - 1 :] if line <= len(self.lines) else ""
        found = re.match(r"\s+(#[0-9A-Za-z]{3,8})\b", rest)
        if found is None:
            return column
        column += found.start(1)
        self.problems.append(comment_for_value(Place(self.file, line, column), found[1]))
        return column

    def note(self, line: int, column: int, code: str, text: str) -> None:
        self.problems.append(Problem(Place(self.file, line, column), code, text))

    def stop(self, line: int, column: int, code: str, text: str) -> NoReturn:
        self.note(line, column, code, text)
        raise _StopError


def _mark(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    assert mark is not None
    return mark.line + 1, mark.column + 1
