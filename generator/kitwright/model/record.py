"""A mapping that cannot be changed, for data that many stages share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class Record(dict[str, Any]):
    """A read-only dict; it pickles, so that workers can be given a whole game."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a Record cannot be changed")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse
    __ior__ = _refuse

    def __reduce__(self) -> tuple[type[Record], tuple[dict[str, Any]]]:
        return Record, (dict(self),)


def freeze(value: Any) -> Any:
    """Return plain YAML data with every mapping a Record and every list a tuple."""
    if isinstance(value, Mapping):
        return Record({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(item) for item in value)
    return value
