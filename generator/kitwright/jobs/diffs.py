"""Before and after: a game compared with its last print, a git revision or another folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from kitwright import __version__
from kitwright.jobs.revisions import faults_of, workspace_at
from kitwright.load import Workspace, variant_names
from kitwright.options import STANDARD, ImageOptions, Made, Report, folder_of
from kitwright.pipeline import papers_called, prepare
from kitwright.press.kit import Kit
from kitwright.problems import RequestError
from kitwright.reprint.diff_html import diff_page
from kitwright.reprint.diff_pages import diff_book
from kitwright.reprint.entries import Entry, entries_of, marked
from kitwright.reprint.kits import stock_of
from kitwright.reprint.ledger import LedgerFolder
from kitwright.reprint.pictures import pictures_of
from kitwright.reprint.stock import Stock
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.pictures import PictureData, read_picture
from kitwright.write.staging import check_output, stage

FILES = ("diff.html", "diff.pdf")


class Asked(Struct, frozen=True):
    """What is compared: a game in its dress, with its print ledger or with `rev`."""

    game: str
    rev: str | None = None
    variant: str | None = None
    skin: str = STANDARD
    paper: str = "a4"
    workers: int | None = None

    @property
    def options(self) -> ImageOptions:
        """How the faces are composed."""
        return ImageOptions(skin=self.skin, variant=self.variant)


class Difference(Struct, frozen=True):
    """What differs, and where it can be seen."""

    report: Report
    since: str
    entries: tuple[Entry, ...]


class _Before(Struct, frozen=True):
    since: str
    stock: Stock
    pictures: dict[str, bytes]


def diff_game(
    workspace: Workspace, asked: Asked, ledgers: LedgerFolder, output: Path
) -> Difference:
    """Compare a game with what it was; write diff.html and diff.pdf."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    (paper,) = papers_called(workspace, [asked.paper])
    kit = prepare(workspace, asked.game, asked.options)
    if asked.rev is None:
        before, now = _printed(asked, ledgers, kit)
    else:
        now = stock_of(kit)
        before = _revised(workspace, asked, asked.rev, now)
    entries = entries_of(before.stock, now)
    after = pictures_of(kit, _marks(entries) - before.pictures.keys(), asked.workers)
    pictures = {**before.pictures, **after}
    entries = marked(entries, pictures)
    between = f"{before.since}, and now"
    page = diff_page(kit.game.title, between, entries, pictures).encode()
    book = diff_book(kit, between, entries, paper, pictures)
    shown = {mark: PictureData(data) for mark, data in pictures.items()}
    info = Info(f"{kit.game.title}: what changed", kit.game.credit.designers)
    document = write_pdf(book.pages, book.faces, kit.materials.fonts, shown, info)
    folder = output / folder_of(asked.game, asked.variant, asked.skin)
    with stage(folder, sources=sources) as staged:
        for name, data in zip(FILES, (page, document), strict=True):
            (staged.folder / name).write_bytes(data)
        staged.seal(__version__)
    made = (
        Made(f"{folder.name}/{FILES[0]}", 1, len(page)),
        Made(f"{folder.name}/{FILES[1]}", len(book.pages), len(document)),
    )
    return Difference(Report(asked.game, folder, made, kit.warnings), before.since, entries)


def _marks(entries: Iterable[Entry]) -> set[str]:
    return {mark for entry in entries for mark in (entry.before, entry.after) if mark}


def _printed(asked: Asked, ledgers: LedgerFolder, kit: Kit) -> tuple[_Before, Stock]:
    """Return what lies in the box and the kit as it would; printed on one side, without backs."""
    ledger = ledgers.need(folder_of(asked.game, asked.variant, asked.skin))
    now = stock_of(kit, ledger.sides)
    marks = _marks(entries_of(ledger.stock, now))
    read = {mark: read_picture(ledgers.picture(mark)) for mark in sorted(marks)}
    pictures = {mark: picture.raw for mark, picture in read.items() if picture is not None}
    return _Before(f"printed on {ledger.date}", ledger.stock, pictures), now


def _revised(workspace: Workspace, asked: Asked, rev: str, now: Stock) -> _Before:
    with workspace_at(workspace, rev) as then:
        _check_there(then, asked, rev)
        with faults_of(rev):
            kit = prepare(then, asked.game, asked.options)
        stock = stock_of(kit)
        pictures = pictures_of(kit, _marks(entries_of(stock, now)), asked.workers)
        return _Before(f"at {rev}", stock, pictures)


def _check_there(then: Workspace, asked: Asked, rev: str) -> None:
    if asked.game not in then.games():
        raise RequestError(f"'{rev}' has no game '{asked.game}'")
    if asked.variant is not None and asked.variant not in variant_names(then, asked.game):
        raise RequestError(f"'{rev}' has no variant '{asked.variant}' of {asked.game}")
    name = f"{asked.game}/skins/{asked.skin}"
    if asked.skin != STANDARD and then.find_layout_file(name) is None:
        raise RequestError(f"'{rev}' has no skin '{asked.skin}' of {asked.game}")
