"""Where a number of the game's files stands, and the file's text with another number there."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from kitwright.load.game import NOT_COMPONENTS
from kitwright.load.source import Document, Node
from kitwright.load.workspace import Workspace, yaml_files
from kitwright.problems import InvalidInputError, Problem, RequestError, did_you_mean

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
PARTS = ("deck", "sheet", "board", "table")


class UnknownNumberError(RequestError):
    """A path leads to no number: a fault of the command line."""


class NumberSpot(Struct, frozen=True):
    """A number in a file."""

    path: Path
    line: int
    column: int
    value: float

    def text_with(self, value: float) -> str:
        """Return the text of the file with another number, all else as it was."""
        lines = self.path.read_bytes().decode("utf-8").splitlines(keepends=True)
        line = lines[self.line - 1]
        found = _NUMBER.match(line, self.column - 1)
        assert found is not None
        lines[self.line - 1] = line[: found.start()] + f"{value:g}" + line[found.end() :]
        return "".join(lines)


def find_number(workspace: Workspace, game_id: str, path: str) -> NumberSpot:
    """Find `rules.hand`, `pace`, or `DECK.CARD.FIELD`; a list's items count from 0."""
    problems: list[Problem] = []
    folder = workspace.components / game_id
    head, *steps = path.split(".")
    found = None
    for file in yaml_files(folder):
        if file.name in NOT_COMPONENTS and file.name != "game.yaml":
            continue
        document = workspace.read(file, problems)
        if document is not None and (start := _start(document, head, file.name)) is not None:
            found = (file, start)
            break
    if problems:
        raise InvalidInputError(problems)
    if found is None:
        raise UnknownNumberError(
            f"'{path}' leads to no number; expected rules.NAME, pace, or DECK.CARD.FIELD"
        )
    file, node = found
    for at, step in enumerate(steps):
        node = _step(node, step, path, ".".join((head, *steps[:at])))
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise UnknownNumberError(f"'{path}' is no number; expected the path of one")
    return NumberSpot(file, node.line, node.column, node.value)


def _start(document: Document, head: str, name: str) -> Node | None:
    """Return where a path begins in a file: at a key of game.yaml, or at a part's cards."""
    root = document.root.value
    if name == "game.yaml":
        return root[head].node if head in root else None
    kind = next((kind for kind in PARTS if kind in root), None)
    if kind is None or root[kind].node.value != head:
        return None
    inner = {"deck": "cards", "table": "rows"}.get(kind, "data")
    return root[inner].node if inner in root else None


def _step(node: Node, step: str, path: str, holder: str) -> Node:
    value = node.value
    if isinstance(value, dict):
        if step in value:
            entry: Node = value[step].node
            return entry
        known = ", ".join(value)
        hint = did_you_mean(step, value)
        raise UnknownNumberError(
            f"'{path}': {holder} has no '{step}'; expected one of {known}{hint}"
        )
    if isinstance(value, list):
        for at, item in enumerate(value):
            card = item.value.get("id") if isinstance(item.value, dict) else None
            if step == str(at) or (card is not None and card.node.value == step):
                chosen: Node = item
                return chosen
        raise UnknownNumberError(f"'{path}': {holder} has no item '{step}'")
    raise UnknownNumberError(f"'{path}': {holder} holds nothing more")
