"""Who sees what at a table of Beltpunk Haberdasher: where cards lie, and which are hidden.

Changes no rules; a state seen by a player is the same table with the hidden cards dealt anew.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from kitwright.engines.api import shuffled

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
    hidden, there = hidden_from(state, seat), places(state)
    wanted = [place for place in there if place in hidden]
    order = shuffled([card for place in wanted for card in there[place]], rng)
    start = 0
    for place in wanted:
        end = start + len(there[place])
        there[place], start = order[start:end], end
    seats = range(1, len(state.hands) + 1)
    return replace(
        state,
        seed=int(rng.random() * SEEDS),
        deck=there["deck"],
        hands=tuple(there[f"hand {n}"] for n in seats),
        scraps=tuple(there[f"scrap {n}"] for n in seats),
        chosen=state.chosen if state.queue else tuple(there[f"chosen {n}"] for n in seats),
        declared=tuple(
            there[f"declared {n}"] if said else said
            for n, said in enumerate(state.declared, start=1)
        ),
        held=there["held"],
    )
