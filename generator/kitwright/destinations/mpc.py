"""Images with an order beside them, as MPC Autofill's desktop tool reads it: one XML a size."""

from __future__ import annotations

from xml.sax.saxutils import escape

from msgspec import Struct, field

from kitwright.destinations.listing import Line, as_csv
from kitwright.destinations.pieces import Request, shots_of, sort_out
from kitwright.destinations.plan import Plan, Shot, Skipped, Text
from kitwright.destinations.products import find_product, no_product
from kitwright.model.destination import Destination, OrderRow


class _Order(Struct):
    """The cards of one product in slots, in the order in which they are printed."""

    fronts: dict[str, list[int]] = field(default_factory=dict)  # file -> slots
    backs: dict[str, list[int]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def add(self, front: str, back: str, name: str) -> None:
        self.fronts.setdefault(front, []).append(self.count)
        self.backs.setdefault(back, []).append(self.count)
        self.names[front] = name
        self.count += 1


def plan_order(destination: Destination, request: Request) -> Plan:
    """Plan the images of all decks, and an order for each size of card."""
    row = destination.row
    assert row.order is not None
    pieces, skipped = sort_out(row, request.pieces)
    shots: dict[str, Shot] = {}
    lines: list[Line] = []
    orders: dict[str, list[_Order]] = {}
    most = max(row.order.brackets)
    for piece in pieces:
        match = find_product(row, piece)
        if match is None:
            skipped.append(Skipped(piece.id, no_product(row, piece)))
            continue
        for card, front, back in shots_of(row, piece, match.view, match.name, blank=True):
            assert back is not None
            shots.setdefault(front.file, front)
            shots.setdefault(back.file, back)
            lines.append(Line(piece, card, front.file, back.file, match.name))
            for _ in range(card.copies):
                made = orders.setdefault(match.name, [_Order()])
                if made[-1].count == most:
                    made.append(_Order())
                made[-1].add(front.file, back.file, card.title or card.id)
    texts = [Text("cards.csv", as_csv(lines))] if lines else []
    for name, made in orders.items():
        for number, order in enumerate(made, 1):
            ending = f"-{number}" if len(made) > 1 else ""
            texts.append(Text(f"order-{name}{ending}.xml", _xml(order, row.order)))
    return Plan(tuple(shots.values()), texts=tuple(texts), skipped=tuple(skipped))


def _xml(order: _Order, row: OrderRow) -> str:
    bracket = next(number for number in sorted(row.brackets) if number >= order.count)
    commonest = max(order.backs, key=lambda back: len(order.backs[back]))
    fronts = "".join(_card(file, slots, order.names[file]) for file, slots in order.fronts.items())
    backs = "".join(
        _card(file, slots, file) for file, slots in order.backs.items() if file != commonest
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<order>\n <details>\n'
        f"  <quantity>{order.count}</quantity>\n  <bracket>{bracket}</bracket>\n"
        f"  <stock>{escape(row.stock)}</stock>\n  <foil>false</foil>\n </details>\n"
        f" <fronts>\n{fronts} </fronts>\n <backs>\n{backs} </backs>\n"
        f" <cardback>{escape(commonest)}</cardback>\n <filepath>{escape(commonest)}</filepath>\n"
        "</order>\n"
    )


def _card(file: str, slots: list[int], name: str) -> str:
    return (
        f"  <card>\n   <id>{escape(file)}</id>\n   <sourceType>Local File</sourceType>\n"
        f"   <slots>{','.join(map(str, slots))}</slots>\n"
        f"   <name>{escape(file.rpartition('/')[2])}</name>\n"
        f"   <query>{escape(name.lower())}</query>\n  </card>\n"
    )
