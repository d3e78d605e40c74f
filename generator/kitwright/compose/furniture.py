"""What is printed round the cards: footers and the advice page, composed like any face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitwright.compose.faces import Composer
from kitwright.compose.pen import Materials
from kitwright.model.game import Game
from kitwright.ops import Face, Op, content_hash
from kitwright.problems import InvalidInputError, Problem

ADVICE, FOOTER = "shared/advice", "shared/footer"
BOX_NOTE, GLUE = "shared/box-note", "shared/box-glue"


class Furniture:
    """Composes the pages' own words in the shared theme."""

    def __init__(self, game: Game, materials: Materials) -> None:
        self.context = {"game": game.as_context()}
        self.materials = materials

    def advice(self, face_id: str, width: float, height: float, sheet: Mapping[str, Any]) -> Face:
        """Compose the first page of a kit."""
        return self._compose(ADVICE, face_id, width, height, sheet)

    def footer(self, face_id: str, width: float, height: float, line: str) -> Face:
        """Compose the line at the foot of a sheet."""
        return self._compose(FOOTER, face_id, width, height, {"line": line})

    def box_note(self, face_id: str, width: float, height: float, sheet: Mapping[str, Any]) -> Face:
        """Compose the words beside the net of a box."""
        return self._compose(BOX_NOTE, face_id, width, height, sheet)

    def glue(self, face_id: str, width: float, height: float) -> Face:
        """Compose what stands on a flap that takes glue."""
        return self._compose(GLUE, face_id, width, height, {"upright": height > width})

    def _compose(
        self, name: str, face_id: str, width: float, height: float, sheet: Mapping[str, Any]
    ) -> Face:
        problems: list[Problem] = []
        layout = self.materials.layouts(name)
        if layout is None:
            raise InvalidInputError(problems)
        context = {**self.context, "sheet": sheet}
        composer = Composer(layout, width, height, self.materials, context, problems)
        face = composer.compose(face_id, None)
        if problems:
            raise InvalidInputError(problems)
        return face


def plain_face(face_id: str, width: float, height: float, ops: tuple[Op, ...]) -> Face:
    """Make a face of finished ops, such as the marks of a sheet."""
    return Face(face_id, width, height, 0.0, ops, content_hash(ops, {}))
