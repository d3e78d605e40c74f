"""Faces as PDF operators, the same bytes whatever document they go into.

Text is written with the fonts' own glyph numbers and every resource is named by its
content, so a face is encoded once and placed in any number of documents. Operators are in
millimetres from the top left of the trimmed face, y downwards: whoever places a face turns
the axes. Knows ops and fonts; knows no page and no document.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from kitwright.fonts import Fonts
from kitwright.ops import (
    IDENTITY,
    Face,
    Fill,
    Group,
    Linear,
    Matrix,
    Op,
    Path,
    Picture,
    Radial,
    Stroke,
    Symbol,
    Use,
    Word,
    digest,
)
from kitwright.write.bounds import MM_A_POINT, Box, bounds
from kitwright.write.encoded import EncodedFace, Form, Gradient, Needs, Stream
from kitwright.write.numbers import Numbers

_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_MOST_REMEMBERED = 50_000


class Encoder:
    """Turns faces into operators and remembers words, paths and symbols from face to face.

    Symbols that are whole faces are left to the writer where their ids are among the `ready` ones:
    so what shows a card stays the same when the card changes.
    """

    def __init__(self, fonts: Fonts, ready: Container[str] = ()) -> None:
        self._fonts = fonts
        self._ready = ready
        self._font_names: dict[str, str] = {}
        self._words: dict[tuple[str, str, tuple[int, ...]], str] = {}
        self._paths: dict[Path, str] = {}
        self._symbols: dict[str, list[tuple[Symbol, Form, Needs]]] = {}
        self._colors: dict[str, str] = {}
        self._number = Numbers(3)
        self._factor = Numbers(5)
        self._writers: dict[type, Callable[..., None]] = {
            Fill: self._fill,
            Stroke: self._stroke,
            Word: self._word,
            Picture: self._picture,
            Use: self._use,
            Group: self._group,
        }

    def encode(self, face: Face) -> EncodedFace:
        """Return `face` as operators."""
        stream = self._stream(face.ops)
        needs = stream.needs
        return EncodedFace(
            id=face.id,
            hash=face.hash,
            width=face.width,
            height=face.height,
            bleed=face.bleed,
            content=stream.content().encode("ascii"),
            characters=tuple(
                (font, "".join(sorted(used))) for font, used in sorted(needs.characters.items())
            ),
            forms=tuple(needs.forms[name] for name in sorted(needs.forms)),
            pictures=tuple(sorted(needs.pictures)),
            shadings=tuple(sorted(needs.shadings.items(), key=lambda item: item[0])),
            opacities=tuple(sorted(needs.opacities)),
            faces=tuple(sorted(needs.faces)),
        )

    def _stream(self, ops: Iterable[Op]) -> Stream:
        stream = Stream()
        self._write(ops, stream)
        return stream

    def _write(self, ops: Iterable[Op], stream: Stream) -> None:
        writers = self._writers
        for op in ops:
            writers[type(op)](op, stream)

    def _word(self, op: Word, stream: Stream) -> None:
        out = stream.out
        if not stream.in_text:
            out.append("BT")
            stream.in_text = True
        font, text = op.font, op.text
        if stream.font != (font, op.size_pt):
            stream.font = (font, op.size_pt)
            out.append(f"/{self._font_name(font)} {self._factor[op.size_pt * MM_A_POINT]} Tf")
        if stream.fill != op.color:
            stream.fill = op.color
            out.append(f"{self._color(op.color)} rg")
        key = (font, text, op.kerns)
        shown = self._words.get(key) or self._remember_word(key)
        number = self._number
        out.append(f"1 0 0 -1 {number[op.x]} {number[op.baseline]} Tm {shown}")
        used = stream.needs.characters.get(font)
        if used is None:
            used = stream.needs.characters[font] = set()
        used.update(text)

    def _remember_word(self, key: tuple[str, str, tuple[int, ...]]) -> str:
        font, text, kerns = key
        if len(self._words) > _MOST_REMEMBERED:
            self._words.clear()
        codes = [f"{gid:04x}" for gid in self._fonts.glyphs(font, text)]
        if any(kerns[:-1]):
            parts = [
                f"{code}>{-kern}<" if kern else code
                for code, kern in zip(codes, (*kerns[:-1], 0), strict=True)
            ]
            shown = f"[<{''.join(parts)}>] TJ"
        else:
            shown = f"<{''.join(codes)}> Tj"
        self._words[key] = shown
        return shown

    def _fill(self, op: Fill, stream: Stream) -> None:
        stream.end_text()
        paint, rule = op.paint, "*" if op.even_odd else ""
        if not isinstance(paint, str) and _is_flat(paint):
            paint = paint.stops[-1][1]
        if isinstance(paint, str):
            if stream.fill != paint:
                stream.fill = paint
                stream.out.append(f"{self._color(paint)} rg")
            stream.out.append(f"{self._path(op.path)} f{rule}")
        else:
            name = "H" + digest(self._gradient_text(paint))
            stream.needs.shadings[name] = paint
            stream.out.append(f"q {self._path(op.path)} W{rule} n /{name} sh Q")

    def _gradient_text(self, paint: Gradient) -> str:
        number = self._number
        if isinstance(paint, Linear):
            ends: tuple[float, ...] = (paint.x0, paint.y0, paint.x1, paint.y1)
        else:
            ends = (paint.x, paint.y, paint.r)
        stops = " ".join(f"{number[at]}:{color}" for at, color in paint.stops)
        return f"{' '.join(number[value] for value in ends)} {stops}"

    def _stroke(self, op: Stroke, stream: Stream) -> None:
        stream.end_text()
        out, number = stream.out, self._number
        if stream.stroke != op.color:
            stream.stroke = op.color
            out.append(f"{self._color(op.color)} RG")
        look = (op.width, op.cap, op.join)
        if stream.look != look:
            stream.look = look
            out.append(f"{number[op.width]} w {_CAPS[op.cap]} J {_JOINS[op.join]} j")
        if stream.dash != op.dash:
            stream.dash = op.dash
            out.append(f"[{' '.join(number[part] for part in op.dash)}] 0 d")
        out.append(f"{self._path(op.path)} S")

    def _picture(self, op: Picture, stream: Stream) -> None:
        stream.end_text()
        number = self._number
        stream.needs.pictures.add(op.asset)
        stream.out.append(
            f"q {number[op.w]} 0 0 {number[-op.h]} {number[op.x]} {number[op.y + op.h]} cm "
            f"/{picture_name(op.asset)} Do Q"
        )

    def _use(self, op: Use, stream: Stream) -> None:
        stream.end_text()
        name = self._shown(op.symbol, stream.needs)
        if op.matrix == IDENTITY:
            stream.out.append(f"/{name} Do")
        else:
            stream.out.append(f"q {self._matrix(op.matrix)} cm /{name} Do Q")

    def _shown(self, symbol: Symbol, needs: Needs) -> str:
        """Return the name of the form that draws a symbol, and note that it is needed."""
        if symbol.face in self._ready:
            needs.faces.add(symbol.face)
            return face_form_name(symbol.face)
        form, inner = self._symbol(symbol)
        if form.name not in needs.forms:
            needs.add(inner)
            needs.forms[form.name] = form
        return form.name

    def _group(self, op: Group, stream: Stream) -> None:
        if op.opacity <= 0 or not op.ops:
            return
        stream.end_text()
        kept = stream.fill, stream.stroke, stream.look, stream.dash, stream.font
        out = stream.out
        out.append("q")
        if op.matrix != IDENTITY:
            out.append(f"{self._matrix(op.matrix)} cm")
        if op.clip:
            out.append(f"{self._path(op.clip)} W n")
        if op.opacity < 1:
            self._fade(op, stream)
        else:
            self._write(op.ops, stream)
            stream.end_text()
        out.append("Q")
        stream.fill, stream.stroke, stream.look, stream.dash, stream.font = kept

    def _fade(self, op: Group, stream: Stream) -> None:
        opacity = round(op.opacity, 3)
        stream.needs.opacities.add(opacity)
        stream.out.append(f"/{opacity_name(opacity)} gs")
        if len(op.ops) == 1 and not isinstance(op.ops[0], Use | Group):
            self._write(op.ops, stream)
            stream.end_text()
            return
        inner = self._stream(op.ops)
        form = self._form("T", inner, bounds(op.ops, self._fonts), group=True)
        stream.needs.add(inner.needs)
        stream.needs.forms[form.name] = form
        stream.out.append(f"/{form.name} Do")

    def _symbol(self, symbol: Symbol) -> tuple[Form, Needs]:
        # The id is that of a rounded dump: symbols that differ by a hair share it.
        known = self._symbols.setdefault(symbol.id, [])
        for other, form, needs in known:
            if other is symbol or other == symbol:
                return form, needs
        stream = self._stream(symbol.ops)
        form = self._form("S", stream, symbol.box, group=False)
        known.append((symbol, form, stream.needs))
        return form, stream.needs

    def _form(self, letter: str, stream: Stream, box: Box, *, group: bool) -> Form:
        content = stream.content()
        name = letter + digest(f"{' '.join(self._number[v] for v in box)}\n{content}")
        return Form(name, content.encode("ascii"), box, group)

    def _path(self, path: Path) -> str:
        text = self._paths.get(path)
        if text is None:
            if len(self._paths) > _MOST_REMEMBERED:
                self._paths.clear()
            text = self._paths[path] = self._path_text(path)
        return text

    def _path_text(self, path: Path) -> str:
        number, parts = self._number, []
        for segment in path:
            match segment:
                case ("C", a, b, c, d, e, f):
                    parts.append(
                        f"{number[a]} {number[b]} {number[c]} {number[d]} {number[e]} {number[f]} c"
                    )
                case ("L", x, y):
                    parts.append(f"{number[x]} {number[y]} l")
                case ("M", x, y):
                    parts.append(f"{number[x]} {number[y]} m")
                case _:
                    parts.append("h")
        return " ".join(parts)

    def _matrix(self, matrix: Matrix) -> str:
        a, b, c, d, e, f = matrix
        factor, number = self._factor, self._number
        return f"{factor[a]} {factor[b]} {factor[c]} {factor[d]} {number[e]} {number[f]}"

    def _color(self, color: str) -> str:
        text = self._colors.get(color)
        if text is None:
            text = self._colors[color] = " ".join(self._number[part] for part in color_parts(color))
        return text

    def _font_name(self, font: str) -> str:
        name = self._font_names.get(font)
        if name is None:
            name = self._font_names[font] = font_name(self._fonts.digest(font))
        return name


def color_parts(color: str) -> tuple[float, float, float]:
    """Return red, green and blue of `#rrggbb`, each from 0 to 1."""
    red, green, blue = bytes.fromhex(color[1:])
    return red / 255, green / 255, blue / 255


def font_name(font_digest: str) -> str:
    """Name the resource of a font."""
    return "F" + font_digest[:10]


def picture_name(asset: str) -> str:
    """Name the resource of a picture."""
    return "P" + (asset if asset.isalnum() and asset.isascii() else digest(asset))


def face_form_name(face: str) -> str:
    """Name the form that draws a whole face."""
    return "X" + digest(face)


def opacity_name(opacity: float) -> str:
    """Name the graphics state that fades to `opacity`."""
    return f"G{opacity:g}"


def _is_flat(paint: Gradient) -> bool:
    if len(paint.stops) == 1:
        return True
    if isinstance(paint, Radial):
        return paint.r <= 0
    return (paint.x0, paint.y0) == (paint.x1, paint.y1)
