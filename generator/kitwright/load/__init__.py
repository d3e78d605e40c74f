"""From YAML, SVG and picture headers to the model: the only room that opens input files."""

from kitwright.load.game import load_game, variant_names
from kitwright.load.workspace import Workspace, find_workspace

__all__ = ["Workspace", "find_workspace", "load_game", "variant_names"]
