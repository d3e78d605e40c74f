"""Ops as SVG, for pages that are read on a screen. What is drawn often is defined once.

Words stay words: they are stretched to the width that compose gave them, whatever font the
reader has. Knows ops and fonts; knows no page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from kitwright.fonts import Fonts
from kitwright.ops import (
    IDENTITY,
    Fill,
    Group,
    Linear,
    Matrix,
    Op,
    Paint,
    Path,
    Picture,
    Radial,
    Stroke,
    Use,
    Word,
    digest,
)
from kitwright.write.bounds import MM_A_POINT

_WEIGHTS = {"black": 900, "bold": 700, "semibold": 600}


@dataclass(slots=True)
class Svg:
    """Writes drawings that share their definitions."""

    fonts: Fonts
    defined: dict[str, str] = field(default_factory=dict)

    def drawing(self, ops: Iterable[Op], width: float, height: float, label: str = "") -> str:
        """Return one SVG element; `definitions` must stand in the same document."""
        size = f'viewBox="0 0 {_n(width)} {_n(height)}"'
        told = f' role="img" aria-label="{escape(label)}"' if label else ' aria-hidden="true"'
        space = 'xmlns="http://www.w3.org/2000/svg"'
        return f"<svg {space} {size}{told}>{self.write(ops)}</svg>"

    def definitions(self) -> str:
        """Return all that drawings so far have in common."""
        return f"<defs>{''.join(self.defined[key] for key in sorted(self.defined))}</defs>"

    def alone(self, ops: Iterable[Op], width: float, height: float, label: str = "") -> str:
        """Return a drawing that needs no other document."""
        own = Svg(self.fonts)
        drawn = own.drawing(ops, width, height, label)
        return drawn.replace(">", f">{own.definitions()}", 1)

    def write(self, ops: Iterable[Op]) -> str:
        """Return the elements of some ops."""
        return "".join(self._element(op) for op in ops)

    def _element(self, op: Op) -> str:
        match op:
            case Fill(path, paint, even_odd):
                rule = ' fill-rule="evenodd"' if even_odd else ""
                return f'<path d="{_d(path)}" fill="{self._paint(paint)}"{rule}/>'
            case Stroke():
                return self._stroke(op)
            case Word():
                return self._word(op)
            case Use(symbol, matrix):
                self._define(f"y{symbol.id}", lambda: self.write(symbol.ops))
                return f'<use href="#y{symbol.id}"{_transform(matrix)}/>'
            case Group():
                return self._group(op)
            case Picture():
                return ""

    def _define(self, name: str, content: object) -> None:
        if name not in self.defined and callable(content):
            self.defined[name] = ""  # so that what it uses comes no second time
            self.defined[name] = f'<g id="{name}">{content()}</g>'

    def _stroke(self, op: Stroke) -> str:
        dash = f' stroke-dasharray="{" ".join(map(_n, op.dash))}"' if op.dash else ""
        look = f'stroke="{op.color}" stroke-width="{_n(op.width)}"{dash}'
        cap = f' stroke-linecap="{op.cap}"' if op.cap != "butt" else ""
        join = f' stroke-linejoin="{op.join}"' if op.join != "miter" else ""
        return f'<path d="{_d(op.path)}" fill="none" {look}{cap}{join}/>'

    def _word(self, op: Word) -> str:
        shaped = self.fonts.shape(op.font, op.text)
        size = op.size_pt * MM_A_POINT
        added = sum(op.kerns) - sum(shaped.kerns) if op.kerns else 0
        wide = (shaped.width + added / 1000) * size
        family, weight, slant = _font(op.font)
        style = f'font-family="{family}" font-size="{_n(size)}" font-weight="{weight}"{slant}'
        length = f'textLength="{_n(wide)}" lengthAdjust="spacingAndGlyphs"'
        place = f'x="{_n(op.x)}" y="{_n(op.baseline)}"'
        return f'<text {place} {style} fill="{op.color}" {length}>{escape(op.text)}</text>'

    def _group(self, op: Group) -> str:
        faded = f' opacity="{_n(op.opacity)}"' if op.opacity < 1 else ""
        clip = ""
        if op.clip:
            path = _d(op.clip)
            name = f"c{digest(path)}"
            self.defined[name] = f'<clipPath id="{name}"><path d="{path}"/></clipPath>'
            clip = f' clip-path="url(#{name})"'
        return f"<g{_transform(op.matrix)}{clip}{faded}>{self.write(op.ops)}</g>"

    def _paint(self, paint: Paint) -> str:
        if isinstance(paint, str):
            return paint
        stops = "".join(
            f'<stop offset="{_n(at)}" stop-color="{color}"/>' for at, color in paint.stops
        )
        name = f"p{digest(repr(paint))}"
        self.defined[name] = f"{_gradient(paint, name)}{stops}</{_kind(paint)}>"
        return f"url(#{name})"


def _kind(paint: Linear | Radial) -> str:
    return "linearGradient" if isinstance(paint, Linear) else "radialGradient"


def _gradient(paint: Linear | Radial, name: str) -> str:
    if isinstance(paint, Linear):
        ends = (paint.x0, paint.y0, paint.x1, paint.y1)
        where = " ".join(f'{k}="{_n(v)}"' for k, v in zip(("x1", "y1", "x2", "y2"), ends, strict=True))
    else:
        where = f'cx="{_n(paint.x)}" cy="{_n(paint.y)}" r="{_n(paint.r)}"'
    return f'<{_kind(paint)} id="{name}" gradientUnits="userSpaceOnUse" {where}>'


def _font(name: str) -> tuple[str, int, str]:
    """Return the family, the weight and the slant that a font's name tells."""
    parts = name.split("-")
    weight = next((_WEIGHTS[part] for part in parts if part in _WEIGHTS), 400)
    family = " ".join(p.capitalize() for p in parts if p not in _WEIGHTS and p != "italic")
    slant = ' font-style="italic"' if "italic" in parts else ""
    return f"{family}, system-ui, sans-serif", weight, slant


def _transform(matrix: Matrix) -> str:
    if matrix == IDENTITY:
        return ""
    return f' transform="matrix({" ".join(map(_n, matrix))})"'


def _d(path: Path) -> str:
    return "".join(f"{step[0]}{' '.join(map(_n, step[1:]))}" for step in path)


def _n(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
