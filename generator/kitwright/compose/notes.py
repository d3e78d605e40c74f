"""Words on pages that Kitwright writes itself: lists and labels, in the shared theme.

Takes any text as it stands, card titles above all: nothing in it is markup, a character that
the font lacks becomes a question mark, and what is too long ends in dots. Knows no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from kitwright.compose.pen import Materials
from kitwright.compose.text import TextFault, set_text
from kitwright.model.geometry import rectangle
from kitwright.ops import Face, Fill, Op, Stroke, content_hash

Box = tuple[float, float, float, float]  # x, y, width, height
DOTS = "…"


class Notes:
    """Collects the ops of one page."""

    def __init__(self, materials: Materials) -> None:
        self.materials = materials
        self.ops: list[Op] = []

    def words(self, text: str, style: str, box: Box, **look: Any) -> float:
        """Set a text in a box, shortened if need be; return the height that it takes."""
        fonts = self.materials.fonts
        look = {key: self.color(value) if key == "color" else value for key, value in look.items()}
        dress = replace(self.materials.theme.styles[style], **look)
        shown = _plain(text, fonts.missing(dress.regular, text.replace("\n", " ")))
        while True:
            try:
                made = set_text(_escaped(shown), dress, box, fonts, _no_icon, "shrink")
            except TextFault:
                if len(shown) <= len(DOTS):
                    return 0.0
                shown = shown[: max(0, len(shown) * 9 // 10 - 1)].rstrip(" ,;.…") + DOTS
            else:
                self.ops.extend(made.ops)
                return made.height

    def fill(self, box: Box, color: str, corner: float = 0.0) -> None:
        """Fill a box."""
        self.ops.append(Fill(rectangle(*box, corner), self.color(color)))

    def frame(self, box: Box, color: str, width: float = 0.2, corner: float = 0.0) -> None:
        """Draw a line round a box."""
        self.ops.append(Stroke(rectangle(*box, corner), self.color(color), width))

    def line(self, points: Sequence[tuple[float, float]], color: str, width: float = 0.2) -> None:
        """Draw a line from point to point."""
        path = tuple(("L" if index else "M", x, y) for index, (x, y) in enumerate(points))
        self.ops.append(Stroke(path, self.color(color), width))

    def color(self, name: str) -> str:
        """Return a colour of the theme, or the colour itself."""
        return name if name.startswith("#") else self.materials.theme.colors[name]

    def face(self, face_id: str, width: float, height: float) -> Face:
        """Return the page as a face."""
        ops = tuple(self.ops)
        return Face(face_id, width, height, 0.0, ops, content_hash(ops, {}))


def _plain(text: str, missing: Sequence[str]) -> str:
    for char in missing:
        text = text.replace(char, "?")
    return text


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace(":", "\\:")


def _no_icon(name: str) -> None:
    return None
