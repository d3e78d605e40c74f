"""One writer for an output folder at a time.

The lock is held by the operating system, so it frees itself however a build ends. Knows
files and process ids; nothing of kits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kitwright.problems import MachineError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR = 1 << 20  # where Windows locks: a locked byte cannot be read, and the pid must be
_held: set[int] = set()


@contextmanager
def locked(path: Path, name: str) -> Iterator[None]:
    """Hold the lock file at `path`, or say which process is writing `name`."""
    handle = _take(path, name)
    _held.add(handle)
    try:
        yield
    finally:
        _held.discard(handle)
        if sys.platform != "win32":  # Windows keeps open files where they are
            path.unlink(missing_ok=True)
        os.close(handle)


def _take(path: Path, name: str) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not _try_lock(handle):
            owner = os.read(handle, 20).decode("ascii", "replace").strip()
            os.close(handle)
            raise MachineError(
                f"busy: another build (pid {owner or 'unknown'}) is writing '{name}'"
            )
        if _is_at(handle, path):
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode("ascii"))
            return handle
        os.close(handle)  # its last owner removed it between our opening and locking


def _try_lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.lseek(handle, 0, os.SEEK_SET)
        return False
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _let_go() -> None:
    """Keep a forked worker from holding the lock of a parent that was killed."""
    for handle in _held:
        with suppress(OSError):
            os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
