"""The device search, the bot and the checks of Devices."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from kitwright.cli.play import solve
from kitwright.engines.devices import DevicesEngine, engine
from kitwright.engines.devices_grid import holds
from kitwright.load import load_game
from kitwright.model.game import Game
from kitwright.model.record import freeze
from kitwright.play.devices_solve import UnknownOrderError, solve_order
from kitwright.play.devices_workshop import Workshop
from kitwright.play.games.devices_bot import greedy_bot
from kitwright.play.games.devices_checks import (
    device_checks,
    order_checks,
    part_checks,
    price_checks,
)
from kitwright.play.games.devices_play_checks import game_checks
from kitwright.play.games.devices_ranks import rank_correlation
from kitwright.play.games.devices_watch import Watched
from kitwright.play.simulate import Played, play_game

ROOT = Path(__file__).parent.parent
COSTS = (
    *(5, 5, 5, 6, 7, 8, 8, 8, 7, 8, 9, 9, 10, 10, 9, 10),
    *(11, 12, 11, 12, 12, 12, 13, 13, 14, 13, 16, 16, 16, 18, 18, 19),
)


@cache
def devices() -> Game:
    return load_game(ROOT, "devices")


@cache
def rules() -> DevicesEngine:
    return engine(devices())


@cache
def workshop() -> Workshop:
    return Workshop(rules())


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


def test_the_cheapest_device_of_every_order_costs_what_its_points_say() -> None:
    found = workshop().best
    assert tuple(best.cost for best in found if best is not None) == COSTS


def test_every_device_found_makes_its_order_by_the_rules_of_the_engine() -> None:
    for wanted, best in zip(workshop().box.wants, workshop().best, strict=True):
        assert best is not None
        assert holds(workshop().packed(best.making), wanted)
        assert holds(workshop().packed(best.witness), wanted)


def test_grey_parts_make_the_dearest_order_for_eighteen() -> None:
    wanted = workshop().box.wants[-1]
    found = workshop().greyer(wanted, COSTS[-1])
    assert found is not None
    assert found[0] == 18
    assert holds(workshop().packed(found[1]), wanted)


def test_the_solver_tells_the_device_and_lays_its_cards() -> None:
    solved = solve_order(devices(), "O07")
    assert solved.lines == (
        "o07: 2 yellow, 2 red for 3 points",
        "cheapest: 8 (parts 4, cubes 4)",
        "  device 1: hopper (1 blue) -> s01 -> packer / packer",
        "  packed: 2 yellow, 2 red",
        "fewest actions from the start: 4",
    )
    assert solved.cards == (
        ("basic/hopper", 0.0, 0.5),
        ("special/s01", 1.0, 0.5),
        ("basic/packer", 2.0, 1.0),
        ("basic/packer", 2.0, 0.0),
    )


def test_an_unknown_order_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownOrderError, match="'o99' is no order of the game; did you mean"):
        solve_order(devices(), "o99")


def test_solve_draws_the_device_from_the_cards(tmp_path: Path) -> None:
    target = tmp_path / "o07.png"
    words = ["devices", "o07", "--workspace", str(ROOT), "--picture", str(target)]
    result = CliRunner().invoke(solve, words)
    assert result.exit_code == 0, result.output
    assert target.read_bytes().startswith(b"\x89PNG")


def test_all_static_checks_hold() -> None:
    view = rules().view
    found = (*price_checks(view), *part_checks(view), *order_checks(view))
    found += tuple(device_checks(view, workshop()))
    assert [check.name for check in found if not check.ok] == []


def test_a_price_off_the_rule_is_named_unless_it_says_why() -> None:
    (check,) = price_checks(engine(with_card("special", "c09", price=5)).view)
    assert (check.ok, check.about) == (False, "c09 costs 5, by rule 3")
    told = with_card("special", "c09", price=5, because="It was bought too often.")
    (check,) = price_checks(engine(told).view)
    assert check.ok


def test_points_off_the_rule_are_named() -> None:
    view = engine(with_card("orders", "o12", points=3)).view
    found = {check.name: check for check in device_checks(view, workshop())}
    assert found["points by rule"].about == "o12 gives 3, by rule 4"


def test_a_part_that_covers_its_input_or_is_dominated_is_named() -> None:
    right = {"mid": ("yellow", "yellow", "red")}
    view = engine(with_card("special", "c01", right=right)).view
    found = {check.name: check for check in part_checks(view)}
    assert found["no part covers its own input"].about == "c01"
    dear = engine(with_card("special", "c09", price=1)).view
    dominated = {check.name: check for check in part_checks(dear)}["no part dominated"]
    assert dominated.ok
    cheap = engine(with_card("special", "c10", price=1)).view
    dominated = {check.name: check for check in part_checks(cheap)}["no part dominated"]
    assert dominated.about == "c03 by c10"


def test_greedy_players_bring_a_game_to_its_end() -> None:
    for players in (2, 4):
        state, finished = play_game(rules(), [greedy_bot] * players, f"end:{players}")
        assert finished
        assert max(state.scores()) >= rules().box.rules.goal


def test_a_game_that_did_not_end_fails_the_check() -> None:
    stuck = Played(("greedy", "greedy"), 120, (10, 12), (), False)
    (check,) = game_checks(2, [Watched(stuck, (), 0, 0)])
    assert (check.name, check.ok) == ("2 players: games end", False)


def test_rank_correlation_counts_order_and_not_size() -> None:
    assert rank_correlation([1, 2, 3], [1, 10, 1000]) == pytest.approx(1)
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert rank_correlation([1, 1, 1], [1, 2, 3]) == 0.0
