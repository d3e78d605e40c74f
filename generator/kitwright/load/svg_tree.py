"""An SVG file's XML as a tree of elements, each with the line that it begins on.

Refuses document types and entities before anything is expanded, and depth
without end. Knows nothing of what the elements mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.parsers import expat

from msgspec import Struct, field

from kitwright.problems import InvalidInputError, Place, Problem

SVG_SPACE = "http://www.w3.org/2000/svg"
XLINK_SPACE = "http://www.w3.org/1999/xlink"
MOST_DEEP = 64


class Node(Struct):
    """One element; a name from a foreign namespace holds a blank."""

    tag: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Node] = field(default_factory=list)


def parse_tree(text: str, file: str) -> Node:
    """Build the tree of elements, each with its line."""
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    top = Node("", {}, 1, 1)
    open_nodes = [top]

    def fail(message: str) -> InvalidInputError:
        place = Place(file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)
        return InvalidInputError([Problem(place, "bad-svg", message)])

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_nodes) > MOST_DEEP:
            raise fail(f"elements nest more than {MOST_DEEP} deep; expected a flatter drawing")
        line, column = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        node = Node(_bare(name), _known_spaces(attributes), line, column)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def end(_: str) -> None:
        open_nodes.pop()

    def refuse(*_: object) -> None:
        raise fail(
            "a document type (<!DOCTYPE …>) is there; expected the <svg> element alone; "
            "delete that line"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text.removeprefix("\ufeff").encode(), True)
    except expat.ExpatError as error:
        place = Place(file, error.lineno, error.offset + 1)
        why = expat.ErrorString(error.code)
        message = f"the file is not well-formed XML ({why}); expected an SVG drawing"
        raise InvalidInputError([Problem(place, "bad-svg", message)]) from None
    return top.children[0]


def _bare(name: str) -> str:
    """Return an SVG element's own name; a foreign one keeps its namespace."""
    space, _, local = name.rpartition(" ")
    return local if space in ("", SVG_SPACE) else name


def _known_spaces(attributes: Mapping[str, str]) -> dict[str, str]:
    """Leave out what drawing programs write for themselves; keep links, to refuse them."""
    out = {}
    for name, value in attributes.items():
        space, _, local = name.rpartition(" ")
        if not space:
            out[local] = value
        elif space == XLINK_SPACE:
            out[f"xlink:{local}"] = value
    return out


def all_nodes(node: Node) -> Iterator[Node]:
    """Yield a node and everything in it, in the order of the file."""
    yield node
    for child in node.children:
        yield from all_nodes(child)
