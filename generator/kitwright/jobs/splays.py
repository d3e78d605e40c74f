"""From the names of cards to a picture of them in the hand: finds the faces, lays them, renders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from kitwright import __version__
from kitwright.impose.splay import Splay, splay_face
from kitwright.load import Workspace
from kitwright.ops import Face
from kitwright.pipeline import (
    Made,
    Report,
    UnknownNameError,
    compose_kit,
    folder_name,
    load_kit,
)
from kitwright.press.kit import ImageOptions, Kit
from kitwright.problems import did_you_mean
from kitwright.write.encode import Encoder
from kitwright.write.staging import check_output, stage


class Held(Struct, frozen=True):
    """The names of the cards that are held; a `+` behind a name shows the card's back."""

    cards: tuple[str, ...]
    behind: str | None = None
    turned: tuple[str, ...] = ()


def export_splay(
    workspace: Workspace, game_id: str, held: Held, options: ImageOptions, output: Path
) -> Report:
    """Write output/<game>/images/splay.png."""
    from kitwright.write.png import Look, render_faces

    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    kit = load_kit(workspace, game_id, options.variant, options.skin)
    _refuse_unknown(kit, held)
    faces: dict[str, Face] = {}
    compose_kit(kit, options.skin, keep=lambda face: faces.update({face.id: face}))
    fonts, picture = kit.materials.fonts, splay_face(_splay(kit, faces, held), kit.decks[0].corner)
    folder = output / folder_name(kit.game, options.skin)
    with stage(folder, replaces=["images/splay.png"], sources=sources) as staged:
        target = staged.folder / "images" / "splay.png"
        encoded = Encoder(fonts).encode(picture)
        render_faces([encoded], [target], fonts, kit.pictures, look=Look(options.dpi), workers=1)
        staged.seal(__version__)
    made = Made(f"{folder.name}/images/splay.png", 1, 0)
    return Report(game_id, folder / "images", (made,), kit.warnings)


def _splay(kit: Kit, faces: dict[str, Face], held: Held) -> Splay:
    def of(names: Sequence[str]) -> tuple[Face, ...]:
        return tuple(faces[_face_name(kit, name)] for name in names)

    (behind,) = of([held.behind]) if held.behind is not None else (None,)
    return Splay(of(held.cards), behind, of(held.turned))


def _face_name(kit: Kit, name: str) -> str:
    sides = {side.card.id: side for deck in kit.decks for side in deck.cards}
    side = sides[name.removesuffix("+")]
    return side.back if name.endswith("+") and side.back is not None else side.front


def _refuse_unknown(kit: Kit, held: Held) -> None:
    backs = {card.id: deck.back for deck in kit.game.decks for card in deck.cards}
    for name in (*held.cards, *([held.behind] if held.behind else []), *held.turned):
        card = name.removesuffix("+")
        if card not in backs:
            raise UnknownNameError(f"{kit.game.id} has no card '{card}'{did_you_mean(card, backs)}")
        if name != card and backs[card] is None:
            raise UnknownNameError(f"card '{card}' has no back")
