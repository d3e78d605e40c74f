"""The layouts of a game's boxes against their theme, the icons and what a panel may look up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kitwright.model.box import FACE, BoxDress
from kitwright.model.game import Game
from kitwright.model.layouts import Layout
from kitwright.model.svg import Svg
from kitwright.problems import Problem
from kitwright.validate.draws import DrawChecker
from kitwright.validate.lookups import ANYTHING, Scope

KNOWN = (  # what `box` is for the layout of a panel
    *("id", "title", "panel", "count", "decks", "back", "part", "parts", "sleeved"),
    *("width", "height", "depth"),
)
NO_ICON = Svg((0.0, 0.0, 1.0, 1.0), ())  # a face has colours of its own


def validate_panels(
    game: Game,
    dress: BoxDress,
    layouts: Callable[[str], Layout | None],
    icons: Mapping[str, Svg],
    skin: str,
) -> list[Problem]:
    """Check the layout of every panel."""
    known = {"game": game.as_context(), "skin": skin, "figures": game.figures.values}
    scope = Scope({**known, "box": dict.fromkeys(KNOWN, ANYTHING)})
    found: dict[Problem, None] = {}
    shown = {**icons, **dict.fromkeys(_faces(game), NO_ICON)}
    for name in dict.fromkeys(dress.layouts.values()):
        layout = layouts(dress.theme.replace.get(name, name))
        if layout is not None:
            checker = DrawChecker(dress.theme, layouts, shown)
            checker.check_layout(layout, scope)
            found.update(dict.fromkeys(checker.problems))
    return sorted(found)


def _faces(game: Game) -> Iterator[str]:
    """Name the faces that a panel may show."""
    for deck in game.decks:
        yield from (f"{FACE}{deck.id}/{card.id}" for card in deck.cards)
        if deck.back is not None:
            yield f"{FACE}{deck.id}/back"
            yield from (f"{FACE}{deck.id}/{card.id}-back" for card in deck.cards)
