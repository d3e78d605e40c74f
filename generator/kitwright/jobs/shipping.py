"""Plans become files: what changed is drawn on all cores, the rest is carried over.

The index `export/index.json` holds for every file the key of what it was made of and the hash of
its bytes: a file whose key is the same and whose bytes are untouched is not made again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field

from kitwright import __version__
from kitwright.destinations.plan import Document, Plan, Skipped, View
from kitwright.model.destination import Destination
from kitwright.ops import Face, digest
from kitwright.pipeline import Progress
from kitwright.press.kit import Kit
from kitwright.problems import MachineError
from kitwright.write.archive import zip_bytes, zip_sizes
from kitwright.write.pdf import Info
from kitwright.write.press import press_pdf
from kitwright.write.staging import Staged, stage
from kitwright.write.views import Picture, Window, render_views

INDEX = "export/index.json"
_PARTS = "parts"  # the folder of what goes into a bundle, until it is one
_MEGABYTE = 1_000_000
Entry = dict[str, str]


class Parcel(Struct, frozen=True):
    """A plan and where it goes."""

    destination: Destination
    plan: Plan


class Sent(Struct, frozen=True):
    """What was written for one destination."""

    destination: Destination
    files: int
    size: int
    kept: int  # files that had not changed
    warnings: tuple[str, ...]
    skipped: tuple[Skipped, ...]


class _Work(Struct):
    """The files of a parcel by name, each with its key; `kept` are good as they are."""

    parcel: Parcel
    keys: dict[str, str]
    kept: set[str]
    pictures: list[Picture] = field(default_factory=list)

    @property
    def folder(self) -> str:
        return f"export/{self.parcel.destination.name}"


def send(
    kit: Kit,
    faces: Mapping[str, Face],
    parcels: Sequence[Parcel],
    folder: Path,
    sources: Sequence[Path],
    workers: int | None,
    progress: Progress | None,
) -> tuple[Sent, ...]:
    """Write the parcels into a kit's folder, all or nothing."""
    index = _read_index(folder)
    works = [_plan_work(kit, parcel, index, folder) for parcel in parcels]
    stale = [name for work in works for name in _stale(work, folder)]
    with stage(folder, replaces=[*stale, INDEX], sources=sources) as staged:
        if _read_index(folder) != index:
            raise MachineError(f"another export of '{folder.name}' has just ended; run it again")
        _draw(kit, works, staged, workers, progress)
        for work in works:
            _write_rest(kit, faces, work, staged, workers)
        staged.carry()
        for work in works:
            index[work.parcel.destination.name] = _entries(work, staged.folder)
        target = staged.folder / INDEX
        target.write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        sent = tuple(_sent(work, staged.folder) for work in works)
        staged.seal(__version__)
    return sent


def _read_index(folder: Path) -> dict[str, dict[str, Entry]]:
    try:
        told = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _plan_work(
    kit: Kit, parcel: Parcel, index: Mapping[str, Mapping[str, Entry]], folder: Path
) -> _Work:
    keys = dict(_keys(kit, parcel))
    known = index.get(parcel.destination.name, {})
    base = folder / "export" / parcel.destination.name
    kept = {name for name, key in keys.items() if _is_same(base / name, key, known.get(name))}
    return _Work(parcel, keys, kept)


def _is_same(path: Path, key: str, entry: Entry | None) -> bool:
    if not isinstance(entry, dict) or entry.get("key") != key:
        return False
    try:
        return sha256(path.read_bytes()).hexdigest() == entry.get("sha256")
    except OSError:
        return False


def _keys(kit: Kit, parcel: Parcel) -> Iterator[tuple[str, str]]:
    """Yield the name and key of every file that a parcel becomes."""
    plan = parcel.plan
    loose: dict[str, str] = {}
    for shot in plan.shots:
        loose[shot.file] = _key(kit, (shot.face,), shot.view)
    for grid in plan.grids:
        loose[grid.file] = _key(kit, grid.faces, grid.view, grid.columns, grid.rows)
    for document in plan.documents:
        said = document.title, kit.game.tagline, kit.game.credit, parcel.destination.row.press
        loose[document.file] = _key(kit, document.pages, document.view, said)
    for text in plan.texts:
        loose[text.file] = digest(text.text)
    if plan.bundle:
        yield plan.bundle, digest(repr(sorted(loose.items())))
    else:
        yield from loose.items()


def _key(kit: Kit, faces: Sequence[str], view: View, *more: object) -> str:
    shown = (kit.faces[name] if name else None for name in faces)
    marks = [(face.hash, face.box) if face is not None else None for face in shown]
    return digest(repr((__version__, marks, view, more)))


def _stale(work: _Work, folder: Path) -> Iterator[str]:
    """Yield the files of the last export that this one replaces."""
    base = folder / work.folder
    for path in base.rglob("*"):
        if path.relative_to(base).as_posix() not in work.kept and not path.is_dir():
            yield path.relative_to(folder).as_posix()


def _draw(
    kit: Kit, works: Sequence[_Work], staged: Staged, workers: int | None, progress: Progress | None
) -> None:
    """Rasterise all that is new, for all destinations at once."""
    for work in works:
        work.pictures = list(_pictures(work, staged.folder / work.folder))
    pictures = [picture for work in works for picture in work.pictures]
    done = [0]

    def told(more: int) -> None:
        done[0] += more
        if progress is not None:
            progress(done[0], len(pictures))

    fonts = kit.materials.fonts
    render_views(pictures, kit.faces, fonts, kit.pictures, workers=workers, progress=told)


def _pictures(work: _Work, folder: Path) -> Iterator[Picture]:
    plan = work.parcel.plan
    if plan.bundle:
        if plan.bundle in work.kept:
            return
        folder = folder / _PARTS
    for shot in plan.shots:
        if shot.file not in work.kept:
            yield Picture(folder / shot.file, (shot.face,), window(shot.view))
    for grid in plan.grids:
        if grid.file not in work.kept:
            seen = window(grid.view)
            yield Picture(folder / grid.file, grid.faces, seen, grid.columns, grid.rows)


def window(view: View) -> Window:
    """Return a view as the writer takes it."""
    box = (view.left, view.top, view.width, view.height)
    return Window(*box, view.pixels, view.turned, trimmed=not view.cut)


def _write_rest(
    kit: Kit, faces: Mapping[str, Face], work: _Work, staged: Staged, workers: int | None
) -> None:
    """Write texts, PDFs and bundles."""
    plan = work.parcel.plan
    folder = staged.folder / work.folder
    if plan.bundle:
        if plan.bundle not in work.kept:
            _bundle(plan, folder)
        return
    for text in plan.texts:
        if text.file not in work.kept:
            _put(folder / text.file, text.text.encode("utf-8"))
    for document in plan.documents:
        if document.file not in work.kept:
            data = _pdf(kit, faces, work.parcel.destination, document, workers)
            _put(folder / document.file, data)


def _bundle(plan: Plan, folder: Path) -> None:
    parts = folder / _PARTS
    files = {shot.file: (parts / shot.file).read_bytes() for shot in plan.shots}
    files |= {text.file: text.text.encode("utf-8") for text in plan.texts}
    if parts.exists():
        shutil.rmtree(parts)
    _put(folder / plan.bundle, zip_bytes(files))


def _pdf(
    kit: Kit,
    faces: Mapping[str, Face],
    destination: Destination,
    document: Document,
    workers: int | None,
) -> bytes:
    press, credit = destination.row.press, kit.game.credit
    assert press is not None
    info = Info(document.title, credit.designers, kit.game.tagline, credit.licence)
    pages = [faces[name] if name else None for name in document.pages]
    fonts = kit.materials.fonts
    return press_pdf(pages, window(document.view), fonts, kit.pictures, info, press, workers)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _entries(work: _Work, folder: Path) -> dict[str, Entry]:
    base = folder / work.folder
    return {
        name: {"key": key, "sha256": sha256((base / name).read_bytes()).hexdigest()}
        for name, key in work.keys.items()
    }


def _sent(work: _Work, folder: Path) -> Sent:
    destination, plan = work.parcel.destination, work.parcel.plan
    sizes = {name: (folder / work.folder / name).stat().st_size for name in work.keys}
    single = sizes
    if plan.bundle:
        single = zip_sizes((folder / work.folder / plan.bundle).read_bytes())
    most = destination.row.most_megabytes
    large = [name for name, size in single.items() if size > most * _MEGABYTE]
    warnings = tuple(f"{name} is larger than {most:g} MB" for name in sorted(large))
    kept = len(work.kept)
    return Sent(destination, len(sizes), sum(sizes.values()), kept, warnings, plan.skipped)
