"""The roll table of Hardware Hustle: a square of digits that takes the place of a die.

Read row by row and round again from the end, any four cells in a row are four
rolls, and each of the 6 x 6 x 6 x 6 ways they can fall stands there exactly once. So one
blind point gives four fair, independent rolls. Renaming the faces and reading backwards keep that,
and keep how evenly the faces are spread; the seed chooses among these tables.
"""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random

from kitwright.engines.api import shuffled
from kitwright.model.game import Game
from kitwright.model.games.hardware_hustle import rules_of

FACES = 6
SIDE = FACES * FACES
OUTER = SIDE // 6  # nobody aims at the very edge
# Found by search: cells that spread every face evenly, first row to last.
BASE = (
    "442512363235554216645261466636554525",
    "343534424614443141366333166615522326",
    "412162313355164322155535463213615453",
    "661213536515111315264211354514616223",
    "513363634112142262222554466446523561",
    "341241441264456415342132435115314243",
    "165524266652621636455611362454422122",
    "211435423656514436332223153225426133",
    "255666224452312324532112611123525141",
    "522633533216413315161535352436535165",
    "241553135152344625134444633621211624",
    "426351426435635263144516254453313161",
    "433246614524464361263453564416342425",
    "355632615255562156616656255345654166",
    "315636116626125514345411656643312651",
    "144212452154142522432423223662343136",
    "544151221346226634611451326611244346",
    "465136311333346632416542233143155653",
    "414364265555212334135624125246262564",
    "341544333233263226546536161321454312",
    "125412261645315433512151453465564542",
    "455512532444111161225663543522165326",
    "266531114654566543445513523236136443",
    "554323425526641456221463132245112234",
    "636651661312241311515335656151313455",
    "415623215362364164662422242144615646",
    "246564224635525633116444545464115425",
    "652521314553635325312561635662133433",
    "422536464563124244134233521152161651",
    "243364311421524561231626362525455236",
    "225233366424113256264634432656343626",
    "533652143251633451551546135532314621",
    "411414162111554623361423112511343432",
    "126625334414642543666646124644234161",
    "156551163163252652251561412345222645",
    "126243426235316423541323254665533354",
)


def roll_table(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the rows of the table that the seed of the rules names."""
    rng = Random(rules_of(game).roll_table.seed)
    faces = shuffled(range(1, FACES + 1), rng)
    cells = [faces[int(cell) - 1] for row in BASE for cell in row]
    if rng.random() < 0.5:
        cells.reverse()
    return tuple(tuple(cells[at : at + SIDE]) for at in range(0, SIDE * SIDE, SIDE))


def counts(table: tuple[tuple[int, ...], ...], length: int) -> Counter[tuple[int, ...]]:
    """Count how often each run of `length` rolls is read in a table."""
    cells = [cell for row in table for cell in row]
    ring = cells + cells[: length - 1]
    return Counter(tuple(ring[at : at + length]) for at in range(len(cells)))


def pointing_bias(table: tuple[tuple[int, ...], ...], spread: float) -> float:
    """Return the worst |P(face) - 1/6| of pointing at any cell but the outer ones.

    The finger lands around the cell aimed at, normally distributed with `spread` cells.
    """
    side = len(table)
    weights = [
        [exp(-((there - aim) ** 2) / (2 * spread * spread)) for there in range(side)]
        for aim in range(OUTER, side - OUTER)
    ]
    weights = [[weight / sum(row) for weight in row] for row in weights]
    worst = 0.0
    for face in range(1, FACES + 1):
        hits = [[float(cell == face) for cell in row] for row in table]
        across = [[_dot(row, aim) for aim in weights] for row in hits]
        columns = list(zip(*across, strict=True))
        chances = (_dot(column, aim) for column in columns for aim in weights)
        worst = max(worst, *(abs(chance - 1 / FACES) for chance in chances))
    return worst


def _dot(left: list[float] | tuple[float, ...], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))
