"""What was drawn before: the faces of decks, the pages of rulebooks, finished files.

A key holds everything that the entry was made of, so an entry is never out of date; keys of
things made in turn of others hold the marks of those. What is read back can hold nothing but
drawing ops and plain values, whoever wrote the file.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from kitwright.cache.exact import Exact, key_of
from kitwright.cache.store import Store
from kitwright.model.game import Card, Deck, Game
from kitwright.model.picture import PictureInfo
from kitwright.ops import Element, Group, Op, Picture, Use
from kitwright.options import BuildOptions
from kitwright.write.encoded import EncodedFace

T = TypeVar("T")
SHAPE = "2"  # of entries whose names are the same whatever the program
_HOLDS = {
    "kitwright.compose.pen": {"Icon"},
    "kitwright.load.source": {"Entry", "Node"},
    "kitwright.ops": {
        *("Anchor", "Element", "Fill", "Group", "Linear", "Link", "Page", "Picture", "Placed"),
        *("Radial", "Stroke", "Symbol", "Use", "Word"),
    },
    "kitwright.write.encoded": {"EncodedFace", "Form"},
    "kitwright.problems": {"Place"},
    "kitwright.rulebook.blocks": {"Heading"},
    "kitwright.rulebook.slabs": {"Slab"},
    "kitwright.rulebook.tokens": {"Token"},
    "kitwright.cache.drawn": {"BoxArt", "Ground", "KnownFace", "Traits"},
    "kitwright.options": {"PlanRow"},
}


class KnownFace(Struct, frozen=True):
    """A face as it was drawn once, with what others want to know of it."""

    face: EncodedFace
    mark: str  # of its ops, to the last digit
    icons: tuple[str, ...]  # the names of those that it shows
    pictures: tuple[tuple[str, int, int, str], ...]  # path, pixels across and down, content hash


class Ground(Struct, frozen=True):
    """What all faces of one layout and deck share: each run's ops, their elements, icons' names."""

    runs: dict[int, tuple[tuple[Op, ...], tuple[Element, ...], frozenset[str]]]
    pictures: tuple[tuple[str, int, int, str], ...]


class Traits(Struct, frozen=True):
    """What the layouts of a deck say of all its faces."""

    own_backs: bool
    bleed: float
    corner: float


class BoxArt(Struct, frozen=True):
    """The panels of a box, whatever the paper, and what they were made of."""

    faces: dict[str, EncodedFace]
    pictures: tuple[tuple[str, int, int, str], ...]
    stamp: str  # the short hash of all panels
    mark: str  # of all that they show


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Refuse everything but the values that entries are made of."""
        if name not in _HOLDS.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of an entry")
        return super().find_class(module, name)


def read_entry(raw: bytes) -> Any:
    """Return what an entry holds; None when it holds anything else."""
    try:
        return _Reader(io.BytesIO(raw)).load()
    except (pickle.UnpicklingError, EOFError, LookupError, TypeError, ValueError, AttributeError):
        return None


def parcel(value: object) -> bytes:
    """Pack what an entry can hold."""
    return pickle.dumps(value, protocol=5)


class Drawn(Struct):
    """The entries of one dress: layouts, themes, icons, and the program that draws them."""

    store: Store
    dress: str
    program: str  # the hash of Kitwright itself
    fonts: dict[str, tuple[Path, ...]] = field(default_factory=dict)  # of each game, once built
    _keys: dict[tuple[int, str, str], tuple[Game, str]] = field(default_factory=dict)
    _learnt: dict[tuple[str, str], int] = field(default_factory=dict)  # how much it was

    def learnt(self, kind: str, key: str) -> dict[Any, Any]:
        """Return what earlier builds have found out; the key holds all that it follows from."""
        found: dict[Any, Any] = self.find(kind, key) or {}
        self._learnt[kind, key] = len(found)
        return found

    def learn(self, kind: str, known: Mapping[Any, Any], key: str) -> None:
        """Keep what is known now, for the next build; it is what was learnt, or more."""
        if len(known) != self._learnt.get((kind, key)):
            self.keep(kind, key, known)
            self._learnt[kind, key] = len(known)

    def recall(self, kind: str, key: str, make: Callable[[], T]) -> T:
        """Return an entry, or make it and keep it."""
        found = self.find(kind, key)
        if found is None:
            made = make()
            self.keep(kind, key, made)
            return made
        value: T = found
        return value

    def find(self, kind: str, key: str) -> Any:
        """Return what an entry holds, or None."""
        raw = self.store.get(kind, key)
        return None if raw is None else read_entry(raw)

    def keep(self, kind: str, key: str, value: object) -> None:
        """Keep an entry."""
        self.store.put(kind, key, parcel(value))

    def game_key(self, game: Game, fonts: Mapping[str, str], skin: str) -> str:
        """Return the key of all that faces of a game share; fonts are digests by name."""
        exact = Exact()
        asked = (id(game), skin, exact.text(fonts))
        if asked not in self._keys:
            about = map(exact.text, (replace(game, decks=()), game.as_context(), fonts))
            self._keys[asked] = game, key_of(self.dress, skin, *about)
        return self._keys[asked][1]

    def is_proved(self, game: Game, skin: str) -> bool:
        """Tell whether the layouts and icons of a game were found to be without fault."""
        return self.find("proofs", self._proof(game, skin)) is not None

    def prove(self, game: Game, skin: str) -> None:
        """Remember that they were."""
        key = self._proof(game, skin)
        if self.store.get("proofs", key) is None:
            self.keep("proofs", key, True)

    def _proof(self, game: Game, skin: str) -> str:
        """Return the key of what layouts are checked against: of cards, the names of fields."""
        decks = [
            (replace(deck, cards=()), dict.fromkeys(n for card in deck.cards for n in card.fields))
            for deck in game.decks
        ]
        return key_of(self.game_key(game, {}, skin), Exact().text(decks))


class Pack:
    """The faces of one deck, in one entry, of which only those still in use are kept."""

    def __init__(
        self, drawn: Drawn, game: Game, game_key: str, deck: Deck, context: Mapping[str, Any]
    ) -> None:
        self._drawn = drawn
        self.exact = Exact()
        self.traits: Traits | None
        self._known: dict[str, KnownFace]
        self._name = key_of(SHAPE, game.id, game.variant or "", str(context["skin"]), deck.id)
        own = {name: value for name, value in context.items() if name not in ("game", "figures")}
        about = self.exact.text((replace(deck, cards=()), own))
        self._deck = key_of(game_key, about)  # of which the first holds the game and its figures
        found: tuple[str, Traits | None, dict[str, KnownFace]]
        found = drawn.find("faces", self._name) or ("", None, {})
        mark, traits, self._known = found
        self._first = self.traits = traits if mark == self._deck else None
        self._used: dict[str, KnownFace] = {}

    def key(self, face_id: str, layout: str, card: Card | None) -> str:
        """Return the key of a face."""
        fields = () if card is None else (card.id, card.copies, card.fields)
        return key_of(self._deck, face_id, layout, self.exact.text(fields))

    def find(self, key: str) -> KnownFace | None:
        """Return a face that was drawn before."""
        known = self._known.get(key)
        if known is not None:
            self._used[key] = known
        return known

    def add(self, key: str, known: KnownFace) -> None:
        """Take in a face that was drawn now."""
        self._used[key] = known

    def ground(self, layout: str) -> Ground | None:
        """Return what all faces of a layout share, if it was drawn before."""
        found: Ground | None = self._drawn.find("grounds", key_of(self._deck, layout))
        return found

    def add_ground(self, layout: str, ground: Ground) -> None:
        """Keep what all faces of a layout share."""
        self._drawn.keep("grounds", key_of(self._deck, layout), ground)

    def keep(self) -> None:
        """Keep the faces that the deck has now."""
        if self._used.keys() != self._known.keys() or self.traits != self._first:
            self._drawn.keep("faces", self._name, (self._deck, self.traits, self._used))


class Bundle:
    """Small things that are made alike, in two entries: most of them, and what has come since.

    So an edit writes little; what is no longer used goes when much has come.
    """

    def __init__(self, drawn: Drawn, kind: str, name: str) -> None:
        self._drawn, self._kind, self._names = drawn, kind, (name, key_of(name, "since"))
        self._most, self._since = (self._find(name) for name in self._names)
        self._used: dict[str, Any] = {}

    def _find(self, name: str) -> dict[str, Any]:
        return self._drawn.find(self._kind, name) or {}

    def recall(self, key: str, make: Callable[[], T]) -> T:
        """Return a thing, or make it and keep it."""
        found: T | None = self.find(key)
        if found is None:
            found = make()
            self.add(key, found)
        return found

    def find(self, key: str) -> Any:
        """Return a thing, or None."""
        if key not in self._used:
            known = self._since if key in self._since else self._most
            if key not in known:
                return None
            self._used[key] = known[key]
        return self._used[key]

    def add(self, key: str, value: object) -> None:
        """Take in a thing that was made now."""
        self._used[key] = value

    def keep(self) -> None:
        """Keep what was used, if anything of it is new."""
        if self._used.keys() <= self._most.keys() | self._since.keys():
            return
        self._since = {key: each for key, each in self._used.items() if key not in self._most}
        if 2 * len(self._since) > len(self._most):
            self._most, self._since = dict(self._used), {}
            self._drawn.keep(self._kind, self._names[0], self._most)
        self._drawn.keep(self._kind, self._names[1], self._since)


def pictures_in(ops: Iterable[Op]) -> Iterator[str]:
    """Yield the assets of the pictures that ops show."""
    for op in ops:
        if isinstance(op, Picture):
            yield op.asset
        elif isinstance(op, Group):
            yield from pictures_in(op.ops)
        elif isinstance(op, Use):
            yield from pictures_in(op.symbol.ops)


def picture_row(info: PictureInfo) -> tuple[str, int, int, str]:
    """Return a picture as an entry holds it."""
    return str(info.path), info.width_px, info.height_px, info.hash


def picture_of(row: tuple[str, int, int, str]) -> PictureInfo:
    """Return the picture that an entry names."""
    path, width, height, mark = row
    return PictureInfo(Path(path), width, height, mark)


def file_key(game_key: str, options: BuildOptions, *parts: object) -> str:
    """Return the key of a file that is laid out with some options."""
    exact = Exact()
    asked = replace(options, decks=(), strict=False, workers=None, papers=())
    return key_of(game_key, exact.text(asked), *map(exact.text, parts))
