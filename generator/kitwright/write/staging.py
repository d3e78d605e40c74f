"""The output folder: made beside the old one, then exchanged for it in one step.

Whoever looks at an output folder, and whatever ends a build, finds the old kit or the new
one, whole. Knows files and folders; nothing of what is in them.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from kitwright.problems import MachineError
from kitwright.write.locking import locked

MANIFEST = "manifest.json"
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NO_EXCHANGE = {errno.EINVAL, errno.ENOSYS, errno.EXDEV, errno.EOPNOTSUPP}
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_DISK_FAULTS = {*_DISK_FULL, errno.EIO, errno.EROFS}


class UnsafeOutputError(Exception):
    """The output folder is a place where no kit may go. The command exits with 2."""


class Staged(Struct, frozen=True):
    """A new output folder in the making; what is not written into it is taken from the old."""

    folder: Path
    old: Path
    replaces: tuple[str, ...]  # patterns of files that are not taken over

    def write(self, name: str, data: bytes) -> None:
        """Put a file into the new folder; one that is the same already is taken from the old."""
        target, old = self.folder / name, self.old / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if _holds(old, data):
            _link(old, target)
        else:
            target.write_bytes(data)

    def seal(self, version: str) -> None:
        """Take over what this command does not make, and list it all in the manifest."""
        self.carry()
        write_manifest(self.folder, version)

    def carry(self) -> None:
        """Link the files of the old folder that were not made anew."""
        for name in _files(self.old):
            source, target = self.old / name, self.folder / name
            replaced = any(fnmatchcase(name, pattern) for pattern in self.replaces)
            if replaced or os.path.lexists(target) or not _can_hold(self.folder, name):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            _link(source, target)


@contextmanager
def stage(
    output: Path, *, replaces: Iterable[str] = (), sources: Iterable[Path] = ()
) -> Iterator[Staged]:
    """Give a new folder that takes the place of `output` at the end, or leaves no trace.

    Files of the old folder are taken over unless they are made anew or fit one of the
    patterns in `replaces`, such as 'images/*'. `sources` are folders to keep away from.
    """
    check_output(output, sources)
    output = Path(os.path.realpath(output))
    hidden = _hidden(output, "staging")
    with ExitStack() as undo:
        _make_parents(output.parent, undo)
        with _told(output):
            undo.enter_context(locked(_hidden(output, "lock"), output.name))
            _repair(output)
            hidden.mkdir()
        undo.callback(shutil.rmtree, hidden, ignore_errors=True)
        staged = Staged(hidden, output, tuple(replaces))
        with _told(output):
            yield staged
            staged.carry()
            _make_durable(hidden)
            _swap(hidden, output)


def check_output(output: Path, sources: Iterable[Path] = ()) -> None:
    """Refuse an output folder that holds, is or lies in what a build must not touch."""
    real = Path(os.path.realpath(output))
    if real == Path(real.anchor):
        raise UnsafeOutputError(f"output folder '{output}' is the whole disk; choose another")
    home = Path(os.path.realpath(Path.home()))
    if home.is_relative_to(real) and home != Path(home.anchor):
        raise UnsafeOutputError(
            f"output folder '{output}' is or holds your home folder; choose another"
        )
    if ".git" in real.parts:
        raise UnsafeOutputError(f"output folder '{output}' lies in '.git'; choose another")
    for source in sources:
        kept = Path(os.path.realpath(source))
        if real.is_relative_to(kept) or kept.is_relative_to(real):
            raise UnsafeOutputError(
                f"output folder '{output}' would overwrite '{source.name}'; choose another"
            )
    if real.exists() and not real.is_dir():
        raise UnsafeOutputError(f"output folder '{output}' is a file; choose another")


def check_writable(output: Path) -> None:
    """Refuse a folder that nothing can be put into, before any work is done for it."""
    there = next(each for each in (output, *output.absolute().parents) if each.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        raise MachineError(f"folder '{there}' cannot be written: permission denied")


def is_settled(output: Path) -> bool:
    """Tell whether no build is writing `output`, nor was ended while it did."""
    real = Path(os.path.realpath(output))
    return not any(_hidden(real, kind).exists() for kind in ("staging", "old"))


def write_manifest(folder: Path, version: str) -> None:
    """List every file of `folder` with its SHA-256 in manifest.json."""
    files = {
        name: sha256((folder / name).read_bytes()).hexdigest()
        for name in _files(folder)
        if name != MANIFEST
    }
    text = json.dumps({"version": version, "files": files}, indent=1, ensure_ascii=False)
    target = folder / MANIFEST
    target.unlink(missing_ok=True)  # a carried one is the old kit's own file
    target.write_text(text + "\n", encoding="utf-8")


@contextmanager
def _told(output: Path) -> Iterator[None]:
    """Turn the faults of the disk into words."""
    try:
        yield
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise MachineError(
                f"the disk is full: '{output.name}' could not be written; it is as it was before"
            ) from error
        if not (error.errno in _DISK_FAULTS or _is_ours(error.filename, output)):
            raise
        reason = (error.strerror or "unknown reason").lower()
        raise MachineError(
            f"'{error.filename or output.name}' cannot be written: {reason}; "
            f"'{output.name}' is as it was before"
        ) from error


def _is_ours(filename: object, output: Path) -> bool:
    if not isinstance(filename, str | os.PathLike):
        return False
    path = Path(filename)
    ours = (output, *(_hidden(output, kind) for kind in ("staging", "old", "lock")))
    return any(path.is_relative_to(folder) for folder in ours)


def _hidden(output: Path, kind: str) -> Path:
    return output.with_name(f".{output.name}.{kind}")


def _make_parents(folder: Path, undo: ExitStack) -> None:
    """Make the folders above the output; those that are new go again if nothing is put there."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise MachineError(f"folder '{folder}' cannot be written: {reason}") from error
    for parent in reversed(missing):
        undo.callback(_remove_empty, parent)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise MachineError(f"folder '{folder}' cannot be written: permission denied")


def _remove_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()


def _repair(output: Path) -> None:
    """Finish or undo what a killed build began; the lock is held."""
    aside, hidden = _hidden(output, "old"), _hidden(output, "staging")
    if aside.exists() and not output.exists():
        aside.rename(output)
    for leftover in (aside, hidden):
        if leftover.exists():
            shutil.rmtree(leftover)


def _files(folder: Path) -> list[str]:
    """List the files below `folder` as sorted names with forward slashes."""
    names = [
        (Path(parent) / name).relative_to(folder).as_posix()
        for parent, folders, files in os.walk(folder)
        for name in (*files, *(name for name in folders if (Path(parent) / name).is_symlink()))
    ]
    return sorted(names)


def _holds(path: Path, data: bytes) -> bool:
    """Tell whether a file, itself and no link, has this content."""
    try:
        status = path.lstat()
        return (
            stat.S_ISREG(status.st_mode)
            and status.st_size == len(data)
            and path.read_bytes() == data
        )
    except OSError:
        return False


def _can_hold(folder: Path, name: str) -> bool:
    parents = [folder / parent for parent in Path(name).parents]
    return all(parent.is_dir() or not os.path.lexists(parent) for parent in parents)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except (OSError, NotImplementedError):  # file systems and systems without hard links
        shutil.copy2(source, target, follow_symlinks=False)


def _make_durable(folder: Path) -> None:
    """Wait until everything new in `folder` is on the disk."""
    if sys.platform == "win32":
        return
    for parent, _, files in os.walk(folder, topdown=False):
        for name in files:
            path = Path(parent) / name
            status = path.lstat()
            if status.st_nlink == 1 and not path.is_symlink():
                _flush(path)
        _flush(Path(parent))


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _swap(new: Path, output: Path) -> None:
    if not output.exists():
        new.rename(output)
    else:
        shutil.copymode(output, new)
        if not _exchange(new, output):
            _rename_aside(new, output)
    if sys.platform != "win32":
        _flush(output.parent)


def _exchange(new: Path, output: Path) -> bool:
    """Exchange two folders in one step where the system can; the old one is then at `new`."""
    if sys.platform != "linux":
        return False
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        return False
    there, here = os.fsencode(new), os.fsencode(output)
    if library.renameat2(_AT_FDCWD, there, _AT_FDCWD, here, _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NO_EXCHANGE:
        return False
    raise OSError(code, os.strerror(code), str(output))


def _rename_aside(new: Path, output: Path) -> None:
    """Replace in two steps; a folder called `.<name>.old` tells the next start to repair."""
    aside = _hidden(output, "old")
    output.rename(aside)
    new.rename(output)
    shutil.rmtree(aside, ignore_errors=True)
