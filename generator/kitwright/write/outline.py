"""The outline of a document and the links within it. Knows pages, not what is on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field
from reportlab.pdfbase.pdfdoc import PDFDocument, PDFString

from kitwright.ops import Anchor, Page
from kitwright.write.bounds import MM_A_POINT
from kitwright.write.objects import Array, Dictionary, pdf_name


class _Entry(Struct):
    """A line of the outline and those below it."""

    title: str
    target: Array
    inner: list[_Entry] = field(default_factory=list)


def make_outline(document: PDFDocument, pages: Sequence[Page], references: Sequence[Any]) -> Any:
    """Return the outline: a bookmark a deck, and the sections of a rulebook below its own."""
    roots: list[_Entry] = []
    texts: list[list[tuple[Anchor, _Entry]]] = [[]]  # the anchors below each bookmark
    for page, reference in zip(pages, references, strict=True):
        if page.bookmark:
            roots.append(_Entry(page.bookmark, Array([reference, pdf_name("Fit")])))
            texts.append([])
        for anchor in page.anchors:
            texts[-1].append((anchor, _Entry(anchor.title, _target(page, reference, anchor.y))))
    for root, text in zip((None, *roots), texts, strict=True):
        _nest(root.inner if root else roots, sorted(text, key=lambda each: each[0].order))
    if not roots:
        return None
    root = Dictionary({"Type": pdf_name("Outlines")})
    reference = document.Reference(root)
    _link_up(document, root, reference, roots)
    root["Count"] = len(roots)
    return reference


def _nest(top: list[_Entry], text: Sequence[tuple[Anchor, _Entry]]) -> None:
    """Put sections below their bookmark, and their parts below them."""
    for anchor, entry in text:
        level = top
        for _ in range(anchor.level - 1):
            level = level[-1].inner if level else level
        level.append(entry)


def _link_up(
    document: PDFDocument, parent: Dictionary, parent_ref: Any, entries: list[_Entry]
) -> None:
    """Write entries below their parent, joined to their neighbours."""
    made = [
        Dictionary({"Title": PDFString(e.title), "Parent": parent_ref, "Dest": e.target})
        for e in entries
    ]
    references = [document.Reference(entry) for entry in made]
    parent["First"], parent["Last"] = references[0], references[-1]
    for before in range(len(made) - 1):
        made[before]["Next"] = references[before + 1]
        made[before + 1]["Prev"] = references[before]
    for entry, written, reference in zip(entries, made, references, strict=True):
        if entry.inner:
            _link_up(document, written, reference, entry.inner)
            written["Count"] = -len(entry.inner)  # folded until somebody opens it


def add_links(
    pages: Sequence[Page], dictionaries: Sequence[Any], references: Sequence[Any]
) -> None:
    """Make the areas of pages lead to their anchors, wherever in the document those are."""
    targets = {
        anchor.name: _target(page, reference, anchor.y)
        for page, reference in zip(pages, references, strict=True)
        for anchor in page.anchors
    }
    for page, dictionary in zip(pages, dictionaries, strict=True):
        links = [_annotation(page, link.box, targets[link.to]) for link in page.links
                 if link.to in targets]  # fmt: skip
        if links:
            dictionary["Annots"] = Array(links)


def _annotation(page: Page, box: tuple[float, float, float, float], target: Array) -> Dictionary:
    left, top, right, bottom = box
    corners = (left, page.height - bottom, right, page.height - top)
    return Dictionary(
        {
            "Type": pdf_name("Annot"),
            "Subtype": pdf_name("Link"),
            "Rect": Array([round(value / MM_A_POINT, 3) for value in corners]),
            "Border": Array([0, 0, 0]),
            "Dest": target,
        }
    )


def _target(page: Page, reference: Any, y: float) -> Array:
    top = round((page.height - max(0.0, y - 4.0)) / MM_A_POINT, 3)
    return Array([reference, pdf_name("XYZ"), 0, top, 0])
