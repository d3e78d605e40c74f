"""Names of boxes, of their cells and of points on them: which there are, without any geometry."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from kitwright.model.layouts import Box
from kitwright.problems import did_you_mean

ANCHORS = {
    "center": (0.5, 0.5),
    "left": (0.0, 0.5),
    "right": (1.0, 0.5),
    "top": (0.5, 0.0),
    "bottom": (0.5, 1.0),
    "top-left": (0.0, 0.0),
    "top-right": (1.0, 0.0),
    "bottom-left": (0.0, 1.0),
    "bottom-right": (1.0, 1.0),
}
BUILT_IN = ("face", "safe", "bleed")
RELATIONS = ("below", "above", "right_of", "left_of")
_SHARE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)%\s+(-?[0-9]+(?:\.[0-9]+)?)%\Z")


def split_point(text: str) -> tuple[str, tuple[float, float] | None]:
    """Return the box of `box@anchor` and the shares of its anchor; None for an unknown anchor."""
    name, _, anchor = text.partition("@")
    anchor = anchor.strip() or "center"
    if match := _SHARE.match(anchor):
        return name.strip(), (float(match[1]) / 100, float(match[2]) / 100)
    return name.strip(), ANCHORS.get(anchor)


def anchor_fault(text: str) -> str | None:
    """Say what is wrong with the anchor of a point."""
    if split_point(text)[1] is not None:
        return None
    anchor = text.partition("@")[2].strip()
    known = f"{', '.join(ANCHORS)}, or shares such as '30% 50%'"
    return f"there is no anchor '{anchor}'; expected one of {known}{did_you_mean(anchor, ANCHORS)}"


def box_fault(boxes: Mapping[str, Box], name: str, extra: Collection[str] = ()) -> str | None:
    """Say what is wrong with the name of a box or cell; `extra` are boxes without cells."""
    known = (*boxes, *BUILT_IN, *extra)
    stem, dot, rest = name.partition(".")
    if stem not in known:
        there = ", ".join(known)
        return f"there is no box '{stem}'; expected one of {there}{did_you_mean(stem, known)}"
    if not dot:
        return None
    counts = cell_counts(boxes, stem)
    if not counts:
        return f"box '{stem}' has no cell '{rest}'; expected rows or columns in it"
    steps = rest.split(".")
    if len(steps) != len(counts) or not all(step.isdecimal() for step in steps):
        wanted = ".".join(["1"] * len(counts))
        return f"box '{stem}' has no cell '{rest}'; expected one such as '{stem}.{wanted}'"
    for step, count in zip(steps, counts, strict=True):
        if not 1 <= int(step) <= count:
            return f"box '{stem}' has no cell '{rest}'; expected 1 to {count}, not {step}"
    return None


def cell_counts(boxes: Mapping[str, Box], name: str) -> tuple[int, ...]:
    """Return how many rows and columns a box is cut into; a mirrored box is cut as the other."""
    seen: set[str] = set()
    while name in boxes and name not in seen:
        seen.add(name)
        box = boxes[name]
        if box.rows or box.columns:
            return tuple(count for count in (box.rows, box.columns) if count)
        name = box.mirror or box.flip or ""
    return ()


def relations_of(box: Box) -> list[str]:
    """List the keys by which a box leans on another; more than one cannot be."""
    keys = ("mirror", "flip", *RELATIONS)
    return [key for key in keys if getattr(box, key) is not None]


def leans_on(box: Box) -> list[tuple[str, str]]:
    """List the boxes that a box is placed by, each with its key."""
    keys = [*relations_of(box), *(["inside"] if box.inside is not None else [])]
    return [(key, getattr(box, key)) for key in keys]
