"""Whether cards that lie side by side join: the pixels of their edges, where a game says they meet.

Renders the faces whose model names joints, in every skin; decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from kitwright.jobs.cues import skins_of
from kitwright.load import Workspace
from kitwright.model.game import Game
from kitwright.model.games import models_of
from kitwright.model.joints import Joint
from kitwright.model.record import freeze
from kitwright.pipeline import compose_kit, load_kit
from kitwright.write.png import Raster, raster

DPI = 150
FINE = 0.1  # mm between two looks along an edge
NEARBY = (0, -1, 1, -2, 2)  # looks by which two edges may be off, for pixels are not finer
CUTS = (-1.0, 0.0, 1.0)  # mm that a cut may be off
SAME = 40  # of 255: colours that differ less are the same
Strip = Mapping[int, tuple[int, ...]]


def with_joins(workspace: Workspace, game: Game) -> Game:
    """Return a game whose facts tell how the edges of its cards meet, as `joins`."""
    find = getattr(models_of(game.id), "joints", None)
    if find is None:
        return game
    joints: tuple[Joint, ...] = tuple(find(game))
    found = {
        skin: measure_joins(workspace, game, skin, joints) for skin in skins_of(workspace, game.id)
    }
    return replace(game, facts=freeze({**game.facts, "joins": found}))


def measure_joins(
    workspace: Workspace, game: Game, skin: str, joints: Iterable[Joint]
) -> dict[str, Any]:
    """Return how many joints there are, and those that look unlike the first at some cut."""
    wanted = tuple(joints)
    decks = sorted({joint.face.split("/")[0] for joint in wanted})
    kit = compose_kit(load_kit(workspace, game.id, game.variant, skin), skin, decks)
    images = {
        name: raster(kit.faces[name], kit.materials.fonts, kit.pictures, DPI, bleed=True)
        for name in dict.fromkeys(joint.face for joint in wanted)
    }
    bleeds = {name: kit.faces[name].bleed for name in images}
    return {"joints": len(wanted), "off": tuple(unlike(wanted, images, bleeds))}


def unlike(
    joints: tuple[Joint, ...], images: Mapping[str, Raster], bleeds: Mapping[str, float]
) -> Iterator[str]:
    """Yield the joints that do not show what the first one shows at the same height."""
    first = joints[0]
    sample = _strip(images[first.face], bleeds[first.face], first, 0.0)
    for joint in joints:
        strips = (_strip(images[joint.face], bleeds[joint.face], joint, cut) for cut in CUTS)
        if not all(_meets(strip, sample) for strip in strips):
            yield f"{joint.face} {joint.side} {joint.name}"


def _strip(image: Raster, bleed: float, joint: Joint, cut: float) -> Strip:
    """Return the colours along an edge by their distance from the middle of the joint."""
    pixels_mm = DPI / 25.4
    width = image.width / pixels_mm - 2 * bleed
    x = cut if joint.side == "left" else width + cut
    column = min(image.width - 1, int((x + bleed) * pixels_mm))
    found = {}
    for at in range(round(joint.low / FINE), round(joint.high / FINE) + 1):
        row = min(image.height - 1, int((joint.middle + at * FINE + bleed) * pixels_mm))
        start = 3 * (row * image.width + column)
        found[at] = tuple(image.pixels[start : start + 3])
    return found


def _meets(strip: Strip, sample: Strip) -> bool:
    """Tell whether each colour of a strip is what the other has there, or a mixture of it."""
    for at, color in strip.items():
        there = [sample[at + off] for off in NEARBY if at + off in sample]
        for channel, tone in enumerate(color):
            tones = [each[channel] for each in there]
            if not min(tones) - SAME < tone < max(tones) + SAME:
                return False
    return True
