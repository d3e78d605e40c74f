"""simulate --cluster: a real scheduler with two workers plays the same games."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from kitwright.cli import cli
from kitwright.load import load_game
from kitwright.play import cluster
from kitwright.play.simulate import simulate
from kitwright.problems import MachineError

ROOT = Path(__file__).parent.parent
GENERATOR = ROOT / "generator"


def free_port() -> int:
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        port: int = plug.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as plug:
        plug.settimeout(0.2)
        return plug.connect_ex(("127.0.0.1", port)) == 0


def start(*words: str) -> subprocess.Popen[bytes]:
    """Start a part of a cluster as a process of its own, as on real machines."""
    known = {**os.environ, "PYTHONPATH": str(GENERATOR)}
    command = [sys.executable, "-m", *words, "--no-dashboard"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, env=known, stdout=quiet, stderr=quiet)


def end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that was told to stop; one that is deaf on a busy machine is killed."""
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers."""
    port = free_port()
    where = f"tcp://127.0.0.1:{port}"
    host = ("--host", "127.0.0.1", "--port", str(port))
    started = [start("distributed.cli.dask_scheduler", *host)]
    try:
        while not listens(port):
            assert started[0].poll() is None, "the scheduler has gone"
            time.sleep(0.1)
        folder = str(tmp_path_factory.mktemp("dask"))
        words = (where, "--nthreads", "1", "--no-nanny", "--local-directory", folder)
        started += [start("distributed.cli.dask_worker", *words) for _ in range(2)]
        with import_module("distributed").Client(where, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield where
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            end(process)


def test_a_cluster_gives_the_numbers_of_one_process(address: str) -> None:
    game = load_game(ROOT, "hard-wired")
    here, there = (
        simulate(game, 3, ["greedy", "random"], 90, 7, 1, None, where) for where in (None, address)
    )
    assert there.pop("run")["workers"] == address
    del here["run"]
    assert there == here


def test_the_command_plays_on_a_cluster(address: str) -> None:
    args = ["simulate", "hard-wired", "--games", "20", "--cluster", address, "--json"]
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["finished"] == 20


def test_a_cluster_that_is_not_there_is_the_machines_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WAIT", 0.5)
    where = f"tcp://127.0.0.1:{free_port()}"
    result = CliRunner().invoke(cli, ["simulate", "hard-wired", "--cluster", where])
    assert result.exit_code == 3
    assert result.output == f"kitwright: no cluster answers at '{where}'\n"


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(MachineError, match=r"run pip install 'kitwright\[cluster\]'"):
        list(cluster.play_on_cluster("tcp://x:1", lambda *_: [], b"", range(1)))
