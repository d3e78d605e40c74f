"""What the stages hand to each other: a kit with its decks and faces, and the options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from kitwright.cache.drawn import BoxArt, Bundle, Drawn
from kitwright.cache.exact import Exact, key_of
from kitwright.compose.pen import Dressed, Icon, Materials
from kitwright.model.box import BoxDress
from kitwright.model.game import Card, Deck, Game
from kitwright.model.rulebook import RulesSource
from kitwright.model.theme import Theme
from kitwright.ops import Face, Page, digest
from kitwright.options import STANDARD, BuildOptions, ImageOptions
from kitwright.press.rulebooks import PrintedRules
from kitwright.problems import Problem
from kitwright.rulebook.blocks import Shown
from kitwright.rulebook.scenes import Cards
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace
from kitwright.write.pictures import PictureData

__all__ = [
    "STANDARD", "BoxSheet", "BuildOptions", "DeckFaces", "ImageOptions", "Kit", "Sides",
    "cards_of",
]  # fmt: skip


class Sides(Struct, frozen=True):
    """The faces of one card: its front and, where the deck has one, its back."""

    card: Card
    front: str
    back: str | None


class DeckFaces(Struct, frozen=True):
    """A deck with the ids of its faces."""

    deck: Deck
    cards: tuple[Sides, ...]
    own_backs: bool  # each card has a back of its own
    bleed: float
    corner: float  # mm by which images are rounded
    stamp: str  # the short hash of all its faces

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of its faces, each once."""
        both = (name for sides in self.cards for name in (sides.front, sides.back) if name)
        return tuple(dict.fromkeys(both))

    @property
    def row(self) -> tuple[object, ...]:
        """All that laying it on paper can look at but the faces themselves."""
        cards = tuple((s.card.id, s.card.copies, s.front, s.back) for s in self.cards)
        about = replace(self.deck, cards=())
        return about, cards, self.own_backs, self.bleed, self.corner, self.stamp


class BoxSheet(Struct, frozen=True):
    """A box on one side of a sheet, and the faces that only it has."""

    id: str
    title: str
    page: Page
    faces: dict[str, EncodedFace]
    mark: str  # of its panels and all that they show


class Kit(Struct):
    """A game, composed and encoded, ready to be laid on paper or turned into images."""

    game: Game
    theme: Theme
    materials: Materials
    shared: Materials  # of what Kitwright itself prints round the cards
    decks: tuple[DeckFaces, ...] = ()
    faces: dict[str, EncodedFace] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    rules: RulesSource | None = None  # None when the game has no rules.md
    rulebook: PrintedRules | None = None
    marks: dict[str, str] = field(default_factory=dict)  # the exact hash of each face's ops
    recalled: int = 0  # faces that were not drawn now
    drawn: Drawn | None = None  # where they come from
    box_dress: BoxDress | None = None  # None when the game has no boxes
    box_sheets: dict[tuple[str, str], BoxSheet] = field(default_factory=dict)  # by box and paper
    box_icons: Dressed = field(default_factory=dict)  # those of its panels
    box_art: dict[str, BoxArt] = field(default_factory=dict)  # by all that they show
    furniture: Bundle | None = None  # the words round the cards, as they were composed before

    @property
    def font_digests(self) -> dict[str, str]:
        """The content hash of each font."""
        fonts = self.materials.fonts
        return {name: fonts.digest(name) for name in fonts.names}

    @property
    def pictures(self) -> dict[str, PictureData]:
        """The raster pictures that the faces show, by content hash."""
        return {key: PictureData(info.path) for key, info in self.materials.pictures.items()}

    def furnished(
        self, about: object, compose: Callable[[], Face], encoder: Encoder
    ) -> EncodedFace:
        """Return words that stand round the cards, made of no more than `about` and the game."""
        if self.furniture is None:
            return encoder.encode(compose())
        key = key_of(Exact().text(about))
        return self.furniture.recall(key, lambda: encoder.encode(compose()))

    def learn_icons(self) -> None:
        """Take over the icons that earlier builds in this dress have read and painted."""
        if self.drawn is not None:
            for kind, icons in self._icons():
                icons.update(self.drawn.learnt(kind, self._icon_key))

    def keep_icons(self) -> None:
        """Keep the icons that are painted now, for the next build."""
        if self.drawn is not None:
            for kind, icons in self._icons():
                good = {name: icon for name, icon in icons.items() if isinstance(icon, Icon)}
                self.drawn.learn(kind, good, self._icon_key)

    @property
    def _icon_key(self) -> str:
        """All that a painted icon follows from."""
        return key_of(self.drawn.dress, self.theme.name) if self.drawn is not None else ""

    def _icons(self) -> tuple[tuple[str, Dressed], ...]:
        return ("icons", self.materials.dressed), ("box-icons", self.box_icons)

    @property
    def stamp(self) -> str:
        """The short hash of the whole kit."""
        return digest("".join(deck.stamp for deck in self.decks))[:6]


def cards_of(decks: Sequence[DeckFaces], faces: Mapping[str, Face]) -> Cards:
    """Return the faces of a kit by the ids of their cards."""
    fronts: dict[str, Shown] = {}
    backs: dict[str, Shown] = {}
    for deck in decks:
        for sides in deck.cards:
            fronts[sides.card.id] = Shown(faces[sides.front], deck.corner)
            if sides.back is not None:
                backs[sides.card.id] = Shown(faces[sides.back], deck.corner)
    return Cards(fronts, backs)
