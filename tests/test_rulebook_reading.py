"""What helps a reader: figures stay with their part, and Markdown says what icons show."""

from __future__ import annotations

from kitwright.problems import Place
from kitwright.rulebook.blocks import Heading, Rulebook, Table
from kitwright.rulebook.pages import fit_pages, paginate
from kitwright.rulebook.slabs import Slab
from kitwright.write.markdown import write_markdown

PLACE = Place("rules.md")


def ends(above: float) -> list[int]:
    """Set a part of a section below a figure that has no room, and return where pages end."""
    part = Slab((), 5.0, heading=Heading(3, "1.2", "Next", PLACE))
    slabs = [Slab((), above), Slab((), 80.0, floats=True), part, Slab((), 5.0)]
    return [round(page.y) for page in paginate(slabs, 100.0)]


def test_low_on_a_page_no_new_part_overtakes_a_figure_that_waits() -> None:
    assert ends(65.0) == [65, 90]


def test_further_up_a_new_part_fills_the_page_while_a_figure_waits() -> None:
    assert ends(55.0) == [65, 80]


def test_a_last_page_that_is_a_quarter_full_is_saved_by_closer_spacing() -> None:
    slabs = [Slab((), 30.0, 10.0) for _ in range(3)]
    assert [round(page.y) for page in paginate(slabs, 105.0)] == [70, 30]
    assert [round(page.y) for page in fit_pages(slabs, 105.0)] == [104]


def test_markdown_names_an_icon_that_only_figures_stand_beside() -> None:
    rows = (("Luna", ":high: 6"), ("Mars", ":high: high"))
    prices = Table(("Port", "Price"), rows, ("left",) * 2, "", PLACE)
    glossary = Table(("", "", ""), ((":high:", "**Dear**", "Above."),), ("left",) * 3, "", PLACE)
    words = write_markdown(Rulebook("Trade", "", "", (prices, glossary)))
    assert "| Luna | dear 6 |\n| Mars | high |\n" in words
    assert "| **Dear** | Above. |\n" in words
