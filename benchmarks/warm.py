"""The second build: nothing changed, and one card changed, each from a cold interpreter."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Cost, run, show

ROOT = Path(__file__).resolve().parent.parent
CARDS = {  # a deck of each game, and cards of it that get another title
    "beltpunk-haberdasher": ("gearbox", "electricity-11", "electricity-13"),
    "devices": ("orders", "o31", "o32"),
    "hand-solo": ("ships", "hauler", "shuttle"),
    "hard-wired": ("circuits", "roll-up-resistor-3", "roll-up-inductor-1"),
    "hardware-hustle": ("reference", None, "reference-card"),
}
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
        for game, (deck, alone, pictured) in CARDS.items():
            same = build(space, game, times=TIMES)
            show(f"{game}, nothing changed", f"{same.seconds:.2f} s", "under 0.5 s")
            for card, where in ((alone, ""), (pictured, ", which the rulebook shows")):
                if card is not None:
                    costs = [change(space, game, deck, card, turn) for turn in range(TIMES)]
                    least = min(cost.seconds for cost in costs)
                    show(f"  one card changed{where}", f"{least:.2f} s", "under 0.8 s")


def build(space: Path, *games: str, times: int = 1) -> Cost:
    """Build in a fresh process."""
    return run(["-m", "kitwright", "--workspace", str(space), "build", *games], times=times)


def change(space: Path, game: str, deck: str, card: str, turn: int) -> Cost:
    """Give a card a title that it never had, and build."""
    path = space / "components" / game / f"{deck}.yaml"
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"id: {card},?\s+title: (?=\S)", text)
    assert found is not None, card
    word = "ABCDEFGH"[turn] + text[found.end() + 1 :]
    path.write_text(text[: found.end()] + word, encoding="utf-8")
    return build(space, game)


if __name__ == "__main__":
    main()
