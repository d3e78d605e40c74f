"""One file replaced in one step: whatever ends the command leaves the old one or the new."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from kitwright.problems import MachineError


def replace_file(path: Path, text: str) -> None:
    """Write a text beside a file and put it in the file's place."""
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        why = (error.strerror or "unknown reason").lower()
        raise MachineError(f"'{path}' cannot be written: {why}; it is as it was before") from error
