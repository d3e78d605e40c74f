"""A sweep of numbers as blocks: the curve of one, the table of two, and what to choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kitwright.model.game import Game
from kitwright.reports.balance import HERE, heading, paragraph, sketch
from kitwright.reports.plots import Curve, Interval, number
from kitwright.rulebook.blocks import Block, Rulebook, Table

Told = Mapping[str, Any]


def tune_report(game: Game, told: Told) -> Rulebook:
    """Make the report of a sweep."""
    title = f"{game.title}: tuning"
    blocks: list[Block] = [heading(1, "", title), heading(2, "1", told["title"].capitalize())]
    blocks.append(paragraph(verdict(told)))
    blocks.append(_curve(told) if len(told["paths"]) == 1 else _table(told))
    players = f"{told['players']} player{'s' * (told['players'] > 1)}"
    facts = f"{told['games']} games a value, {players}, bot {told['bot']}"
    return Rulebook(title, f"Target\\: {told['target']}", facts, tuple(blocks))


def verdict(told: Told) -> str:
    """Say which value comes nearest to the target."""
    if told["best"] is None:
        return "No game came to its end, whatever the value."
    chosen = ", ".join(
        f"{path} = {value:g}" for path, value in zip(told["paths"], told["best"], strict=True)
    )
    found = next(p["figure"] for p in told["points"] if p["at"] == told["best"])
    shown = number(found["mean"], told["percent"])
    low, high = (number(found[key], told["percent"]) for key in ("low", "high"))
    reach = "meets the target" if told["met"] else "comes nearest to the target"
    now = ", ".join(f"{value:g}" for value in told["now"])
    return f"**{chosen}** {reach} with {told['title']} {shown} ({low} to {high}); it is now {now}."


def _curve(told: Told) -> Block:
    points = tuple(
        (p["at"][0], Interval("", *(p["figure"][key] for key in ("mean", "low", "high"))))
        for p in told["points"]
        if p["figure"] is not None
    )
    if not points:
        return paragraph("There is nothing to plot.")
    best = told["best"][0] if told["best"] else None
    plot = Curve(points, told["paths"][0], told["target_value"], best, told["percent"])
    caption = (
        f"The {told['title']} over {told['paths'][0]}, with its 95 % interval; the dashed line is "
        "the target, the ring is the value nearest to it."
    )
    return sketch("curve", plot, caption)


def _table(told: Told) -> Block:
    across = list(dict.fromkeys(p["at"][1] for p in told["points"]))
    down = list(dict.fromkeys(p["at"][0] for p in told["points"]))
    known = {tuple(p["at"]): p["figure"] for p in told["points"]}
    best = tuple(told["best"]) if told["best"] else None
    rows = tuple(
        (
            f"**{first:g}**",
            *(_cell(known[first, second], told, (first, second) == best) for second in across),
        )
        for first in down
    )
    header = (f"{told['paths'][0]} below, {told['paths'][1]} across", *(f"{v:g}" for v in across))
    aligns = ("left", *("right" for _ in across))
    caption = f"The {told['title']}; the pair nearest to the target is bold."
    return Table(header, rows, aligns, caption, HERE)


def _cell(figure: Told | None, told: Told, is_best: bool) -> str:
    if figure is None:
        return ""
    shown = number(figure["mean"], told["percent"])
    return f"**{shown}**" if is_best else shown
