"""The stages in order: load, validate, compose, impose, write. The one place that names them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kitwright.compose.faces import Composer, deck_context
from kitwright.compose.pen import Materials
from kitwright.fonts import Fonts
from kitwright.load import Workspace, load_game
from kitwright.load.icons import PictureFinder, load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.themes import load_theme
from kitwright.model.game import Card, Deck, Game
from kitwright.model.theme import Theme
from kitwright.ops import Face, digest
from kitwright.problems import InvalidInputError, Place, Problem
from kitwright.write.encode import EncodedFace, encode_face
from kitwright.write.pictures import PictureData

STANDARD = "standard"
Progress = Callable[[int, int], None]


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
    corner: float  # mm by which images are rounded
    stamp: str  # the short hash of all its faces


@dataclass(slots=True)
class Kit:
    """A game, composed and encoded, ready to be laid on paper or turned into images."""

    game: Game
    theme: Theme
    materials: Materials
    decks: tuple[DeckFaces, ...] = ()
    faces: dict[str, EncodedFace] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def pictures(self) -> dict[str, PictureData]:
        """The raster pictures that the faces show, by content hash."""
        return {key: PictureData(info.path) for key, info in self.materials.pictures.items()}

    @property
    def stamp(self) -> str:
        """The short hash of the whole kit."""
        return digest("".join(deck.stamp for deck in self.decks))[:6]


def load_kit(workspace: Workspace, game_id: str, variant: str | None, skin: str) -> Kit:
    """Load and validate everything that a game's faces are made of."""
    game = load_game(workspace, game_id, variant)
    problems: list[Problem] = []
    name = game.theme if skin == STANDARD else f"{game.id}/skins/{skin}"
    theme = load_theme(workspace, name, problems)
    layouts = LayoutReader(workspace, problems)
    for deck in game.decks:
        for layout in (deck.layout, deck.back):
            if layout is not None:
                layouts.read(theme.replace.get(layout, layout) if theme else layout)
    icons = load_icons(workspace, game.id, problems)
    if problems or theme is None:
        raise InvalidInputError(problems)
    fonts = Fonts({name: Path(path) for name, path in theme.fonts.items()})
    finder = PictureFinder(workspace, game.id)
    materials = Materials(theme, fonts, icons, layouts.read, finder)
    return Kit(game, theme, materials)


def compose_kit(kit: Kit, skin: str, keep: Callable[[Face], None] | None = None) -> Kit:
    """Compose and encode every face; `keep` is shown each face before its ops are let go."""
    problems: list[Problem] = []
    decks = []
    for deck in kit.game.decks:
        context = deck_context(kit.game, deck, skin)
        composed = _DeckComposer(kit, deck, context, problems)
        sides = []
        for face, side in composed.faces():
            if keep is not None:
                keep(face)
            kit.faces[face.id] = encode_face(face, kit.materials.fonts)
            if side is not None:
                sides.append(side)
        hashes = "".join(sorted(kit.faces[s.front].hash for s in sides))
        backs = "".join(sorted({kit.faces[s.back].hash for s in sides if s.back}))
        stamp = digest(hashes + backs)[:6]
        decks.append(
            DeckFaces(deck, tuple(sides), composed.own_backs, composed.corner, stamp)
        )
    kit.decks = tuple(decks)
    problems.extend(kit.materials.faults)
    kit.warnings = gather(problem for problem in problems if problem.warning)
    faults = gather(problem for problem in problems if not problem.warning)
    if faults:
        raise InvalidInputError(faults)
    return kit


def gather(problems: Iterable[Problem]) -> list[Problem]:
    """Tell a fault that many cards share once, with their number."""
    alike: dict[tuple[Place, str], list[Problem]] = {}
    for problem in problems:
        same = alike.setdefault((problem.place, problem.code), [])
        if problem not in same:
            same.append(problem)
    return [
        replace(same[0], message=f"{same[0].message} (and {len(same) - 1} more like it)")
        if len(same) > 1
        else same[0]
        for same in alike.values()
    ]


class _DeckComposer:
    """Composes the fronts and backs of one deck, one at a time."""

    def __init__(
        self, kit: Kit, deck: Deck, context: dict[str, object], problems: list[Problem]
    ) -> None:
        self.deck = deck
        self.front = self._composer(kit, deck.layout, context, problems)
        self.back = self._composer(kit, deck.back, context, problems) if deck.back else None
        self.own_backs = self.back is not None and self.back.is_individual
        self.corner = self.front.layout.corner

    def _composer(
        self, kit: Kit, name: str, context: dict[str, object], problems: list[Problem]
    ) -> Composer:
        layout = kit.materials.layouts(kit.theme.replace.get(name, name))
        if layout is None:
            raise InvalidInputError(problems)
        size = self.deck.size
        return Composer(layout, size.width, size.height, kit.materials, context, problems)

    def faces(self) -> Iterator[tuple[Face, Sides | None]]:
        """Yield each face, with the card's sides once its last face is done."""
        shared = None
        if self.back is not None and not self.own_backs:
            shared = f"{self.deck.id}/back"
            yield self.back.compose(shared, None), None
        for card in self.deck.cards:
            name = f"{self.deck.id}/{card.id}"
            front = self.front.compose(name, card)
            back = shared
            if self.back is not None and self.own_backs:
                back = f"{name}-back"
                yield self.back.compose(back, card), None
            yield front, Sides(card, name, back)
