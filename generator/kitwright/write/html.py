"""A rulebook as one HTML file that needs no other: words, tables, figures as inline SVG.

Knows blocks and the dress of the book; decides nothing about what it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from kitwright.compose.markup import IconName, parse_markup
from kitwright.compose.words import Icons
from kitwright.model.theme import Theme
from kitwright.ops import Use
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
    anchor_of,
)
from kitwright.rulebook.figures import Drawing
from kitwright.write.svg import Svg

_REFERENCE = re.compile(r"§(\d+(?:\.\d+)?)")
Draw = Callable[[Figure], Drawing]

_STYLE = """\
:root {{ color-scheme: light; }}
body {{ margin: 0 auto; max-width: 46rem; padding: 2rem 1.2rem 4rem; background: {paper};
  color: {ink}; font: 1.06rem/1.55 "Source Sans Pro", "Source Sans 3", system-ui, sans-serif; }}
h1 {{ font-size: 3.2rem; line-height: 1.02; margin: 0; font-weight: 900; }}
h2 {{ border-top: 3px solid {rule}; padding-top: .5rem; margin: 2.8rem 0 .6rem; font-weight: 900; }}
h3 {{ color: {accent}; margin: 1.6rem 0 .3rem; }}
h2 small {{ color: {rule}; margin-right: .7rem; font-size: 1em; }}
h3 small {{ margin-right: .5rem; font-size: 1em; }}
a {{ color: {accent}; }}
.tagline {{ font-size: 1.25rem; color: {soft}; margin: .4rem 0; }}
nav ol {{ list-style: none; columns: 2; padding: 0; }}
nav a {{ text-decoration: none; }}
svg {{ display: block; max-width: 100%; height: auto; }}
svg.icon {{ display: inline-block; height: 1.05em; width: auto; vertical-align: -.17em; }}
figure {{ margin: 1.4rem 0; }}
figure > svg {{ margin: 0 auto; width: 100%; }}
figure.card {{ display: grid; grid-template-columns: minmax(11rem, 2fr) 3fr; gap: 1.2rem; }}
figure.card figcaption {{ grid-column: 1 / -1; }}
figcaption {{ color: {soft}; font-size: .88rem; margin-top: .5rem; }}
aside {{ padding: .7rem 1.1rem; margin: 1.3rem 0; background: {note};
  border-left: 5px solid {note_edge}; }}
aside.example {{ background: {example}; border-color: {example_edge}; }}
aside > :first-child {{ margin-top: 0; }} aside > :last-child {{ margin-bottom: 0; }}
table {{ border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .97rem; }}
th {{ color: {accent}; text-align: left; border-bottom: 2px solid {rule}; }}
th, td {{ padding: .35rem .6rem; vertical-align: top; }}
td {{ border-bottom: 1px solid {line}; }}
@media (max-width: 34rem) {{ nav ol {{ columns: 1; }} figure.card {{ display: block; }} }}
@media print {{ h2, h3 {{ break-after: avoid; }} figure, aside, table {{ break-inside: avoid; }} }}
"""


def write_html(
    book: Rulebook,
    dress: Theme,
    svg: Svg,
    icons: Icons,
    draw: Draw,
    licence: str,
    title: str | None = None,
) -> str:
    """Return the whole page; without a title of its own it is called the rules."""
    return _Page(book, dress, svg, icons, draw).write(licence, title or f"{book.title}: rules")


class _Page:
    def __init__(self, book: Rulebook, dress: Theme, svg: Svg, icons: Icons, draw: Draw) -> None:
        self.book, self.dress, self.icons, self.draw = book, dress, icons, draw
        self.svg = svg
        self.sections = {heading.section for heading in book.headings}

    def write(self, licence: str, title: str) -> str:
        """Return head, words and shared drawings."""
        body = "\n".join(self.blocks())
        colors = {key.replace("-", "_"): value for key, value in self.dress.colors.items()}
        hidden = 'style="position:absolute" width="0" height="0" aria-hidden="true"'
        shared = f"<svg {hidden}>{self.svg.definitions()}</svg>"
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}</title>\n"
            f'<meta name="description" content="{escape(self.book.tagline)}">\n'
            f'<meta name="dcterms.license" content="{escape(licence)}">\n'
            f"<style>\n{_STYLE.format(**colors)}</style>\n</head>\n<body>\n{shared}\n"
            f"{body}\n</body>\n</html>\n"
        )

    def blocks(self) -> list[str]:
        """Return the blocks in order, the contents before the first section."""
        found: list[str] = []
        listed = False
        for block in self.book.blocks:
            if isinstance(block, Heading) and block.level == 2 and not listed:
                found.append(self.contents())
                listed = True
            found.append(self.block(block))
            if isinstance(block, Heading) and block.level == 1:
                tagline, facts = self.words(self.book.tagline), self.words(self.book.facts)
                found.append(f'<p class="tagline">{tagline}<br><strong>{facts}</strong></p>')
        return found

    def contents(self) -> str:
        """Return the links to all sections."""
        items = "".join(
            f'<li><a href="#{h.anchor}">§{h.section} {self.words(h.text, False)}</a></li>'
            for h in self.book.headings
            if h.level == 2
        )
        return f'<nav aria-label="Contents"><ol>{items}</ol></nav>'

    def block(self, block: Block) -> str:
        """Return one block."""
        match block:
            case Heading(level, section, text):
                if not section:
                    return f"<h1>{self.words(text)}</h1>"
                mark = f"<small>§{section}</small>"
                return f'<h{level} id="{block.anchor}">{mark}{self.words(text, False)}</h{level}>'
            case Paragraph(text):
                return f"<p>{self.words(text)}</p>"
            case Listing(items, start):
                inner = "".join(f"<li>{self.item(item)}</li>" for item in items)
                first = f' start="{start}"' if start not in (None, 1) else ""
                return f"<ul>{inner}</ul>" if start is None else f"<ol{first}>{inner}</ol>"
            case Table():
                return self.table(block)
            case Figure():
                return self.figure(block)
            case Callout(kind, blocks):
                inner = "\n".join(map(self.block, blocks))
                return f'<aside class="{kind}">{inner}</aside>'

    def item(self, blocks: tuple[Block, ...]) -> str:
        """Return an item of a list; a lone paragraph needs no tags."""
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
            return self.words(blocks[0].text)
        return "".join(map(self.block, blocks))

    def table(self, block: Table) -> str:
        """Return a table with its caption."""

        def row(tag: str, cells: tuple[str, ...]) -> str:
            made = (
                f'<{tag} style="text-align:{align}">{self.words(cell)}</{tag}>'
                for cell, align in zip(cells, block.aligns, strict=True)
            )
            return f"<tr>{''.join(made)}</tr>"

        head = f"<thead>{row('th', block.header)}</thead>" if any(block.header) else ""
        body = "".join(row("td", cells) for cells in block.rows)
        caption = f"<caption>{self.words(block.caption)}</caption>" if block.caption else ""
        return f"<table>{caption}{head}<tbody>{body}</tbody></table>"

    def figure(self, block: Figure) -> str:
        """Return a figure; the notes of a card stand beside it as a list."""
        drawing = self.draw(block)
        label = re.sub(r"[*:]", "", block.caption) or block.name
        picture = self.svg.drawing(drawing.ops, drawing.width, drawing.height, label)
        notes, kind = "", ""
        if isinstance(block.scene, CardScene):
            items = "".join(f"<li>{self.words(note)}</li>" for note in block.scene.notes)
            notes, kind = f"<ol>{items}</ol>", ' class="card"'
        elif isinstance(block.scene, LaidScene) and block.scene.notes:
            items = "".join(f"<li>{self.words(note)}</li>" for note in block.scene.notes)
            notes = f"<ol>{items}</ol>"
        caption = f"<figcaption>{self.words(block.caption)}</figcaption>" if block.caption else ""
        return f"<figure{kind}>{picture}{notes}{caption}</figure>"

    def words(self, text: str, linked: bool = True) -> str:
        """Return words with their emphasis, icons and links to sections."""
        found = ""
        for paragraph in parse_markup(text):
            for piece in paragraph:
                if isinstance(piece, IconName):
                    found += self.icon(piece.name)
                    continue
                said = escape(piece.text, quote=False)
                said = _REFERENCE.sub(self.link, said) if linked else said
                said = f"<em>{said}</em>" if piece.italic else said
                found += f"<strong>{said}</strong>" if piece.bold else said
        return found

    def link(self, found: re.Match[str]) -> str:
        """Return a reference as a link where the section exists."""
        if found[1] not in self.sections:
            return found[0]
        return f'<a href="#{anchor_of(found[1])}">{found[0]}</a>'

    def icon(self, name: str) -> str:
        """Return an icon among words."""
        icon = self.icons(name)
        if icon is None:
            return escape(f":{name}:")
        drawn = self.svg.drawing((Use(icon.symbol),), icon.width / icon.height, 1.0, name)
        return drawn.replace("<svg ", '<svg class="icon" ', 1)
