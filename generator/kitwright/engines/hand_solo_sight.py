"""What a captain of Hand Solo sees: where cards lie, which side is up, what things cost here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kitwright.engines.hand_solo_state import State


def places(state: State) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of all cards by place; contracts are aboard beside the goods."""
    numbers = {
        "met": tuple(card for card in state.offered if card == state.here),
        "market": tuple(card for card in state.offered if card != state.here),
        "deck": state.deck,
        "discard": state.discard,
        "holds": tuple(card for card, _ in state.hold),
    }
    names = state.box.cards
    return {place: tuple(names[card] for card in cards) for place, cards in numbers.items()}


def facts(state: State) -> Mapping[str, Any]:
    """Return the career so far.

    `up` has the cards of each place with a `+` behind those on their renowned side, and the
    holds once more by what fills them; `goods` is the good of each card, `prices` what a card
    of each good costs where the captain is.
    """
    number, names = state.box.number, state.box.cards
    filled = {"goods": False, "contracts": True}
    there = {
        **places(state),
        **{
            key: tuple(names[c] for c, job in state.hold if job is of) for key, of in filled.items()
        },
    }
    return {
        "year": state.year,
        "credits": state.credits,
        "renown": state.renown,
        "rank": state.box.view.rank(state.scores()[0]),
        "free": state.free_holds,
        "goods": {card: state.good(number[card]) for card in number},
        "prices": _prices(state),
        "up": {
            place: tuple(card + "+" * state.is_renowned(number[card]) for card in cards)
            for place, cards in there.items()
        },
    }


def _prices(state: State) -> Mapping[str, int]:
    """Return the price of a card of each good with a row of its own; none where nobody deals."""
    if state.at_port:
        return {good: state.price(good) for good in state.box.prices[state.here][0]}
    good = state.contact.commodity
    return {good: state.price(good)} if state.contact.price else {}
