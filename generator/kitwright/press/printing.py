"""The PDFs of one kit: laid on paper and written, unless the same were written before.

Works between the stages like the bindery. Opens and writes no file of a kit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kitwright.cache.drawn import Bundle, Drawn, file_key
from kitwright.model.paper import Paper
from kitwright.options import BuildOptions, PlanRow
from kitwright.press.bindery import Book, lay_kit, lay_part
from kitwright.press.boxes import Fitted, fit_boxes, lay_box
from kitwright.press.kit import DeckFaces, Kit
from kitwright.press.plan import plan_kit
from kitwright.press.spares import check_fill
from kitwright.write.pdf import Info, write_pdf


@dataclass(frozen=True, slots=True)
class _Sheets:
    """A PDF to come: laid on paper, or known as pages and bytes from an earlier build."""

    title: str
    key: str
    stamp: str = ""
    book: Book | None = None
    known: tuple[int, bytes] = (0, b"")


class Books:
    """The PDFs of one kit, imposed at once so that faults show before anything is written."""

    def __init__(
        self,
        kit: Kit,
        papers: Sequence[Paper],
        options: BuildOptions,
        planned: Sequence[Paper],
        drawn: Drawn | None,
    ) -> None:
        check_fill(options.fill, kit)
        self.kit = kit
        self.options = options
        self.drawn = drawn
        self.shared = ""
        if drawn is not None:
            self.shared = drawn.game_key(kit.game, kit.font_digests, options.skin)
            kit.furniture = Bundle(drawn, "furniture", file_key(self.shared, options))
        self.plan = self._plan(planned)
        ending = "" if options.sides == "long" else f"-{options.sides}"
        self.laid: dict[str, _Sheets] = {}
        for paper in papers:
            end = f"{paper.name}{ending}.pdf"
            if not options.decks:
                self._lay(f"kit-{end}", kit.game.title, kit.decks, paper, whole=True)
            for deck in kit.decks:
                title = f"{kit.game.title}: {deck.deck.title}"
                self._lay(f"print/{deck.deck.id}-{end}", title, (deck,), paper, whole=False)
            for box in fit_boxes(kit, paper, options):
                self._lay_box(box, paper)
        self.papers = papers
        if kit.rulebook is not None:
            kit.rulebook.prove_all(papers)

    def _plan(self, papers: Sequence[Paper]) -> tuple[PlanRow, ...]:
        """Count sheets, slots and cuts; what the faces show makes no difference to them."""

        def plan() -> tuple[PlanRow, ...]:
            return plan_kit(self.kit, papers, self.options)

        if self.drawn is None:
            return plan()
        decks = tuple(replace(deck, stamp="").row for deck in self.kit.decks)
        key = file_key(self.shared, self.options, self.options.papers, tuple(papers), decks)
        return self.drawn.recall("plans", key, plan)

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

    @property
    def count(self) -> int:
        """The number of files."""
        rules = self.kit.rulebook
        return len(self.laid) + (rules.count(self.papers) if rules is not None else 0)

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
        if self.kit.rulebook is not None:
            yield from self.kit.rulebook.files(self.papers)
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
