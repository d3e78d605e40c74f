"""Lay a variant over a game: a change to the nodes, so that each keeps its own place.

Nodes may be shared by aliases, so none is changed: those on the way to a change are made anew.
"""

from __future__ import annotations

from collections.abc import Mapping

from kitwright.formulas import describe
from kitwright.load.source import Document, Entry, Node
from kitwright.problems import Place, Problem, did_you_mean

REPLACED = ("players", "minutes")
PRINTED = ("deck", "sheet", "board")


def apply_variant(
    head: Document, parts: list[Document], overlay: Document, problems: list[Problem]
) -> None:
    """Change the game's documents as the variant says."""
    changes: dict[str, Entry] = overlay.root.value
    for key in REPLACED:
        if key in changes:
            head.root = _with(head.root, key, changes[key])
    if "rules" in changes:
        head.root = _merged_key(head.root, "rules", changes["rules"], "the game", problems)
    for section, kinds in (("decks", PRINTED), ("tables", ("table",))):
        if section not in changes:
            continue
        named = {_part_id(part, kinds): part for part in parts}
        named.pop("", None)
        for name, entry in changes[section].node.value.items():
            if name not in named:
                text = f"the game has no '{name}' among its {section}; {_among(name, named)}"
                problems.append(Problem(_key_place(entry), "unknown-part", text))
            elif section == "tables":
                for key, change in entry.node.value.items():
                    named[name].root = _with(named[name].root, key, change)
            else:
                _change_part(named[name], name, entry.node, problems)


def _part_id(part: Document, kinds: tuple[str, ...]) -> str:
    for kind in kinds:
        if kind in part.root.value:
            return str(part.root.value[kind].node.value)
    return ""


def _change_part(part: Document, name: str, change: Node, problems: list[Problem]) -> None:
    kind = next(kind for kind in PRINTED if kind in part.root.value)
    strange = ("copies",) if kind == "deck" else ("cards", "add", "remove", "total")
    for key in ("title", "total", "copies", "data", "cards", "remove", "add"):
        entry = change.value.get(key)
        if entry is None:
            continue
        if key in strange:
            known = "title, total, cards, add, remove, data"
            known = known if kind == "deck" else "title, copies, data"
            text = f"'{name}' is a {kind}, which has no '{key}'; expected one of {known}"
            problems.append(Problem(_key_place(entry), "unknown-key", text))
        elif key == "data":
            part.root = _merged_key(part.root, key, entry, f"the {kind} '{name}'", problems)
        elif key in ("title", "total", "copies"):
            part.root = _with(part.root, key, entry)
        elif isinstance(cards := part.node(("cards",)).value, list):
            changed = _change_cards(key, cards, entry.node, name, problems)
            at = part.node(("cards",))
            part.root = _with_node(part.root, "cards", _like(at, changed))


def _change_cards(
    key: str, cards: list[Node], change: Node, deck: str, problems: list[Problem]
) -> list[Node]:
    if key == "add":
        return [*cards, *change.value]
    known = {_card_id(card): index for index, card in enumerate(cards)}
    known.pop("", None)
    changed: list[Node | None] = list(cards)
    if key == "remove":
        for name in change.value:
            place = Place(name.file, name.line, name.column)
            if _is_card(str(name.value), known, deck, place, problems):
                changed[known[str(name.value)]] = None
        return [card for card in changed if card is not None]
    for card_id, entry in change.value.items():
        if _is_card(card_id, known, deck, _key_place(entry), problems):
            old = cards[known[card_id]]
            changed[known[card_id]] = _like(old, {**old.value, **entry.node.value})
    return [card for card in changed if card is not None]


def _card_id(card: Node) -> str:
    return str(card.value["id"].node.value) if _has_id(card) else ""


def _has_id(card: Node) -> bool:
    return isinstance(card.value, dict) and "id" in card.value


def _is_card(
    card_id: str, known: Mapping[str, int], deck: str, place: Place, problems: list[Problem]
) -> bool:
    if card_id in known:
        return True
    hint = did_you_mean(card_id, known)
    text = f"the deck '{deck}' has no card '{card_id}'; expected the id of one of its cards{hint}"
    problems.append(Problem(place, "unknown-card", text))
    return False


def _merged_key(target: Node, key: str, change: Entry, whose: str, problems: list[Problem]) -> Node:
    """Change what stands under a key; a variant names only what is there already."""
    old: Entry | None = target.value.get(key)
    if old is None:
        text = f"{whose} has no '{key}' to change; expected changes of what it has"
        problems.append(Problem(_key_place(change), "unknown-key", text))
        return target
    return _with_node(target, key, _merged(old.node, change.node, key, problems))


def _merged(old: Node, change: Node, name: str, problems: list[Problem]) -> Node:
    if isinstance(old.value, dict) and isinstance(change.value, dict):
        for key, entry in change.value.items():
            if key not in old.value:
                text = f"{name} has no '{key}' to change; {_among(key, old.value)}"
                problems.append(Problem(_key_place(entry), "unknown-key", text))
                continue
            node = _merged(old.value[key].node, entry.node, key, problems)
            old = _with_node(old, key, node)
        return old
    if old.value is not None and _kind(old) != _kind(change):
        found = f"{name} is {describe(change.plain())}"
        text = f"{found}; expected {_kind(old)}, as the game has it"
        problems.append(Problem(Place(change.file, change.line, change.column), "bad-type", text))
    return change


def _kind(node: Node) -> str:
    match node.value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return "a value"


def _with(target: Node, key: str, change: Entry) -> Node:
    return _like(target, {**target.value, key: change})


def _with_node(target: Node, key: str, node: Node) -> Node:
    old: Entry = target.value[key]
    return _with(target, key, Entry(old.file, old.line, old.column, node))


def _like(node: Node, value: object) -> Node:
    return Node(value, node.file, node.line, node.column)


def _among(wrong: str, known: Mapping[str, object]) -> str:
    names = ", ".join(known) or "nothing"
    return f"expected one of {names}{did_you_mean(wrong, known)}"


def _key_place(entry: Entry) -> Place:
    return Place(entry.file, entry.line, entry.column)
