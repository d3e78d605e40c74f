"""The drawing ops: all that a writer must know how to paint, and their text dump.

Lengths are millimetres from the top left of the trimmed face, y downwards;
type is in points. Ops are plain data, so a face can be hashed, compared,
mirrored, imposed and dumped without a canvas. Imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b

from msgspec import Struct

Segment = tuple[str, *tuple[float, ...]]
Path = tuple[Segment, ...]  # ("M", x, y) ("L", x, y) ("C", x1, y1, x2, y2, x, y) ("Z",)
Matrix = tuple[float, float, float, float, float, float]  # x' = ax + cy + e, y' = bx + dy + f
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Linear(Struct, frozen=True):
    """A gradient along the line from (x0, y0) to (x1, y1); stops are (offset 0..1, colour)."""

    x0: float
    y0: float
    x1: float
    y1: float
    stops: tuple[tuple[float, str], ...]


class Radial(Struct, frozen=True):
    """A gradient from the centre outwards to radius r."""

    x: float
    y: float
    r: float
    stops: tuple[tuple[float, str], ...]


Paint = str | Linear | Radial  # a colour is "#rrggbb"


class Fill(Struct, frozen=True):
    """A filled path."""

    path: Path
    paint: Paint
    even_odd: bool = False


class Stroke(Struct, frozen=True):
    """A stroked path. `dash` is on, off, on, off … in millimetres."""

    path: Path
    color: str
    width: float
    dash: tuple[float, ...] = ()
    cap: str = "butt"  # butt round square
    join: str = "miter"  # miter round bevel


class Word(Struct, frozen=True):
    """Characters on one baseline, already measured; kerns are 1/1000 em after each character."""

    x: float
    baseline: float
    font: str
    size_pt: float
    color: str
    text: str
    kerns: tuple[int, ...] = ()  # empty, or one a character
    style: str = ""  # the name of the text style that it is set in


class Picture(Struct, frozen=True):
    """A raster picture stretched over a box; `asset` is its content hash."""

    x: float
    y: float
    w: float
    h: float
    asset: str


class Symbol(Struct, frozen=True):
    """Ops that are drawn in many places: written once. `id` is the hash of their dump."""

    id: str
    ops: tuple[Op, ...]
    box: tuple[float, float, float, float]  # left, top, right, bottom of all it paints
    face: str = ""  # the id of the face that it is; its ops may then be left to who has that


class Use(Struct, frozen=True):
    """A symbol drawn through a matrix."""

    symbol: Symbol
    matrix: Matrix = IDENTITY


class Group(Struct, frozen=True):
    """Ops that share a matrix, a clip and an opacity."""

    ops: tuple[Op, ...]
    matrix: Matrix = IDENTITY
    clip: Path = ()
    opacity: float = 1.0


Op = Fill | Stroke | Word | Picture | Use | Group


class Element(Struct, frozen=True):
    """Which ops of a face one draw of a layout made, and where that draw stands in its file."""

    verb: str
    file: str
    line: int
    column: int
    first: int  # index of its first op
    last: int  # index after its last op
    edge: bool = False  # meant to reach the cut, so the safe area does not apply
    style: str = ""


class Face(Struct, frozen=True):
    """One side of one card, sheet or page."""

    id: str  # "circuits/roll-up", "circuits/roll-up-back", "circuits/back"
    width: float
    height: float
    bleed: float
    ops: tuple[Op, ...]
    hash: str
    elements: tuple[Element, ...] = ()


class Placed(Struct, frozen=True):
    """A face on a page: its id, and the matrix from face to page millimetres."""

    face: str
    matrix: Matrix
    clip: tuple[float, float, float, float] | None = None  # left, top, right, bottom on the page


class Anchor(Struct, frozen=True):
    """A spot that links and bookmarks lead to; `level` 1 stands highest in the outline."""

    name: str
    title: str
    level: int
    y: float
    order: int = 0  # among the anchors of a text whose pages are not in the order of reading


class Link(Struct, frozen=True):
    """An area of a page that leads to an anchor of the document."""

    box: tuple[float, float, float, float]  # left, top, right, bottom on the page
    to: str


class Page(Struct, frozen=True):
    """One side of one sheet of paper; faces are named, so a page holds no ops."""

    width: float
    height: float
    trim: tuple[float, float, float, float]
    bleed: tuple[float, float, float, float]
    placed: tuple[Placed, ...]
    bookmark: str = ""  # the title of the deck that begins here
    anchors: tuple[Anchor, ...] = ()
    links: tuple[Link, ...] = ()
    matrix: Matrix = IDENTITY  # through which all that is placed is drawn, clips included


def make_symbol(ops: tuple[Op, ...], box: tuple[float, float, float, float]) -> Symbol:
    """Name `ops` by what they paint."""
    return Symbol(digest(dump(ops)), ops, box)


def symbol_of(face: Face) -> Symbol:
    """Return a whole face as a symbol."""
    out = face.bleed
    box = (-out, -out, face.width + out, face.height + out)
    return Symbol(face.hash, face.ops, box, face.id)


def digest(text: str) -> str:
    """Return the short content hash of a text."""
    return blake2b(text.encode(), digest_size=10).hexdigest()


def content_hash(ops: Iterable[Op], assets: Mapping[str, str]) -> str:
    """Hash the dump of `ops`, with the digests of the fonts and pictures that they name."""
    text = dump(ops)
    used = sorted(f"{name} {assets[name]}" for name in assets if name in text)
    return digest(text + "\n".join(used))


def dump(ops: Iterable[Op], indent: str = "") -> str:
    """Write ops as text, one a line, lengths rounded to 0.01 mm: for hashes, goldens and eyes."""
    return "".join(_line(op, indent) for op in ops)


def _line(op: Op, indent: str) -> str:
    match op:
        case Fill(path, paint, even_odd):
            rule = " even-odd" if even_odd else ""
            return f"{indent}fill {_paint(paint)}{rule} {path_text(path)}\n"
        case Stroke(path, color, width, dash, cap, join):
            dashed = f" dash {' '.join(map(_number, dash))}" if dash else ""
            look = f"{color} {_number(width)} {cap} {join}{dashed}"
            return f"{indent}stroke {look} {path_text(path)}\n"
        case Word(x, baseline, font, size_pt, color, text, kerns):
            kerned = f" kerns {' '.join(map(str, kerns))}" if kerns else ""
            look = f"{font} {_number(size_pt)}pt {color}"
            return f"{indent}word {_number(x)} {_number(baseline)} {look} {text!r}{kerned}\n"
        case Picture(x, y, w, h, asset):
            return f"{indent}picture {' '.join(map(_number, (x, y, w, h)))} {asset}\n"
        case Use(symbol, matrix):
            return f"{indent}use {symbol.id} {_matrix(matrix)}\n"
        case Group(ops, matrix, clip, opacity):
            head = f"{indent}group {_matrix(matrix)} opacity {_number(opacity)}"
            clipped = f" clip {path_text(clip)}" if clip else ""
            return f"{head}{clipped}\n{dump(ops, indent + '  ')}"


def path_text(path: Path) -> str:
    """Write a path as SVG does."""
    return " ".join(f"{s[0]}{','.join(map(_number, s[1:]))}" for s in path)


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _matrix(matrix: Matrix) -> str:
    return "[" + " ".join(f"{v + 0.0:.4f}".rstrip("0").rstrip(".") for v in matrix) + "]"


def _paint(paint: Paint) -> str:
    if isinstance(paint, str):
        return paint
    stops = " ".join(f"{_number(at)}:{color}" for at, color in paint.stops)
    if isinstance(paint, Linear):
        ends = (paint.x0, paint.y0, paint.x1, paint.y1)
        return f"linear({' '.join(map(_number, ends))} {stops})"
    return f"radial({' '.join(map(_number, (paint.x, paint.y, paint.r)))} {stops})"
