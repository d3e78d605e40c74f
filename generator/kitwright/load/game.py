"""From components/<game>/ to a Game: every file read, laid under its variant, and checked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kitwright.load.boxes import plan_boxes
from kitwright.load.figures import read_figures
from kitwright.load.overlay import apply_variant
from kitwright.load.parts import PartReader
from kitwright.load.reading import read
from kitwright.load.source import Document
from kitwright.load.workspace import Workspace, variant_names, yaml_files
from kitwright.model.components import GameFile, RoundPace, VariantFile
from kitwright.model.game import Credit, Figures, Game, Pace
from kitwright.model.games import models_of
from kitwright.model.record import Record, freeze
from kitwright.problems import InvalidInputError, Place, Problem, did_you_mean

NOT_COMPONENTS = {"game.yaml", "figures.yaml", "rules.yaml"}


def load_game(workspace: Workspace | Path, game_id: str, variant: str | None = None) -> Game:
    """Read a game; every fault of its files is raised together."""
    if isinstance(workspace, Path):
        workspace = Workspace(workspace)
    reader = _GameReader(workspace, game_id)
    game = reader.read(variant)
    if reader.problems or game is None:
        raise InvalidInputError(reader.problems)
    return game


def _pace(told: float | RoundPace | None) -> Pace | None:
    if told is None:
        return None
    return Pace(told.round, "round") if isinstance(told, RoundPace) else Pace(told)


class _GameReader:
    def __init__(self, workspace: Workspace, game_id: str) -> None:
        self.workspace = workspace
        self.game_id = game_id
        self.folder = workspace.components / game_id
        self.problems: list[Problem] = []
        self.models = models_of(game_id)
        self.figures = Figures()
        self.all_read = True  # whether every part could be read so far that its id is known

    def read(self, variant: str | None) -> Game | None:
        """Read all files of the folder, then the variant over them, then check the whole."""
        head = self.read_head()
        parts = self.read_parts()
        overlay = self.read_variant(variant) if variant is not None else None
        if head is not None and overlay is not None:
            apply_variant(head, parts, overlay, self.problems)
        reader = PartReader(self.workspace, self.models, self.problems)
        for document in parts:
            reader.read(document)
        self.figures = read_figures(self.workspace, self.game_id, self.problems)
        if head is None:
            return None
        told = read(GameFile, head, (), self.problems)
        self.check_kit(head, reader)
        rules = head.root.value.get("rules")
        if self.models is not None and (rules is None or isinstance(rules.node.value, dict)):
            data = rules.node.plain() if rules else {}
            read(self.models.RULES, head, ("rules",), self.problems, data)
        return self.assemble(told, head, reader, variant) if told is not None else None

    def read_head(self) -> Document | None:
        """Read game.yaml."""
        path = self.folder / "game.yaml"
        if not path.is_file():
            games = self.workspace.games()
            text = f"the game '{self.game_id}' has no game.yaml; expected one in its folder"
            place = Place(self.workspace.show(path))
            hint = did_you_mean(self.game_id, games)
            self.problems.append(Problem(place, "missing-file", text + hint))
            return None
        return self.workspace.read(path, self.problems)

    def read_parts(self) -> list[Document]:
        """Read every deck, sheet, board and table file, sorted by name."""
        for path in sorted(self.folder.glob("*.yml")):
            text = f"'{path.name}' is not read; expected a name that ends in .yaml; rename it"
            self.problems.append(Problem(Place(self.workspace.show(path)), "wrong-ending", text))
        paths = (path for path in yaml_files(self.folder) if path.name not in NOT_COMPONENTS)
        found = [self.workspace.read(path, self.problems) for path in paths]
        self.all_read = None not in found
        return [document for document in found if document is not None]

    def read_variant(self, name: str) -> Document | None:
        """Read and check the overlay of one variant."""
        path = self.folder / "variants" / f"{name}.yaml"
        known = variant_names(self.workspace, self.game_id)
        if name not in known:
            names = ", ".join(known) or "none, as there are none"
            text = f"the game has no variant '{name}'; expected {names}{did_you_mean(name, known)}"
            place = Place(self.workspace.show(self.folder / "variants"))
            self.problems.append(Problem(place, "unknown-variant", text))
            return None
        document = self.workspace.read(path, self.problems)
        told = read(VariantFile, document, (), self.problems) if document is not None else None
        if document is None or told is None:
            return None
        if told.variant != name:
            text = f"variant is '{told.variant}'; expected '{name}', the name of its file"
            self.problems.append(Problem(document.place("variant"), "wrong-id", text))
        return document

    def assemble(
        self, told: GameFile, head: Document, reader: PartReader, variant: str | None
    ) -> Game | None:
        """Put the game together and check what its parts say of each other."""
        if told.game != self.game_id:
            text = f"game is '{told.game}'; expected '{self.game_id}', the name of its folder"
            self.problems.append(Problem(head.place("game"), "wrong-id", text))
        if self.workspace.find_layout_file(told.theme) is None:
            place = head.place("theme")
            self.problems.append(self.workspace.missing_layout(told.theme, "theme", place))
        boxes = plan_boxes(told, head, reader.decks, self.problems, self.all_read)
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
            rules=freeze(told.rules),
            decks=tuple(reader.decks[name] for name in told.kit),
            tables=Record(reader.tables),
            variant=variant,
            place=head.place(),
            figures=self.figures,
            pace=_pace(told.pace),
            boxes=boxes,
        )
        if self.models is not None:
            self.problems.extend(self.models.check_game(game))
        return game

    def check_kit(self, head: Document, reader: PartReader) -> None:
        """Check that the kit names every part that can be printed, once."""
        kit = head.root.value.get("kit")
        if kit is None or not isinstance(kit.node.value, list):
            return
        names = [str(node.value) for node in kit.node.value]
        printed = {name for name, kind in reader.kinds.items() if kind != "table"}
        for index, name in enumerate(names):
            place = head.place("kit", index)
            if reader.kinds.get(name) == "table":
                text = f"kit names the table '{name}'; expected what is printed by itself"
                self.problems.append(Problem(place, "unknown-part", text))
            elif name not in printed and self.all_read:
                hint = did_you_mean(name, printed)
                text = f"kit names '{name}'; expected the id of a deck, sheet or board{hint}"
                self.problems.append(Problem(place, "unknown-part", text))
        for name, count in Counter(names).items():
            if count > 1:
                text = f"kit names '{name}' {count} times; expected it once"
                self.problems.append(Problem(head.place("kit"), "duplicate-id", text))
        for name in sorted(printed - set(names)):
            kind = reader.kinds[name]
            text = f"the {kind} '{name}' is not printed; expected it in the kit of game.yaml"
            self.problems.append(Problem(reader.named[name], "not-in-kit", text))
