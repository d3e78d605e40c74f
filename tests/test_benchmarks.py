"""The benchmarks run: nobody sees what a benchmark says that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kit", "warm", "scale", "images", "exports"])
def test_a_benchmark_of_the_press_ends_with_figures(name: str) -> None:
    done = subprocess.run(
        [sys.executable, f"{name}.py"], cwd=BENCHMARKS, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) >= 2
