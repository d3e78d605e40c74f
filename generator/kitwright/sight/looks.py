"""A dressed kit looked at: colours through other eyes, words on their grounds, type, ink."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from kitwright.model.geometry import Box
from kitwright.model.theme import Theme, Told
from kitwright.ops import Face
from kitwright.press.kit import Kit
from kitwright.sight.eyes import LEAST, NORMAL, WAYS, contrast, luminance, nearest
from kitwright.sight.letters import Letters, letters_of, wordless
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace
from kitwright.write.png import Raster, rasters

DPI = 100.0
LEAST_CONTRAST = 4.5  # of words on their ground, as the web's guidelines ask of small text
LEAST_TYPE = 5.0  # pt
SHARE = 0.15  # of the ground under a word that may be worse than what is told
INCH = 25.4


class Contrast(Struct, frozen=True):
    """How well one word stands out, and where it is."""

    ratio: float
    letters: Letters
    face: str
    file: str
    line: int


class Apart(Struct, frozen=True):
    """How far colours lie apart in each way of seeing, and the nearest two."""

    name: str
    told: Told
    least: Mapping[str, float]
    pairs: Mapping[str, tuple[str, str]]

    @property
    def ok(self) -> bool:
        """Whether everyone can tell the things apart."""
        return bool(self.told.cue) or min(self.least.values()) >= LEAST


class Looked(Struct, frozen=True):
    """All that can be said of one dress of a kit."""

    skin: str
    apart: tuple[Apart, ...]
    worst: Contrast | None  # of all words
    contrasts: Mapping[str, Contrast]  # the worst of each style
    types: Mapping[str, float]  # the smallest size of each style in print, in pt
    ink: float  # share of the paper's colour that is taken away, 0 to 1, over all cards


def look_at(kit: Kit, faces: Mapping[str, Face], skin: str) -> Looked:
    """Look at a composed kit; `faces` are its faces with their ops."""
    types: dict[str, float] = {}
    contrasts: dict[str, Contrast] = {}
    words = {face.id: tuple(letters_of(face, kit.materials.fonts)) for face in faces.values()}
    for letters in (each for found in words.values() for each in found):
        types[letters.style] = min(letters.size_pt, types.get(letters.style, 1000.0))
    for found in _contrasts(kit, faces, words):
        style = found.letters.style
        if style not in contrasts or found.ratio < contrasts[style].ratio:
            contrasts[style] = found
    worst = min(contrasts.values(), key=lambda each: each.ratio, default=None)
    return Looked(skin, colors_apart(kit.theme), worst, contrasts, types, ink_of(kit))


def colors_apart(theme: Theme) -> tuple[Apart, ...]:
    """Look at the colours that a theme tells things apart by."""
    found = []
    for name, told in theme.tells_apart.items():
        seen = {way: nearest(told.colors, way) for way in (NORMAL, *WAYS)}
        least = {way: value for way, (value, _) in seen.items()}
        found.append(Apart(name, told, least, {way: pair for way, (_, pair) in seen.items()}))
    return tuple(found)


def _contrasts(
    kit: Kit, faces: Mapping[str, Face], words: Mapping[str, Sequence[Letters]]
) -> Iterator[Contrast]:
    """Yield the contrast of every word; of one that looks faint, with what is under it alone."""
    spoken = [face for face in faces.values() if words[face.id]]
    grounds = _rendered(kit, (wordless(face) for face in spoken))
    for face, ground in zip(spoken, grounds, strict=True):
        for letters in words[face.id]:
            ratio = _ratio(letters, ground)
            if ratio < LEAST_CONTRAST:
                under = next(_rendered(kit, [wordless(face, letters.number)]))
                ratio = _ratio(letters, under)
            file, line = _place(face, letters.op)
            yield Contrast(ratio, letters, face.id, file, line)


def _rendered(kit: Kit, faces: Iterable[Face]) -> Iterator[Raster]:
    encoder = Encoder(kit.materials.fonts)
    encoded = [encoder.encode(face) for face in faces]
    return rasters(encoded, kit.materials.fonts, kit.pictures, DPI)


def _place(face: Face, op: int) -> tuple[str, int]:
    """Return where the draw stands that a word came from."""
    found = [e for e in face.elements if e.first <= op < e.last]
    said = [e for e in found if e.verb == "text"] or found
    return (said[0].file, said[0].line) if said else ("", 0)


def _ratio(letters: Letters, ground: Raster) -> float:
    """Return the contrast that all but a small share of the ground under a word gives it."""
    color = _channels(letters.color)
    pixels = _under(letters.box, ground)
    ratios = []
    for under, times in pixels.items():
        light = luminance(*under)
        shown = tuple(
            round(letters.opacity * a + (1 - letters.opacity) * b)
            for a, b in zip(color, under, strict=True)
        )
        ratios.append((contrast(luminance(*shown), light), times))
    left = SHARE * pixels.total()
    for ratio, times in sorted(ratios):
        left -= times
        if left < 0:
            return ratio
    return 21.0


def _under(box: Box, ground: Raster) -> Counter[tuple[int, int, int]]:
    scale = DPI / INCH
    left, top = int(box[0] * scale), int(box[1] * scale)
    right = min(ground.width, max(left + 1, round(box[2] * scale)))
    bottom = min(ground.height, max(top + 1, round(box[3] * scale)))
    found: Counter[tuple[int, int, int]] = Counter()
    for y in range(top, bottom):
        row = ground.pixels[3 * (y * ground.width + left) : 3 * (y * ground.width + right)]
        found.update(zip(row[0::3], row[1::3], row[2::3], strict=True))
    return found


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def ink_of(kit: Kit) -> float:
    """Estimate the ink of a kit from pixels: white is none, black all, copies and backs count."""
    times: Counter[str] = Counter()
    for deck in kit.decks:
        for sides in deck.cards:
            for name in (sides.front, sides.back):
                if name is not None:
                    times[name] += sides.card.copies
    faces: list[EncodedFace] = [kit.faces[name] for name in times]
    shown = rasters(faces, kit.materials.fonts, kit.pictures, DPI / 2)
    inked = area = 0.0
    for face, pixels in zip(faces, shown, strict=True):
        size = times[face.id] * face.width * face.height
        area += size
        inked += size * (1 - sum(pixels.pixels) / (255 * len(pixels.pixels)))
    return inked / area if area else 0.0
