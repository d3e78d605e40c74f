"""Small pictures of faces for the ledger and the diff, by the hash of the face."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from pathlib import Path

from kitwright.press.kit import Kit
from kitwright.write.png import Look, render_faces

DPI = 120.0


def pictures_of(
    kit: Kit,
    marks: Collection[str],
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, bytes]:
    """Rasterise the faces of a kit that have these hashes, cut at their trim, as PNG."""
    faces = {face.hash: face for face in kit.faces.values() if face.hash in marks}
    done = 0

    def told(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, len(faces))

    with tempfile.TemporaryDirectory(prefix="kitwright-") as made:
        targets = [Path(made) / f"{mark}.png" for mark in faces]
        fonts, pictures = kit.materials.fonts, kit.pictures
        render_faces(
            list(faces.values()), targets, fonts, pictures,
            look=Look(DPI), workers=workers, progress=told,
        )  # fmt: skip
        return {target.stem: target.read_bytes() for target in targets}
