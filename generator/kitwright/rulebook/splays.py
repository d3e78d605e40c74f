"""Cards in the hand as one picture for a figure; the splay itself is laid by impose/."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kitwright.impose.splay import Splay, splay_face
from kitwright.ops import Face, Use, symbol_of
from kitwright.rulebook.blocks import Shown


def hand_of(
    held: Sequence[Shown],
    behind: Shown | None,
    turned: Sequence[Shown],
    turned_left: Sequence[Shown],
) -> Shown:
    """Lay cards as a hand holds them, the top one first."""
    splay = Splay(
        tuple(map(_drawn_once, held)),
        _drawn_once(behind) if behind else None,
        tuple(map(_drawn_once, turned)),
        tuple(map(_drawn_once, turned_left)),
    )
    shown = (*held, *([behind] if behind else []), *turned, *turned_left)
    picture = splay_face(splay, held[0].corner, table=None)
    return Shown(picture, 0.0, of=tuple(card.face for card in shown))


def _drawn_once(card: Shown) -> Face:
    """Return a face that shows another by its symbol, which all figures share."""
    return replace(card.face, ops=(Use(symbol_of(card.face)),))
