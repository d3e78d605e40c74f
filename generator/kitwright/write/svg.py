"""Ops as SVG, for pages that are read on a screen. What is drawn often is defined once.

Words become outlines, so that a figure looks the same to every reader. Raster pictures go in
as they are. Knows ops and fonts; knows no page.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape

from msgspec import Struct, field

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
    Symbol,
    Use,
    Word,
    digest,
)
from kitwright.write.bounds import MM_A_POINT
from kitwright.write.pictures import PictureData

_EM = 1000  # units of glyphs


class Svg(Struct):
    """Writes drawings that share their definitions; `faces` may know those of a whole face."""

    fonts: Fonts
    pictures: Mapping[str, PictureData]
    faces: Callable[[Symbol], Mapping[str, str]] | None = None
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
        own = Svg(self.fonts, self.pictures, self.faces)
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
                if symbol.face and self.faces is not None and f"y{symbol.id}" not in self.defined:
                    self.defined.update(self.faces(symbol))
                self._define(f"y{symbol.id}", lambda: self.write(symbol.ops))
                return f'<use href="#y{symbol.id}"{_transform(matrix)}/>'
            case Group():
                return self._group(op)
            case Picture():
                return self._picture(op)

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
        """Draw each glyph of a word where compose put it, whatever fonts the reader has."""
        font = self.fonts.digest(op.font)[:8]
        size = op.size_pt * MM_A_POINT / _EM
        at, drawn = 0.0, ""
        kerns = op.kerns or (0,) * len(op.text)
        for gid, kern in zip(self.fonts.glyphs(op.font, op.text), kerns, strict=True):
            name = f"f{font}-{gid}"
            if name not in self.defined:
                path = _glyph(self.fonts.outline(op.font, gid))
                self.defined[name] = f'<path id="{name}" d="{path}"/>' if path else ""
            if self.defined[name]:
                drawn += f'<use href="#{name}" x="{_n(round(at))}"/>'
            at += self.fonts.advance(op.font, gid) * _EM + kern
        matrix = (size, 0.0, 0.0, -size, op.x, op.baseline)
        return f'<g{_transform(matrix)} fill="{op.color}">{drawn}</g>'

    def _picture(self, op: Picture) -> str:
        data = self.pictures[op.asset].raw
        kind = "png" if data[:4] == b"\x89PNG" else "webp" if data[:4] == b"RIFF" else "jpeg"
        box = f'x="{_n(op.x)}" y="{_n(op.y)}" width="{_n(op.w)}" height="{_n(op.h)}"'
        link = f"data:image/{kind};base64,{b64encode(data).decode('ascii')}"
        return f'<image {box} preserveAspectRatio="none" href="{link}"/>'

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
        where = " ".join(
            f'{k}="{_n(v)}"' for k, v in zip(("x1", "y1", "x2", "y2"), ends, strict=True)
        )
    else:
        where = f'cx="{_n(paint.x)}" cy="{_n(paint.y)}" r="{_n(paint.r)}"'
    return f'<{_kind(paint)} id="{name}" gradientUnits="userSpaceOnUse" {where}>'


def _glyph(path: Path) -> str:
    return "".join(f"{s[0]}{' '.join(str(round(v * _EM)) for v in s[1:])}" for s in path)


def _transform(matrix: Matrix) -> str:
    if matrix == IDENTITY:
        return ""
    return f' transform="matrix({" ".join(map(_n, matrix))})"'


@lru_cache(maxsize=20_000)  # the same card stands in many figures
def _d(path: Path) -> str:
    return "".join(f"{step[0]}{' '.join(map(_n, step[1:]))}" for step in path)


def _n(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
