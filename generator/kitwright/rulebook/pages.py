"""Slabs become pages: breaks that part nothing which belongs together, grounds, page numbers.

Knows page sizes and margins; measures no word but those of the foot of a page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from msgspec import Struct, field
from msgspec.structs import replace

from kitwright.compose.words import Icons
from kitwright.fonts import Fonts
from kitwright.model.geometry import rectangle, translation
from kitwright.model.theme import Theme
from kitwright.ops import Anchor, Face, Fill, Group, Link, Op
from kitwright.problems import Place, Problem
from kitwright.rulebook.blocks import Block, Heading, Rulebook, anchor_of
from kitwright.rulebook.galley import Galley
from kitwright.rulebook.references import references_in
from kitwright.rulebook.slabs import Frame, Slab, Typesetter, join_blocks

NO_STAMP = ""  # in place of a hash: nobody asks which version of a page this is
_CLOSER = (0.9, 0.8, 0.7)  # of the space between blocks
_FEW = 0.34  # of a page
_LITTLE = 0.4  # of a page, left at its foot


class Format(Struct, frozen=True):
    """A page and its margins in millimetres; `side` is the column left of the text."""

    name: str
    width: float
    height: float
    inner: float
    outer: float
    top: float
    bottom: float
    side: float
    mirrored: bool  # inner and outer change places on even pages

    @property
    def frame(self) -> Frame:
        """The column of a page."""
        width = self.width - self.inner - self.outer
        return Frame(width, self.height - self.top - self.bottom, self.side)


def sheet_format(name: str, width: float, height: float) -> Format:
    """Return the format of a rulebook on whole sheets of paper."""
    return Format(name, width, height, 20.0, 20.0, 16.0, 18.0, 46.0, mirrored=False)


def booklet_format(name: str, width: float, height: float) -> Format:
    """Return the format of half a sheet: wide at the fold, and clear of a trimmed edge."""
    return Format(f"{name}-booklet", height / 2, width, 14.0, 12.0, 12.0, 15.0, 0.0, mirrored=True)


class BookPage:
    """A page of a rulebook, drawn when somebody looks: a face, and the areas that are links."""

    def __init__(
        self,
        name: str,
        about: tuple[object, ...],
        anchors: tuple[Anchor, ...],
        draw: Callable[[], tuple[Face, tuple[Link, ...]]],
    ) -> None:
        self.name = name
        self.about = about  # all that makes it differ from other pages of its column
        self.anchors = anchors
        self._draw = draw

    @cached_property
    def drawn(self) -> tuple[Face, tuple[Link, ...]]:
        """The face and its links."""
        return self._draw()

    @property
    def face(self) -> Face:
        """What is on the page."""
        return self.drawn[0]

    @property
    def links(self) -> tuple[Link, ...]:
        """The areas that lead elsewhere."""
        return self.drawn[1]


class _Page(Struct):
    """A page in the making."""

    slabs: list[tuple[Slab, float]] = field(default_factory=list)  # with their tops
    grounds: dict[str, tuple[float, float]] = field(default_factory=dict)  # band -> top, bottom
    headings: list[tuple[Heading, float]] = field(default_factory=list)
    y: float = 0.0
    side: float = 0.0
    hung: bool = False  # a heading hangs beside what comes next

    def room_for(self, slabs: Sequence[Slab], height: float) -> bool:
        """Tell whether slabs fit below what is there."""
        return self.y + _height(slabs, self.y == 0) <= height + 1e-6

    def put(self, slab: Slab) -> None:
        """Add a slab."""
        top = self.y + (slab.before if self.y and not self.hung else 0.0)
        self.hung = bool(slab.side)
        if slab.side or slab.heading:
            top = max(top, self.side)
        self.slabs.append((slab, top))
        if slab.band:
            first = self.grounds.get(slab.band, (top, top))[0]
            self.grounds[slab.band] = (first, top + slab.height)
        if slab.heading is not None:
            self.headings.append((slab.heading, top))
        self.y = top + slab.height
        self.side = max(self.side, top + slab.side + 2.0 if slab.side else 0.0)


def make_pages(
    book: Rulebook,
    page: Format,
    dress: Theme,
    fonts: Fonts,
    icons: Icons,
    problems: list[Problem],
    galley: Galley | None = None,
) -> tuple[BookPage, ...]:
    """Set a rulebook on pages; its contents are set twice, so that they know their pages.

    A `galley` may know what was set before in the same dress and format.
    """
    found: list[Problem] = []
    setter = Typesetter(dress, fonts, icons, page.frame, found)
    column = _Column(book, setter, galley or Galley())
    front, body = column.front(), column.body()
    numbers: dict[str, int] = {}
    made: list[_Page] = []
    for _ in range(2):
        made = fit_pages([*front, *column.contents(numbers), *body], page.frame.height)
        numbers = {
            heading.section: index + 1
            for index, each in enumerate(made)
            for heading, _ in each.headings
        }
    problems.extend(each for each in found if each not in problems)
    finisher = _Finisher(book, page, setter, dress, column.galley)
    return tuple(finisher.finish(index + 1, each) for index, each in enumerate(made))


class _Column(Struct, frozen=True):
    """The slabs of a book, block by block."""

    book: Rulebook
    setter: Typesetter
    galley: Galley

    @property
    def first(self) -> int:
        """The first block behind the table of contents."""
        blocks = self.book.blocks
        sections = (at for at, b in enumerate(blocks) if isinstance(b, Heading) and b.level == 2)
        return next(sections, 0)

    def block(self, block: Block) -> list[Slab]:
        frame = self.setter.frame
        set_it = partial(self.setter.block, block, frame.text, frame.text_width)
        return self.galley.slabs(block, set_it)

    def front(self) -> list[Slab]:
        """Return what stands before the table of contents."""
        book, slabs = self.book, list[Slab]()
        for block in book.blocks[: self.first]:
            slabs += self.block(block)
            if isinstance(block, Heading):
                about = ("opening", book.tagline, book.facts)
                slabs += self.galley.slabs(about, partial(self.setter.opening, book, block.place))
        return slabs

    def body(self) -> list[Slab]:
        """Return what stands behind it."""
        return join_blocks(self.book.blocks[self.first :], self.block)

    def contents(self, pages: Mapping[str, int]) -> Iterator[Slab]:
        """Yield the table of contents with the page of each section."""
        for index, heading in enumerate(h for h in self.book.headings if h.level == 2):
            number, before = pages.get(heading.section, 0), 0.9 if index else 6.0
            about = ("entry", heading, number, before)
            yield from self.galley.slabs(about, partial(self.setter.entry, heading, number, before))
        yield Slab((), 0.0)


def fit_pages(slabs: Sequence[Slab], height: float) -> list[_Page]:
    """Break a column into pages, set a little closer where that saves a page of few lines."""
    pages = paginate(slabs, height)
    for factor in _CLOSER:
        if len(pages) == 1 or all(page.y > _FEW * height for page in pages):
            break
        closer = [replace(slab, before=slab.before * factor) for slab in slabs]
        fewer = paginate(closer, height)
        if len(fewer) < len(pages):
            return fewer
    return pages


def paginate(slabs: Sequence[Slab], height: float) -> list[_Page]:
    """Break a column into pages; figures may wait for the next page while text goes on."""
    pages = [_Page()]
    waiting: list[Slab] = []
    for unit in _units(slabs):
        if waiting and _turns(unit[0].heading, pages[-1].y, height):
            _turn(pages, waiting, height)
        overtakes = bool(waiting) and unit[0].floats
        if pages[-1].room_for(unit, height) and not overtakes:
            for slab in unit:
                pages[-1].put(slab)
        elif len(unit) == 1 and unit[0].floats and pages[-1].y:
            waiting.append(unit[0])
        else:
            if pages[-1].y:
                _turn(pages, waiting, height)
            _place(pages, unit, height)
    if waiting:
        _turn(pages, waiting, height)
    return pages


def _turns(heading: Heading | None, y: float, height: float) -> bool:
    """Tell whether what comes must not overtake the figures that wait: it is of another matter."""
    if heading is None:
        return False
    return heading.level == 2 or height - y < _LITTLE * height


def _turn(pages: list[_Page], waiting: list[Slab], height: float) -> None:
    """Begin a page with the figures that wait for it, and more pages if there are many."""
    pages.append(_Page())
    for slab in waiting:
        if pages[-1].y and not pages[-1].room_for([slab], height):
            pages.append(_Page())
        pages[-1].put(slab)
    waiting.clear()


def _place(pages: list[_Page], unit: Sequence[Slab], height: float) -> None:
    """Put slabs that belong together on a new page, parted where one page cannot hold them."""
    if not pages[-1].room_for(unit, height) and pages[-1].y:
        pages.append(_Page())
    for slab in unit:
        if pages[-1].y and not pages[-1].room_for([slab], height):
            pages.append(_Page())
        pages[-1].put(slab)


def _units(slabs: Sequence[Slab]) -> list[list[Slab]]:
    """Gather the slabs that stay with each other."""
    found: list[list[Slab]] = [[]]
    for slab in slabs:
        found[-1].append(slab)
        if not slab.keep:
            found.append([])
    return [unit for unit in found if unit]


def _height(slabs: Sequence[Slab], at_top: bool) -> float:
    total = sum(slab.height + slab.before for slab in slabs)
    return total - (slabs[0].before if at_top and slabs else 0.0)


class _Finisher(Struct, frozen=True):
    """Gives pages their grounds, their foot and their margins."""

    book: Rulebook
    page: Format
    setter: Typesetter
    dress: Theme
    galley: Galley

    def finish(self, number: int, made: _Page) -> BookPage:
        """Make a page of what was put on it."""
        page = self.page
        order = {h.section: at for at, h in enumerate(self.book.headings)}
        anchors = tuple(
            Anchor(h.anchor, _title(h), h.level - 1, page.top + y, order[h.section])
            for h, y in made.headings
            if h.section
        )
        about = (
            (page, number, self.book.title),
            tuple((slab.key, slab.link, top) for slab, top in made.slabs),
            tuple((band.split()[0], span) for band, span in made.grounds.items()),
        )
        name = f"rulebook/{page.name}-{number}"
        return BookPage(name, about, anchors, partial(self.draw, name, number, made))

    def draw(self, name: str, number: int, made: _Page) -> tuple[Face, tuple[Link, ...]]:
        """Make the face of a page, and its links."""
        page = self.page
        turned = page.mirrored and number % 2 == 0
        left = page.outer if turned else page.inner
        grounds = [op for band, span in made.grounds.items() for op in self.ground(band, *span)]
        ops = [Group(self.galley.ops(slab), translation(0.0, top)) for slab, top in made.slabs]
        shift = translation(left, page.top)
        whole = (Group((*grounds, *ops), shift), *self.foot(number, left))
        face = Face(name, page.width, page.height, 0.0, whole, NO_STAMP)
        return face, tuple(self.links(made, ops, left))

    def links(self, made: _Page, ops: Sequence[Op], left: float) -> Iterator[Link]:
        """Yield the areas that lead elsewhere: lines of the contents, references among words."""
        page = self.page
        right = left + page.frame.width
        for slab, top in made.slabs:
            if slab.link:
                bottom = page.top + top + slab.height
                yield Link((left, page.top + top, right, bottom), slab.link)
        texts = [
            op
            for op, (slab, _) in zip(ops, made.slabs, strict=True)
            if not slab.heading and not slab.link
        ]
        for section, (x, y, end, bottom) in references_in(texts, self.setter.fonts):
            yield Link((left + x, page.top + y, left + end, page.top + bottom), anchor_of(section))

    def ground(self, band: str, top: float, bottom: float) -> tuple[Op, ...]:
        """Draw what lies below a call-out."""
        frame, kind = self.page.frame, band.split()[0]
        colors = self.dress.colors
        x, width = frame.text, frame.text_width
        return (
            Fill(rectangle(x, top, width, bottom - top), colors[kind]),
            Fill(rectangle(x, top, 1.1, bottom - top), colors[f"{kind}-edge"]),
        )

    def foot(self, number: int, left: float) -> tuple[Op, ...]:
        """Set the title and the page number at the foot."""
        page = self.page
        style = self.dress.styles["folio"]
        width, y = page.frame.width, page.height - page.bottom + 7.0
        turned = page.mirrored and number % 2 == 0
        outer, inner = ("left", "right") if turned else ("right", "left")
        place = Place("rules.md")
        folio = self.setter.line(f"**{number}**", replace(style, align=outer), left, width, place)
        title = self.setter.line(self.book.title, replace(style, align=inner), left, width, place)
        return (Group((*folio.ops, *title.ops), translation(0.0, y)),)


def _title(heading: Heading) -> str:
    return f"§{heading.section} {heading.text}".replace("*", "")


__all__ = ["BookPage", "Format", "anchor_of", "booklet_format", "make_pages", "sheet_format"]
