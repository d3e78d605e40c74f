"""What may stand between `{{` and `}}`: Jinja2 expressions in a sandbox with a budget.

Jinja's own sandbox guards the machine's names, not its time and memory, so
every operator, filter and call goes through a list of ours. Knows no file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, UndefinedError, meta, nodes
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kitwright.problems import did_you_mean

LONGEST = 1000  # characters of one expression
DEEPEST = 20  # nested brackets
LARGEST = 1e12
LONGEST_RESULT = 10_000


class FormulaError(ValueError):
    """An expression that cannot be understood or must not be evaluated."""


def _range(*bounds: int) -> range:
    result = range(*bounds)
    if len(result) > 1000:
        raise FormulaError("range() is longer than 1000")
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
        raise FormulaError(f"the result is longer than {LONGEST_RESULT} characters")
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
    "sum": sum,
    "title": lambda value: str(value).title(),
    "trim": lambda value: str(value).strip(),
    "upper": lambda value: str(value).upper(),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"max": max, "min": min, "range": _range}


class _Sandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self) -> None:
        super().__init__(undefined=StrictUndefined, autoescape=False)
        self.filters = dict(FILTERS)
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
        if isinstance(obj, Mapping):
            return self.getattr(obj, argument)
        if isinstance(obj, tuple | list | str) and isinstance(argument, int | slice):
            try:
                return obj[argument]
            except IndexError:
                raise FormulaError(f"the list has no item {argument}") from None
        return self.undefined(obj=obj, name=str(argument))

    def is_safe_callable(self, obj: Any) -> bool:
        return obj in FUNCTIONS.values()

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator to numbers of a sane size, or join two texts or lists."""
        if operator == "**":
            raise FormulaError("'**' is not allowed")
        if operator == "+" and isinstance(left, str) and isinstance(right, str):
            return _capped(left + right)
        if operator == "+" and isinstance(left, tuple | list) and isinstance(right, tuple | list):
            return (*left, *right)
        for value in (left, right):
            if isinstance(value, StrictUndefined):
                str(value)  # raises with the name that is unknown
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise FormulaError(f"'{operator}' needs numbers, not {describe(value)}")
            if abs(value) > LARGEST:
                raise FormulaError(f"a number is larger than {LARGEST:.0e}")
        if operator in ("/", "//", "%") and right == 0:
            raise FormulaError("division by zero")
        return super().call_binop(context, operator, left, right)


_SANDBOX = _Sandbox()


@dataclass(frozen=True, slots=True)
class Formula:
    """One compiled expression and the names it looks up."""

    source: str
    names: frozenset[str]
    run: Callable[..., Any] = field(compare=False, repr=False)

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value, which is never undefined."""
        try:
            value = self.run(context)
            if isinstance(value, StrictUndefined):
                str(value)
        except UndefinedError as error:
            raise FormulaError(_unknown(error, context)) from None
        except SecurityError:
            raise FormulaError("calls are not allowed here; use a filter such as |length") from None
        except (TypeError, ValueError, IndexError, StopIteration, OverflowError) as error:
            if isinstance(error, FormulaError):
                raise
            raise FormulaError("the values do not fit the expression") from None
        return value


@lru_cache(maxsize=4096)
def compile_formula(source: str) -> Formula:
    """Compile one expression, without its braces."""
    if len(source) > LONGEST:
        raise FormulaError(f"the expression is longer than {LONGEST} characters")
    depth = 0
    for letter in source:
        depth += (letter in "([{") - (letter in ")]}")
        if depth > DEEPEST:
            raise FormulaError(f"the expression nests deeper than {DEEPEST} brackets")
    try:
        tree = _SANDBOX.parse("{{ " + source + " }}")
        _refuse(tree)
        run = _SANDBOX.compile_expression(source, undefined_to_none=False)
    except TemplateError as error:
        raise FormulaError(_syntax(source, error)) from None
    except RecursionError:
        raise FormulaError("the expression is nested too deeply") from None
    return Formula(source, frozenset(meta.find_undeclared_variables(tree)) - set(FUNCTIONS), run)


def _refuse(tree: nodes.Template) -> None:
    for node in tree.find_all((nodes.Pow, nodes.Call)):
        if isinstance(node, nodes.Pow):
            raise FormulaError("'**' is not allowed")
        target = getattr(node, "node", None)
        if not isinstance(target, nodes.Name) or target.name not in FUNCTIONS:
            known = ", ".join(sorted(FUNCTIONS))
            raise FormulaError(f"only {known} can be called; use a filter such as |length")


def _syntax(source: str, error: TemplateError) -> str:
    text = (error.message or "cannot be understood").rstrip(".")
    if found := re.match(r"No filter named '(.+?)'", text):
        return f"there is no filter '{found[1]}'{did_you_mean(found[1], FILTERS)}"
    return f"'{source.strip()}' cannot be read: {text[0].lower()}{text[1:]}"


def _unknown(error: UndefinedError, context: Mapping[str, Any]) -> str:
    text = error.message or ""
    if found := re.match(r"'(\w+)' is undefined", text):
        return f"there is no '{found[1]}' here{did_you_mean(found[1], context)}"
    if found := re.search(r"has no (?:attribute|element) '?([^']+)'?$", text):
        known = {name for value in context.values() if isinstance(value, Mapping) for name in value}
        return f"there is no field '{found[1]}'{did_you_mean(found[1], map(str, known))}"
    return text


_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """A text with expressions in it; a text that is one expression gives its bare value."""

    source: str
    pieces: tuple[str | Formula, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names it looks up."""
        return frozenset().union(*(p.names for p in self.pieces if isinstance(p, Formula)))

    def __call__(self, context: Mapping[str, Any]) -> Any:
        """Return the value of a lone expression, or the text with all of them filled in."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Formula):
            return self.pieces[0](context)
        return "".join(p if isinstance(p, str) else show(p(context)) for p in self.pieces)


@lru_cache(maxsize=4096)
def compile_template(source: str) -> Template:
    """Compile a text that may hold `{{ }}`."""
    if "{%" in source:
        raise FormulaError("'{%' is not understood; only {{ }} is")
    pieces: list[str | Formula] = []
    end = 0
    for match in _BRACES.finditer(source):
        if match.start() > end:
            pieces.append(source[end : match.start()])
        pieces.append(compile_formula(match[1].strip()))
        end = match.end()
    if end < len(source):
        pieces.append(source[end:])
    if "{{" in source[end:]:
        raise FormulaError("'{{' is never closed with '}}'")
    return Template(source, tuple(pieces))


def show(value: Any) -> str:
    """Write a value as a card shows it: whole numbers without a point."""
    if isinstance(value, StrictUndefined):
        str(value)
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def describe(value: Any) -> str:
    """Name a value in a designer's words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, str):
        return f"the text '{value[:30]}'"
    if isinstance(value, int | float):
        return f"the number {value:g}"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list"
