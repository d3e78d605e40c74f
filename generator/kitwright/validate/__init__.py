"""Whole-model checks that yield Problems; changes nothing, opens nothing, draws nothing.

Every draw is looked at, also those that no card asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kitwright.model.game import Deck, Game
from kitwright.model.layouts import Layout
from kitwright.model.svg import Svg
from kitwright.model.theme import Theme
from kitwright.problems import Problem
from kitwright.validate.draws import DrawChecker
from kitwright.validate.lookups import ANYTHING, Scope

STANDARD = "standard"


def validate(
    game: Game,
    theme: Theme,
    layouts: Callable[[str], Layout | None],
    icons: Mapping[str, Svg],
    skin: str = STANDARD,
) -> list[Problem]:
    """Check what the parts of a game say of each other."""
    found: dict[Problem, None] = {}
    about = game.as_context()
    for deck in game.decks:
        known = {"game": about, "deck": _about(deck), "skin": skin, "card": _card(deck)}
        scope = Scope({**known, "figures": game.figures.values})
        for name in (deck.layout, deck.back):
            layout = layouts(theme.replace.get(name, name)) if name is not None else None
            if layout is not None:
                checker = DrawChecker(theme, layouts, icons)
                checker.check_layout(layout, scope)
                found.update(dict.fromkeys(checker.problems))
    told = {(p.code, p.message): p for p in sorted(found, reverse=True) if p.warning}
    return sorted([*(problem for problem in found if not problem.warning), *told.values()])


def _about(deck: Deck) -> dict[str, object]:
    return {"id": deck.id, "title": deck.title, "count": deck.count, "data": deck.data}


def _card(deck: Deck) -> dict[str, object]:
    """Return the names of a deck's fields; what they hold differs from card to card."""
    names = {name: None for card in deck.cards for name in card.fields}
    return dict.fromkeys((*names, "id", "copies"), ANYTHING)
