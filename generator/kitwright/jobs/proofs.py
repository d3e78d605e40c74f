"""A proof of a game: all faces as other eyes see them, and the figures of the checks."""

from __future__ import annotations

from pathlib import Path

from kitwright import __version__
from kitwright.jobs.sights import dressed, look_at_skins
from kitwright.load import Workspace
from kitwright.pipeline import Made, Report, folder_name
from kitwright.sight.contact import contact_sheet
from kitwright.sight.eyes import NORMAL, STEPS, WAYS, table
from kitwright.sight.looks import Looked
from kitwright.sight.proof_html import proof_page
from kitwright.write.encode import Encoder
from kitwright.write.png import raster
from kitwright.write.staging import check_output, stage
from kitwright.write.tints import tinted_png

FOLDER = "proof"


def write_proof(
    workspace: Workspace, game_id: str, variant: str | None, skin: str, dpi: float, output: Path
) -> tuple[Report, tuple[Looked, ...]]:
    """Write the contact sheets of a game in one skin, and the page of figures beside them."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    looks = look_at_skins(workspace, game_id, variant)
    kit, faces = dressed(workspace, game_id, variant, skin)
    shown = next(look for look in looks if look.skin == skin)
    sheet = contact_sheet(faces.values(), kit.shared, f"{kit.game.title}, {skin}")
    fonts = kit.materials.fonts
    pixels = raster(Encoder(fonts).encode(sheet), fonts, kit.pictures, dpi)
    files = {f"{NORMAL}.png": tinted_png(pixels, STEPS, None)}
    for way in WAYS:
        files[f"{way}.png"] = tinted_png(pixels, STEPS, table(way))
    page = proof_page(kit.game.title, looks, shown, tuple(files))
    files["proof.html"] = page.encode()
    folder = output / folder_name(kit.game, skin)
    with stage(folder, replaces=[f"{FOLDER}/*"], sources=sources) as staged:
        target = staged.folder / FOLDER
        target.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (target / name).write_bytes(data)
        staged.seal(__version__)
    made = tuple(Made(f"{folder.name}/{FOLDER}/{n}", 1, len(d)) for n, d in files.items())
    return Report(game_id, folder / FOLDER, made, kit.warnings), looks
