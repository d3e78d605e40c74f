"""The stages in order: load, validate, compose, impose, write. Only this file names them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from kitwright import __version__, lore
from kitwright.cache.drawn import Bundle, Drawn
from kitwright.cache.exact import Exact, key_of
from kitwright.cache.shelf import Shelf
from kitwright.compose.furniture import ADVICE, BOX_NOTE, FOOTER, GLUE
from kitwright.compose.pen import Materials
from kitwright.engines import facts_of
from kitwright.fonts import Fonts
from kitwright.load import Workspace, load_game
from kitwright.load.boxes import load_boxes
from kitwright.load.dress import dress_faults
from kitwright.load.icons import PictureFinder, load_icons
from kitwright.load.layouts import LayoutReader
from kitwright.load.rules import load_rules
from kitwright.load.shared import load_papers
from kitwright.load.source import remembering
from kitwright.load.themes import load_theme
from kitwright.model.box import BoxDress
from kitwright.model.game import Game
from kitwright.model.paper import Paper
from kitwright.model.record import Record, freeze
from kitwright.model.rulebook import RulesSource
from kitwright.model.svg import Svg
from kitwright.model.theme import Theme
from kitwright.ops import Face
from kitwright.options import (
    STANDARD,
    BuildOptions,
    ImageOptions,
    Made,
    PlanRow,
    Progress,
    Report,
    UnknownNameError,
    folder_of,
)
from kitwright.press.composing import compose_kit, gather, redraw
from kitwright.press.kit import Kit, cards_of
from kitwright.press.printing import (
    Printed,
    plan_of,
    print_page,
    print_paper,
    print_share,
    print_text,
)
from kitwright.press.rulebooks import PrintedRules, ShownFaces, print_rules
from kitwright.problems import InvalidInputError, Problem, did_you_mean
from kitwright.rulebook.blocks import Rulebook
from kitwright.rulebook.tokens import known_pages, learn_pages
from kitwright.write.embed import STREAMS
from kitwright.write.shares import available_cores, share_out
from kitwright.write.staging import Staged, check_output, check_writable, stage

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
    "gather",
    "load_kit",
]

SHARED_THEME = "shared/theme"


def load_kit(
    workspace: Workspace,
    game_id: str,
    variant: str | None,
    skin: str,
    drawn: Drawn | None = None,
) -> Kit:
    """Load and validate all that faces are made of, or read it later where it was `drawn` with."""
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
    proved = drawn is not None and drawn.is_proved(game, skin)
    icons = load_icons(workspace, game.id, problems, proved)
    rules = load_rules(workspace, game, problems)
    boxes = load_boxes(workspace, game, theme, plain, problems) if theme and plain else None
    found = [] if proved else _check_layouts(game, theme, boxes, layouts, icons, skin)
    problems.extend(problem for problem in found if not problem.warning)
    if problems or theme is None or plain is None:
        raise InvalidInputError(problems)
    if drawn is not None and not found:
        drawn.prove(game, skin)
    files = {**plain.fonts, **(rules.dress.fonts if rules else {}), **theme.fonts}
    fonts = Fonts({each: Path(path) for each, path in files.items()})
    materials = Materials(theme, fonts, icons, layouts.read, PictureFinder(workspace, game.id))
    shared = Materials(plain, fonts, {}, layouts.read, PictureFinder(workspace, "shared"))
    warnings = tuple(problem for problem in found if problem.warning)
    kit = Kit(game, theme, materials, shared, warnings=warnings, rules=rules, drawn=drawn)
    kit.box_dress = boxes
    kit.learn_icons()
    return kit


def _check_layouts(
    game: Game,
    theme: Theme | None,
    boxes: BoxDress | None,
    layouts: LayoutReader,
    icons: Mapping[str, Svg],
    skin: str,
) -> list[Problem]:
    """Read and check the layouts of cards and boxes."""
    from kitwright.validate import validate  # layouts that are proved do without
    from kitwright.validate.panels import validate_panels

    _read_layouts(game, theme, layouts)
    found = validate(game, theme, layouts.read, icons, skin) if theme is not None else []
    if boxes is not None:
        found += validate_panels(game, boxes, layouts.read, icons, skin)
    return found


def _read_layouts(game: Game, theme: Theme | None, layouts: LayoutReader) -> None:
    """Read every layout that a game names, and those that Kitwright itself prints with."""
    wanted = [n for deck in game.decks for n in (deck.layout, deck.back) if n is not None]
    for layout in (*wanted, ADVICE, FOOTER, BOX_NOTE, GLUE):
        layouts.read(theme.replace.get(layout, layout) if theme else layout)


def prepare(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions | ImageOptions,
    drawn: Drawn | None = None,
    prove: bool = True,
) -> Kit:
    """Load, validate and compose a game; with `strict`, warnings are faults.

    Its rulebook is set once to `prove` it, unless it is going to be set anyway.
    """
    if drawn is None:
        return _prepare(workspace, game_id, options, None, prove)
    documents = Bundle(drawn, "documents", key_of(drawn.program, game_id, options.skin))
    with remembering(documents):
        kit = _prepare(workspace, game_id, options, drawn, prove)
        for layout in (ADVICE, FOOTER):
            kit.shared.layouts(layout)  # once, for all that print
    documents.keep()
    return kit


def _prepare(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions | ImageOptions,
    drawn: Drawn | None,
    prove: bool,
) -> Kit:
    kit = load_kit(workspace, game_id, options.variant, options.skin, drawn)
    if kit.rules is None or options.decks or isinstance(options, ImageOptions):
        compose_kit(kit, options.skin, options.decks, drawn=drawn)
    else:
        faces: dict[str, Face] = {}
        compose_kit(kit, options.skin, (), lambda face: faces.update({face.id: face}), drawn)
        standard = load_game(workspace, game_id) if options.variant else kit.game
        kit.rulebook = _print_rules(kit, kit.rules, standard, faces, options.skin, drawn, prove)
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
    prove: bool,
) -> PrintedRules:
    """Make the rulebook; what is to be remembered of it names the faces, without their ops."""
    shown = faces
    if drawn is not None:
        shown = {name: face.named for name, face in kit.faces.items()}

    def shelve(book: Rulebook) -> Shelf | None:
        if drawn is None:
            return None
        about = Exact().text((kit.font_digests, rules.dress))
        dress = key_of(drawn.dress, kit.game.id, skin, about)
        shared = drawn.game_key(kit.game, kit.font_digests, skin)
        whole = (book.title, book.tagline, book.facts, *book.blocks)
        return Shelf(drawn, folder_name(kit.game, skin), shared, dress, kit.marks, whole)

    def again(name: str) -> Face:
        return faces[name] if name in faces else next(redraw(kit, skin, {name}))

    cards, real = cards_of(kit.decks, shown), ShownFaces(kit.faces, again)
    with _reading(rules, drawn):
        return print_rules(
            kit.game, standard, kit.materials, kit.pictures, rules, cards, real, shelve, prove
        )


@contextmanager
def _reading(rules: RulesSource, drawn: Drawn | None) -> Iterator[None]:
    """Let a page of Markdown be read once, whatever stands in its braces."""
    if drawn is None:
        yield
        return
    key = key_of(drawn.program, rules.text)
    learn_pages(drawn.learnt("pages", key))
    yield
    drawn.learn("pages", known_pages(), key)


def _prepare_all(
    workspace: Workspace, games: Sequence[str], options: BuildOptions, drawn: Drawn | None
) -> list[Kit]:
    kits: list[Kit] = []
    faults: list[Problem] = []
    for game in games:
        try:
            kits.append(prepare(workspace, game, options, drawn, prove=False))
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
    check_writable(output)
    papers = papers_called(workspace, options.papers)
    if drawn is not None:
        lore.learn({kind: drawn.learnt(kind, drawn.program) for kind in lore.KINDS})
    kits = _prepare_all(workspace, games, options, drawn)
    others = planned_papers(workspace, options)
    plans = [plan_of(kit, others, options, drawn) for kit in kits]
    folders = [output / folder_name(kit.game, options.skin) for kit in kits]
    with ExitStack() as stages:
        staged = [stages.enter_context(stage(folder, sources=sources)) for folder in folders]
        printed = _print_all(kits, papers, options, drawn, progress)
        for shares, into in zip(printed, staged, strict=True):
            _write_kit(shares, into)
    reports = [
        _report(kit, folder, shares, plan)
        for kit, folder, shares, plan in zip(kits, folders, printed, plans, strict=True)
    ]
    if drawn is not None:
        drawn.fonts.update((kit.game.id, kit.materials.fonts.paths) for kit in kits)
        for kind, facts in lore.known().items():
            drawn.learn(kind, facts, drawn.program)
    return reports


def _print_all(
    kits: Sequence[Kit],
    papers: Sequence[Paper],
    options: BuildOptions,
    drawn: Drawn | None,
    progress: Progress | None,
) -> list[list[Printed]]:
    """Print every kit for every paper and for the screen, on as many cores as there are."""
    work = [list(_parts(kit, papers, options, drawn)) for kit in kits]
    tasks = [
        partial(print_share, kit, part, drawn)
        for kit, parts in zip(kits, work, strict=True)
        for part in parts
    ]
    shares = share_out(tasks, options.workers or available_cores(), progress)
    for share in shares:
        lore.learn(share.facts)
        if drawn is not None:
            drawn.store.take(share.entries)
    STREAMS.forget()
    found = iter(shares)
    return [[share.printed for share in islice(found, len(parts))] for parts in work]


def _parts(
    kit: Kit, papers: Sequence[Paper], options: BuildOptions, drawn: Drawn | None
) -> Iterator[Callable[[], Printed]]:
    """Yield what is to be printed of a kit, the longest first."""
    for paper in papers:
        yield partial(print_paper, kit, paper, options, drawn)
    if kit.rulebook is not None:
        yield partial(print_page, kit, kit.rulebook)
        yield partial(print_text, kit, kit.rulebook)


def _write_kit(shares: Sequence[Printed], staged: Staged) -> None:
    """Write one kit beside the old one, whose place it takes."""
    for share in shares:
        for name, _, data in (*share.files, *share.rules):
            staged.write(name, data)
    staged.seal(__version__)


def _report(kit: Kit, folder: Path, shares: Sequence[Printed], plan: tuple[PlanRow, ...]) -> Report:
    """Tell what was made of a game: what is printed first, then the rulebook."""
    files = [file for share in shares for file in share.files]
    files += [file for share in shares for file in share.rules]
    made = tuple(Made(f"{folder.name}/{name}", pages, len(data)) for name, pages, data in files)
    warnings = tuple(dict.fromkeys(each for share in shares for each in share.warnings))
    new = len(kit.faces) - kit.recalled
    return Report(kit.game.id, folder, made, warnings, new, kit.recalled, plan=plan)


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
