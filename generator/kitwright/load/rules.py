"""From rules.md, rules.yaml and the rulebook's theme to what the rulebook is made of."""

from __future__ import annotations

from kitwright.load.reading import read
from kitwright.load.source import decode
from kitwright.load.themes import load_theme
from kitwright.load.workspace import Workspace, variant_names
from kitwright.model.components import VariantFile
from kitwright.model.game import Game
from kitwright.model.record import Record
from kitwright.model.rulebook import RulesFile, RulesSource
from kitwright.model.theme import Theme
from kitwright.problems import Place, Problem

SHARED_DRESS = "shared/rulebook"


def load_rules(workspace: Workspace, game: Game, problems: list[Problem]) -> RulesSource | None:
    """Read the rulebook of a game; None when it has no rules.md, or with its faults noted."""
    folder = workspace.components / game.id
    path = folder / "rules.md"
    if not path.is_file():
        return None
    file = workspace.show(path)
    raw = workspace.read_bytes(path, problems)
    text = decode(raw, file, problems) if raw is not None else None
    document, told = None, RulesFile(rulebook=game.id)
    beside = folder / "rules.yaml"
    if beside.is_file():
        document = workspace.read(beside, problems)
        found = read(RulesFile, document, (), problems) if document else None
        told = found or told
    if document is not None and told.rulebook != game.id:
        said = f"rulebook is '{told.rulebook}'; expected '{game.id}', the name of its folder"
        problems.append(Problem(document.place("rulebook"), "wrong-id", said))
    dress = _dress(workspace, game.id, problems)
    if text is None or dress is None:
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    at = document.place if document is not None else lambda *_: Place(file)
    return RulesSource(file, lines, told, at, dress, _variants(workspace, game.id))


def _dress(workspace: Workspace, game_id: str, problems: list[Problem]) -> Theme | None:
    """Read the game's own theme for its rulebook; what it leaves out is the shared one's."""
    shared = load_theme(workspace, SHARED_DRESS, problems)
    name = f"{game_id}/rulebook"
    if shared is None or workspace.find_layout_file(name) is None:
        return shared
    own = load_theme(workspace, name, problems)
    if own is None:
        return None
    return Theme(
        own.name,
        {**shared.colors, **own.colors},
        {**shared.gradients, **own.gradients},
        {**shared.lines, **own.lines},
        {**shared.styles, **own.styles},
        {**shared.fonts, **own.fonts},
        own.replace,
    )


def _variants(workspace: Workspace, game_id: str) -> tuple[Record, ...]:
    """Read the names of the variants; their faults are told when they are built."""
    folder = workspace.components / game_id / "variants"
    found = []
    for name in variant_names(workspace, game_id):
        document = workspace.read(folder / f"{name}.yaml", [])
        told = read(VariantFile, document, (), []) if document else None
        if told is not None:
            found.append(Record(id=name, title=told.title, about=told.about))
    return tuple(found)
