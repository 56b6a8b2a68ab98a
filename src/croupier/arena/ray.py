"""Runs the matches of an arena on a Ray cluster: the same jobs as on one machine, as Ray tasks.

Every node needs this package; programs and their directory must exist at the same path on every node.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

import msgspec

from croupier.arena import jobs
from croupier.arena.plan import Arena, Play, encode
from croupier.arena.results import Book

AHEAD: Final = 4
"""The number of running and queued matches per processor of the cluster."""
OBJECTS: Final = 100 << 20
"""Object store size of a cluster on this machine; matches and results are small."""
MISSING: Final = "Ray is not installed: run pip install 'croupier[cluster]', or omit --on ray"


def run(book: Book, many: int | None, show: Callable[[int], None], guests: jobs.Submit | None = None) -> None:
    """Play all matches that are due on the cluster, *many* at a time or one per processor."""
    jobs.run(book, lambda: Cluster(book.arena, many), show, guests)


def work(arena: str, play: str) -> str:
    """Play one match on the current node."""
    return encode(jobs.play_one(msgspec.json.decode(arena, type=Arena), msgspec.json.decode(play, type=Play)))


def connected(many: int | None) -> tuple[Any, bool]:
    """Return the module `ray`, connected to the cluster of RAY_ADDRESS or of this machine, or to a new one
    with *many* processors; and whether this call has connected it."""
    try:
        import ray
    except ImportError:
        raise jobs.ArenaFailed(MISSING) from None
    if ray.is_initialized():
        return ray, False
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage statistics
    on_term = signal.getsignal(signal.SIGTERM)
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        ray.init(address="auto", **quiet)
    except (ConnectionError, RuntimeError) as error:
        if os.environ.get("RAY_ADDRESS"):
            raise jobs.ArenaFailed(f"no Ray cluster at RAY_ADDRESS: {error}") from None
        ray.init(num_cpus=many, include_dashboard=False, object_store_memory=OBJECTS, **quiet)
    signal.signal(signal.SIGTERM, on_term)  # Ray has replaced our handler
    return ray, True


class Cluster:
    """The cluster of RAY_ADDRESS or of this machine; without one, a new cluster on this machine."""

    def __init__(self, arena: Arena, many: int | None) -> None:
        self._ray, self._ours = connected(many)
        processors = int(self._ray.cluster_resources().get("CPU", 1)) or 1
        self.room = many or AHEAD * processors
        # Ray itself repeats a task whose node dies.
        self._work: Any = self._ray.remote(work).options(num_cpus=1, max_retries=2)
        self._arena = self._ray.put(encode(arena))
        self._references: dict[Future[str], Any] = {}

    def submit(self, play: str) -> Future[str]:
        reference = self._work.remote(self._arena, play)
        future: Future[str] = reference.future()
        self._references[future] = reference
        future.add_done_callback(lambda done: self._references.pop(done, None))
        return future

    def died(self, error: BaseException) -> bool:
        known = self._ray.exceptions
        return isinstance(error, known.WorkerCrashedError | known.NodeDiedError | known.OutOfMemoryError)

    def replace(self) -> None:
        """Forget the matches in progress: all of them are submitted again, and Ray provides the workers."""
        self._cancel()

    def close(self) -> None:
        if self._ours:
            self._ray.shutdown()

    def stop(self) -> None:
        self._cancel()
        self.close()

    def _cancel(self) -> None:
        for reference in list(self._references.values()):
            self._ray.cancel(reference, force=True)
