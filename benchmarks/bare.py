"""The yardstick: a bare ReportLab script that draws pickled ops straight to a canvas.

Run as `python benchmarks/bare.py OPS OUT`: no YAML, no layout, no measuring; only drawing.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from kitwright.ops import Fill, Group, Linear, Op, Radial, Stroke, Use, Word

MM = 72 / 25.4
CAPS = {"butt": 0, "round": 1, "square": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}


def draw(canvas: Any, op: Op) -> None:
    """Draw one op."""
    if isinstance(op, Fill):
        fill(canvas, op)
    elif isinstance(op, Stroke):
        canvas.setStrokeColor(HexColor(op.color))
        canvas.setLineWidth(op.width)
        canvas.setDash(list(op.dash))
        canvas.setLineCap(CAPS[op.cap])
        canvas.setLineJoin(JOINS[op.join])
        canvas.drawPath(path_of(canvas, op.path), stroke=1, fill=0)
    elif isinstance(op, Word):
        canvas.saveState()
        canvas.transform(1, 0, 0, -1, op.x, op.baseline)
        canvas.setFillColor(HexColor(op.color))
        canvas.setFont(op.font, op.size_pt / MM)
        canvas.drawString(0, 0, op.text)
        canvas.restoreState()
    elif isinstance(op, Use | Group):
        canvas.saveState()
        canvas.transform(*op.matrix)
        if isinstance(op, Group) and op.clip:
            canvas.clipPath(path_of(canvas, op.clip), stroke=0, fill=0)
        if isinstance(op, Group) and op.opacity < 1:
            canvas.setFillAlpha(op.opacity)
            canvas.setStrokeAlpha(op.opacity)
        for inner in op.symbol.ops if isinstance(op, Use) else op.ops:
            draw(canvas, inner)
        canvas.restoreState()


def fill(canvas: Any, op: Fill) -> None:
    """Fill a path with a colour or a gradient."""
    path = path_of(canvas, op.path)
    if isinstance(op.paint, str):
        canvas.setFillColor(HexColor(op.paint))
        canvas.drawPath(path, stroke=0, fill=1)
        return
    canvas.saveState()
    canvas.clipPath(path, stroke=0, fill=0)
    colors = [HexColor(color) for _, color in op.paint.stops]
    places = [at for at, _ in op.paint.stops]
    if isinstance(op.paint, Linear):
        ends = (op.paint.x0, op.paint.y0, op.paint.x1, op.paint.y1)
        canvas.linearGradient(*ends, colors, places)
    elif isinstance(op.paint, Radial):
        canvas.radialGradient(op.paint.x, op.paint.y, op.paint.r, colors, places)
    canvas.restoreState()


def path_of(canvas: Any, segments: Any) -> Any:
    """Make a ReportLab path."""
    path = canvas.beginPath()
    for name, *numbers in segments:
        if name == "M":
            path.moveTo(*numbers)
        elif name == "L":
            path.lineTo(*numbers)
        elif name == "C":
            path.curveTo(*numbers)
        else:
            path.close()
    return path


def main(source: str, target: str) -> None:
    """Draw every page."""
    fonts, faces, pages = pickle.loads(Path(source).read_bytes())
    for name, file in fonts.items():
        registerFont(TTFont(name, file))
    canvas = Canvas(target, invariant=1, pageCompression=1)
    for page in pages:
        canvas.setPageSize((page.width * MM, page.height * MM))
        canvas.transform(MM, 0, 0, -MM, 0, page.height * MM)
        for placed in page.placed:
            canvas.saveState()
            if placed.clip:
                left, top, right, bottom = placed.clip
                box = canvas.beginPath()
                box.rect(left, top, right - left, bottom - top)
                canvas.clipPath(box, stroke=0, fill=0)
            canvas.transform(*placed.matrix)
            for op in faces[placed.face]:
                draw(canvas, op)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()


if __name__ == "__main__":
    main(*sys.argv[1:])
