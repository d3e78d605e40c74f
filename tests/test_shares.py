"""Work in shares: what processes make together is what one makes alone.

Each test runs in a process of its own: one that has threads, as test runners have, never forks.
"""

from __future__ import annotations

import filecmp
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

GENERATOR = Path(__file__).parent.parent / "generator"
WORKSPACE = Path(__file__).parent / "workspace"
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks")


def python(code: str) -> str:
    """Run some code; return what it printed."""
    done = run("-c", dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(GENERATOR)}
    return subprocess.run(
        [sys.executable, *words], env=env, capture_output=True, text=True, check=False
    )


@linux
def test_tasks_are_done_by_several_processes_and_come_back_in_order() -> None:
    told = python("""
        import os, time
        from kitwright.write.shares import share_out
        tasks = [lambda n=n: (time.sleep(0.2), n, os.getpid()) for n in range(7)]
        for workers in (1, 2, 20):
            found = share_out(tasks, workers)
            pids = {pid for _, _, pid in found}
            print([n for _, n, _ in found], len(pids) if workers < 3 else len(pids) > 2)
    """)
    order = "[0, 1, 2, 3, 4, 5, 6]"
    assert told.splitlines() == [f"{order} 1", f"{order} 2", f"{order} True"]


@linux
def test_whoever_is_free_takes_the_next_task() -> None:
    told = python("""
        import os, time
        from kitwright.write.shares import share_out
        def task(n):
            time.sleep(1.0 if n == 0 else 0.02)
            return os.getpid()
        pids = share_out([lambda n=n: task(n) for n in range(6)], 2)
        print(len(set(pids[1:])), pids[0] in pids[1:])
    """)
    assert told == "1 False\n", "one does the long task, the other all the short ones"


def test_the_faults_of_all_tasks_are_told_together() -> None:
    told = python("""
        from kitwright.problems import InvalidInputError, Place, Problem
        from kitwright.write.shares import share_out
        def fail(line):
            raise InvalidInputError([Problem(Place("a.yaml", line, 1), "bad-value", "no good")])
        tasks = [lambda: fail(3), lambda: 1, lambda: fail(2), lambda: fail(2)]
        for workers in (1, 2):
            try:
                share_out(tasks, workers)
            except InvalidInputError as error:
                print([problem.place.line for problem in error.problems])
    """)
    assert told.splitlines() == ["[2, 3]", "[2, 3]"]


@linux
def test_a_process_that_is_killed_is_a_fault_of_the_machine() -> None:
    told = python("""
        import os, signal, time
        from kitwright.problems import MachineError
        from kitwright.write.shares import share_out
        parent = os.getpid()
        def die():
            if os.getpid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(0.5)
        try:
            share_out([die, die], 2)
        except MachineError as error:
            print(error)
    """)
    assert told == "a process that drew pages ended before its time\n"


@linux
def test_a_process_that_the_machine_refuses_tells_why() -> None:
    told = python("""
        import os, resource, time
        from kitwright.problems import MachineError
        from kitwright.write.shares import share_out
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        parent = os.getpid()
        try:
            share_out([lambda: time.sleep(0.5) if os.getpid() == parent else bytes(5000)] * 2, 2)
        except MachineError as error:
            print(error)
    """)
    assert told == "a process that drew pages could not go on (file too large)\n"


@linux
def test_a_bug_in_a_process_is_told_with_its_traceback() -> None:
    code = """
        import os, time
        from kitwright.write.shares import share_out
        parent = os.getpid()
        share_out([lambda: time.sleep(0.5) if os.getpid() == parent else 1 / 0] * 2, 2)
    """
    done = run("-c", dedent(code))
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


@linux
def test_a_process_with_threads_does_not_fork() -> None:
    told = python("""
        import threading
        from kitwright.write.shares import can_fork
        print(can_fork())
        stop = threading.Event()
        threading.Thread(target=stop.wait).start()
        print(can_fork())
        stop.set()
    """)
    assert told.splitlines() == ["True", "False"]


def build(output: Path, *words: str) -> None:
    done = run(
        "-m", "kitwright", "--workspace", str(WORKSPACE), "build", "--output", str(output), *words
    )
    assert done.returncode == 0, done.stderr


def test_kits_are_the_same_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for workers in ("1", "2", "5"):
        build(tmp_path / workers, "--no-cache", "--workers", workers)
    names = [p.relative_to(tmp_path / "1") for p in (tmp_path / "1").rglob("*") if p.is_file()]
    assert len(names) > 10
    for workers in ("2", "5"):
        same, _, _ = filecmp.cmpfiles(tmp_path / "1", tmp_path / workers, names, shallow=False)
        assert len(same) == len(names)
