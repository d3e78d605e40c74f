"""The wheel works outside the checkout."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_an_installed_wheel_builds_a_kit_in_an_empty_folder(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    subprocess.run([*pip, "--no-deps", "-w", tmp_path / "wheels", ROOT], check=True)
    (wheel,) = (tmp_path / "wheels").glob("kitwright-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    folder = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([folder / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    empty = tmp_path / "empty"
    empty.mkdir()
    subprocess.run([folder / "kitwright", "build", "hard-wired"], cwd=empty, check=True)
    assert (empty / "output/hard-wired/kit-a4.pdf").stat().st_size > 10_000
