"""Check a part of a document against a model, and say what is wrong in a designer's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from kitwright.formulas import describe
from kitwright.load.source import ZERO_LED, Document
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
    "none_required": "nothing",
}


def read(
    model: type[M], document: Document, path: Steps, problems: list[Problem], data: Any = None
) -> M | None:
    """Return the value at `path` as a `model`, or None with every fault of it noted."""
    plain = document.node(path).plain() if data is None else data
    try:
        return model.model_validate(plain, strict=True)
    except ValidationError as error:
        problems.extend(explain(error, document, path, model))
        return None


def explain(
    error: ValidationError, document: Document, path: Steps, model: type[BaseModel]
) -> list[Problem]:
    """Turn pydantic's errors into problems, the best one for each place."""
    found: dict[Place, Problem] = {}
    for item in error.errors(include_url=False):
        problem = _problem(item, document, path, model)
        known = found.get(problem.place)
        if known is None or (known.code == "bad-type" != problem.code):
            found[problem.place] = problem
    return list(found.values())


def _problem(
    item: Mapping[str, Any], document: Document, path: Steps, model: type[BaseModel]
) -> Problem:
    steps = path + tuple(step for step in item["loc"] if _exists(document, path, item["loc"], step))
    kind, context, value = item["type"], item.get("ctx", {}), item["input"]
    name = _name(item["loc"])
    if kind == "missing":
        return Problem(document.place(*steps), "missing-key", f"'{item['loc'][-1]}' is missing")
    if kind == "extra_forbidden":
        key = str(item["loc"][-1])
        hint = did_you_mean(key, _siblings(model, item["loc"]))
        place = document.key_place(*path, *item["loc"])
        return Problem(place, "unknown-key", f"unknown key '{key}'{hint}")
    place = document.place(*steps)
    if kind in ("value_error", "assertion_error"):
        text = str(context.get("error", item["msg"]))
        return Problem(place, "bad-value", text if "'" in text or not name else f"{name}: {text}")
    if kind in _EXPECTED:
        return Problem(place, "bad-type", _wrong_type(name, value, _EXPECTED[kind]))
    if kind in ("literal_error", "enum"):
        options = _options(str(context["expected"]))
        text = f"{name} is {_shown(value)}; expected one of {', '.join(options)}"
        return Problem(place, "bad-choice", text + did_you_mean(str(value), options))
    return Problem(place, "bad-value", f"{name} is {_shown(value)}; {_bound(kind, context)}")


def _exists(document: Document, path: Steps, loc: Steps, step: str | int) -> bool:
    """Tell steps into the file from pydantic's own (union members, `[key]`)."""
    node = document.node(path)
    for part in loc:
        if isinstance(node.value, dict) and part in node.value:
            node = node.value[part].node
        elif isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
        elif part == step:
            return False
        if part == step:
            return True
    return False


def _name(loc: Steps) -> str:
    words = [
        str(s) for s in loc if isinstance(s, str) and s.replace("_", "").replace("-", "").isalnum()
    ]
    known = [w for w in words if w[:1].islower() and not w.endswith(("-validator", "str", "int"))]
    return known[-1] if known else ""


def _wrong_type(name: str, value: Any, expected: str) -> str:
    found = f"{name or 'this'} is {describe(value)}"
    if isinstance(value, str) and "number" in expected:
        if ZERO_LED.match(value):
            return f"{name} is '{value}'; a number does not begin with 0; quote it if it is text"
        if value.replace(".", "", 1).lstrip("-").isdecimal():
            return f"{name} is the text '{value}'; expected {expected}; remove the quotes"
    if expected == "text" and not isinstance(value, str | dict | list) and value is not None:
        return f"{found}; expected text; quote it"
    if value is None:
        return f"{name or 'this'} is empty; expected {expected}"
    return f"{found}; expected {expected}"


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else describe(value).removeprefix("the number ")


def _options(expected: str) -> list[str]:
    return [part.strip().strip("'") for part in expected.replace(" or ", ", ").split(",")]


def _bound(kind: str, context: Mapping[str, Any]) -> str:
    match kind:
        case "greater_than_equal":
            return f"expected at least {context['ge']:g}"
        case "less_than_equal":
            return f"expected at most {context['le']:g}"
        case "greater_than":
            return f"expected more than {context['gt']:g}"
        case "less_than":
            return f"expected less than {context['lt']:g}"
        case "string_pattern_mismatch":
            slash = ", with a '/' between folder and name" if "/" in context["pattern"] else ""
            return f"expected small letters, digits and single hyphens{slash}"
        case "string_too_long":
            return f"expected at most {context['max_length']} characters"
        case "too_short":
            return f"expected at least {context['min_length']} of them"
        case "too_long":
            return f"expected at most {context['max_length']} of them"
        case _:
            return "expected something else"


def _siblings(model: type[BaseModel], loc: Steps) -> list[str]:
    """List the keys that the model at `loc` knows."""
    current: Any = model
    for step in loc[:-1]:
        field = current.model_fields.get(step) if isinstance(step, str) else None
        inner = _inner_model(field.annotation) if field is not None else None
        if inner is None:
            continue
        current = inner
    return [info.alias or name for name, info in current.model_fields.items()]


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        if (found := _inner_model(part)) is not None:
            return found
    return None
