"""Keep the tables of keys in the manuals true: they are made from the models.

A table stands between `<!-- keys: NAME -->` and `<!-- end -->`; `make gallery` makes it anew and
a test compares. NAME is a verb, or a model of the languages.
"""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from kitwright.model import components, destination, dress, layouts, rulebook, verbs
from kitwright.model.verbs import VERBS, Column, Verb

ROOT = Path(__file__).parent.parent
MANUALS = (ROOT / "components/README.md", ROOT / "layouts/README.md")
BLOCK = re.compile(r"<!-- keys: (\w+) -->\n.*?<!-- end -->", re.DOTALL)
SHARED = set(Verb.model_fields)


def refreshed(text: str) -> str:
    """Return a manual with every table of keys made anew."""
    return BLOCK.sub(lambda match: block(match[1]), text)


def block(name: str) -> str:
    """Return one table with its marks."""
    return f"<!-- keys: {name} -->\n{table(model_named(name))}<!-- end -->"


def model_named(name: str) -> type[BaseModel]:
    """Find a verb or a model by its name."""
    if name in VERBS:
        return VERBS[name]
    if name == "column":
        return Column
    for module in (components, layouts, dress, verbs, rulebook, destination):
        found = getattr(module, name, None)
        if isinstance(found, type) and issubclass(found, BaseModel):
            return found
    raise KeyError(f"there is no model '{name}'")


def table(model: type[BaseModel]) -> str:
    """List the keys of a model; what all verbs take is told once."""
    rows = ["| key | what it is | |", "| --- | --- | --- |"]
    for name, field in model.model_fields.items():
        if issubclass(model, Verb) and name in SHARED and model is not Verb:
            continue
        need = "needed" if field.is_required() else default(field.default)
        about = (field.description or "").replace("|", "\\|")
        about += options(field.annotation, about)
        rows.append(f"| `{field.alias or name}` | {about} | {need} |")
    return "\n".join(rows) + "\n"


def options(annotation: Any, told: str) -> str:
    """Return the words that a key may be, unless they were told."""
    found = [word for word in literals(annotation) if str(word) not in told]
    return f": {', '.join(f'`{word}`' for word in literals(annotation))}" if found else ""


def literals(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a Literal, also within a union."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    if get_origin(annotation) in (Union, types.UnionType, Annotated):
        return next((found for part in get_args(annotation) if (found := literals(part))), ())
    return ()


def default(value: Any) -> str:
    """Say what holds when a key is left out."""
    if value is None or value in ("", [], {}, False):
        return ""
    if value is True:
        return "true"
    return f"{value:g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Write the manuals anew."""
    for path in MANUALS:
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
