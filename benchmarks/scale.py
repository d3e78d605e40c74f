"""What one more card costs, from a hundred to ten thousand, and the memory that takes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Cost, run, show

GAME = """\
game: tall-stack
title: Tall Stack
designers: [Nobody in Particular]
licence: public domain
source: made for measuring
players: {fewest: 1, most: 1}
minutes: {fewest: 1, most: 1}
age: 1
theme: tall-stack/theme
kit: [stack]
"""
DECK = """\
deck: stack
title: Stack
layout: tall-stack/card
back: tall-stack/back
size: poker
fields: {cost: {whole: 0..99999}, text: {text: required}}
cards:
"""
CARD = """\
  - id: card-{n}
    title: Card number {n}
    cost: {n}
    text: Take {n} coins from the bank, then pass **one** card to the player on your left.
"""
THEME = """\
theme: tall-stack/theme
colors: {ink: "#222222", paper: "#f6f0e0", accent: "#8a3324"}
fonts: {sans: {regular: source-sans-pro, bold: source-sans-pro-bold}}
styles:
  title: {font: sans, size: 12pt, color: ink, align: center, valign: middle, least: 8pt}
  body: {font: sans, size: 10pt, color: ink, least: 7pt}
"""
LAYOUT = """\
layout: tall-stack/card
boxes:
  title: {x: 6mm, right: 6mm, y: 6mm, h: 8mm}
  cost: {x: 6mm, y: 18mm, w: 12mm, h: 12mm}
  body: {x: 6mm, right: 6mm, y: 36mm, h: 40mm}
draw:
  - fill: {box: bleed, color: paper}
  - stroke: {box: safe, color: accent, width: 0.6mm, radius: 2mm}
  - circle: {box: cost, color: accent}
  - text: {box: cost, style: title, color: paper, text: "{{ card.cost }}", overflow: shrink}
  - text: {box: title, style: title, text: "{{ card.title }}", overflow: shrink}
  - text: {box: body, style: body, text: "{{ card.text }}", overflow: error}
"""
BACK = """\
layout: tall-stack/back
draw:
  - fill: {box: bleed, color: accent}
"""


def build(count: int) -> Cost:
    """Build a deck of so many different cards in a fresh process."""
    with TemporaryDirectory() as folder:
        files = {
            "components/tall-stack/game.yaml": GAME,
            "components/tall-stack/stack.yaml": DECK
            + "".join(CARD.format(n=n) for n in range(1, count + 1)),
            "layouts/tall-stack/theme.yaml": THEME,
            "layouts/tall-stack/card.yaml": LAYOUT,
            "layouts/tall-stack/back.yaml": BACK,
        }
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        command = ["-m", "kitwright", "--workspace", folder, "build"]
        command += ["--paper", "a4", "--no-cache"]
        return run(command, times=3 if count < 1000 else 1)


def main() -> None:
    """Print the marginal cost of a card at each scale."""
    costs = {count: build(count) for count in (100, 1_000, 10_000)}
    small = (costs[1_000].seconds - costs[100].seconds) / 900
    large = (costs[10_000].seconds - costs[1_000].seconds) / 9_000
    figure = f"{small * 1e3:.2f} ms, then {large * 1e3:.2f} ms"
    show("one more distinct card, 100-1,000, 1,000-10,000", figure, "within 20 %")
    show("  ratio", f"{large / small:.2f} x", "0.8 x to 1.2 x")
    show("peak memory, 10,000 cards", f"{costs[10_000].peak_mb:.0f} MB", "under 400 MB")


if __name__ == "__main__":
    main()
