"""The rules of Hard Wired, one by one, and a whole game replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kitwright.engines.api import IllegalMoveError
from kitwright.engines.hard_wired import Draw, Finish, HardWiredEngine, Lay, Pass, Play, State
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import Record, freeze

ROOT = Path(__file__).parent.parent
PLAYTHROUGH = "playthroughs/hard-wired.txt"


@cache
def hard_wired(variant: str | None = None) -> Game:
    return load_game(ROOT, "hard-wired", variant)


def with_rules(**numbers: Any) -> Game:
    game = hard_wired()
    return replace(game, rules=Record({**game.rules, **numbers}))


def table(
    hand: Sequence[str],
    public: Sequence[str] = (),
    *,
    current: str = "display-111",
    displays: Sequence[str] = ("display-222", "display-333", "display-123"),
    reserve: int = 99,
    players: int = 2,
    game: Game | None = None,
) -> State:
    """Set up a table where seat 1 holds just these cards; the others hold none."""
    engine = HardWiredEngine(game or hard_wired())
    box = engine.box
    shown = numbers(box.displays, [current, *displays])
    laid = numbers(box.circuits, [*hand, *public])
    left = [card for card in range(len(box.circuits)) if card not in laid]
    other_displays = [card for card in range(len(box.displays)) if card not in shown]
    first = [shown[0], *other_displays[: players - 1]]
    return State(
        box=box,
        turn=0,
        machines=tuple((card,) for card in first),
        hands=(tuple(laid[: len(hand)]), *((),) * (players - 1)),
        public_displays=tuple(shown[1:]),
        public_circuits=tuple(laid[len(hand) :]),
        display_reserve=tuple(other_displays[players - 1 :]),
        circuit_reserve=tuple(left[:reserve]),
    )


def numbers(names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    left = list(enumerate(names))
    found = []
    for name in wanted:
        item = next(item for item in left if item[1] == name)
        left.remove(item)
        found.append(item[0])
    return found


def moves(state: State) -> list[str]:
    return [str(move) for move in state.legal_moves()]


def run(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(next(move for move in state.legal_moves() if str(move) == text))
    return state


TO_222 = ("lay straight-plain from hand", "lay straight-inductors from hand")


def test_each_player_is_dealt_a_display_and_three_circuits() -> None:
    state = HardWiredEngine(hard_wired()).new_game(4, Random(1))
    places = {place: len(cards) for place, cards in state.cards().items()}
    assert places == {
        **{f"machine {seat}": 1 for seat in (1, 2, 3, 4)},
        **{f"hand {seat}": 3 for seat in (1, 2, 3, 4)},
        "public displays": 3,
        "public circuits": 3,
        "segment": 0,
        "display reserve": 54 - 7,
        "circuit reserve": 44 - 15,
    }


def test_the_handicap_deals_extra_circuits_by_seat() -> None:
    state = HardWiredEngine(hard_wired("handicap")).new_game(6, Random(1))
    assert [len(hand) for hand in state.hands] == [3, 4, 5, 5, 5, 5]


def test_a_circuit_is_played_to_the_table_and_two_are_drawn() -> None:
    state = table(["straight-plain", "roll-up-plain"], ["roll-down-plain"])
    top = state.cards()["circuit reserve"][:2]
    after = run(state, "play straight-plain")
    assert after.cards()["hand 1"] == ("roll-up-plain", *top)
    assert after.cards()["public circuits"] == ("roll-down-plain", "straight-plain")
    assert (after.turn, after.to_move) == (1, 1)


@pytest.mark.parametrize("left", [0, 1])
def test_a_short_reserve_gives_what_it_has(left: int) -> None:
    state = table(["straight-plain"], reserve=left)
    drawn = state.cards()["circuit reserve"]
    after = run(state, "play straight-plain")
    assert len(drawn) == left
    assert after.cards()["hand 1"] == drawn
    assert after.circuit_reserve == ()


def test_an_empty_hand_may_draw_or_build_from_the_table() -> None:
    state = table([], ["straight-plain", "straight-inductors"])
    assert moves(state) == [
        "draw",
        "lay straight-plain from table",
        "lay straight-inductors from table",
    ]
    assert len(run(state, "draw").hands[0]) == 2
    assert run(table([], reserve=1), "draw").cards()["circuit reserve"] == ()


def test_passing_needs_an_empty_hand_an_empty_reserve_and_no_segment() -> None:
    assert moves(table([], ["straight-plain"], reserve=0)) == ["pass"]
    assert moves(table([], ["straight-plain"], reserve=1)) == ["draw"]
    assert moves(table(["straight-plain"], reserve=0)) == ["play straight-plain"]
    able = table([], ["straight-plain", "straight-inductors"], reserve=0)
    assert "pass" not in moves(able)
    after = run(table([], ["straight-plain"], reserve=0), "pass")
    assert (after.turn, after.to_move) == (1, 1)


def test_a_finished_segment_refills_displays_but_no_circuits() -> None:
    state = table(["straight-plain", "straight-inductors"], ["roll-up-plain"])
    next_display = state.cards()["display reserve"][0]
    after = run(state, *TO_222, "finish display-222")
    assert after.cards()["machine 1"] == ("display-111", "display-222")
    assert after.cards()["public displays"] == ("display-333", "display-123", next_display)
    assert after.cards()["public circuits"] == ("roll-up-plain",)
    assert after.cards()["hand 1"] == ()


def test_used_circuits_go_under_the_reserve_in_their_order() -> None:
    state = table(["straight-plain"], ["straight-inductors"])
    after = run(
        state,
        "lay straight-inductors from table",
        "lay straight-plain from hand",
        "finish display-222",
    )
    assert after.cards()["circuit reserve"][-2:] == ("straight-inductors", "straight-plain")
    assert after.circuit_reserve[:-2] == state.circuit_reserve


def test_one_circuit_is_no_segment() -> None:
    state = table(["straight-inductors", "roll-up-inductor-1"])
    assert moves(state) == ["play straight-inductors", "play roll-up-inductor-1"]


def test_a_segment_has_at_most_five_circuits() -> None:
    turns = [f"straight-{part}-{line}" for part in ("inductor", "resistor") for line in (1, 2, 3)]
    state = table(["straight-inductors", "high-swap-plain", *turns])
    lays = [f"lay {card} from hand" for card in ("straight-inductors", *turns[:1], *turns[3:4])]
    after = run(state, *lays, "lay straight-inductor-2 from hand")
    assert "lay straight-resistor-2 from hand" in moves(after)
    after = run(after, "lay straight-resistor-2 from hand")
    assert moves(after) == ["finish display-222"]


def test_a_segment_may_be_lengthened_although_it_could_be_finished() -> None:
    state = table(["straight-plain", "straight-inductors", "high-swap-plain"])
    assert moves(run(state, *TO_222)) == ["finish display-222", "lay high-swap-plain from hand"]


def test_only_circuits_from_which_the_segment_can_be_finished_may_be_laid() -> None:
    state = table(["straight-plain", "straight-inductors", "roll-up-inductor-1"])
    assert "lay roll-up-inductor-1 from hand" not in moves(state)
    with pytest.raises(IllegalMoveError) as error:
        state.apply(Lay("roll-up-inductor-1", from_hand=True))
    assert (
        str(error.value)
        == "lay roll-up-inductor-1 from hand: no segment can be finished from there"
    )


def test_a_segment_may_end_on_the_same_values() -> None:
    state = table(
        ["straight-inductor-1", "straight-resistor-1"],
        current="display-123",
        displays=["display-123", "display-111", "display-222"],
    )
    after = run(
        state,
        "lay straight-inductor-1 from hand",
        "lay straight-resistor-1 from hand",
        "finish display-123",
    )
    assert after.cards()["machine 1"] == ("display-123", "display-123")


def test_values_wrap_around_and_follow_their_wires() -> None:
    engine = HardWiredEngine(hard_wired())
    wiring, names = engine.box.wiring, engine.box.circuits

    def through(card: str, *values: int) -> tuple[int, ...]:
        return wiring.lineups[wiring.acts[names.index(card)][wiring.number[values]]]

    assert through("straight-inductors", 1, 2, 3) == (2, 3, 1)
    assert through("straight-resistors", 1, 2, 3) == (3, 1, 2)
    assert through("roll-down-plain", 1, 2, 3) == (3, 1, 2)
    assert through("high-swap-inductor-1", 3, 1, 2) == (1, 1, 2)


def test_the_last_display_is_the_input() -> None:
    state = table(
        [*("straight-plain", "straight-inductors"), *("high-swap-plain", "straight-resistors")]
    )
    after = run(state, *TO_222, "finish display-222", "draw")
    assert after.value == after.box.wiring.number[(2, 2, 2)]


def test_two_printed_copies_of_a_circuit_may_both_be_laid() -> None:
    game, twice = hard_wired(), "high-swap-plain"
    circuits = game.deck("circuits")
    cards = tuple(replace(c, copies=2) if c.id == twice else c for c in circuits.cards)
    doubled = replace(game, decks=(game.deck("displays"), replace(circuits, cards=cards)))
    state = table([twice], [twice], displays=["display-111", "display-123"], game=doubled)
    after = run(state, "lay high-swap-plain from hand")
    assert moves(after) == ["lay high-swap-plain from table"]
    assert moves(run(after, "lay high-swap-plain from table")) == ["finish display-111"]


def one_short(game: Game | None = None, players: int = 2, seats: Sequence[int] = (0,)) -> State:
    """Give some seats all displays but one, and the cards for a segment from 111 to 222."""
    state = table(
        ["straight-plain", "straight-inductors"],
        ["straight-resistors", "high-swap-plain"],
        players=players,
        game=game,
    )
    reserve, machines = list(state.display_reserve), list(state.machines)
    goal = state.box.rules.goal
    for seat in seats:
        machines[seat] = (*(reserve.pop() for _ in range(goal - 2)), *machines[seat])
    return replace(state, machines=tuple(machines), display_reserve=tuple(reserve))


def test_the_ninth_display_ends_the_game_at_once() -> None:
    state = one_short()
    assert not state.is_over()
    after = run(state, *TO_222, "finish display-222")
    assert after.is_over()
    assert (after.scores(), after.winners(), after.legal_moves()) == ((9, 1), (0,), ())
    with pytest.raises(IllegalMoveError, match=r"^draw: the game is over$"):
        after.apply(Draw())


def test_six_players_have_52_displays_out_at_most() -> None:
    state = one_short(players=6, seats=range(6))
    after = run(state, *TO_222, "finish display-222")
    out = sum(after.scores()) + len(after.public_displays)
    assert (after.scores(), out) == ((9, 8, 8, 8, 8, 8), 52)
    assert len(after.display_reserve) == 2
    assert after.is_over()


def test_with_the_round_end_everybody_has_the_same_number_of_turns() -> None:
    state = run(one_short(hard_wired("round-end")), *TO_222, "finish display-222")
    assert not state.is_over()
    assert state.winners() == ()
    after = run(state, "draw")
    assert after.is_over()
    assert after.winners() == (0,)


def round_over(hands: Sequence[int], longest: Sequence[int]) -> State:
    """Return a finished round with hands of these sizes and machines finished by these seats."""
    state = one_short(hard_wired("round-end"), len(hands), longest)
    cards, dealt = list(state.circuit_reserve), []
    for size in hands:
        dealt.append(tuple(cards.pop() for _ in range(size)))
    machines = [
        (*machine, state.display_reserve[seat]) if seat in longest else machine
        for seat, machine in enumerate(state.machines)
    ]
    return replace(state, turn=len(hands), machines=tuple(machines), hands=tuple(dealt))


def test_most_displays_win_a_round_then_most_circuits_then_it_is_shared() -> None:
    assert round_over([0, 5, 1], longest=[2]).winners() == (2,)
    assert round_over([2, 5, 1], longest=[0, 2]).winners() == (0,)
    assert round_over([2, 5, 2], longest=[0, 2]).winners() == (0, 2)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (Play("roll-up-plain"), "play roll-up-plain: the card is not there"),
        (Lay("roll-up-plain", False), "lay roll-up-plain from table: the card is not there"),
        (Draw(), "draw: it needs an empty hand and a circuit to draw"),
        (Pass(), "pass: there is something to do"),
        (Finish("display-222"), "finish display-222: the segment does not lead there"),
        (Finish("display-311"), "finish display-311: the card is not there"),
    ],
)
def test_an_illegal_move_is_refused(move: Any, said: str) -> None:
    with pytest.raises(IllegalMoveError) as error:
        table(["straight-plain", "straight-inductors"]).apply(move)
    assert str(error.value) == said


def test_a_segment_once_begun_is_finished_first() -> None:
    state = run(table(["straight-plain", "straight-inductors"]), TO_222[0])
    with pytest.raises(IllegalMoveError, match=r"^play straight-inductors: a segment is begun$"):
        state.apply(Play("straight-inductors"))


def test_the_engine_plays_changed_numbers() -> None:
    game = with_rules(
        hand=1, draw=3, public_displays=2, goal=2, segment=freeze({"fewest": 1, "most": 1})
    )
    state = HardWiredEngine(game).new_game(2, Random(2))
    assert [len(hand) for hand in state.hands] == [1, 1]
    assert len(state.public_displays) == 2
    assert len(state.apply(Play(state.cards()["hand 1"][0])).hands[0]) == 3
    after = run(
        table(["straight-inductors"], game=game),
        "lay straight-inductors from hand",
        "finish display-222",
    )
    assert after.is_over()


def test_the_cap_on_turns_is_the_proved_one() -> None:
    engine = HardWiredEngine(hard_wired())
    assert [engine.turn_cap(players) for players in (2, 6)] == [482, 3222]


def test_the_tree_of_moves_has_the_known_number_of_nodes() -> None:
    def leaves(state: State, depth: int) -> int:
        if not depth:
            return 1
        return sum(leaves(state.apply(move), depth - 1) for move in state.legal_moves())

    state = HardWiredEngine(hard_wired()).new_game(2, Random(1957))
    assert [leaves(state, depth) for depth in range(1, 5)] == [9, 59, 336, 1905]


def test_the_playthrough_still_replays(golden: Callable[[str, str], None]) -> None:
    recorded = (ROOT / "tests/golden" / PLAYTHROUGH).read_text(encoding="utf-8").splitlines()
    engine = HardWiredEngine(hard_wired())
    decks = {line.split()[1]: line.split()[2:] for line in recorded if line.startswith("deck ")}
    players = int(recorded[1].split()[1])
    state = engine.deal(
        numbers(engine.box.displays, decks["displays"]),
        numbers(engine.box.circuits, decks["circuits"]),
        players,
    )
    told = [*recorded[:4]]
    for line in recorded:
        if line.startswith("> "):
            if not state.segment:
                told.extend(describe(state))
            state = run(state, line[2:])
            told.append(line)
            if state.segment:
                told.append(f"    values {lineup(state)}")
    told.append(f"scores {state.scores()} winners {[seat + 1 for seat in state.winners()]}")
    golden(PLAYTHROUGH, "\n".join(told) + "\n")


def lineup(state: State) -> str:
    return " ".join(map(str, state.box.wiring.lineups[state.value]))


def describe(state: State) -> list[str]:
    cards, seat = state.cards(), state.to_move + 1
    return [
        f"turn {state.turn + 1}, seat {seat}: scores {state.scores()}, values {lineup(state)}",
        f"  displays on the table: {' '.join(cards['public displays'])}",
        f"  circuits on the table: {' '.join(cards['public circuits']) or '-'}",
        f"  circuits in hand: {' '.join(cards[f'hand {seat}']) or '-'}",
        f"  moves: {'; '.join(moves(state))}",
    ]
