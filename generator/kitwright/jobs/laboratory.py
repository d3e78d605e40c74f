"""Balance reports: a game is studied, its cards are drawn, and the report is put into output/.

Works beside the pipeline: play/ plays, reports/ makes blocks, write/ writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

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
from kitwright.play.compare import Comparison
from kitwright.play.tune import Tuning
from kitwright.press.kit import Kit, cards_of
from kitwright.problems import InvalidInputError, Problem
from kitwright.reports.balance import balance_report
from kitwright.reports.cards import Pair
from kitwright.reports.compare import compare_report, printed
from kitwright.reports.tune import tune_report, verdict
from kitwright.rulebook.blocks import Figure, Rulebook, Shown
from kitwright.rulebook.figures import Artist, Drawing
from kitwright.rulebook.pages import make_pages, sheet_format
from kitwright.write.encode import Encoder
from kitwright.write.html import write_html
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.pictures import PictureData
from kitwright.write.staging import check_output, stage
from kitwright.write.svg import Svg

__all__ = ["draw_cards", "verdict", "write_balance", "write_comparison", "write_tuning"]

NAME = "balance"
AGAINST = "balance-against"
TUNE = "tune"
A4 = (210.0, 297.0)
_SCREEN = 170.0  # mm that a plot is drawn wide for a screen


class DrawnCards(Struct, frozen=True):
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


def write_comparison(
    workspace: Workspace,
    old: DrawnCards,
    drawn: DrawnCards,
    comparison: Comparison,
    rev: str,
    output: Path,
) -> Path:
    """Write what an edit changed; `old` are the cards before it. Return the folder."""
    told = comparison.as_dict()
    report = compare_report(drawn.kit.game, told, rev, face_pairs(old, drawn, told["changes"]))
    return write_report(workspace, drawn, report, AGAINST, output, old)


def write_tuning(workspace: Workspace, drawn: DrawnCards, tuning: Tuning, output: Path) -> Path:
    """Write the report of a sweep; return its folder."""
    report = tune_report(drawn.kit.game, tuning.as_dict())
    return write_report(workspace, drawn, report, TUNE, output)


def face_pairs(
    old: DrawnCards, new: DrawnCards, changes: Sequence[Mapping[str, str]]
) -> tuple[Pair, ...]:
    """Return the faces that look different, before and after, those of changed cards first."""
    words: dict[str, list[str]] = {}
    for change in changes:
        if change["card"]:
            before, after = change["old"] or "none", change["new"] or "gone"
            words.setdefault(change["card"], []).append(f"{change['what']}: {before}, now {after}")
    found = []
    for card in dict.fromkeys((*words, *new.shown, *old.shown)):
        was, now = old.shown.get(card), new.shown.get(card)
        if was is None or now is None or was.face.hash != now.face.hash:
            told = "\n".join(
                words.get(card, ["It shows a number that changed, or looks different."])
            )
            found.append(Pair(was, now, card, printed(told)))
    return tuple(found)


def write_report(
    workspace: Workspace,
    drawn: DrawnCards,
    report: Rulebook,
    name: str,
    output: Path,
    old: DrawnCards | None = None,
) -> Path:
    """Write a report as HTML and PDF into the folder of its game; it may show `old` cards too."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    printer = _Printer(_dress(workspace), [*([old] if old is not None else []), drawn])
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

    def __init__(self, dress: Theme, kits: Sequence[DrawnCards]) -> None:
        self.dress, self.drawn = dress, kits[-1]
        self.pictures = {key: data for each in kits for key, data in each.pictures.items()}
        files = dict(dress.fonts)
        for each in kits:
            files.update(each.kit.theme.fonts)
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
