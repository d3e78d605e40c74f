"""Reads expressions: Jinja2 parses them, and what we do not allow is refused by its name."""

from __future__ import annotations

import math
from collections.abc import Iterable

from jinja2 import Environment, TemplateError, nodes
from jinja2.parser import Parser

from kitwright.formulas.closures import Lookup, Read, tree_of
from kitwright.formulas.sandbox import CALLS, FILTERS, FUNCTIONS, TESTS, FormulaError
from kitwright.problems import did_you_mean

MOST_NODES = 150  # names, numbers and operators of one expression
_JINJA = Environment(autoescape=False)  # which only parses here


def read_expression(source: str) -> Read:
    """Return the names, the look-ups, those that may fail, and the tree of an expression."""
    try:
        page = _JINJA.parse("{{ " + source + " }}")
        _refuse(page)
        parser = Parser(_JINJA, source, state="variable")
        node = parser.parse_expression()
        _refuse_strange(page, "filter", FILTERS)
        _refuse_strange(page, "test", TESTS)
        if not parser.stream.eos:
            parser.fail("chunk after expression")
        tree = tree_of(node)
    except TemplateError as error:
        raise FormulaError(_syntax(source, error)) from None
    except (RecursionError, MemoryError, SyntaxError):  # thousands of signs in a row
        raise FormulaError("the expression nests too deeply; expected a simpler one") from None
    names = frozenset(each.name for each in page.find_all(nodes.Name)) - set(FUNCTIONS)
    return names, *_lookups(page), tree


def _refuse_strange(page: nodes.Template, kind: str, known: Iterable[str]) -> None:
    wanted = nodes.Filter if kind == "filter" else nodes.Test
    for each in page.find_all(wanted):
        if each.name not in known:
            hint = did_you_mean(each.name, known)
            said = f"there is no {kind} '{each.name}'; expected one of {', '.join(known)}{hint}"
            raise FormulaError(said)


def _refuse(tree: nodes.Template) -> None:
    if sum(1 for _ in tree.find_all(nodes.Expr)) > MOST_NODES:
        raise FormulaError("the expression is too long; expected a simpler one")
    if any(True for _ in tree.find_all(nodes.Pow)):
        raise FormulaError("'**' is not allowed; expected a plain sum or product")
    if any(choice.expr2 is None for choice in tree.find_all(nodes.CondExpr)):
        raise FormulaError("an 'if' has no 'else'; expected a value for both cases")
    for const in tree.find_all(nodes.Const):
        if isinstance(const.value, float) and not math.isfinite(const.value):
            raise FormulaError("a number is beyond all counting; expected a finite number")
    for call in tree.find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name not in FUNCTIONS:
            raise FormulaError(CALLS)


def _lookups(tree: nodes.Template) -> tuple[frozenset[Lookup], frozenset[Lookup]]:
    """Find every dotted look-up, and those among them that may fail."""
    found: set[Lookup] = set()
    guarded: set[Lookup] = set()
    waiting: list[tuple[nodes.Node, bool]] = [(tree, False)]
    while waiting:
        node, guard = waiting.pop()
        path = _dotted(node)
        if path is not None:
            (guarded if guard else found).add(path)
            continue
        if isinstance(node, nodes.Filter | nodes.Test):
            guards = node.name in ("default", "defined", "undefined")
            waiting.extend((child, guards and child is node.node) for child in _children(node))
        else:
            waiting.extend((child, False) for child in _children(node))
    calm = {path for path in found if not any(path[: len(g)] == g for g in guarded)}
    return frozenset(path for path in calm if path[0] not in FUNCTIONS), frozenset(guarded)


def _children(node: nodes.Node) -> list[nodes.Node]:
    return list(node.iter_child_nodes())


def _dotted(node: nodes.Node) -> Lookup | None:
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        base = _dotted(node.node)
        return (*base, node.attr) if base is not None else None
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
        base = _dotted(node.node)
        return (*base, node.arg.value) if base and isinstance(node.arg.value, str) else None
    return None


def _syntax(source: str, error: TemplateError) -> str:
    text = (error.message or "").rstrip(".").replace("'end of print statement'", "end")
    said = f" ({text[0].lower()}{text[1:]})" if text else ""
    return f"'{source.strip()}' cannot be read{said}; expected an expression such as card.title"
