"""Cards laid out as on a table, each at its own place, with numbered spots: a device, a board.

From a figure of rules.yaml to its scene, and from a scene to where everything is drawn.
Draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kitwright.model.rulebook import LaidFigure, RulesSource
from kitwright.problems import Place, Problem, did_you_mean
from kitwright.rulebook.blocks import LaidScene, Shown, Spot
from kitwright.rulebook.prose import filled, listed

NOTE_COLUMNS = 2
NOTE_GAP = 6.0  # mm between columns of notes


def laid_scene(
    source: RulesSource,
    name: str,
    told: LaidFigure,
    fronts: Mapping[str, Shown],
    context: Mapping[str, Any],
    problems: list[Problem],
) -> LaidScene | None:
    """Find the cards of a figure, their places and its notes; None with the faults noted."""
    path = ("figures", name, "laid")
    place = source.place(*path, "cards")
    cards = _cards(listed(told.cards, place, context, problems), fronts, place, problems)
    laid = {card: (shown, spot) for card, shown, spot in reversed(cards)}
    if not cards:
        return None
    spots, notes = [], []
    for index, note in enumerate(told.notes):
        if note.card not in laid:
            where = source.place(*path, "notes", index, "card")
            said = f"card is '{note.card}'; expected a card of the figure"
            problems.append(Problem(where, "bad-value", said + did_you_mean(note.card, laid)))
            continue
        (x, y), (shown, (left, top)) = note.at, laid[note.card]
        problems += off_the_card(shown, x, y, source.place(*path, "notes", index, "at"))
        spots.append((left + x, top + y))
        where = source.place(*path, "notes", index, "text")
        notes.append(filled(note.text, where, context, problems))
    places = tuple((shown, spot) for _, shown, spot in cards)
    return LaidScene(places, told.tallest, tuple(spots), tuple(notes))


def _cards(
    items: Sequence[Any], fronts: Mapping[str, Shown], place: Place, problems: list[Problem]
) -> list[tuple[str, Shown, Spot]]:
    """Return the cards that are listed, each with its face and its spot; none with a fault."""
    found: list[tuple[str, Shown, Spot]] = []
    for item in items:
        if not _is_place(item):
            said = f"'{item}' is no place of a card; expected [card, column, row]"
            problems.append(Problem(place, "bad-value", said))
            return []
        card, column, row = str(item[0]), float(item[1]), float(item[2])
        if card not in fronts:
            said = f"there is no card '{card}'; expected the id of a card"
            problems.append(Problem(place, "unknown-card", said + did_you_mean(card, fronts)))
            return []
        unit = found[0][1].face if found else fronts[card].face
        found.append((card, fronts[card], (column * unit.width, row * unit.height)))
    return found


def off_the_card(
    shown: Shown, x: float, y: float, place: Place, what: str = "card"
) -> Iterator[Problem]:
    """Find a spot that is not on its card or hand."""
    if not (0 <= x <= shown.face.width and 0 <= y <= shown.face.height):
        size = f"{shown.face.width:g}mm x {shown.face.height:g}mm"
        said = f"at is [{x:g}mm, {y:g}mm]; expected a spot on the {what}, which is {size}"
        yield Problem(place, "bad-value", said)


def _is_place(item: Any) -> bool:
    return (
        isinstance(item, list | tuple)
        and len(item) == 3
        and all(isinstance(number, int | float) for number in item[1:])
    )


class Plan(Struct, frozen=True):
    """How a scene fits into a width: its scale, and its bounds at full size."""

    scale: float
    left: float
    top: float
    width: float
    height: float

    def at(self, spot: Spot) -> Spot:
        """Return where a spot of the scene is drawn."""
        return (spot[0] - self.left) * self.scale, (spot[1] - self.top) * self.scale


def plan_of(scene: LaidScene, width: float) -> Plan:
    """Fit a scene into a width; no card becomes taller than the scene allows."""
    left = min(x for _, (x, _) in scene.cards)
    top = min(y for _, (_, y) in scene.cards)
    right = max(x + card.face.width for card, (x, _) in scene.cards)
    bottom = max(y + card.face.height for card, (_, y) in scene.cards)
    tallest = max(card.face.height for card, _ in scene.cards)
    scale = min(scene.tallest / tallest, width / (right - left))
    return Plan(scale, left, top, (right - left) * scale, (bottom - top) * scale)


def columns_of(heights: Sequence[float], gap: float) -> tuple[int, float]:
    """Return how many notes stand in the first of two columns, and how tall both become."""
    best = (len(heights), sum(heights) + gap * len(heights))
    for first in range(1, len(heights)):
        parts = (heights[:first], heights[first:])
        tall = max(sum(part) + gap * len(part) for part in parts)
        if tall <= best[1]:
            best = (first, tall)
    return best
