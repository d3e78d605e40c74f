"""What does not change during a career of Hand Solo, looked up by the number of a card.

Starports come first, then contacts; of each pair the first is the unknown side, the second the
renowned one.
"""

from __future__ import annotations

from collections.abc import Sequence

from kitwright.model.games.hand_solo import Contract, HandSolo


class Box:
    """The cards, the rules and the ship of one game."""

    def __init__(self, view: HandSolo) -> None:
        self.view = view
        self.rules = view.rules
        self.ship = view.ship
        ports, contacts = view.starports, view.contacts
        self.cards = (*ports, *contacts)
        self.number = {card: number for number, card in enumerate(self.cards)}
        self.ports = len(ports)
        self.titles = tuple(port.title for port in ports.values())
        self.governments = tuple(port.government for port in ports.values())
        self.market_sizes = tuple(port.market_size for port in ports.values())
        self.wants = tuple(port.wants for port in ports.values())
        self.prices = tuple((view.prices(c, False), view.prices(c, True)) for c in ports)
        self.goods: tuple[tuple[str, str], ...] = (
            *((p.unknown.commodity, p.friendly.commodity) for p in ports.values()),
            *((c.neutral.commodity, c.hostile.commodity) for c in contacts.values()),
        )
        modifiers = [card.modifier for card in ports.values()]
        modifiers += [card.modifier for card in contacts.values()]
        self.modifiers = tuple((modifier.good, modifier.amount) for modifier in modifiers)
        self.sides = {
            number: (card.neutral, card.hostile)
            for number, card in enumerate(contacts.values(), self.ports)
        }
        self.contracts: tuple[Contract | None, ...] = (
            *(port.contract if self.rules.contracts else None for port in ports.values()),
            *(card.contract if self.rules.contracts else None for card in contacts.values()),
        )
        self.valuable = frozenset(good for good, row in view.goods.items() if row.valuable)
        self.illegal = frozenset(good for good, row in view.goods.items() if row.illegal)

    def contract(self, card: int) -> Contract:
        """Return the contract of a card that has one."""
        contract = self.contracts[card]
        assert contract is not None
        return contract

    def room(self, card: int) -> int:
        """Return the holds that the contract of a card fills."""
        cargo = self.contract(card).cargo
        return self.ship.holds if cargo == "all" else cargo

    def times(self, card: int) -> int:
        """Return how often the contract of a card pays."""
        return self.ship.holds if self.contract(card).bulk else 1

    def goal_of(self, card: int, port: int) -> bool:
        """Tell whether the contract of a card can be completed at a port."""
        return self.contract(card).to in (self.titles[port], self.governments[port])

    def price(self, port: int, friendly: bool, good: str, market: Sequence[int]) -> int:
        """Return the price of one unit at a port, the modifiers of the market added (§6)."""
        listed = self.prices[port][friendly]
        if good not in listed:
            good = good[:-1]
        price = listed[good]
        for card in market:
            name, amount = self.modifiers[card]
            if name == good:
                price += amount
        return max(self.rules.price_floor, price)
