"""All faces of Hard Wired at 300 dpi, against pdfium's raster and the PNG encoder alone."""

from __future__ import annotations

import time
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2

from kitwright.load import find_workspace
from kitwright.pipeline import STANDARD, compose_kit, load_kit
from kitwright.write.pdf import single_face_pdf
from kitwright.write.png import Look, render_faces
from kitwright.write.shares import available_cores
from measure import show


def main() -> None:
    """Time the two halves by themselves, then the whole with all cores."""
    workspace = find_workspace(Path(__file__).parent.parent)
    kit = compose_kit(load_kit(workspace, "hard-wired", None, STANDARD), STANDARD)
    faces = list(kit.faces.values())
    document = single_face_pdf(faces, kit.materials.fonts, kit.pictures)
    floor = _floor(document) / available_cores()
    with TemporaryDirectory() as folder:
        targets = [Path(folder, f"{index}.png") for index in range(len(faces))]
        start = time.perf_counter()
        render_faces(faces, targets, kit.materials.fonts, kit.pictures, look=Look(300))
        whole = time.perf_counter() - start
    each = f"{whole / len(faces) * 1e3:.1f} ms a face"
    show(f"PNG of {len(faces)} faces at 300 dpi", f"{whole:.2f} s, {each}", "")
    show("  against raster + encoder on all cores", f"{whole / floor:.2f} x", "at most 1.3 x")


def _floor(document: bytes) -> float:
    pdf = pypdfium2.PdfDocument(document)
    seconds = 0.0
    for page in pdf:
        start = time.perf_counter()
        bitmap = page.render(scale=300 / 72, rev_byteorder=True)
        pixels = bytes(bitmap.buffer)
        stride = bitmap.stride
        rows = b"".join(b"\0" + pixels[at : at + stride] for at in range(0, len(pixels), stride))
        zlib.compress(rows, 1)
        seconds += time.perf_counter() - start
        bitmap.close()
        page.close()
    pdf.close()
    return seconds


if __name__ == "__main__":
    main()
