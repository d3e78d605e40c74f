"""PNG files of faces, rasterised by pdfium from the same PDF operators that are printed.

Knows pixels and processes; draws nothing itself. pdfium is not safe with threads, so many
faces are shared out to one process a core.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import struct
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from msgspec import Struct

from kitwright.fonts import Fonts
from kitwright.problems import MachineError
from kitwright.write.encoded import EncodedFace
from kitwright.write.pdf import single_face_pdf
from kitwright.write.pictures import PictureData, up_filtered
from kitwright.write.shares import available_cores

_MM_AN_INCH = 25.4
_SAMPLES = 4  # across a pixel of a rounded corner
_MOST_A_TASK = 8
_WHITE = 0xFFFFFFFF
# pdfium widens rectangles to whole pixels and cuts other edges down to 1/256: where an edge
# lies on a pixel's, a rounding error upwards or downwards would show. These keep clear of both.
_SHRINK = 1 - 1e-6
_SHIFT = 0.0015
Pictures = Mapping[str, PictureData]


class Look(Struct, frozen=True):
    """How faces become pixels; `corner` is the radius in mm at which images are rounded off."""

    dpi: float = 300
    bleed: bool = False
    corner: float = 0.0


class Raster(Struct, frozen=True):
    """Rows of RGB pixels from the top, without gaps."""

    width: int
    height: int
    pixels: bytes


class _Job(Struct, frozen=True):
    """One face of the document that all workers share."""

    page: int
    target: Path
    width: float  # of the face, trimmed
    height: float
    bleed: float
    has_pictures: bool


def pixel_size(width: float, height: float, dpi: float) -> tuple[int, int]:
    """Return the pixels of an image of so many millimetres."""
    return round(width * dpi / _MM_AN_INCH), round(height * dpi / _MM_AN_INCH)


def render_faces(
    faces: Sequence[EncodedFace],
    targets: Sequence[Path],
    fonts: Fonts,
    pictures: Pictures,
    *,
    look: Look,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write each face to its target; `progress` is told how many more files are done."""
    jobs = [
        _Job(page, target, face.width, face.height, face.bleed, bool(face.pictures))
        for page, (face, target) in enumerate(zip(faces, targets, strict=True))
    ]
    if not jobs:
        return
    for folder in sorted({job.target.parent for job in jobs}):
        folder.mkdir(parents=True, exist_ok=True)
    document = single_face_pdf(faces, fonts, pictures)
    workers = min(workers or available_cores(), len(jobs))
    told = progress or (lambda _: None)
    if workers == 1:
        with opened(document) as pdf:
            for job in jobs:
                job.target.write_bytes(_png(pdf, job, look))
                told(1)
    else:
        size = max(1, min(_MOST_A_TASK, len(jobs) // (4 * workers)))
        tasks = [(jobs[at : at + size], look) for at in range(0, len(jobs), size)]
        in_processes(document, _work, tasks, workers, told)


def raster(
    face: EncodedFace, fonts: Fonts, pictures: Pictures, dpi: float, *, bleed: bool = False
) -> Raster:
    """Return the pixels of one face."""
    return next(rasters([face], fonts, pictures, dpi, bleed=bleed))


def rasters(
    faces: Sequence[EncodedFace],
    fonts: Fonts,
    pictures: Pictures,
    dpi: float,
    *,
    bleed: bool = False,
) -> Iterator[Raster]:
    """Yield the pixels of faces, one after the other."""
    with opened(single_face_pdf(faces, fonts, pictures)) as pdf:
        for page, face in enumerate(faces):
            job = _Job(page, Path(), face.width, face.height, face.bleed, bool(face.pictures))
            size, rows = _rgb_rows(pdf, job, Look(dpi, bleed))
            stride = 3 * size[0] + 1
            pixels = b"".join(rows[at + 1 : at + stride] for at in range(0, len(rows), stride))
            yield Raster(*size, pixels)


def in_processes(
    document: bytes,
    work: Callable[[Any, Any], int],
    tasks: Sequence[Any],
    workers: int,
    progress: Callable[[int], None],
) -> None:
    """Do `work` on the open document for each task; it returns how many files it made."""
    method = "fork" if sys.platform == "linux" else "spawn"
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context(method), _start_worker, (document,)
    )
    try:
        futures = [pool.submit(_do, work, task) for task in tasks]
        for future in as_completed(futures):
            progress(future.result())
    except BrokenProcessPool:
        raise MachineError("a process that made images was ended from outside") from None
    finally:
        pool.shutdown(cancel_futures=True)


_worker: dict[str, Any] = {}  # the document of a worker process, open until it ends


def _start_worker(document: bytes) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops the pool
    Thread(target=_end_with_parent, daemon=True).start()
    _worker["pdf"] = _open(document)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(work: Callable[[Any, Any], int], task: Any) -> int:
    return work(_worker["pdf"], task)


def _work(pdf: Any, task: tuple[Sequence[_Job], Look]) -> int:
    jobs, look = task
    for job in jobs:
        job.target.write_bytes(_png(pdf, job, look))
    return len(jobs)


@contextmanager
def opened(document: bytes) -> Iterator[Any]:
    """Open a document for pdfium, and close it at the end."""
    pdf = _open(document)
    try:
        yield pdf
    finally:
        pdf.close()


def _open(document: bytes) -> Any:
    import pypdfium2  # loads a large library: only commands that make images pay for it

    return pypdfium2.PdfDocument(document)


def _png(pdf: Any, job: _Job, look: Look) -> bytes:
    if look.corner:
        size, rounded = _rgba_rows(pdf, job, look)
        return png_file(size, rounded, 6, look.dpi)
    size, rows = _rgb_rows(pdf, job, look)
    if job.has_pictures:
        stride = 3 * size[0] + 1
        rows = bytearray(up_filtered(rows, stride, size[1]))
        rows[::stride] = b"\2" * size[1]
    return png_file(size, rows, 2, look.dpi)


def _rgb_rows(pdf: Any, job: _Job, look: Look) -> tuple[tuple[int, int], bytearray]:
    """Render into rows that begin with a zero, which PNG reads as "no filter"."""
    import pypdfium2.raw as pdfium

    size = _job_size(job, look)
    stride = 3 * size[0] + 1  # three bytes a pixel need no alignment
    rows = bytearray(stride * size[1])
    _paint(pdf, job, look, rows, (pdfium.FPDFBitmap_BGR, stride, 1))
    return size, rows


def _rgba_rows(pdf: Any, job: _Job, look: Look) -> tuple[tuple[int, int], bytes]:
    import pypdfium2.raw as pdfium

    width, height = size = _job_size(job, look)
    stride = 4 * width
    pixels = bytearray(stride * height)
    _paint(pdf, job, look, pixels, (pdfium.FPDFBitmap_BGRA, stride, 0))
    for x, y, alpha in corner_alpha(look.corner * look.dpi / _MM_AN_INCH, *size):
        pixels[4 * (y * width + x) + 3] = alpha
    rows = [pixels[at : at + stride] for at in range(0, len(pixels), stride)]
    return size, b"\0" + b"\0".join(rows)


def _job_size(job: _Job, look: Look) -> tuple[int, int]:
    margin = 2 * job.bleed if look.bleed else 0.0
    return pixel_size(job.width + margin, job.height + margin, look.dpi)


def _paint(
    pdf: Any, job: _Job, look: Look, pixels: bytearray, layout: tuple[int, int, int]
) -> None:
    width, height = _job_size(job, look)
    hidden = 0.0 if look.bleed else job.bleed
    shown = (job.width + 2 * (job.bleed - hidden), job.height + 2 * (job.bleed - hidden))
    # The image is a whole number of pixels, the face seldom is: stretch by that hair.
    across, down = width / shown[0], height / shown[1]
    matrix = (across, 0, 0, down, -hidden * across, -hidden * down)
    whole = (0, 0, width, height)
    paint_page(pdf, job.page, matrix, whole, (width, height), pixels, layout)


def paint_page(
    pdf: Any,
    page_number: int,
    matrix: Sequence[float],
    box: tuple[int, int, int, int],
    size: tuple[int, int],
    pixels: bytearray,
    layout: tuple[int, int, int],
    ground: int = _WHITE,
) -> None:
    """Render a page into a box of memory of ours; the matrix takes mm of the page to pixels.

    `layout` is pixel format, stride and first byte; `ground` is the colour below, as 0xAARRGGBB.
    """
    import pypdfium2.raw as pdfium

    kind, stride, first = layout
    left, top, right, bottom = box
    a, b, c, d, e, f = matrix
    scale = _SHRINK * _MM_AN_INCH / 72
    x, y = left + _SHIFT + (e - left) * _SHRINK, top + _SHIFT + (f - top) * _SHRINK
    placed = pdfium.FS_MATRIX(a * scale, b * scale, c * scale, d * scale, x, y)
    memory = (ctypes.c_char * (len(pixels) - first)).from_buffer(pixels, first)
    bitmap = pdfium.FPDFBitmap_CreateEx(*size, kind, memory, stride)
    page = pdfium.FPDF_LoadPage(pdf.raw, page_number)
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, left, top, right - left, bottom - top, ground)
        clip = pdfium.FS_RECTF(left, top, right, bottom)
        flags = pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmapWithMatrix(bitmap, page, placed, clip, flags)
    finally:
        pdfium.FPDF_ClosePage(page)
        pdfium.FPDFBitmap_Destroy(bitmap)


@cache
def corner_alpha(radius: float, width: int, height: int) -> tuple[tuple[int, int, int], ...]:
    """List x, y and alpha of the pixels that rounded corners of `radius` pixels touch."""
    radius = min(radius, width / 2, height / 2)
    steps = [(index + 0.5) / _SAMPLES for index in range(_SAMPLES)]
    touched = []
    for y in range(int(radius) + 1):
        for x in range(int(radius) + 1):
            inside = sum(
                x + dx >= radius
                or y + dy >= radius
                or (x + dx - radius) ** 2 + (y + dy - radius) ** 2 <= radius**2
                for dx in steps
                for dy in steps
            )
            if inside < _SAMPLES**2:
                alpha = round(255 * inside / _SAMPLES**2)
                touched += [
                    (column, row, alpha)
                    for column in {x, width - 1 - x}
                    for row in {y, height - 1 - y}
                ]
    return tuple(touched)


def png_file(size: tuple[int, int], rows: bytes | bytearray, color_type: int, dpi: float) -> bytes:
    """Return a PNG file of rows that begin with their filter; colour type 2 is RGB, 6 RGBA."""
    a_metre = round(dpi * 1000 / _MM_AN_INCH)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">2I5B", *size, 8, color_type, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">2IB", a_metre, a_metre, 1)),
            _chunk(b"IDAT", zlib.compress(rows, 1)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(data, zlib.crc32(kind))
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)
