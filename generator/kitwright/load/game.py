"""From components/<game>/ to a Game: every file read, laid under its variant, and checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from kitwright.load.overlay import apply_variant
from kitwright.load.reading import read
from kitwright.load.source import Document, Node
from kitwright.load.workspace import Workspace
from kitwright.model.components import (
    CardKeys,
    CustomSize,
    DeckFile,
    GameFile,
    SheetFile,
    TableFile,
    VariantFile,
    card_model,
)
from kitwright.model.game import Card, Credit, Deck, Game, Size
from kitwright.model.games import models_of
from kitwright.model.record import Record, freeze
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean

NOT_COMPONENTS = {"game.yaml", "figures.yaml"}
FIRST_KEYS: dict[str, type[DeckFile | SheetFile | TableFile]] = {
    "deck": DeckFile,
    "sheet": SheetFile,
    "board": SheetFile,
    "table": TableFile,
}


def load_game(workspace: Workspace | Path, game_id: str, variant: str | None = None) -> Game:
    """Read a game; every fault of its files is raised together."""
    if isinstance(workspace, Path):
        workspace = Workspace(workspace)
    reader = _GameReader(workspace, game_id)
    game = reader.read(variant)
    if reader.problems or game is None:
        raise InvalidInputError(reader.problems)
    return game


def variant_names(workspace: Workspace, game_id: str) -> tuple[str, ...]:
    """List the variants of a game."""
    folder = workspace.components / game_id / "variants"
    return tuple(sorted(path.stem for path in folder.glob("*.yaml")))


class _GameReader:
    def __init__(self, workspace: Workspace, game_id: str) -> None:
        self.workspace = workspace
        self.game_id = game_id
        self.folder = workspace.components / game_id
        self.problems: list[Problem] = []
        self.models = models_of(game_id)
        self.named: set[str] = set()  # what the parts are called, also those with faults

    def read(self, variant: str | None) -> Game | None:
        """Read all files of the folder, then the variant over them, then check the whole."""
        head = self.workspace.read(self.folder / "game.yaml", self.problems)
        parts = self.read_parts()
        overlay = self.read_variant(variant) if variant is not None else None
        if head is not None and overlay is not None:
            apply_variant(head, parts, overlay, self.problems)
        sizes = load_sizes(self.workspace, self.problems)
        decks: dict[str, Deck] = {}
        tables: dict[str, Record] = {}
        for document in parts:
            self.read_part(document, sizes, decks, tables)
        self.refuse_doubles(decks)
        if head is None:
            return None
        told = read(GameFile, head, (), self.problems)
        return self.assemble(told, head, decks, tables, variant) if told is not None else None

    def read_parts(self) -> list[Document]:
        """Read every deck, sheet, board and table file, sorted by name."""
        documents = []
        for path in sorted(self.folder.glob("*.yaml")):
            if path.name in NOT_COMPONENTS:
                continue
            document = self.workspace.read(path, self.problems)
            if document is not None:
                documents.append(document)
        return documents

    def read_variant(self, name: str) -> Document | None:
        """Read and check the overlay of one variant."""
        path = self.folder / "variants" / f"{name}.yaml"
        document = self.workspace.read(path, self.problems)
        if document is None or read(VariantFile, document, (), self.problems) is None:
            return None
        return document

    def read_part(
        self,
        document: Document,
        sizes: dict[str, Size],
        decks: dict[str, Deck],
        tables: dict[str, Record],
    ) -> None:
        """Read one file by its first word."""
        kinds = [key for key in FIRST_KEYS if key in document.root.value]
        if len(kinds) != 1:
            words = ", ".join(FIRST_KEYS)
            found = " and ".join(f"'{kind}'" for kind in kinds) or "none of them"
            text = f"the file has {found}; expected exactly one of {words}"
            self.problems.append(Problem(document.place(), "unknown-kind", text))
            return
        self.named.add(str(document.node((kinds[0],)).value))
        told = read(FIRST_KEYS[kinds[0]], document, (), self.problems)
        if isinstance(told, TableFile):
            self.add(tables, told.table, freeze(told.model_dump()), document, "table")
        elif isinstance(told, DeckFile):
            cards = self.read_cards(told, document)
            size = self.size(told.size, document, sizes)
            if size is not None:
                deck = self.deck(told, told.deck, "deck", size, cards, document)
                self.add(decks, told.deck, deck, document, "deck")
        elif isinstance(told, SheetFile):
            self.read_sheet(told, kinds[0], document, sizes, decks)

    def read_sheet(
        self,
        told: SheetFile,
        kind: str,
        document: Document,
        sizes: dict[str, Size],
        decks: dict[str, Deck],
    ) -> None:
        """Read a sheet or board as a deck of one card."""
        name = told.sheet or told.board or ""
        node = document.node(("data",))
        places = {}
        if isinstance(node.value, dict) and "data" in document.root.value:
            places = {k: (e.node.line, e.node.column) for k, e in node.value.items()}
        fields = freeze({"title": told.title, **told.data})
        card = Card(name, told.copies, fields, document.place(), places)
        size = self.size(told.size, document, sizes)
        if size is not None:
            deck = self.deck(told, name, kind, size, (card,), document)
            self.add(decks, name, deck, document, kind)

    def deck(
        self,
        told: DeckFile | SheetFile,
        name: str,
        kind: str,
        size: Size,
        cards: tuple[Card, ...],
        document: Document,
    ) -> Deck:
        """Make the deck, once its layouts are known to exist."""
        for key, layout in (("layout", told.layout), ("back", told.back)):
            if layout is not None and self.workspace.find_layout_file(layout) is None:
                place = document.place(key)
                self.problems.append(self.workspace.missing_layout(layout, key, place))
        data = freeze(told.data)
        place = document.place()
        return Deck(name, kind, told.title, told.layout, told.back, size, cards, data, place)

    def add(self, among: dict[str, Any], name: str, part: Any, at: Document, kind: str) -> None:
        """Keep a part under its name, which must be new."""
        place = at.place(kind)
        if name in among:
            text = f"'{name}' is already the name of another {kind}; expected a new one"
            self.problems.append(Problem(place, "duplicate-id", text))
        among[name] = part

    def size(
        self, told: str | CustomSize, document: Document, sizes: dict[str, Size]
    ) -> Size | None:
        """Look a size up by its name, or take the one given."""
        if isinstance(told, CustomSize):
            return Size("custom", told.width, told.height)
        if told in sizes:
            return sizes[told]
        text = f"the size '{told}' is not in layouts/shared/sizes.yaml{did_you_mean(told, sizes)}"
        self.problems.append(Problem(document.place("size"), "unknown-size", text))
        return None

    def read_cards(self, told: DeckFile, document: Document) -> tuple[Card, ...]:
        """Check each card against its deck's model and count the copies."""
        model: type[BaseModel] | None = None
        if self.models is not None and told.deck in self.models.CARDS:
            model = self.models.CARDS[told.deck]
        cards = []
        model = model or card_model(told.fields)
        for index, node in enumerate(document.node(("cards",)).value):
            card = self.read_card(node, index, model, document)
            if card is not None:
                cards.append(card)
        total = sum(card.copies for card in cards)
        if told.total is not None and len(cards) == len(told.cards) and total != told.total:
            text = f"total is {told.total} but the copies add up to {total}; correct one of them"
            self.problems.append(Problem(document.place("total"), "wrong-total", text))
        return tuple(cards)

    def read_card(
        self, node: Node, index: int, model: type[BaseModel], document: Document
    ) -> Card | None:
        """Read one card: its id and copies, then its fields."""
        plain = node.plain()
        keys = {name: plain.pop(name) for name in ("id", "copies") if name in plain}
        path = ("cards", index)
        head = read(CardKeys, document, path, self.problems, keys)
        body = read(model, document, path, self.problems, plain)
        if head is None or body is None:
            return None
        places = {k: (e.node.line, e.node.column) for k, e in node.value.items()}
        fields = freeze(body.model_dump(by_alias=True))
        at = node.value["id"].node
        return Card(head.id, head.copies, fields, Place(node.file, at.line, at.column), places)

    def refuse_doubles(self, decks: dict[str, Deck]) -> None:
        """Report card ids that stand twice, within a deck or across them."""
        seen: dict[str, Place] = {}
        for deck in decks.values():
            for card in deck.cards:
                if card.id in seen:
                    text = f"the card id '{card.id}' is already used at {seen[card.id]}"
                    problem = Problem(card.place, "duplicate-id", f"{text}; expected a new one")
                    self.problems.append(problem)
                seen.setdefault(card.id, card.place)

    def assemble(
        self,
        told: GameFile,
        head: Document,
        decks: dict[str, Deck],
        tables: dict[str, Record],
        variant: str | None,
    ) -> Game | None:
        """Put the game together and check what its parts say of each other."""
        self.check_head(told, head, decks)
        rules = freeze(told.rules)
        if self.models is not None:
            model = read(self.models.RULES, head, ("rules",), self.problems, told.rules)
            if model is None:
                return None
        if self.problems:
            return None
        game = Game(
            id=told.game,
            title=told.title,
            tagline=told.tagline,
            credit=Credit(tuple(told.designers), told.licence, told.source),
            players=(told.players.fewest, told.players.most),
            minutes=(told.minutes.fewest, told.minutes.most),
            age=told.age,
            theme=told.theme,
            rules=rules,
            decks=tuple(decks[name] for name in told.kit),
            tables=Record(tables),
            variant=variant,
            place=head.place(),
        )
        if self.models is not None:
            self.problems.extend(self.models.check_game(game))
        return game

    def check_head(self, told: GameFile, head: Document, decks: dict[str, Deck]) -> None:
        """Check the names that game.yaml mentions."""
        if told.game != self.game_id:
            text = f"game is '{told.game}'; expected '{self.game_id}', the name of its folder"
            self.problems.append(Problem(head.place("game"), "wrong-id", text))
        if self.workspace.find_layout_file(told.theme) is None:
            place = head.place("theme")
            self.problems.append(self.workspace.missing_layout(told.theme, "theme", place))
        for index, name in enumerate(told.kit):
            if name not in self.named:
                hint = did_you_mean(name, self.named)
                text = f"kit names '{name}', which no file defines{hint}"
                self.problems.append(Problem(head.place("kit", index), "unknown-part", text))
        for name, count in Counter(told.kit).items():
            if count > 1:
                text = f"kit names '{name}' {count} times; expected once"
                self.problems.append(Problem(head.place("kit"), "duplicate-id", text))
        for name, deck in decks.items():
            if name not in told.kit:
                text = f"'{name}' is not in the kit of game.yaml, so it would not be printed"
                self.problems.append(Problem(deck.place, "not-in-kit", text))


def load_sizes(workspace: Workspace, problems: list[Problem]) -> dict[str, Size]:
    """Read the card sizes of layouts/shared/sizes.yaml."""
    from kitwright.load.shared import read_shared

    return {
        name: Size(name, told.width, told.height)
        for name, told in read_shared(workspace, "sizes", problems).items()
    }
