"""What goods cost at a port of Hand Solo with its market revealed. Plays nothing."""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.engines.hand_solo import engine
from kitwright.model.game import Game


def market_prices(game: Game, words: Sequence[str]) -> dict[str, int]:
    """Return the price of a card of each listed good at a port, then revealed cards.

    A `+` behind the name of the port means its friendly side.
    """
    box = engine(game).box
    if not words:
        raise ValueError("0 words given; expected a starport, and the cards revealed there")
    name, *revealed = words
    friendly, port = name.endswith("+"), name.removesuffix("+")
    ports = box.cards[: box.ports]
    if port not in ports:
        raise ValueError(f"there is no starport '{port}'; expected one of {', '.join(ports)}")
    for card in revealed:
        if card not in box.number:
            raise ValueError(f"there is no card '{card}'; expected one of {', '.join(box.cards)}")
    here, market = box.number[port], [box.number[card] for card in revealed]
    return {
        good: box.price(here, friendly, good, market) * box.ship.hold_size
        for good in box.prices[here][friendly]
    }
