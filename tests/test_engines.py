"""The contract that every engine keeps, whatever its game."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines import MODULES, engine_of
from kitwright.engines.api import Engine, State, shuffled
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.bots import bots_of, random_bot

ROOT = Path(__file__).parent.parent
SEEDS = range(20)
MAY_REACH_THE_CAP = ("beltpunk-haberdasher",)  # aimless players may never get there
# Players without a plan need never end these games, so they are watched for so many turns only.
ENDLESS = {"devices": 30}


@cache
def game_called(game_id: str) -> Game:
    return load_game(ROOT, game_id)


@cache
def engine_called(game_id: str) -> Engine[Any]:
    engine = engine_of(game_called(game_id))
    assert engine is not None
    return engine


def tables() -> list[tuple[str, int]]:
    return [
        (game_id, players)
        for game_id in MODULES
        for players in range(game_called(game_id).players[0], game_called(game_id).players[1] + 1)
    ]


def is_watched(game_id: str, state: State[Any]) -> bool:
    return not state.is_over() and (game_id not in ENDLESS or state.turn < ENDLESS[game_id])


def every_card(state: State[Any]) -> Counter[str]:
    return Counter(card for cards in state.cards().values() for card in cards)


every_table = pytest.mark.parametrize(("game_id", "players"), tables())


@every_table
@pytest.mark.parametrize("seed", SEEDS)
def test_random_play_ends_and_loses_no_card(game_id: str, players: int, seed: int) -> None:
    engine, rng = engine_called(game_id), Random(seed)
    state: State[Any] = engine.new_game(players, rng)
    cards, least, most = every_card(state), *engine.score_bounds(players)
    while is_watched(game_id, state):
        if state.turn >= engine.turn_cap(players):
            assert game_id in MAY_REACH_THE_CAP, "the game goes on past its cap"
            return
        assert state.winners() == ()
        fingerprint, moves = hash(state), state.legal_moves()
        assert moves, "a seat that cannot act must be offered a pass"
        assert len({str(move) for move in moves}) == len(moves), "a move must be known by its text"
        move = random_bot(state, rng)
        after = state.apply(move)
        assert hash(state) == fingerprint, "apply must not change the state it is given"
        assert after == state.apply(move), "the same move must lead to the same state"
        assert every_card(after) == cards
        assert all(least <= score <= most for score in after.scores())
        state = after
    assert len(state.scores()) == players
    if not state.is_over():
        return
    assert not state.legal_moves()
    assert state.winners()
    assert set(state.winners()) <= set(range(players))


@every_table
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_game_and_its_moves_replay(
    game_id: str, players: int, seed: int
) -> None:
    engine = engine_called(game_id)
    first, moves = engine.new_game(players, Random(seed)), []
    state, rng = first, Random(-seed)
    while is_watched(game_id, state) and state.turn < engine.turn_cap(players):
        moves.append(str(random_bot(state, rng)))
        state = state.apply(found(state, moves[-1]))
    again = engine.new_game(players, Random(seed))
    assert again == first
    for move in moves:
        again = again.apply(found(again, move))
    assert again == state


def found(state: State[Any], text: str) -> Any:
    return next(move for move in state.legal_moves() if str(move) == text)


@every_table
@pytest.mark.parametrize("seed", SEEDS)
def test_a_bot_is_shown_no_hidden_card(game_id: str, players: int, seed: int) -> None:
    rng = Random(seed)
    state = engine_called(game_id).new_game(players, rng)
    for _ in range(seed):
        if not state.is_over():
            state = state.apply(random_bot(state, rng))
    for seat in range(players):
        seen, hidden = state.as_seen_by(seat, rng), state.hidden_from(seat)
        before, after = state.cards(), seen.cards()
        assert {place for place in before if before[place] != after[place]} <= hidden
        assert every_card(seen) == every_card(state)
        assert {place: len(cards) for place, cards in before.items()} == {
            place: len(cards) for place, cards in after.items()
        }
        assert (seen.turn, seen.to_move, seen.scores()) == (
            state.turn,
            state.to_move,
            state.scores(),
        )


@every_table
def test_every_hidden_place_is_dealt_anew(game_id: str, players: int) -> None:
    state = engine_called(game_id).new_game(players, Random(3))
    for seat in range(players):
        looks = [state.as_seen_by(seat, Random(n)).cards() for n in range(8)]
        for place in state.hidden_from(seat):
            assert len({look[place] for look in looks}) > 1, f"{place} is shown to seat {seat}"


@every_table
@pytest.mark.parametrize("seed", SEEDS[:5])
def test_what_a_bot_chooses_does_not_depend_on_hidden_cards(
    game_id: str, players: int, seed: int
) -> None:
    state = engine_called(game_id).new_game(players, Random(seed))
    rng, bots = Random(seed), bots_of(game_id)
    while is_watched(game_id, state):
        moves = set()
        for name, bot in bots.items():
            choices = {
                bot(state.as_seen_by(state.to_move, Random(deal)), Random(7)) for deal in range(2)
            }
            assert len(choices) == 1, f"{name} saw a hidden card"
            moves |= choices
        assert moves <= set(state.legal_moves())
        state = state.apply(shuffled(sorted(moves, key=str), rng)[0])


def test_a_game_without_an_engine_has_none() -> None:
    game = game_called("hard-wired")
    assert engine_of(replace(game, id="kelp-run")) is None


def test_shuffling_keeps_every_item_and_follows_the_seed() -> None:
    items = tuple(range(30))
    assert sorted(shuffled(items, Random(1))) == list(items)
    assert shuffled(items, Random(1)) == shuffled(items, Random(1)) != shuffled(items, Random(2))
