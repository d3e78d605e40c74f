"""The whole preflight of a plan: every face that a destination gets, through every check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from kitwright.compose.pen import Materials
from kitwright.destinations.plan import Grid, Plan, View
from kitwright.model.destination import Destination
from kitwright.ops import Face
from kitwright.preflight.checks import CHECKS, Seen, look_at
from kitwright.preflight.edges import bare_sides, is_covered
from kitwright.preflight.leaves import Leaf
from kitwright.problems import Place, Problem
from kitwright.write.encoded import EncodedFace
from kitwright.write.pictures import PictureData
from kitwright.write.views import Window


class Origin(Struct, frozen=True):
    """Which card a face belongs to, and where its deck and its layout stand."""

    subject: str  # "card 'urchin-garden'"
    deck: Place
    layout: Place


class Preflight(Struct):
    """Looks at the faces of one kit; what it takes apart once serves all destinations."""

    faces: Mapping[str, Face]
    encoded: Mapping[str, EncodedFace]
    origins: Mapping[str, Origin]
    pieces: Mapping[str, Place]
    materials: Materials
    pictures: Mapping[str, PictureData]
    apart: dict[str, tuple[Leaf, ...]]

    def inspect(self, destination: Destination, plan: Plan) -> list[Problem]:
        """Return every fault of a plan, in the order of its faces."""
        found = [
            Problem(self.pieces[excess.piece], "too-many-cards", excess.reason)
            for excess in plan.excess
        ]
        found += [p for grid in plan.grids for p in self._grid(destination, grid)]
        seen = [self._seen(face, view, destination) for face, view in dict.fromkeys(plan.seen())]
        for each in seen:
            for check in CHECKS:
                found += check(each, self.materials)
        found += self._bleed(seen)
        return list(dict.fromkeys(found))

    def _seen(self, name: str, view: View, destination: Destination) -> Seen:
        face, origin = self.faces[name], self.origins[name]
        if name not in self.apart:
            self.apart[name] = look_at(face, self.materials)
        return Seen(face, view, destination, origin.subject, origin.deck, self.apart[name])

    def _grid(self, destination: Destination, grid: Grid) -> Iterable[Problem]:
        row = destination.row
        if max(grid.pixels) > row.most_pixels:
            wide, high = grid.pixels
            most = f"{row.title} takes at most {row.most_pixels} a side"
            text = f"the sheet is {wide} x {high} pixels; {most}"
            yield Problem(self.pieces[grid.piece], "too-many-pixels", text)

    def _bleed(self, seen: Iterable[Seen]) -> Iterable[Problem]:
        """Draw the faces whose ground does not surely cover the bleed, and look at their rims."""
        looked = []
        for each in seen:
            window = upright(each.view)
            if each.view.cut and not is_covered(each.face, window):
                looked.append((each, window))
        faces = [self.encoded[each.face.id] for each, _ in looked]
        windows = [window for _, window in looked]
        bare = bare_sides(faces, windows, self.materials.fonts, self.pictures)
        for (each, _), sides in zip(looked, bare, strict=True):
            if sides:
                told = " and ".join(f"{side.length:.1f}mm at the {side.side}" for side in sides)
                text = f"the bleed is not filled: {told}; {each.site} would cut a white edge"
                place = self.origins[each.face.id].layout
                yield Problem(place, "white-edge", f"{each.subject}: {text}")


def upright(view: View) -> Window:
    """Return a view as the writer sees it, the face not turned."""
    wide, high = view.pixels[::-1] if view.turned else view.pixels
    return Window(view.left, view.top, view.width, view.height, (wide, high))
