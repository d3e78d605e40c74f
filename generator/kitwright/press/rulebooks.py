"""A kit's rulebook on paper and on screen: sheets, booklet, HTML, Markdown.

Works between the stages like the bindery: blocks and pages are made by rulebook/, laid on
paper by impose/ and written by write/. Opens and writes no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from kitwright.cache.drawn import Shelf
from kitwright.compose.pen import Icon, Materials
from kitwright.compose.words import Icons, InlineIcon
from kitwright.impose.booklet import Leaf, impose_booklet
from kitwright.model.game import Game
from kitwright.model.geometry import IDENTITY
from kitwright.model.paper import Paper
from kitwright.model.rulebook import RulesSource
from kitwright.ops import Face, Page, Placed
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.blocks import Block, Callout, Figure, Listing, Rulebook
from kitwright.rulebook.book import make_rulebook
from kitwright.rulebook.figures import Artist, Drawing
from kitwright.rulebook.pages import BookPage, Format, booklet_format, make_pages, sheet_format
from kitwright.rulebook.scenes import Cards
from kitwright.write.encode import EncodedFace, Encoder
from kitwright.write.html import write_html
from kitwright.write.markdown import FIGURES, write_markdown
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.pictures import PictureData
from kitwright.write.svg import Svg

BOOKMARK = "Rules"
T = TypeVar("T")
PROOF = sheet_format("a4", 210.0, 297.0)  # the page that every fault of the words shows on
_SCREEN = 170.0  # mm that a figure is drawn wide for a screen


@dataclass(frozen=True, slots=True)
class PrintedRules:
    """The rulebook of one kit, made once; its files and pages are written from it."""

    game: Game
    materials: Materials
    pictures: Mapping[str, PictureData]
    source: RulesSource
    book: Rulebook
    made: dict[Format, tuple[BookPage, ...]] = field(default_factory=dict)
    shelf: Shelf | None = None  # what was made of this very book before
    fill: Callable[[], Rulebook] | None = None  # gives the book whose faces have their ops
    filled: list[Rulebook] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The key of all that the book shows; empty where nothing is remembered."""
        return self.shelf.key if self.shelf is not None else ""

    def recall(self, name: str, make: Callable[[], T]) -> T:
        """Return a part of the book, remembered or made."""
        return make() if self.shelf is None else self.shelf.recall(name, make)

    def prove(self) -> None:
        """Set the book once, so that every fault shows; once is enough for the same book."""
        self.recall("proof", lambda: len(self.set_on(PROOF)))

    def pages(self, paper: Paper) -> tuple[BookPage, ...]:
        """Set the book on whole sheets."""
        return self.set_on(sheet_format(paper.name, paper.width, paper.height))

    def set_on(self, page: Format) -> tuple[BookPage, ...]:
        """Set the book on pages of a format, once."""
        if page not in self.made:
            problems: list[Problem] = []
            dress, fonts = self.source.dress, self.materials.fonts
            made = make_pages(self.full, page, dress, fonts, self.icons, problems)
            if problems:
                raise InvalidInputError(problems)
            self.made[page] = made
        return self.made[page]

    @property
    def icons(self) -> Icons:
        """The look-up of icons among words."""
        return _inline(self.materials, self.source.dress.styles["body"].color)

    def sheets(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        """Return the pages of the book for a PDF of its own or a kit, and their faces."""
        return self.recall(f"sheets {paper.name}", lambda: self._sheets(paper))

    def _sheets(self, paper: Paper) -> tuple[tuple[Page, ...], dict[str, EncodedFace]]:
        made = self.pages(paper)
        whole = (0.0, 0.0, paper.width, paper.height)
        pages = tuple(
            Page(
                paper.width, paper.height, whole, whole, (Placed(each.face.id, IDENTITY),),
                "" if index else BOOKMARK, each.anchors, each.links,
            )
            for index, each in enumerate(made)
        )  # fmt: skip
        return pages, self.encoded(each.face for each in made)

    def encoded(self, faces: Iterable[Face]) -> dict[str, EncodedFace]:
        """Encode the faces of pages."""
        encoder = Encoder(self.materials.fonts)
        return {face.id: encoder.encode(face) for face in faces}

    @property
    def full(self) -> Rulebook:
        """The book with the ops of all its faces."""
        if self.fill is None:
            return self.book
        if not self.filled:
            self.filled.append(self.fill())
        return self.filled[0]

    def files(self, papers: Sequence[Paper]) -> Iterator[tuple[str, int, bytes]]:
        """Yield name, pages and bytes of every file of the rulebook."""
        for paper in papers:
            yield from self.recall(f"print {paper.name}", partial(self._printed, paper))
        yield from self.recall("screen", self._on_screen)

    def _printed(self, paper: Paper) -> list[tuple[str, int, bytes]]:
        """Write the book for one paper: on sheets, and as a booklet."""
        pages, faces = self.sheets(paper)
        sheets = self._pdf(pages, faces, "long")
        made = self.set_on(booklet_format(paper.name, paper.width, paper.height))
        leaves = [Leaf(each.face.id, each.anchors, each.links) for each in made]
        sides = impose_booklet(leaves, paper, BOOKMARK)
        booklet = self._pdf(sides, self.encoded(each.face for each in made), "short")
        return [
            (f"rulebook-{paper.name}.pdf", len(pages), sheets),
            (f"rulebook-booklet-{paper.name}.pdf", len(sides), booklet),
        ]

    def _on_screen(self) -> list[tuple[str, int, bytes]]:
        """Write the book as HTML, and as Markdown with its figures."""
        files = [
            ("rulebook.html", 1, self.html().encode()),
            ("rulebook.md", 1, write_markdown(self.full).encode()),
        ]
        for figure in figures_of(self.full.blocks):
            drawing = self.draw(figure)
            label = figure.caption or figure.name
            text = self.svg().alone(drawing.ops, drawing.width, drawing.height, label)
            files.append((f"{FIGURES}/{figure.name}.svg", 1, text.encode()))
        return files

    def _pdf(self, pages: tuple[Page, ...], faces: Mapping[str, EncodedFace], edge: str) -> bytes:
        game = self.game
        title = f"{game.title}: rules"
        info = Info(title, game.credit.designers, game.tagline, game.credit.licence, edge)
        return write_pdf(pages, faces, self.materials.fonts, self.pictures, info)

    def draw(self, figure: Figure) -> Drawing:
        """Draw a figure for a screen."""
        artist = Artist(self.source.dress, self.materials.fonts, self.icons)
        return artist.draw(figure.scene, _SCREEN, with_notes=False)

    def html(self) -> str:
        """Return the book as one HTML page."""
        dress, licence = self.source.dress, self.game.credit.licence
        return write_html(self.full, dress, self.svg(), self.icons, self.draw, licence)

    def svg(self) -> Svg:
        """Return a writer of drawings for a screen."""
        return Svg(self.materials.fonts, self.pictures)


def print_rules(
    game: Game,
    standard: Game,
    materials: Materials,
    pictures: Mapping[str, PictureData],
    source: RulesSource,
    cards: Callable[[frozenset[str]], Cards],
    shelve: Callable[[Rulebook], tuple[Shelf | None, frozenset[str]]],
) -> PrintedRules:
    """Make the rulebook of a composed kit and set it once, so that every fault shows.

    `standard` is the game without its variant; `materials` know what the faces were drawn with.
    `cards` gives the faces, with their ops where they are wanted; `shelve` tells what was made
    of the same book before, and which faces the book shows without their ops.
    """
    drawn = frozenset(materials.shown)

    def make(wanted: frozenset[str]) -> Rulebook:
        return make_rulebook(source, game, standard, cards(wanted), materials.icons, drawn)

    book = make(frozenset())
    shelf, hollow = shelve(book)
    fill = partial(make, hollow) if hollow else None
    printed = PrintedRules(game, materials, pictures, source, book, {}, shelf, fill)
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
