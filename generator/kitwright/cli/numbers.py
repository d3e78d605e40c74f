"""Numbers on the command line: how they are read, and what is said of a wrong one."""

from __future__ import annotations

from typing import Any

import click


class Whole(click.IntRange):
    """A whole number between two others, both included."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say what was expected."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value}; expected a whole number, {self.min} to {self.max}", param, ctx)


class Measure(click.FloatRange):
    """A number with or without a fraction between two others, both included."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say what was expected."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            said = f"{value}; expected a number without a unit, {self.min:g} to {self.max:g}"
            self.fail(said, param, ctx)
