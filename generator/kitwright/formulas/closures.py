"""Expressions as trees of plain values, and trees as functions that can be run.

A tree can be kept and read back without reading the expression again: it holds words,
numbers and tuples, no code. What it may do is up to the rules that it is closed over.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Protocol

Tree = tuple[Any, ...]  # the kind of a node, then its parts
Lookup = tuple[str, ...]  # `card.wires` is ("card", "wires")
Read = tuple[frozenset[str], frozenset[Lookup], frozenset[Lookup], Tree]
Run = Callable[[Mapping[str, Any]], Any]

_BINARY = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "FloorDiv": "//", "Mod": "%"}
_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
    "in": lambda left, right: left in right,
    "notin": lambda left, right: left not in right,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "Not": operator.not_,
    "Neg": operator.neg,
    "Pos": operator.pos,
}
_NONE: Tree = ("Const", None)


class Rules(Protocol):
    """What an expression may do with the values that it meets."""

    filters: dict[str, Callable[..., Any]]
    tests: dict[str, Callable[..., Any]]

    def resolve(self, name: str, context: Mapping[str, Any]) -> Any:
        """Return what a bare name stands for."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return what stands behind a dot."""

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return what stands in brackets."""

    def combine(self, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator to two values."""

    def invoke(self, function: Any, *args: Any, **named: Any) -> Any:
        """Call a function."""


def tree_of(node: Any) -> Tree:
    """Return the tree of an expression as the parser gives it."""
    kind = type(node).__name__
    match kind:
        case "Add" | "Sub" | "Mul" | "Div" | "FloorDiv" | "Mod":
            return ("Binary", _BINARY[kind], tree_of(node.left), tree_of(node.right))
        case "And" | "Or":
            return (kind, tree_of(node.left), tree_of(node.right))
        case "Not" | "Neg" | "Pos":
            return ("Unary", kind, tree_of(node.node))
        case "Filter" | "Test":
            return (kind, node.name, tree_of(node.node), *_arguments(node))
        case "Call":
            return (kind, tree_of(node.node), *_arguments(node))
        case "Compare":
            ops = tuple((each.op, tree_of(each.expr)) for each in node.ops)
            return (kind, tree_of(node.expr), ops)
        case "CondExpr":
            return (kind, tree_of(node.test), tree_of(node.expr1), tree_of(node.expr2))
    return _plain(kind, node)


def _plain(kind: str, node: Any) -> Tree:
    """Return the tree of a node that applies nothing."""
    match kind:
        case "Const":
            return (kind, node.value)
        case "Name":
            return (kind, node.name)
        case "Getattr":
            return (kind, tree_of(node.node), node.attr)
        case "Getitem" if type(node.arg).__name__ == "Slice":
            ends = (node.arg.start, node.arg.stop, node.arg.step)
            return ("Slice", tree_of(node.node), tuple(tree_of(e) if e else _NONE for e in ends))
        case "Getitem":
            return (kind, tree_of(node.node), tree_of(node.arg))
        case "Concat":
            return (kind, tuple(map(tree_of, node.nodes)))
        case "List" | "Tuple":
            return (kind, tuple(map(tree_of, node.items)))
        case "Dict":
            return (kind, tuple((tree_of(each.key), tree_of(each.value)) for each in node.items))
    raise TypeError(f"a {kind} is no part of an expression")


def _arguments(node: Any) -> Tree:
    """Return what stands in the brackets of a call: in a row, by name, and as whole lists."""
    named = tuple((each.key, tree_of(each.value)) for each in node.kwargs or ())
    rest = tree_of(node.dyn_args) if node.dyn_args else None
    words = tree_of(node.dyn_kwargs) if node.dyn_kwargs else None
    return tuple(map(tree_of, node.args or ())), named, rest, words


def close(tree: Tree, rules: Rules) -> Run:
    """Return a function that evaluates a tree in a context."""
    return _Closer(rules).close(tree)


class _Closer:
    """Turns trees into functions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def close(self, tree: Tree) -> Run:
        """Return the function of a tree."""
        make: Callable[..., Run] = getattr(self, f"_{tree[0].lower()}")
        return make(*tree[1:])

    def _unary(self, kind: str, inner: Tree) -> Run:
        run, apply = self.close(inner), _UNARY[kind]
        return lambda context: apply(run(context))

    def _const(self, value: Any) -> Run:
        return lambda context: value

    def _name(self, name: str) -> Run:
        resolve = self.rules.resolve
        return lambda context: resolve(name, context)

    def _getattr(self, inner: Tree, name: str) -> Run:
        run, look = self.close(inner), self.rules.getattr
        return lambda context: look(run(context), name)

    def _getitem(self, inner: Tree, index: Tree) -> Run:
        run, at, look = self.close(inner), self.close(index), self.rules.getitem
        return lambda context: look(run(context), at(context))

    def _slice(self, inner: Tree, ends: tuple[Tree, ...]) -> Run:
        run, bounds = self.close(inner), [self.close(end) for end in ends]
        return lambda context: run(context)[slice(*[end(context) for end in bounds])]

    def _binary(self, sign: str, left: Tree, right: Tree) -> Run:
        first, second, apply = self.close(left), self.close(right), self.rules.combine
        return lambda context: apply(sign, first(context), second(context))

    def _and(self, left: Tree, right: Tree) -> Run:
        first, second = self.close(left), self.close(right)
        return lambda context: first(context) and second(context)

    def _or(self, left: Tree, right: Tree) -> Run:
        first, second = self.close(left), self.close(right)
        return lambda context: first(context) or second(context)

    def _compare(self, left: Tree, ops: tuple[tuple[str, Tree], ...]) -> Run:
        first = self.close(left)
        rest = [(_COMPARE[sign], self.close(right)) for sign, right in ops]

        def run(context: Mapping[str, Any]) -> Any:
            value, held = first(context), True
            for holds, right in rest:
                other = right(context)
                held = holds(value, other)
                if not held:
                    break
                value = other
            return held

        return run

    def _condexpr(self, test: Tree, yes: Tree, no: Tree) -> Run:
        ask, first, second = self.close(test), self.close(yes), self.close(no)
        return lambda context: first(context) if ask(context) else second(context)

    def _concat(self, parts: tuple[Tree, ...]) -> Run:
        runs = [self.close(part) for part in parts]
        return lambda context: "".join([str(value) for value in [run(context) for run in runs]])

    def _list(self, parts: tuple[Tree, ...]) -> Run:
        runs = [self.close(part) for part in parts]
        return lambda context: [run(context) for run in runs]

    def _tuple(self, parts: tuple[Tree, ...]) -> Run:
        runs = [self.close(part) for part in parts]
        return lambda context: tuple([run(context) for run in runs])

    def _dict(self, parts: tuple[tuple[Tree, Tree], ...]) -> Run:
        runs = [(self.close(key), self.close(value)) for key, value in parts]
        return lambda context: {key(context): value(context) for key, value in runs}

    def _filter(self, name: str, inner: Tree, *given: Any) -> Run:
        return self._applied(self.rules.filters[name], inner, *given)

    def _test(self, name: str, inner: Tree, *given: Any) -> Run:
        return self._applied(self.rules.tests[name], inner, *given)

    def _applied(
        self,
        apply: Callable[..., Any],
        inner: Tree,
        given: tuple[Tree, ...],
        named: tuple[tuple[str, Tree], ...],
        rest: Tree | None,
        words: Tree | None,
    ) -> Run:
        runs = [self.close(part) for part in (inner, *given)]
        pairs = [(name, self.close(part)) for name, part in named]
        more = self.close(rest or ("Tuple", ()))
        others = self.close(words or ("Dict", ()))

        def run(context: Mapping[str, Any]) -> Any:
            values = [each(context) for each in runs]
            by_name = {name: each(context) for name, each in pairs}
            return apply(*values, *more(context), **by_name, **others(context))

        if named or rest or words:
            return run
        if not given:
            only = runs[0]
            return lambda context: apply(only(context))
        return lambda context: apply(*[each(context) for each in runs])

    def _call(self, function: Tree, *given: Any) -> Run:
        return self._applied(self.rules.invoke, function, *given)
