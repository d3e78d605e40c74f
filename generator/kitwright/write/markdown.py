"""A rulebook as plain Markdown for a repository; its figures are SVG files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kitwright.rulebook.blocks import (
    Block,
    Callout,
    CardScene,
    Figure,
    Heading,
    LaidScene,
    Listing,
    Paragraph,
    Rulebook,
    Table,
)

FIGURES = "rulebook"
_ICON = re.compile(r"(?<!\w):([a-z][a-z0-9]*(?:-[a-z0-9]+)*):(?!\w) ?")


def write_markdown(book: Rulebook) -> str:
    """Return the whole book."""
    names = _names(book)
    found: list[str] = []
    for block in book.blocks:
        found += _lines(block, names)
        if isinstance(block, Heading) and block.level == 1:
            found += [_words(book.tagline), "", f"**{book.facts}**", ""]
    return "\n".join(found).rstrip() + "\n"


def _lines(block: Block, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a block, the last one empty."""
    match block:
        case Heading(level, section, text):
            mark = f"§{section} " if section else ""
            return [f"{'#' * level} {mark}{_words(text)}", ""]
        case Paragraph(text):
            return [_words(text), ""]
        case Listing():
            return _listing(block, names)
        case Table():
            return _table(block, names)
        case Figure(name, scene, caption):
            found = [f"![{_words(caption)}]({FIGURES}/{name}.svg)", ""]
            if isinstance(scene, CardScene | LaidScene) and scene.notes:
                found += [f"{i}. {_words(note)}" for i, note in enumerate(scene.notes, 1)] + [""]
            return found
        case Callout(_, blocks):
            inner = [line for each in blocks for line in _lines(each, names)][:-1]
            return [*(f"> {line}".rstrip() for line in inner), ""]


def _listing(block: Listing, names: Mapping[str, str]) -> list[str]:
    found: list[str] = []
    for index, item in enumerate(block.items):
        mark = "- " if block.start is None else f"{block.start + index}. "
        lines = [line for each in item for line in _lines(each, names)][:-1]
        for number, line in enumerate(lines):
            lead = " " * len(mark) if number else mark
            found.append((lead + line).rstrip())
    return [*found, ""]


def _table(block: Table, names: Mapping[str, str]) -> list[str]:
    marks = {"left": ":--", "center": ":-:", "right": "--:"}
    rows = [[_cell(cell, names).replace("|", "\\|") for cell in row] for row in block.rows]
    used = [at for at in range(len(block.aligns)) if any(row[at] for row in rows)]
    rows.insert(0, [_words(title) for title in block.header])
    lines = ["| " + " | ".join(row[at] for at in used) + " |" for row in rows]
    lines.insert(1, "| " + " | ".join(marks[block.aligns[at]] for at in used) + " |")
    caption = [f"*{_words(block.caption)}*", ""] if block.caption else []
    return [*lines, "", *caption]


def _names(book: Rulebook) -> dict[str, str]:
    """Return what the glossary calls each icon."""
    return {
        mark[1]: _words(name).strip("*").lower()
        for table in book.blocks
        if isinstance(table, Table)
        for sign, name, *_ in (row for row in table.rows if len(row) > 1)
        if (mark := _ICON.fullmatch(sign)) and _words(name).startswith("**")
    }


def _cell(text: str, names: Mapping[str, str]) -> str:
    """Return a cell's words; an icon that only figures stand beside is written out by its name."""
    words = _words(text)
    if words and not re.search(r"[^\W\d_]", words):
        return _ICON.sub(lambda mark: f"{names.get(mark[1], '')} ".lstrip(), text).strip()
    return words


def _words(text: str) -> str:
    """Return words without their icons, which Markdown has no place for: a column of them goes."""
    return _ICON.sub("", text).strip()
