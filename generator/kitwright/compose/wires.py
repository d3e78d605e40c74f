"""Curves and what rides on them: single ones, and wires that cross and are solved together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kitwright.compose.along import line_ops, warp_ops
from kitwright.compose.bends import Spacing
from kitwright.compose.crossings import Crossing, Part, Solved, Wire, solve
from kitwright.compose.curves import Curve, curve_between, cut
from kitwright.compose.pen import DrawFault, Icon, Materials, Pen
from kitwright.compose.plain import Ops, centred, faded
from kitwright.compose.shapes import multiply, rotation, scaling, translation
from kitwright.model.layouts import Draw
from kitwright.model.theme import LineStyle
from kitwright.model.verbs import Each
from kitwright.model.verbs import Icon as IconVerb
from kitwright.ops import Op, Use
from kitwright.problems import Problem

Paint = Callable[[Draw, Pen, list[Problem]], Ops]


class Rider(Struct, frozen=True):
    """An icon on a curve, or beside the part that sits on it, with the pen that draws it."""

    draw: Draw
    pen: Pen

    @property
    def on_curve(self) -> bool:
        """Whether it is a part; otherwise it is a badge beside one."""
        assert isinstance(self.draw.args, IconVerb)
        return self.draw.args.on == "curve"

    @property
    def length(self) -> float:
        """How much of the curve it takes up."""
        return float(self.pen.value(self.draw, "length") or 0.0)


class Sleeve(Struct, frozen=True):
    """What carries a wire over another."""

    materials: Materials
    icon: Icon
    length: float


class Strand(Struct, frozen=True):
    """One curve to be drawn, with its style and riders."""

    wire: Wire
    style: LineStyle
    riders: tuple[Rider, ...]


def paint_curve(draw: Draw, riders: Sequence[Draw], pen: Pen) -> Ops:
    """Draw one curve, and the icons that follow it in the list."""
    held = [rider for rider in riders if pen.holds(rider)]
    strand = _strand(draw, held, pen)
    bend = min(max(pen.value(draw, "bend"), 0.0), 1.0)
    curve = curve_between(strand.wire.start, strand.wire.end, 0.0, 0.0, (bend, bend))
    if not strand.riders:
        return line_ops((curve,), strand.style)
    return _painted((strand,), solve((strand.wire,)), None)


def paint_wires(draw: Draw, pens: Sequence[Pen], problems: list[Problem], paint: Paint) -> Ops:
    """Draw the curves of all items of an `each` together; its other draws go below them."""
    args = draw.args
    assert isinstance(args, Each)
    below: list[Op] = []
    strands: list[Strand] = []
    for pen in pens:
        curve: Draw | None = None
        riders: list[Draw] = []
        for inner in draw.draws:
            try:
                if not pen.holds(inner):
                    continue
                if inner.verb == "curve":
                    curve = inner
                elif getattr(inner.args, "on", None) is not None:
                    riders.append(inner)
                else:
                    below.extend(paint(inner, pen, problems))
            except DrawFault as fault:
                problems.append(fault.problem)
        if curve is not None:
            strands.append(_strand(curve, riders, pen))
    if not strands:
        return tuple(below)
    spacing = _spacing(draw, pens[0], strands)
    solved = solve(tuple(strand.wire for strand in strands), spacing)
    return (*below, *_painted(tuple(strands), solved, (draw, pens[0])))


def _strand(draw: Draw, riders: Iterable[Draw], pen: Pen) -> Strand:
    held = tuple(Rider(rider, pen) for rider in riders)
    style = pen.line(draw)
    width = max(style.width, style.casing_width)
    parts = tuple(rider.length for rider in held if rider.on_curve)
    wire = Wire(
        pen.point(draw, "start"),
        pen.point(draw, "to"),
        width,
        parts,
        round_caps=style.cap == "round",
    )
    return Strand(wire, style, held)


def _spacing(draw: Draw, pen: Pen, strands: Sequence[Strand]) -> Spacing:
    riders = [rider for strand in strands for rider in strand.riders]
    parts = [_height(rider) / 2 for rider in riders if rider.on_curve]
    badges = [rider.pen.value(rider.draw, "size") / 2 for rider in riders if not rider.on_curve]
    plain = Spacing()
    return Spacing(
        contact=pen.value(draw, "clearance"),
        bridge=pen.value(draw, "sleeve_length"),
        part=max(parts, default=plain.part),
        badge=max(badges, default=plain.badge),
    )


def _height(rider: Rider) -> float:
    pen, draw = rider.pen, rider.draw
    icon = pen.icon(draw, pen.value(draw, "name"), pen.color(draw))
    return rider.length / icon.aspect


def _painted(strands: tuple[Strand, ...], solved: Solved, bridged: tuple[Draw, Pen] | None) -> Ops:
    """Draw wires, then sleeves, then parts, then badges."""
    sleeve = _sleeve(*bridged) if bridged is not None else None
    ops: list[Op] = []
    for index, strand in enumerate(strands):
        pieces = solved.pieces(index) if sleeve is None else _uncut(index, solved)
        ops += line_ops(pieces, strand.style)
    if sleeve is not None:
        for crossing in solved.crossings:
            ops += _bridge(crossing, strands, solved, sleeve)
    badges: list[Op] = []
    waiting = list(solved.parts)
    for index, strand in enumerate(strands):
        part: Part | None = None
        for rider in strand.riders:
            if rider.on_curve:
                part = waiting.pop(0)
                ops += _part(rider, part, solved.curves[index])
            elif part is not None:
                badges += _badge(rider, part)
            else:
                text = "this icon is on a part, but no part comes before it"
                raise rider.pen.fault(rider.draw.at("on"), "bad-value", text)
    return (*ops, *badges)


def _sleeve(draw: Draw, pen: Pen) -> Sleeve | None:
    name = pen.value(draw, "sleeve")
    if name is None:
        return None
    icon = pen.icon(draw, name, "#000000", "sleeve")
    return Sleeve(pen.materials, icon, pen.value(draw, "sleeve_length"))


def _uncut(index: int, solved: Solved) -> tuple[Curve, ...]:
    """Return the pieces of a wire that runs on below bridges; only parts cut it."""
    parts = [part for part in solved.parts if part.wire == index]
    return cut(solved.curves[index], [(p.at - p.length / 2, p.at + p.length / 2) for p in parts])


def _bridge(crossing: Crossing, strands: Sequence[Strand], solved: Solved, sleeve: Sleeve) -> Ops:
    """Draw the upper wire again where it passes over, and the sleeve on it."""
    curve, style = solved.curves[crossing.upper], strands[crossing.upper].style
    half = max(sleeve.length, crossing.gap) / 2
    low, high = max(crossing.upper_at - half, 0.0), min(crossing.upper_at + half, curve.length)
    if period := sum(style.shine_dash or style.dash):
        # The dashes of the stretch must fall on those of the wire below it.
        ends = [p.at + p.length / 2 for p in solved.parts if p.wire == crossing.upper]
        start = max((end for end in ends if end <= crossing.upper_at), default=0.0)
        low = start + max(low - start, 0.0) // period * period
    stretch = cut(curve, [(0.0, low), (high, curve.length)])
    ops = line_ops(stretch, replace(style, cap="butt"))
    bent = _bent(sleeve.materials, sleeve.icon, sleeve.length, curve, crossing.upper_at)
    return (*ops, *bent)


def _bent(materials: Materials, icon: Icon, length: float, curve: Curve, at: float) -> Ops:
    """Bend an icon along a curve, its middle at `at`; cards with the same wires share the work."""
    key = (icon.symbol.id, length, curve, at)
    found = materials.bent.get(key)
    if found is None:
        height = length / icon.aspect
        matrix = multiply(translation(0.0, -height / 2), scaling(height, height))
        found = warp_ops(icon.symbol.ops, matrix, curve, at - length / 2)
        materials.bent[key] = found
    return found


def _part(rider: Rider, part: Part, curve: Curve) -> Ops:
    pen, draw = rider.pen, rider.draw
    args = draw.args
    assert isinstance(args, IconVerb)
    icon = pen.icon(draw, pen.value(draw, "name"), pen.color(draw))
    if args.follow:
        ops = _bent(pen.materials, icon, part.length, curve, part.at)
    else:
        x, y = part.point
        height = part.length / icon.aspect
        matrix = multiply(rotation(part.angle, x, y), centred(x, y, height, icon.aspect))
        ops = (Use(icon.symbol, matrix),)
    return faded(ops, pen.value(draw, "opacity"))


def _badge(rider: Rider, part: Part) -> Ops:
    pen, draw = rider.pen, rider.draw
    icon = pen.icon(draw, pen.value(draw, "name"), pen.color(draw))
    size = pen.value(draw, "size")
    matrix = centred(*part.badge, size, icon.aspect)
    return faded((Use(icon.symbol, matrix),), pen.value(draw, "opacity"))
