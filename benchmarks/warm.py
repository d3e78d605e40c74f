"""The second build: nothing changed, and one card changed, each from a cold interpreter."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Cost, run, show

ROOT = Path(__file__).resolve().parent.parent
CARDS = {  # a deck of each game, of which one card gets another title
    "beltpunk-haberdasher": "gearbox",
    "devices": "orders",
    "hand-solo": "ships",
    "hard-wired": "circuits",
    "hardware-hustle": "reference",
}
TITLE = re.compile(r"(?<=title: )[^,\n}]+")
TIMES = 5


def main() -> None:
    """Build all games, then again, then after an edit of one card of each."""
    with TemporaryDirectory() as folder:
        space = Path(folder)
        for name in ("components", "layouts"):
            shutil.copytree(ROOT / name, space / name)
        cold = build(space)
        show("All five games, both papers, cold cache", f"{cold.seconds:.2f} s", "")
        warm = build(space, times=TIMES)
        show("  again, nothing changed", f"{warm.seconds:.2f} s", "under 1.5 s")
        for game, deck in CARDS.items():
            same = build(space, game, times=TIMES)
            show(f"{game}, nothing changed", f"{same.seconds:.2f} s", "under 0.5 s")
            costs = [change(space, game, deck, turn) for turn in range(TIMES)]
            least = min(cost.seconds for cost in costs)
            show("  one card changed", f"{least:.2f} s", "under 0.8 s")


def build(space: Path, *games: str, times: int = 1) -> Cost:
    """Build in a fresh process."""
    return run(["-m", "kitwright", "--workspace", str(space), "build", *games], times=times)


def change(space: Path, game: str, deck: str, turn: int) -> Cost:
    """Give the last card of a deck another title, and build."""
    path = space / "components" / game / f"{deck}.yaml"
    text = path.read_text(encoding="utf-8")
    *_, last = TITLE.finditer(text)
    word = "ABCDEFGH"[turn] + last[0][1:]
    path.write_text(text[: last.start()] + word + text[last.end() :], encoding="utf-8")
    return build(space, game)


if __name__ == "__main__":
    main()
