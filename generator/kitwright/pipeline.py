"""The stages in order: load, validate, compose, impose, write. Only this file names them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kitwright import __version__
from kitwright.bindery import Book, lay_kit, lay_part
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
from kitwright.model.game import Deck, Game
from kitwright.model.paper import Paper
from kitwright.model.record import Record, freeze
from kitwright.ops import Face, digest
from kitwright.press import (
    STANDARD,
    BuildOptions,
    DeckFaces,
    ImageOptions,
    Kit,
    Sides,
    cards_of,
)
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean
from kitwright.rulebooks import print_rules
from kitwright.validate import validate
from kitwright.write.encode import Encoder
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.staging import check_output, stage

__all__ = ["STANDARD", "BuildOptions", "ImageOptions", "Kit", "compose_kit", "load_kit"]

SHARED_THEME = "shared/theme"
Progress = Callable[[int, int], None]


class UnknownNameError(ValueError):
    """A deck or paper was asked for that does not exist: a fault of the command line."""


@dataclass(frozen=True, slots=True)
class Made:
    """A file that was written."""

    path: str  # from the output folder
    pages: int
    size: int


@dataclass(frozen=True, slots=True)
class Report:
    """What a command made of one game."""

    game: str
    folder: Path
    files: tuple[Made, ...]
    warnings: tuple[Problem, ...]


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
    kit: Kit, skin: str, decks: Sequence[str] = (), keep: Callable[[Face], None] | None = None
) -> Kit:
    """Compose and encode every face; `keep` is shown each face before its ops are let go."""
    problems: list[Problem] = []
    encoder = Encoder(kit.materials.fonts)
    composed = []
    for deck in _chosen(kit.game, decks):
        composer = _DeckComposer(kit, deck, deck_context(kit.game, deck, skin), problems)
        sides = []
        for face, side in composer.faces():
            if keep is not None:
                keep(face)
            kit.faces[face.id] = encoder.encode(face)
            if side is not None:
                sides.append(side)
        composed.append(composer.finished(tuple(sides), kit))
    kit.decks = tuple(composed)
    problems.extend(kit.materials.faults)
    faults = gather(problem for problem in problems if not problem.warning)
    if faults:
        raise InvalidInputError(faults)
    warnings = gather(problem for problem in problems if problem.warning)
    kit.warnings = (*kit.warnings, *warnings)
    return kit


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

    def faces(self) -> Iterator[tuple[Face, Sides | None]]:
        """Yield each face, with the card's sides once its last face is done."""
        shared = None
        if self.back is not None and not self.own_backs:
            shared = f"{self.deck.id}/back"
            yield self.back.compose(shared, None), None
        for card in self.deck.cards:
            name = f"{self.deck.id}/{card.id}"
            back = shared
            if self.back is not None and self.own_backs:
                back = f"{name}-back"
                yield self.back.compose(back, card), None
            yield self.front.compose(name, card), Sides(card, name, back)

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
) -> Kit:
    """Load, validate and compose a game; with `strict`, warnings are faults."""
    kit = load_kit(workspace, game_id, options.variant, options.skin)
    if kit.rules is None or options.decks or isinstance(options, ImageOptions):
        compose_kit(kit, options.skin, options.decks)
    else:
        faces: dict[str, Face] = {}
        compose_kit(kit, options.skin, keep=lambda face: faces.update({face.id: face}))
        standard = load_game(workspace, game_id) if options.variant else kit.game
        cards = cards_of(kit.decks, faces)
        kit.rulebook = print_rules(
            kit.game, standard, kit.materials, kit.pictures, kit.rules, cards
        )
    if options.strict and kit.warnings:
        raise InvalidInputError(kit.warnings)
    return kit


def build_games(
    workspace: Workspace,
    games: Sequence[str],
    options: BuildOptions,
    output: Path,
    progress: Progress | None = None,
) -> list[Report]:
    """Build kits; nothing is written unless every game is without fault."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    papers = papers_called(workspace, options.papers)
    kits: list[Kit] = []
    faults: list[Problem] = []
    for game in games:
        try:
            kits.append(prepare(workspace, game, options))
        except InvalidInputError as error:
            faults.extend(error.problems)
    if faults:
        raise InvalidInputError(faults)
    books = [(kit, _Books(kit, papers, options)) for kit in kits]
    total = sum(book.count for _, book in books)
    done = 0
    reports = []
    for kit, book in books:
        folder = output / folder_name(kit.game, options.skin)
        made = []
        with stage(folder, sources=sources) as staged:
            for name, pages, data in book.files():
                target = staged.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                made.append(Made(f"{folder.name}/{name}", pages, len(data)))
                done += 1
                if progress is not None:
                    progress(done, total)
            staged.seal(__version__)
        reports.append(Report(kit.game.id, folder, tuple(made), kit.warnings))
    return reports


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
    variant = f"+{game.variant}" if game.variant else ""
    return game.id + variant + (f"+{skin}" if skin != STANDARD else "")


class _Books:
    """The PDFs of one kit, imposed at once so that faults show before anything is written."""

    def __init__(self, kit: Kit, papers: Sequence[Paper], options: BuildOptions) -> None:
        self.kit = kit
        self.options = options
        ending = "" if options.sides == "long" else f"-{options.sides}"
        self.laid: dict[str, tuple[str, Book]] = {}
        for paper in papers:
            end = f"{paper.name}{ending}.pdf"
            if not options.decks:
                self.laid[f"kit-{end}"] = (kit.game.title, lay_kit(kit, paper, options))
            for deck in kit.decks:
                title = f"{kit.game.title}: {deck.deck.title}"
                part = lay_part(kit, deck, paper, options)
                self.laid[f"print/{deck.deck.id}-{end}"] = (title, part)
        self.rules = tuple(kit.rulebook.files(papers)) if kit.rulebook else ()

    @property
    def count(self) -> int:
        """The number of files."""
        return len(self.laid) + len(self.rules)

    def files(self) -> Iterator[tuple[str, int, bytes]]:
        """Yield name, pages and bytes of each file."""
        game = self.kit.game
        duplex = self.options.sides if self.options.sides in ("long", "short") else ""
        for name, (title, book) in self.laid.items():
            info = Info(
                title, game.credit.designers, game.tagline, game.credit.licence, duplex,
                stamp=self.kit.stamp,
            )  # fmt: skip
            faces = {**self.kit.faces, **book.faces}
            fonts = self.kit.materials.fonts
            yield (
                name,
                len(book.pages),
                write_pdf(book.pages, faces, fonts, self.kit.pictures, info),
            )
        yield from self.rules


def check_print(
    workspace: Workspace, game_id: str, variant: str | None, skin: str
) -> tuple[Game, tuple[Problem, ...]]:
    """Load, validate and compose a game without writing it; return it and its warnings.

    The game's facts then say how small its decks draw their fragments, as `rooms`.
    """
    kit = prepare(workspace, game_id, BuildOptions(variant=variant, skin=skin))
    facts: Record = freeze({**kit.game.facts, "rooms": kit.materials.rooms})
    return replace(kit.game, facts=facts), kit.warnings
