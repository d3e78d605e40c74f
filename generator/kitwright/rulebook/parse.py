"""Markdown to blocks: headings, paragraphs, lists, tables, call-outs, and what is shown by name.

A picture that stands alone is taken from rules.yaml: `![Caption](figure:set-up)`,
`![](table:decks)`, `![](glossary)`. Whatever else Markdown knows is a Problem, never lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from kitwright.problems import Place, Problem
from kitwright.rulebook.blocks import Block, Callout, Heading, Listing, Paragraph, Table
from kitwright.rulebook.prose import Filled
from kitwright.rulebook.tokens import Token, tokens_of

DEEPEST = 12  # lists and call-outs within each other, counted as the parser does
_SECTION = re.compile(r"§(\d+(?:\.\d+)?) (.+)", re.DOTALL)
_STARS = {"strong_open": "**", "strong_close": "**", "em_open": "*", "em_close": "*"}
_NAMES = {
    "fence": "a code block", "code_block": "an indented code block", "hr": "a line across",
    "html_block": "HTML", "code_inline": "code in backquotes", "html_inline": "HTML",
    "image": "a picture among words", "link_open": "a link",
}  # fmt: skip
Show = Callable[[str, str, Place], Block | None]  # target, caption, place


class Reader(Struct):
    """Reads one page of Markdown."""

    file: str
    filled: Filled
    show: Show
    problems: list[Problem]
    tokens: Sequence[Token] = ()
    at: int = 0
    lines: Sequence[str] = field(default_factory=list)

    def read(self) -> tuple[Block, ...]:
        """Return the blocks of the whole page."""
        self.tokens = tokens_of(self.filled.text)
        self.lines = self.filled.text.split("\n")
        for token in self.tokens:
            deep = max((child.level for child in token.children), default=0)
            if max(token.level, deep) > DEEPEST:
                said = f"this nests deeper than {DEEPEST // 2} lists or call-outs; expected fewer"
                self.problems.append(Problem(self.place(token), "too-deep", said))
                return ()
        return self.blocks("")

    def place(self, token: Token) -> Place:
        """Return where a token begins."""
        line = token.lines[0] if token.lines else 0
        text = self.lines[line] if line < len(self.lines) else ""
        return Place(self.file, line + 1, len(text) - len(text.lstrip(" >")) + 1)

    def blocks(self, end: str) -> tuple[Block, ...]:
        """Read blocks up to a closing token."""
        found: list[Block] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.type == end:
                break
            block = self.block(token)
            if block is not None:
                found.append(block)
        return tuple(found)

    def block(self, token: Token) -> Block | None:
        """Read the block that a token opens."""
        place = self.place(token)
        match token.type:
            case "heading_open":
                return self.heading(int(token.tag[1:]), place)
            case "paragraph_open":
                return self.paragraph(place)
            case "bullet_list_open":
                return Listing(self.items("bullet_list_close"), None, place)
            case "ordered_list_open":
                start = int(token.attrs.get("start", 1))
                return Listing(self.items("ordered_list_close"), start, place)
            case "blockquote_open":
                blocks = self.blocks("blockquote_close")
                first = blocks[0] if blocks else None
                is_example = isinstance(first, Paragraph) and first.text.startswith("**Example")
                return Callout("example" if is_example else "note", blocks, place)
            case "table_open":
                return self.table(place)
        self.refuse(token.type, place)
        return None

    def refuse(self, kind: str, place: Place) -> None:
        """Say that a rulebook cannot hold this."""
        what = _NAMES.get(kind, f"'{kind}'")
        said = f"{what} stands here; expected headings, paragraphs, lists, tables and call-outs"
        self.problems.append(Problem(place, "unknown-markup", said))

    def items(self, end: str) -> tuple[tuple[Block, ...], ...]:
        """Read the items of a list."""
        found = []
        while self.tokens[self.at].type != end:
            self.at += 1
            found.append(self.blocks("list_item_close"))
        self.at += 1
        return tuple(found)

    def heading(self, level: int, place: Place) -> Block | None:
        """Read a heading and its section number."""
        text = self.inline(place)
        self.at += 1
        if level == 1:
            return Heading(1, "", text, place)
        found = _SECTION.fullmatch(text)
        if level > 3 or found is None or found[1].count(".") != level - 2:
            wanted = {2: "'## §3 Set-up'", 3: "'### §3.1 Cards'"}.get(level, "at most three '#'")
            said = f"the heading is '{text}'; expected {wanted}"
            self.problems.append(Problem(place, "bad-heading", said))
            return None
        return Heading(level, found[1], found[2], place)

    def paragraph(self, place: Place) -> Block | None:
        """Read running words, or what a lone picture shows."""
        children = self.tokens[self.at].children
        if len(children) == 1 and children[0].type == "image":
            image = children[0]
            self.at += 2
            caption = self.markup(image.children, place)
            return self.show(str(image.attrs.get("src", "")), caption, place)
        text = self.inline(place)
        self.at += 1
        return Paragraph(text, place)

    def inline(self, place: Place) -> str:
        """Read one run of words and step over it."""
        token = self.tokens[self.at]
        self.at += 1
        return self.markup(token.children, place)

    def markup(self, children: Sequence[Token], place: Place) -> str:
        """Write words in the markup of card text."""
        said = ""
        for child in children:
            if child.type == "text":
                said += child.content.replace("*", r"\*")
            elif child.type in _STARS:
                said += _STARS[child.type]
            elif child.type in ("softbreak", "hardbreak"):
                said += " "
            elif child.type != "link_close":
                self.refuse(child.type, place)
        return self.filled.restore(said)

    def table(self, place: Place) -> Block:
        """Read a table that was written by hand."""
        rows: list[tuple[str, ...]] = []
        aligns: list[str] = []
        row: list[str] = []
        while (token := self.tokens[self.at]).type != "table_close":
            self.at += 1
            if token.type in ("th_open", "td_open"):
                row.append(self.inline(place))
                if token.type == "th_open":
                    style = str(token.attrs.get("style", ""))
                    aligns.append(style.removeprefix("text-align:") or "left")
            elif token.type == "tr_close":
                rows.append(tuple(row))
                row = []
        self.at += 1
        return Table(rows[0], tuple(rows[1:]), tuple(aligns), "", place)
