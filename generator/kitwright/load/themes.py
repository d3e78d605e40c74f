"""From a theme file, and those it extends, to a Theme with every name resolved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kitwright.fonts import SHIPPED, check_font
from kitwright.formulas import describe
from kitwright.load.pictures import inside
from kitwright.load.reading import read
from kitwright.load.source import Document
from kitwright.load.workspace import Workspace
from kitwright.model.dress import FontRow, GradientRow, LineRow, ThemeFile, ToldRow
from kitwright.model.theme import GradientStyle, LineStyle, TextStyle, Theme, Told
from kitwright.problems import Place, Problem, did_you_mean

_PLAIN = (
    *("leading", "align", "valign", "caps", "tracking"),
    *("hyphenate", "space_after", "flavour"),
)
Family = tuple[str, str, str, str]  # regular, bold, italic, bold italic


def load_theme(workspace: Workspace, name: str, problems: list[Problem]) -> Theme | None:
    """Read a theme or skin; None with its faults noted."""
    chain = _read_chain(workspace, name, problems)
    if not chain:
        return None
    before = len(problems)
    theme = _Builder(workspace, chain, problems).build(name)
    return theme if len(problems) == before else None


def _read_chain(
    workspace: Workspace, name: str, problems: list[Problem]
) -> list[tuple[Document, ThemeFile]]:
    """Read the theme and all it extends, the base first."""
    chain: list[tuple[Document, ThemeFile]] = []
    seen = [name]
    wanted: str | None = name
    while wanted is not None:
        path = workspace.find_layout_file(wanted)
        if path is None:
            place = chain[-1][0].place("extends") if chain else Place("layouts")
            problems.append(workspace.missing_layout(wanted, "theme", place))
            return []
        document = workspace.read(path, problems)
        if document is None:
            return []
        if "layout" in document.root.value and "theme" not in document.root.value:
            text = f"'{wanted}' is a layout; expected a theme, which begins with 'theme:'"
            problems.append(Problem(document.place(), "unknown-kind", text))
            return []
        told = read(ThemeFile, document, (), problems)
        if told is None:
            return []
        if told.theme != wanted:
            text = f"theme is '{told.theme}'; expected '{wanted}', its folder and file name"
            problems.append(Problem(document.place("theme"), "wrong-id", text))
        chain.append((document, told))
        wanted = told.extends
        if wanted in seen:
            circle = " -> ".join((*seen, wanted))
            place = document.place("extends")
            text = f"themes go round: {circle}; expected an end; take one of them out"
            problems.append(Problem(place, "include-cycle", text))
            return []
        if wanted is not None:
            seen.append(wanted)
    return chain[::-1]


class _Builder:
    def __init__(
        self,
        workspace: Workspace,
        chain: list[tuple[Document, ThemeFile]],
        problems: list[Problem],
    ) -> None:
        self.workspace = workspace
        self.problems = problems
        self.colors: dict[str, str] = {}
        self.rows: dict[str, dict[str, tuple[Any, Document]]] = {
            section: {} for section in ("gradients", "fonts", "styles", "lines", "tells_apart")
        }
        self.replace: dict[str, str] = {}
        for document, told in chain:
            self.colors.update({name: _long(value) for name, value in told.colors.items()})
            self.replace.update(told.replace)
            self.check_replace(told, document)
            for section, rows in self.rows.items():
                for name, row in getattr(told, section).items():
                    rows[name] = (row, document)
        self.files: dict[str, str] = {}

    def build(self, name: str) -> Theme:
        families = {key: self.family(key, row, at) for key, (row, at) in self.rows["fonts"].items()}
        gradients = {k: self.gradient(k, r, at) for k, (r, at) in self.rows["gradients"].items()}
        lines = {k: self.line(k, r, at) for k, (r, at) in self.rows["lines"].items()}
        styles = {k: self.style(k, families) for k in self.rows["styles"]}
        return Theme(
            name,
            self.colors,
            gradients,
            lines,
            {key: style for key, style in styles.items() if style is not None},
            self.files,
            self.replace,
            {key: self.told(key, row, at) for key, (row, at) in self.rows["tells_apart"].items()},
        )

    def told(self, name: str, row: ToldRow, at: Document) -> Told:
        """Resolve the colours that tell things apart."""
        colors = tuple(
            (color, self.color(color, at.place("tells_apart", name, "colors", index)))
            for index, color in enumerate(row.colors)
        )
        return Told(colors, row.cue)

    def check_replace(self, told: ThemeFile, document: Document) -> None:
        """Check that the layouts of `replace:` are there, on both sides."""
        for old, new in told.replace.items():
            sides = (
                (old, document.key_place("replace", old)),
                (new, document.place("replace", old)),
            )
            for name, place in sides:
                if self.workspace.find_layout_file(name) is None:
                    self.problems.append(self.workspace.missing_layout(name, "replace", place))

    def color(self, value: str | None, place: Place) -> str:
        """Return #rrggbb for a name or a colour."""
        if value is None:
            return ""
        if value.startswith("#"):
            return _long(value)
        if value not in self.colors:
            hint = did_you_mean(value, self.colors)
            text = f"the colour '{value}' is not there; expected a colour of the theme{hint}"
            self.problems.append(Problem(place, "unknown-color", text))
        return self.colors.get(value, "#000000")

    def family(self, name: str, row: FontRow, at: Document) -> Family:
        """Return the four fonts of a family, their files checked and kept."""

        def one(key: str, instead: str = "") -> str:
            said = getattr(row, key)
            return instead if said is None else self.font(said, at.place("fonts", name, key), at)

        regular = one("regular")
        bold = one("bold", regular)
        return regular, bold, one("italic", regular), one("bold_italic", bold)

    def font(self, value: str, place: Place, at: Document) -> str:
        """Return the name of a font whose file can be used."""
        if value in SHIPPED:
            self.files[value] = str(SHIPPED[value].path)
            return value
        if "." not in value:
            hint = did_you_mean(value, SHIPPED)
            text = (
                f"the font '{value}' is unknown; expected one that ships with Kitwright, or a .ttf"
            )
            text += f" file{hint}"
            self.problems.append(Problem(place, "unknown-font", text))
            return value
        folder = self._folder(at)
        path = inside(folder, value, place)
        if isinstance(path, Problem):
            self.problems.append(path)
            return value
        fault = check_font(path)
        if fault is not None:
            self.problems.append(Problem(place, "bad-font", fault))
        name = Path(value).stem.lower()
        self.files[name] = str(path)
        return name

    def _folder(self, at: Document) -> Path:
        for base in self.workspace.layouts:
            path = base.parent / at.file
            if path.is_file():
                return path.parent
        return self.workspace.layouts[0]

    def gradient(self, name: str, row: GradientRow, at: Document) -> GradientStyle:
        """Resolve the stops of a gradient."""
        stops = []
        for index, stop in enumerate(row.stops):
            place = at.place("gradients", name, "stops", index)
            offset, color = index / (len(row.stops) - 1), stop
            if isinstance(stop, list) and len(stop) == 2:
                offset, color = stop
            if not isinstance(color, str) or not _is_offset(offset):
                text = f"the stop is {describe(stop)}; expected a colour, or [0.5, colour]"
                self.problems.append(Problem(place, "bad-value", text))
                continue
            stops.append((float(offset), self.color(color, place)))
        return GradientStyle(row.kind, row.angle, tuple(stops))

    def line(self, name: str, row: LineRow, at: Document) -> LineStyle:
        """Resolve the colours of a line style."""
        return LineStyle(
            row.width,
            self.color(row.color, at.place("lines", name, "color")),
            tuple(row.dash),
            row.cap,
            self.color(row.casing, at.place("lines", name, "casing")),
            row.casing_width,
            self.color(row.shine, at.place("lines", name, "shine")),
            row.shine_width,
            tuple(row.shine_dash),
        )

    def style(self, name: str, families: Mapping[str, Family]) -> TextStyle | None:
        """Gather what a style and those it extends say."""
        said: dict[str, Any] = {}
        seen: list[str] = []
        row, at = self.rows["styles"][name]
        document: Document = at
        while True:
            seen.append(name)
            for key, value in row.model_dump(exclude_none=True).items():
                said.setdefault(key, (value, document.place("styles", name, key)))
            wanted = row.extends
            if wanted is None:
                break
            place = document.place("styles", name, "extends")
            if wanted in seen or wanted not in self.rows["styles"]:
                text = f"the style '{wanted}' is not there; expected a style of the theme"
                text += did_you_mean(wanted, self.rows["styles"])
                code = "unknown-style"
                if wanted in seen:
                    code = "include-cycle"
                    text = f"styles go round: {' -> '.join((*seen, wanted))}; expected an end"
                self.problems.append(Problem(place, code, text))
                return None
            name = wanted
            row, document = self.rows["styles"][name]
        return self._finished(seen[0], said, families, at)

    def _finished(
        self,
        name: str,
        said: dict[str, Any],
        families: Mapping[str, Family],
        at: Document,
    ) -> TextStyle | None:
        for key in ("font", "size", "color"):
            if key not in said:
                text = f"the style '{name}' has no {key}; expected one, or a style to extend"
                self.problems.append(Problem(at.place("styles", name), "missing-key", text))
                return None
        font, place = said["font"]
        if font not in families:
            hint = did_you_mean(font, families)
            text = f"the family '{font}' is not there; expected one of the theme's fonts{hint}"
            self.problems.append(Problem(place, "unknown-font", text))
            return None
        rest: dict[str, Any] = {key: said[key][0] for key in _PLAIN if key in said}
        return TextStyle(
            *families[font],
            size_pt=said["size"][0],
            color=self.color(*said["color"]),
            least_pt=said["least"][0] if "least" in said else 0.0,
            name=name,
            **rest,
        )


def _is_offset(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _long(color: str) -> str:
    """Write #abc as #aabbcc."""
    body = color[1:].lower()
    return "#" + ("".join(letter * 2 for letter in body) if len(body) == 3 else body)
