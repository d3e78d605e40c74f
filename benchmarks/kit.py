"""The Hard Wired A4 kit from a cold start, against a bare script that draws the same ops."""

from __future__ import annotations

import pickle
from pathlib import Path
from tempfile import TemporaryDirectory

from kitwright.bindery import lay_kit
from kitwright.load import find_workspace
from kitwright.load.shared import load_papers
from kitwright.ops import Op
from kitwright.pipeline import STANDARD, BuildOptions, compose_kit, load_kit
from measure import run, show

HERE = Path(__file__).parent


def main() -> None:
    """Build both ways and print the ratio."""
    workspace = find_workspace(HERE.parent)
    options = BuildOptions(papers=("a4",))
    kit = load_kit(workspace, "hard-wired", None, STANDARD)
    ops: dict[str, tuple[Op, ...]] = {}
    compose_kit(kit, STANDARD, keep=lambda face: ops.update({face.id: face.ops}))
    paper = load_papers(workspace, [])["a4"]
    book = lay_kit(kit, paper, options, keep=lambda face: ops.update({face.id: face.ops}))
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "ops"), Path(folder, "bare.pdf")
        fonts = {name: str(kit.materials.fonts.path(name)) for name in kit.materials.fonts.names}
        source.write_bytes(pickle.dumps((fonts, ops, book.pages)))
        bare = run([str(HERE / "bare.py"), str(source), str(target)], times=3)
        command = ["-m", "kitwright", "--workspace", str(HERE.parent), "build", "hard-wired"]
        ours = run([*command, "--paper", "a4", "--output", folder], times=3)
    show("Hard Wired A4 kit, cold start", f"{ours.seconds:.2f} s", "under 3 s")
    ratio = f"{ours.seconds / bare.seconds:.2f} x ({bare.seconds:.2f} s)"
    show("  against a bare ReportLab script, same ops", ratio, "at most 3 x")


if __name__ == "__main__":
    main()
