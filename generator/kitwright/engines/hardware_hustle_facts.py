"""What Hardware Hustle works out for its layouts: phases, spreadsheets, sample, roll table."""

from __future__ import annotations

from typing import Any

from kitwright.engines.hardware_hustle import Box
from kitwright.engines.hardware_hustle_rolls import roll_table
from kitwright.engines.hardware_hustle_sheet import (
    PHASES,
    Day,
    RecordError,
    blank_turns,
    filled_turns,
    final_levels,
    handwriting,
    money_line,
    replay,
    told,
)
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import ACTIONS, Rules, rules_of
from kitwright.problems import InvalidInputError, Problem

SAMPLE = "sample"
MINUS = "−"  # noqa: RUF001  # a true minus


def facts(game: Game) -> dict[str, Any]:
    """Work out what the layouts of the game show."""
    rules = rules_of(game)
    return {
        "phases": phases(rules),
        "turns": blank_turns(Box(rules)),
        "sample": _sample(game, Box(rules)),
        "rolls": roll_table(game),
        "glossary": _glossary(rules),
    }


def phases(rules: Rules) -> tuple[dict[str, Any], ...]:
    """Return the rows of the Phases table: what is moved, its costs by level, what it brings."""
    buy = [
        _phase_row("+", name, part.buy, f"{MINUS}{part.price} :money:")
        for name, part in rules.parts.items()
    ]
    make, sell = [], []
    for name, widget in rules.widgets.items():
        used = "".join(f":{part}:" for part in widget.parts)
        needs = ", ".join(rules.parts[part].title for part in widget.parts)
        make.append({**_phase_row("+", name, widget.make, f"{MINUS}{used}"), "needs": needs})
        sell.append(_phase_row(MINUS, name, widget.sell, f"+{widget.price} :money:"))
    named = (("buy", buy), ("make", make), ("sell", sell))
    return tuple({"name": name, "rows": tuple(rows)} for name, rows in named)


def _phase_row(sign: str, name: str, costs: tuple[int, ...], effect: str) -> dict[str, Any]:
    return {"sign": sign, "icon": name, "costs": costs, "effect": effect}


def _sample(game: Game, box: Box) -> dict[str, Any]:
    """Replay the recorded game of the sample sheet; {} for a kit without one."""
    card = next((c for deck in game.decks for c in deck.cards if c.id == SAMPLE), None)
    if card is None:
        return {}
    try:
        days = replay(game, card.fields["record"])
    except RecordError as error:
        raise InvalidInputError([Problem(card.at("record"), "wrong-sample", str(error))]) from None
    return {
        "turns": filled_turns(box, days),
        "line": money_line(box, days),
        "levels": final_levels(days),
        "steps": tuple(told(days[0])),
        "days": tuple(_day(number, day) for number, day in enumerate(days, 1)),
        "total": handwriting(days[-1].figures["money"][-1] or 0),
    }


def _day(number: int, day: Day) -> dict[str, Any]:
    """Return a turn as the rulebook tells it."""
    figures = {row: dict(zip(PHASES, cells, strict=True)) for row, cells in day.figures.items()}
    did = dict(zip(ACTIONS, day.did, strict=True))
    return {"number": number, "rolls": day.rolls, "did": did, "research": day.research, **figures}


def _glossary(rules: Rules) -> dict[str, Any]:
    """Return all icons with their names, in two columns."""
    titles = {name: part.title for name, part in rules.parts.items()}
    titles |= {name: widget.title for name, widget in rules.widgets.items()}
    named = [{"icon": name, "title": title} for name, title in titles.items()]
    more = ("money", "opportunity", "roll", "research", "burnout")
    items = (*named, *({"icon": name, "title": name.title()} for name in more))
    half = -(-len(items) // 2)
    return {"first": items[:half], "second": items[half:]}
