"""Whether everyone can see a kit: checks of colours, contrast, type and ink in every skin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from kitwright.load import Workspace
from kitwright.ops import Face
from kitwright.pipeline import compose_kit, load_kit
from kitwright.press.kit import STANDARD, Kit
from kitwright.sight.eyes import LEAST, NORMAL
from kitwright.sight.looks import LEAST_CONTRAST, LEAST_TYPE, Apart, Looked, look_at

LOW_INK = "low-ink"


class Sight(Struct, frozen=True):
    """What a check found, in the words of all checks."""

    name: str
    level: str  # must, finding
    figure: float | str | dict[str, float]
    bound: str
    ok: bool
    about: str


def skins_of(workspace: Workspace, game_id: str) -> tuple[str, ...]:
    """Return the skins of a game, the standard one first."""
    folders = [base / game_id / "skins" for base in workspace.layouts]
    others = sorted({path.stem for folder in folders for path in folder.glob("*.yaml")})
    return (STANDARD, *others)


def dressed(
    workspace: Workspace, game_id: str, variant: str | None, skin: str
) -> tuple[Kit, dict[str, Face]]:
    """Compose a game in a skin; return it with the ops of its faces."""
    faces: dict[str, Face] = {}
    kit = load_kit(workspace, game_id, variant, skin)
    compose_kit(kit, skin, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


def look_at_skins(workspace: Workspace, game_id: str, variant: str | None) -> tuple[Looked, ...]:
    """Look at a game in each of its skins."""
    looks = []
    for skin in skins_of(workspace, game_id):
        kit, faces = dressed(workspace, game_id, variant, skin)
        looks.append(look_at(kit, faces, skin))
    return tuple(looks)


def sight_checks(workspace: Workspace, game_id: str, variant: str | None) -> tuple[Sight, ...]:
    """Check how a game is seen, in each of its skins."""
    return tuple(checks_of(look_at_skins(workspace, game_id, variant)))


def checks_of(looks: Sequence[Looked]) -> Iterator[Sight]:
    """Say what was seen as checks."""
    for look in looks:
        for apart in look.apart:
            yield _apart(look.skin, apart)
        if look.worst is not None:
            yield _contrast(look)
            yield _type(look)
    for look in looks:
        yield _ink(look, looks[0])


def _apart(skin: str, apart: Apart) -> Sight:
    least = {way: round(value, 1) for way, value in apart.least.items()}
    way = min(least, key=lambda each: least[each])
    one, other = apart.pairs[way]
    where = "" if way == NORMAL else f" in {way}"
    about = f"{one} and {other} are {least[way]:g} apart{where}"
    about += f"; also told apart by {apart.told.cue}" if apart.told.cue else "; no second cue"
    bound = f">= {LEAST:g}, or a cue"
    return Sight(f"{skin}: {apart.name} told apart", "must", least, bound, apart.ok, about)


def _contrast(look: Looked) -> Sight:
    worst = look.worst
    assert worst is not None
    ratio, word = round(worst.ratio, 2), worst.letters
    text = word.text if len(word.text) <= 24 else word.text[:23] + "…"
    about = (
        f"'{text}' ({word.color}, style '{word.style}') in {worst.face} has {ratio:g}:1; "
        f"drawn at {worst.file}:{worst.line}"
    )
    bound = f">= {LEAST_CONTRAST:g}"
    return Sight(
        f"{look.skin}: contrast of text", "must", ratio, bound, ratio >= LEAST_CONTRAST, about
    )


def _type(look: Looked) -> Sight:
    sizes = sorted((round(size, 1), style) for style, size in look.types.items())
    about = ", ".join(f"{style} {size:g}" for size, style in sizes)
    smallest = sizes[0][0]
    return Sight(
        f"{look.skin}: smallest type", "must", smallest, f">= {LEAST_TYPE:g} pt",
        smallest >= LEAST_TYPE, f"in points, by style: {about}",
    )  # fmt: skip


def _ink(look: Looked, standard: Looked) -> Sight:
    """Say how much ink a skin takes; one that is called low-ink must take less than half."""
    about = "share of the paper covered, estimated from pixels; backs and copies count"
    if look is standard:
        return Sight(
            f"{look.skin}: ink", "finding", _percent(look.ink), "< 75 %", look.ink < 0.75, about
        )
    figure = f"{_percent(standard.ink)} -> {_percent(look.ink)}"
    most = standard.ink / 2 if look.skin == LOW_INK and standard.ink > 0.2 else 0.75
    return Sight(
        f"{look.skin}: ink", "finding", figure, f"< {_percent(most)}", look.ink < most, about
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
