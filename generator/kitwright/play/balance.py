"""A study of one game's balance: length, scores, seats, cards, and bots against each other.

Everything comes as plain values with intervals; what is made of them in print is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf, sqrt
from statistics import NormalDist, fmean, median, variance
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kitwright.engines import engine_of
from kitwright.model.game import Game
from kitwright.play.bots import SEARCH, bot_names, rungs, typical_bot
from kitwright.play.figures import Figure, mean_of, rate_of
from kitwright.play.games import FEWER_GAMES
from kitwright.play.metrics import Measure, figure_names, figure_of, measures
from kitwright.play.simulate import Played, Progress, Series, SimulationError, seat_shares
from kitwright.play.uses import things

GAMES = 400
FEWEST_SEARCHED = 40  # games of the bot that looks ahead, which takes its time, and
SEARCHED = 5  # of how many others one is played by it
SEED = 1
MOST_PLAYERS = 4  # that a game is studied with unless more are asked for
DEAD = 0.02  # of games in which a card is used: fewer, and it is dead
STRONG = 0.10  # of victories, or of the mean score, that a card adds: more, and it dominates


class CardStudy(Struct, frozen=True):
    """How one card, or one thing of the rules, was used and what went with it."""

    id: str
    title: str
    uses: Figure  # a game, by all seats together
    played: Figure  # the share of games in which anybody used it
    gain: Figure | None  # of victories or scores, of seats that used it more than usual
    verdict: str = ""  # dead or dominant


class Rung(Struct, frozen=True):
    """One bot against the one below it."""

    bot: str
    below: str
    games: int
    gain: Figure  # victories of the stronger one less a half, or its score less the other's

    @property
    def verdict(self) -> str:
        """Say whether it is stronger beyond chance."""
        if self.gain["low"] > 0:
            return "stronger"
        return "weaker" if self.gain["high"] < 0 else "no different beyond chance"


class Study(Struct, frozen=True):
    """All that a balance report tells."""

    game: str
    players: int
    bot: str
    games: int
    seed: int
    played: tuple[Played, ...]
    figures: dict[str, Figure | None]
    seats: tuple[Figure | None, ...]
    cards: tuple[CardStudy, ...]
    unnamed: tuple[str, ...]  # the titles of decks of which no move named a card
    ladder: tuple[Rung, ...]
    matches: dict[tuple[str, str], Figure]  # what the first bot wins of games with the second
    scores: dict[str, Figure]  # the mean score of each bot, in a game for one
    measures: dict[str, Measure]  # from one game played to each figure

    def values(self) -> dict[str, list[float]]:
        """Return the single values that plots are made of, of games that came to their end."""
        done = [each for each in self.played if each.finished]
        told = {
            name: [value(each) for each in done]
            for name, value in self.measures.items()
            if name in ("minutes", "rounds")
        }
        return {**told, "scores": [float(score) for each in done for score in each.scores]}

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data for JSON."""
        return {
            "game": self.game,
            "players": self.players,
            "bot": self.bot,
            "games": self.games,
            "seed": self.seed,
            "figures": self.figures,
            "seats": list(self.seats),
            "values": self.values(),
            "matches": [
                {"bot": bot, "below": below, "gain": gain}
                for (bot, below), gain in self.matches.items()
            ],
            "unnamed": list(self.unnamed),
            "cards": [
                {
                    "id": card.id,
                    "title": card.title,
                    "uses": card.uses,
                    "played": card.played,
                    "gain": card.gain,
                    "verdict": card.verdict,
                }
                for card in self.cards
            ],
            "ladder": [
                {
                    "bot": rung.bot,
                    "below": rung.below,
                    "games": rung.games,
                    "gain": rung.gain,
                    "verdict": rung.verdict,
                }
                for rung in self.ladder
            ],
            "scores": self.scores,
        }


def players_for(game: Game, players: int | None) -> int:
    """Return the number of players that a game is studied with."""
    if players is not None:
        return players
    return max(game.players[0], min(game.players[1], MOST_PLAYERS))


def games_for(game: Game, games: int | None) -> int:
    """Return the number of games that a study plays."""
    return games or FEWER_GAMES.get(game.id, GAMES)


def study(
    game: Game,
    players: int | None = None,
    games: int | None = None,
    searched: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Study:
    """Let bots play and gather what their games tell."""
    if engine_of(game) is None:
        raise SimulationError(f"{game.title} has no engine, so its balance cannot be studied")
    seats, count, bot = players_for(game, players), games_for(game, games), typical_bot(game.id)
    series = Series(game, seats, (bot,), SEED, count_use=True)
    looking = max(FEWEST_SEARCHED, count // SEARCHED) if searched is None else searched
    hall = _Hall(game, max(20, count // 4), looking, workers, progress, count)
    played = series.play(range(count), workers, hall.tell)
    hall.done = count
    done = [each for each in played if each.finished]
    cards, unnamed = by_decks(game, card_studies(things(game), done))
    return Study(
        game=game.id,
        players=seats,
        bot=bot,
        games=count,
        seed=SEED,
        played=played,
        figures={name: figure_of(name, game, played) for name in figure_names(game, seats)},
        seats=tuple(seat_shares(done, seats)),
        cards=cards,
        unnamed=unnamed,
        ladder=hall.ladder(),
        matches=hall.matches(),
        scores=hall.scores(),
        measures=measures(game, seats),
    )


def by_decks(
    game: Game, cards: Sequence[CardStudy]
) -> tuple[tuple[CardStudy, ...], tuple[str, ...]]:
    """Leave out decks whose cards no move ever named, as those that only lie before a player."""
    used = {card.id for card in cards if card.uses["mean"]}
    there = {card.id for card in cards}
    silent = [
        deck
        for deck in game.decks
        if there & (ids := {card.id for card in deck.cards}) and not used & ids
    ]
    left = {card.id for deck in silent for card in deck.cards}
    kept = tuple(card for card in cards if card.id not in left)
    return kept, tuple(deck.title for deck in silent)


def card_studies(titles: dict[str, str], done: Sequence[Played]) -> tuple[CardStudy, ...]:
    """Return how each card was used and what its users won, the most used card first."""
    counts = [[dict(use) for use in each.used] for each in done]
    sure = NormalDist().inv_cdf(1 - 0.025 / max(1, len(titles)))  # many cards, many chances
    named = Counter(titles.values())
    found = []
    for card, name in titles.items():
        title = name if named[name] == 1 else card
        by_game = [[seat.get(card, 0) for seat in seats] for seats in counts]
        uses = mean_of([sum(seats) for seats in by_game], (0, inf))
        played = rate_of(sum(any(seats) for seats in by_game), len(by_game))
        if uses is None or played is None:
            continue
        gain = _gain(by_game, done, sure)
        found.append(_judged(CardStudy(card, title, uses, played, gain), done))
    return tuple(sorted(found, key=lambda each: (-each.uses["mean"], each.id)))


def _gain(by_game: Sequence[Sequence[int]], done: Sequence[Played], sure: float) -> Figure | None:
    """Return what seats that used a card more than usual got beyond those that did not."""
    results = [  # of uses a turn: long games must not look like good cards
        (
            times / max(1, each.turns),
            float(each.scores[seat]) if len(each.scores) == 1 else _won(each, seat),
        )
        for seats, each in zip(by_game, done, strict=True)
        for seat, times in enumerate(seats)
    ]
    usual = median(times for times, _ in results) if results else 0
    often = [result for times, result in results if times > usual]
    seldom = [result for times, result in results if times <= usual]
    if min(len(often), len(seldom)) < 10:
        return None
    mean = fmean(often) - fmean(seldom)
    margin = sure * sqrt(variance(often) / len(often) + variance(seldom) / len(seldom))
    return {"mean": mean, "low": mean - margin, "high": mean + margin}


def _won(played: Played, seat: int) -> float:
    return 1 / len(played.winners) if seat in played.winners else 0.0


def _judged(card: CardStudy, done: Sequence[Played]) -> CardStudy:
    if card.played["high"] < DEAD or not card.uses["mean"]:
        return replace(card, verdict="dead")
    alone = len(done[0].scores) == 1
    unit = fmean(each.scores[0] for each in done) if alone else 1.0
    if card.gain is not None and card.gain["low"] > STRONG * abs(unit):
        return replace(card, verdict="dominant")
    return card


class _Hall:
    """Where bots meet: each pair once, with the number of players that the game begins with."""

    def __init__(
        self,
        game: Game,
        games: int,
        searched: int,
        workers: int | None,
        progress: Progress | None,
        before: int,
    ) -> None:
        self.game, self.games, self.searched = game, games, searched
        self.workers, self.progress = workers, progress
        self.bots = bot_names(game.id)
        self.alone = game.players[0] == 1
        count = len(self.bots)
        pairs = count if self.alone else count * (count - 1) // 2
        looking = searched * (2 if self.alone else 1)
        self.total = before + pairs * games + looking
        self.done = 0
        self.known: dict[tuple[str, ...], tuple[Played, ...]] = {}

    def tell(self, done: int, total: int) -> None:
        """Say how far all is."""
        if self.progress is not None:
            self.progress(min(self.done + done, self.total), self.total)

    def play(self, bots: tuple[str, ...], games: int) -> tuple[Played, ...]:
        """Return games of these bots, played once."""
        if bots not in self.known:
            players = 1 if self.alone else max(2, self.game.players[0])
            series = Series(self.game, players, bots, SEED)
            played = series.play(range(games), self.workers, self.tell)
            self.done += games
            self.known[bots] = tuple(each for each in played if each.finished)
        return self.known[bots]

    def gain(self, bot: str, below: str, games: int) -> Figure | None:
        """Return by how much one bot is better than another."""
        if self.alone:
            ours, theirs = self.play((bot,), games), self.play((below,), self.games)
            pairs = zip(ours, theirs, strict=False)
            return mean_of([float(a.scores[0] - b.scores[0]) for a, b in pairs], (-inf, inf))
        played = self.play((bot, below), games)
        won = rate_of(sum(_share_of(each, bot) for each in played), len(played))
        if won is None:
            return None
        fair = fmean(each.bots.count(bot) / len(each.bots) for each in played)
        return {key: round(value - fair, 6) for key, value in won.items()}

    def ladder(self) -> tuple[Rung, ...]:
        """Compare each bot with the one below it, and the one that looks ahead with the last."""
        pairs = [(bot, below, self.games) for bot, below in rungs(self.game.id)]
        if self.searched:
            pairs.append((SEARCH, self.bots[-1], self.searched))
        found = []
        for bot, below, games in pairs:
            gain = self.gain(bot, below, games)
            if gain is not None:
                found.append(Rung(bot, below, games, gain))
        return tuple(found)

    def matches(self) -> dict[tuple[str, str], Figure]:
        """Let every two bots meet; nobody meets in a game for one."""
        if self.alone:
            return {}
        found: dict[tuple[str, str], Figure] = {}
        for at, below in enumerate(self.bots):
            for bot in self.bots[at + 1 :]:
                gain = self.gain(bot, below, self.games)
                if gain is not None:
                    found[bot, below] = gain
        return found

    def scores(self) -> dict[str, Figure]:
        """Return the mean score of each bot in a game for one."""
        if not self.alone:
            return {}
        names = [(bot, self.games) for bot in self.bots]
        names += [(SEARCH, self.searched)] * bool(self.searched)
        means = {
            bot: mean_of([each.scores[0] for each in self.play((bot,), games)], (-inf, inf))
            for bot, games in names
        }
        return {bot: mean for bot, mean in means.items() if mean is not None}


def _share_of(played: Played, bot: str) -> float:
    won = sum(played.bots[seat] == bot for seat in played.winners)
    return won / len(played.winners) if played.winners else 0.0
