"""Check a part of a document against a model, and say what is wrong in a designer's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from kitwright.formulas import FormulaError, describe
from kitwright.load.source import ZERO_LED, Document
from kitwright.model.components import FIELD_PATTERN, ID_PATTERN, LAYOUT_PATTERN
from kitwright.model.layouts import BOX_PATTERN
from kitwright.model.verbs import Verb
from kitwright.problems import Place, Problem, did_you_mean

M = TypeVar("M", bound=BaseModel)
Steps = tuple[str | int, ...]

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


def read(
    model: type[M],
    document: Document,
    path: Steps,
    problems: list[Problem],
    data: Any = None,
    subject: str = "",
    also: Sequence[str] = (),
) -> M | None:
    """Return the value at `path` as a `model`, or None with every fault of it noted.

    `subject` goes before each message; `also` are keys that another model reads.
    """
    plain = document.node(path).plain() if data is None else data
    try:
        return model.model_validate(plain, strict=True)
    except ValidationError as error:
        known = {problem.place for problem in problems}  # the parser's faults come first
        found = _Explainer(document, path, model, subject, also).explain(error)
        problems.extend(problem for problem in found if problem.place not in known)
        return None


class _Explainer:
    """Turns pydantic's errors into problems."""

    def __init__(
        self,
        document: Document,
        path: Steps,
        model: type[BaseModel],
        subject: str,
        also: Sequence[str],
    ) -> None:
        self.document = document
        self.path = path
        self.model = model
        self.subject = f"{subject}: " if subject else ""
        self.also = tuple(also)

    def explain(self, error: ValidationError) -> list[Problem]:
        """Return one problem for each value that is wrong."""
        by_steps: dict[Steps, list[ErrorDetails]] = {}
        missing: list[ErrorDetails] = []
        for item in error.errors(include_url=False):
            if item["type"] == "missing":
                missing.append(item)
            else:
                by_steps.setdefault(self.steps(item["loc"]), []).append(item)
        # A value that fits no member of a choice is told by the member that looked deepest.
        deepest = [
            items
            for steps, items in by_steps.items()
            if not any(steps == other[: len(steps)] and steps != other for other in by_steps)
            or any(item["type"] not in _EXPECTED for item in items)
        ]
        found = [self.problem(items) for items in deepest]
        said = " ".join(problem.message for problem in found)
        meant = [i for i in missing if f"did you mean '{i['loc'][-1]}'" not in said]
        return found + [self.missing(item) for item in meant]

    def steps(self, loc: Steps) -> Steps:
        """Keep the steps that lead into the file, not those into pydantic's own parts."""
        node = self.document.node(self.path)
        found: list[str | int] = []
        for step in loc:
            if isinstance(node.value, dict) and step in node.value:
                node = node.value[step].node
                found.append(step)
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                found.append(step)
        return tuple(found)

    def missing(self, item: ErrorDetails) -> Problem:
        """Say that a key is missing, and what it is for."""
        loc = item["loc"]
        model = _model_at(self.model, loc[:-1])
        about = next(
            (f.description for n, f in model.model_fields.items() if loc[-1] in (n, f.alias)), None
        )
        place = self.document.place(*self.path, *self.steps(loc[:-1]))
        text = f"'{loc[-1]}' is missing; expected {about or 'it here'}"
        return Problem(place, "missing-key", self.subject + text)

    def problem(self, items: list[ErrorDetails]) -> Problem:
        """Say what is wrong with one value."""
        best = next((item for item in items if item["type"] not in _EXPECTED), items[0])
        kind, value = best["type"], best["input"]
        steps = self.steps(best["loc"])
        place = self.document.place(*self.path, *steps)
        name = self.name(steps)
        if steps == ("id",):
            self.subject = ""  # the card would be named by what is wrong with its name
        if kind == "extra_forbidden":
            return self.unknown_key(best)
        if best["loc"][-1:] == ("[key]",):
            place = self.document.key_place(*self.path, *steps)
            text = f"the name '{steps[-1]}' cannot be used; {self.bound(best)}"
            return Problem(place, "bad-name", self.subject + text)
        if kind in ("value_error", "assertion_error"):
            return self.refused(best, name, place)
        if kind in _EXPECTED:
            expected = " or ".join(dict.fromkeys(_EXPECTED[i["type"]] for i in items))
            text = _wrong_type(name, value, expected)
            return Problem(place, "bad-type", self.subject + text)
        if kind in ("literal_error", "enum"):
            options = _options(str(best.get("ctx", {})["expected"]))
            text = f"{name} is {_shown(value)}; expected one of {', '.join(options)}"
            return Problem(
                place, "bad-choice", self.subject + text + did_you_mean(str(value), options)
            )
        bound = self.bound(best)
        code, text = "bad-value", f"{name} is {_shown(value)}; {bound}"
        if kind in ("too_short", "too_long"):
            text = f"{name} has {len(value)} items; {bound}"
        elif _pattern(best) == LAYOUT_PATTERN and _WAY_OUT.search(value):
            code = "outside-project"
            text = f"{name} is {_shown(value)}, which leads outside the project; {bound}"
        return Problem(place, code, self.subject + text)

    def bound(self, item: ErrorDetails) -> str:
        """Say what a value may be: both ends of a range where it has two."""
        loc = [step for step in item["loc"] if isinstance(step, str)]
        fields = _model_at(self.model, item["loc"][:-1]).model_fields.items()
        info = next((f for n, f in fields if loc and loc[-1] in (n, f.alias)), None)
        limits = dict(_limits(info.annotation, info.metadata)) if info is not None else {}
        if {"ge", "le"} <= limits.keys() and item["type"].endswith("_equal"):
            return f"expected {limits['ge']:g} to {limits['le']:g}"
        return _bound(item)

    def refused(self, item: ErrorDetails, name: str, place: Place) -> Problem:
        """Say what one of our own checks has found."""
        error = item.get("ctx", {}).get("error")
        text = str(error if error is not None else item["msg"])
        if isinstance(error, FormulaError):
            whole = f"{name} {text}" if text.startswith(("is ", "names ")) else f"{name}: {text}"
            return Problem(place, "bad-formula", self.subject + whole)
        whole = f"{name} {text}" if text.startswith(("is ", "has ")) else text
        return Problem(place, "bad-value", self.subject + whole)

    def unknown_key(self, item: ErrorDetails) -> Problem:
        """Say that a key is unknown, and which ones are known."""
        key = str(item["loc"][-1])
        model = _model_at(self.model, item["loc"][:-1])
        known = [field.alias or name for name, field in model.model_fields.items()]
        known.sort(key=lambda name: name in Verb.model_fields)  # what every verb has comes last
        if model is self.model:
            known = [*self.also, *known]
        place = self.document.key_place(*self.path, *self.steps(item["loc"]))
        text = f"unknown key '{key}'; expected one of {', '.join(known)}"
        return Problem(place, "unknown-key", self.subject + text + did_you_mean(key, known))

    def name(self, steps: Steps) -> str:
        """Name a value: its key, or its number in the list of a key."""
        whole = self.path + steps
        keys = [step for step in whole if isinstance(step, str)]
        if whole and isinstance(whole[-1], int):
            return f"item {whole[-1] + 1} of {keys[-1]}" if keys else f"item {whole[-1] + 1}"
        return str(keys[-1]) if keys else "the file"


def _wrong_type(name: str, value: Any, expected: str) -> str:
    if value is None:
        return f"{name} is empty; expected {expected}"
    if isinstance(value, str) and "number" in expected:
        if ZERO_LED.match(value):
            text = f"{name} is '{value}'; expected {expected}, which does not begin with 0"
            return f"{text}; quote it where it is text"
        if value.replace(".", "", 1).lstrip("-").isdecimal():
            return f"{name} is the text '{value}'; expected {expected}; remove the quotes"
    if expected == "text" and isinstance(value, bool | int | float):
        return f"{name} is {describe(value)}; expected text; quote it"
    return f"{name} is {describe(value)}; expected {expected}"


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 60 else f"'{value[:59]}…'"
    return describe(value).removeprefix("the number ")


def _options(expected: str) -> list[str]:
    return [part.strip().strip("'") for part in expected.replace(" or ", ", ").split(",")]


def _bound(item: ErrorDetails) -> str:
    context = item.get("ctx", {})
    match item["type"]:
        case "greater_than_equal":
            return f"expected at least {context['ge']:g}"
        case "less_than_equal":
            return f"expected at most {context['le']:g}"
        case "greater_than":
            return f"expected more than {context['gt']:g}"
        case "string_pattern_mismatch":
            return f"expected {_PATTERNS.get(context['pattern'], 'other signs')}"
        case "string_too_short" | "too_short":
            return f"expected at least {context['min_length']}"
        case "string_too_long":
            return f"expected at most {context['max_length']} characters"
        case "too_long":
            return f"expected at most {context['max_length']}"
        case _:
            return "expected another value"


def _pattern(item: ErrorDetails) -> str:
    return str(item.get("ctx", {}).get("pattern", ""))


def _limits(annotation: Any, metadata: Sequence[Any] = ()) -> Iterator[tuple[str, float]]:
    """Find the bounds of a number in its type."""
    for each in (*metadata, *getattr(annotation, "__metadata__", ())):
        for key in ("ge", "le"):
            if hasattr(each, key):
                yield key, getattr(each, key)
    for part in getattr(annotation, "__args__", ()):
        yield from _limits(part)


_WAY_OUT = re.compile(r"\.\.|^/|\\|^[A-Za-z]:|%[0-9A-Fa-f]{2}")
_PATTERNS: Mapping[str, str] = {
    ID_PATTERN: "small letters, digits and single hyphens, such as 'old-owl'",
    LAYOUT_PATTERN: "a folder and a file of layouts/, such as 'my-game/card'",
    FIELD_PATTERN: "small letters, digits and '_', such as 'hit_points'",
    BOX_PATTERN: "small letters, digits, '-' and '_', such as 'title-left'",
}


def _model_at(model: type[BaseModel], loc: Steps) -> type[BaseModel]:
    """Return the model that reads the value at `loc`."""
    current = model
    for step in loc:
        fields = current.model_fields
        named = [f for n, f in fields.items() if isinstance(step, str) and step in (n, f.alias)]
        inner = _inner_model(named[0].annotation) if named else None
        current = inner or current
    return current


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if (found := _inner_model(part)) is not None:
            return found
    return None
