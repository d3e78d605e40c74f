"""Balance reports: a game is studied, its cards are drawn, and the report is put into output/.

Works beside the pipeline: play/ plays, reports/ makes blocks, write/ writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kitwright import __version__
from kitwright.fonts import Fonts
from kitwright.load import Workspace
from kitwright.load.rules import SHARED_DRESS
from kitwright.load.themes import load_theme
from kitwright.model.geometry import IDENTITY
from kitwright.model.theme import Theme
from kitwright.ops import Face, Page, Placed
from kitwright.pipeline import STANDARD, compose_kit, folder_name, load_kit
from kitwright.play.balance import Study
from kitwright.press import Kit, cards_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.reports.balance import balance_report
from kitwright.rulebook.blocks import Figure, Rulebook, Shown
from kitwright.rulebook.figures import Artist, Drawing
from kitwright.rulebook.pages import make_pages, sheet_format
from kitwright.write.encode import Encoder
from kitwright.write.html import write_html
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.pictures import PictureData
from kitwright.write.staging import check_output, stage
from kitwright.write.svg import Svg

NAME = "balance"
A4 = (210.0, 297.0)
_SCREEN = 170.0  # mm that a plot is drawn wide for a screen
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class DrawnCards:
    """The faces of a game by their cards, with the means to show them."""

    kit: Kit
    shown: Mapping[str, Shown]

    @property
    def pictures(self) -> dict[str, PictureData]:
        """The raster pictures that the faces show."""
        return self.kit.pictures


def draw_cards(workspace: Workspace, game_id: str, variant: str | None) -> DrawnCards:
    """Compose the faces of a game."""
    kit = load_kit(workspace, game_id, variant, STANDARD)
    faces: dict[str, Face] = {}
    compose_kit(kit, STANDARD, keep=lambda face: faces.update({face.id: face}))
    return DrawnCards(kit, cards_of(kit.decks, faces).fronts)


def write_balance(workspace: Workspace, drawn: DrawnCards, study: Study, output: Path) -> Path:
    """Write the report of a study; return its folder."""
    report = balance_report(drawn.kit.game, study.as_dict(), drawn.shown)
    return write_report(workspace, drawn, report, NAME, output)


def write_report(
    workspace: Workspace,
    drawn: DrawnCards,
    report: Rulebook,
    name: str,
    output: Path,
    others: Mapping[str, PictureData] | None = None,
) -> Path:
    """Write a report as HTML and PDF into the folder of its game.

    `others` are pictures on faces that are not of this kit.
    """
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    printer = _Printer(_dress(workspace), drawn, {**drawn.pictures, **(others or {})})
    files = {f"{name}.html": printer.html(report).encode(), f"{name}.pdf": printer.pdf(report)}
    folder = output / folder_name(drawn.kit.game, STANDARD)
    with stage(folder, sources=sources) as staged:
        for file, data in files.items():
            (staged.folder / file).write_bytes(data)
        staged.seal(__version__)
    return folder


def _dress(workspace: Workspace) -> Theme:
    problems: list[Problem] = []
    dress = load_theme(workspace, SHARED_DRESS, problems)
    if dress is None or problems:
        raise InvalidInputError(problems)
    return dress


class _Printer:
    """Sets a report in the plain dress that all reports share."""

    def __init__(
        self, dress: Theme, drawn: DrawnCards, pictures: Mapping[str, PictureData]
    ) -> None:
        self.dress, self.drawn, self.pictures = dress, drawn, pictures
        files = {**dress.fonts, **drawn.kit.theme.fonts}
        self.fonts = Fonts({name: Path(path) for name, path in files.items()})

    def draw(self, figure: Figure) -> Drawing:
        """Draw a figure for a screen."""
        return Artist(self.dress, self.fonts, _no_icon).draw(figure.scene, _SCREEN)

    def html(self, report: Rulebook) -> str:
        """Return the report as one page."""
        svg = Svg(self.fonts, self.pictures)
        licence = self.drawn.kit.game.credit.licence
        return write_html(report, self.dress, svg, _no_icon, self.draw, licence, report.title)

    def pdf(self, report: Rulebook) -> bytes:
        """Return the report on A4."""
        problems: list[Problem] = []
        width, height = A4
        made = make_pages(
            report, sheet_format("a4", width, height), self.dress, self.fonts, _no_icon, problems
        )
        if problems:
            raise InvalidInputError(problems)
        whole = (0.0, 0.0, width, height)
        pages = [
            Page(
                width, height, whole, whole, (Placed(each.face.id, IDENTITY),), "", each.anchors,
                each.links,
            )
            for each in made
        ]  # fmt: skip
        encoder = Encoder(self.fonts)
        faces = {each.face.id: encoder.encode(each.face) for each in made}
        game = self.drawn.kit.game
        info = Info(report.title, game.credit.designers, report.facts, game.credit.licence, "long")
        return write_pdf(pages, faces, self.fonts, self.pictures, info)


def _no_icon(name: str) -> None:
    """Find no icon: reports have none among their words."""
