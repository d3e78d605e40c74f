"""The faces of a kit: each composed and encoded, or recalled as it was drawn before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from kitwright.cache.drawn import (
    Drawn,
    Ground,
    KnownFace,
    Pack,
    Traits,
    picture_of,
    picture_row,
    pictures_in,
)
from kitwright.compose.faces import Composer, deck_context
from kitwright.model.game import Card, Deck, Game
from kitwright.ops import Face, digest
from kitwright.options import UnknownNameError
from kitwright.press.kit import DeckFaces, Kit, Sides
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean
from kitwright.write.encode import Encoder


def compose_kit(
    kit: Kit,
    skin: str,
    decks: Sequence[str] = (),
    keep: Callable[[Face], None] | None = None,
    drawn: Drawn | None = None,
) -> Kit:
    """Compose and encode every face; `keep` is shown each face before its ops are let go.

    Faces that were `drawn` before are taken from there, and not shown to `keep`.
    """
    problems: list[Problem] = []
    encoder = Encoder(kit.materials.fonts)
    composed = []
    shared = drawn.game_key(kit.game, kit.font_digests, skin) if drawn is not None else ""
    for deck in chosen_decks(kit.game, decks):
        context = deck_context(kit.game, deck, skin)
        pack = Pack(drawn, kit.game, shared, deck, context) if drawn is not None else None
        composer = _DeckComposer(kit, deck, context, problems, pack)
        sides: list[Sides] = []
        for name, layout, card, side in composer.faces():
            if pack is None or not _recall(kit, pack, pack.key(name, layout, card)):
                face = composer.compose(name, layout, card)
                if keep is not None:
                    keep(face)
                kit.faces[name] = encoder.encode(face)
                if pack is not None:
                    _remember(kit, pack, face, composer.hand(layout), card)
            sides += [side] if side is not None else []
        composed.append(composer.finished(tuple(sides)))
    kit.decks = tuple(composed)
    problems.extend(kit.materials.faults)
    faults = gather(problem for problem in problems if not problem.warning)
    if faults:
        raise InvalidInputError(faults)
    warnings = gather(problem for problem in problems if problem.warning)
    kit.warnings = (*kit.warnings, *warnings)
    return kit


def _remember(kit: Kit, pack: Pack, face: Face, hand: Composer, card: Card | None) -> None:
    """Keep a face that was drawn now; one with a warning is drawn again to tell it."""
    name = face.id
    mark = kit.marks[name] = pack.exact.mark(face.ops)
    if hand.clean:
        encoded = kit.faces[name]
        rows = tuple(picture_row(kit.materials.pictures[asset]) for asset in encoded.pictures)
        known = KnownFace(encoded, mark, tuple(sorted(hand.icons)), rows)
        pack.add(pack.key(name, hand.layout.name, card), known)


def _recall(kit: Kit, pack: Pack, key: str) -> bool:
    """Take a face from the pack, and tell whether it was there."""
    known = pack.find(key)
    if known is None:
        return False
    name = known.face.id
    kit.faces[name], kit.marks[name] = known.face, known.mark
    kit.materials.shown.update(known.icons)
    _take_pictures(kit, known.pictures)
    kit.recalled += 1
    return True


def _take_pictures(kit: Kit, rows: Iterable[tuple[str, int, int, str]]) -> None:
    for row in rows:
        picture = picture_of(row)
        kit.materials.pictures[picture.hash] = picture


def redraw(kit: Kit, skin: str, wanted: Collection[str]) -> Iterator[Face]:
    """Compose faces again whose ops are needed though they were recalled."""
    for deck in kit.game.decks:
        if any(name.partition("/")[0] == deck.id for name in wanted):
            composer = _DeckComposer(kit, deck, deck_context(kit.game, deck, skin), [])
            for name, layout, card, _ in composer.faces():
                if name in wanted:
                    yield composer.compose(name, layout, card)


def chosen_decks(game: Game, names: Sequence[str]) -> Iterator[Deck]:
    """Return the decks of some names, or all; an unknown one is a fault of the command line."""
    known = [deck.id for deck in game.decks]
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; it has {', '.join(known)}"
            raise UnknownNameError(f"{game.id} has no deck '{name}'{hint}")
    return (deck for deck in game.decks if not names or deck.id in names)


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
    """Composes the fronts and backs of one deck; reads no layout that it does not draw with."""

    def __init__(
        self,
        kit: Kit,
        deck: Deck,
        context: dict[str, Any],
        problems: list[Problem],
        pack: Pack | None = None,
    ) -> None:
        self.kit, self.deck, self.context, self.problems = kit, deck, context, problems
        self.pack = pack
        self.hands: dict[str, Composer] = {}
        self.known: set[str] = set()  # the layouts whose shared part was drawn before
        self.traits = (pack.traits if pack is not None else None) or self._traits()

    def _traits(self) -> Traits:
        before = len(self.problems)
        layout = self.hand(self._named(self.deck.layout)).layout
        back = self.hand(self._named(self.deck.back)) if self.deck.back else None
        own_backs = back is not None and back.is_individual
        traits = Traits(own_backs, layout.bleed, layout.corner)
        if self.pack is not None and len(self.problems) == before:
            self.pack.traits = traits
        return traits

    def _named(self, layout: str) -> str:
        return self.kit.theme.replace.get(layout, layout)

    def hand(self, layout: str) -> Composer:
        """Return what composes the faces of one layout."""
        if layout not in self.hands:
            found = self.kit.materials.layouts(layout)
            if found is None:
                raise InvalidInputError(self.problems)
            size, materials = self.deck.size, self.kit.materials
            hand = self.hands[layout] = Composer(
                found, size.width, size.height, materials, self.context, self.problems
            )
            ground = self.pack.ground(layout) if self.pack is not None else None
            if ground is not None:
                hand.shared.update(ground.runs)
                self.known.add(layout)
                _take_pictures(self.kit, ground.pictures)
        return self.hands[layout]

    def _keep_grounds(self, pack: Pack) -> None:
        """Keep what the faces share; with a warning in it, it is drawn again to tell it."""
        for layout, hand in self.hands.items():
            if hand.shared and layout not in self.known and not hand.shared_faults:
                ops = (op for done, _, _ in hand.shared.values() for op in done)
                pictures = self.kit.materials.pictures
                rows = tuple(picture_row(pictures[asset]) for asset in sorted({*pictures_in(ops)}))
                pack.add_ground(layout, Ground(hand.shared, rows))

    def compose(self, name: str, layout: str, card: Card | None) -> Face:
        """Compose one face."""
        return self.hand(layout).compose(name, card)

    def faces(self) -> Iterator[tuple[str, str, Card | None, Sides | None]]:
        """Yield each face and its layout, with the card's sides once its last face is due."""
        front = self._named(self.deck.layout)
        behind = self._named(self.deck.back) if self.deck.back else None
        shared = None
        if behind is not None and not self.traits.own_backs:
            shared = f"{self.deck.id}/back"
            yield shared, behind, None, None
        for card in self.deck.cards:
            name = f"{self.deck.id}/{card.id}"
            back = shared
            if behind is not None and self.traits.own_backs:
                back = f"{name}-back"
                yield back, behind, card, None
            yield name, front, card, Sides(card, name, back)

    def finished(self, sides: tuple[Sides, ...]) -> DeckFaces:
        """Return the deck with its faces and the stamp that is the hash of them all."""
        if self.pack is not None:
            self.pack.keep()
            self._keep_grounds(self.pack)
        names = dict.fromkeys(name for s in sides for name in (s.front, s.back) if name)
        copies = ",".join(str(s.card.copies) for s in sides)
        stamp = digest(copies + "".join(self.kit.faces[name].hash for name in names))[:6]
        traits = self.traits
        return DeckFaces(self.deck, sides, traits.own_backs, traits.bleed, traits.corner, stamp)
