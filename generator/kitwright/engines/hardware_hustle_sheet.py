"""What the sheet of Hardware Hustle shows: its empty cells, and a recorded game written into them.

The record is replayed by the engine, move by move, and every figure on the sample
comes from there; what the record itself claims must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import Any

from msgspec import Struct

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.hardware_hustle import Box, Do, Done, HardwareHustleEngine, Research, Rest
from kitwright.engines.hardware_hustle import State as Table
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import ACTIONS

PHASES = ("am", *ACTIONS, "pm")
# The sign before each column's figure; None is a grey cell that is never written.
SIGNS: Mapping[str, tuple[str | None, ...]] = {
    "money": ("", "−", None, "+", "="),  # noqa: RUF001  # a true minus
    "parts": ("", "+", "−", None, "="),  # noqa: RUF001
    "widgets": ("", None, "+", "−", "="),  # noqa: RUF001
    "opportunity": ("", "−", "−", "−", "="),  # noqa: RUF001
}


class RecordError(ValueError):
    """A recorded game that the rules do not allow, or that claims a wrong figure."""


class Day(Struct, frozen=True):
    """One turn as it was played: the figures of every row, column by column."""

    rolls: tuple[int, ...]
    figures: Mapping[str, tuple[int | None, ...]]  # by row, for AM, Buy, Make, Sell and PM
    did: tuple[Mapping[str, int], ...]  # what was bought, made and sold
    research: str  # buy, make or sell; "failed", or nothing when there was no roll
    rested: bool = False


def rows_of(box: Box) -> tuple[tuple[str, str, int], ...]:
    """Return each row's name, its group and its number in the group."""
    groups = (
        ("money", ("money",)),
        ("parts", box.parts),
        ("widgets", box.widgets),
        ("opportunity", ("opportunity",)),
    )
    return tuple((name, group, at) for group, names in groups for at, name in enumerate(names))


def replay(game: Game, record: tuple[Mapping[str, Any], ...]) -> tuple[Day, ...]:
    """Play a recorded solo game; raise RecordError where it breaks a rule or claims amiss."""
    engine = HardwareHustleEngine(game)
    # A turn that was lost rolls nothing, but its dice have their places.
    dice = tuple(
        roll
        for turn in record
        for roll in (*turn.get("rolls", ()), *(1,) * 4)[:4]
    )  # fmt: skip
    state, days = engine.new_game(1, Random(0), dice), []
    for number, turn in enumerate(record, 1):
        try:
            state, day = _play(state, turn)
        except IllegalMoveError as error:
            raise RecordError(f"turn {number} of the sample: {error}") from None
        for row, said in turn.get("ends", {}).items():
            if row not in day.figures:
                raise RecordError(f"turn {number} of the sample ends with '{row}'; {_rows(day)}")
            if day.figures[row][-1] != said:
                raise RecordError(
                    f"turn {number} of the sample ends with {row} {said}; "
                    f"the rules make it {day.figures[row][-1]}"
                )
        days.append(day)
    if not state.is_over():
        raise RecordError(f"the sample has {len(record)} turns; expected {state.box.turns}")
    return tuple(days)


def _rows(day: Day) -> str:
    return f"expected one of {', '.join(day.figures)}"


def _play(state: Table, turn: Mapping[str, Any]) -> tuple[Table, Day]:
    """Play one turn and keep what each column of its spreadsheet says."""
    before = _stock(state)
    if turn.get("rest", False):
        rested = state.apply(Rest())
        lost: Mapping[str, tuple[int | None, ...]] = dict.fromkeys(before, (None,) * 5)
        return rested, Day((), lost, ({}, {}, {}), "", rested=True)
    columns, did, here = [before], [], state
    for action in ACTIONS:
        counts = dict(turn.get(action, {}))
        for what, count in counts.items():
            for _ in range(count):
                here = here.apply(Do(action, what))
        columns.append(_stock(here))
        did.append(counts)
        rolled = here
        here = here.apply(Done())
    after = columns[-1]
    research = _research(rolled, here, turn)
    if here.turn == state.turn:
        here = here.apply(Research(research) if research in ACTIONS else Done())
    figures = {
        row: (before[row], *(abs(b[row] - a[row]) for a, b in pairwise(columns)), after[row])
        for row in before
    }
    return here, Day(tuple(turn["rolls"]), figures, tuple(did), research)


def _research(sold: Table, here: Table, turn: Mapping[str, Any]) -> str:
    """Tell what came of the research of a turn, whose Sell ended with `sold`."""
    wanted = str(turn.get("research", ""))
    succeeded = here.turn == sold.turn
    if wanted and not succeeded:
        raise IllegalMoveError(f"research {wanted}: the roll for it fails")
    if succeeded:
        return wanted
    last = sold.day == sold.box.turns - 1
    return "" if sold.left < 0 or last else "failed"


def _stock(state: Table) -> dict[str, int]:
    sheet, box = state.sheet, state.box
    return {
        "money": sheet.money,
        **dict(zip(box.parts, sheet.parts, strict=True)),
        **dict(zip(box.widgets, sheet.widgets, strict=True)),
        "opportunity": state.left,
    }


def blank_turns(box: Box) -> tuple[dict[str, Any], ...]:
    """Return the six spreadsheets before play: signs, grey cells, printed figures, carry arrows."""
    return tuple(
        {"number": number + 1, "rows": tuple(_blank_row(box, number, *row) for row in rows_of(box))}
        for number in range(box.turns)
    )


def _blank_row(box: Box, number: int, name: str, group: str, at: int) -> dict[str, Any]:
    cells = [
        {"kind": "grey" if sign is None else "write", "sign": sign or "", "text": "", "hand": ""}
        for sign in SIGNS[group]
    ]
    if group == "opportunity":
        cells[0] |= {"kind": "given", "text": str(box.rules.opportunity[number])}
    elif number == 0:
        start = box.rules.money if group == "money" else 0
        cells[0] |= {"kind": "given", "text": str(start)}
    else:
        cells[0] |= {"kind": "carry"}
    return {
        "name": name,
        "icon": name,
        "group": group,
        "box": f"{group}.{at + 1}",
        "cells": tuple(cells),
    }


def filled_turns(box: Box, days: tuple[Day, ...]) -> tuple[dict[str, Any], ...]:
    """Return the spreadsheets with a played game in handwriting."""
    turns = []
    for turn, day in zip(blank_turns(box), days, strict=True):
        rows = tuple(_filled_row(row, day) for row in turn["rows"])
        mark = "" if day.research == "" else "cross" if day.research == "failed" else "ring"
        turns.append({**turn, "rows": rows, "rested": day.rested, "mark": mark})
    return tuple(turns)


def _filled_row(row: Mapping[str, Any], day: Day) -> dict[str, Any]:
    figures = day.figures[row["name"]]
    cells = tuple(
        {**cell, "hand": "" if figure is None else handwriting(figure)}
        if cell["kind"] in ("write", "carry")
        else cell
        for cell, figure in zip(row["cells"], figures, strict=True)
    )
    return {**row, "cells": cells}


def handwriting(number: int) -> str:
    """Return a number as text whose every character is an icon drawn in pencil."""
    sign = ":hand-minus:" if number < 0 else ""
    return sign + "".join(f":hand-{digit}:" for digit in str(abs(number)))


def money_line(box: Box, days: tuple[Day, ...]) -> tuple[dict[str, float], ...]:
    """Return the graph of a played game as shares of its width and height, from the top left."""
    top, money = box.rules.graph.top, [box.rules.money]
    for day in days:
        figure = day.figures["money"][-1]
        money.append(money[-1] if figure is None else figure)
    return tuple(
        {"x": round(100 * at / box.turns, 2), "y": round(100 * (1 - min(value, top) / top), 2)}
        for at, value in enumerate(money)
    )


def final_levels(days: tuple[Day, ...]) -> dict[str, int]:
    """Count the upgrades of each action in a played game."""
    return {action: sum(day.research == action for day in days) for action in ACTIONS}


def told(day: Day) -> Iterator[dict[str, str]]:
    """Tell a turn in words, phase by phase."""
    money, opportunity = day.figures["money"], day.figures["opportunity"]
    start = f"Start with {money[0]} :money: and {opportunity[0]} :opportunity:."
    yield {"phase": "AM", "roll": "", "text": start}
    prices = (f" for {money[1]} :money:", "", f" for {money[3]} :money:")
    for at, action in enumerate(ACTIONS):
        did = " and ".join(f"{count} :{name}:" for name, count in day.did[at].items())
        what = f"{did}{prices[at]}" if did else "nothing"
        text = f"{action.title()} {what}, using {opportunity[at + 1]} :opportunity:."
        yield {"phase": action.upper(), "roll": str(day.rolls[at]), "text": text}
    text = f"End with {money[-1]} :money: and {opportunity[-1]} :opportunity:."
    if day.research in ACTIONS:
        text += (
            f" The roll is not more than {opportunity[-1]}: the research succeeds,"
            f" and {day.research.title()} gets cheaper."
        )
    yield {"phase": "PM", "roll": "".join(map(str, day.rolls[3:])), "text": text}
