"""Work in shares: processes that fork from this one do some of the tasks and send back what came.

A child begins with all that was loaded and composed here, and leaves nothing behind: it writes to
its pipe alone. Knows nothing of what the tasks do.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from kitwright.problems import InvalidInputError, MachineError

T = TypeVar("T")
Task = Callable[[], T]
Tell = Callable[[int, int], None]
_Outcome = tuple[Any, InvalidInputError | None]
_THREADS = Path("/proc/self/task")


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_out(tasks: Sequence[Task[T]], workers: int, tell: Tell | None = None) -> list[T]:
    """Do all tasks, so many at a time; return their results in order, or raise their faults.

    `tell` hears how many are done, and of how many.
    """
    count = max(1, min(workers, len(tasks))) if can_fork() else 1
    gc.freeze()  # so that a child's sweep need not copy what is here already
    children = [_Child(tasks[first::count]) for first in range(1, count)]
    done = 0
    shares: list[list[_Outcome]] = [[]]
    try:
        for task in tasks[::count]:
            shares[0].append(_outcome(task))
            done += 1
            if tell is not None:
                tell(done, len(tasks))
        for child in children:
            shares.append(child.outcomes())
            done += len(shares[-1])
            if tell is not None:
                tell(done, len(tasks))
    finally:
        for child in children:
            child.end()
        gc.unfreeze()
    return _results([shares[at % count][at // count] for at in range(len(tasks))])


def can_fork() -> bool:
    """Tell whether this process can be doubled: a thread would be lost on the way."""
    return sys.platform == "linux" and _THREADS.is_dir() and len([*_THREADS.iterdir()]) == 1


def _outcome(task: Task[Any]) -> _Outcome:
    try:
        return task(), None
    except InvalidInputError as fault:
        return None, fault


def _results(outcomes: Sequence[_Outcome]) -> list[Any]:
    problems = [problem for _, fault in outcomes if fault for problem in fault.problems]
    if problems:
        raise InvalidInputError(problems)
    return [result for result, _ in outcomes]


class _Child:
    """A process with some of the tasks."""

    def __init__(self, tasks: Sequence[Task[Any]]) -> None:
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            os.close(reading)
            _work(tasks, writing)
        os.close(writing)
        self._pipe = os.fdopen(reading, "rb")
        self._heard = False

    def outcomes(self) -> list[_Outcome]:
        """Wait for what came of the tasks."""
        sent = self._pipe.read()
        self._heard = True
        try:
            found: list[_Outcome] = pickle.loads(sent)
        except (EOFError, pickle.UnpicklingError):
            raise MachineError("a process that drew pages ended before its time") from None
        return found

    def end(self) -> None:
        """Let go of the process, also where nobody wants to hear of it any more."""
        self._pipe.close()
        if not self._heard:
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _work(tasks: Sequence[Task[Any]], pipe: int) -> None:
    """Do tasks, send what came of them, and leave: nothing of this process goes on behind them."""
    try:
        sent = pickle.dumps([_outcome(task) for task in tasks], protocol=5)
        with os.fdopen(pipe, "wb") as file:
            file.write(sent)
    except (KeyboardInterrupt, BrokenPipeError):
        os._exit(1)  # the parent has been told, or is gone
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
