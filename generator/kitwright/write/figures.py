"""Measured figures as YAML text. Writes no file itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

WIDEST = 118
_WORDS = re.compile(r"[A-Za-z][a-z]+([ -][A-Za-z][a-z]+)*")
_NOT_TEXT = {"true", "false", "null"}
_HEAD = """\
# What bots have measured; written by `kitwright balance {game} --write`, not by hand.
# rules.md and layouts look it up as figures.…; `kitwright check` says when it is stale.
"""


def figures_text(told: Mapping[str, Any]) -> str:
    """Return the text of components/<game>/figures.yaml."""
    return _HEAD.format(game=told["figures"]) + "\n".join(_lines(told, "")) + "\n"


def _lines(value: Mapping[Any, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        yield from _entry(f"{indent}{key}:", item, f"{indent}  ")


def _entry(head: str, item: Any, indent: str) -> Iterator[str]:
    flow = f"{head} {_flow(item)}"
    if not isinstance(item, Mapping | list | tuple) or (_is_flat(item) and len(flow) <= WIDEST):
        yield flow
    elif isinstance(item, Mapping):
        yield head
        yield from _lines(item, indent)
    else:
        yield head
        for each in item:
            yield from _item(each, indent)


def _item(each: Any, indent: str) -> Iterator[str]:
    flow = f"{indent}- {_flow(each)}"
    if not isinstance(each, Mapping) or (_is_flat(each) and len(flow) <= WIDEST):
        yield flow
        return
    for number, line in enumerate(_lines(each, f"{indent}  ")):
        yield line if number else f"{indent}- {line.strip()}"


def _is_flat(item: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> bool:
    inner = item.values() if isinstance(item, Mapping) else item
    return not any(isinstance(each, Mapping | list | tuple) for each in inner)


def _flow(item: Any) -> str:
    if isinstance(item, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in item.items()) + "}"
    if isinstance(item, list | tuple):
        return "[" + ", ".join(map(_flow, item)) + "]"
    if isinstance(item, str) and _WORDS.fullmatch(item) and item.lower() not in _NOT_TEXT:
        return item
    return json.dumps(item, ensure_ascii=False)
