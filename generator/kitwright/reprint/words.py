"""What changed in a card's data, in words: `price 3 -> 2`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

LONGEST = 60  # characters of a value
NOTHING = "nothing"


def field_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """List the fields that differ, those inside lists and mappings by their path."""
    before, after = dict(_flat(old)), dict(_flat(new))
    names = [*before, *(name for name in after if name not in before)]
    return tuple(
        f"{name} {_shown(before.get(name))} -> {_shown(after.get(name))}"
        for name in names
        if before.get(name) != after.get(name)
    )


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every single value with its path; items count from 1."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple) and any(map(_is_nested, value)):
        for index, item in enumerate(value, 1):
            yield from _flat(item, f"{path}.{index}")
    else:
        yield path, list(value) if isinstance(value, tuple) else value


def _is_nested(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple)


def _shown(value: Any) -> str:
    if value is None:
        return NOTHING
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False).replace('"', "")
    text = " ".join(value.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
