"""A kit's rulebook on paper and on screen: sheets, booklet, HTML, Markdown.

Works between the stages like the bindery: blocks and pages are made by rulebook/, laid on
paper by impose/ and written by write/. Opens and writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field

from kitwright.cache.drawn import parcel, read_entry
from kitwright.cache.shelf import Shelf
from kitwright.compose.pen import Icon, Materials
from kitwright.compose.words import Icons, InlineIcon
from kitwright.impose.booklet import Leaf, impose_booklet
from kitwright.model.game import Game
from kitwright.model.geometry import IDENTITY
from kitwright.model.paper import Paper
from kitwright.model.rulebook import RulesSource
from kitwright.ops import Face, Link, Page, Placed, Symbol, Use, symbol_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.blocks import Block, Callout, Figure, Listing, Rulebook
from kitwright.rulebook.book import make_rulebook
from kitwright.rulebook.figures import Artist, Drawing
from kitwright.rulebook.galley import Galley, Memory
from kitwright.rulebook.pages import BookPage, Format, booklet_format, make_pages, sheet_format
from kitwright.rulebook.scenes import Cards
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.pictures import PictureData

if TYPE_CHECKING:
    from kitwright.write.svg import Svg

BOOKMARK = "Rules"
T = TypeVar("T")
PROOF = sheet_format("a4", 210.0, 297.0)  # the page that every fault of the words shows on
_SCREEN = 170.0  # mm that a figure is drawn wide for a screen


class ShownFaces(Struct, frozen=True):
    """The faces that a book may show: as operators, and drawn again where ops are wanted."""

    encoded: Mapping[str, EncodedFace]
    redraw: Callable[[str], Face]


class PrintedRules(Struct, frozen=True):
    """The rulebook of one kit, made once; its files and pages are written from it."""

    game: Game
    materials: Materials
    pictures: Mapping[str, PictureData]
    source: RulesSource
    book: Rulebook
    shown: ShownFaces
    shelf: Shelf | None = None  # what was made of it, and of its parts, before
    made: dict[Format, tuple[BookPage, ...]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The key of all that the book shows; empty where nothing is remembered."""
        return self.shelf.key if self.shelf is not None else ""

    def recall(self, name: str, make: Callable[[], T]) -> T:
        """Return a part of the book, remembered or made."""
        return make() if self.shelf is None else self.shelf.recall(name, make)

    def recall_set(self, name: str, make: Callable[[], T]) -> T:
        """Return pages, remembered or made; they name the cards that they show."""
        return make() if self.shelf is None else self.shelf.recall_set(name, make)

    def prove(self) -> None:
        """Set the book once, so that every fault shows; once is enough for the same book."""
        self.recall_set("proof", lambda: len(self.set_on(PROOF)))

    def pages(self, paper: Paper) -> tuple[BookPage, ...]:
        """Set the book on whole sheets."""
        return self.set_on(sheet_format(paper.name, paper.width, paper.height))

    def set_on(self, page: Format) -> tuple[BookPage, ...]:
        """Set the book on pages of a format, once."""
        if page not in self.made:
            problems: list[Problem] = []
            dress, fonts = self.source.dress, self.materials.fonts
            galley = self._galley(page)
            made = make_pages(self.book, page, dress, fonts, self.icons, problems, galley)
            if problems:
                raise InvalidInputError(problems)
            self.made[page] = made
        return self.made[page]

    @property
    def icons(self) -> Icons:
        """The look-up of icons among words."""
        return _inline(self.materials, self.source.dress.styles["body"].color)

    def _galley(self, page: Format) -> Galley:
        shelf = self.shelf
        if shelf is None:
            return Galley()
        return Galley(
            Memory(
                lambda about: shelf.mark(page.frame, about),
                shelf.parts(f"slabs {page.name}").recall,
                parcel,
                read_entry,
            )
        )

    def leaves(self, page: Format) -> list[tuple[EncodedFace, BookPage, tuple[Link, ...]]]:
        """Return the pages of a format as operators, each with its links."""
        encoder = Encoder(self.materials.fonts, self.shown.encoded)

        def leaf(each: BookPage) -> tuple[EncodedFace, tuple[Link, ...]]:
            def make() -> tuple[EncodedFace, tuple[Link, ...]]:
                return encoder.encode(each.face), each.links

            if self.shelf is None:
                return make()
            return self.shelf.parts(f"pages {page.name}").recall(self.shelf.mark(each.about), make)

        found = [(each, leaf(each)) for each in self.set_on(page)]
        return [(face, each, links) for each, (face, links) in found]

    def sheets(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        """Return the pages of the book for a PDF of its own or a kit, and their faces."""
        return self.recall_set(f"sheets {paper.name}", lambda: self._sheets(paper))

    def _sheets(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        leaves = self.leaves(sheet_format(paper.name, paper.width, paper.height))
        whole = (0.0, 0.0, paper.width, paper.height)
        pages = tuple(
            Page(
                paper.width, paper.height, whole, whole, (Placed(face.id, IDENTITY),),
                "" if index else BOOKMARK, each.anchors, links,
            )
            for index, (face, each, links) in enumerate(leaves)
        )  # fmt: skip
        return pages, {face.id: face for face, _, _ in leaves}

    def booklet(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        """Return the sides of sheets that fold into a booklet, and the faces of its pages."""
        return self.recall_set(f"booklet {paper.name}", lambda: self._booklet(paper))

    def _booklet(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        halves = self.leaves(booklet_format(paper.name, paper.width, paper.height))
        leaves = [Leaf(face.id, each.anchors, links) for face, each, links in halves]
        sides = impose_booklet(leaves, paper, BOOKMARK)
        return sides, {face.id: face for face, _, _ in halves}

    def files(self, papers: Sequence[Paper]) -> Iterator[tuple[str, int, bytes]]:
        """Yield name, pages and bytes of every file of the rulebook."""
        for paper in papers:
            yield from self.printed(paper)
        yield from self.page()
        yield from self.text()

    def printed(self, paper: Paper) -> list[tuple[str, int, bytes]]:
        """Return the files for one paper."""
        made = self.recall(f"print {paper.name}", partial(self._printed, paper))
        self.keep()
        return made

    def page(self) -> list[tuple[str, int, bytes]]:
        """Return the page for a screen."""
        made = self.recall("page", lambda: [("rulebook.html", 1, self.html().encode())])
        self.keep()
        return made

    def text(self) -> list[tuple[str, int, bytes]]:
        """Return the plain text, and the figures beside it."""
        made = self.recall("text", self._text)
        self.keep()
        return made

    def keep(self) -> None:
        """Keep the parts that were made, for the next build."""
        if self.shelf is not None:
            self.shelf.keep()

    def _printed(self, paper: Paper) -> list[tuple[str, int, bytes]]:
        """Write the book for one paper: on sheets, and as a booklet."""
        pages, faces = self.sheets(paper)
        sheets = self._pdf(pages, faces, "long")
        sides, halves = self.booklet(paper)
        booklet = self._pdf(sides, halves, "short")
        return [
            (f"rulebook-{paper.name}.pdf", len(pages), sheets),
            (f"rulebook-booklet-{paper.name}.pdf", len(sides), booklet),
        ]

    def _text(self) -> list[tuple[str, int, bytes]]:
        """Write the book as Markdown with its figures."""
        from kitwright.write.markdown import (  # a book that stands needs none
            FIGURES,
            write_markdown,
        )

        files = [("rulebook.md", 1, write_markdown(self.book).encode())]
        for figure in figures_of(self.book.blocks):
            drawing = self.draw(figure)
            label = figure.caption or figure.name
            text = self.svg().alone(drawing.ops, drawing.width, drawing.height, label)
            files.append((f"{FIGURES}/{figure.name}.svg", 1, text.encode()))
        return files

    def _pdf(self, pages: tuple[Page, ...], faces: Mapping[str, EncodedFace], edge: str) -> bytes:
        game = self.game
        title = f"{game.title}: rules"
        info = Info(title, game.credit.designers, game.tagline, game.credit.licence, edge)
        every = {**self.shown.encoded, **faces}
        return write_pdf(pages, every, self.materials.fonts, self.pictures, info)

    def draw(self, figure: Figure) -> Drawing:
        """Draw a figure for a screen."""
        artist = Artist(self.source.dress, self.materials.fonts, self.icons)
        return artist.draw(figure.scene, _SCREEN, with_notes=False)

    def html(self) -> str:
        """Return the book as one HTML page."""
        from kitwright.write.html import write_html

        dress, licence = self.source.dress, self.game.credit.licence
        return write_html(self.book, dress, self.svg(), self.icons, self.draw, licence)

    def svg(self) -> Svg:
        """Return a writer of drawings for a screen."""
        from kitwright.write.svg import Svg

        return Svg(self.materials.fonts, self.pictures, self._defined)

    def _defined(self, symbol: Symbol) -> Mapping[str, str]:
        """Return what defines the face of a card on a screen, if that can be remembered."""

        def make() -> Mapping[str, str]:
            from kitwright.write.svg import Svg

            real = symbol if symbol.ops else symbol_of(self.shown.redraw(symbol.face))
            alone = Svg(self.materials.fonts, self.pictures)
            alone.write((Use(real),))
            return alone.defined

        if self.shelf is None or symbol.face not in self.shelf.marks:
            return {}
        mark = self.shelf.mark(symbol.face, self.shelf.marks[symbol.face])
        return self.shelf.parts("screen").recall(mark, make)


def print_rules(
    game: Game,
    standard: Game,
    materials: Materials,
    pictures: Mapping[str, PictureData],
    source: RulesSource,
    cards: Cards,
    shown: ShownFaces,
    shelve: Callable[[Rulebook], Shelf | None],
    prove: bool,
) -> PrintedRules:
    """Make the rulebook of a composed kit; to `prove` it, set it once, so that every fault shows.

    `standard` is the game without its variant; `materials` know what the faces were drawn with.
    `shelve` tells what was made of the same book, and of its parts, before.
    """
    drawn = frozenset(materials.shown)
    book = make_rulebook(source, game, standard, cards, materials.icons, drawn)
    printed = PrintedRules(game, materials, pictures, source, book, shown, shelve(book))
    if prove:
        printed.prove()
    return printed


def figures_of(blocks: Sequence[Block]) -> Iterator[Figure]:
    """Yield every figure, those in call-outs and lists as well."""
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        elif isinstance(block, Callout):
            yield from figures_of(block.blocks)
        elif isinstance(block, Listing):
            for item in block.items:
                yield from figures_of(item)


def _inline(materials: Materials, tint: str) -> Icons:
    def find(name: str) -> InlineIcon | None:
        found = materials.icon(name, tint)
        return InlineIcon(found.symbol, width=found.aspect) if isinstance(found, Icon) else None

    return find


__all__ = ["BOOKMARK", "PrintedRules", "print_rules"]
