"""What an expression may do: its filters, tests, functions, look-ups and sums, each with a budget.

Nothing here can reach a name of Python's own, or take time and memory without bounds.
"""

from __future__ import annotations

import operator as signs
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from kitwright.numerals import show, spelled
from kitwright.problems import describe, did_you_mean

LARGEST = 1e12
LONGEST_RESULT = 10_000
LONGEST_RANGE = 1000
BARE = "bare:"  # begins the message of an unknown name
NO_HOLDER = object()  # of a bare name


class FormulaError(ValueError):
    """An expression that cannot be understood or must not be evaluated."""


class UnknownValueError(Exception):
    """Something was done with a value that is not there."""


def _refuse(unknown: Unknown, *_: object) -> NoReturn:
    raise UnknownValueError(unknown.message)


class Unknown:
    """A name or field that is not there; the message is made only when somebody asks for it."""

    def __init__(self, name: object, holder: object = NO_HOLDER) -> None:
        self.name, self.holder = name, holder

    @property
    def message(self) -> str:
        """Say what is not there, and what is."""
        name, holder = self.name, self.holder
        if holder is NO_HOLDER:  # a bare name; only the caller knows the others
            return f"{BARE}{name}"
        if isinstance(holder, Mapping) and not holder:
            return f"is empty, so it has no '{name}'; expected a value"
        if isinstance(holder, Mapping):
            known = ", ".join(map(str, holder))
            hint = did_you_mean(str(name), map(str, holder))
            return f"has no '{name}'; expected one of {known}{hint}"
        if holder is None:
            return f"is empty, so it has no '{name}'; expected a value; test for it with 'when'"
        return f"is {describe(holder)}, so it has no '{name}'; expected a mapping"

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __pos__ = __neg__ = __int__ = __float__ = __call__ = __getitem__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __iter__ = __len__ = __contains__ = __bool__ = _refuse
    __eq__ = __ne__ = __str__ = __hash__ = _refuse


def within_range(*bounds: int) -> range:
    """Return a range of a sane length."""
    result = range(*bounds)
    if len(result) > LONGEST_RANGE:
        raise FormulaError(f"range() is longer than {LONGEST_RANGE}; expected fewer numbers")
    return result


def _replace(text: object, old: str, new: str) -> str:
    return capped(str(text).replace(old, new))


def _join(items: Any, between: str = "") -> str:
    return capped(between.join(show(item) for item in items))


def _round(value: float, digits: int = 0) -> float | int:
    return round(float(value), digits) if digits else round(float(value))


def _default(value: Any, other: Any = "") -> Any:
    return other if value is None or isinstance(value, Unknown) else value


def capped(text: str) -> str:
    """Refuse a text that is longer than any result may be."""
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
    "defined": lambda value: not isinstance(value, Unknown),
    "even": lambda value: value % 2 == 0,
    "in": lambda value, items: value in items,
    "none": lambda value: value is None,
    "odd": lambda value: value % 2 == 1,
    "undefined": lambda value: isinstance(value, Unknown),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {"max": max, "min": min, "range": within_range}
CALLS = f"this cannot be called; expected {', '.join(FUNCTIONS)}, or a filter such as |length"
_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": signs.add,
    "-": signs.sub,
    "*": signs.mul,
    "/": signs.truediv,
    "//": signs.floordiv,
    "%": signs.mod,
}


class Sandbox:
    """The rules that trees are closed over."""

    filters = FILTERS
    tests = TESTS

    def resolve(self, name: str, context: Mapping[str, Any]) -> Any:
        """Return what a bare name stands for: a value of the context, or a function."""
        if name in context:
            return context[name]
        return FUNCTIONS[name] if name in FUNCTIONS else Unknown(name)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Look a name up among a record's fields and nowhere else, so no method shadows one."""
        if isinstance(obj, Unknown):
            return obj
        if isinstance(obj, Mapping) and attribute in obj:
            return obj[attribute]
        return Unknown(attribute, obj)

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
        return Unknown(str(argument), obj)

    def invoke(self, function: Any, *args: Any, **named: Any) -> Any:
        """Call one of our functions, and nothing else."""
        if isinstance(function, Unknown):
            str(function)
        if function not in FUNCTIONS.values():
            raise FormulaError(CALLS)
        return function(*args, **named)

    def combine(self, operator: str, left: Any, right: Any) -> Any:
        """Apply an operator to numbers of a sane size, or join two texts or lists."""
        if operator == "+" and isinstance(left, str) and isinstance(right, str):
            return capped(left + right)
        if operator == "+" and isinstance(left, tuple | list) and isinstance(right, tuple | list):
            return (*left, *right)
        for value in (left, right):
            if isinstance(value, Unknown):
                str(value)  # raises with the name that is unknown
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise FormulaError(
                    f"'{operator}' stands beside {describe(value)}; expected numbers"
                )
            if abs(value) > LARGEST:
                raise FormulaError(f"a number is larger than {LARGEST:.0f}; expected a smaller one")
        if operator in ("/", "//", "%") and right == 0:
            raise FormulaError("a division by zero; expected another number")
        return _SIGNS[operator](left, right)
