"""From one file of components/<game>/ to a deck, sheet, board or table.

A file with a fault is read on as far as it goes, so that all faults are told together.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from kitwright.load.reading import Steps, read
from kitwright.load.shared import load_sizes
from kitwright.load.source import Document, Node
from kitwright.load.workspace import Workspace
from kitwright.model.components import (
    ID_PATTERN,
    LAYOUT_PATTERN,
    RESERVED,
    CardKeys,
    CustomSize,
    DeckFile,
    FieldRule,
    SheetFile,
    TableFile,
    card_model,
)
from kitwright.model.game import Card, Deck, Size
from kitwright.model.games import GameModels
from kitwright.model.record import Record, freeze
from kitwright.problems import Place, Problem, did_you_mean

FIRST_KEYS: dict[str, type[DeckFile | SheetFile | TableFile]] = {
    "deck": DeckFile,
    "sheet": SheetFile,
    "board": SheetFile,
    "table": TableFile,
}
_FIELDS: TypeAdapter[dict[str, FieldRule]] = TypeAdapter(dict[str, FieldRule])


class PartReader:
    """Reads the files of a game one by one and keeps what they define."""

    def __init__(
        self, workspace: Workspace, models: GameModels | None, problems: list[Problem]
    ) -> None:
        self.workspace = workspace
        self.models = models
        self.problems = problems
        self.sizes = load_sizes(workspace, problems)
        self.decks: dict[str, Deck] = {}
        self.tables: dict[str, Record] = {}
        self.named: dict[str, Place] = {}  # all parts, also those with faults
        self.kinds: dict[str, str] = {}
        self.card_places: dict[str, Place] = {}

    def read(self, document: Document) -> None:
        """Read one file by its first word."""
        kinds = [key for key in FIRST_KEYS if key in document.root.value]
        if len(kinds) != 1:
            found = " and ".join(f"'{kind}'" for kind in kinds) or "none of the first words"
            text = f"the file has {found}; expected exactly one of {', '.join(FIRST_KEYS)}"
            self.note(document.place(), "unknown-kind", text)
            return
        kind = kinds[0]
        self._name(document, kind)
        if kind != "table":
            self._check_names(document)
        told = read(FIRST_KEYS[kind], document, (), self.problems)
        if isinstance(told, SheetFile):
            self._read_sheet(told, kind, document)
        elif isinstance(told, TableFile):
            self.tables[told.table] = freeze(told.model_dump())
        elif kind == "deck":
            assert told is None or isinstance(told, DeckFile)
            cards = self._read_cards(told, document)
            if told is not None:
                self._keep(told, told.deck, "deck", cards, document)

    def note(self, place: Place, code: str, text: str) -> None:
        """Note one problem."""
        self.problems.append(Problem(place, code, text))

    def _name(self, document: Document, kind: str) -> None:
        """Remember the name of a part, which must be new."""
        name, place = str(document.node((kind,)).value), document.place(kind)
        if name in self.named:
            text = f"the id '{name}' is already used at {self.named[name]}; expected a new one"
            self.note(place, "duplicate-id", text)
        self.named.setdefault(name, place)
        self.kinds[name] = kind

    def _keep(
        self,
        told: DeckFile | SheetFile,
        name: str,
        kind: str,
        cards: tuple[Card, ...],
        document: Document,
    ) -> None:
        """Keep the deck, unless its size is unknown."""
        size = (
            Size("custom", told.size.width, told.size.height)
            if isinstance(told.size, CustomSize)
            else self.sizes.get(told.size)
        )
        if size is not None:
            place, data = document.place(), freeze(told.data)
            said = told.spot if isinstance(told, SheetFile) else None
            spot = (said[0], said[1]) if said is not None else None
            self.decks[name] = Deck(
                name, kind, told.title, told.layout, told.back, size, cards, data, place, spot
            )

    def _check_names(self, document: Document) -> None:
        """Check that the layouts and the size that a file names are there."""
        for key in ("layout", "back"):
            name = self._word(document, key, LAYOUT_PATTERN)
            if name is not None and self.workspace.find_layout_file(name) is None:
                place = document.place(key)
                self.problems.append(self.workspace.missing_layout(name, key, place))
        size = self._word(document, "size", ID_PATTERN)
        if size is not None and size not in self.sizes:
            expected = "expected a name of layouts/shared/sizes.yaml or {width: …, height: …}"
            text = f"the size '{size}' is unknown; {expected}{did_you_mean(size, self.sizes)}"
            self.note(document.place("size"), "unknown-size", text)

    def _word(self, document: Document, key: str, pattern: str) -> str | None:
        """Return a name that is well formed; what is not is told with the rest of the file."""
        entry = document.root.value.get(key)
        value = entry.node.value if entry is not None else None
        return value if isinstance(value, str) and re.match(pattern, value) else None

    def _read_sheet(self, told: SheetFile, kind: str, document: Document) -> None:
        """Read a sheet or board as a deck of one card."""
        name = told.sheet or told.board or ""
        data = document.root.value.get("data")
        place = document.place(kind)
        places, elsewhere = _places(data.node, place.file) if data is not None else ({}, {})
        fields = freeze({"title": told.title, **told.data})
        self._refuse_double(name, place)
        card = Card(name, told.copies, fields, place, places, elsewhere)
        self._keep(told, name, kind, (card,), document)

    def _read_cards(self, told: DeckFile | None, document: Document) -> tuple[Card, ...]:
        """Check each card against its deck's model and count the copies."""
        nodes = document.node(("cards",)).value
        model = self._card_model(document)
        if not isinstance(nodes, list) or model is None:
            return ()
        found = [self._read_card(n, ("cards", i), model, document) for i, n in enumerate(nodes)]
        cards = tuple(card for card in found if card is not None)
        total = sum(card.copies for card in cards)
        if told is not None and told.total not in (None, total) and len(cards) == len(nodes):
            text = f"total is {told.total}; expected {total}, the sum of the copies"
            self.note(document.place("total"), "wrong-total", text)
        return cards

    def _card_model(self, document: Document) -> type[BaseModel] | None:
        """Return the model of a deck's cards: the game's own, or one of its `fields:`."""
        deck = str(document.node(("deck",)).value)
        fields = document.root.value.get("fields")
        if self.models is not None and deck in self.models.CARDS:
            if fields is not None:
                text = f"the cards of '{deck}' are known to the rules; expected no fields here"
                self.note(document.key_place("fields"), "fixed-fields", text)
            return self.models.CARDS[deck]
        try:
            rules = _FIELDS.validate_python(fields.node.plain() if fields else {}, strict=True)
        except ValidationError:  # already told with the rest of the file
            return None
        for name in RESERVED:
            if name in rules:
                text = f"the field '{name}' is one that every card has; expected another name"
                self.note(document.key_place("fields", name), "bad-name", text)
                return None
        return card_model(rules)

    def _read_card(
        self, node: Node, path: Steps, model: type[BaseModel], document: Document
    ) -> Card | None:
        """Read one card: its id and copies, then its fields."""
        if not isinstance(node.value, dict):  # already told with the rest of the file
            return None
        plain = node.plain()
        keys = {name: plain.pop(name) for name in RESERVED if name in plain}
        card_id = keys.get("id")
        subject = f"card '{card_id}'" if isinstance(card_id, str) else f"card {int(path[-1]) + 1}"
        if "id" in node.value:
            at = node.value["id"].node
            self._refuse_double(str(at.value), Place(at.file, at.line, at.column))
        head = read(CardKeys, document, path, self.problems, keys, subject)
        body = read(model, document, path, self.problems, plain, subject, RESERVED)
        if head is None or body is None:
            return None
        at = node.value["id"].node
        places, elsewhere = _places(node, at.file)
        fields = freeze(body.model_dump(by_alias=True))
        place = Place(at.file, at.line, at.column)
        return Card(head.id, head.copies, fields, place, places, elsewhere)

    def _refuse_double(self, card_id: str, place: Place) -> None:
        """Report a card id that stands twice, within a deck or across them."""
        if card_id in self.card_places:
            text = f"the card id '{card_id}' is already used at {self.card_places[card_id]}"
            self.note(place, "duplicate-id", f"{text}; expected a new one")
        self.card_places.setdefault(card_id, place)


def _places(node: Node, file: str) -> tuple[dict[str, tuple[int, int]], dict[str, Place]]:
    """Return where each field's value stands, and which of them stand in another file."""
    places: dict[str, tuple[int, int]] = {}
    elsewhere: dict[str, Place] = {}
    entries: dict[str, Any] = node.value
    for key, entry in entries.items():
        value = entry.node
        places[key] = (value.line, value.column)
        if value.file != file:
            elsewhere[key] = Place(value.file, value.line, value.column)
    return places, elsewhere
