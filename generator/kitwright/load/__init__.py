"""From YAML, SVG and picture headers to the model: the only room that opens input files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kitwright.load.workspace import Workspace, find_workspace, variant_names

if TYPE_CHECKING:
    from kitwright.load.game import load_game

__all__ = ["Workspace", "find_workspace", "load_game", "variant_names"]


def __getattr__(name: str) -> Any:
    """Import what reads YAML when it is first asked for: a kit that stands needs none of it."""
    if name == "load_game":
        from kitwright.load.game import load_game

        return load_game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
