"""From layouts/<game>/<name>.yaml to a Layout with all that it inherits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitwright.formulas import FormulaError
from kitwright.load.reading import Steps, read
from kitwright.load.source import Document, Node
from kitwright.load.workspace import Workspace
from kitwright.model.each import split_each
from kitwright.model.layouts import Box, Draw, Layout, LayoutFile
from kitwright.model.verbs import NESTING, VERBS
from kitwright.problems import Place, Problem, did_you_mean

BLEED, SAFE, CORNER = 3.0, 3.0, 3.0  # mm, where a layout says nothing


class LayoutReader:
    """Reads layouts by name, each once."""

    def __init__(self, workspace: Workspace, problems: list[Problem]) -> None:
        self.workspace = workspace
        self.problems = problems
        self.known: dict[str, Layout | None] = {}

    def read(self, name: str, chain: tuple[str, ...] = ()) -> Layout | None:
        """Return a layout, or None with its faults noted."""
        if name not in self.known:
            self.known[name] = None
            self.known[name] = self._read(name, (*chain, name))
        return self.known[name]

    def _read(self, name: str, chain: tuple[str, ...]) -> Layout | None:
        path = self.workspace.find_layout_file(name)
        if path is None:
            return None
        document = self.workspace.read(path, self.problems)
        if document is None:
            return None
        told = read(LayoutFile, document, (), self.problems)
        draws = self._draws(document, ("draw",)) if "draw" in document.root.value else []
        if told is None:
            return None
        if told.layout != name:
            text = f"layout is '{told.layout}'; expected '{name}', its folder and file name"
            self.problems.append(Problem(document.place("layout"), "wrong-id", text))
        base = self._base(told.extends, document, chain)
        places = {key: document.key_place("boxes", key) for key in told.boxes}
        return _joined(told, base, tuple(draws), places, document.place())

    def _base(self, name: str | None, document: Document, chain: tuple[str, ...]) -> Layout | None:
        if name is None:
            return None
        place = document.place("extends")
        if name in chain:
            circle = " -> ".join((*chain, name))
            self.problems.append(Problem(place, "include-cycle", f"layouts go round: {circle}"))
            return None
        if self.workspace.find_layout_file(name) is None:
            self.problems.append(self.workspace.missing_layout(name, "extends", place))
            return None
        return self.read(name, chain)

    def _draws(self, document: Document, path: Steps) -> list[Draw]:
        nodes = document.node(path).value
        if not isinstance(nodes, list):
            text = "draw is not a list; expected draws that begin with '-'"
            self.problems.append(Problem(document.place(*path), "bad-type", text))
            return []
        found = [self._draw(document, (*path, i), node) for i, node in enumerate(nodes)]
        return [draw for draw in found if draw is not None]

    def _draw(self, document: Document, path: Steps, node: Node) -> Draw | None:
        place = document.place(*path)
        if not isinstance(node.value, dict):
            text = "this draw is not a mapping; expected a verb such as 'fill: {…}'"
            self.problems.append(Problem(place, "bad-type", text))
            return None
        verbs = [key for key in node.value if key in VERBS]
        if len(verbs) != 1:
            self._wrong_verbs(document, path, node, verbs)
            return None
        verb = verbs[0]
        args_path = path if verb == "each" else (*path, verb)
        args = self._args(document, path, verb)
        inner: list[Draw] = []
        if verb in NESTING:
            inner = self._nested(document, path, node, verb)
        if args is None:
            return None
        places = _key_places(document, args_path)
        name_node = node.value.get("name")
        name = str(name_node.node.value) if name_node is not None else ""
        return Draw(verb, args, tuple(inner), name, place, places)

    def _wrong_verbs(self, document: Document, path: Steps, node: Node, verbs: list[str]) -> None:
        if verbs:
            words = " and ".join(f"'{verb}'" for verb in verbs)
            text = f"this draw has {words}; expected one verb; give each its own '-'"
            self.problems.append(Problem(document.place(*path), "unknown-verb", text))
            return
        key = next(iter(node.value), "")
        text = f"unknown verb '{key}'{did_you_mean(key, VERBS)}"
        place = document.key_place(*path, key) if key else document.place(*path)
        self.problems.append(Problem(place, "unknown-verb", text))

    def _args(self, document: Document, path: Steps, verb: str) -> Any:
        model = VERBS[verb]
        if verb == "each":
            plain = document.node(path).plain()
            plain.pop("draw", None)
            plain.pop("name", None)
            args = read(model, document, path, self.problems, plain)
            return args if args is None or self._each(document, path, plain["each"]) else None
        allowed = {verb, "name", "draw"} if verb in NESTING else {verb, "name"}
        for key in document.node(path).value:
            if key not in allowed:
                place = document.key_place(*path, key)
                text = f"unknown key '{key}' beside '{verb}'; expected it inside the verb's braces"
                self.problems.append(Problem(place, "unknown-key", text))
        node = document.node((*path, verb))
        if verb == "group" and node.value is None:
            return model()
        if not isinstance(node.value, dict):
            text = f"{verb} is not a mapping; expected '{verb}: {{…}}'"
            self.problems.append(Problem(document.place(*path, verb), "bad-type", text))
            return None
        return read(model, document, (*path, verb), self.problems)

    def _each(self, document: Document, path: Steps, said: str) -> bool:
        try:
            split_each(said)
        except FormulaError as error:
            self.problems.append(Problem(document.place(*path, "each"), "bad-formula", str(error)))
            return False
        return True

    def _nested(self, document: Document, path: Steps, node: Node, verb: str) -> list[Draw]:
        if "draw" not in node.value:
            text = f"'draw' is missing; expected what this {verb} draws"
            self.problems.append(Problem(document.place(*path), "missing-key", text))
            return []
        return self._draws(document, (*path, "draw"))


def _key_places(document: Document, path: Steps) -> dict[str, Place]:
    node = document.node(path)
    if not isinstance(node.value, dict):
        return {}
    return {
        key: Place(entry.node.file, entry.node.line, entry.node.column)
        for key, entry in node.value.items()
    }


def _joined(
    told: LayoutFile,
    base: Layout | None,
    draws: tuple[Draw, ...],
    places: Mapping[str, Place],
    place: Place,
) -> Layout:
    """Lay a layout over the one it extends: a name given again replaces."""
    if base is None:
        lengths = (BLEED, SAFE, CORNER)
        boxes: dict[str, Box] = {}
        box_places: dict[str, Place] = {}
        inherited: list[Draw] = []
    else:
        lengths = (base.bleed, base.safe, base.corner)
        boxes, box_places = dict(base.boxes), dict(base.box_places)
        inherited = list(base.draws)
    for draw in draws:
        same = [i for i, old in enumerate(inherited) if draw.name and old.name == draw.name]
        if same:
            inherited[same[0]] = draw
        else:
            inherited.append(draw)
    own = (told.bleed, told.safe, told.corner)
    bleed, safe, corner = (
        mine if mine is not None else theirs for mine, theirs in zip(own, lengths, strict=True)
    )
    size = told.size if told.size is not None else base.size if base else None
    return Layout(
        told.layout,
        bleed,
        safe,
        corner,
        {**boxes, **told.boxes},
        {**box_places, **places},
        tuple(inherited),
        size,
        place,
    )
