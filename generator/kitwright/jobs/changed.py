"""The second print: mark a kit as printed, and print only what has changed since.

Works between the stages like the pipeline: composes the kit, asks reprint/ what differs, and
has the sheets written. Opens no file of the workspace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kitwright import __version__
from kitwright.load import Workspace
from kitwright.model.paper import Paper
from kitwright.ops import Page
from kitwright.options import BuildOptions, ImageOptions, Made, PlanRow, Progress, Report
from kitwright.pipeline import folder_name, papers_called, planned_papers, prepare
from kitwright.press.bindery import Book, lay_batches
from kitwright.press.composing import chosen_decks
from kitwright.press.kit import Kit
from kitwright.press.plan import plan_ways
from kitwright.press.spares import Batch, check_fill
from kitwright.problems import InvalidInputError, Problem, RequestError
from kitwright.reprint.kits import batches_for, sheets_of, stock_of
from kitwright.reprint.ledger import Ledger, LedgerFolder
from kitwright.reprint.pictures import pictures_of
from kitwright.reprint.pull import Since, pull_list
from kitwright.reprint.stock import Change, chosen, compare
from kitwright.write.pdf import Info, stamp_of, write_pdf
from kitwright.write.pictures import PictureData, read_picture
from kitwright.write.staging import check_output, stage

DUPLEX = ("long", "short")
OURS = "changed-*.pdf"


class StaleKitError(RequestError):
    """The kit in the output folder is not the one that the files make now."""


class Reprint(Struct, frozen=True):
    """What a build of changes made of one game."""

    report: Report
    ledger: Ledger
    changes: tuple[Change, ...]

    @property
    def take(self) -> int:
        """How many cards leave the box."""
        return sum(change.take for change in self.changes)

    @property
    def put(self) -> int:
        """How many cards are printed."""
        return sum(change.put for change in self.changes)


class Marked(Struct, frozen=True):
    """A kit that was marked as printed, and what that changed in its ledger."""

    ledger: Ledger
    before: Ledger | None
    changes: tuple[Change, ...]
    warnings: tuple[Problem, ...]


class Markable(Struct, frozen=True):
    """A kit that may be marked as printed: what the ledger said of it, and is to say."""

    kit: Kit
    before: Ledger | None
    ledger: Ledger


def markable(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions,
    folder: LedgerFolder,
    today: str,
    output: Path | None = None,
) -> Markable:
    """Look whether a kit, as its files are now, can lie in the box.

    With `output`, a kit of the same cards must be there: else something else was printed.
    Of a kit whose decks are chosen, the others stay in the ledger as they were.
    """
    kit = prepare(workspace, game_id, _plain(options))
    chosen_decks(kit.game, options.decks)
    name = folder_name(kit.game, options.skin)
    before = folder.read(name)
    if output is not None and not options.decks:
        _check_stamp(kit, output / name, options)
    stock = chosen(stock_of(kit, options.sides), options.decks)
    if before is not None and options.decks:
        stock = (*stock, *(each for each in before.stock if each.deck not in options.decks))
    ledger = Ledger(name, today, options.papers[0], options.sides, __version__, stock)
    return Markable(kit, before, ledger)


def mark_printed(
    found: Markable,
    folder: LedgerFolder,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Marked:
    """Write down that a kit lies in the box."""
    kit, before, ledger = found.kit, found.before, found.ledger
    wanted = {mark for mark in ledger.faces if read_picture(folder.picture(mark)) is None}
    folder.write(ledger, pictures_of(kit, wanted, workers, progress))
    changes = compare(before.stock if before else (), ledger.stock)
    return Marked(ledger, before, changes, kit.warnings)


def _check_stamp(kit: Kit, folder: Path, options: BuildOptions) -> None:
    files = [
        folder / f"{kind}-{_ending(options.papers[0], options)}" for kind in ("kit", "changed")
    ]
    there = {path.name: stamp_of(path.read_bytes()) for path in files if path.is_file()}
    if not there:
        raise StaleKitError(
            f"there is no {files[0].name} in '{folder.name}'; build and print it first, name the "
            "paper with --paper, or say --anyway if it was built elsewhere"
        )
    if kit.stamp not in there.values():
        raise StaleKitError(
            f"{' and '.join(there)} in '{folder.name}' was built of other cards than the files "
            "make now; build and print again, or say --anyway if you did print the new ones"
        )


def build_changed(
    workspace: Workspace,
    games: Sequence[str],
    options: BuildOptions,
    output: Path,
    folder: LedgerFolder,
    given: frozenset[str] = frozenset(),
    write: bool = True,
) -> list[Reprint]:
    """Build what changed since each game was marked as printed; or only plan it.

    Paper and sides are those of the last print unless they are `given`. Nothing is written
    unless every game is without fault.
    """
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    works: list[_Work] = []
    faults: list[Problem] = []
    for game in games:
        try:
            works.append(_work(workspace, game, options, folder, given))
        except InvalidInputError as error:
            faults.extend(error.problems)
    if faults:
        raise InvalidInputError(faults)
    return [_write(work, output, sources, write) for work in works]


class _Work(Struct, frozen=True):
    kit: Kit
    ledger: Ledger
    options: BuildOptions
    changes: tuple[Change, ...]
    books: tuple[tuple[str, Book], ...]
    pictures: dict[str, PictureData]
    plan: tuple[PlanRow, ...]


def _work(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions,
    folder: LedgerFolder,
    given: frozenset[str],
) -> _Work:
    kit = prepare(workspace, game_id, _plain(options))
    ledger = folder.need(folder_name(kit.game, options.skin))
    if "paper" not in given:
        options = replace(options, papers=(ledger.paper,))
    if "sides" not in given:
        options = replace(options, sides=ledger.sides)
    papers = papers_called(workspace, options.papers)
    check_fill(options.fill, kit)
    chosen_decks(kit.game, options.decks)
    now = stock_of(kit, options.sides)
    changes = compare(chosen(ledger.stock, options.decks), chosen(now, options.decks))
    moved = any(change.take or change.put for change in changes)
    marks = {mark for change in changes if change.old for mark in change.old.faces}
    shown = dict(_pictures(folder, marks))
    books = tuple(
        (_ending(paper.name, options), _lay(kit, changes, ledger, paper, options, shown))
        for paper in papers
        if moved
    )
    plan = _plan(workspace, kit, changes, options) if moved else ()
    return _Work(kit, ledger, options, changes, books, shown, plan)


def _plan(
    workspace: Workspace, kit: Kit, changes: tuple[Change, ...], options: BuildOptions
) -> tuple[PlanRow, ...]:
    """Plan the paper that the changes take."""

    def batches(paper: Paper, asked: BuildOptions) -> tuple[Batch, ...]:
        return batches_for(kit, changes, paper, asked)

    return plan_ways(batches, planned_papers(workspace, options), options)


def _pictures(folder: LedgerFolder, marks: set[str]) -> Iterator[tuple[str, PictureData]]:
    """Yield the pictures of old faces; one that is lost or damaged is left out."""
    for mark in sorted(marks):
        picture = read_picture(folder.picture(mark))
        if picture is not None:
            yield mark, picture


def _lay(
    kit: Kit,
    changes: tuple[Change, ...],
    ledger: Ledger,
    paper: Paper,
    options: BuildOptions,
    shown: dict[str, PictureData],
) -> Book:
    batches = batches_for(kit, changes, paper, options)
    sheets = sum(sheets_of(batch, paper, options) for batch in batches)
    since = Since(ledger.date, _named(paper), sheets)
    first = pull_list(kit, changes, since, paper, shown)
    if len(first.pages) % 2 and options.sides in DUPLEX and batches:
        whole = (0.0, 0.0, paper.width, paper.height)
        empty = Page(paper.width, paper.height, whole, whole, ())
        first = Book((*first.pages, empty), first.faces)
    return lay_batches(kit, paper, options, batches, first)


def _write(work: _Work, output: Path, sources: Sequence[Path], write: bool) -> Reprint:
    kit, folder = work.kit, output / work.ledger.kit
    made = []
    if write and (work.books or any(folder.glob(OURS))):
        with stage(folder, replaces=[OURS], sources=sources) as staged:
            for ending, book in work.books:
                data = _pdf(work, book)
                name = f"changed-{ending}"
                (staged.folder / name).write_bytes(data)
                made.append(Made(f"{folder.name}/{name}", len(book.pages), len(data)))
            staged.seal(__version__)
    report = Report(kit.game.id, folder, tuple(made), kit.warnings, plan=work.plan)
    return Reprint(report, work.ledger, work.changes)


def _pdf(work: _Work, book: Book) -> bytes:
    kit, credit = work.kit, work.kit.game.credit
    duplex = work.options.sides if work.options.sides in DUPLEX else ""
    title = f"{kit.game.title}: what changed"
    stamp = "" if work.options.decks else kit.stamp  # of a part, it would vouch for the rest
    info = Info(title, credit.designers, kit.game.tagline, credit.licence, duplex, stamp=stamp)
    faces, pictures = {**kit.faces, **book.faces}, {**kit.pictures, **work.pictures}
    return write_pdf(book.pages, faces, kit.materials.fonts, pictures, info)


def _plain(options: BuildOptions) -> ImageOptions:
    """Ask for all faces and no rulebook."""
    return ImageOptions(skin=options.skin, variant=options.variant, strict=options.strict)


def _ending(paper: str, options: BuildOptions) -> str:
    return f"{paper}{'' if options.sides == 'long' else f'-{options.sides}'}.pdf"


def _named(paper: Paper) -> str:
    name = paper.name
    return name.upper() if name[-1:].isdigit() else name.capitalize()
