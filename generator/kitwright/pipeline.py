"""The stages in order: load, validate, compose, impose, write. Only this file names them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kitwright import __version__
from kitwright.cache.drawn import (
    Drawn,
    KnownFace,
    Pack,
    Shelf,
    picture_of,
    picture_row,
)
from kitwright.cache.exact import Exact, key_of
from kitwright.compose.faces import Composer, deck_context
from kitwright.compose.furniture import ADVICE, FOOTER
from kitwright.compose.pen import Materials
from kitwright.engines import facts_of
from kitwright.fonts import Fonts
from kitwright.load import Workspace, load_game
from kitwright.load.dress import dress_faults
from kitwright.load.icons import PictureFinder, load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.rules import load_rules
from kitwright.load.shared import load_papers
from kitwright.load.themes import load_theme
from kitwright.model.game import Card, Deck, Game
from kitwright.model.paper import Paper
from kitwright.model.record import Record, freeze
from kitwright.model.rulebook import RulesSource
from kitwright.ops import Face, digest
from kitwright.options import (
    STANDARD,
    BuildOptions,
    ImageOptions,
    Made,
    Progress,
    Report,
    UnknownNameError,
    folder_of,
)
from kitwright.press import DeckFaces, Kit, Sides, cards_of
from kitwright.printing import Books
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean
from kitwright.rulebook.blocks import Rulebook
from kitwright.rulebook.scenes import Cards
from kitwright.rulebooks import PrintedRules, print_rules
from kitwright.validate import validate
from kitwright.write.encode import Encoder
from kitwright.write.staging import check_output, stage

__all__ = [
    "STANDARD",
    "BuildOptions",
    "ImageOptions",
    "Kit",
    "Made",
    "Progress",
    "Report",
    "UnknownNameError",
    "compose_kit",
    "load_kit",
]

SHARED_THEME = "shared/theme"


def load_kit(workspace: Workspace, game_id: str, variant: str | None, skin: str) -> Kit:
    """Load and validate everything that a game's faces are made of."""
    try:
        game = load_game(workspace, game_id, variant)
    except InvalidInputError as error:
        raise InvalidInputError((*error.problems, *dress_faults(workspace, game_id))) from None
    game = replace(game, facts=facts_of(game))
    problems: list[Problem] = []
    name = game.theme if skin == STANDARD else f"{game.id}/skins/{skin}"
    theme = load_theme(workspace, name, problems)
    plain = load_theme(workspace, SHARED_THEME, problems)
    layouts = LayoutReader(workspace, problems)
    wanted = [n for deck in game.decks for n in (deck.layout, deck.back) if n is not None]
    for layout in (*wanted, ADVICE, FOOTER):
        layouts.read(theme.replace.get(layout, layout) if theme else layout)
    icons = load_icons(workspace, game.id, problems)
    rules = load_rules(workspace, game, problems)
    found = validate(game, theme, layouts.read, icons, skin) if theme is not None else []
    problems.extend(problem for problem in found if not problem.warning)
    if problems or theme is None or plain is None:
        raise InvalidInputError(problems)
    files = {**plain.fonts, **(rules.dress.fonts if rules else {}), **theme.fonts}
    fonts = Fonts({name: Path(path) for name, path in files.items()})
    materials = Materials(theme, fonts, icons, layouts.read, PictureFinder(workspace, game.id))
    shared = Materials(plain, fonts, {}, layouts.read, PictureFinder(workspace, "shared"))
    kit = Kit(game, theme, materials, shared, rules=rules)
    kit.warnings = tuple(problem for problem in found if problem.warning)
    return kit


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
    for deck in _chosen(kit.game, decks):
        composer = _DeckComposer(kit, deck, deck_context(kit.game, deck, skin), problems)
        pack = Pack(drawn, kit.game, shared, deck, skin) if drawn is not None else None
        sides = []
        for name, hand, card, side in composer.faces():
            if pack is None or not _recall(kit, pack, name, hand, card):
                face = hand.compose(name, card)
                if keep is not None:
                    keep(face)
                kit.faces[name] = encoder.encode(face)
                if pack is not None:
                    _remember(kit, pack, face, hand, card)
            if side is not None:
                sides.append(side)
        if pack is not None:
            pack.keep()
        composed.append(composer.finished(tuple(sides), kit))
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


def _recall(kit: Kit, pack: Pack, name: str, hand: Composer, card: Card | None) -> bool:
    """Take a face from the pack, and tell whether it was there."""
    known = pack.find(pack.key(name, hand.layout.name, card))
    if known is None:
        return False
    kit.faces[name], kit.marks[name] = known.face, known.mark
    kit.materials.shown.update(known.icons)
    for row in known.pictures:
        picture = picture_of(row)
        kit.materials.pictures[picture.hash] = picture
    kit.recalled += 1
    return True


def _redraw(kit: Kit, skin: str, wanted: frozenset[str]) -> Iterator[Face]:
    """Compose faces again whose ops are needed though they were recalled."""
    for deck in kit.game.decks:
        composer = _DeckComposer(kit, deck, deck_context(kit.game, deck, skin), [])
        for name, hand, card, _ in composer.faces():
            if name in wanted:
                yield hand.compose(name, card)


def _chosen(game: Game, names: Sequence[str]) -> Iterator[Deck]:
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
    """Composes the fronts and backs of one deck, one at a time."""

    def __init__(
        self, kit: Kit, deck: Deck, context: dict[str, Any], problems: list[Problem]
    ) -> None:
        self.deck = deck
        self.front = self._composer(kit, deck.layout, context, problems)
        self.back = self._composer(kit, deck.back, context, problems) if deck.back else None
        self.own_backs = self.back is not None and self.back.is_individual

    def _composer(
        self, kit: Kit, name: str, context: dict[str, Any], problems: list[Problem]
    ) -> Composer:
        layout = kit.materials.layouts(kit.theme.replace.get(name, name))
        if layout is None:
            raise InvalidInputError(problems)
        size = self.deck.size
        return Composer(layout, size.width, size.height, kit.materials, context, problems)

    def faces(self) -> Iterator[tuple[str, Composer, Card | None, Sides | None]]:
        """Yield each face to compose, with the card's sides once its last face is due."""
        shared = None
        if self.back is not None and not self.own_backs:
            shared = f"{self.deck.id}/back"
            yield shared, self.back, None, None
        for card in self.deck.cards:
            name = f"{self.deck.id}/{card.id}"
            back = shared
            if self.back is not None and self.own_backs:
                back = f"{name}-back"
                yield back, self.back, card, None
            yield name, self.front, card, Sides(card, name, back)

    def finished(self, sides: tuple[Sides, ...], kit: Kit) -> DeckFaces:
        """Return the deck with its faces and the stamp that is the hash of them all."""
        names = dict.fromkeys(name for s in sides for name in (s.front, s.back) if name)
        copies = ",".join(str(s.card.copies) for s in sides)
        stamp = digest(copies + "".join(kit.faces[name].hash for name in names))[:6]
        layout = self.front.layout
        return DeckFaces(self.deck, sides, self.own_backs, layout.bleed, layout.corner, stamp)


def prepare(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions | ImageOptions,
    drawn: Drawn | None = None,
) -> Kit:
    """Load, validate and compose a game; with `strict`, warnings are faults."""
    kit = load_kit(workspace, game_id, options.variant, options.skin)
    if kit.rules is None or options.decks or isinstance(options, ImageOptions):
        compose_kit(kit, options.skin, options.decks, drawn=drawn)
    else:
        faces: dict[str, Face] = {}
        compose_kit(kit, options.skin, (), lambda face: faces.update({face.id: face}), drawn)
        standard = load_game(workspace, game_id) if options.variant else kit.game
        kit.rulebook = _print_rules(kit, kit.rules, standard, faces, options.skin, drawn)
    if options.strict and kit.warnings:
        raise InvalidInputError(kit.warnings)
    return kit


def _print_rules(
    kit: Kit,
    rules: RulesSource,
    standard: Game,
    faces: dict[str, Face],
    skin: str,
    drawn: Drawn | None,
) -> PrintedRules:
    """Make the rulebook; faces that were recalled are drawn again only where it needs their ops."""
    hollow = {
        name: Face(name, face.width, face.height, face.bleed, (), face.hash)
        for name, face in kit.faces.items()
        if name not in faces
    }

    def shelve(book: Rulebook) -> tuple[Shelf | None, frozenset[str]]:
        if drawn is None:
            return None, frozenset()
        exact = Exact(kit.marks)
        shared = drawn.game_key(kit.game, kit.font_digests, skin)
        return Shelf(drawn, key_of(shared, exact.text(book))), frozenset(hollow.keys() & exact.met)

    def cards(wanted: frozenset[str]) -> Cards:
        real = {face.id: face for face in _redraw(kit, skin, wanted)} if wanted else {}
        return cards_of(kit.decks, {**faces, **hollow, **real})

    return print_rules(kit.game, standard, kit.materials, kit.pictures, rules, cards, shelve)


def _prepare_all(
    workspace: Workspace, games: Sequence[str], options: BuildOptions, drawn: Drawn | None
) -> list[Kit]:
    kits: list[Kit] = []
    faults: list[Problem] = []
    for game in games:
        try:
            kits.append(prepare(workspace, game, options, drawn))
        except InvalidInputError as error:
            faults.extend(error.problems)
    if faults:
        raise InvalidInputError(faults)
    return kits


def build_games(
    workspace: Workspace,
    games: Sequence[str],
    options: BuildOptions,
    output: Path,
    progress: Progress | None = None,
    drawn: Drawn | None = None,
) -> list[Report]:
    """Build kits; nothing is written unless every game is without fault."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    papers = papers_called(workspace, options.papers)
    kits = _prepare_all(workspace, games, options, drawn)
    others = planned_papers(workspace, options)
    books = [(kit, Books(kit, papers, options, others, drawn)) for kit in kits]
    total = sum(book.count for _, book in books)
    done = 0
    reports = []
    for kit, book in books:
        folder = output / folder_name(kit.game, options.skin)
        made = []
        with stage(folder, sources=sources) as staged:
            for name, pages, data in book.files():
                staged.write(name, data)
                made.append(Made(f"{folder.name}/{name}", pages, len(data)))
                done += 1
                if progress is not None:
                    progress(done, total)
            staged.seal(__version__)
        new = len(kit.faces) - kit.recalled
        report = Report(
            kit.game.id, folder, tuple(made), kit.warnings, new, kit.recalled, plan=book.plan
        )
        reports.append(report)
        if drawn is not None:
            drawn.fonts[kit.game.id] = kit.materials.fonts.paths
    return reports


def planned_papers(workspace: Workspace, options: BuildOptions) -> list[Paper]:
    """Return the papers that a plan compares: those asked for, A4 and Letter."""
    known = load_papers(workspace, [])
    names = dict.fromkeys((*options.papers, "a4", "letter"))
    return [known[name] for name in names if name in known]


def papers_called(workspace: Workspace, names: Sequence[str]) -> list[Paper]:
    """Return the papers of some names; an unknown one is a fault of the command line."""
    problems: list[Problem] = []
    known = load_papers(workspace, problems)
    if problems:
        raise InvalidInputError(problems)
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise UnknownNameError(f"there is no paper '{name}'{hint}")
    return [known[name] for name in dict.fromkeys(names)]


def folder_name(game: Game, skin: str) -> str:
    """Name the folder of a game, a variant and a skin."""
    return folder_of(game.id, game.variant, skin)


def check_print(
    workspace: Workspace, game_id: str, variant: str | None, skin: str
) -> tuple[Game, tuple[Problem, ...]]:
    """Load, validate and compose a game without writing it; return it and its warnings.

    The game's facts then say how small its decks draw their fragments, as `rooms`.
    """
    kit = prepare(workspace, game_id, BuildOptions(variant=variant, skin=skin))
    facts: Record = freeze({**kit.game.facts, "rooms": kit.materials.rooms})
    return replace(kit.game, facts=facts), kit.warnings
