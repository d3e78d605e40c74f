"""The rules of Hardware Hustle, one by one, and a whole game replayed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.hardware_hustle import (
    BUY,
    MAKE,
    RESEARCH,
    SELL,
    Do,
    Done,
    HardwareHustleEngine,
    Move,
    Research,
    Rest,
    Sheet,
    State,
)
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.play.games.hardware_hustle_bots import careful_bot, greedy_bot, planner_bot

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden/playthroughs/hardware-hustle.txt"


@cache
def hustle(variant: str | None = None) -> Game:
    return load_game(ROOT, "hardware-hustle", variant)


def begin(*dice: int, players: int = 1, variant: str | None = None) -> State:
    return HardwareHustleEngine(hustle(variant)).new_game(players, Random(1), dice)


def play(state: State, *moves: str) -> State:
    for text in moves:
        state = state.apply(next(move for move in state.legal_moves() if str(move) == text))
    return state


def owning(state: State, **what: object) -> State:
    sheet = replace(state.sheets[0], **what)
    return replace(state, sheets=(sheet, *state.sheets[1:]))


def refused(state: State, move: Move) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        state.apply(move)
    return str(caught.value)


def test_everybody_starts_with_ten_money_and_nothing_else() -> None:
    state = begin(4, players=3)
    assert state.sheets == (Sheet(10, (0, 0, 0, 0), (0, 0, 0)),) * 3
    assert (state.phase, state.roll, state.room, state.left) == (BUY, 4, 4, 12)


def test_the_example_of_the_original_rules_comes_out_right() -> None:
    state = begin(4, 1, 3, 6)
    state = play(state, "buy enclosure", "buy speaker", "buy speaker", "done")
    state = play(state, "make amplifier", "done", "sell amplifier", "done")
    assert (state.sheet.money, state.sheet.parts, state.left) == (11, (0, 1, 0, 0), 7)
    assert (state.phase, state.roll) == (RESEARCH, 6)
    assert play(state, "research make").sheet.levels == (0, 1, 0)


def test_no_more_opportunity_is_spent_than_the_roll_allows() -> None:
    state = play(begin(2), "buy controls")
    said = "buy speaker: it costs 1 opportunity and the roll of 2 leaves 0"
    assert refused(state, Do("buy", "speaker")) == said


def test_no_more_money_is_spent_than_is_there() -> None:
    state = owning(begin(6), money=3)
    assert (
        refused(state, Do("buy", "processor")) == "buy processor: it costs 4 money and 3 is there"
    )


def test_a_widget_needs_all_its_parts() -> None:
    state = play(owning(begin(1, 6), parts=(1, 1, 0, 0)), "done")
    assert refused(state, Do("make", "noisebox")) == "make noisebox: there is no controls for it"


def test_only_widgets_in_stock_are_sold() -> None:
    state = play(begin(1, 1, 6), "done", "done")
    assert refused(state, Do("sell", "synth")) == "sell synth: there is none to sell"


def test_things_are_done_in_their_phase() -> None:
    assert refused(begin(), Do("sell", "synth")) == "sell synth: it is not the phase for it"
    assert refused(begin(), Research("buy")) == "research buy: it is not the phase for it"
    assert refused(begin(), Do("buy", "lamp")) == "buy lamp: there is no such thing"
    assert refused(begin(), Rest()) == "rest: there was no burnout"


def test_money_from_sales_is_there_in_the_next_turn_only() -> None:
    state = play(owning(begin(1, 1, 6, 6), money=0, widgets=(0, 0, 1)), "done", "done")
    state = play(state, "sell synth", "done", "research buy")
    assert (state.day, state.sheet.money, state.phase) == (1, 40, BUY)


@pytest.mark.parametrize("left", range(7))
def test_research_succeeds_on_rolls_up_to_what_is_left(left: int) -> None:
    for roll in range(1, 7):
        state = replace(begin(1, 1, 1, roll), phase=SELL, left=left).apply(Done())
        assert (state.phase == RESEARCH) == (roll <= left)


def test_research_costs_nothing_and_may_be_declined() -> None:
    state = replace(begin(1, 1, 1, 1), phase=SELL, left=6).apply(Done())
    assert play(state, "done").sheet.levels == (0, 0, 0)
    assert play(state, "research sell").left == 12


def test_an_action_cannot_be_researched_beyond_its_last_column() -> None:
    state = owning(replace(begin(1, 1, 1, 1), phase=SELL, left=6), levels=(3, 0, 0)).apply(Done())
    assert [str(move) for move in state.legal_moves()] == ["research make", "research sell", "done"]
    assert refused(state, Research("buy")) == "research buy: its costs are as low as they go"


def test_below_zero_is_a_burnout_and_the_next_turn_is_lost() -> None:
    state = owning(replace(begin(), phase=SELL, left=-1), parts=(1, 0, 2, 0)).apply(Done())
    assert (state.day, state.sheet.burnouts, state.legal_moves()) == (1, 1, (Rest(),))
    assert refused(state, Done()) == "done: the turn is lost to a burnout"
    after = state.apply(Rest())
    assert (after.day, after.left) == (2, 8)
    assert replace(after.sheet, resting=True) == state.sheet, "all is carried over"


def test_a_burnout_in_the_last_turn_only_counts_for_ties() -> None:
    state = replace(begin(), turn=5, phase=SELL, left=-3).apply(Done())
    assert state.is_over()
    assert state.sheets[0].burnouts == 1


def test_the_last_turn_has_no_research() -> None:
    assert replace(begin(), turn=5, phase=SELL, left=4).apply(Done()).is_over()


def test_most_money_wins_then_fewest_burnouts_then_it_is_shared() -> None:
    state = replace(begin(players=3), turn=18)
    poor, rich = state.sheets[0], replace(state.sheets[0], money=30)
    worn = replace(rich, burnouts=1)
    assert replace(state, sheets=(poor, rich, poor)).winners() == (1,)
    assert replace(state, sheets=(worn, rich, poor)).winners() == (1,)
    assert replace(state, sheets=(rich, worn, rich)).winners() == (0, 2)


def test_research_lowers_the_costs_of_its_action() -> None:
    state = owning(begin(1), levels=(1, 0, 0))
    assert [state.cost(at) for at in range(4)] == [0, 0, 1, 2]
    making = owning(replace(begin(1), phase=MAKE), levels=(0, 3, 0))
    assert [making.cost(at) for at in range(3)] == [0, 0, 0]


def test_shared_rolls_are_the_same_for_all() -> None:
    dice = (3, 1, 5, 2)
    state = begin(*dice, players=2, variant="shared-rolls")
    first = [state.roll, *(roll_after(state, n) for n in (1, 2))]
    second = play(state, "done", "done", "done", "done")
    assert second.to_move == 1
    assert [second.roll, *(roll_after(second, n) for n in (1, 2))] == first == [3, 1, 5]


def roll_after(state: State, phases: int) -> int:
    return play(state, *("done",) * phases).roll


def test_fair_trade_keeps_selling_at_one() -> None:
    state = owning(replace(begin(variant="fair-trade"), phase=SELL), levels=(0, 0, 3))
    assert [state.cost(at) for at in range(3)] == [1, 1, 1]


def test_a_bot_is_shown_other_dice() -> None:
    state = begin(3, 3, 3, 3)
    rolls = {roll_after(state.as_seen_by(0, Random(n)), 1) for n in range(40)}
    assert rolls == {1, 2, 3, 4, 5, 6}
    assert state.as_seen_by(0, Random(1)).roll == state.roll


def test_dice_are_even() -> None:
    state, seen = begin(), [0] * 7
    for seed in range(3000):
        seen[replace(state, seed=seed).roll_of(1)] += 1
    assert min(seen[1:]) > 430
    assert max(seen) < 570


def test_the_careful_and_the_planner_never_burn_out() -> None:
    engine = HardwareHustleEngine(hustle())
    for bot in (careful_bot, planner_bot):
        for seed in range(40):
            state = engine.new_game(1, Random(seed))
            while not state.is_over():
                state = state.apply(bot(state, Random(0)))
            assert state.sheets[0].burnouts == 0


def recorded_game() -> str:
    """Tell a game of a greedy player against a planner, move by move."""
    state = HardwareHustleEngine(hustle()).new_game(2, Random(7))
    lines, bots = [], (greedy_bot, planner_bot)
    turn = -1
    while not state.is_over():
        if state.turn != turn:
            turn, sheet = state.turn, state.sheet
            lines.append(
                f"turn {state.day + 1}, seat {state.to_move + 1}: money {sheet.money}, parts "
                f"{sheet.parts}, widgets {sheet.widgets}, levels {sheet.levels}, "
                f"burnouts {sheet.burnouts}"
            )
        move = bots[state.to_move](state, Random(0))
        lines.append(f"  roll {state.roll}, left {state.left} > {move}")
        state = state.apply(move)
    lines.append(f"scores {state.scores()}, winners {state.winners()}")
    return "\n".join(lines) + "\n"


def test_a_recorded_game_replays() -> None:
    assert recorded_game() == GOLDEN.read_text(encoding="utf-8")
