"""Fronts and backs in the finished PDF, seen as a person would: through the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from kitwright.load import find_workspace
from kitwright.pipeline import BuildOptions, build_games

TONES = ("#c00000", "#00a000", "#0000d0", "#909000", "#900090", "#009090", "#303030", "#e08000")
LayFiles = Callable[[Path, Mapping[str, str]], Path]
GAME = """\
game: swatches
title: Swatches
designers: [Ada Example]
licence: public domain
source: made for the tests
players: {fewest: 1, most: 2}
minutes: {fewest: 5, most: 10}
age: 6
theme: swatches/theme
kit: [swatches]
"""
DECK = """\
deck: swatches
title: Swatches
layout: swatches/card
back: swatches/card
size: poker
fields: {tone: {text: required}}
cards:
"""
LAYOUT = """\
layout: swatches/card
boxes: {top: {x: 0mm, y: 0mm, h: 30%, bleed: true}}
draw:
  - fill: {box: bleed, color: "{{ card.tone }}"}
  - fill: {box: top, color: "#ffffff"}
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, lay_files: LayFiles) -> Path:
    root = tmp_path_factory.mktemp("swatches")
    cards = "".join(f'  - {{id: card-{i}, tone: "{tone}"}}\n' for i, tone in enumerate(TONES))
    files = {
        "components/swatches/game.yaml": GAME,
        "components/swatches/deck.yaml": DECK + cards,
        "layouts/swatches/theme.yaml": "theme: swatches/theme\n",
        "layouts/swatches/card.yaml": LAYOUT,
    }
    return lay_files(root, files)


def pages(workspace: Path, sides: str, paper: str, gap: float | None = None) -> list[Image.Image]:
    output = workspace / f"out-{sides}-{paper}-{gap}"
    options = BuildOptions(papers=(paper,), sides=sides, marks="none", gap=gap)
    build_games(find_workspace(workspace), ["swatches"], options, output)
    ending = "" if sides == "long" else f"-{sides}"
    document = pypdfium2.PdfDocument(output / f"swatches/print/swatches-{paper}{ending}.pdf")
    found = [page.render(scale=1).to_pil().convert("RGB") for page in document]
    document.close()
    return found


def tones_of(page: Image.Image, points: list[tuple[int, int]]) -> list[str]:
    seen = [page.getpixel(point) for point in points]
    return ["#{:02x}{:02x}{:02x}".format(*pixel) for pixel in seen if isinstance(pixel, tuple)]


def bodies(page: Image.Image) -> dict[str, tuple[int, int]]:
    """Return the middle of each card's coloured part, by its tone."""
    where: dict[str, list[tuple[int, int]]] = {}
    for y in range(0, page.height, 2):
        for x in range(0, page.width, 2):
            (tone,) = tones_of(page, [(x, y)])
            if tone in TONES:
                where.setdefault(tone, []).append((x, y))
    return {
        tone: (
            round(sum(x for x, _ in points) / len(points)),
            round(sum(y for _, y in points) / len(points)),
        )
        for tone, points in where.items()
    }


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("sides", ["long", "short", "two-pass"])
def test_held_against_the_light_each_back_lies_behind_its_front(
    workspace: Path, sides: str, paper: str
) -> None:
    front, back, *_ = pages(workspace, sides, paper, gap=0.0)
    turned = (
        Image.Transpose.FLIP_TOP_BOTTOM if sides == "short" else (Image.Transpose.FLIP_LEFT_RIGHT)
    )
    through = back.transpose(turned)
    seen, behind = bodies(front), bodies(through)
    assert set(seen) == set(TONES)
    for tone, (x, y) in seen.items():
        assert behind[tone] == pytest.approx((x, y), abs=3), f"{tone} is not behind its front"


def test_a_fold_brings_each_back_behind_its_front(workspace: Path) -> None:
    (page, *rest) = pages(workspace, "fold", "a4")
    first = bodies_twice(page)
    assert first
    for tone, (one, two) in first.items():
        across = one[0] + two[0] == pytest.approx(page.width, abs=4) and one[1] == two[1]
        down = one[1] + two[1] == pytest.approx(page.height, abs=4) and one[0] == two[0]
        assert across or down, f"{tone} does not meet its back at the fold"
    assert len(rest) * len(first) <= len(TONES)


def bodies_twice(page: Image.Image) -> dict[str, tuple[tuple[int, int], tuple[int, int]]]:
    """Return the two places of each tone on a folded page: one in each half."""
    left = bodies(page.crop((0, 0, page.width // 2, page.height)))
    right = bodies(page.crop((page.width // 2, 0, page.width, page.height)))
    if set(left) == set(right):
        half = page.width // 2
        return {tone: (left[tone], (right[tone][0] + half, right[tone][1])) for tone in left}
    upper = bodies(page.crop((0, 0, page.width, page.height // 2)))
    lower = bodies(page.crop((0, page.height // 2, page.width, page.height)))
    half = page.height // 2
    return {tone: (upper[tone], (lower[tone][0], lower[tone][1] + half)) for tone in upper}


def test_fronts_only_have_no_backs(workspace: Path) -> None:
    assert len(pages(workspace, "fronts", "a4")) == 1


def test_cards_with_backs_of_their_own_stand_apart_unless_told_otherwise(workspace: Path) -> None:
    apart, together = (bodies(pages(workspace, "long", "a4", gap)[0]) for gap in (None, 0.0))
    steps = [found[TONES[2]][0] - found[TONES[0]][0] for found in (apart, together)]
    # Two gaps of 3 mm, less what the inner bleed moves the middles of the outer cards.
    assert steps[0] - steps[1] == pytest.approx((2 * 3 - 1.5) * 72 / 25.4, abs=3)
