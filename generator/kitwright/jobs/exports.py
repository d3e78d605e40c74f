"""A game goes to prototyping sites: compose with the bleed they want, plan, preflight, write.

Only what changed is drawn: an index beside the exports tells of which faces each file was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.pen import Makers
from kitwright.destinations import plan_export
from kitwright.destinations.pieces import Piece, PieceCard, Request
from kitwright.destinations.plan import Skipped
from kitwright.destinations.products import reach
from kitwright.jobs.shipping import Parcel, Sent, send
from kitwright.load import Workspace
from kitwright.load.destinations import load_destinations
from kitwright.model.destination import Destination
from kitwright.model.game import Deck
from kitwright.model.layouts import Layout
from kitwright.ops import Face
from kitwright.pipeline import (
    Progress,
    UnknownNameError,
    compose_kit,
    folder_name,
    gather,
    load_kit,
)
from kitwright.preflight.inspect import Origin, Preflight
from kitwright.press.kit import STANDARD, DeckFaces, Kit
from kitwright.problems import InvalidInputError, Problem, RequestError, did_you_mean
from kitwright.write.staging import check_output

ALL = "all"


class ExportOptions(Struct, frozen=True):
    """Where a game goes, and how."""

    to: tuple[str, ...]
    url_base: str | None = None  # file URLs when None
    sheet_pixels: int | None = None
    dpi: float | None = None
    bleed: bool = False
    skin: str = STANDARD
    variant: str | None = None
    strict: bool = False
    workers: int | None = None


class Looked(Struct, frozen=True):
    """A destination with the faults that its preflight found."""

    destination: Destination
    faces: int
    problems: tuple[Problem, ...]
    skipped: tuple[Skipped, ...]


class ExportReport(Struct, frozen=True):
    """What went where."""

    game: str
    folder: Path
    sent: tuple[Sent, ...]
    warnings: tuple[Problem, ...]


def preflight_game(
    workspace: Workspace, game_id: str, options: ExportOptions
) -> tuple[tuple[Looked, ...], tuple[Problem, ...]]:
    """Look at all that a game would send; return what was found, and the kit's warnings."""
    prepared = prepare_export(workspace, game_id, options, Path())
    return prepared.looked, prepared.kit.warnings


def export_game(
    workspace: Workspace,
    game_id: str,
    options: ExportOptions,
    output: Path,
    progress: Progress | None = None,
) -> ExportReport:
    """Write a game for some destinations; nothing is written unless the preflight is clean."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    prepared = prepare_export(workspace, game_id, options, output)
    faults = [problem for looked in prepared.looked for problem in looked.problems]
    if faults:
        raise InvalidInputError(faults)
    kit = prepared.kit
    if options.strict and kit.warnings:
        raise InvalidInputError(kit.warnings)
    folder = output / folder_name(kit.game, options.skin)
    sent = send(kit, prepared.faces, prepared.parcels, folder, sources, options.workers, progress)
    return ExportReport(game_id, folder / "export", sent, kit.warnings)


class Prepared(Struct, frozen=True):
    """A game composed for its destinations, planned and looked at."""

    kit: Kit
    faces: Mapping[str, Face]
    parcels: tuple[Parcel, ...]
    looked: tuple[Looked, ...]


def prepare_export(
    workspace: Workspace, game_id: str, options: ExportOptions, output: Path
) -> Prepared:
    """Compose a game with the bleed that its destinations want, plan its files, look at them."""
    destinations = destinations_called(workspace, options.to)
    _refuse_idle(destinations, options)
    kit = load_kit(workspace, game_id, options.variant, options.skin)
    bleeds = {deck.id: _layout(kit, deck.layout).bleed for deck in kit.game.decks}
    _widen(kit, max(_reach(destinations, deck) for deck in kit.game.decks))
    makers: Makers = {}
    kit.materials.makers = makers
    faces: dict[str, Face] = {}
    compose_kit(kit, options.skin, keep=lambda face: faces.update({face.id: face}))
    pieces = tuple(_piece(each, bleeds[each.deck.id]) for each in kit.decks)
    preflight = _preflight(kit, faces)
    parcels, looked = [], []
    folder = output.resolve() / folder_name(kit.game, options.skin) / "export"
    for destination in destinations:
        base = options.url_base or (folder / destination.name).as_uri()
        request = Request(
            kit.game.id,
            kit.game.title,
            pieces,
            base if base.endswith("/") else f"{base}/",
            options.dpi,
            options.bleed,
            options.sheet_pixels,
        )
        plan = plan_export(destination, request)
        problems = gather(preflight.inspect(destination, plan))
        parcels.append(Parcel(destination, plan))
        count = len(dict.fromkeys(face for face, _ in plan.seen()))
        looked.append(Looked(destination, count, tuple(problems), plan.skipped))
    return Prepared(kit, faces, tuple(parcels), tuple(looked))


def destinations_called(workspace: Workspace, names: Sequence[str]) -> list[Destination]:
    """Return the destinations of some names, or all; an unknown one is the command line's fault."""
    problems: list[Problem] = []
    known = load_destinations(workspace, problems)
    if problems:
        raise InvalidInputError(problems)
    if not names:
        raise UnknownNameError(f"--to names no destination; there are {', '.join(known)}")
    if ALL in names:
        return list(known.values())
    for name in names:
        if name not in known:
            hint = did_you_mean(name.lower(), known) or f"; there are {', '.join(known)}"
            raise UnknownNameError(f"there is no destination '{name}'{hint}")
    return [known[name] for name in dict.fromkeys(names)]


def _refuse_idle(destinations: Sequence[Destination], options: ExportOptions) -> None:
    """Refuse an option that no destination heeds."""
    rows = [destination.row for destination in destinations]
    heeded = {
        "--dpi": options.dpi is None or any(row.any_dpi for row in rows),
        "--bleed": not options.bleed or any(row.any_dpi for row in rows),
        "--url-base": options.url_base is None or any(row.kind == "tts" for row in rows),
        "--sheet-px": options.sheet_pixels is None or any(row.sheet is not None for row in rows),
    }
    names = ", ".join(destination.name for destination in destinations)
    for option, well in heeded.items():
        if not well:
            raise RequestError(f"{option} means nothing to {names}; leave it out")


def _layout(kit: Kit, name: str) -> Layout:
    layout = kit.materials.layouts(kit.theme.replace.get(name, name))
    assert layout is not None
    return layout


def _reach(destinations: Sequence[Destination], deck: Deck) -> float:
    size = deck.size
    piece = Piece(deck.id, deck.kind, deck.title, size.width, size.height, (), False)
    return reach([destination.row for destination in destinations], piece)


def _widen(kit: Kit, bleed: float) -> None:
    """Let every layout draw as much bleed as some destination wants."""
    read = kit.materials.layouts
    wide: dict[str, Layout | None] = {}

    def widened(name: str) -> Layout | None:
        if name not in wide:
            layout = read(name)
            if layout is not None and layout.bleed < bleed:
                layout = replace(layout, bleed=bleed)
            wide[name] = layout
        return wide[name]

    kit.materials.layouts = widened


def _piece(each: DeckFaces, bleed: float) -> Piece:
    deck = each.deck
    cards = tuple(
        PieceCard(
            sides.card.id,
            str(sides.card.fields.get("title") or ""),
            sides.card.copies,
            sides.front,
            sides.back,
        )
        for sides in each.cards
    )
    size, own = deck.size, each.own_backs
    about = (deck.id, deck.kind, deck.title, size.width, size.height)
    return Piece(*about, cards, own, bleed, deck.spot)


def _preflight(kit: Kit, faces: Mapping[str, Face]) -> Preflight:
    origins: dict[str, Origin] = {}
    for each in kit.decks:
        deck = each.deck
        for sides in each.cards:
            subject = (
                f"card '{sides.card.id}'" if deck.kind == "deck" else f"{deck.kind} '{deck.id}'"
            )
            origins[sides.front] = Origin(subject, deck.place, _layout(kit, deck.layout).place)
            if sides.back is not None and deck.back is not None:
                behind = f"back of {subject}" if each.own_backs else f"back of '{deck.id}'"
                origins[sides.back] = Origin(
                    f"the {behind}", deck.place, _layout(kit, deck.back).place
                )
    places = {each.deck.id: each.deck.place for each in kit.decks}
    return Preflight(faces, kit.faces, origins, places, kit.materials, kit.pictures, {})
