"""The rules of Devices, one by one, and a whole game replayed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.devices import DevicesEngine, State
from kitwright.engines.devices_moves import Accept
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.games.devices import Cubes
from kitwright.model.record import freeze

ROOT = Path(__file__).parent.parent
PLAYTHROUGH = ROOT / "tests/golden/playthroughs/devices.txt"


@cache
def devices(variant: str | None = None) -> Game:
    return load_game(ROOT, "devices", variant)


def with_rules(**numbers: Any) -> Game:
    game = devices()
    return replace(game, rules=freeze({**game.rules, **numbers}))


def numbers(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return the numbers of cards by their ids; a second mention is the second copy."""
    found: list[int] = []
    for name in wanted:
        found.append(next(n for n, each in enumerate(names) if each == name and n not in found))
    return found


def table(
    hand: Sequence[str] = (),
    storage: Cubes = (1, 1, 1),
    orders: Sequence[str] = (),
    row: Sequence[str] = (),
    *,
    players: int = 2,
    game: Game | None = None,
) -> State:
    """Set up a table where the first player has these cards and cubes, and the shop this row."""
    engine = DevicesEngine(game or devices())
    box = engine.box
    held, shop = numbers(box.orders, orders), numbers(box.names, [*row, *hand])
    rest = [order for order in range(len(box.orders)) if order not in held]
    parts = [card for card in box.special if card not in shop]
    row_cards, cards = shop[: len(row)], shop[len(row) :]
    state = engine.deal(rest, [*row_cards, *parts], players)
    piles = tuple(tuple(c for c in pile if c not in cards) for pile in state.piles)
    first = replace(state.seats[0], storage=storage, hand=tuple(cards), orders=tuple(held))
    return replace(state, seats=(first, *state.seats[1:]), piles=piles)


def play(state: State, *texts: str) -> State:
    for text in texts:
        moves = state.legal_moves()
        found = [move for move in moves if str(move) == text]
        assert found, f"{text}: not among {'; '.join(map(str, moves))}"
        state = state.apply(found[0])
    return state


def said(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def loaded(state: State, color: str, times: int, at: str = "1:0,0") -> State:
    return play(state, *[f"load {color} at {at}"] * times)


def test_the_set_up_is_that_of_the_rules() -> None:
    state = DevicesEngine(devices()).new_game(3, Random(1))
    assert [len(pile) for pile in state.piles] == [4] * 8
    assert (len(state.order_row), len(state.part_row)) == (4, 4)
    for seat in state.seats:
        assert seat.storage == (1, 1, 1)
        assert (len(seat.hoppers), len(seat.packers), len(seat.own)) == (2, 2, 2)


def test_collect_takes_two_yellow_and_costs_an_action() -> None:
    state = play(table(), "collect")
    assert state.seat.storage == (3, 1, 1)
    assert state.now.actions == 2


def test_a_turn_has_three_actions_and_the_same_may_be_repeated() -> None:
    state = play(table(), "collect", "collect", "collect")
    assert state.seat.storage == (7, 1, 1)
    assert said(state) == {"stop"}
    assert play(state, "stop").active == 1


def test_more_than_ten_cubes_are_returned_at_once_by_choice() -> None:
    state = play(table(storage=(8, 0, 1)), "collect")
    assert said(state) == {"return yellow", "return blue"}
    assert play(state, "return blue").seat.storage == (10, 0, 0)


def test_an_accepted_order_is_replaced_from_the_deck() -> None:
    before = table()
    order = before.box.orders[before.order_row[0]]
    state = play(before, f"accept {order}")
    assert len(state.order_row) == 4
    assert state.order_row[-1] == before.order_deck[0]


def test_nobody_holds_more_than_three_orders() -> None:
    state = table(orders=("o01", "o02", "o03"))
    assert not any(isinstance(move, Accept) for move in state.legal_moves())


def test_one_buy_takes_any_number_of_parts_and_gives_no_change() -> None:
    state = table(storage=(0, 0, 1), row=("c01", "c09"))
    state = play(state, "buy c01", "buy pause")
    assert "pay 1 blue" in said(state)
    state = play(state, "pay 1 blue")
    assert state.seat.storage == (0, 0, 0)
    assert state.now.actions == 2


def test_a_payment_holds_no_cube_that_could_be_left_out() -> None:
    state = play(table(storage=(3, 2, 1), row=("c09",)), "buy c09")
    assert {text for text in said(state) if text.startswith("pay")} == {
        "pay 3 yellow",
        "pay 1 yellow, 1 red",
        "pay 2 red",
        "pay 1 blue",
    }


def test_the_row_is_refilled_from_the_special_parts_after_the_whole_buy() -> None:
    before = table(storage=(5, 0, 0), row=("c01", "c02"))
    state = play(before, "buy c01", "buy c02")
    assert len(state.part_row) == 2
    state = play(state, "pay 2 yellow", "done")
    assert state.part_row[2:] == before.part_deck[:2]


def test_a_bought_part_may_be_placed_at_once_without_a_build() -> None:
    state = play(table(storage=(5, 0, 0), row=("c01",)), "buy c01", "pay 1 yellow")
    state = play(state, "place c01 at 1:1,0")
    assert [len(device) for device in state.seat.devices] == [2]
    assert state.now.actions == 2
    assert len(state.seat.hoppers) == 1


def test_clear_puts_the_row_under_the_deck() -> None:
    before = table()
    state = play(before, "clear")
    assert state.part_row == before.part_deck[:4]
    assert state.part_deck[-4:] == before.part_row


def test_build_lays_any_number_of_parts_for_one_action() -> None:
    state = play(table(("c01", "c02")), "place c01 at 1:1,0", "place c02 at 1:2,0", "done")
    assert state.now.actions == 2
    assert [p.spot for p in state.seat.devices[0]] == [(0, 0), (1, 0), (2, 0)]


def test_a_joiner_takes_a_hopper_for_each_entrance() -> None:
    state = play(table(("j01",)), "place j01 at 1:1,0")
    assert [p.spot for p in state.seat.devices[0]] == [(0, 1), (0, -1), (1, 0)]
    assert not state.seat.hoppers


def test_a_joiner_brings_two_devices_together() -> None:
    state = play(table(("c01", "c04", "j04")), "place c01 at 1:1,0", "place c04 at 2:1,0")
    state = play(state, "place j04 at 1:2,-1 joining 2:1,0")
    (device,) = state.seat.devices
    assert sorted(p.spot for p in device) == [(0, -2), (0, 0), (1, -2), (1, 0), (2, -1)]


def test_cards_of_a_column_never_overlap() -> None:
    begun = table(("s01", "s06", "c01", "c02"), storage=(0, 0, 1))
    begun = play(begun, "place s01 at 1:1,0", "place s06 at 1:2,1", "place c01 at 1:2,-1")
    packers = (*begun.seat.packers, *begun.seat.own)
    roomy = replace(begun, seats=(replace(begun.seat, packers=packers), *begun.seats[1:]))
    tight = play(roomy, "place c02 at 1:3,0", "done")
    assert play(tight, "load blue at 1:0,0", "done", "stop").turn == 1, "packers would overlap"
    assert not {text for text in said(roomy) if text.startswith("place c02 at 1:2")}


def test_nothing_is_taken_that_has_a_part_to_its_right() -> None:
    state = play(table(("c01", "c02")), "place c01 at 1:1,0", "place c02 at 1:2,0", "done")
    assert {text for text in said(state) if text.startswith("take")} == {"take c02 at 1:2,0"}
    state = play(state, "take c02 at 1:2,0", "take c01 at 1:1,0", "done")
    assert not state.seat.devices
    assert len(state.seat.hoppers) == 2
    assert state.now.actions == 1


def test_cubes_in_a_hopper_that_is_dismantled_are_lost() -> None:
    state = play(table(("c01",), (2, 0, 0)), "place c01 at 1:1,0", "done")
    state = play(loaded(state, "yellow", 2), "done", "take c01 at 1:1,0")
    assert state.seat.count == 0


def test_a_part_fires_as_often_as_it_can_and_the_rest_is_purged() -> None:
    state = play(table(("c01",), (5, 1, 0)), "place c01 at 1:1,0", "done")
    state = play(loaded(loaded(state, "yellow", 5), "red", 1), "done", "stop", "run 1")
    assert state.seats[0].storage == (0, 2, 0)


def test_a_splitter_sends_each_colour_to_its_branch() -> None:
    game = table(("s01", "c04", "c02"), (0, 0, 2))
    state = play(game, "place s01 at 1:1,0", "place c02 at 1:2,-1", "done")
    state = play(loaded(state, "blue", 2), "done", "stop", "run 1")
    assert state.seats[0].storage == (4, 0, 2)


def test_a_special_joiner_wants_its_own_colours_on_each_branch() -> None:
    state = play(table(("j01",), (4, 4, 0)), "place j01 at 1:1,0", "done")
    wrong = loaded(loaded(state, "red", 4, "1:0,1"), "yellow", 4, "1:0,-1")
    right = loaded(loaded(state, "yellow", 4, "1:0,1"), "red", 4, "1:0,-1")
    assert play(wrong, "done", "stop", "run 1").seats[0].storage == (0, 0, 0)
    assert play(right, "done", "stop", "run 1").seats[0].storage == (0, 0, 4)


def test_a_route_without_a_special_part_may_not_be_run() -> None:
    state = play(table(("straight",), (2, 0, 0)), "place straight at 1:1,0", "done")
    state = play(loaded(state, "yellow", 2), "done", "stop")
    assert state.turn == 1
    assert state.seats[0].on_table == (2, 0, 0)


def test_a_grey_splitter_sends_at_least_one_cube_each_way() -> None:
    parts = ("c04", "basic-splitter")
    state = play(table(parts, (0, 1, 0)), "place c04 at 1:1,0", "place basic-splitter at 1:2,0")
    state = play(loaded(play(state, "done"), "red", 1), "done", "stop", "run 1")
    assert state.seats[0].storage == (2, 0, 0), "two alike can be shared out in one way only"
    state = play(table(parts, (0, 2, 0)), "place c04 at 1:1,0", "place basic-splitter at 1:2,0")
    state = play(loaded(play(state, "done"), "red", 2), "done", "stop", "run 1")
    assert said(state) == {"split 1 yellow", "split 2 yellow", "split 3 yellow"}


def test_a_pause_may_keep_one_cube_until_the_next_run() -> None:
    state = play(table(("c04", "pause"), (0, 2, 0)), "place c04 at 1:1,0", "place pause at 1:2,0")
    state = play(loaded(play(state, "done"), "red", 1), "done", "stop", "run 1")
    assert said(state) == {"hold nothing", "hold 1 yellow"}
    state = play(state, "hold 1 yellow")
    assert state.seats[0].on_table == (1, 0, 0)
    state = play(state, "stop")
    state = play(loaded(state, "red", 1), "done", "stop", "run 1", "hold nothing")
    assert state.seats[0].storage == (4, 0, 0)


def test_orders_are_served_from_packed_cubes_only() -> None:
    state = play(table(("c01",), (4, 2, 0), ("o01",)), "place c01 at 1:1,0", "done")
    assert play(state, "stop").scores() == (0, 0)
    state = play(loaded(state, "yellow", 4), "done", "stop", "run 1")
    assert said(state) == {"fulfil o01", "done"}
    state = play(state, "fulfil o01")
    assert state.scores() == (2, 0)
    assert state.seats[0].storage == (0, 2, 0)


def test_a_run_may_make_more_than_ten_cubes_before_orders_are_served() -> None:
    state = play(table(("c13",), (0, 5, 0), ("o09",)), "place c13 at 1:1,0", "done")
    state = play(loaded(state, "red", 5), "done", "stop", "run 1", "fulfil o09")
    assert state.seats[0].storage == (9, 0, 0)


def test_a_hard_bank_gives_only_what_it_has() -> None:
    game = devices("hard-bank")
    state = play(table(("c13",), (4, 2, 0), game=game), "place c13 at 1:1,0", "done")
    others = (replace(state.seats[1], storage=(19, 0, 0)),)
    state = play(loaded(replace(state, seats=(state.seats[0], *others)), "red", 2), "done")
    assert play(state, "stop", "run 1").seats[0].storage == (5, 0, 0)


def test_selling_gives_a_yellow_a_card_and_four_at_most() -> None:
    hand = ("c01", "c02", "c03", "c04", "c05")
    state = table(hand, (0, 0, 0), game=devices("haggling"))
    assert "sell c01" not in said(table(hand, (0, 0, 0)))
    state = play(state, "sell c01", "sell c02", "sell c03", "sell c04")
    assert "sell c05" not in said(state)
    assert state.seat.storage == (4, 0, 0)
    assert state.now.actions == 2


def test_a_swap_needs_both_players_and_no_action() -> None:
    state = table(("c01",), game=devices("haggling"))
    other = replace(state.seats[1], hand=tuple(numbers(state.box.names, ["c05"])))
    state = replace(
        state,
        seats=(state.seats[0], other),
        part_deck=tuple(c for c in state.part_deck if c not in other.hand),
        part_row=tuple(c for c in state.part_row if c not in other.hand),
    )
    state = play(state, "offer c01 for c05 to 2")
    assert (state.to_move, state.active) == (1, 0)
    swapped = play(state, "agree").cards()
    assert (swapped["hand 1"], swapped["hand 2"]) == (("c05",), ("c01",))
    assert play(state, "refuse").cards()["hand 1"] == ("c01",)
    assert play(state, "agree").now.actions == 3


def test_second_thoughts_put_an_order_under_the_deck() -> None:
    state = table(orders=("o01",), game=devices("second-thoughts"))
    assert "give back o01" not in said(table(orders=("o01",)))
    state = play(state, "give back o01")
    assert state.box.orders[state.order_deck[-1]] == "o01"


def scored(*served: Sequence[str]) -> State:
    state = table(players=len(served))
    seats = tuple(
        replace(seat, served=tuple(numbers(state.box.orders, orders)))
        for seat, orders in zip(state.seats, served, strict=True)
    )
    return replace(state, seats=seats)


TOP = ("o32", "o31", "o30", "o27")  # 9 + 8 + 8 + 7 points


def test_the_round_is_finished_when_somebody_has_thirty_points() -> None:
    state = replace(scored((), TOP), turn=1)
    assert not state.is_over()
    assert play(state, "stop").is_over()


def test_most_points_win_then_the_largest_device_then_the_victory_is_shared() -> None:
    assert scored(TOP, ("o28", "o29")).winners() == (0,)
    state = scored(TOP, ("o26", "o25", "o24", "o23", "o22", "o01", "o11"))
    equal = replace(state.seats[1], served=state.seats[0].served)
    even = replace(state, seats=(state.seats[0], equal))
    assert even.winners() == (0, 1)
    engine = DevicesEngine(devices())
    card = engine.box.names.index("c01")
    placing = next(
        move.placing
        for move in table(("c01",)).legal_moves()
        if str(move) == "place c01 at 1:1,0" and hasattr(move, "placing")
    )
    larger = even.seats[1].with_part(card, placing)
    assert replace(even, seats=(even.seats[0], larger)).winners() == (1,)


def test_a_move_that_is_not_open_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="accept o99: it is not open now"):
        table().apply(Accept("o99"))


def test_the_playthrough_still_replays() -> None:
    recorded = PLAYTHROUGH.read_text(encoding="utf-8").splitlines()
    engine = DevicesEngine(devices())
    decks = {line.split()[1]: line.split()[2:] for line in recorded if line.startswith("deck ")}
    state = engine.deal(
        numbers(engine.box.orders, decks["orders"]),
        numbers(engine.box.names, decks["special"]),
        int(recorded[1].split()[1]),
    )
    told = [*recorded[:4]]
    for line in recorded:
        if line.startswith("> "):
            if state.now.actions == state.box.rules.actions and not state.now.mode:
                told.append(describe(state))
            state = play(state, line[2:])
            told.append(line)
    told.append(f"scores {state.scores()} winners {[seat + 1 for seat in state.winners()]}")
    assert told == recorded


def describe(state: State) -> str:
    seat = f"turn {state.turn + 1}, seat {state.active + 1}"
    return f"{seat}: scores {state.scores()}, {state.seat.storage}"
