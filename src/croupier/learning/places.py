"""Where the parts of a round are played: in this process, in several, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from croupier.learning.trainer import Map


@contextmanager
def here(processes: int) -> Iterator[Map]:
    """Use *processes* on this machine; 1 is this process itself."""
    if processes == 1:
        yield lambda function, jobs: [function(*job) for job in jobs]
        return
    # With Ctrl-C only this process ends the training; the others stop when it closes their queue.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        processes, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:

        def spread(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
            return [future.result() for future in [pool.submit(function, *job) for job in jobs]]

        yield spread


@contextmanager
def on_ray(ray: Any, started: bool) -> Iterator[Map]:
    """Use the cluster that *ray* is connected to; disconnect afterwards if this process has *started* it."""

    def spread(function: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
        task = ray.remote(function).options(num_cpus=1, max_retries=2)
        found: list[Any] = ray.get([task.remote(*job) for job in jobs])
        return found

    try:
        yield spread
    finally:
        if started:
            ray.shutdown()
