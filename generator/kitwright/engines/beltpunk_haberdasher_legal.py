"""The moves that are open on a table of Beltpunk Haberdasher: all of them, or whether one is.

Changes nothing. What `allows` says is what `open_moves` lists, without making the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kitwright.engines.beltpunk_haberdasher_moves import (
    MACHINE,
    Choose,
    Draw,
    Exchange,
    Give,
    Lay,
    Look,
    Move,
    NoSet,
    Put,
    Skip,
    Swap,
    Take,
)
from kitwright.engines.beltpunk_haberdasher_sets import mask_of

if TYPE_CHECKING:
    from kitwright.engines.beltpunk_haberdasher import State


def open_moves(state: State) -> tuple[Move, ...]:
    """List the moves open to the seat that is to move, in a fixed order."""
    names, hand = state.box.names, sorted(state.hands[state.to_move])
    match state.phase:
        case "choose":
            return tuple(Choose(names[card]) for card in hand)
        case "act":
            return (*_actions(state), Skip())
        case "reply":
            return tuple(Give(names[card]) for card in hand)
        case "look":
            return tuple(Take(names[card], state.pile) for card in state.scraps[state.pile])
        case "put":
            return tuple(Put(names[card]) for card in hand)
        case "declare":
            sets = state.box.book.within(mask_of(hand))
            return (*(Lay(tuple(names[card] for card in s.cards)) for s in sets), NoSet())
        case "over":
            return ()


def _actions(state: State) -> Iterator[Move]:
    names, seat = state.box.names, state.to_move
    hand = sorted(state.hands[seat])
    others = [other for other in range(len(state.hands)) if other != seat]
    for action in state.actions:
        if action == "draw" and state.deck:
            yield Draw()
        elif action == "exchange":
            for other in others:
                if state.hands[other]:
                    yield from (Exchange(names[card], other) for card in hand)
        elif action == "take":
            yield from (Take(names[card], pile) for card, pile in open_cards(state))
            yield from (Look(other) for other in others if state.scraps[other])
        elif action == "swap" and hand:
            yield from (Swap(names[card], pile) for card, pile in open_cards(state))
            yield from (Swap(None, other) for other in others if state.scraps[other])


def open_cards(state: State) -> Iterator[tuple[int, int]]:
    """Yield the cards that the acting seat may take with open eyes, each with its pile."""
    for belt in state.belts:
        yield from ((card, MACHINE) for card in belt)
    yield from ((card, state.to_move) for card in state.scraps[state.to_move])


def allows(state: State, move: Move) -> bool:
    """Tell whether a move is open to the seat that is to move."""
    match move:
        case Choose(name):
            return state.phase == "choose" and _holds(state, name)
        case Give(name):
            return state.phase == "reply" and _holds(state, name)
        case Put(name):
            return state.phase == "put" and _holds(state, name)
        case NoSet():
            return state.phase == "declare"
        case Lay(names):
            return state.phase == "declare" and _can_lay(state, names)
        case Take(name, pile) if state.phase == "look":
            return pile == state.pile and state.box.numbers.get(name) in state.scraps[pile]
    return state.phase == "act" and _allows_action(state, move)


def _allows_action(state: State, move: Move) -> bool:
    actions, seat = state.actions, state.to_move
    match move:
        case Draw():
            return "draw" in actions and bool(state.deck)
        case Exchange(name, other):
            there = _is_other(state, other) and bool(state.hands[other])
            return "exchange" in actions and there and _holds(state, name)
        case Take(name, pile):
            return "take" in actions and _is_open(state, name, pile)
        case Look(pile):
            return "take" in actions and _is_other(state, pile) and bool(state.scraps[pile])
        case Swap(None, pile):
            can = "swap" in actions and bool(state.hands[seat])
            return can and _is_other(state, pile) and bool(state.scraps[pile])
        case Swap(str(name), pile):
            can = "swap" in actions and bool(state.hands[seat])
            return can and _is_open(state, name, pile)
    return isinstance(move, Skip)


def _holds(state: State, name: str) -> bool:
    return state.box.numbers.get(name) in state.hands[state.to_move]


def _is_other(state: State, seat: int) -> bool:
    return seat != state.to_move and 0 <= seat < len(state.hands)


def _is_open(state: State, name: str, pile: int) -> bool:
    card = state.box.numbers.get(name)
    if pile == MACHINE:
        return any(card in belt for belt in state.belts)
    return pile == state.to_move and card in state.scraps[pile]


def _can_lay(state: State, names: tuple[str, ...]) -> bool:
    cards = tuple(state.box.numbers.get(name, -1) for name in names)
    hand = state.hands[state.to_move]
    if not all(card in hand for card in cards):
        return False
    found = state.box.book.find(cards)
    return found is not None and found.cards == cards
