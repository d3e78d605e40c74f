"""Lay a variant over a game: a change to the nodes, so that each keeps its own place."""

from __future__ import annotations

from kitwright.load.source import Document, Entry, Node
from kitwright.problems import Place, Problem, did_you_mean

GAME_KEYS = ("players", "minutes", "rules")


def apply_variant(
    head: Document, parts: list[Document], overlay: Document, problems: list[Problem]
) -> None:
    """Change the nodes of the game's files as the variant says."""
    changes: dict[str, Entry] = overlay.root.value
    for key in GAME_KEYS:
        if key in changes:
            _merge_key(head.root, key, changes[key])
    for section, kinds in (("decks", ("deck", "sheet", "board")), ("tables", ("table",))):
        if section not in changes:
            continue
        named = {_part_id(part, kinds): part for part in parts}
        named.pop("", None)
        for name, entry in changes[section].node.value.items():
            if name not in named:
                text = f"the game has no '{name}' among its {section}{did_you_mean(name, named)}"
                problems.append(Problem(_place(entry), "unknown-part", text))
                continue
            _change_part(named[name], entry.node, problems)


def _part_id(part: Document, kinds: tuple[str, ...]) -> str:
    for kind in kinds:
        if kind in part.root.value:
            return str(part.root.value[kind].node.value)
    return ""


def _change_part(part: Document, change: Node, problems: list[Problem]) -> None:
    for key, entry in change.value.items():
        if key == "cards":
            _change_cards(part, entry.node, problems)
        elif key == "add":
            part.node(("cards",)).value.extend(entry.node.value)
        elif key == "remove":
            _remove_cards(part, entry.node, problems)
        else:
            _merge_key(part.root, key, entry)


def _change_cards(part: Document, change: Node, problems: list[Problem]) -> None:
    cards = _cards(part)
    for card_id, entry in change.value.items():
        if card_id not in cards:
            text = f"the deck has no card '{card_id}'{did_you_mean(card_id, cards)}"
            problems.append(Problem(_place(entry), "unknown-card", text))
            continue
        for key, value in entry.node.value.items():
            cards[card_id].value[key] = value


def _remove_cards(part: Document, names: Node, problems: list[Problem]) -> None:
    cards = _cards(part)
    for name in names.value:
        if name.value not in cards:
            text = f"the deck has no card '{name.value}'{did_you_mean(str(name.value), cards)}"
            place = Place(name.file, name.line, name.column)
            problems.append(Problem(place, "unknown-card", text))
            continue
        part.node(("cards",)).value.remove(cards[name.value])


def _cards(part: Document) -> dict[str, Node]:
    found = {}
    for node in part.node(("cards",)).value:
        if isinstance(node.value, dict) and "id" in node.value:
            found[str(node.value["id"].node.value)] = node
    return found


def _merge_key(target: Node, key: str, change: Entry) -> None:
    """Replace a value, or go into it where both are mappings."""
    old = target.value.get(key)
    if old is not None and isinstance(old.node.value, dict) and isinstance(change.node.value, dict):
        for inner, entry in change.node.value.items():
            _merge_key(old.node, inner, entry)
    else:
        target.value[key] = change


def _place(entry: Entry) -> Place:
    return Place(entry.file, entry.line, entry.column)
