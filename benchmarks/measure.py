"""How a command is measured: wall time and peak memory of a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from msgspec import Struct


class Cost(Struct, frozen=True):
    """What a process took."""

    seconds: float
    peak_mb: float


def run(arguments: Sequence[str], times: int = 1, cwd: str | None = None) -> Cost:
    """Run python with `arguments`; return the best of so many times."""
    costs = []
    for _ in range(times):
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, *arguments], cwd=cwd, env=_environment(), stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed with {child.returncode}")
        costs.append(Cost(seconds, usage.ru_maxrss / 1024))
    return min(costs, key=lambda cost: cost.seconds)


def _environment() -> dict[str, str]:
    """Let Python keep the bytecode of our modules, as it does where nobody tells it otherwise."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def show(name: str, figure: str, want: str) -> None:
    """Print one line of the report."""
    sys.stdout.write(f"{name:<58} {figure:>22}   {want}\n")
    sys.stdout.flush()
