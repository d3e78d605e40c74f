"""A few blows of `make torture`: whatever ends a build, the kit is the old or the new one."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

WORKSPACE = Path(__file__).parent / "workspace"
SCRIPT = Path(__file__).parent.parent / "benchmarks" / "torture.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("torture", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["torture"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bench(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a small game that has been built once."""
    root = tmp_path_factory.mktemp("torture") / "space"
    shutil.copytree(WORKSPACE, root)
    file = "components/snail-mail/snails.yaml"
    text = (root / file).read_text(encoding="utf-8")
    texts = (text, text.replace("Quick Ida", "Quicker Ida"))
    made = script.Bench(root, script.Edit("snail-mail", file, texts))
    made.prepare()
    return made


def test_a_few_kills_lose_no_kit(script: ModuleType, bench: Any) -> None:
    script.kill_often(bench, 6, Random(3))
    assert bench.lost == []
    assert bench.outcomes["killed alive"] >= 1


def test_files_that_cannot_grow_end_the_build_with_3_and_lose_no_kit(
    script: ModuleType, bench: Any
) -> None:
    bench.outcomes.clear()
    script.limit_files(bench, 3)
    assert bench.lost == []
    assert bench.outcomes["exit 3"] >= 1


@pytest.mark.skipif(os.geteuid() == 0, reason="the super-user may write anywhere")
def test_a_read_only_output_ends_the_build_with_3(script: ModuleType, bench: Any) -> None:
    script.forbid_writing(bench, script.lock_of(bench, mounted=False))
    assert bench.lost == []


def test_two_builds_at_once_lose_no_kit(script: ModuleType, bench: Any) -> None:
    script.race(bench, 1)
    assert bench.lost == []


def test_a_spoilt_cache_is_as_good_as_none(script: ModuleType, bench: Any) -> None:
    script.spoil_cache(bench, 2, Random(5))
    assert bench.lost == []


def test_a_lost_kit_would_be_seen(script: ModuleType, bench: Any) -> None:
    bench.look("nothing")
    assert bench.lost == []
    spoilt = script.Bench(bench.root, bench.edit, bench.kits)
    part = next(path for path in sorted(bench.output.rglob("*.pdf")))
    whole = part.read_bytes()
    part.write_bytes(whole[:-1])
    spoilt.look("a file cut short")
    part.unlink()
    spoilt.look("a file that is gone")
    part.write_bytes(whole)
    assert [line.partition(":")[0] for line in spoilt.lost] == [
        "a file cut short",
        "a file that is gone",
    ]
