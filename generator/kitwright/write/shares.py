"""Work in shares: processes that fork from this one do some of the tasks and send back what came.

A child begins with all that was loaded and composed here, and leaves nothing behind but what it
found, in memory that both see. Knows nothing of what the tasks do.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeVar

from kitwright.problems import InvalidInputError, MachineError

T = TypeVar("T")
Task = Callable[[], T]
Tell = Callable[[int, int], None]
_Outcome = tuple[Any, InvalidInputError | None]
_THREADS = Path("/proc/self/task")
_REFUSED = 100  # an exit code above is what the machine said, as errno numbers it
_WIDTH = 4  # bytes of a number in the queue; so few are read at once or not at all


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share_out(tasks: Sequence[Task[T]], workers: int, tell: Tell | None = None) -> list[T]:
    """Do all tasks, so many at a time; return their results in order, or raise their faults.

    Whoever is free takes the next. `tell` hears how many are done here, and of how many.
    """
    count = max(1, min(workers, len(tasks))) if can_fork() else 1
    gc.freeze()  # so that a child's sweep need not copy what is here already
    queue = _Queue(len(tasks))
    children = [_Child(tasks, queue) for _ in range(1, count)]
    outcomes: dict[int, _Outcome] = {}
    try:
        for at in queue.taken():
            outcomes[at] = _outcome(tasks[at])
            if tell is not None:
                tell(len(outcomes), len(tasks))
        for child in children:
            outcomes.update(child.outcomes())
        if tell is not None:
            tell(len(outcomes), len(tasks))
    finally:
        queue.close()
        for child in children:
            child.end()
        gc.unfreeze()
    return _results([outcomes[at] for at in range(len(tasks))])


class _Queue:
    """The numbers of tasks that nobody has taken yet, in a pipe that all processes read."""

    def __init__(self, count: int) -> None:
        self._reading, writing = os.pipe()
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(b"".join(at.to_bytes(_WIDTH, "big") for at in range(count)))

    def taken(self) -> Iterator[int]:
        """Yield the tasks that this process takes, until there are none."""
        while number := os.read(self._reading, _WIDTH):
            yield int.from_bytes(number, "big")

    def close(self) -> None:
        """Take no more."""
        os.close(self._reading)


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
    """A process that does some of the tasks, and writes what came of them into shared memory."""

    def __init__(self, tasks: Sequence[Task[Any]], queue: _Queue) -> None:
        self._memory = os.memfd_create("kitwright")  # a pipe would have to be read meanwhile
        self._pid = os.fork()
        if not self._pid:
            _work(tasks, queue, self._memory)
        self._heard = False

    def outcomes(self) -> dict[int, _Outcome]:
        """Wait for what came of its tasks."""
        _, status = os.waitpid(self._pid, 0)
        self._heard = True
        code = os.waitstatus_to_exitcode(status)
        if code > _REFUSED:
            why = os.strerror(code - _REFUSED).lower()
            raise MachineError(f"a process that drew pages could not go on ({why})")
        if code:
            raise MachineError("a process that drew pages ended before its time")
        with mmap(self._memory, 0, access=ACCESS_READ) as sent:
            found: dict[int, _Outcome] = pickle.loads(sent)
        return found

    def end(self) -> None:
        """Let go of the process, also where nobody wants to hear of it any more."""
        os.close(self._memory)
        if not self._heard:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


def _work(tasks: Sequence[Task[Any]], queue: _Queue, memory: int) -> None:
    """Do tasks, leave what came of them, and go: nothing of this process goes on behind them."""
    try:
        outcomes = {at: _outcome(tasks[at]) for at in queue.taken()}
        with os.fdopen(memory, "wb") as file:
            pickle.dump(outcomes, file, protocol=5)
    except KeyboardInterrupt:
        os._exit(1)  # the parent has been told
    except OSError as error:
        os._exit(_REFUSED + (error.errno or 0))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
