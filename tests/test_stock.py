"""Two kits compared card by card: what leaves the box and what comes into it."""

from __future__ import annotations

from kitwright.reprint.stock import Change, Copy, Design, compare


def design(card: str, *copies: Copy, deck: str = "frogs", size: float = 60.0) -> Design:
    return Design(deck, card, card.capitalize(), size, 90.0, {}, copies)


def told(changes: tuple[Change, ...]) -> list[tuple[str, int, int, str]]:
    return [(change.any.card, change.take, change.put, change.why) for change in changes]


A: Copy = ("aa", "00")
B: Copy = ("bb", "00")


def test_the_same_kit_has_no_change() -> None:
    kit = (design("toad", A, A), design("newt", B))
    assert compare(kit, kit) == ()


def test_a_fourth_copy_is_one_card_to_print() -> None:
    changes = compare((design("toad", A, A, A),), (design("toad", A, A, A, A),))
    assert told(changes) == [("toad", 0, 1, "copies 3 -> 4")]


def test_a_copy_less_is_one_card_to_take_out() -> None:
    changes = compare((design("toad", A, A),), (design("toad", A),))
    assert told(changes) == [("toad", 1, 0, "copies 2 -> 1")]


def test_a_changed_front_exchanges_every_copy() -> None:
    changes = compare((design("toad", A, A),), (design("toad", B, B),))
    assert told(changes) == [("toad", 2, 2, "front changed")]


def test_a_changed_back_exchanges_every_card_that_has_it() -> None:
    old = (design("toad", A), design("newt", B), design("mat", ("cc", None)))
    new = (design("toad", ("aa", "11")), design("newt", ("bb", "11")), design("mat", ("cc", None)))
    assert told(compare(old, new)) == [
        ("toad", 1, 1, "back changed"),
        ("newt", 1, 1, "back changed"),
    ]


def test_only_copies_of_an_older_print_are_exchanged() -> None:
    changes = compare((design("toad", A, B),), (design("toad", B, B),))
    assert told(changes) == [("toad", 1, 1, "front changed")]


def test_another_size_is_another_card() -> None:
    changes = compare((design("toad", A),), (design("toad", A, size=63.0),))
    assert told(changes) == [("toad", 1, 1, "size changed")]


def test_new_cards_and_gone_ones_are_listed_the_gone_ones_last() -> None:
    changes = compare((design("eft", A), design("toad", B)), (design("newt", ("cc", "00")),))
    assert told(changes) == [
        ("newt", 0, 1, "new"),
        ("eft", 1, 0, "gone"),
        ("toad", 1, 0, "gone"),
    ]


def test_a_card_with_a_new_id_stays_in_the_box() -> None:
    changes = compare((design("toad", A, A),), (design("king-toad", A, A, deck="royals"),))
    assert told(changes) == [("king-toad", 0, 0, "renamed"), ("toad", 0, 0, "renamed")]


def test_no_card_is_lost_whatever_changes() -> None:
    old = (design("toad", A, A, B), design("newt", B), design("eft", ("dd", "11"), A))
    new = (design("toad", B, B), design("newt", A, A), design("olm", ("dd", "11")))
    changes = compare(old, new)
    put, take = sum(c.put for c in changes), sum(c.take for c in changes)
    assert sum(len(d.copies) for d in old) - take + put == sum(len(d.copies) for d in new)
    assert (take, put) == (1, 0)  # in the box: 3 A, 2 B, 1 D; wanted: 2 A, 2 B, 1 D
