"""The user's settings: what is true of their printers, whatever they print.

One JSON file in a folder that the command names; replaced whole or not at all.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from msgspec import Struct

from kitwright.model.paper import Printer
from kitwright.problems import MachineError, RequestError, did_you_mean

FILE = "printers.json"
FARTHEST, STEEPEST = 10.0, 3.0  # mm and degrees; more is no error of a printer


class Settings(Struct, frozen=True):
    """The folder of a user's settings."""

    folder: Path

    @property
    def file(self) -> Path:
        """Where the printers are kept."""
        return self.folder / FILE

    def printers(self) -> dict[str, Printer]:
        """Return all printers that were calibrated, by name."""
        try:
            data = json.loads(self.file.read_text(encoding="utf-8"))
            return {name: _printer(name, row) for name, row in sorted(data["printers"].items())}
        except FileNotFoundError:
            return {}
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            raise MachineError(f"the settings '{self.file}' cannot be read: {why}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise MachineError(
                f"the settings '{self.file}' are damaged; mend or delete that file, "
                "then calibrate again"
            ) from None

    def printer(self, name: str) -> Printer:
        """Return one printer; an unknown one is a fault of the command line."""
        known = self.printers()
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known) or 'none'}"
            raise RequestError(
                f"the printer '{name}' is not calibrated{hint}; "
                f"print the page of 'kitwright calibrate --printer {name}' first"
            )
        return known[name]

    def keep(self, printer: Printer) -> None:
        """Store what is true of a printer."""
        known = {**self.printers(), printer.name: printer}
        rows = {
            name: {"x": each.x, "y": each.y, "angle": each.angle}
            for name, each in sorted(known.items())
        }
        text = json.dumps({"printers": rows}, indent=1, ensure_ascii=False) + "\n"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            beside = self.file.with_name(f".{FILE}.{os.getpid()}.new")
            try:
                beside.write_text(text, encoding="utf-8")
                beside.replace(self.file)
            finally:
                beside.unlink(missing_ok=True)
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            raise MachineError(f"the settings '{self.file}' cannot be written: {why}") from None


def _printer(name: str, row: Any) -> Printer:
    x, y, angle = float(row["x"]), float(row["y"]), float(row.get("angle", 0.0))
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST and abs(angle) <= STEEPEST):
        raise ValueError(name)
    return Printer(name, x, y, angle)


def read_offset(name: str, text: str) -> Printer:
    """Read X,Y[,ANGLE] as it is typed."""
    parts = text.split(",")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise RequestError(
            f"--set is '{text}'; expected X,Y or X,Y,ANGLE in mm and degrees, such as 0.4,-0.2,0.1"
        )
    x, y, angle = (*numbers, 0.0)[:3]
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST and abs(angle) <= STEEPEST):
        raise RequestError(
            f"--set is '{text}'; expected at most {FARTHEST:g} mm either way and "
            f"{STEEPEST:g} degrees"
        )
    return Printer(name, x, y, angle)
