"""Kits that stand: what a build wrote for a key, and whether it is all still there.

A record holds the warnings of the build too, so that they are told each time.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from kitwright.cache.stock import Stock
from kitwright.cache.store import Store
from kitwright.options import Made, PlanRow, Report
from kitwright.problems import Place, Problem
from kitwright.write.staging import MANIFEST, is_settled

_KIND = "kits"


class Standing(Struct, frozen=True):
    """The records of kits in one output folder."""

    store: Store
    stock: Stock
    output: Path

    def find(self, key: str) -> Report | None:
        """Return the report of the build that had this key, if its kit stands untouched."""
        raw = self.store.get(_KIND, self._key(key))
        if raw is None:
            return None
        told: dict[str, Any] = json.loads(raw)
        if any(self.stock.hash_of(path) != mark for path, mark in told["fonts"].items()):
            return None
        folder = self.output / told["folder"]
        if not is_settled(folder) or not self._stands(folder, told["files"]):
            return None
        files = tuple(Made(path, pages, size) for path, pages, size, _, _ in told["files"])
        warnings = tuple(
            Problem(Place(*place), code, message, warning)
            for place, code, message, warning in told["warnings"]
        )
        faces = told["faces"]
        plan = tuple(PlanRow(*row) for row in told["plan"])
        return Report(told["game"], folder, files, warnings, 0, faces, True, plan)

    def _stands(self, folder: Path, files: list[tuple[str, int, int, str, int]]) -> bool:
        try:
            listed = json.loads((folder / MANIFEST).read_bytes())["files"]
            return all(
                listed.get(path.partition("/")[2]) == mark
                and _is_as_written(self.output / path, size, mark, time)
                for path, _, size, mark, time in files
            )
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return False  # somebody has been at the folder

    def note(self, key: str, report: Report, fonts: tuple[Path, ...]) -> None:
        """Remember what a build wrote."""
        try:
            listed = json.loads((report.folder / MANIFEST).read_bytes())["files"]
            files = [
                (
                    *(made.path, made.pages, made.size, listed[made.path.partition("/")[2]]),
                    (self.output / made.path).stat().st_mtime_ns,
                )
                for made in report.files
            ]
        except (OSError, ValueError, LookupError, TypeError):
            return  # another build was quicker
        told = {
            "game": report.game,
            "folder": report.folder.name,
            "files": files,
            "faces": report.drawn + report.recalled,
            "fonts": {str(path): self.stock.hash_of(str(path)) for path in fonts},
            "plan": [astuple(row) for row in report.plan],
            "warnings": [
                (astuple(each.place), each.code, each.message, each.warning)
                for each in report.warnings
            ],
        }
        self.store.put(_KIND, self._key(key), json.dumps(told).encode())

    def _key(self, key: str) -> str:
        where = os.path.realpath(self.output)
        return sha256(f"{where}\n{key}".encode()).hexdigest()[:40]


def _is_as_written(path: Path, size: int, mark: str, time: int) -> bool:
    status = path.lstat()
    if status.st_size != size:
        return False
    return status.st_mtime_ns == time or sha256(path.read_bytes()).hexdigest() == mark
