"""The checks of a preflight: each looks at one face as a site will see it and tells its faults.

A fault names the card and the draw that made it, at its place in the layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from kitwright.compose.pen import Materials
from kitwright.destinations.plan import MM_AN_INCH, View
from kitwright.model.destination import Destination, TypeRow
from kitwright.model.layouts import Draw
from kitwright.ops import Face, Picture, Use, Word
from kitwright.preflight.leaves import Leaf, colors, leaves
from kitwright.problems import Place, Problem
from kitwright.write.press import inks_of

SLACK = 0.03  # mm, points, shares: less is rounding
STYLES = ("style", "header_style")


class Seen(Struct, frozen=True):
    """A face as a destination sees it."""

    face: Face
    view: View
    destination: Destination
    subject: str  # "card 'urchin-garden'"
    place: Place  # of its deck
    leaves: tuple[Leaf, ...]

    @property
    def site(self) -> str:
        """The name of the site, for messages."""
        return self.destination.row.title

    def fault(self, draw: Draw | None, code: str, text: str) -> Problem:
        """Make a fault at a draw, or at the deck where no draw is to blame."""
        place = draw.place if draw is not None else self.place
        return Problem(place, code, f"{self.subject}: {text}")


def check_pixels(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find images that are larger than a site takes."""
    most = seen.destination.row.most_pixels
    wide, high = seen.view.pixels
    if max(wide, high) > most:
        text = f"the image is {wide} x {high} pixels; {seen.site} takes at most {most} a side"
        yield seen.fault(None, "too-many-pixels", text)


def check_resolution(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find images, and pictures in them, that will look blurred."""
    least = seen.destination.row.least_dpi
    if seen.view.dpi < least - 1:
        text = f"the image has {seen.view.dpi:.0f} dpi; {seen.site} wants {least:g} or more"
        yield seen.fault(None, "low-resolution", text)
    for leaf in seen.leaves:
        if isinstance(leaf.op, Picture) and leaf.op.asset in materials.pictures:
            info = materials.pictures[leaf.op.asset]
            dpi = MM_AN_INCH * info.width_px / (leaf.op.w * leaf.scale)
            if dpi < least - 1:
                text = f"the picture has {dpi:.0f} dpi; {seen.site} wants {least:g} or more"
                yield seen.fault(leaf.draw, "low-resolution", text)


def check_safe(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find words, icons and pictures that come too close to the cut."""
    safe = seen.destination.row.safe
    if not seen.view.cut or not safe:
        return
    nearest: dict[Place, tuple[float, Leaf]] = {}
    for leaf in seen.leaves:
        if leaf.draw is None or leaf.edge or not _matters(leaf):
            continue
        room = _room(seen.face, leaf, materials)
        if room < safe - SLACK:
            known = nearest.get(leaf.draw.place)
            if known is None or room < known[0]:
                nearest[leaf.draw.place] = room, leaf
    for room, leaf in nearest.values():
        what = _called(leaf)
        where = f"is {room:.2f}mm from" if room >= 0 else f"goes {-room:.2f}mm beyond"
        text = f"{what} {where} the cut; {seen.site} wants {safe:.2f}mm, or edge: true"
        yield seen.fault(leaf.draw, "outside-safe", text)


def _matters(leaf: Leaf) -> bool:
    return isinstance(leaf.op, Word | Use | Picture)


def _room(face: Face, leaf: Leaf, materials: Materials) -> float:
    """Return how far a mark is from the nearest cut; a ground that fills the face is far."""
    left, top, right, bottom = leaf.box(materials.fonts)
    sides = (left, top, face.width - right, face.height - bottom)
    if all(side <= SLACK for side in sides) or right <= left or bottom <= top:
        return face.width
    return min(sides)


def _called(leaf: Leaf) -> str:
    if isinstance(leaf.op, Word):
        return f"the text '{leaf.op.text}'"
    return "the picture" if isinstance(leaf.op, Picture) else "the icon"


def check_type(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find type that is too small to be printed well."""
    wanted = seen.destination.row.type
    if wanted is None:
        return
    smallest: dict[Place, tuple[float, float, Leaf]] = {}
    for leaf in seen.leaves:
        if not isinstance(leaf.op, Word) or leaf.draw is None:
            continue
        size, least = leaf.op.size_pt * leaf.scale, _least(leaf.draw, materials, wanted)
        known = smallest.get(leaf.draw.place)
        if size < least - SLACK and (known is None or size < known[0]):
            smallest[leaf.draw.place] = size, least, leaf
    for size, least, leaf in smallest.values():
        what = f"{_called(leaf)} is set in {size:.2f}pt"
        text = f"{what}; {seen.site} wants {least:g}pt, less only in a style with flavour: true"
        if least < wanted.rules:
            text = f"{what}; {seen.site} wants {least:g}pt for flavour"
        yield seen.fault(leaf.draw, "small-type", text)


def _least(draw: Draw, materials: Materials, wanted: TypeRow) -> float:
    names = [getattr(draw.args, key, None) for key in STYLES]
    styles = [materials.theme.styles.get(name) for name in names if isinstance(name, str)]
    flavour = any(style is not None and style.flavour for style in styles)
    return wanted.flavour if flavour else wanted.rules


def check_ink(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find colours that lay more ink on a spot than the press dries."""
    press = seen.destination.row.press
    if press is None:
        return
    inks = inks_of(press)
    told: set[Place | None] = set()
    for leaf in seen.leaves:
        for color, width in colors(leaf):
            alone = width is not None and width <= inks.thin
            total = 100 * sum(inks.of(color, alone=alone))
            place = leaf.draw.place if leaf.draw else None
            if total > press.ink + SLACK and place not in told:
                told.add(place)
                text = f"the colour {color} takes {total:.0f} % ink; {seen.site} allows {press.ink}"
                yield seen.fault(leaf.draw, "too-much-ink", text)


def check_color(seen: Seen, materials: Materials) -> Iterator[Problem]:
    """Find colours where a site prints in grey."""
    if seen.destination.row.color != "gray":
        return
    told: set[Place | None] = set()
    for leaf in seen.leaves:
        for color, _ in colors(leaf):
            place = leaf.draw.place if leaf.draw else None
            if len({color[1:3], color[3:5], color[5:7]}) > 1 and place not in told:
                told.add(place)
                text = f"the colour is {color}; {seen.site} prints grey; expected a grey"
                yield seen.fault(leaf.draw, "wrong-color", text)


CHECKS: tuple[Callable[[Seen, Materials], Iterator[Problem]], ...] = (
    check_pixels,
    check_resolution,
    check_safe,
    check_type,
    check_ink,
    check_color,
)


def look_at(face: Face, materials: Materials) -> tuple[Leaf, ...]:
    """Take a face apart once for all checks."""
    assert materials.makers is not None
    return tuple(leaves(face, materials.makers))
