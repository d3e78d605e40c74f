"""The Hard Wired A4 kit from a cold start, against a bare script that draws the same ops."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from kitwright.load import find_workspace
from kitwright.load.shared import load_papers
from kitwright.ops import Op
from kitwright.pipeline import STANDARD, BuildOptions, compose_kit, load_kit
from kitwright.press.bindery import lay_kit
from measure import Cost, run, show

HERE = Path(__file__).parent
_BOXES = re.compile(r"^boxes:.*\n(?: .*\n)*", re.MULTILINE)


def main() -> None:
    """Build both ways and print the ratio."""
    workspace = find_workspace(HERE.parent)
    options = BuildOptions(papers=("a4",))
    kit = load_kit(workspace, "hard-wired", None, STANDARD)
    kit.box_dress = None  # a bare script knows no boxes
    ops: dict[str, tuple[Op, ...]] = {}
    compose_kit(kit, STANDARD, keep=lambda face: ops.update({face.id: face.ops}))
    paper = load_papers(workspace, [])["a4"]
    book = lay_kit(kit, paper, options, keep=lambda face: ops.update({face.id: face.ops}))
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "ops"), Path(folder, "bare.pdf")
        fonts = {name: str(kit.materials.fonts.path(name)) for name in kit.materials.fonts.names}
        source.write_bytes(pickle.dumps((fonts, ops, book.pages)))
        bare = run([str(HERE / "bare.py"), str(source), str(target)], times=3)
        cards = Path(folder, "cards")
        shutil.copytree(HERE.parent / "layouts", cards / "layouts")
        ours = build(cards, without=("rules.md", "rules.yaml"), boxes=False)
        whole = build(Path(folder, "whole"))
    show("Hard Wired A4 kit, 98 cards and aids, cold start", f"{ours.seconds:.2f} s", "under 3 s")
    ratio = f"{ours.seconds / bare.seconds:.2f} x ({bare.seconds:.2f} s)"
    show("  against a bare ReportLab script, same ops", ratio, "at most 3 x")
    show("  with boxes, and rules as PDF, booklet, HTML, Markdown", f"{whole.seconds:.2f} s", "")


def build(workspace: Path, without: tuple[str, ...] = (), boxes: bool = True) -> Cost:
    """Build the A4 kit in a fresh process, some files of the game left out."""
    game = "components/hard-wired"
    ignored = shutil.ignore_patterns(*without)
    shutil.copytree(HERE.parent / game, workspace / game, ignore=ignored)
    if not boxes:
        about = workspace / game / "game.yaml"
        text = about.read_text(encoding="utf-8")
        about.write_text(_BOXES.sub("", text), encoding="utf-8")
    command = ["-m", "kitwright", "--workspace", str(workspace), "build"]
    command += ["--paper", "a4", "--no-cache"]
    return run(command, times=3)


if __name__ == "__main__":
    main()
