"""Faces as images: the PNG files of a game, and pictures of cards that lie side by side."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from kitwright import __version__
from kitwright.impose.table import lay_faces
from kitwright.load import Workspace
from kitwright.ops import Face
from kitwright.pipeline import Made, Progress, Report, compose_kit, folder_name, load_kit, prepare
from kitwright.press.kit import STANDARD, ImageOptions, Kit
from kitwright.write.encode import Encoder
from kitwright.write.png import Look, render_faces
from kitwright.write.staging import check_output, stage


def export_images(
    workspace: Workspace,
    game_id: str,
    options: ImageOptions,
    output: Path,
    progress: Progress | None = None,
) -> Report:
    """Rasterise the faces of a game into output/<game>/images."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    kit = prepare(workspace, game_id, options)
    folder = output / folder_name(kit.game, options.skin)
    chosen = {deck.deck.id for deck in kit.decks}
    replaces = [f"images/{name}/*" for name in chosen] + ["images/cards.csv"]
    with stage(folder, replaces=replaces, sources=sources) as staged:
        root = staged.folder / "images"
        done = [0]

        def told(more: int) -> None:
            done[0] += more
            if progress is not None:
                progress(done[0], len(kit.faces))

        for deck in kit.decks:
            names = dict.fromkeys(n for s in deck.cards for n in (s.front, s.back) if n)
            faces = [kit.faces[name] for name in names]
            targets = [root / f"{name}.png" for name in names]
            look = Look(options.dpi, options.bleed, deck.corner if options.rounded else 0.0)
            fonts = kit.materials.fonts
            render_faces(
                faces, targets, fonts, kit.pictures,
                look=look, workers=options.workers, progress=told,
            )  # fmt: skip
        (root / "cards.csv").write_text(_card_list(kit), encoding="utf-8", newline="")
        staged.seal(__version__)
    made = tuple(Made(f"{folder.name}/images/{name}.png", 1, 0) for name in kit.faces)
    return Report(game_id, folder / "images", made, kit.warnings)


def _card_list(kit: Kit) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["deck", "card", "title", "copies", "front", "back", "hash"])
    for deck in kit.decks:
        for sides in deck.cards:
            title = str(sides.card.fields.get("title") or "")
            back = f"{sides.back}.png" if sides.back else ""
            mark = kit.faces[sides.front].hash
            row = [deck.deck.id, sides.card.id, title, sides.card.copies]
            writer.writerow([*row, f"{sides.front}.png", back, mark])
    return out.getvalue()


def picture_faces(
    workspace: Workspace,
    game_id: str,
    variant: str | None,
    spots: Sequence[tuple[str, float, float]],
    target: Path,
    dpi: float = 150,
) -> None:
    """Draw faces side by side into one PNG; a spot is a face, its column and its row."""
    kept: dict[str, Face] = {}
    kit = load_kit(workspace, game_id, variant, STANDARD)
    decks = list(dict.fromkeys(name.partition("/")[0] for name, _, _ in spots))
    compose_kit(kit, STANDARD, decks, lambda face: kept.update({face.id: face}))
    table = lay_faces([(kept[name], column, row) for name, column, row in spots])
    encoded = Encoder(kit.materials.fonts).encode(table)
    fonts = kit.materials.fonts
    render_faces([encoded], [target], fonts, kit.pictures, look=Look(dpi), workers=1)
