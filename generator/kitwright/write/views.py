"""Images of parts of faces, at exactly so many pixels: what print shops and tables ask for.

A task is one file, a single face or a sheet of many; all cores work on them. The faces are
rasterised from the same PDF operators that are printed. Knows no site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from kitwright.fonts import Fonts
from kitwright.write.encoded import EncodedFace
from kitwright.write.pdf import single_face_pdf
from kitwright.write.pictures import PictureData, up_filtered
from kitwright.write.png import in_processes, opened, paint_page, png_file
from kitwright.write.shares import available_cores

_MM_AN_INCH = 25.4
_WHITE = 255
_MOST_A_TASK = 6  # images
_LARGE = 2_000_000  # pixels; such an image is a task by itself
Box = tuple[int, int, int, int]


class Window(Struct, frozen=True):
    """Where a face is seen: mm from the top left of its cut, and the pixels that show it."""

    left: float
    top: float
    width: float
    height: float
    pixels: tuple[int, int]
    turned: bool = False  # on its right side
    trimmed: bool = False  # nothing outside the cut is shown


class Picture(Struct, frozen=True):
    """An image to be made: faces row by row, each seen through the same window."""

    target: Path
    faces: tuple[str, ...]  # a face of "" is white
    window: Window
    columns: int = 1
    rows: int = 1

    @property
    def pixels(self) -> tuple[int, int]:
        """The size of the image."""
        return self.window.pixels[0] * self.columns, self.window.pixels[1] * self.rows


class _Seen(Struct, frozen=True):
    """A page of the document that all workers share."""

    page: int
    width: float
    height: float
    bleed: float
    has_pictures: bool


class _Job(Struct, frozen=True):
    target: Path
    seen: tuple[_Seen | None, ...]
    window: Window
    columns: int
    rows: int


def render_views(
    pictures: Sequence[Picture],
    faces: Mapping[str, EncodedFace],
    fonts: Fonts,
    assets: Mapping[str, PictureData],
    *,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write each picture to its target; `progress` is told how many more files are done."""
    if not pictures:
        return
    for folder in sorted({picture.target.parent for picture in pictures}):
        folder.mkdir(parents=True, exist_ok=True)
    used = list(dict.fromkeys(name for p in pictures for name in p.faces if name))
    numbers = {name: number for number, name in enumerate(used)}
    shown = [faces[name] for name in used]
    document = single_face_pdf(shown, fonts, assets)
    jobs = [_job(picture, numbers, faces) for picture in pictures]
    told = progress or (lambda _: None)
    workers = min(workers or available_cores(), len(jobs))
    tasks = _tasks(jobs, workers)
    if workers == 1:
        with opened(document) as pdf:
            for task in tasks:
                told(work(pdf, task))
    else:
        in_processes(document, work, tasks, workers, told)


def _job(picture: Picture, numbers: Mapping[str, int], faces: Mapping[str, EncodedFace]) -> _Job:
    seen = tuple(_seen(numbers[name], faces[name]) if name else None for name in picture.faces)
    return _Job(picture.target, seen, picture.window, picture.columns, picture.rows)


def _seen(number: int, face: EncodedFace) -> _Seen:
    return _Seen(number, face.width, face.height, face.bleed, bool(face.pictures))


def _tasks(jobs: Sequence[_Job], workers: int) -> list[list[_Job]]:
    """Put the large images first, each by itself, then the others some at a time."""
    ordered = sorted(jobs, key=_pixels, reverse=True)
    large = [job for job in ordered if _pixels(job) > _LARGE]
    small = ordered[len(large) :]
    size = max(1, min(_MOST_A_TASK, len(small) // (4 * workers)))
    some = [small[at : at + size] for at in range(0, len(small), size)]
    return [*([job] for job in large), *some]


def _pixels(job: _Job) -> int:
    wide, high = job.window.pixels
    return wide * high * job.columns * job.rows


def work(pdf: Any, jobs: Sequence[_Job]) -> int:
    """Make some images; runs in a worker."""
    for job in jobs:
        job.target.write_bytes(_png(pdf, job))
    return len(jobs)


def _png(pdf: Any, job: _Job) -> bytes:
    size, rows = _rows(pdf, job)
    if any(seen is not None and seen.has_pictures for seen in job.seen):
        stride = 3 * size[0] + 1
        rows = bytearray(up_filtered(rows, stride, size[1]))
        rows[::stride] = b"\2" * size[1]
    across = job.window.height if job.window.turned else job.window.width
    return png_file(size, rows, 2, job.window.pixels[0] / across * _MM_AN_INCH)


def _rows(pdf: Any, job: _Job) -> tuple[tuple[int, int], bytearray]:
    """Render into rows that begin with a zero, which PNG reads as "no filter"."""
    import pypdfium2.raw as pdfium

    wide, high = job.window.pixels
    width, height = wide * job.columns, high * job.rows
    stride = 3 * width + 1
    rows = bytearray([_WHITE]) * (stride * height)
    for place, seen in enumerate(job.seen):
        if seen is None:
            continue
        down, across = divmod(place, job.columns)
        x, y = across * wide, down * high
        matrix = window_matrix(job.window, seen.bleed, x, y)
        layout = (pdfium.FPDFBitmap_BGR, stride, 1)
        box = (x, y, x + wide, y + high)
        if job.window.trimmed:
            box = _cut(matrix, seen, box)
        paint_page(pdf, seen.page, matrix, box, (width, height), rows, layout)
    rows[::stride] = bytes(height)
    return (width, height), rows


def _cut(matrix: Sequence[float], seen: _Seen, box: Box) -> Box:
    """Return the part of a box that lies within the cut of a face."""
    a, b, c, d, e, f = matrix
    corners = [
        (a * x + c * y + e, b * x + d * y + f)
        for x in (seen.bleed, seen.bleed + seen.width)
        for y in (seen.bleed, seen.bleed + seen.height)
    ]
    xs, ys = [round(x) for x, _ in corners], [round(y) for _, y in corners]
    left, top, right, bottom = box
    return max(left, min(xs)), max(top, min(ys)), min(right, max(xs)), min(bottom, max(ys))


def window_matrix(window: Window, bleed: float, x: float = 0, y: float = 0) -> tuple[float, ...]:
    """Return the matrix from mm of a face's page, its bleed included, to pixels of the image."""
    wide, high = window.pixels
    left, top = bleed + window.left, bleed + window.top
    if window.turned:  # the top of the face becomes the right side of the image
        across, down = wide / window.height, high / window.width
        return (0, down, -across, 0, x + wide + top * across, y - left * down)
    across, down = wide / window.width, high / window.height
    return (across, 0, 0, down, x - left * across, y - top * down)
