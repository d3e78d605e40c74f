"""Answers of slow solvers, kept in the cache of a workspace by the hash of what was solved.

They may be deleted at any moment: the solver then finds them again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kitwright.cache.store import Store

KIND = "answers"


class Answers:
    """The answers that a workspace remembers; its folder need not exist, nor be writable."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    def recall(self, key: str) -> dict[str, Any] | None:
        """Return what was found before."""
        raw = self._store.get(KIND, key)
        found: dict[str, Any] | None = json.loads(raw) if raw is not None else None
        return found

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        """Remember an answer."""
        self._store.put(KIND, key, json.dumps(answer).encode())
        self._store.flush()
