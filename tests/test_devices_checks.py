"""What the checks of Devices count, and what they see in games that are watched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.devices import DevicesEngine, State, engine
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.games.devices import Cubes
from kitwright.model.record import freeze
from kitwright.play.figures import Check
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.games.devices_box_checks import box_checks, loop_checks
from kitwright.play.games.devices_checks import order_checks
from kitwright.play.games.devices_money import gainful_load, kept
from kitwright.play.games.devices_plan import next_part
from kitwright.play.games.devices_play_checks import game_checks, owned_check, shop_checks
from kitwright.play.games.devices_watch import Table, Watched, is_stuck, watch_game, watch_games
from kitwright.play.simulate import Played, play_game

ROOT = Path(__file__).parent.parent


@cache
def devices() -> Game:
    return load_game(ROOT, "devices")


@cache
def rules() -> DevicesEngine:
    return engine(devices())


def with_card(deck_id: str, card_id: str, **fields: Any) -> Game:
    """Return the game with some fields of one card changed."""
    game = devices()
    deck = game.deck(deck_id)
    cards = tuple(
        replace(card, fields=freeze({**card.fields, **fields})) if card.id == card_id else card
        for card in deck.cards
    )
    changed = replace(deck, cards=cards)
    return replace(game, decks=tuple(changed if d.id == deck_id else d for d in game.decks))


def named(checks: Sequence[Check]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_the_box_is_the_one_that_was_designed() -> None:
    found = named([*box_checks(rules().view), *loop_checks(rules().box)])
    assert [name for name, check in found.items() if not check.ok] == []
    assert {name: check.figure for name, check in found.items()} == {
        "cards of the original rules": (32, 60, 40, 24),
        "kinds of Basic Parts": 8,
        "designs of Special Parts": (18, 6, 6),
        "prices of Special Parts": (1, 6),
        "colours of orders": (7, 17, 8),
        "points of orders": (4, 6, 6, 6, 4, 3, 2, 1),
        "cubes wanted": (58, 64, 32),
        "pairs that give back more": 60,
        "value that one load adds": 30,
    }


@pytest.mark.parametrize(
    ("deck", "card", "fields", "off"),
    [
        ("special", "c18", {"price": 7}, {"prices of Special Parts"}),
        ("orders", "o01", {"cubes": ("red", "blue")}, {"colours of orders", "cubes wanted"}),
        ("orders", "o01", {"points": 10}, {"points of orders"}),
        ("basic", "pause", {"kind": "straight"}, {"kinds of Basic Parts"}),
        (
            "special",
            "c16",
            {"right": {"mid": ("red", "red")}},
            {"pairs that give back more", "value that one load adds"},
        ),
    ],
)
def test_a_box_that_departs_from_its_design_is_told(
    deck: str, card: str, fields: dict[str, Any], off: set[str]
) -> None:
    changed = engine(with_card(deck, card, **fields))
    found = (*box_checks(changed.view), *loop_checks(changed.box))
    assert {check.name for check in found if not check.ok} == off


def test_the_earliest_win_names_what_falls_short() -> None:
    found = named([*order_checks(rules().view)])
    assert found["earliest win"].about == (
        "nobody can reach 30 points before turn 3; "
        "the best 3 orders, all that turn 2 allows, give 25"
    )


def test_games_are_watched_alike_on_one_core_and_alone() -> None:
    found = watch_games(devices(), [Table(2, 2)], 1)
    assert found == {Table(2, 2): [watch_game(rules(), 2, f"2018:{at}") for at in range(2)]}
    for one in found[Table(2, 2)]:
        assert one.played.finished
        assert one.stuck == 0
        assert 1 <= one.wait <= 8
        assert "moon-storage" in one.owned[0]


def test_a_player_without_parts_and_shop_is_stuck() -> None:
    state = rules().new_game(2, Random(1))
    assert not is_stuck(state)
    assert is_stuck(replace(state, part_row=(), part_deck=()))
    one_left = (rules().box.names.index("c01"),)
    makeable = replace(state, order_row=(0,), part_row=(), part_deck=one_left)
    assert not is_stuck(makeable), "two pinched pairs of yellow are the two red of o01"
    assert is_stuck(replace(makeable, order_row=(2,)))


def watched(**changes: Any) -> Watched:
    played = Played(("greedy", "greedy"), 30, (31, 20), (0,), True)
    return replace(Watched(played, (frozenset(), frozenset()), 0, 2), **changes)


def test_a_dead_lock_and_a_long_wait_fail_their_checks() -> None:
    assert [check.ok for check in shop_checks([watched()])] == [True, True]
    locked, waiting = shop_checks([watched(), watched(stuck=3, wait=9)])
    assert (locked.figure, locked.ok) == (3, False)
    assert locked.about.startswith("of 60 turns 3 began with no order in reach")
    assert (waiting.figure, waiting.ok) == (9, False)


def test_seat_shares_are_told_with_their_interval() -> None:
    *_, shares = game_checks(2, [watched()] * 40)
    assert (shares.figure, shares.ok) == ((1.0, 0.0), False)
    assert shares.bound == "0.500 +- 0.05, known +- 0.04"
    assert shares.about.startswith("0.91 to 1.00, 0.00 to 0.09 with 95 % in 40 games;")


def test_a_part_that_nobody_owned_is_named() -> None:
    special = {name for name, _ in rules().view.special}
    most = frozenset(special - {"j01"})
    check = owned_check(devices(), [watched(owned=(most, most))])
    assert (check.ok, check.about) == (False, "j01")


def table(parts: Sequence[str], storage: Cubes, held: Sequence[str], row: Sequence[str]) -> State:
    """Return a table whose first player has a line of parts on a hopper, cubes and orders."""
    state, box = rules().new_game(2, Random(3)), rules().box
    cards = tuple(box.names.index(name) for name in parts)
    orders = [tuple(box.orders.index(name) for name in names) for names in (held, row)]
    seat = replace(state.seats[0], storage=storage, hand=cards, orders=orders[0])
    deck = tuple(card for card in state.part_deck if card not in cards)
    state = replace(state, seats=(seat, state.seats[1]), order_row=orders[1], part_deck=deck)
    for at, name in enumerate(parts, 1):
        state = played(state, f"place {name} at 1:{at},0")
    return played(state, "done")


def played(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(next(move for move in state.legal_moves() if str(move) == text))
    return state


def moves_of_the_turn(state: State) -> list[str]:
    """Let the bot play the turn; return its moves."""
    found = []
    turn = state.turn
    while state.turn == turn:
        move = greedy_bot(state, Random(0))
        found.append(str(move))
        state = state.apply(move)
    return found


def test_the_bot_accepts_an_order_that_its_spare_cubes_serve() -> None:
    state = table(["c13"], (0, 4, 0), ["o09"], ["o02", "o32"])
    moves = moves_of_the_turn(state)
    assert "accept o02" in moves
    assert moves[-2:] == ["fulfil o09", "fulfil o02"]


def test_the_bot_loads_what_makes_it_richer() -> None:
    state = table(["c18"], (6, 0, 0), ["o10"], ["o32"])
    assert moves_of_the_turn(state).count("load yellow at 1:0,0") == 6
    assert gainful_load(table(["c01"], (4, 0, 0), [], [])) is None, "it makes no more than it takes"


def test_the_bot_leaves_a_build_that_a_loaded_device_has_no_use_for() -> None:
    state = table(["c18"], (6, 0, 0), ["o10"], ["o32"])
    spare = rules().box.names.index("c01")
    state = replace(state, seats=(replace(state.seat, hand=(spare,)), state.seats[1]))
    state = played(state, *["load yellow at 1:0,0"] * 4, "done", "place c01 at 2:1,0")
    assert str(greedy_bot(state, Random(0))) == "done"


def test_the_cheapest_cubes_are_returned_first() -> None:
    assert kept((4, 4, 4), 10) == (2, 4, 4)
    assert kept((1, 4, 8), 10) == (0, 2, 8)
    assert kept((0, 1, 12), 10) == (0, 0, 10)
    assert kept((3, 3, 3), 10) == (3, 3, 3)


def test_players_who_see_only_hard_orders_gather_parts_for_them() -> None:
    """In this game the row fills with the dearest orders; clearing alone never ended it."""
    state, finished = play_game(rules(), [greedy_bot] * 4, "7:363")
    assert finished
    assert max(state.scores()) >= 30


def test_the_part_to_gather_is_the_cheapest_that_leads_on() -> None:
    state, names = rules().new_game(2, Random(1)), rules().box.names
    row = tuple(names.index(name) for name in ("c01", "c02", "c16"))
    deck = tuple(card for card in rules().box.special if card not in row)
    state = replace(state, order_row=(0,), part_row=row, part_deck=deck)
    assert next_part(state) == "c01", "it makes the two red of o01 by itself"
    assert next_part(replace(state, part_row=row[1:2])) is None
    assert next_part(replace(state, part_row=(), part_deck=())) is None
