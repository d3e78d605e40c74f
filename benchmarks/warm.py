"""The second build: nothing changed, and one card changed, each from a cold interpreter."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Cost, run, show

ROOT = Path(__file__).resolve().parent.parent
CARDS = {  # cards of each game that get another title, and what else shows them
    "beltpunk-haberdasher": {
        "": "gearbox/electricity-11",
        "which the rulebook shows": "gearbox/electricity-13",
    },
    "devices": {"": "orders/o31", "which the rulebook shows": "basic/packer"},
    "hand-solo": {"": "ships/hauler", "which most figures of the rulebook show": "ships/shuttle"},
    "hard-wired": {
        "": "circuits/roll-up-resistor-3",
        "which rulebook and box show": "circuits/roll-down-inductor-1",
    },
    "hardware-hustle": {"which the rulebook shows": "reference/reference-card"},
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
        for game, cards in CARDS.items():
            same = build(space, game, times=TIMES)
            show(f"{game}, nothing changed", f"{same.seconds:.2f} s", "under 0.5 s")
            for where, card in cards.items():
                costs = [change(space, game, card, turn) for turn in range(TIMES)]
                least = min(cost.seconds for cost in costs)
                told = f"  one card changed{', ' * bool(where)}{where}"
                show(told, f"{least:.2f} s", "under 0.8 s")


def build(space: Path, *games: str, times: int = 1) -> Cost:
    """Build in a fresh process."""
    return run(["-m", "kitwright", "--workspace", str(space), "build", *games], times=times)


def change(space: Path, game: str, name: str, turn: int) -> Cost:
    """Give a card a title that it never had, and build."""
    deck, _, card = name.partition("/")
    path = space / "components" / game / f"{deck}.yaml"
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"id: {card},?\s+title: (?=\S)", text)
    assert found is not None, card
    word = "ABCDEFGH"[turn] + text[found.end() + 1 :]
    path.write_text(text[: found.end()] + word, encoding="utf-8")
    return build(space, game)


if __name__ == "__main__":
    main()
