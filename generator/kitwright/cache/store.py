"""Entries on the disk, each with a checksum; what is damaged is as good as missing.

Knows bytes and their keys, nothing of what they mean. New entries wait in memory until they
are flushed, so that the cache never takes the room that a kit needs. An entry appears by one
rename, so that builds that run at once can share it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

_MAGIC = b"kitwright cache 2\n"
_DIGEST = 20
_HOUR, _DAY = 3_600.0, 86_400.0
_SWEPT = ".swept"  # its time tells when the entries were last looked at
UNUSED_DAYS = 30
LARGEST = 256 * 1024 * 1024  # bytes that all entries may take together
MUCH = LARGEST // 16  # bytes of one build
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# Kitwright's cache; safe to delete.\n"


class Store:
    """A folder of entries by kind and key; `folder` need not exist, nor be writable."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._waiting: dict[tuple[str, str], bytes] = {}

    def get(self, kind: str, key: str) -> bytes | None:
        """Return an entry, unless it is missing or is not what was put there."""
        if (kind, key) in self._waiting:
            return self._waiting[kind, key]
        path = self._path(kind, key)
        try:
            raw = path.read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + _DIGEST
        payload = raw[start:]
        if raw[:start] != _MAGIC + _checksum(kind, key, payload):
            with suppress(OSError):
                path.unlink()
            return None
        self._mark_used(path)
        return payload

    def put(self, kind: str, key: str, payload: bytes) -> None:
        """Keep an entry; it is on the disk after the next flush."""
        self._waiting[kind, key] = payload

    @property
    def waiting(self) -> dict[tuple[str, str], bytes]:
        """The entries that are not on the disk yet."""
        return dict(self._waiting)

    def take(self, entries: Mapping[tuple[str, str], bytes]) -> None:
        """Keep entries that were put elsewhere."""
        self._waiting.update(entries)

    def forget(self) -> None:
        """Drop what waits."""
        self._waiting.clear()

    def flush(self) -> None:
        """Write what waits; a disk that refuses is left as it was."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, {}
        try:
            self._make_folder()
            for (kind, key), payload in waiting.items():
                self._write(self._path(kind, key), _checksum(kind, key, payload), payload)
        except OSError:
            return
        if self._is_due(sum(map(len, waiting.values()))):
            self._prune()

    def _is_due(self, written: int) -> bool:
        """Tell whether to look at all entries: seldom, for they may be many, or after much."""
        swept = self.folder / _SWEPT
        with suppress(OSError):
            if written < MUCH and 0 <= time.time() - swept.stat().st_mtime < _HOUR:
                return False
        with suppress(OSError):
            swept.touch()
        return True

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _TAG)):
            path = self.folder / name
            if not path.exists():
                path.write_text(text, encoding="ascii")

    def _write(self, path: Path, checksum: bytes, payload: bytes) -> None:
        path.parent.mkdir(exist_ok=True)
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with half.open("wb") as file:
                file.write(_MAGIC + checksum)
                file.write(payload)
            half.replace(path)
        except OSError:
            with suppress(OSError):
                half.unlink()
            raise

    def _path(self, kind: str, key: str) -> Path:
        return self.folder / kind / key

    def _mark_used(self, path: Path) -> None:
        """Let the time of an entry tell when it was last used, to the day."""
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _DAY:
                os.utime(path)

    def _prune(self) -> None:
        """Drop what was not used for long, halves that a kill left, and the oldest beyond the cap.

        Entries of another build may go while it runs; it makes them again.
        """
        now = time.time()
        room = LARGEST
        for used, size, path in sorted(self._entries(), reverse=True):
            days = (now - used) / _DAY
            half = path.name.startswith(".") and days > 1
            room -= size
            if half or days > UNUSED_DAYS or room < 0:
                with suppress(OSError):
                    path.unlink()

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        with suppress(OSError):
            for kind in self.folder.iterdir():
                if not kind.is_dir():
                    continue
                for entry in os.scandir(kind):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime, status.st_size, Path(entry.path)


def _checksum(kind: str, key: str, payload: bytes) -> bytes:
    """Return the mark of an entry: what an accident does to it or its name is seen."""
    told = f"{kind}/{key} {len(payload)} {crc32(payload):08x}"
    return blake2b(told.encode(), digest_size=_DIGEST).digest()
