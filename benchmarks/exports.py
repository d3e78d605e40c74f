"""All five games as images for The Game Crafter, against pdfium's raster and the encoder alone.

Also how the encoder was chosen: bytes against time, on the faces of one game.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from msgspec import Struct
from PIL import Image

from kitwright.jobs.exports import ExportOptions, Prepared, export_game, prepare_export
from kitwright.jobs.shipping import send
from kitwright.load import find_workspace
from kitwright.write.pdf import single_face_pdf
from kitwright.write.pictures import up_filtered
from kitwright.write.shares import available_cores
from measure import show

OPTIONS = ExportOptions(("tgc",))


def main() -> None:
    """Time raster and encoder, the files from composed faces, and the whole command twice."""
    workspace = find_workspace(Path(__file__).parent.parent)
    floor = files = whole = again = Cost(0.0, 0.0)
    count = 0
    with TemporaryDirectory() as folder:
        for game in workspace.games():
            prepared = prepare_export(workspace, game, OPTIONS, Path(folder))
            count += len(prepared.parcels[0].plan.shots)
            floor += _timed(partial(_floor, prepared))
            files += _timed(partial(_send, prepared, Path(folder, "files")))
            run = partial(export_game, workspace, game, OPTIONS, Path(folder, "whole"))
            whole += _timed(run)
            again += _timed(run)
    cores = available_cores()
    show(f"export of {count} images to TGC, five games", f"{files.seconds:.2f} s", "")
    show("  CPU against raster + encoder", f"{files.cpu / floor.cpu:.2f} x", "at most 1.3 x")
    ratio = files.seconds / floor.seconds * cores
    show(
        "  time against raster + encoder on all cores", f"{ratio:.2f} x", "at most 1.3 x when idle"
    )
    show("  whole, with loading, composing and preflight", f"{whole.seconds:.2f} s", "")
    show("  again, nothing changed", f"{again.seconds:.2f} s", "")
    _encoders(prepare_export(workspace, "hard-wired", OPTIONS, Path()))


class Cost(Struct, frozen=True):
    """Seconds on the clock, and of processors."""

    seconds: float
    cpu: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.cpu + other.cpu)


def _timed(work: Callable[[], object]) -> Cost:
    start, before = time.perf_counter(), sum(os.times()[:4])
    work()
    return Cost(time.perf_counter() - start, sum(os.times()[:4]) - before)


def _send(prepared: Prepared, folder: Path) -> None:
    target = folder / prepared.kit.game.id
    send(prepared.kit, prepared.faces, prepared.parcels, target, [], None, None)


def _floor(prepared: Prepared) -> None:
    """Rasterise and compress each image once, in this process."""
    shots = {shot.face: shot for shot in prepared.parcels[0].plan.shots}
    kit = prepared.kit
    faces = [kit.faces[name] for name in shots]
    pdf = pypdfium2.PdfDocument(single_face_pdf(faces, kit.materials.fonts, kit.pictures))
    for number, shot in enumerate(shots.values()):
        zlib.compress(_raster(pdf, number, shot.view.dpi, shot.view.pixels), 1)
    pdf.close()


def _raster(pdf: Any, number: int, dpi: float, pixels: tuple[int, int]) -> bytes:
    """Render a page, and make it as large as the canvas that the shop wants."""
    page = pdf[number]
    bitmap = page.render(scale=dpi / 72, rev_byteorder=True)
    rows, stride = bytes(bitmap.buffer), bitmap.stride
    parts = [b"\0" + rows[at : at + stride] for at in range(0, len(rows), stride)]
    blank = b"\0" + b"\xff" * (3 * pixels[0])
    parts += [blank] * (pixels[1] - len(parts))
    bitmap.close()
    page.close()
    return b"".join(parts)


def _encoders(prepared: Prepared) -> None:
    kit = prepared.kit
    faces = [kit.faces[shot.face] for shot in prepared.parcels[0].plan.shots[:12]]
    pdf = pypdfium2.PdfDocument(single_face_pdf(faces, kit.materials.fonts, kit.pictures))
    images = [page.render(scale=300 / 72, rev_byteorder=True).to_pil() for page in pdf]
    for name, encode in ENCODERS.items():
        start = time.perf_counter()
        size = sum(len(encode(image)) for image in images)
        each = (time.perf_counter() - start) / len(images)
        show(f"  PNG by {name}", f"{each * 1e3:.1f} ms, {size / len(images) / 1024:.0f} KB", "")


def _plain(image: Image.Image, level: int) -> bytes:
    raw, stride = image.tobytes(), 3 * image.width
    rows = [b"\0" + raw[at : at + stride] for at in range(0, len(raw), stride)]
    return zlib.compress(b"".join(rows), level)


def _up(image: Image.Image) -> bytes:
    return zlib.compress(up_filtered(image.tobytes(), 3 * image.width, image.height), 1)


def _pillow(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


ENCODERS: dict[str, Callable[[Image.Image], bytes]] = {
    "no filter, zlib 1 (ours)": lambda image: _plain(image, 1),
    "no filter, zlib 6": lambda image: _plain(image, 6),
    "filter up, zlib 1": _up,
    "Pillow's default": _pillow,
}

if __name__ == "__main__":
    main()
