"""What was made of a rulebook: files while all is the same, pages while no card changes its size.

A page names the cards that it shows; what these look like comes in when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from kitwright.cache.drawn import SHAPE, Bundle, Drawn
from kitwright.cache.exact import Exact, key_of

T = TypeVar("T")


class Shelf:
    """The entries of one rulebook.

    `kit` is the name of the game, variant and skin; `game` and `dress` are the keys of all that
    the whole book and that any part of it is made with; `marks` are those of the faces.
    """

    def __init__(
        self,
        drawn: Drawn,
        kit: str,
        game: str,
        dress: str,
        marks: Mapping[str, str],
        book: Sequence[object],
    ) -> None:
        self._drawn, self._kit, self._dress, self.marks = drawn, kit, dress, marks
        self._book = tuple(book)  # kept, so that no other thing gets the id of a part
        exact = Exact(marks.keys())
        self._texts = {id(part): exact.text(part) for part in self._book}
        self._bundles: dict[str, Bundle] = {}
        self._words = key_of(game, *(self._texts[id(part)] for part in self._book))
        self.key = key_of(self._words, *(f"{face} {marks[face]}" for face in sorted(exact.shown)))

    def recall(self, name: str, make: Callable[[], T]) -> T:
        """Return a file of the very same book, or make it and keep it in the place of the last."""
        return self._recall(name, self.key, make)

    def recall_set(self, name: str, make: Callable[[], T]) -> T:
        """Return what was set of the same words, whatever the cards in its figures look like."""
        return self._recall(name, self._words, make)

    def _recall(self, name: str, key: str, make: Callable[[], T]) -> T:
        entry = key_of(SHAPE, self._kit, name)
        found: tuple[str, T] | None = self._drawn.find("rules", entry)
        if found is None or found[0] != key:
            found = (key, make())
            self._drawn.keep("rules", entry, found)
        return found[1]

    def mark(self, *about: object) -> str:
        """Return the key of a part of the book; what it shows is written out once."""
        known = (self._texts.get(id(each)) or Exact(self.marks.keys()).text(each) for each in about)
        return key_of(self._dress, *known)

    def parts(self, kind: str) -> Bundle:
        """Return the parts of a kind, by their keys."""
        if kind not in self._bundles:
            name = key_of(SHAPE, self._kit, kind)
            self._bundles[kind] = Bundle(self._drawn, "parts", name)
        return self._bundles[kind]

    def keep(self) -> None:
        """Keep the parts that were used."""
        for bundle in self._bundles.values():
            bundle.keep()
