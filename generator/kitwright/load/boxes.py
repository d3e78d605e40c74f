"""Boxes for cards: which decks share one, how thick stock is, which layouts dress the panels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from kitwright.load.reading import read
from kitwright.load.source import Document
from kitwright.load.workspace import Workspace
from kitwright.model.box import PANELS, BoxDress, BoxPlan, Stock
from kitwright.model.components import GameFile, Id, Strict
from kitwright.model.game import Deck, Game
from kitwright.model.lengths import Natural
from kitwright.model.theme import Theme
from kitwright.problems import Place, Problem, did_you_mean

ROWS = ("card", "sleeve", "ease", "least")


class StockRow(Strict):
    """A figure of the stock, and who says so."""

    thickness: Annotated[Natural, Field(le=10, description="the thickness, such as 0.3mm")]
    width: Annotated[Natural, Field(le=10, description="what it adds to the width")] = 0.0
    height: Annotated[Natural, Field(le=10, description="what it adds to the height")] = 0.0
    source: Annotated[str, Field(min_length=1, description="who says so")]


class StockFile(Strict):
    """layouts/shared/stock.yaml."""

    stock: Annotated[
        dict[Id, StockRow],
        Field(description="card, sleeve, ease and least, each with its figures"),
    ]


def load_boxes(
    workspace: Workspace, game: Game, theme: Theme, plain: Theme, problems: list[Problem]
) -> BoxDress | None:
    """Read what the boxes of a game are made of; None when it has none, or with faults noted."""
    if not game.boxes:
        return None
    stock = _load_stock(workspace, problems)
    layouts = {panel: _layout_of(workspace, game.id, panel) for panel in PANELS}
    return BoxDress(stock, _dressed(theme, plain), layouts) if stock is not None else None


def plan_boxes(
    told: GameFile,
    head: Document,
    decks: Mapping[str, Deck],
    problems: list[Problem],
    all_read: bool,
) -> tuple[BoxPlan, ...]:
    """Return the boxes that game.yaml asks for; a deck may be missing unless all were read."""
    cards = {name: deck for name, deck in decks.items() if deck.kind == "deck"}
    found = []
    seen: dict[str, str] = {}
    for name, box in told.boxes.items():
        for index, deck_id in enumerate(box.decks):
            place = head.place("boxes", name, "decks", index)
            if deck_id not in cards and all_read:
                hint = did_you_mean(deck_id, cards)
                said = f"the box '{name}' names '{deck_id}'; expected the id of a deck{hint}"
                problems.append(Problem(place, "unknown-part", said))
            elif deck_id in seen:
                said = f"the deck '{deck_id}' is in the box '{seen[deck_id]}' already"
                problems.append(Problem(place, "duplicate-id", said + "; expected it in one box"))
            seen[deck_id] = name
        there = tuple(deck_id for deck_id in box.decks if deck_id in cards)
        title = box.title or " and ".join(cards[deck_id].title for deck_id in there)
        found.append(BoxPlan(name, title, there, box.stacks, head.place("boxes", name)))
    return tuple(found)


def _load_stock(workspace: Workspace, problems: list[Problem]) -> Stock | None:
    rows: dict[str, StockRow] = {}
    for base in reversed(workspace.layouts):
        path = base / "shared" / "stock.yaml"
        document = workspace.read(path, problems) if path.is_file() else None
        told = read(StockFile, document, (), problems) if document is not None else None
        if document is not None and told is not None:
            for name in told.stock:
                if name not in ROWS:
                    said = f"stock has no '{name}'; expected one of {', '.join(ROWS)}"
                    said += did_you_mean(name, ROWS)
                    problems.append(Problem(document.place("stock", name), "unknown-key", said))
            rows.update(told.stock)
    missing = [name for name in ROWS if name not in rows]
    if missing:
        said = f"the file has no {', '.join(missing)}; expected {', '.join(ROWS)}"
        problems.append(Problem(Place("layouts/shared/stock.yaml"), "missing-file", said))
        return None
    card, sleeve, ease, least = (rows[name] for name in ROWS)
    return Stock(
        card.thickness, sleeve.thickness, sleeve.width, sleeve.height,
        ease.thickness, ease.width, ease.height, least.thickness,
    )  # fmt: skip


def _layout_of(workspace: Workspace, game_id: str, panel: str) -> str:
    """Name the layout of a panel: the game's own, or the one that all games share."""
    names = [f"{game_id}/box-{panel}"]
    if panel in ("left", "right"):
        names.append(f"{game_id}/box-side")
    own = next((name for name in names if workspace.find_layout_file(name)), None)
    return own or f"shared/box-{'side' if panel in ('left', 'right') else panel}"


def _dressed(theme: Theme, plain: Theme) -> Theme:
    """Return the game's theme; what it has no name for is the plain one's."""
    return Theme(
        theme.name,
        {**plain.colors, **theme.colors},
        {**plain.gradients, **theme.gradients},
        {**plain.lines, **theme.lines},
        {**plain.styles, **theme.styles},
        {**plain.fonts, **theme.fonts},
        theme.replace,
    )
