"""From layouts/<game>/<name>.yaml to a Layout with all that it inherits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kitwright.formulas import FormulaError, describe
from kitwright.load.reading import Steps, read
from kitwright.load.source import Document, Node
from kitwright.load.workspace import Workspace
from kitwright.model.each import split_each
from kitwright.model.late import Late
from kitwright.model.layouts import Box, Draw, Layout, LayoutFile
from kitwright.model.verbs import NESTING, VERBS, Use
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
        if "theme" in document.root.value and "layout" not in document.root.value:
            text = f"'{name}' is a theme; expected a layout, which begins with 'layout:'"
            self.problems.append(Problem(document.place(), "unknown-kind", text))
            return None
        told = read(LayoutFile, document, (), self.problems)
        draws = self._draws(document, ("draw",)) if "draw" in document.root.value else []
        self._refuse_doubles(draws)
        for draw in _flat(draws):
            self._used(draw, chain)
        if told is None:
            return None
        if told.layout != name:
            text = f"layout is '{told.layout}'; expected '{name}', its folder and file name"
            self.problems.append(Problem(document.place("layout"), "wrong-id", text))
        base = self._base(told.extends, document, chain)
        if told.extends is not None and base is None:  # half a layout would seem to have faults
            return None
        places = {key: document.key_place("boxes", key) for key in told.boxes}
        return _joined(told, base, tuple(draws), places, document.place())

    def _base(self, name: str | None, document: Document, chain: tuple[str, ...]) -> Layout | None:
        if name is None:
            return None
        place = document.place("extends")
        if name in chain:
            self.problems.append(_circle(place, chain, name))
            return None
        if self.workspace.find_layout_file(name) is None:
            self.problems.append(self.workspace.missing_layout(name, "extends", place))
            return None
        return self.read(name, chain)

    def _used(self, draw: Draw, chain: tuple[str, ...]) -> None:
        """Read the layout that a `use` names, with its own faults."""
        if not isinstance(draw.args, Use) or isinstance(draw.args.layout, Late):
            return
        name, place = draw.args.layout, draw.at("layout")
        if name in chain:
            self.problems.append(_circle(place, chain, name))
        elif self.workspace.find_layout_file(name) is None:
            self.problems.append(self.workspace.missing_layout(name, "layout", place))
        else:
            self.read(name, chain)

    def _refuse_doubles(self, draws: list[Draw]) -> None:
        seen: dict[str, Place] = {}
        for draw in draws:
            if draw.name and draw.name in seen:
                at = seen[draw.name]
                text = f"the name '{draw.name}' is already used at {at.line}:{at.column}"
                text += "; expected a new one"
                self.problems.append(Problem(draw.place, "duplicate-id", text))
            seen.setdefault(draw.name, draw.place)

    def _draws(self, document: Document, path: Steps) -> list[Draw]:
        nodes = document.node(path).value
        if not isinstance(nodes, list):
            if path == ("draw",):  # already told with the rest of the file
                return []
            text = f"draw is {describe(document.node(path).plain())}; expected a list of draws"
            self.problems.append(Problem(document.place(*path), "bad-type", text))
            return []
        found = [self._draw(document, (*path, i), node) for i, node in enumerate(nodes)]
        return [draw for draw in found if draw is not None]

    def _draw(self, document: Document, path: Steps, node: Node) -> Draw | None:
        place = document.place(*path)
        if not isinstance(node.value, dict):
            text = f"the draw is {describe(node.plain())}; expected a verb such as 'fill: {{…}}'"
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
        name = name_node.node.value if name_node is not None else ""
        if not isinstance(name, str):
            text = f"name is {describe(name)}; expected text; quote it"
            self.problems.append(Problem(document.place(*path, "name"), "bad-type", text))
            return None
        return Draw(verb, args, tuple(inner), name, place, places)

    def _wrong_verbs(self, document: Document, path: Steps, node: Node, verbs: list[str]) -> None:
        if verbs:
            words = " and ".join(f"'{verb}'" for verb in verbs)
            text = f"the draw has {words}; expected one verb; give each a '-' of its own"
            self.problems.append(Problem(document.place(*path), "unknown-verb", text))
            return
        keys = [key for key in node.value if key not in ("name", "draw")]
        key = keys[0] if keys else ""
        found = f"the verb '{key}' is unknown" if key else "the draw has no verb"
        text = f"{found}; expected one of {', '.join(VERBS)}{did_you_mean(key, VERBS)}"
        place = document.key_place(*path, key) if key else document.place(*path)
        self.problems.append(Problem(place, "unknown-verb", text))

    def _args(self, document: Document, path: Steps, verb: str) -> Any:
        model = VERBS[verb]
        node = document.node(path)
        if verb == "each":
            before = len(self.problems)
            self._refuse_empty(node, ("name", "draw"))
            plain = node.plain()
            plain.pop("draw", None)
            plain.pop("name", None)
            args = read(model, document, path, self.problems, plain, "", ("draw", "name"))
            good = args is None or self._each(document, path, plain["each"])
            return args if good and len(self.problems) == before else None
        allowed = (verb, "name", "draw") if verb in NESTING else (verb, "name")
        for key in node.value:
            if key not in allowed:
                place = document.key_place(*path, key)
                text = f"the key '{key}' stands beside '{verb}'; expected it inside its braces"
                self.problems.append(Problem(place, "unknown-key", text))
        node = document.node((*path, verb))
        if verb == "group" and node.value is None:
            return model()
        if not isinstance(node.value, dict):
            text = f"{verb} is {describe(node.plain())}; expected '{verb}: {{…}}'"
            self.problems.append(Problem(document.place(*path, verb), "bad-type", text))
            return None
        before = len(self.problems)
        self._refuse_empty(node)
        args = read(model, document, (*path, verb), self.problems)
        return args if len(self.problems) == before else None

    def _refuse_empty(self, node: Node, but: tuple[str, ...] = ()) -> None:
        """Refuse `box:` without a value, which YAML reads as a box called nothing."""
        known = {problem.place for problem in self.problems}
        for key, entry in node.value.items():
            place = Place(entry.node.file, entry.node.line, entry.node.column)
            if entry.node.value is None and key not in but and place not in known:
                text = f"{key} is empty; expected a value, or no '{key}' at all"
                self.problems.append(Problem(place, "bad-type", text))

    def _each(self, document: Document, path: Steps, said: str) -> bool:
        try:
            split_each(said)
        except FormulaError as error:
            text = str(error)
            text = f"each {text}" if text.startswith(("is ", "names ")) else f"each: {text}"
            self.problems.append(Problem(document.place(*path, "each"), "bad-formula", text))
            return False
        return True

    def _nested(self, document: Document, path: Steps, node: Node, verb: str) -> list[Draw]:
        if "draw" not in node.value:
            text = f"'draw' is missing; expected the list of what the {verb} draws"
            self.problems.append(Problem(document.place(*path), "missing-key", text))
            return []
        return self._draws(document, (*path, "draw"))


def _flat(draws: Iterable[Draw]) -> Iterator[Draw]:
    for draw in draws:
        yield draw
        yield from _flat(draw.draws)


def _circle(place: Place, chain: tuple[str, ...], name: str) -> Problem:
    circle = " -> ".join((*chain[chain.index(name) :], name))
    text = f"layouts go round: {circle}; expected an end; take one of them out"
    return Problem(place, "include-cycle", text)


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
