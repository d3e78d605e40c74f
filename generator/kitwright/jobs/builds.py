"""A build that does only what is new: a kit that stands is told, the rest goes to the pipeline.

Imports nothing that draws: the pipeline is loaded when a kit has to be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from msgspec.structs import fields

import kitwright
from kitwright.cache.records import Standing
from kitwright.cache.stock import Stock, program_hash
from kitwright.cache.store import Store
from kitwright.load.workspace import Workspace
from kitwright.options import BuildOptions, Progress, Report
from kitwright.write.staging import check_output

_UNSEEN = {"workers"}  # options that change no byte


def build_kits(
    workspace: Workspace,
    games: Sequence[str],
    options: BuildOptions,
    output: Path,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> list[Report]:
    """Build the games that are not as they were; `cache` is the folder to remember them in."""
    if cache is None:
        from kitwright.pipeline import build_games

        return build_games(workspace, games, options, output, progress)
    check_output(output, [workspace.components, *workspace.layouts])
    store = Store(cache)
    stock = Stock(store)
    standing = Standing(store, stock, output)
    program = program_key(stock)
    dress = dress_key(workspace, stock, program)
    keys = {game: game_key(workspace, game, options, stock, dress) for game in games}
    reports = {game: standing.find(keys[game]) for game in games}
    missing = [game for game in games if reports[game] is None]
    if missing:
        from kitwright.cache.drawn import Drawn
        from kitwright.pipeline import build_games

        drawn = Drawn(store, dress, program)
        made = build_games(workspace, missing, options, output, progress, drawn)
        reports.update(zip(missing, made, strict=True))
        # What was saved while the build ran may have come too late for it, or just in time.
        after = stock.again()
        now = dress_key(workspace, after, program_key(after))
        if now != dress:
            store.forget()
        for game, new in zip(missing, made, strict=True):
            if game_key(workspace, game, options, after, now) == keys[game]:
                standing.note(keys[game], new, drawn.fonts[game])
    stock.keep()
    store.flush()
    return [report for report in reports.values() if report is not None]


def program_key(stock: Stock) -> str:
    """Hash Kitwright itself."""
    return program_hash(stock, Path(kitwright.__file__).resolve().parent)


def dress_key(workspace: Workspace, stock: Stock, program: str) -> str:
    """Hash Kitwright itself and all that is in layouts/: what the kits of all games share."""
    layouts = [(f"layouts {index}", base) for index, base in enumerate(workspace.layouts)]
    return _joined(program, str(workspace.root), stock.hash_folders(layouts))


def game_key(
    workspace: Workspace, game: str, options: BuildOptions, stock: Stock, dress: str
) -> str:
    """Hash everything that a kit is made of but the fonts outside the workspace."""
    asked = [
        f"{field.name}={getattr(options, field.name)!r}"
        for field in fields(options)
        if field.name not in _UNSEEN
    ]
    own = stock.hash_folders([(game, workspace.components / game)])
    return _joined(dress, game, own, *asked)


def _joined(*parts: str) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=20).hexdigest()
