"""What the stages hand to each other: a kit with its decks and faces, and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kitwright.compose.pen import Materials
from kitwright.model.box import BoxDress
from kitwright.model.game import Card, Deck, Game
from kitwright.model.rulebook import RulesSource
from kitwright.model.theme import Theme
from kitwright.ops import Face, Page, digest
from kitwright.problems import Problem
from kitwright.rulebook.blocks import Shown
from kitwright.rulebook.scenes import Cards
from kitwright.rulebooks import PrintedRules
from kitwright.write.encode import EncodedFace
from kitwright.write.pictures import PictureData

STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How a kit is to be printed."""

    papers: tuple[str, ...] = ("a4", "letter")
    sides: str = "long"
    gap: float | None = None  # mm; None chooses by deck
    marks: str = "edge"
    decks: tuple[str, ...] = ()  # only these; all when empty
    skin: str = STANDARD
    variant: str | None = None
    strict: bool = False
    workers: int | None = None
    sleeved: bool = False  # boxes for cards in sleeves
    stock: float | None = None  # mm that a card is thick; None is that of stock.yaml


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """How faces become images."""

    dpi: float = 300.0
    bleed: bool = False
    rounded: bool = False
    decks: tuple[str, ...] = ()
    skin: str = STANDARD
    variant: str | None = None
    strict: bool = False
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class Sides:
    """The faces of one card: its front and, where the deck has one, its back."""

    card: Card
    front: str
    back: str | None


@dataclass(frozen=True, slots=True)
class DeckFaces:
    """A deck with the ids of its faces."""

    deck: Deck
    cards: tuple[Sides, ...]
    own_backs: bool  # each card has a back of its own
    bleed: float
    corner: float  # mm by which images are rounded
    stamp: str  # the short hash of all its faces


@dataclass(frozen=True, slots=True)
class BoxSheet:
    """A box on one side of a sheet, and the faces that only it has."""

    id: str
    title: str
    size: str  # inside, in words
    page: Page
    faces: dict[str, EncodedFace]


@dataclass(slots=True)
class Kit:
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
    box_dress: BoxDress | None = None  # None when the game has no boxes
    box_sheets: dict[str, tuple[BoxSheet, ...]] = field(default_factory=dict)  # by paper

    @property
    def pictures(self) -> dict[str, PictureData]:
        """The raster pictures that the faces show, by content hash."""
        return {key: PictureData(info.path) for key, info in self.materials.pictures.items()}

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
