"""Kitwright: print-and-play kits from YAML, proved playable."""

__version__ = "0.1.0"
