"""A card and its layout become a face: every draw done in order, faults gathered, the hash taken.

What all cards of a deck share is drawn once, as symbols; a face holds only
what is its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any

from msgspec import Struct

from kitwright.compose.boxes import Boxes, resolve_boxes
from kitwright.compose.paint import paint_draws
from kitwright.compose.pen import Materials, Pen
from kitwright.formulas import Formula
from kitwright.model.each import split_each
from kitwright.model.game import Card, Deck, Game
from kitwright.model.late import Late
from kitwright.model.layouts import Draw, Layout
from kitwright.model.verbs import Column, Each, Verb
from kitwright.model.verbs import Use as UseVerb
from kitwright.ops import Element, Face, Op, Use, content_hash, make_symbol
from kitwright.problems import Problem

OWN = frozenset({"card"})  # what a face may look up that its neighbours cannot share
LEAST_SHARED = 2  # ops; fewer are not worth a symbol
Drawing = tuple[tuple[Op, ...], tuple[Element, ...], frozenset[str]]  # the last are icons' names


class Run(Struct, frozen=True):
    """Neighbouring draws, all shared by the deck's faces or all of one card."""

    shared: bool
    draws: tuple[Draw, ...]


class Composer:
    """Composes the faces of one layout at one size for one deck."""

    def __init__(
        self,
        layout: Layout,
        width: float,
        height: float,
        materials: Materials,
        context: Mapping[str, Any],
        problems: list[Problem],
    ) -> None:
        self.layout = layout
        self.width = width
        self.height = height
        self.materials = materials
        self.context = context
        self.problems = problems
        self.boxes: Boxes = resolve_boxes(layout, width, height, problems)
        self.runs = tuple(_runs(layout, materials))
        self.shared: dict[int, Drawing] = {}
        self.shared_faults = False
        self.clean = True  # whether neither the last face nor what all share has a problem
        self.icons: frozenset[str] = frozenset()  # the names of those that the last face shows

    @cached_property
    def is_individual(self) -> bool:
        """Whether faces differ from card to card."""
        return any(not run.shared for run in self.runs)

    def compose(self, face_id: str, card: Card | None) -> Face:
        """Compose one face; a card of None shows only what all cards share."""
        pen = self._pen(card)
        faults = self._faults
        ops: list[Op] = []
        elements: list[Element] = []
        self.icons = frozenset()
        for index, run in enumerate(self.runs):
            done, found, icons = self._shared(index, run) if run.shared else self._draw(run, pen)
            elements.extend(_shifted(found, len(ops)))
            ops.extend(done)
            self.icons |= icons
        self.clean = not self.shared_faults and self._faults == faults
        finished = tuple(ops)
        assets = {name: self.materials.fonts.digest(name) for name in self.materials.fonts.names}
        mark = content_hash(finished, assets)
        bleed = self.layout.bleed
        return Face(face_id, self.width, self.height, bleed, finished, mark, tuple(elements))

    def _pen(self, card: Card | None) -> Pen:
        context = dict(self.context)
        subject = f"layout '{self.layout.name}'"
        if card is not None:
            context["card"] = {**card.fields, "id": card.id, "copies": card.copies}
            context["_places"] = {name: card.at(name) for name in card.places}
            subject = f"card '{card.id}'"
        return Pen(self.materials, self.layout, self.boxes, context, subject)

    @property
    def _faults(self) -> int:
        return len(self.problems) + len(self.materials.faults)

    def _shared(self, index: int, run: Run) -> Drawing:
        if index not in self.shared:
            faults = self._faults
            ops, elements, icons = self._draw(run, self._pen(None))
            self.shared_faults |= self._faults != faults
            if len(ops) >= LEAST_SHARED:
                out = self.layout.bleed
                box = (-out, -out, self.width + out, self.height + out)
                ops = (Use(make_symbol(ops, box)),)
                elements = tuple(_at_symbol(element) for element in elements)
            self.shared[index] = (ops, elements, icons)
        return self.shared[index]

    def _draw(self, run: Run, pen: Pen) -> Drawing:
        ops: list[Op] = []
        elements: list[Element] = []
        before, self.materials.shown = self.materials.shown, set()
        for draw, done in paint_draws(run.draws, pen, self.problems):
            style = getattr(draw.args, "style", None)
            elements.append(
                Element(
                    draw.verb,
                    draw.place.file,
                    draw.place.line,
                    draw.place.column,
                    len(ops),
                    len(ops) + len(done),
                    draw.args.edge,
                    style if isinstance(style, str) else "",
                )
            )
            ops.extend(done)
        icons = frozenset(self.materials.shown)
        self.materials.shown |= before
        return tuple(ops), tuple(elements), icons


def deck_context(game: Game, deck: Deck, skin: str) -> dict[str, Any]:
    """Return what every layout of a deck may look up besides its card."""
    about = {"id": deck.id, "title": deck.title, "count": deck.count, "data": deck.data}
    known = {"game": game.as_context(), "deck": about, "skin": skin}
    return {**known, "figures": game.figures.values}


def _runs(layout: Layout, materials: Materials) -> Iterator[Run]:
    def shared(draw: Draw) -> bool:
        return not (names_of(draw, materials) & OWN)

    for is_shared, draws in groupby(layout.draws, key=shared):
        yield Run(is_shared, tuple(draws))


def names_of(draw: Draw, materials: Materials) -> frozenset[str]:
    """Return every name that a draw, or what it holds, looks up."""
    names: set[str] = set()
    _gather(draw.args, names)
    for inner in draw.draws:
        names |= names_of(inner, materials)
    if isinstance(draw.args, Each):
        names |= split_each(draw.args.each)[1].names
    if isinstance(draw.args, UseVerb):
        # A fragment with a late name may be any layout, so it is taken to need the card.
        if isinstance(draw.args.layout, Late):
            return frozenset(names | OWN)
        fragment = materials.layouts(draw.args.layout)
        for inner in fragment.draws if fragment is not None else ():
            names |= names_of(inner, materials)
    return frozenset(names)


def _gather(value: Any, names: set[str]) -> None:
    if isinstance(value, Late):
        names |= value.template.names
    elif isinstance(value, Formula):
        names |= value.names
    elif isinstance(value, Verb | Column):
        for key in type(value).model_fields:
            _gather(getattr(value, key), names)
    elif isinstance(value, list | tuple):
        for item in value:
            _gather(item, names)
    elif isinstance(value, dict):
        for item in value.values():
            _gather(item, names)
    elif isinstance(value, str) and "{{" in value:
        names |= {name for name in OWN if name in value}


def _shifted(elements: Iterable[Element], by: int) -> Iterator[Element]:
    for e in elements:
        yield Element(e.verb, e.file, e.line, e.column, e.first + by, e.last + by, e.edge, e.style)


def _at_symbol(e: Element) -> Element:
    return Element(e.verb, e.file, e.line, e.column, 0, 1, e.edge, e.style)
