"""What an edit changed, as blocks: its numbers, its effect on each figure, the faces it redrew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kitwright.model.game import Game
from kitwright.reports.balance import HERE, heading, paragraph, row, sketch
from kitwright.reports.cards import Pair
from kitwright.reports.plots import Interval, Intervals
from kitwright.rulebook.blocks import Block, Listing, Rulebook, Table

Told = Mapping[str, Any]
MOST_FACES = 30


def compare_report(game: Game, told: Told, rev: str, pairs: Sequence[Pair]) -> Rulebook:
    """Make the report of an edit; `rev` names what it is compared with."""
    title = f"{game.title}: the edit"
    blocks: list[Block] = [heading(1, "", title)]
    for at, part in enumerate((_changes(told, rev), _effects(told), _faces(pairs)), 1):
        name, *rest = part
        blocks += [heading(2, str(at), name), *rest]
    players = f"{told['players']} player{'s' * (told['players'] > 1)}"
    facts = f"{told['games']} pairs of games, {players}, against {printed(rev)}"
    return Rulebook(title, printed(told["edit"]), facts, tuple(blocks))


def printed(text: str) -> str:
    """Write what a terminal shows with the signs of print, none of it as markup."""
    plain = text.replace("\\", "\\\\").replace("*", "\\*").replace(":", "\\:")
    return plain.replace("->", "→").replace("+-", "±")


def _changes(told: Told, rev: str) -> list[Any]:
    rows = tuple(
        (
            f"**{printed(c['what'])}**",
            printed(c["path"]),
            printed(c["old"] or "(none)"),
            printed(c["new"] or "(gone)"),
        )
        for c in told["changes"]
    )
    if not rows:
        return ["What changed", paragraph(f"No rule, card or table differs from {rev}.")]
    header = ("what", "where", "before", "after")
    aligns = ("left", "left", "right", "right")
    return ["What changed", Table(header, rows, aligns, "", HERE)]


def _effects(told: Told) -> list[Any]:
    effects = told["effects"]
    beyond = [effect for effect in effects if effect["beyond_noise"]]
    said = f"**{len(beyond)} of {len(effects)}** figures changed by more than chance explains."
    if not beyond:
        said = "**No figure** changed by more than chance explains."
    about = (
        f"{said} Both games were played from the same seeds by the bot *{told['bot']}*, and each "
        "change is the mean of the differences of the pairs, with its 95 % interval."
    )
    items = tuple((paragraph(printed(f"{told['bot']} {effect['said']}")),) for effect in effects)
    bars = tuple(
        _relative(effect)
        for effect in effects
        if effect["before"]["mean"] and not effect["percent"]
    )
    blocks: list[Any] = ["The effect", paragraph(about), Listing(items, None, HERE)]
    if bars:
        plot = Intervals(bars, 0.0, "no change", percent=True, label_width=52.0)
        blocks.append(
            sketch("effects", plot, "The change of each figure as a part of what it was.")
        )
    return blocks


def _relative(effect: Told) -> Interval:
    base = abs(effect["before"]["mean"])
    ends = (effect["change"][key] / base for key in ("mean", "low", "high"))
    return Interval(effect["title"], *ends)


def _faces(pairs: Sequence[Pair]) -> list[Any]:
    if not pairs:
        return ["Faces", paragraph("No face of the kit looks different.")]
    shown = pairs[:MOST_FACES]
    words = f"{len(pairs)} faces look different." if len(pairs) > 1 else "One face looks different."
    if len(shown) < len(pairs):
        words += f" The first {len(shown)} are shown; kitwright diff shows all."
    return ["Faces", paragraph(words), *(row(f"face-{at}", p) for at, p in enumerate(shown, 1))]
