"""The page that measures where a printer puts the second side."""

from __future__ import annotations

from pathlib import Path

from kitwright import __version__
from kitwright.compose.pen import Materials
from kitwright.compose.verniers import DEGREES_A_MM, back_page, front_page
from kitwright.fonts import Fonts
from kitwright.impose.register import correction, turned_over
from kitwright.load import Workspace
from kitwright.load.icons import PictureFinder
from kitwright.load.layouts import LayoutReader
from kitwright.load.themes import load_theme
from kitwright.model.geometry import IDENTITY
from kitwright.model.paper import Paper, Printer
from kitwright.ops import Page, Placed
from kitwright.pipeline import SHARED_THEME, Made, Report, papers_called
from kitwright.problems import InvalidInputError, Problem
from kitwright.write.encode import Encoder
from kitwright.write.pdf import Info, write_pdf
from kitwright.write.staging import check_output, stage

FOLDER = "calibrate"
HOW = (
    "Print this page on both sides, flip on {sides} edge, at 100 %. "
    "Hold it against the light, this side towards you.",
    "On each scale find the line that runs straight on into a line of the other side. "
    "Its figure is the reading, in mm; to the right and downwards are plus.",
    "X is the reading of the level scale. Y is the mean of the two upright ones. "
    "ANGLE is Y right minus Y left, times {factor:g}, in degrees.",
    "Then type: kitwright calibrate --printer {name} --set X,Y,ANGLE",
    "From now on: kitwright build --printer {name}",
)
DONE = (
    "This page is set right for {name}: {x:g} mm, {y:g} mm, {angle:g} degrees. "
    "Print it on both sides, flip on {sides} edge, at 100 %.",
    "Held against the light, the lines of 0 should meet on all three scales. "
    "Where they do not, print the page without --corrected and read it again.",
)


def write_page(
    workspace: Workspace, printer: Printer, paper: str, sides: str, corrected: bool, output: Path
) -> Report:
    """Write the page of a printer; `corrected` draws the back as a build for it would."""
    sources = [workspace.components, *workspace.layouts]
    check_output(output, sources)
    (sheet,) = papers_called(workspace, [paper])
    data = _document(_materials(workspace), printer, sheet, sides, corrected)
    folder = output / FOLDER
    ending = "" if sides == "long" else f"-{sides}"
    name = f"{printer.name}-{paper}{ending}.pdf"
    with stage(folder, sources=sources) as staged:
        (staged.folder / name).write_bytes(data)
        staged.seal(__version__)
    return Report("", folder, (Made(f"{FOLDER}/{name}", 2, len(data)),), ())


def _document(
    materials: Materials, printer: Printer, paper: Paper, sides: str, corrected: bool
) -> bytes:
    about = {"x": printer.x, "y": printer.y, "angle": printer.angle, "factor": DEGREES_A_MM}
    words = "\n".join(DONE if corrected else HOW).format(name=printer.name, sides=sides, **about)
    front = front_page(materials, paper, printer.name, words)
    back = back_page(materials, paper, turned_over(paper, sides))
    matrix = correction(printer, paper, sides) if corrected else IDENTITY
    whole = (0.0, 0.0, paper.width, paper.height)
    pages = (
        Page(paper.width, paper.height, whole, whole, (Placed(front.id, IDENTITY),)),
        Page(paper.width, paper.height, whole, whole, (Placed(back.id, IDENTITY),), matrix=matrix),
    )
    encoder = Encoder(materials.fonts)
    faces = {face.id: encoder.encode(face) for face in (front, back)}
    info = Info(f"Calibrate {printer.name}", duplex=sides)
    return write_pdf(pages, faces, materials.fonts, {}, info)


def _materials(workspace: Workspace) -> Materials:
    problems: list[Problem] = []
    theme = load_theme(workspace, SHARED_THEME, problems)
    if problems or theme is None:
        raise InvalidInputError(problems)
    fonts = Fonts({name: Path(path) for name, path in theme.fonts.items()})
    layouts = LayoutReader(workspace, problems)
    return Materials(theme, fonts, {}, layouts.read, PictureFinder(workspace, "shared"))
