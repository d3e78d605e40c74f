"""Zip files whose bytes depend on their contents alone. Knows names and bytes, nothing more."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip file can tell
_READABLE = 0o644 << 16


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file of `files` by name, in the order of their names."""
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _EPOCH)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = _READABLE
            entry.create_system = 3  # the same on every machine
            archive.writestr(entry, files[name])
    return out.getvalue()


def zip_sizes(data: bytes) -> dict[str, int]:
    """Return the size of each file in a zip file, unpacked."""
    with ZipFile(BytesIO(data)) as archive:
        return {entry.filename: entry.file_size for entry in archive.infolist()}
