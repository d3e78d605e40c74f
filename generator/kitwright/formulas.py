"""What may stand between `{{` and `}}`: Jinja2 expressions in a sandbox with a budget.

Jinja's own sandbox guards the machine's names, not its time and memory, so
every operator, filter and call goes through a list of ours. Knows no file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from jinja2 import StrictUndefined, TemplateError, UndefinedError, nodes
from jinja2.exceptions import SecurityError
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from kitwright.numerals import show as show
from kitwright.numerals import spelled
from kitwright.problems import describe as describe  # said of values here and elsewhere
from kitwright.problems import did_you_mean, measured_hint

LONGEST = 1000  # characters of one expression
DEEPEST = 20  # nested brackets
LAZIEST = 200  # characters of an expression that is sure to compile once it can be read
MOST_NODES = 150  # names, numbers and operators of one expression
LARGEST = 1e12
LONGEST_RESULT = 10_000
LONGEST_RANGE = 1000

_BARE = "bare:"  # begins the message of an unknown name

Lookup = tuple[str, ...]  # `card.wires` is ("card", "wires")


class FormulaError(ValueError):
    """An expression that cannot be understood or must not be evaluated."""


def _range(*bounds: int) -> range:
    result = range(*bounds)
    if len(result) > LONGEST_RANGE:
        raise FormulaError(f"range() is longer than {LONGEST_RANGE}; expected fewer numbers")
    return result


def _replace(text: object, old: str, new: str) -> str:
    return _capped(str(text).replace(old, new))


def _join(items: Any, between: str = "") -> str:
    return _capped(between.join(show(item) for item in items))


def _round(value: float, digits: int = 0) -> float | int:
    return round(float(value), digits) if digits else round(float(value))


def _default(value: Any, other: Any = "") -> Any:
    return other if value is None or isinstance(value, StrictUndefined) else value


def _capped(text: str) -> str:
    if len(text) > LONGEST_RESULT:
        said = f"the result is {len(text)} characters long; expected at most {LONGEST_RESULT}"
        raise FormulaError(said)
    return text


FILTERS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "capitalize": lambda value: str(value).capitalize(),
    "default": _default,
    "first": lambda items: next(iter(items)),
    "int": int,
    "join": _join,
    "last": lambda items: items[-1],
    "length": len,
    "lower": lambda value: str(value).lower(),
    "max": max,
    "min": min,
    "replace": _replace,
    "round": _round,
    "sort": sorted,
    "spelled": spelled,
    "sum": sum,
    "title": lambda value: str(value).title(),
    "trim": lambda value: str(value).strip(),
    "upper": lambda value: str(value).upper(),
}
TESTS: dict[str, Callable[..., bool]] = {
    "defined": lambda value: not isinstance(value, StrictUndefined),
    "even": lambda value: value % 2 == 0,
    "in": lambda value, items: value in items,
    "none": lambda value: value is None,
    "odd": lambda value: value % 2 == 1,
    "undefined": lambda value: isinstance(value, StrictUndefined),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"max": max, "min": min, "range": _range}


class _Unknown(StrictUndefined):
    """A name or field that is not there; the message is made only when somebody asks for it."""

    @property
    def _undefined_message(self) -> str:
        name, holder = self._undefined_name, self._undefined_obj
        if holder is missing:  # a bare name; only the caller knows the others
            return f"{_BARE}{name}"
        if isinstance(holder, Mapping) and not holder:
            return f"is empty, so it has no '{name}'; expected a value"
        if isinstance(holder, Mapping):
            known = ", ".join(map(str, holder))
            hint = did_you_mean(str(name), map(str, holder))
            return f"has no '{name}'; expected one of {known}{hint}"
        if holder is None:
            return f"is empty, so it has no '{name}'; expected a value; test for it with 'when'"
        return f"is {describe(holder)}, so it has no '{name}'; expected a mapping"


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self) -> None:
        super().__init__(undefined=_Unknown, autoescape=False)
        self.filters = dict(FILTERS)
        self.tests = dict(TESTS)
        self.globals = dict(FUNCTIONS)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look a name up among a record's fields and nowhere else, so no method shadows one."""
        if isinstance(obj, StrictUndefined):
            return obj
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Look up a field, or an item of a list by its number."""
        if isinstance(obj, Mapping):  # the keys of YAML are words, `4` too
            return self.getattr(obj, argument if argument in obj else str(argument))
        if isinstance(obj, tuple | list | str) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                raise FormulaError(
                    f"the list has no item {argument}; expected 0 to {len(obj) - 1}"
                ) from None
        return self.undefined(obj=obj, name=str(argument))

    def is_safe_callable(self, obj: Any) -> bool:
        return obj in FUNCTIONS.values()

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator to numbers of a sane size, or join two texts or lists."""
        if operator == "+" and isinstance(left, str) and isinstance(right, str):
            return _capped(left + right)
        if operator == "+" and isinstance(left, tuple | list) and isinstance(right, tuple | list):
            return (*left, *right)
        for value in (left, right):
            if isinstance(value, StrictUndefined):
                str(value)  # raises with the name that is unknown
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise FormulaError(
                    f"'{operator}' stands beside {describe(value)}; expected numbers"
                )
            if abs(value) > LARGEST:
                raise FormulaError(f"a number is larger than {LARGEST:.0f}; expected a smaller one")
        if operator in ("/", "//", "%") and right == 0:
            raise FormulaError("a division by zero; expected another number")
        return super().call_binop(context, operator, left, right)


_SANDBOX = _Sandbox()
_WORDS = r"and|else|false|if|import|in|is|loop|none|not|or|recursive|true"
_PATH = re.compile(rf"(?!.*\b({_WORDS})\b)[a-z]\w*(\.[a-z]\w*)*", re.ASCII)


def _plain(source: str) -> Lookup:
    """Return the path of an expression that only looks something up; nothing for any other."""
    path = tuple(source.split(".")) if _PATH.fullmatch(source) else ()
    return () if path[:1] and path[0] in FUNCTIONS else path


def _look_up(path: Lookup, context: Mapping[str, Any]) -> Any:
    value = context[path[0]] if path[0] in context else _Unknown(name=path[0])
    for name in path[1:]:
        value = _SANDBOX.getattr(value, name)
    return value


@lru_cache(maxsize=4096)
def _code(source: str) -> Callable[..., Any]:
    """Make the code of an expression, when it is first run: most of a layout's never are."""
    if path := _plain(source):
        return partial(_look_up, path)
    return _SANDBOX.compile_expression(source, undefined_to_none=False)


@dataclass(frozen=True, slots=True)
class Formula:
    """One compiled expression and what it looks up."""

    source: str
    names: frozenset[str]
    lookups: frozenset[Lookup]  # what must be there
    guarded: frozenset[Lookup]  # what may be missing: tested with `is defined` or given a default

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value, which is never undefined."""
        try:
            value = _code(self.source)(context)
            if isinstance(value, StrictUndefined):
                str(value)
        except UndefinedError as error:
            raise FormulaError(_unknown(error, self.lookups, context)) from None
        except SecurityError:
            raise FormulaError(_CALLS) from None
        except FormulaError:
            raise
        except (TypeError, ValueError, LookupError, StopIteration, ArithmeticError):
            text = f"'{self.source}' does not suit its values; expected an expression that does"
            raise FormulaError(text) from None
        if isinstance(value, float) and not math.isfinite(value):
            raise FormulaError("the result is beyond all counting; expected a finite number")
        return _capped(value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)
def compile_formula(source: str) -> Formula:
    """Compile one expression, without its braces."""
    if len(source) > LONGEST:
        text = f"the expression is {len(source)} characters long; expected at most {LONGEST}"
        raise FormulaError(text)
    if not source.strip():
        raise FormulaError("the expression is empty; expected one such as card.title")
    depth = 0
    for letter in source:
        depth += (letter in "([{") - (letter in ")]}")
        if depth > DEEPEST:
            text = f"the expression nests deeper than {DEEPEST} brackets; expected fewer"
            raise FormulaError(text)
    if path := _plain(source):
        return Formula(source, frozenset(path[:1]), frozenset({path}), frozenset())
    try:
        tree = _SANDBOX.parse("{{ " + source + " }}")
        _refuse(tree)
        names = frozenset(node.name for node in tree.find_all(nodes.Name)) - set(FUNCTIONS)
        parser = Parser(_SANDBOX, source, state="variable")
        parser.parse_expression()
        strange = {each.name for each in tree.find_all(nodes.Filter)} - FILTERS.keys()
        strange |= {each.name for each in tree.find_all(nodes.Test)} - TESTS.keys()
        if len(source) > LAZIEST or strange or not parser.stream.eos:
            _code(source)  # which says what is wrong
    except TemplateError as error:
        raise FormulaError(_syntax(source, error)) from None
    except (RecursionError, MemoryError, SyntaxError):  # thousands of signs in a row
        raise FormulaError("the expression nests too deeply; expected a simpler one") from None
    lookups, guarded = _lookups(tree)
    return Formula(source, names, lookups, guarded)


_CALLS = f"this cannot be called; expected {', '.join(FUNCTIONS)}, or a filter such as |length"


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
            raise FormulaError(_CALLS)


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
    if found := re.match(r"No (filter|test) named '(.+?)'", text):
        known = FILTERS if found[1] == "filter" else TESTS
        hint = did_you_mean(found[2], known)
        return f"there is no {found[1]} '{found[2]}'; expected one of {', '.join(known)}{hint}"
    said = f" ({text[0].lower()}{text[1:]})" if text else ""
    return f"'{source.strip()}' cannot be read{said}; expected an expression such as card.title"


def _unknown(error: UndefinedError, lookups: frozenset[Lookup], context: Mapping[str, Any]) -> str:
    text = error.message or ""
    if text.startswith(_BARE):
        return unknown_name(text.removeprefix(_BARE), context)
    holders = [
        path[:at] for path in lookups for at in range(1, len(path)) if f"'{path[at]}'" in text
    ]
    holder = ".".join(min(holders)) if holders else "this"
    return f"{holder} {text}{measured_hint(holder)}"


def unknown_name(name: str, known: Iterable[str]) -> str:
    """Say that there is no such name to look up."""
    names = sorted(each for each in known if not each.startswith("_"))
    said = f"there is no '{name}' here; expected one of {', '.join(names)}"
    return said + did_you_mean(name, names)


_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """A text with expressions in it; a text that is one expression gives its bare value."""

    source: str
    pieces: tuple[str | Formula, ...]

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The expressions in it."""
        return tuple(piece for piece in self.pieces if isinstance(piece, Formula))

    @property
    def names(self) -> frozenset[str]:
        """The names it looks up."""
        return frozenset().union(*(formula.names for formula in self.formulas))

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value of a lone expression, or the text with all of them filled in."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Formula):
            return self.pieces[0](context)
        return "".join(p if isinstance(p, str) else show(p(context)) for p in self.pieces)


def is_template(value: str) -> bool:
    """Tell whether a text holds expressions, or what somebody meant as one."""
    return "{{" in value or "}}" in value or "{%" in value


@lru_cache(maxsize=4096)
def compile_template(source: str) -> Template:
    """Compile a text that may hold `{{ }}`."""
    if "{%" in source:
        raise FormulaError("'{%' is not understood; expected {{ }}; use when, each and use instead")
    pieces: list[str | Formula] = []
    end = 0
    for match in _BRACES.finditer(source):
        if match.start() > end:
            pieces.append(source[end : match.start()])
        pieces.append(compile_formula(match[1].strip()))
        end = match.end()
    if end < len(source):
        pieces.append(source[end:])
    for piece in pieces:
        if isinstance(piece, str) and "{{" in piece:
            raise FormulaError("'{{' is never closed; expected '}}' behind it")
        if isinstance(piece, str) and "}}" in piece:
            raise FormulaError("'}}' closes nothing; expected '{{' before it")
    return Template(source, tuple(pieces))
