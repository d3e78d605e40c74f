"""Prototyping sites and print shops: what each wants of a game, as a plan of files.

One file a kind of site. The figures come from the model (layouts/shared/destinations.yaml); nothing
here opens a file or draws a face.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kitwright.destinations.drivethru import plan_press
from kitwright.destinations.images import plan_images
from kitwright.destinations.mpc import plan_order
from kitwright.destinations.pcio import plan_room
from kitwright.destinations.pieces import Request
from kitwright.destinations.plan import Plan
from kitwright.destinations.screentop import plan_sheets
from kitwright.destinations.ttp import plan_package
from kitwright.destinations.tts import plan_table
from kitwright.model.destination import Destination

KINDS: Mapping[str, Callable[[Destination, Request], Plan]] = {
    "images": plan_images,
    "order": plan_order,
    "pdf": plan_press,
    "tts": plan_table,
    "pcio": plan_room,
    "sheets": plan_sheets,
    "ttp": plan_package,
}


def plan_export(destination: Destination, request: Request) -> Plan:
    """Plan the files that a game sends to a destination."""
    return KINDS[destination.row.kind](destination, request)
