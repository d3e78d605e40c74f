"""The workspace as it was: at a revision of git, or in another folder.

Reads what git keeps into a temporary folder, components/ and layouts/ alone, and never touches
the working tree, the index or a branch.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kitwright.load.workspace import Workspace
from kitwright.problems import InvalidInputError, MachineError, RequestError

FOLDERS = ("components", "layouts")
LINK = "120000"  # what git calls the mode of a symbolic link
FILES = ("100644", "100755")


class UnknownRevisionError(RequestError):
    """A revision or folder was named that does not exist: a fault of the command line."""


class _Entry(Struct, frozen=True):
    mode: str
    object_id: str
    path: str


@contextmanager
def workspace_at(workspace: Workspace, rev: str) -> Iterator[Workspace]:
    """Give the workspace at a git revision, or the one in the folder `rev`; both read-only.

    A folder that has components/ comes first. The files of a revision are gone afterwards.
    """
    if not rev.strip():
        raise UnknownRevisionError("the revision is empty; expected such as HEAD~1, or a folder")
    folder = Path(rev)
    if (folder / "components").is_dir():
        yield Workspace(folder.resolve())
        return
    entries = _entries(workspace.root, _commit(workspace.root, rev))
    if not any(entry.path.startswith("components/") for entry in entries):
        raise UnknownRevisionError(f"revision '{rev}' has no components/ folder")
    with tempfile.TemporaryDirectory(prefix="kitwright-") as made:
        root = Path(made).resolve()
        _write(entries, _contents(workspace.root, entries), root)
        yield Workspace(root)


@contextmanager
def faults_of(rev: str) -> Iterator[None]:
    """Name the revision, as git does, or the folder before the file of every fault in it."""
    before = f"{rev}/" if (Path(rev) / "components").is_dir() else f"{rev}:"
    try:
        yield
    except InvalidInputError as error:
        raise InvalidInputError(
            replace(found, place=replace(found.place, file=before + found.place.file))
            for found in error.problems
        ) from None


def _git(root: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("git")
    if program is None:
        raise MachineError(
            "git is not installed; a revision needs it; name another workspace folder instead"
        )
    command = [program, "-C", str(root), *words]
    return subprocess.run(command, input=given, capture_output=True, check=False)


def _commit(root: Path, rev: str) -> str:
    """Return the full name of a revision."""
    top = _git(root, "rev-parse", "--show-toplevel")
    if top.returncode:
        said = top.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise UnknownRevisionError(
            f"'{rev}' is no folder with components/, and no revision can be read here ({said})"
        )
    found = _git(root, "rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
    if found.returncode or rev.startswith("-"):
        raise UnknownRevisionError(
            f"'{rev}' is no revision of this repository and no folder with components/; "
            "expected a commit, branch or tag such as HEAD~1"
        )
    return found.stdout.decode().strip()


def _entries(root: Path, commit: str) -> tuple[_Entry, ...]:
    """List the files of a commit below the workspace, with their paths from it."""
    listed = _checked(_git(root, "ls-tree", "-r", "-z", commit, "--", *FOLDERS))
    entries = []
    for line in listed.split(b"\0"):
        head, _, path = line.partition(b"\t")
        if path:
            mode, _, object_id = head.decode().split(" ")
            entries.append(_Entry(mode, object_id, os.fsdecode(path)))
    return tuple(entry for entry in entries if entry.mode in (*FILES, LINK))


def _contents(root: Path, entries: Sequence[_Entry]) -> dict[str, bytes]:
    """Return the contents of files by their object ids, all asked for at once."""
    wanted = list(dict.fromkeys(entry.object_id for entry in entries))
    asked = "".join(f"{object_id}\n" for object_id in wanted).encode()
    answer = _checked(_git(root, "cat-file", "--batch", given=asked))
    found, at = {}, 0
    for object_id in wanted:
        end = answer.index(b"\n", at)
        head = answer[at:end].split(b" ")
        if len(head) != 3:
            raise MachineError(f"git has lost a file of this revision ({object_id[:12]})")
        size = int(head[2])
        found[object_id] = answer[end + 1 : end + 1 + size]
        at = end + size + 2
    return found


def _checked(done: subprocess.CompletedProcess[bytes]) -> bytes:
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise MachineError(f"git cannot read this revision ({said})")
    return done.stdout


def _write(entries: Sequence[_Entry], contents: dict[str, bytes], root: Path) -> None:
    for entry in entries:
        target = root / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.mode == LINK:
            target.symlink_to(os.fsdecode(contents[entry.object_id]))
        else:
            target.write_bytes(contents[entry.object_id])
