"""What a game publishes: its rulebook by itself, and a zip for a print-and-play page."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from kitwright import __version__
from kitwright.fonts import SHIPPED
from kitwright.load import Workspace
from kitwright.model.game import Game
from kitwright.pipeline import (
    BuildOptions,
    Made,
    Progress,
    Report,
    build_games,
    folder_name,
    load_kit,
    papers_called,
    prepare,
)
from kitwright.problems import InvalidInputError, Place, Problem
from kitwright.write.archive import zip_bytes
from kitwright.write.staging import check_output, stage

PACKED = ("kit-*.pdf", "rulebook-*.pdf", "rulebook.html")
_README = """\
{title}
{line}
{tagline}
{facts}

FILES
{files}

HOW TO PRINT
Choose the files for your paper. Print at 100 % or "actual size", never "fit to page".
kit-<paper>.pdf holds the whole kit: an advice page with a ruler to check the scale, the
rules, then every sheet of cards. Print it on both sides and choose "flip on long edge".
rulebook-booklet-<paper>.pdf is printed on both sides with "flip on short edge"; fold the
stack in the middle and staple it there.
Card stock of 200 to 300 g feels right; plain paper is fine in sleeves.

CREDITS AND LICENCE
Designed by {designers}.
{source}
{licence}
{fonts}
Made with Kitwright {version}.
"""


def pack_game(
    workspace: Workspace,
    game_id: str,
    options: BuildOptions,
    output: Path,
    progress: Progress | None = None,
) -> Report:
    """Build a game and put what a print-and-play page offers into one zip file."""
    (built,) = build_games(workspace, [game_id], options, output, progress)
    kit = load_kit(workspace, game_id, options.variant, options.skin)
    made = [file for file in built.files if _is_packed(Path(file.path).name)]
    name = f"{built.folder.name}.zip"
    files = {Path(file.path).name: (output / file.path).read_bytes() for file in made}
    files["README.txt"] = readme(kit.game, made, kit.materials.fonts.names).encode()
    inside = {f"{built.folder.name}/{key}": data for key, data in files.items()}
    data = zip_bytes(inside)
    sources = [workspace.components, *workspace.layouts]
    with stage(built.folder, sources=sources) as staged:
        (staged.folder / name).write_bytes(data)
        staged.seal(__version__)
    packed = Made(f"{built.folder.name}/{name}", len(inside), len(data))
    return Report(game_id, built.folder, (packed,), built.warnings)


def _pages(file: Made) -> str:
    return f"{file.pages:>4} pages" if file.path.endswith(".pdf") else ""


def _is_packed(name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in PACKED)


def readme(game: Game, files: Iterable[Made], fonts: Iterable[str]) -> str:
    """Return what the zip says of itself."""
    title = game.title + (f" (variant {game.variant})" if game.variant else "")
    low, high = game.players
    players = f"{low} to {high} players" if high > low else f"{low} player{'s' * (low != 1)}"
    facts = f"{players}, {game.minutes[0]} to {game.minutes[1]} minutes, age {game.age} and up"
    known = (SHIPPED[name] for name in fonts if name in SHIPPED)
    families = sorted({f"{font.family} ({font.licence})" for font in known})
    listed = (f"{Path(file.path).name:<32}{_pages(file)}".rstrip() for file in files)
    return _README.format(
        title=title,
        line="=" * len(title),
        tagline=game.tagline,
        facts=facts,
        files="\n".join(listed),
        designers=", ".join(game.credit.designers),
        source=game.credit.source,
        licence=game.credit.licence,
        fonts=f"Fonts: {', '.join(families)}.",
        version=__version__,
    )


def export_rulebook(
    workspace: Workspace, game_id: str, options: BuildOptions, output: Path
) -> Report:
    """Write the rulebook of a game as PDF, booklet, HTML and Markdown."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    papers = papers_called(workspace, options.papers)
    kit = prepare(workspace, game_id, options)
    if kit.rulebook is None:
        place = Place(workspace.show(workspace.components / game_id / "rules.md"))
        said = "the game has no rules.md; expected one, which begins with '# ' and its title"
        raise InvalidInputError([Problem(place, "missing-file", said)])
    files = tuple(kit.rulebook.files(papers))
    folder = output / folder_name(kit.game, options.skin)
    made = []
    with stage(folder, replaces=["rulebook/*"], sources=sources) as staged:
        for name, pages, data in files:
            target = staged.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            made.append(Made(f"{folder.name}/{name}", pages, len(data)))
        staged.seal(__version__)
    return Report(game_id, folder, tuple(made), kit.warnings)
