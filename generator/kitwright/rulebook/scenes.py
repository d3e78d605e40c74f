"""From the figures of rules.yaml to scenes of real faces: every card found, every label filled.

Knows the faces by the ids of their cards; draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kitwright.model.rulebook import (
    CardFigure,
    FigureSpec,
    GroupSpec,
    RulesSource,
    SplayFigure,
)
from kitwright.problems import Place, Problem, did_you_mean
from kitwright.rulebook.blocks import CardScene, Pile, RowScene, Scene, Shown, TableScene
from kitwright.rulebook.laid import laid_scene, off_the_card
from kitwright.rulebook.parts import Area, off_the_face, off_the_part, part_of
from kitwright.rulebook.prose import filled, listed
from kitwright.rulebook.splays import hand_of

MOST_SLOTS = 12


class Cards(Struct, frozen=True):
    """The fronts and backs of a kit by the id of their card."""

    fronts: Mapping[str, Shown]
    backs: Mapping[str, Shown]


class SceneMaker(Struct, frozen=True):
    """Makes the scenes of one rulebook."""

    source: RulesSource
    cards: Cards
    context: Mapping[str, Any]
    problems: list[Problem]

    def scene(self, name: str, spec: FigureSpec) -> Scene | None:
        """Return what a figure shows; None with its faults noted."""
        if spec.card is not None:
            return self.card(name, spec)
        if spec.row is not None:
            return self.row(name, spec)
        if spec.laid is not None:
            fronts = self.cards.fronts
            return laid_scene(self.source, name, spec.laid, fronts, self.context, self.problems)
        if spec.splay is not None:
            return self.splay(name, spec)
        return self.table(name, spec)

    def card(self, name: str, spec: FigureSpec) -> CardScene | None:
        """Find the card and fill in its notes."""
        told = spec.card
        assert told is not None
        path = ("figures", name, "card")
        place = self.source.place(*path, "card")
        shown = self.find(filled(told.card, place, self.context, self.problems), place)
        if shown is None:
            return None
        if told.area is None:
            return self.noted(shown, told, path)
        self.problems.extend(off_the_face(shown, told.area, self.source.place(*path, "area")))
        return self.noted(part_of(shown, told.area), told, path, told.area)

    def noted(
        self,
        shown: Shown,
        told: CardFigure | SplayFigure,
        path: tuple[str, str, str],
        area: Area | None = None,
    ) -> CardScene:
        """Fill in the notes to a card, an area of one or a hand; each must be at a spot of it."""
        spots, notes = [], []
        what = {"card": "card", "splay": "hand"}[path[-1]]
        for index, note in enumerate(told.notes):
            x, y = note.at
            where = self.source.place(*path, "notes", index, "at")
            if area is None:
                self.problems.extend(off_the_card(shown, x, y, where, what))
            else:
                self.problems.extend(off_the_part(area, x, y, where))
                x, y = x - area[0], y - area[1]
            where = self.source.place(*path, "notes", index, "text")
            spots.append((x, y))
            notes.append(filled(note.text, where, self.context, self.problems))
        return CardScene(shown, told.height, tuple(spots), tuple(notes), told.pins)

    def row(self, name: str, spec: FigureSpec) -> RowScene | None:
        """Find the cards of a row and its labels."""
        told = spec.row
        assert told is not None
        place = self.source.place("figures", name, "row", "cards")
        cards = self.find_all(told.cards, place, self.context)
        labels: list[Any] = []
        if told.labels:
            where = self.source.place("figures", name, "row", "labels")
            labels = listed(told.labels, where, self.context, self.problems)
            if labels and len(labels) != len(cards):
                said = f"there are {len(labels)} labels; expected {len(cards)}, one a card"
                self.problems.append(Problem(where, "bad-value", said))
                return None
        if not cards:
            return None
        return RowScene(cards, tuple(map(str, labels)), told.step, told.tallest)

    def splay(self, name: str, spec: FigureSpec) -> CardScene | RowScene | None:
        """Find the cards of a hand, what peeks over it and what is turned."""
        told = spec.splay
        assert told is not None
        path = ("figures", name, "splay")

        def cards(key: str) -> tuple[Shown, ...]:
            place = self.source.place(*path, key)
            formula = getattr(told, key)
            return self.find_all(formula, place, self.context) if formula else ()

        held, turned, turned_left = cards("cards"), cards("turned"), cards("turned_left")
        place = self.source.place(*path, "behind")
        peeking = filled(told.behind, place, self.context, self.problems)
        behind = self.find(peeking, place) if peeking else None
        if not held:
            return None
        hand = hand_of(held, behind, turned, turned_left)
        if told.notes:
            return self.noted(hand, told, path)
        return RowScene((hand,), (), 1.0, told.height)

    def table(self, name: str, spec: FigureSpec) -> TableScene | None:
        """Lay out the table at a moment of an example."""
        told = spec.table
        assert told is not None
        examples = self.context["examples"]
        place = self.source.place("figures", name, "table", "example")
        if told.example not in self.source.told.examples:
            hint = did_you_mean(told.example, self.source.told.examples)
            said = f"there is no example '{told.example}'; expected one of rules.yaml{hint}"
            self.problems.append(Problem(place, "unknown-example", said))
        if told.example not in examples:
            return None
        example = examples[told.example]
        if told.after > len(example["after"]):
            said = f"after is {told.after}; expected at most {len(example['after'])}, the moves of"
            said += f" the example '{told.example}'"
            where = self.source.place("figures", name, "table", "after")
            self.problems.append(Problem(where, "bad-value", said))
            return None
        known = {**self.context, **(example["start"], *example["after"])[told.after]}
        path = ("figures", name, "table")
        centre = self.piles(told.centre, (*path, "centre"), known)
        seats = tuple(
            self.piles(told.seat, (*path, "seat"), {**known, "seat": seat})
            for seat in range(1, example["players"] + 1)
        )
        return TableScene(centre, seats, told.largest)

    def piles(
        self, groups: list[GroupSpec], path: tuple[str, ...], context: Mapping[str, Any]
    ) -> tuple[Pile, ...]:
        """Find the cards of each group that has any."""
        found = []
        for index, group in enumerate(groups):
            place = self.source.place(*path, index, "cards")
            cards = self.find_all(group.cards, place, context, group.face_down)
            where = self.source.place(*path, index, "label")
            label = filled(group.label, where, context, self.problems)
            sides = tuple(
                self.find_all(side, self.source.place(*path, index, "sides", at), context)
                for at, side in enumerate(group.sides)
            )
            where = self.source.place(*path, index, "slots")
            slots = self.count(group.slots, where, context) if group.slots else 0
            if cards:
                found.append(Pile(cards, group.lie, label, sides if any(sides) else (), slots))
        return tuple(found)

    def count(self, formula: str, place: Place, context: Mapping[str, Any]) -> int:
        """Return a small whole number that an expression must give."""
        (value,) = listed(f"[{formula}]", place, context, self.problems) or (0,)
        if isinstance(value, int) and 0 <= value <= MOST_SLOTS:
            return value
        said = f"'{formula}' is {value}; expected a whole number from 0 to {MOST_SLOTS}"
        self.problems.append(Problem(place, "bad-value", said))
        return 0

    def find_all(
        self, formula: str, place: Place, context: Mapping[str, Any], face_down: bool = False
    ) -> tuple[Shown, ...]:
        """Return the faces, or backs, of a list of cards."""
        names = listed(formula, place, context, self.problems)
        found = (self.find(str(name), place, face_down) for name in names)
        return tuple(shown for shown in found if shown is not None)

    def find(self, card: str, place: Place, face_down: bool = False) -> Shown | None:
        """Return one card's face, or its back; a `+` behind its id asks for the back too."""
        face_down, card = face_down or card.endswith("+"), card.removesuffix("+")
        side = self.cards.backs if face_down else self.cards.fronts
        if card in side:
            return side[card]
        hint = did_you_mean(card, side)
        said = f"there is no card '{card}'; expected the id of a card{hint}"
        if card in self.cards.fronts:
            said = f"the card '{card}' has no back; expected a card with one"
        self.problems.append(Problem(place, "unknown-card", said))
        return None
