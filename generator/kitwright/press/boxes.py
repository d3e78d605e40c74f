"""The boxes of a kit on paper: nets sized for their cards, panels composed, lines and advice added.

Works between the stages like the bindery. Opens and writes no file.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright.cache.drawn import BoxArt, picture_of, picture_row
from kitwright.cache.exact import Exact, key_of
from kitwright.compose.furniture import Furniture, plain_face
from kitwright.compose.panels import PanelMaterials, compose_panel
from kitwright.impose.tuckbox import (
    BLEED,
    Dimensions,
    Net,
    Spot,
    box_size,
    make_net,
    on_page,
    place_net,
)
from kitwright.model.box import FACE, SMALLEST, BoxDress, BoxPlan
from kitwright.model.game import Deck, Size
from kitwright.model.geometry import IDENTITY, Box, multiply, transform_path
from kitwright.model.paper import Paper
from kitwright.ops import Face, Op, Page, Placed, Stroke, digest
from kitwright.press.kit import BoxSheet, BuildOptions, Kit
from kitwright.problems import InvalidInputError, Problem
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace

INK, PAPER = "#000000", "#ffffff"
THIN, HALO = 0.15, 0.4
FOLD = (1.6, 1.2)  # mm of a fold line, on and off
NOTE_GAP, NOTE_LEAST = 8.0, 34.0  # mm above the words below a net, and how high they are at least


class Fitted(Struct, frozen=True):
    """One of the boxes that a plan needs on some paper."""

    plan: BoxPlan
    part: int
    parts: int
    count: int  # cards in this box
    sleeved: bool
    dimensions: Dimensions
    net: Net
    spot: Spot

    @property
    def id(self) -> str:
        """The name of its file."""
        return self.plan.id if self.parts == 1 else f"{self.plan.id}-{self.part}"

    @property
    def title(self) -> str:
        """Its name in print."""
        return self.plan.title if self.parts == 1 else f"{self.plan.title}, {self.part}"


def lay_boxes(kit: Kit, paper: Paper, options: BuildOptions) -> tuple[BoxSheet, ...]:
    """Lay every box of a kit on paper."""
    return tuple(lay_box(kit, box, paper, options) for box in fit_boxes(kit, paper, options))


def lay_box(kit: Kit, box: Fitted, paper: Paper, options: BuildOptions) -> BoxSheet:
    """Lay one box on paper, once."""
    assert kit.box_dress is not None
    key = (box.id, paper.name)
    if key not in kit.box_sheets:
        kit.box_sheets[key] = _Maker(kit, kit.box_dress, options).sheet(box, paper)
    return kit.box_sheets[key]


def fit_boxes(kit: Kit, paper: Paper, options: BuildOptions) -> tuple[Fitted, ...]:
    """Return the boxes that a kit has on a paper; what must be split is told as a warning."""
    if kit.box_dress is None or options.decks:
        return ()
    told: list[Problem] = []
    found = [box for plan in kit.game.boxes for box in fit(kit, plan, paper, options, told)]
    if told and options.strict:
        raise InvalidInputError(told)
    kit.warnings = (*kit.warnings, *(each for each in told if each not in kit.warnings))
    return tuple(found)


def fit(
    kit: Kit, plan: BoxPlan, paper: Paper, options: BuildOptions, told: list[Problem]
) -> Iterator[Fitted]:
    """Yield the fewest boxes that hold the cards of a plan and fit on the paper."""
    assert kit.box_dress is not None
    stock, decks = kit.box_dress.stock, [kit.game.deck(name) for name in plan.decks]
    size = _largest(decks)
    count = sum(deck.count for deck in decks)
    sleeved = options.sleeved and min(size.width, size.height) >= SMALLEST
    for parts in range(1, count + 1):
        each = ceil(count / parts)
        dimensions = box_size(size, each, plan.stacks, stock, sleeved, options.stock)
        net = make_net(dimensions)
        spot = place_net(net, paper)
        if spot is not None:
            if parts > 1:
                told.append(_split(plan, paper, count, parts, each))
            for part in range(1, parts + 1):
                inside = min(each, count - (part - 1) * each)
                yield Fitted(plan, part, parts, inside, sleeved, dimensions, net, spot)
            return
        if dimensions[2] <= stock.least:
            told.append(_too_large(plan, paper, net))
            return


def _split(plan: BoxPlan, paper: Paper, count: int, parts: int, each: int) -> Problem:
    said = f"the {count} cards of the box '{plan.id}' are too thick for one that {paper.name} can"
    said += f" print; expected fewer, so they have {parts} boxes of {each}"
    return Problem(plan.place, "split-box", said, warning=True)


def _too_large(plan: BoxPlan, paper: Paper, net: Net) -> Problem:
    wide, high = (round(side + 2 * BLEED, 1) for side in (net.width, net.height))
    across, down = (side - 2 * paper.margin for side in (paper.width, paper.height))
    said = f"the box '{plan.id}' is {wide:g} x {high:g} mm unfolded; expected at most"
    said += f" {across:g} x {down:g} mm, which is what {paper.name} can print; it is left out"
    return Problem(plan.place, "no-box", said, warning=True)


def _largest(decks: list[Deck]) -> Size:
    wide = max(deck.size.width for deck in decks)
    return Size("box", wide, max(deck.size.height for deck in decks))


class _Maker:
    """Composes and encodes the boxes of one kit."""

    def __init__(self, kit: Kit, dress: BoxDress, options: BuildOptions) -> None:
        self.kit, self.dress, self.options = kit, dress, options
        self.furniture = Furniture(kit.game, kit.shared)
        self.encoder = Encoder(kit.materials.fonts, kit.faces)
        self.shared = (
            kit.drawn.game_key(kit.game, kit.font_digests, options.skin) if kit.drawn else ""
        )
        self.asked: dict[str, str] = {}  # the marks of cards that were shown since it was cleared
        self.materials = PanelMaterials(
            dress.theme, kit.materials.fonts, kit.materials.icons, kit.materials.layouts,
            kit.materials.picture, dressed=kit.box_icons, pictures=kit.materials.pictures,
            faces=self.card,
        )  # fmt: skip

    def card(self, name: str) -> Face | None:
        """Return the face of a card, without its ops; None when there is none of this name."""
        found = self.kit.faces.get(_face_called(name, self.kit))
        if found is None:
            return None
        self.asked[name] = self.mark(name)
        return found.named

    def mark(self, name: str) -> str:
        """Return the mark of a card as it is now; none where there is no such card."""
        return self.kit.marks.get(_face_called(name, self.kit), "")

    def sheet(self, box: Fitted, paper: Paper) -> BoxSheet:
        """Make the page of one box."""
        art = self.art(box)
        onto = box.spot.matrix
        faces = dict(art.faces)
        placed = [
            Placed(_glue(box, index), multiply(onto, (1.0, 0.0, 0.0, 1.0, area[0], area[1])))
            for index, area in enumerate(box.net.glued)
        ]
        placed += [
            Placed(
                _panel(box, panel.name), multiply(onto, panel.matrix()), on_page(panel.clip, onto)
            )
            for panel in box.net.panels
        ]
        lines = self.lines(box, paper)
        faces[lines.id] = self.encoder.encode(lines)
        placed.append(Placed(lines.id, IDENTITY))
        note = self.note(box, paper, art.stamp)
        if note is not None:
            faces[note.id] = note
            below = (1.0, 0.0, 0.0, 1.0, paper.margin + BLEED, box.spot.box[3] + NOTE_GAP)
            placed.append(Placed(note.id, below))
        left, top, right, bottom = box.spot.box
        bleed = (left - BLEED, top - BLEED, right + BLEED, bottom + BLEED)
        title = f"Box: {box.title}"
        page = Page(paper.width, paper.height, box.spot.box, bleed, tuple(placed), title)
        return BoxSheet(box.id, title, page, faces, art.mark)

    def art(self, box: Fitted) -> BoxArt:
        """Compose the panels of a box, once for all papers, or recall them."""
        about = (box.id, self.about(box), box.net.glued, dict(self.dress.layouts))
        key = key_of(self.shared, Exact().text(about))
        known = self.kit.box_art.get(key)
        if known is None:
            known = self.kit.box_art[key] = self._recalled(key) or self._composed(key, box)
        return known

    def _recalled(self, key: str) -> BoxArt | None:
        """Return what was composed before, if the cards that it shows are the same."""
        drawn = self.kit.drawn
        found = drawn.find("boxes", key) if drawn is not None else None
        if found is None:
            return None
        art: BoxArt
        art, shown = found
        if any(self.mark(name) != mark for name, mark in shown.items()):
            return None
        self.kit.materials.pictures.update((row[3], picture_of(row)) for row in art.pictures)
        return art

    def _composed(self, key: str, box: Fitted) -> BoxArt:
        self.asked.clear()
        faces = [
            self.furniture.glue(_glue(box, index), area[2] - area[0], area[3] - area[1])
            for index, area in enumerate(box.net.glued)
        ]
        faces += [self.panel(box, panel.name, panel.box) for panel in box.net.panels]
        encoded = {face.id: self.encoder.encode(face) for face in faces}
        shown = dict(sorted(self.asked.items()))
        assets = sorted({asset for face in encoded.values() for asset in face.pictures})
        rows = tuple(picture_row(self.kit.materials.pictures[asset]) for asset in assets)
        stamp = digest("".join(face.hash for face in faces))[:6]
        art = BoxArt(encoded, rows, stamp, key_of(key, Exact().text(shown)))
        if self.kit.drawn is not None:
            self.kit.drawn.keep("boxes", key, (art, shown))
        return art

    def about(self, box: Fitted) -> dict[str, Any]:
        """Return what the panels of a box may look up."""
        decks = [self.kit.game.deck(deck) for deck in box.plan.decks]
        wide, high, deep = box.dimensions
        return {
            "id": box.plan.id, "title": box.plan.title, "count": box.count, "part": box.part,
            "parts": box.parts, "sleeved": box.sleeved,
            "decks": tuple(_about(deck) for deck in decks), "back": _about(decks[0])["back"],
            "width": wide, "height": high, "depth": deep,
        }  # fmt: skip

    def panel(self, box: Fitted, name: str, area: Box) -> Face:
        """Compose the art of one panel."""
        game = self.kit.game
        known = {"game": game.as_context(), "skin": self.options.skin}
        about = {**self.about(box), "panel": name}
        context = {**known, "figures": game.figures.values, "box": about}
        layout, size = self.dress.layouts[name], (area[2] - area[0], area[3] - area[1])
        return compose_panel(layout, _panel(box, name), size, self.materials, context)

    def lines(self, box: Fitted, paper: Paper) -> Face:
        """Draw cuts and folds, dark on light, to be seen on any colour."""
        cut = transform_path(box.net.cut, box.spot.matrix)
        folds = transform_path(box.net.folds, box.spot.matrix)
        ops: tuple[Op, ...] = (
            Stroke(folds, PAPER, THIN), Stroke(folds, INK, THIN, FOLD),
            Stroke(cut, PAPER, HALO), Stroke(cut, INK, THIN),
        )  # fmt: skip
        face = plain_face("", paper.width, paper.height, ops)
        return replace(face, id=f"boxes/lines/{face.hash}")

    def note(self, box: Fitted, paper: Paper, stamp: str) -> EncodedFace | None:
        """Compose the words below a net, if there is room for them."""
        wide = paper.width - 2 * (paper.margin + BLEED)
        high = min(70.0, paper.height - paper.margin - box.spot.box[3] - NOTE_GAP)
        if high < NOTE_LEAST:
            return None
        stock = self.dress.stock
        each = self.options.stock if self.options.stock is not None else stock.card
        sheet = {
            "title": box.title,
            "count": box.count,
            "inside": _words(box.dimensions),
            "thickness": each + (stock.sleeve if box.sleeved else 0.0),
            "sleeved": box.sleeved,
            "stamp": stamp,
        }
        about = (f"boxes/{box.id}/note-{paper.name}", wide, high, sheet)
        return self.kit.furnished(about, lambda: self.furniture.box_note(*about), self.encoder)


def _glue(box: Fitted, index: int) -> str:
    return f"boxes/{box.id}/glue-{index}"


def _panel(box: Fitted, name: str) -> str:
    return f"boxes/{box.id}/{name}"


def _face_called(name: str, kit: Kit) -> str:
    """Return the id of a face; where each card has its own, `deck/back` means the first one's."""
    backs = {f"{deck.deck.id}/back": deck.cards[0].back for deck in kit.decks}
    return backs.get(name) or name


def _about(deck: Deck) -> dict[str, Any]:
    back = f"{FACE}{deck.id}/back" if deck.back else f"{FACE}{deck.id}/{deck.cards[0].id}"
    return {"id": deck.id, "title": deck.title, "count": deck.count, "back": back}


def _words(dimensions: Dimensions) -> str:
    return " x ".join(f"{round(each, 1):g}" for each in dimensions) + " mm"
