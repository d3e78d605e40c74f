"""The boxes of a layout: whether those that they lean on are there, and lean on nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from kitwright.model.layouts import Layout
from kitwright.model.spots import BUILT_IN, box_fault, leans_on, relations_of
from kitwright.problems import Place, Problem


def check_boxes(layout: Layout) -> Iterator[Problem]:
    """Find boxes that cannot be placed, whatever the size of the face."""
    for name, box in layout.boxes.items():
        place = layout.box_places.get(name, layout.place)
        if name in BUILT_IN:
            text = f"the box '{name}' is there by itself; expected another name"
            yield Problem(place, "bad-box", text)
        told = relations_of(box)
        if len(told) > 1:
            text = f"box '{name}' has {' and '.join(told)}; expected one of them"
            yield Problem(place, "bad-box", text)
        for key, other in leans_on(box):
            if fault := box_fault(layout.boxes, other):
                yield Problem(place, "unknown-box", f"{key} of box '{name}': {fault}")
    yield from _circles(layout)


def _circles(layout: Layout) -> Iterator[Problem]:
    told: set[str] = set()
    for name in layout.boxes:
        chain = [name]
        while True:
            box = layout.boxes.get(chain[-1])
            others = [other.partition(".")[0] for _, other in leans_on(box)] if box else []
            if not others or chain[-1] in told:
                break
            if others[0] in chain:
                circle = chain[chain.index(others[0]) :]
                told.update(circle)
                shown = " -> ".join((*circle, others[0]))
                place: Place = layout.box_places.get(circle[0], layout.place)
                text = f"boxes go round: {shown}; expected an end; place one of them by itself"
                yield Problem(place, "include-cycle", text)
                break
            chain.append(others[0])
        told.update(chain)
