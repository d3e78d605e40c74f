"""What faces are encoded to: streams of operators and everything that they name.

Knows drawing values; knows no font and no document.
"""

from __future__ import annotations

from msgspec import Struct, field

from kitwright.ops import Face, Linear, Radial
from kitwright.write.bounds import Box

Gradient = Linear | Radial


class Form(Struct, frozen=True):
    """Operators that are drawn from more than one place, or that fade as one."""

    name: str
    content: bytes
    box: Box
    group: bool = False  # composited by itself before its opacity applies


class EncodedFace(Struct, frozen=True):
    """A face as operators, and everything that they name; all parts are sorted by name."""

    id: str
    hash: str
    width: float
    height: float
    bleed: float
    content: bytes
    characters: tuple[tuple[str, str], ...]  # font, the characters that are set in it
    forms: tuple[Form, ...]  # those that forms draw in turn as well
    pictures: tuple[str, ...]  # assets
    shadings: tuple[tuple[str, Gradient], ...]
    opacities: tuple[float, ...]
    faces: tuple[str, ...] = ()  # the ids of other faces that it shows

    @property
    def named(self) -> Face:
        """The face without its ops, for what shows it by its name."""
        return Face(self.id, self.width, self.height, self.bleed, (), self.hash)

    @property
    def box(self) -> Box:
        """The face with its bleed."""
        bleed = self.bleed
        return -bleed, -bleed, self.width + bleed, self.height + bleed


class Needs(Struct):
    """What a stream of operators names."""

    characters: dict[str, set[str]] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)
    pictures: set[str] = field(default_factory=set)
    shadings: dict[str, Gradient] = field(default_factory=dict)
    opacities: set[float] = field(default_factory=set)
    faces: set[str] = field(default_factory=set)

    def add(self, other: Needs) -> None:
        """Take in what another stream names."""
        for font, characters in other.characters.items():
            self.characters.setdefault(font, set()).update(characters)
        self.forms.update(other.forms)
        self.pictures |= other.pictures
        self.shadings.update(other.shadings)
        self.opacities |= other.opacities
        self.faces |= other.faces


class Stream:
    """Operators in the making, with the graphics state that they have set so far."""

    __slots__ = ("dash", "fill", "font", "in_text", "look", "needs", "out", "stroke")

    def __init__(self) -> None:
        self.out: list[str] = []
        self.needs = Needs()
        self.in_text = False
        self.forget()

    def forget(self) -> None:
        """Assume nothing of the state: a form inherits that of its caller."""
        self.fill = self.stroke = ""
        self.look: tuple[float, str, str] | None = None
        self.dash: tuple[float, ...] | None = None
        self.font: tuple[str, float] | None = None

    def end_text(self) -> None:
        """Close the words that are open."""
        if self.in_text:
            self.out.append("ET")
            self.in_text = False

    def content(self) -> str:
        """Return the operators."""
        self.end_text()
        return "\n".join(self.out)
