"""The same parcels of games on a Dask cluster; asked for with --cluster, installed as an extra."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kitwright.problems import MachineError, RequestError

WAIT = 10  # seconds for the scheduler to answer
PARCELS_A_THREAD = 4
_ADDRESS = re.compile(r"[a-z]+://[^\s/]+:\d+")


def play_on_cluster(
    address: str, work: Callable[[bytes, range], list[Any]], packed: bytes, numbers: range
) -> Iterator[list[Any]]:
    """Yield the games of each parcel in order, played by the workers of a cluster."""
    with _client(address) as client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise MachineError(f"the cluster at '{address}' has no workers; start some first")
        size = max(1, min(200, len(numbers) // (PARCELS_A_THREAD * threads)))
        parcels = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        shared = client.scatter(packed, broadcast=True)
        futures = [client.submit(work, shared, parcel, pure=False) for parcel in parcels]
        yield from _in_order(client, futures, address)


def _in_order(client: Any, futures: Sequence[Any], address: str) -> Iterator[list[Any]]:
    dask = _dask()
    lost = (dask.scheduler.KilledWorker, dask.CancelledError, dask.TimeoutError, OSError)
    try:
        for future in futures:
            yield future.result()
    except lost as error:
        raise MachineError(f"the cluster at '{address}' has lost its workers") from error
    finally:
        client.cancel(futures)


def _dask() -> Any:
    """Import what the extra installs; it takes a second, so only when it is asked for."""
    if find_spec("distributed") is None:
        raise MachineError(
            "--cluster needs Dask, which is not installed; run pip install 'kitwright[cluster]'"
        )
    return import_module("distributed")


def _client(address: str) -> Any:
    dask = _dask()
    if not _ADDRESS.fullmatch(address):
        raise RequestError(f"--cluster is '{address}'; expected such as tcp://host:8786")
    try:
        return dask.Client(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MachineError(f"no cluster answers at '{address}'") from error
