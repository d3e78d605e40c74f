"""What an export is made of, before anything is drawn: pictures, sheets, texts, PDFs, and the
pieces that a site has no use for. Knows millimetres and pixels of faces by their names alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

MM_AN_INCH = 25.4
Size = tuple[int, int]


class View(Struct, frozen=True):
    """The part of a face that an image shows, in mm from the top left of its cut.

    `turned` lays the face on its right side; `cut` tells whether the site cuts along the trim.
    """

    left: float
    top: float
    width: float
    height: float
    pixels: Size
    turned: bool = False
    cut: bool = True

    @property
    def dpi(self) -> float:
        """The resolution of the image."""
        across = self.height if self.turned else self.width
        return self.pixels[0] / across * MM_AN_INCH


class Shot(Struct, frozen=True):
    """One face in one file; a face of "" is white paper."""

    face: str
    file: str
    view: View


class Grid(Struct, frozen=True):
    """Faces of one size in one file, row by row."""

    piece: str
    faces: tuple[str, ...]
    file: str
    view: View  # of each of them
    columns: int
    rows: int

    @property
    def pixels(self) -> Size:
        """The size of the whole sheet."""
        return self.columns * self.view.pixels[0], self.rows * self.view.pixels[1]


class Text(Struct, frozen=True):
    """A file of words: JSON, XML, CSV."""

    file: str
    text: str


class Document(Struct, frozen=True):
    """A PDF with one face a page, in this order; a face of "" is white paper."""

    file: str
    title: str
    pages: tuple[str, ...]
    view: View


class Skipped(Struct, frozen=True):
    """A piece that does not go to a site, and why."""

    piece: str
    reason: str


class Excess(Struct, frozen=True):
    """A piece that the site cannot take as it is: a fault."""

    piece: str
    reason: str


class Plan(Struct, frozen=True):
    """All that goes to one destination."""

    shots: tuple[Shot, ...] = ()
    grids: tuple[Grid, ...] = ()
    texts: tuple[Text, ...] = ()
    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    excess: tuple[Excess, ...] = ()
    bundle: str = ""  # the one file that holds all others as a zip, where the site wants that

    def seen(self) -> Iterator[tuple[str, View]]:
        """Yield each face with the view in which the site gets it."""
        for shot in self.shots:
            if shot.face:
                yield shot.face, shot.view
        for grid in self.grids:
            for face in grid.faces:
                yield face, grid.view
        for document in self.documents:
            for face in dict.fromkeys(filter(None, document.pages)):
                yield face, document.view
