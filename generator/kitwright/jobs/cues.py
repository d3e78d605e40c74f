"""What still tells icons apart when their colours are gone: their shapes, as they print in grey.

Renders the icons that a game's model names as cues, in every skin; decides nothing. An icon is
painted in a family of colours, such as red, red-light, red-dark, and bears its sign in red-mark.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from statistics import fmean
from typing import Any

from msgspec.structs import replace

from kitwright.compose.shapes import icon_symbol
from kitwright.fonts import Fonts
from kitwright.load import Workspace
from kitwright.model.game import Game
from kitwright.model.games import models_of
from kitwright.model.geometry import multiply, scaling, translation
from kitwright.model.record import freeze
from kitwright.model.svg import Svg
from kitwright.ops import Face, Group, Symbol, Use, content_hash
from kitwright.pipeline import STANDARD, load_kit
from kitwright.write.encode import Encoder
from kitwright.write.png import raster

SIZE = 7.0  # mm; icons on cards are larger
MARGIN = 0.5
DPI = 300
STEP = 64  # of 255: grey that differs so much is another grey
NEAR = 2  # pixels round a sign that it must stand out from
MARK = "-mark"
COMMON = {"": "#b0b0b0", "-light": "#d8d8d8", "-dark": "#888888", MARK: "#000000"}
Colors = Mapping[str, str]
Grey = dict[tuple[int, int], int]  # tones from 0 to 255 by pixel


def with_cues(workspace: Workspace, game: Game) -> Game:
    """Return a game whose facts tell what its icons are without colour, as `cues`."""
    cues = measure_cues(workspace, game.id, game.variant)
    return replace(game, facts=freeze({**game.facts, "cues": cues})) if cues else game


def measure_cues(workspace: Workspace, game_id: str, variant: str | None) -> dict[str, Any]:
    """Return for every skin and set of icons what is left of them without colour.

    `differs` is the least area, in square millimetres, in which two icons differ that are painted
    alike; `stands_out` the least step of grey, of 255, between a sign and what is round it.
    """
    sets: Mapping[str, Mapping[str, str]] = getattr(models_of(game_id), "CUES", {})
    found: dict[str, Any] = {}
    for skin in skins_of(workspace, game_id) if sets else ():
        made = load_kit(workspace, game_id, variant, skin).materials
        for name, icons in sets.items():
            drawn = {icon: (made.icons[icon], family) for icon, family in icons.items()}
            found.setdefault(skin, {})[name] = {
                **most_alike(drawn, made.theme.colors, made.fonts),
                **faintest(drawn, made.theme.colors, made.fonts),
            }
    return found


def skins_of(workspace: Workspace, game_id: str) -> tuple[str, ...]:
    """Return the names of a game's skins, the standard one first."""
    folders = [base / game_id / "skins" for base in workspace.layouts]
    return STANDARD, *sorted({path.stem for each in folders for path in each.glob("*.yaml")})


def most_alike(
    icons: Mapping[str, tuple[Svg, str]], colors: Colors, fonts: Fonts
) -> dict[str, Any]:
    """Paint all icons alike; return the two that differ least, and in how much area."""
    painted = {
        name: grey(svg, {**colors, **{family + end: tone for end, tone in COMMON.items()}}, fonts)
        for name, (svg, family) in icons.items()
    }
    pixel = (25.4 / DPI) ** 2
    pairs = {
        pair: sum(
            abs(tone - painted[pair[1]].get(at, 255)) >= STEP
            for at, tone in painted[pair[0]].items()
        )
        for pair in combinations(icons, 2)
    }
    least = min(pairs, key=lambda pair: pairs[pair])
    return {"pair": least, "differs": round(pairs[least] * pixel, 2)}


def faintest(icons: Mapping[str, tuple[Svg, str]], colors: Colors, fonts: Fonts) -> dict[str, Any]:
    """Return the icon whose sign stands out least from its ground in grey, and by how much."""
    steps = {
        name: _step(grey(svg, colors, fonts), grey(svg, _stencil(colors, family), fonts))
        for name, (svg, family) in icons.items()
    }
    least = min(steps, key=lambda name: steps[name])
    return {"faintest": least, "stands_out": round(steps[least])}


def _stencil(colors: Colors, family: str) -> Colors:
    return {name: "#000000" if name == family + MARK else "#ffffff" for name in colors}


def _step(tones: Grey, stencil: Grey) -> float:
    """Return how far the mean grey of a sign is from that of the pixels round it."""
    sign = {at for at, tone in stencil.items() if tone < 64}
    near = range(-NEAR, NEAR + 1)
    ring = {(x + dx, y + dy) for x, y in sign for dx in near for dy in near} - {
        at for at, tone in stencil.items() if tone < 192
    }
    if not sign or not ring:
        return 0.0
    return abs(fmean(tones[at] for at in sign) - fmean(tones[at] for at in ring))


def grey(svg: Svg, colors: Colors, fonts: Fonts) -> Grey:
    """Render one icon as it prints in grey."""
    symbol = icon_symbol(svg, "#000000", colors)
    assert isinstance(symbol, Symbol)  # the kit was composed with these colours
    _, _, w, h = svg.view
    place = multiply(translation(MARGIN, MARGIN), scaling(SIZE, SIZE))
    ops = (Group((Use(symbol),), place),)
    name = content_hash(ops, {})
    face = Face(name, SIZE * w / h + 2 * MARGIN, SIZE + 2 * MARGIN, 0.0, ops, name)
    image = raster(Encoder(fonts).encode(face), fonts, {}, DPI)
    data = image.pixels
    return {
        (at % image.width, at // image.width): (
            299 * data[3 * at] + 587 * data[3 * at + 1] + 114 * data[3 * at + 2]
        )
        // 1000
        for at in range(image.width * image.height)
    }
