"""What lies on the disk: the content hash of every file that a build may read.

A file is read again only when its size, times or inode are others than last time, or when
it was so young then that a change need not have moved its times. Knows nothing of games.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path

from kitwright import __version__
from kitwright.cache.store import Store

_KIND, _KEY = "stock", "files-1"
_YOUNG = 2_000_000_000  # ns: the coarsest clock of a file system still in use ticks in two seconds
_MOST_KNOWN = 10_000  # files; beyond, only those of this build are remembered
_SKIPPED = {"__pycache__", ".git"}
LIBRARIES = (
    *("reportlab", "yaml", "jinja2", "markupsafe", "PIL", "pydantic", "pydantic_core"),
    *("uharfbuzz", "pyphen", "markdown_it", "font_source_sans_pro", "font_source_serif_pro"),
    *("font_fredoka_one", "msgspec"),
)
_Seen = list[int | str]  # size, mtime, ctime, inode, when it was read, hash


class Stock:
    """The content hashes of files, remembered from build to build."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        raw = store.get(_KIND, _KEY) if store is not None else None
        self._seen: dict[str, _Seen] = json.loads(raw) if raw is not None else {}
        self._asked: dict[str, _Seen] = {}
        self._changed = False

    def again(self) -> Stock:
        """Return a stock that looks at every file once more."""
        other = Stock(None)
        other._seen = {**self._seen, **self._asked}
        return other

    def hash_of(self, path: str, status: os.stat_result | None = None) -> str:
        """Return the content hash of a file, or what keeps it from having one."""
        try:
            status = status or Path(path).stat()
            if not stat.S_ISREG(status.st_mode):
                return f"no file {stat.S_IFMT(status.st_mode)}"
            return self._hash_of(path, status)
        except OSError as error:
            return f"unreadable {error.errno}"

    def _hash_of(self, path: str, status: os.stat_result) -> str:
        now = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
        seen = self._seen.get(path)
        if seen is not None and seen[:4] == now:
            read_at = int(seen[4])
            if max(status.st_mtime_ns, status.st_ctime_ns) < read_at - _YOUNG:
                self._asked[path] = seen
                return str(seen[5])
        read_at = time.time_ns()
        mark = blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()
        self._asked[path] = [*now, read_at, mark]
        self._changed = True
        return mark

    def hash_folders(self, folders: Iterable[tuple[str, Path]]) -> str:
        """Return one hash of all files below some folders; each folder goes by a label."""
        mark = blake2b(digest_size=16)
        for label, folder in folders:
            for name, path, status in sorted(_files(str(folder), "", frozenset())):
                mark.update(f"{label}/{name}\0{self.hash_of(path, status)}\n".encode())
        return mark.hexdigest()

    def keep(self) -> None:
        """Put what was learnt into the store, beside what was known of other files."""
        if self._store is not None and self._changed:
            known = {**self._seen, **self._asked}
            if len(known) > _MOST_KNOWN:
                known = self._asked
            self._store.put(_KIND, _KEY, json.dumps(known).encode())
            self._changed = False


def _files(
    folder: str, name: str, above: frozenset[str]
) -> Iterator[tuple[str, str, os.stat_result | None]]:
    """Yield name, path and status of all files below a folder, links followed but in a circle."""
    real = os.path.realpath(folder)
    try:
        entries = list(os.scandir(folder)) if real not in above else []
    except OSError:
        return
    for entry in entries:
        if entry.name in _SKIPPED:
            continue
        inner = f"{name}/{entry.name}" if name else entry.name
        if entry.is_dir():
            yield from _files(entry.path, inner, above | {real})
        else:
            try:
                yield inner, entry.path, entry.stat()
            except OSError:  # a link that leads nowhere
                yield inner, entry.path, None


def program_hash(stock: Stock, package: Path) -> str:
    """Return the hash of Kitwright itself, in a checkout as well, and of what it draws with."""
    mark = blake2b(digest_size=16)
    mark.update(f"{__version__} {sys.version} {zlib.ZLIB_RUNTIME_VERSION}\n".encode())
    for name in LIBRARIES:
        spec = find_spec(name)
        origin = Path(spec.origin) if spec is not None and spec.origin is not None else None
        status = origin.stat() if origin is not None and origin.exists() else None
        size = (status.st_size, status.st_mtime_ns) if status is not None else ()
        mark.update(f"{name} {size}\n".encode())
    rooms = [(entry.name, Path(entry.path)) for entry in os.scandir(package) if entry.is_dir()]
    wanted = sorted(room for room in rooms if room[0] not in (*_SKIPPED, "workspace"))
    mark.update(stock.hash_folders(wanted).encode())
    for path in sorted(package.glob("*.py")):
        mark.update(f"{path.name} {stock.hash_of(str(path))}\n".encode())
    return mark.hexdigest()
