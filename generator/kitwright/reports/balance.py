"""The balance of a game in plain words and plots: from figures to the blocks of a report.

Takes figures as plain data, with their intervals; plays nothing and opens nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kitwright.model.game import Game
from kitwright.problems import Place
from kitwright.reports.cards import CardRow, CardRows
from kitwright.reports.plots import Histogram, Interval, Intervals, number
from kitwright.rulebook.blocks import (
    Block,
    Callout,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Rulebook,
    Shown,
    Sketch,
    Table,
)

HERE = Place("balance")
Told = Mapping[str, Any]
_FAIR = 0.05  # a seat this near to its share is fair enough


def balance_report(game: Game, told: Told, cards: Mapping[str, Shown]) -> Rulebook:
    """Make the whole report; `cards` are the faces by the ids of their cards."""
    parts = [_length(told), _scores(game, told), _seats(told), _bots(told), _cards(told, cards)]
    blocks: list[Block] = [heading(1, "", f"{game.title}: balance")]
    written = [part for part in parts if part]
    for at, part in enumerate([_short(written), *(part[1:] for part in written), _how(told)], 1):
        title, *rest = part
        blocks += [heading(2, str(at), title), *rest]
    played = f"{told['games']} games of {told['players']} player{'s' * (told['players'] > 1)}"
    return Rulebook(f"{game.title}: balance", "", played, tuple(blocks))


def heading(level: int, section: str, text: str) -> Heading:
    """Return a heading of the report."""
    return Heading(level, section, text, HERE)


def paragraph(text: str) -> Paragraph:
    """Return running words."""
    return Paragraph(text, HERE)


def sketch(name: str, scene: Sketch, caption: str = "") -> Figure:
    """Return a plot with its caption."""
    return Figure(name, scene, caption, False, HERE)


def row(name: str, scene: Sketch) -> Figure:
    """Return a line of pictures across the page that stays in its order."""
    return Figure(name, scene, "", True, HERE, floats=False)


def _short(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Begin with a sentence of each part."""
    items = tuple((paragraph(part[0]),) for part in parts)
    return ["In short", Listing(items, None, HERE)]


def told_figure(figure: Told, percent: bool = False) -> str:
    """Write a figure with its interval."""
    low, high = number(figure["low"], percent), number(figure["high"], percent)
    return f"{number(figure['mean'], percent)} ({low} to {high})"


def _length(told: Told) -> list[Any]:
    figures = told["figures"]
    name = "minutes" if figures.get("minutes") else "rounds"
    if not figures.get(name):
        said = "No game came to its end, so nothing can be said of length or scores."
        return [said, "How long it takes", paragraph(said)]
    values = tuple(told["values"][name])
    low, high = _between(values)
    mean = number(figures[name]["mean"])
    said = f"A game takes **{mean} {name}** on average; nine in ten take {low} to {high}."
    if low == high:
        said = f"Nearly every game takes **{mean} {name}**."
    lost = told["figures"]["unfinished"]["mean"]
    more = f" Of all games, {number(lost, True)} came to no end and are left out." if lost else ""
    counts = f"{told_figure(figures['turns'])} turns"
    if told["players"] > 1:
        counts += f" and {told_figure(figures['rounds'])} rounds"
    about = (
        f"{said}{more} That is {counts}; in brackets stands the interval that holds the true mean "
        "in 95 of 100 such reports."
    )
    if len(set(values)) == 1:
        said = f"Every game takes **{mean} {name}**."
        return [said, "How long it takes", paragraph(f"{said}{more}")]
    plot = sketch("length", Histogram(values, name), f"Games by their length in {name}.")
    return [said, "How long it takes", paragraph(about), plot]


def _between(values: Sequence[float]) -> tuple[str, str]:
    ordered = sorted(values)
    last = len(ordered) - 1
    return number(ordered[round(0.05 * last)]), number(ordered[round(0.95 * last)])


def _scores(game: Game, told: Told) -> list[Any]:
    values = tuple(told["values"]["scores"])
    if not values:
        return []
    low, high = _between(values)
    mean = told_figure(told["figures"]["score"])
    said = f"Scores are **{mean}** on average; nine in ten lie from {low} to {high}."
    more = ""
    if told["players"] > 1:
        lead, shared = told["figures"]["lead"], told["figures"]["shared"]
        more = f" The winner leads by {told_figure(lead)}; {number(shared['mean'], True)} of games "
        more += "end in a shared victory."
        if lead["mean"] < 0.05 * max(map(abs, values)):
            more += " So small a lead keeps everybody in the game to the end."
    plot = sketch("scores", Histogram(values, "points"), "All scores at the end of the game.")
    return [said, "Scores", paragraph(said + more), plot]


def _seats(told: Told) -> list[Any]:
    seats = told["seats"]
    if told["players"] < 2 or not all(seats):
        return []
    fair = 1 / told["players"]
    rows = tuple(
        Interval(f"Seat {at}", each["mean"], each["low"], each["high"])
        for at, each in enumerate(seats, 1)
    )
    apart = [row for row in rows if row.low > fair or row.high < fair]
    best = max(rows, key=lambda row: row.mean)
    gap = told["figures"]["seat_advantage"]
    if not apart:
        said = "**No seat** is better than another by more than chance explains."
    elif all(abs(row.mean - fair) < _FAIR for row in rows):
        said = f"**{best.label}** wins a little more often, too little to be felt at the table."
    else:
        share = number(best.mean, True)
        said = f"**{best.label}** wins {share} of games where {number(fair, True)} would be fair."
    about = f"{said} From the luckiest seat to the unluckiest it is {told_figure(gap, True)}."
    plot = sketch(
        "seats",
        Intervals(rows, fair, f"fair: {number(fair, True)}", percent=True, label_width=24.0),
        "The share of victories of each seat, all played by the same bot.",
    )
    return [said, "Seats", paragraph(about), plot]


def _bots(told: Told) -> list[Any]:
    ladder, alone = told["ladder"], bool(told["scores"])
    if not ladder:
        return []
    rows = tuple(
        Interval(f"{rung['bot']} over {rung['below']}", *(rung["gain"][k] for k in _ENDS))
        for rung in ladder
    )
    clear = sum(rung["verdict"] == "stronger" for rung in ladder)
    said = f"**{clear} of {len(ladder)}** bots are clearly stronger than the one below them."
    if clear == len(ladder):
        said = "**Skill pays**: each bot clearly beats the one below it."
    open_ = [_rung(rung, not alone) for rung in ladder if rung["verdict"] != "stronger"]
    blocks: list[Any] = [paragraph(f"{said} {' '.join(open_)}".strip())]
    what = (
        "points that a bot makes beyond the one below it"
        if alone
        else ("victories of a bot beyond a half, in games with the one below it")
    )
    plot = Intervals(rows, 0.0, "no difference", percent=not alone, label_width=52.0)
    blocks.append(sketch("ladder", plot, f"The ladder: {what}."))
    blocks.append(_rungs(ladder, not alone))
    if alone:
        every = tuple(
            Interval(bot, *(figure[k] for k in _ENDS)) for bot, figure in told["scores"].items()
        )
        plot = Intervals(every, label_width=30.0)
        blocks.append(sketch("bots", plot, "The mean score of each bot."))
    elif told["matches"]:
        blocks.append(_matches(told["matches"]))
    return [said, "Strategies against each other", *blocks]


_ENDS = ("mean", "low", "high")


_VERDICTS = {"stronger": "clearly stronger", "weaker": "clearly weaker"}


def _rung(rung: Told, percent: bool) -> str:
    if rung["verdict"] == "weaker":
        return f"**{rung['bot']}** is weaker than {rung['below']}, so it adds nothing here."
    most = number(rung["gain"]["high"], percent)
    return (
        f"In {rung['games']} games **{rung['bot']}** shows no gain over {rung['below']} beyond "
        f"chance: the game leaves room for {most} more at most, or it takes more games to see."
    )


def _rungs(ladder: Sequence[Told], percent: bool) -> Table:
    rows = tuple(
        (
            f"**{rung['bot']}** over {rung['below']}",
            str(rung["games"]),
            told_figure(rung["gain"], percent),
            _VERDICTS.get(rung["verdict"], "no clear difference"),
        )
        for rung in ladder
    )
    header, aligns = ("rung", "games", "gain", "verdict"), ("left", "right", "right", "left")
    return Table(header, rows, aligns, "The same in figures, with their 95 % intervals.", HERE)


def _matches(matches: Sequence[Told]) -> Table:
    names = list(dict.fromkeys(name for each in matches for name in (each["below"], each["bot"])))
    won = {(each["bot"], each["below"]): 0.5 + each["gain"]["mean"] for each in matches}
    won |= {(below, bot): 1 - share for (bot, below), share in won.items()}
    rows = tuple(
        (
            f"**{name}**",
            *("" if name == other else number(won[name, other], True) for other in names),
        )
        for name in names
    )
    header = ("wins against", *names)
    aligns = ("left", *("right" for _ in names))
    caption = "What the bot of a row wins of the games with the bot of a column."
    return Table(header, rows, aligns, caption, HERE)


def _cards(told: Told, cards: Mapping[str, Shown]) -> list[Any]:
    found = told["cards"]
    if not found:
        return []
    alone = told["players"] == 1
    gains = [abs(end) for card in found if card["gain"] for end in _ends(card["gain"])]
    most, reach = max(card["uses"]["mean"] for card in found), max(gains, default=1.0)
    rows = [_card_row(card, cards, most, reach, not alone) for card in found]
    said = _verdicts(found)
    unit = "points" if alone else "victories"
    about = (
        f"{said} Bars show how often a card is used in a game. The dot below shows how many "
        f"{unit} more, or fewer, go to players who use it more than usual, with an interval that "
        "allows for so many cards being looked at. It shows what goes together, not what causes "
        "what: a card of the late game goes with long games."
    )
    if told["unnamed"]:
        about += f" No move named a card of {listed(told['unnamed'])}, so they are not shown."
    pairs = (rows[at : at + 2] for at in range(0, len(rows), 2))
    drawn = [row(f"cards-{at}", CardRows(tuple(pair))) for at, pair in enumerate(pairs, 1)]
    return [said, "Cards", paragraph(about), *drawn]


def _ends(gain: Told) -> Iterator[float]:
    yield from (gain["low"], gain["high"])


def _card_row(
    card: Told, cards: Mapping[str, Shown], most: float, reach: float, percent: bool
) -> CardRow:
    gain = card["gain"]
    told = Interval("", *(gain[k] for k in _ENDS)) if gain else None
    title, picture = card["title"], cards.get(card["id"])
    return CardRow(
        title, picture, card["uses"]["mean"], most, told, reach, percent, card["verdict"]
    )


def _verdicts(cards: Sequence[Told]) -> str:
    dead = [card["title"] for card in cards if card["verdict"] == "dead"]
    strong = [card["title"] for card in cards if card["verdict"] == "dominant"]
    said = f"**No card is dead**: each of {len(cards)} is used."
    if dead:
        said = f"**{len(dead)} of {len(cards)} cards are dead**: {listed(dead)} hardly see play."
    if strong:
        return f"{said} **Dominant**: {listed(strong)}."
    return f"{said} **None dominates**."


def listed(names: Sequence[str], most: int = 6) -> str:
    """Join names, the first few of many."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _how(told: Told) -> list[Any]:
    return [
        "How this was measured",
        Callout(
            "note",
            (
                paragraph(
                    f"The bot *{told['bot']}* played {told['games']} games from seed "
                    f"{told['seed']}; the same seed gives the same report. Intervals hold the true "
                    "value in 95 of 100 such reports. Bots are not people: trust differences more "
                    "than levels."
                ),
            ),
            HERE,
        ),
    ]
