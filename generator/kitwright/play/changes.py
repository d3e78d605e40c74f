"""What differs between two games: rules, cards and tables, number by number, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from kitwright.model.game import Game


class Change(Struct, frozen=True):
    """One value that is another, new or gone."""

    path: str  # rules.widgets.synth.price, circuits.roll-up.copies
    what: str  # in words: Synth price
    old: str  # empty when it is new
    new: str  # empty when it is gone
    card: str = ""  # the id of the card that it belongs to

    def __str__(self) -> str:
        if not self.old:
            return f"{self.what} {self.new} is new"
        return f"{self.what} {self.old} -> {self.new}" if self.new else f"{self.what} is gone"


def changes(before: Game, after: Game) -> tuple[Change, ...]:
    """Find every value that differs, rules first, then tables and cards."""
    found = list(_between(before.rules, after.rules, "rules", ""))
    old, new = (
        {name: table.get("rows", ()) for name, table in game.tables.items()}
        for game in (before, after)
    )
    found += _between(old, new, "tables", "")
    old_cards, new_cards = _cards(before), _cards(after)
    for key in dict.fromkeys((*old_cards, *new_cards)):
        was, now = old_cards.get(key), new_cards.get(key)
        card = key.partition(".")[2]
        title = str((now or was or {}).get("title") or card)
        if was is None or now is None:
            found.append(
                Change(
                    key, title, "" if was is None else "card", "" if now is None else "card", card
                )
            )
        else:
            found += _between(was, now, key, title, card)
    return tuple(found)


def _cards(game: Game) -> dict[str, dict[str, Any]]:
    return {
        f"{deck.id}.{card.id}": {"copies": card.copies, **card.fields}
        for deck in game.decks
        for card in deck.cards
    }


def _between(old: Any, new: Any, path: str, title: str, card: str = "") -> Iterator[Change]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys((*old, *new)):
            inner = new.get(key, old.get(key))
            named = inner.get("title") if isinstance(inner, Mapping) else None
            yield from _between(
                old.get(key), new.get(key), f"{path}.{key}", str(named) if named else title, card
            )
    elif isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for at, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _between(was, now, f"{path}.{at}", title, card)
    else:
        yield Change(path, _words(path, title), _shown(old), _shown(new), card)


def _words(path: str, title: str) -> str:
    """Name a value: whose it is, and its last steps."""
    steps = path.split(".")
    last = [steps[-1]] if not steps[-1].isdecimal() else [steps[-2], str(int(steps[-1]) + 1)]
    return " ".join([title, *last] if title else last).replace("_", " ")


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_shown(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
