"""The printed cards of Hand Solo: usable in the hand, and true to the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from kitwright.load import find_workspace
from kitwright.load.shared import load_papers
from kitwright.model.games.hand_solo import HandSolo
from kitwright.model.geometry import apply, multiply
from kitwright.ops import IDENTITY, Face, Group, Matrix, Op, Word
from kitwright.pipeline import BuildOptions, Kit, compose_kit, load_kit
from kitwright.press.bindery import lay_part

ROOT = Path(__file__).parent.parent
SPLAY, PEEK = 14.0, 9.0  # mm
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"


@cache
def composed(skin: str = "standard") -> tuple[Kit, dict[str, Face]]:
    faces: dict[str, Face] = {}
    kit = load_kit(find_workspace(ROOT), "hand-solo", None, skin)
    compose_kit(kit, skin, keep=lambda face: faces.update({face.id: face}))
    return kit, faces


def words(ops: Iterable[Op], matrix: Matrix = IDENTITY) -> Iterator[tuple[str, float, float, Word]]:
    """Yield each word with where it begins on the face."""
    for op in ops:
        if isinstance(op, Group):
            yield from words(op.ops, multiply(matrix, op.matrix))
        elif isinstance(op, Word):
            yield op.text, *apply(matrix, op.x, op.baseline), op


def said(face: str) -> str:
    return " ".join(text for text, *_ in words(composed()[1][face].ops))


PORTS = [card.id for card in composed()[0].game.deck("starports").cards]
CONTACTS = [card.id for card in composed()[0].game.deck("contacts").cards]
SPACE = [f"starports/{port}" for port in PORTS] + [f"contacts/{card}" for card in CONTACTS]
SHIPS = [card.id for card in composed()[0].game.deck("ships").cards]


def test_the_box_holds_31_cards_with_a_back_each_and_no_warning() -> None:
    kit, faces = composed()
    decks = [
        kit.game.deck(name) for name in ("starports", "contacts", "ships", "upgrades", "trackers")
    ]
    assert sum(deck.count for deck in decks) == 31
    for deck in kit.decks:
        for sides in deck.cards:
            assert sides.back in faces or sides.card.id == "pad"
    assert kit.warnings == ()
    assert composed("low-ink")[0].warnings == ()


@pytest.mark.parametrize("face", SPACE)
@pytest.mark.parametrize("back", ["", "-back"])
def test_a_splay_shows_the_good_and_the_modifier(face: str, back: str) -> None:
    kit, faces = composed()
    deck, card_id = face.split("/")
    fields = next(card for card in kit.game.deck(deck).cards if card.id == card_id).fields
    sides = ("unknown", "friendly") if deck == "starports" else ("neutral", "hostile")
    good = fields[sides[bool(back)]]["commodity"]
    shown = [(text, op) for text, x, _, op in words(faces[face + back].ops) if x < SPLAY]
    large = [text for text, op in shown if op.size_pt >= 11]
    amount = fields["modifier"]["amount"]
    assert good in large
    assert f"{'+' if amount > 0 else MINUS}{abs(amount)}" in large
    assert fields["modifier"]["good"] in [text for text, _ in shown]
    goods = {row["good"]: row for row in kit.game.tables["commodities"]["rows"]}
    flags = " ".join(text for text, _ in shown).upper()
    assert ("VALUABLE" in flags, "ILLEGAL" in flags) == (
        goods[good]["valuable"],
        goods[good]["illegal"],
    )


@pytest.mark.parametrize("ship", SHIPS)
def test_the_stats_of_a_ship_peek_over_the_deck_in_every_state(ship: str) -> None:
    kit, faces = composed()
    view = HandSolo.of(kit.game).ships[ship]
    for face in (f"ships/{ship}", f"ships/{ship}-back"):
        found = list(words(faces[face].ops))
        high = [text for text, _, y, op in found if y < PEEK and op.size_pt >= 11]
        low = [text for text, _, y, op in found if y > 88.9 - PEEK and op.size_pt >= 11]
        assert high == low == [f"{TIMES}{view.holds}", str(view.fees)]


@pytest.mark.parametrize("port", PORTS)
def test_both_sides_of_a_port_print_the_prices_of_the_rule(port: str) -> None:
    kit, faces = composed()
    view = HandSolo.of(kit.game)
    for back, friendly in (("", False), ("-back", True)):
        column = [
            text
            for text, x, y, op in words(faces[f"starports/{port}{back}"].ops)
            if x > 52 and 15 < y < 56 and text.isdigit() and op.size_pt >= 10
        ]
        assert column == [str(price) for price in view.prices(port, friendly).values()]


def test_every_fuel_is_marked_valuable_and_every_port_asks_a_deposit() -> None:
    kit, _ = composed()
    for port in PORTS:
        assert "DEPOSIT" in said(f"starports/{port}")
        assert "Fine" not in said(f"starports/{port}")
    for card in kit.game.deck("contacts").cards:
        if card.fields["contract"]:
            text = said(f"contacts/{card.id}")
            assert "Fine" not in text
            assert "turns hostile" in text


def test_words_are_spelled_one_way() -> None:
    everything = " ".join(said(face) for face in composed()[1])
    assert "Refining" in everything
    for wrong in ("Refinery", "Reknown", "Modification", "Rebels"):
        assert wrong not in everything


def test_the_trackers_number_every_year_and_sixty_credits() -> None:
    def numbers(face: str) -> set[int]:
        found = words(composed()[1][face].ops)
        return {int(t) for t, *_, op in found if t.isdigit() and op.size_pt >= 10}

    assert numbers("trackers/credits") == numbers("trackers/career") == set(range(1, 31))
    assert numbers("trackers/credits-back") == set(range(31, 61))
    assert f"Score = credits {TIMES} renowned cards." in said("trackers/credits")


def test_renowned_sides_are_dark_where_unknown_ones_are_light() -> None:
    theme = composed()[0].theme
    light, dark = (
        sum(int(theme.colors[name][at : at + 2], 16) for at in (1, 3, 5)) / 3
        for name in ("ground-unknown", "ground-renowned")
    )
    assert light > 200
    assert dark < 60


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("number", range(5))
def test_every_back_is_printed_behind_its_own_front(paper: str, number: int) -> None:
    kit, faces = composed()
    deck = kit.decks[number]
    book = lay_part(kit, deck, load_papers(find_workspace(ROOT), [])[paper], BuildOptions())
    backs = {side.front: side.back for side in deck.cards}
    places: dict[bool, set[tuple[int, str | None, float, float]]] = {False: set(), True: set()}
    for index, page in enumerate(book.pages):
        for placed in page.placed:
            if placed.face not in faces:
                continue
            face, is_front = faces[placed.face], placed.face in backs
            x, y = apply(placed.matrix, face.width / 2, face.height / 2)
            x = x if is_front else page.width - x  # turned over the long edge
            name = backs.get(placed.face, placed.face)
            places[is_front].add((index // 2, name, round(x, 2), round(y, 2)))
    assert places[True] == places[False]
    assert len(places[True]) == len(deck.cards)
