"""The panels of a box, composed like any face; their layouts may show the faces of cards as icons.

A panel's face has its own top: how it lies on the net is for impose/.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kitwright.compose.faces import Composer
from kitwright.compose.pen import Icon, Materials
from kitwright.compose.shapes import UnknownColors, rectangle
from kitwright.model.box import FACE
from kitwright.model.geometry import scaling
from kitwright.ops import Face, Group, Symbol, Use, symbol_of
from kitwright.problems import InvalidInputError, Problem

CORNER = 3.0  # mm; cards are shown with rounded corners

Faces = Callable[[str], Face | None]  # without their ops: what encodes a panel has them


class PanelMaterials(Materials):
    """Materials whose icons may be the faces of cards."""

    faces: Faces = lambda name: None

    def icon(self, name: str, tint: str) -> Icon | UnknownColors | None:
        """Dress an icon; the face of a card keeps its colours."""
        if not name.startswith(FACE):
            return Materials.icon(self, name, tint)
        face = self.faces(name.removeprefix(FACE))
        return _shown(face) if face is not None else None


def _shown(face: Face) -> Icon:
    cut = rectangle(0.0, 0.0, face.width, face.height, CORNER)
    small = scaling(1 / face.height, 1 / face.height)
    card = (Group((Group((Use(symbol_of(face)),), clip=cut),), small),)
    aspect = face.width / face.height
    return Icon(Symbol(f"card-{face.hash}", card, (0.0, 0.0, aspect, 1.0)), aspect)


def compose_panel(
    layout_name: str,
    face_id: str,
    size: tuple[float, float],
    materials: PanelMaterials,
    context: Mapping[str, Any],
) -> Face:
    """Compose one panel; its faults are raised together."""
    problems: list[Problem] = []
    name = materials.theme.replace.get(layout_name, layout_name)
    layout = materials.layouts(name)
    if layout is None:
        raise InvalidInputError(problems)
    face = Composer(layout, *size, materials, context, problems).compose(face_id, None)
    faults = [problem for problem in (*problems, *materials.faults) if not problem.warning]
    if faults:
        raise InvalidInputError(faults)
    return face
