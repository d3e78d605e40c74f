"""Make the pictures of the README and the manuals from real output: `make gallery`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import keys
import messages
from PIL import Image, ImageDraw, ImageFilter

from kitwright.jobs.images import picture_faces
from kitwright.load import find_workspace
from kitwright.pipeline import (
    STANDARD,
    BuildOptions,
    build_games,
    compose_kit,
    load_kit,
)
from kitwright.press.kit import Kit
from kitwright.write.png import Look, render_faces

DOCS = Path(__file__).parent
ROOT = DOCS.parent
TABLE = "#d9d4c7"
DPI = 150
SEGMENT = (
    "displays/display-123",
    "circuits/outer-swap-inductor-1",
    "circuits/roll-down-resistor-2",
    "displays/display-231",
)
# A device with a splitter and a joiner: a face, its column and its row.
DEVICE = (
    ("players/moon-hopper", 0, 0.5),
    ("special/s01", 1, 0.5),
    ("special/c01", 2, 0),
    ("special/c02", 2, 1),
    ("basic/basic-joiner", 3, 0.5),
    ("players/moon-packer", 4, 0.5),
)
SHOWN = {
    "hand-solo": (
        *("starports/ganymede", "starports/mars-back", "contacts/freighter-back"),
        *("contacts/pirate-2", "ships/shuttle", "upgrades/back"),
    ),
    "beltpunk-haberdasher": (
        *("gearbox/back", "gearbox/gears-1", "gearbox/steam-11", "gearbox/electricity-12"),
        *("gearbox/parts-13", "foreman/foreman"),
    ),
    "hardware-hustle": (
        *("sheet/sheet", "sample/sample", "roll-table/roll-table", "reference/reference-card"),
    ),
}
TALLEST = {"hardware-hustle": 900}  # pixels; elsewhere all are as tall as the smallest
EXAMPLE = re.compile(r"```yaml verb=([a-z]+)\n(.*?)```", re.DOTALL)


def faces_of(kit: Kit, names: tuple[str, ...], folder: Path) -> list[Image.Image]:
    """Rasterise some faces with rounded corners."""
    faces = [kit.faces[name] for name in names]
    targets = [folder / f"{index}.png" for index in range(len(faces))]
    look = Look(DPI, corner=3.0)
    render_faces(faces, targets, kit.materials.fonts, kit.pictures, look=look)
    return [Image.open(target).convert("RGBA") for target in targets]


def laid_out(rows: list[list[Image.Image]], gap: int, join: bool) -> Image.Image:
    """Lay pictures on a table; joined ones touch, as a segment does."""
    across = 0 if join else gap
    widths = [sum(i.width for i in row) + across * (len(row) - 1) for row in rows]
    width = max(widths) + 2 * gap
    height = sum(max(i.height for i in row) + gap for row in rows) + gap
    table = Image.new("RGBA", (width, height), TABLE)
    y = gap
    for row, long in zip(rows, widths, strict=True):
        x = (width - long) // 2
        for picture in row:
            shadow = Image.new("RGBA", table.size)
            box = (x + 2, y + 5, x + picture.width + 2, y + picture.height + 5)
            ImageDraw.Draw(shadow).rounded_rectangle(box, 16, (0, 0, 0, 90))
            table.alpha_composite(shadow.filter(ImageFilter.GaussianBlur(6)))
            x += picture.width + across
        x = (width - long) // 2
        for picture in row:
            table.alpha_composite(picture, (x, y))
            x += picture.width + across
        y += max(i.height for i in row) + gap
    return table.convert("RGB")


def save(picture: Image.Image, name: str, width: int) -> None:
    """Keep a picture at the width that a page shows it."""
    height = round(picture.height * width / picture.width)
    small = picture.resize((width, height), Image.Resampling.LANCZOS)
    (DOCS / name).parent.mkdir(exist_ok=True)
    small.save(DOCS / name, optimize=True)


def hard_wired(folder: Path) -> None:
    """Picture a segment, the decks and a sheet of Hard Wired."""
    workspace = find_workspace(ROOT)
    kit = compose_kit(load_kit(workspace, "hard-wired", None, STANDARD), STANDARD)
    save(laid_out([faces_of(kit, SEGMENT, folder)], 40, join=True), "segment.png", 1200)
    names = ("displays/back", "circuits/back", "aids/player-aid", "aids/back")
    known = tuple(name for name in names if name in kit.faces)
    thin = compose_kit(load_kit(workspace, "hard-wired", None, "low-ink"), "low-ink")
    dressed = faces_of(thin, (SEGMENT[0], SEGMENT[1]), folder)
    decks = [*faces_of(kit, known, folder), *dressed]
    save(laid_out([decks], 30, join=False), "hard-wired.png", 1200)


def devices(folder: Path) -> None:
    """Picture a device that is joined from cards, and some other faces of Devices."""
    workspace = find_workspace(ROOT)
    picture_faces(workspace, "devices", None, DEVICE, folder / "device.png", DPI)
    save(Image.open(folder / "device.png").convert("RGB"), "device.png", 1200)
    kit = compose_kit(load_kit(workspace, "devices", None, STANDARD), STANDARD)
    names = ("orders/o32", "special/j05", "basic/pause", "players/moon-manager", "special/back")
    thin = compose_kit(load_kit(workspace, "devices", None, "low-ink"), "low-ink")
    faces = [*faces_of(kit, names, folder), *faces_of(thin, ("special/s01",), folder)]
    save(laid_out([faces], 30, join=False), "devices.png", 1200)


def decks(game: str, folder: Path) -> None:
    """Picture some faces of a game in a row."""
    kit = compose_kit(load_kit(find_workspace(ROOT), game, None, STANDARD), STANDARD)
    faces = faces_of(kit, SHOWN[game], folder)
    height = TALLEST.get(game, min(face.height for face in faces))
    for face in faces:
        face.thumbnail((face.width, height))
    save(laid_out([faces], 30, join=False), f"{game}.png", 1200)


def sheets(folder: Path) -> None:
    """Picture four pages of the kit."""
    import pypdfium2

    options = BuildOptions(papers=("a4",))
    build_games(find_workspace(ROOT), ["hard-wired"], options, folder)
    pdf = pypdfium2.PdfDocument(folder / "hard-wired/kit-a4.pdf")
    pages = [pdf[i].render(scale=1.2).to_pil().convert("RGBA") for i in (0, 2, 22, 23)]
    save(laid_out([pages], 24, join=False), "sheets.png", 1200)
    pdf.close()


def verbs(folder: Path) -> None:
    """Picture each example of layouts/README.md."""
    text = (ROOT / "layouts/README.md").read_text(encoding="utf-8")
    for verb, example in EXAMPLE.findall(text):
        picture = draw_example(example, folder / verb)
        (DOCS / "verbs").mkdir(exist_ok=True)
        picture.save(DOCS / f"verbs/{verb}.png", optimize=True)


def draw_example(example: str, folder: Path) -> Image.Image:
    """Draw the boxes and draws of an example on a small card."""
    shutil.copytree(DOCS / "example", folder)
    card = folder / "layouts/example/card.yaml"
    card.write_text(f"layout: example/card\nbleed: 0mm\n{example}", encoding="utf-8")
    kit = compose_kit(load_kit(find_workspace(folder), "example", None, STANDARD), STANDARD)
    picture = faces_of(kit, ("cards/sample",), folder)[0]
    return laid_out([[picture]], 14, join=False)


def main() -> None:
    """Make every picture."""
    with TemporaryDirectory() as folder:
        keys.main()
        messages.main()
        hard_wired(Path(folder))
        devices(Path(folder))
        for game in SHOWN:
            decks(game, Path(folder))
        sheets(Path(folder, "kits"))
        verbs(Path(folder, "verbs"))
    sys.stdout.write("pictures are in docs/\n")


if __name__ == "__main__":
    main()
