"""A splay: cards as a hand holds them, from the faces that are printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kitwright.cli import cli
from kitwright.impose.splay import EDGE, MARGIN, TABLE, Splay, splay_face
from kitwright.model.geometry import apply, rectangle
from kitwright.ops import Face, Fill, Group, Stroke
from kitwright.write.png import pixel_size

ROOT = Path(__file__).parent.parent


def card(color: str, width: float = 60.0, height: float = 90.0) -> Face:
    ops = (Fill(rectangle(-3, -3, width + 6, height + 6), color),)
    return Face(color, width, height, 3.0, ops, color)


RED, GREEN, BLUE, GOLD = (card(color) for color in ("#ff0000", "#00ff00", "#0000ff", "#ccaa00"))


def laid(face: Face) -> list[tuple[str, tuple[float, float]]]:
    """List the colours of the cards from the lowest, with where their top left corners are."""
    found = []
    for op in face.ops[1:]:
        assert isinstance(op, Group)
        held, edge = op.ops
        assert isinstance(held, Group)
        assert isinstance(edge, Stroke)
        assert edge.color == EDGE
        assert held.clip == edge.path, "a card is cut at its trim"
        (fill,) = held.ops
        assert isinstance(fill, Fill)
        found.append((str(fill.paint), apply(op.matrix, 0, 0)))
    return found


def test_the_top_card_lies_furthest_right_and_is_painted_last() -> None:
    face = splay_face(Splay((RED, GREEN, BLUE)), 3.0)
    assert laid(face) == [
        ("#0000ff", (MARGIN, MARGIN)),
        ("#00ff00", (MARGIN + 14, MARGIN)),
        ("#ff0000", (MARGIN + 28, MARGIN)),
    ]
    assert (face.width, face.height) == (60 + 28 + 2 * MARGIN, 90 + 2 * MARGIN)
    assert isinstance(face.ops[0], Fill)
    assert face.ops[0].paint == TABLE


def test_a_card_behind_peeks_over_the_deck_and_turned_ones_over_that() -> None:
    face = splay_face(Splay((RED, GREEN), BLUE, (GOLD,)), 3.0)
    assert laid(face) == [
        ("#ccaa00", (MARGIN + 90, MARGIN)),  # its top left corner is at the top right now
        ("#0000ff", (MARGIN, MARGIN + 14)),
        ("#00ff00", (MARGIN, MARGIN + 23)),
        ("#ff0000", (MARGIN + 14, MARGIN + 23)),
    ]
    assert face.width == 90 + 2 * MARGIN


def test_a_turned_card_has_its_left_edge_up() -> None:
    face = splay_face(Splay((RED,), None, (GOLD,)), 3.0)
    turned = face.ops[1]
    assert isinstance(turned, Group)
    assert apply(turned.matrix, 0, 90) == (MARGIN, MARGIN)
    assert apply(turned.matrix, 60, 0) == (MARGIN + 90, MARGIN + 60)


def test_the_command_writes_one_picture_beside_the_others(tmp_path: Path) -> None:
    words = ["images", "hand-solo", "--splay", "ganymede,phobos,freighter+", "--behind", "shuttle"]
    result = CliRunner().invoke(
        cli,
        [
            *words,
            "--turned",
            "mars",
            "--dpi",
            "60",
            "--workspace",
            str(ROOT),
            "--output",
            str(tmp_path),
        ],
    )
    assert result.exit_code == 0, result.output
    data = (tmp_path / "hand-solo/images/splay.png").read_bytes()
    size = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    assert size == pixel_size(63.5 + 28 + 6, 88.9 + 9 + 14 + 6, 60)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--splay", "ganymed"), "hand-solo has no card 'ganymed'; did you mean 'ganymede'?"),
        (("--splay", "pad+"), "card 'pad' has no back"),
        (("--behind", "earth"), "--behind and --turned show a card with --splay; name its cards"),
    ],
)
def test_a_splay_that_cannot_be_is_told(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    command = ["images", "hand-solo", *words, "--workspace", str(ROOT), "--output", str(tmp_path)]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())
