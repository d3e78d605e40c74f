"""The files of one kit: laid on a paper and written, unless the same were written before.

Works between the stages like the bindery. Opens and writes no file of a kit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kitwright import lore
from kitwright.cache.drawn import SHAPE, Bundle, Drawn, file_key
from kitwright.cache.exact import key_of
from kitwright.model.paper import Paper
from kitwright.options import BuildOptions, PlanRow, folder_of
from kitwright.press.bindery import Book, lay_kit, lay_part
from kitwright.press.boxes import Fitted, fit_boxes, lay_box
from kitwright.press.kit import DeckFaces, Kit
from kitwright.press.plan import plan_kit
from kitwright.press.rulebooks import PrintedRules
from kitwright.press.spares import check_fill
from kitwright.problems import Problem
from kitwright.write.embed import STREAMS
from kitwright.write.pdf import Info, write_pdf


class _Sheets(Struct, frozen=True):
    """A PDF to come: laid on paper, or known as pages and bytes from an earlier build."""

    title: str
    key: str
    stamp: str = ""
    book: Book | None = None
    known: tuple[int, bytes] = (0, b"")


class Printed(Struct, frozen=True):
    """What was made of a kit for one paper, or for the screen."""

    files: tuple[tuple[str, int, bytes], ...]  # name, pages, content
    rules: tuple[tuple[str, int, bytes], ...]
    warnings: tuple[Problem, ...] = ()


def plan_of(
    kit: Kit, papers: Sequence[Paper], options: BuildOptions, drawn: Drawn | None
) -> tuple[PlanRow, ...]:
    """Count sheets, slots and cuts; what the faces show makes no difference to them."""
    check_fill(options.fill, kit)
    if drawn is None:
        return plan_kit(kit, papers, options)
    decks = tuple(replace(deck, stamp="").row for deck in kit.decks)
    shared = drawn.game_key(kit.game, kit.font_digests, options.skin)
    key = file_key(shared, options, options.papers, tuple(papers), decks)
    return drawn.recall("plans", key, lambda: plan_kit(kit, papers, options))


class Share(Struct, frozen=True):
    """What a process made and found out, for the one that it works for."""

    printed: Printed
    entries: dict[tuple[str, str], bytes]  # for the cache
    facts: lore.Lore


def print_share(kit: Kit, printing: Callable[[], Printed], drawn: Drawn | None) -> Share:
    """Print a part of a kit, and gather what else came of it."""
    before = drawn.store.waiting if drawn is not None else {}
    counted = lore.count()
    printed = printing()
    kit.keep_icons()
    waiting = drawn.store.waiting if drawn is not None else {}
    entries = {key: entry for key, entry in waiting.items() if before.get(key) is not entry}
    return Share(printed, entries, lore.since(counted))


def print_paper(kit: Kit, paper: Paper, options: BuildOptions, drawn: Drawn | None) -> Printed:
    """Lay a kit on one paper and write its PDFs, those of the rulebook too."""
    streams = None
    if drawn is not None:
        folder = folder_of(kit.game.id, kit.game.variant, options.skin)
        streams = Bundle(drawn, "streams", key_of(SHAPE, folder, paper.name))
        STREAMS.remember(streams.recall)
    files = tuple(_Books(kit, paper, options, drawn).files())
    rules = tuple(kit.rulebook.printed(paper)) if kit.rulebook is not None else ()
    if streams is not None:
        streams.keep()
    return Printed(files, rules, kit.warnings)


def print_page(kit: Kit, rules: PrintedRules) -> Printed:
    """Write the rulebook for a screen."""
    return Printed((), tuple(rules.page()), kit.warnings)


def print_text(kit: Kit, rules: PrintedRules) -> Printed:
    """Write the rulebook as plain text with its figures."""
    return Printed((), tuple(rules.text()), kit.warnings)


class _Books:
    """The PDFs of one kit for one paper, all imposed before the first is written."""

    def __init__(self, kit: Kit, paper: Paper, options: BuildOptions, drawn: Drawn | None) -> None:
        self.kit, self.options, self.drawn = kit, options, drawn
        self.shared, kit.furniture = "", None
        if drawn is not None:
            self.shared = drawn.game_key(kit.game, kit.font_digests, options.skin)
            words = file_key(self.shared, options, paper.name)
            kit.furniture = Bundle(drawn, "furniture", words)
        self.laid: dict[str, _Sheets] = {}
        end = f"{paper.name}{'' if options.sides == 'long' else f'-{options.sides}'}.pdf"
        if not options.decks:
            self._lay(f"kit-{end}", kit.game.title, kit.decks, paper, whole=True)
        for deck in kit.decks:
            title = f"{kit.game.title}: {deck.deck.title}"
            self._lay(f"print/{deck.deck.id}-{end}", title, (deck,), paper, whole=False)
        for box in fit_boxes(kit, paper, options):
            self._lay_box(box, paper)

    def _lay(
        self, name: str, title: str, decks: tuple[DeckFaces, ...], paper: Paper, whole: bool
    ) -> None:
        """Impose what a file shows, unless that was written before."""
        kit, options = self.kit, self.options
        key, stamp = "", kit.stamp if whole else ""
        if self.drawn is not None:
            rules = kit.rulebook.key if kit.rulebook is not None and whole else ""
            about = [(each.row, [kit.marks[n] for n in each.names]) for each in decks]
            key = file_key(self.shared, options, name, title, paper, rules, about)
            found = self.drawn.find("files", key)
            if found is not None:
                self.laid[name] = _Sheets(title, key, stamp, known=found)
                return
        book = lay_kit(kit, paper, options) if whole else lay_part(kit, decks[0], paper, options)
        self.laid[name] = _Sheets(title, key, stamp, book)

    def _lay_box(self, box: Fitted, paper: Paper) -> None:
        """Lay one box on paper, unless that was written before."""
        kit, name = self.kit, f"print/box-{box.id}-{paper.name}.pdf"
        title = f"{kit.game.title}: box, {box.title}"
        sheet = lay_box(kit, box, paper, self.options)
        key = ""
        if self.drawn is not None:
            key = file_key(self.shared, self.options, name, title, paper, sheet.mark)
            found = self.drawn.find("files", key)
            if found is not None:
                self.laid[name] = _Sheets(title, key, known=found)
                return
        self.laid[name] = _Sheets(title, key, book=Book((sheet.page,), sheet.faces))

    def files(self) -> Iterator[tuple[str, int, bytes]]:
        """Yield name, pages and bytes of each file."""
        for name, sheets in self.laid.items():
            if sheets.book is not None:
                pages, data = len(sheets.book.pages), self._write(sheets, sheets.book)
                if self.drawn is not None:
                    self.drawn.keep("files", sheets.key, (pages, data))
            else:
                pages, data = sheets.known
            yield name, pages, data
        if self.kit.furniture is not None:
            self.kit.furniture.keep()

    def _write(self, sheets: _Sheets, book: Book) -> bytes:
        kit, game = self.kit, self.kit.game
        duplex = self.options.sides if self.options.sides in ("long", "short") else ""
        credit, stamp = game.credit, sheets.stamp
        info = Info(
            sheets.title, credit.designers, game.tagline, credit.licence, duplex, stamp=stamp
        )
        faces = {**kit.faces, **book.faces}
        return write_pdf(book.pages, faces, kit.materials.fonts, kit.pictures, info)
