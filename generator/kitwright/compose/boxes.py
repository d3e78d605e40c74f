"""Where things go: the boxes of a layout as rectangles in millimetres, and points on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kitwright.model.layouts import Box, Layout
from kitwright.model.spots import (
    BUILT_IN,
    anchor_fault,
    box_fault,
    relations_of,
    split_point,
)
from kitwright.problems import Place, Problem

_LEAST = 0.01  # mm


class Rect(NamedTuple):
    """A rectangle; y runs downwards."""

    x: float
    y: float
    w: float
    h: float

    def inset(self, by: float) -> Rect:
        """Shrink by `by` on all sides."""
        return Rect(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)

    def point(self, across: float, down: float) -> tuple[float, float]:
        """Return the point at these shares of width and height."""
        return self.x + across * self.w, self.y + down * self.h

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return self.x, self.y, self.x + self.w, self.y + self.h


class BoxFault(ValueError):  # noqa: N818  # the layout is at fault, not the program
    """A box or point that cannot be found."""


class Boxes:
    """The resolved boxes of a layout at one size."""

    def __init__(self, rects: Mapping[str, Rect], specs: Mapping[str, Box]) -> None:
        self._rects = dict(rects)
        self._specs = specs

    def with_cell(self, name: str, rect: Rect) -> Boxes:
        """Return the same boxes and one more."""
        return Boxes({**self._rects, name: rect}, self._specs)

    def rect(self, name: str) -> Rect:
        """Return a box, or a cell of one: `left.2`, `board.2.3`."""
        rect = self._rects.get(name)
        if rect is not None:
            return rect
        stem, _, rest = name.partition(".")
        others = [key for key in self._rects if key not in self._specs and key not in BUILT_IN]
        if fault := box_fault(self._specs, name, others):
            raise BoxFault(fault)
        rect = self._rects[name] = self._cell(stem, rest)
        return rect

    def _cell(self, stem: str, rest: str) -> Rect:
        spec = self._specs[stem]
        rows, columns = spec.rows, spec.columns
        if not rows and not columns:
            return self._mirrored_cell(spec, rest)
        at = [int(step) for step in rest.split(".")]
        row, column = at[0] if rows else 1, at[-1] if columns else 1
        return cell(self._rects[stem], rows or 1, columns or 1, row, column, spec)

    def _mirrored_cell(self, spec: Box, rest: str) -> Rect:
        face = self._rects["face"]
        if spec.mirror is not None:
            other = self.rect(f"{spec.mirror}.{rest}")
            return other._replace(x=face.w - other.x - other.w)
        other = self.rect(f"{spec.flip}.{rest}")
        return other._replace(y=face.h - other.y - other.h)

    def point(self, text: str) -> tuple[float, float]:
        """Return the point that `box`, `box@anchor` or `box@30% 50%` names."""
        name, shares = split_point(text)
        rect = self.rect(name)
        if shares is None:
            raise BoxFault(anchor_fault(text) or "")
        return rect.point(*shares)


def cell(rect: Rect, rows: int, columns: int, row: int, column: int, spec: Box) -> Rect:
    """Return one cell of a rectangle cut into rows and columns, counted from 1."""
    w = (rect.w - spec.column_gap * (columns - 1)) / columns
    h = (rect.h - spec.row_gap * (rows - 1)) / rows
    x = rect.x + (column - 1) * (w + spec.column_gap)
    y = rect.y + (row - 1) * (h + spec.row_gap)
    return Rect(x, y, w, h)


def resolve_boxes(layout: Layout, width: float, height: float, problems: list[Problem]) -> Boxes:
    """Work out every box of a layout on a face of this size."""
    return Boxes(_Resolver(layout, width, height, problems).resolve(), layout.boxes)


class _Resolver:
    def __init__(
        self, layout: Layout, width: float, height: float, problems: list[Problem]
    ) -> None:
        self.layout = layout
        self.problems = problems
        face = Rect(0.0, 0.0, width, height)
        self.face = face
        self.rects: dict[str, Rect] = {
            "face": face,
            "safe": face.inset(layout.safe),
            "bleed": face.inset(-layout.bleed),
        }
        self.chain: list[str] = []

    def resolve(self) -> dict[str, Rect]:
        for name in self.layout.boxes:
            self.get(name, self.place(name))
        return self.rects

    def place(self, name: str) -> Place:
        return self.layout.box_places.get(name, self.layout.place)

    def note(self, place: Place, code: str, text: str) -> None:
        self.problems.append(Problem(place, code, text))

    def get(self, name: str, place: Place) -> Rect:
        """Return a box by name, resolving it first; the face where that fails."""
        stem = name.partition(".")[0]
        if stem in self.chain:
            chain = " -> ".join((*self.chain, stem))
            text = f"boxes go round: {chain}; expected an end; place one of them by itself"
            self.note(place, "include-cycle", text)
            return self.face
        if stem in self.layout.boxes and stem not in self.rects:
            self.chain.append(stem)
            self.rects[stem] = self.solve(stem, self.layout.boxes[stem])
            self.chain.pop()
        try:
            known = Boxes(self.rects, self.layout.boxes)
            return known.rect(name)
        except BoxFault as fault:
            self.note(place, "unknown-box", str(fault))
            return self.face

    def solve(self, name: str, box: Box) -> Rect:
        place = self.place(name)
        told = relations_of(box)
        if len(told) > 1:
            text = f"box '{name}' has {' and '.join(told)}; expected one of them"
            self.note(place, "bad-box", text)
        if box.mirror is not None or box.flip is not None:
            rect = self.mirrored(box, place)
        elif told:
            rect = self.related(box, told[0], self.get(getattr(box, told[0]), place))
        else:
            rect = self.within(box, self.get(box.inside or "face", place))
        if box.inset:
            rect = rect.inset(box.inset)
        if rect.w < _LEAST or rect.h < _LEAST:
            size = f"{rect.w:.1f}mm x {rect.h:.1f}mm"
            text = f"box '{name}' is {size} on a face of {self.face.w:g}mm x {self.face.h:g}mm"
            text += "; expected room in it"
            self.note(place, "bad-box", text)
            return self.face
        return self.bled(rect) if box.bleed else rect

    def mirrored(self, box: Box, place: Place) -> Rect:
        if box.mirror is not None:
            other = self.get(box.mirror, place)
            return other._replace(x=self.face.w - other.x - other.w)
        other = self.get(str(box.flip), place)
        return other._replace(y=self.face.h - other.y - other.h)

    def related(self, box: Box, relation: str, other: Rect) -> Rect:
        """Place a box beside another; what it does not say it takes from that one."""
        face = self.face
        upright = relation in ("below", "above")
        w = _length(box.w, face.w) if box.w else None
        h = _length(box.h, face.h) if box.h else None
        if upright:
            x = _length(box.x, face.w) if box.x else other.x
            w = w if w is not None else other.w
            if relation == "below":
                y = other.y + other.h + box.gap
                bottom = _length(box.bottom, face.h) if box.bottom else 0.0
                return Rect(x, y, w, h if h is not None else face.h - bottom - y)
            end = other.y - box.gap
            top = _length(box.y, face.h) if box.y else 0.0
            h = h if h is not None else end - top
            return Rect(x, end - h, w, h)
        y = _length(box.y, face.h) if box.y else other.y
        h = h if h is not None else other.h
        if relation == "right_of":
            x = other.x + other.w + box.gap
            right = _length(box.right, face.w) if box.right else 0.0
            return Rect(x, y, w if w is not None else face.w - right - x, h)
        end = other.x - box.gap
        left = _length(box.x, face.w) if box.x else 0.0
        w = w if w is not None else end - left
        return Rect(end - w, y, w, h)

    def within(self, box: Box, outer: Rect) -> Rect:
        """Place a box inside another by its edges and sizes."""
        x, w = _span(box.x, box.right, box.w, outer.w, box.center in ("x", "both"))
        y, h = _span(box.y, box.bottom, box.h, outer.h, box.center in ("y", "both"))
        return Rect(outer.x + x, outer.y + y, w, h)

    def bled(self, rect: Rect) -> Rect:
        """Grow the sides that touch the cut, out to the bleed."""
        by = self.layout.bleed
        left, top, right, bottom = rect.edges
        left -= by if left <= _LEAST else 0.0
        top -= by if top <= _LEAST else 0.0
        right += by if right >= self.face.w - _LEAST else 0.0
        bottom += by if bottom >= self.face.h - _LEAST else 0.0
        return Rect(left, top, right - left, bottom - top)


def _length(share: tuple[float, str], whole: float) -> float:
    amount, unit = share
    return amount * whole / 100 if unit == "%" else amount


def _span(
    start: tuple[float, str] | None,
    end: tuple[float, str] | None,
    size: tuple[float, str] | None,
    whole: float,
    centred: bool,
) -> tuple[float, float]:
    """Work out where a side starts and how long it is."""
    near = _length(start, whole) if start else None
    far = _length(end, whole) if end else None
    long = _length(size, whole) if size else None
    if long is None:
        return near or 0.0, whole - (near or 0.0) - (far or 0.0)
    if centred:
        return (whole - long) / 2 + (near or 0.0), long
    if near is None and far is not None:
        return whole - far - long, long
    return near or 0.0, long
