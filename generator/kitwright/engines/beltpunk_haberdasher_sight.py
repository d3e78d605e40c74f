"""Who sees what at a table of Beltpunk Haberdasher: where cards lie, and which are hidden.

Changes no rules; a state seen by a player is the same table with the hidden cards dealt anew.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kitwright.engines.api import shuffled
from kitwright.engines.beltpunk_haberdasher_moves import MACHINE

if TYPE_CHECKING:
    from kitwright.engines.beltpunk_haberdasher import State

SEEDS = 2**53

Cards = tuple[int, ...]


def places(state: State) -> dict[str, Cards]:
    """Return the cards by the place where they lie."""
    seats, box = range(len(state.hands)), state.box
    in_machine = state.queue[:1]  # the actor's card lies there already
    return {
        "deck": state.deck,
        **{f"hand {s + 1}": state.hands[s] for s in seats},
        **{f"chosen {s + 1}": () if s in in_machine else state.chosen[s] for s in seats},
        **{f"belt {name}": b for name, b in zip(box.suit_names, state.belts, strict=True)},
        **{f"scrap {s + 1}": state.scraps[s] for s in seats},
        **{f"sets {s + 1}": tuple(card for laid in state.sets[s] for card in laid) for s in seats},
        **{f"declared {s + 1}": state.declared[s] or () for s in seats},
        "held": state.held,
    }


def facts(state: State) -> dict[str, Any]:
    """Return what the table shows besides its cards; seats count from 1."""
    box = state.box
    rows = box.rules.sets
    laid = [
        [
            {"title": rows[one.kind].title, "points": one.points, "cards": _named(state, cards)}
            for cards in sets
            if (one := box.book.find(cards)) is not None
        ]
        for sets in state.sets
    ]
    return {
        "round": state.rounds + 1,
        "foreman": state.foreman + 1,
        "order": tuple(seat + 1 for seat in state.queue),
        "slots": state.slots,
        "laid": laid,
        "pad": [
            {"scores": line.scores, "scrap": line.scrap, "turns": line.turns} for line in state.pad
        ],
    }


def _named(state: State, cards: Cards) -> tuple[str, ...]:
    return tuple(state.box.names[card] for card in cards)


def hidden_from(state: State, seat: int) -> frozenset[str]:
    """Return the places with cards that a seat may not look at."""
    hidden = {"deck"}
    for other in range(len(state.hands)):
        if other == seat:
            continue
        hidden |= {f"hand {other + 1}", f"declared {other + 1}"}
        if not state.queue:
            hidden.add(f"chosen {other + 1}")
        if (state.phase, state.to_move, state.pile) != ("look", seat, other):
            hidden.add(f"scrap {other + 1}")
    if state.queue[:1] != (seat,):
        hidden.add("held")
    there = places(state)
    return frozenset(place for place in hidden if there[place])


def dealt_anew(state: State, seat: int, rng: Random) -> State:
    """Return the state with every card that is hidden from a seat dealt anew."""
    others = [other for other in range(len(state.hands)) if other != seat]
    looked = state.pile if (state.phase, state.to_move) == ("look", seat) else MACHINE
    hands, chosen, scraps = list(state.hands), list(state.chosen), list(state.scraps)
    declared, held = list(state.declared), [state.held]
    hidden: list[tuple[list[Any], int]] = [(hands, other) for other in others]
    if not state.queue:
        hidden += [(chosen, other) for other in others if chosen[other]]
    hidden += [(scraps, other) for other in others if scraps[other] and other != looked]
    hidden += [(declared, other) for other in others if declared[other]]
    if state.queue[:1] != (seat,):
        hidden.append((held, 0))
    cards = [*state.deck]
    for rows, at in hidden:
        cards += rows[at]
    order = shuffled(cards, rng)
    start = len(state.deck)
    deck = order[:start]
    for rows, at in hidden:
        end = start + len(rows[at])
        rows[at], start = order[start:end], end
    return replace(
        state,
        seed=int(rng.random() * SEEDS),
        deck=deck,
        hands=tuple(hands),
        chosen=tuple(chosen),
        scraps=tuple(scraps),
        declared=tuple(declared),
        held=held[0],
    )
