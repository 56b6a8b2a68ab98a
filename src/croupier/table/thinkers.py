"""Processes that think for searching bots, so that no table waits for another one's thoughts.

Each process is driven by a thread here, which hands it one task after the other: first the one whose time is
up first, so that nobody is passed over for long and people come before bots that play among themselves; but a
seat's next task goes to the process that knows the match already if that one is free. Processes are started
when there is work, one for each core at most and with low priority; one that dies or hangs is replaced, and
the task it had fails (its table then lets the heuristic decide). When more tasks wait than there are
processes, each gets a smaller share of its time: everybody's bots think less rather than some not at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import logging
import os
import signal
import threading
import time
from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.sharedctypes import RawValue
from typing import Final, Protocol, TypeAlias

from croupier.table.mind import Mind
from croupier.table.task import Task

log = logging.getLogger(__name__)

NICE: Final = 19
HUNG: Final = 10.0
"""So many seconds after its time a process that has not answered is taken for hung."""
LOOK: Final = 0.25
"""Seconds between two looks whether an answer is still waited for."""
GOODBYE: Final = 2.0
"""Seconds for a process to end by itself."""
LEAST: Final = 0.02
"""However many wait, so many seconds a task gets."""

Answer: TypeAlias = Callable[[int | None], None]
Cancel: TypeAlias = Callable[[], None]


class Thinks(Protocol):
    """Whoever finds answers to tasks."""

    def ask(self, task: Task, answer: Answer) -> Cancel:
        """Think about *task*: *answer* hears the action, or None if there is none, in the event loop that
        runs now and never before this returns. Calling what is returned cancels: then it hears nothing."""
        ...


@dataclass(slots=True, eq=False)
class _Order:
    """A task and who waits for it."""

    number: int
    task: Task
    answer: Answer
    loop: asyncio.AbstractEventLoop
    since: float = field(default_factory=time.monotonic)
    cancelled: bool = False

    @property
    def rank(self) -> tuple[float, int]:
        """Return when its time is up, and its number."""
        return self.since + self.task.seconds, self.number

    @property
    def home(self) -> tuple[str, int]:
        return self.task.match, self.task.seat

    def tell(self, action: int | None) -> None:
        """Give the answer to the event loop that asked, if it still runs."""
        if not self.cancelled:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._tell, action)

    def _tell(self, action: int | None) -> None:
        if not self.cancelled:
            self.answer(action)


@dataclass(slots=True)
class Figures:
    """What thinkers have done so far."""

    answered: int = 0
    failed: int = 0
    cancelled: int = 0
    seconds: float = 0.0
    """Time that tasks took, all processes together."""
    waited: float = 0.0
    """The longest that a task has waited for a process."""


class Thinkers:
    """See the module's head."""

    def __init__(self, most: int) -> None:
        """*most* processes at the same time."""
        self.figures = Figures()
        self._most = most
        self._lock = threading.Condition()
        self._waiting: list[_Order] = []
        """By rank."""
        self._workers: list[_Worker] = []
        self._homes: OrderedDict[tuple[str, int], _Worker] = OrderedDict()
        self._numbers = 0
        self.stopping = False

    def ask(self, task: Task, answer: Answer) -> Cancel:
        with self._lock:
            self._numbers += 1
            order = _Order(self._numbers, task, answer, asyncio.get_running_loop())
            insort(self._waiting, order, key=_rank)
            idle = len(self._workers) - self.thinking
            if len(self._workers) < self._most and len(self._waiting) > idle:
                with contextlib.suppress(RuntimeError):  # no thread to be had: the tables help themselves
                    self._workers.append(_Worker(self))
            self._lock.notify_all()
        return lambda: self._cancel(order)

    def _cancel(self, order: _Order) -> None:
        with self._lock:
            order.cancelled = True
            at = bisect_left(self._waiting, order.rank, key=_rank)
            if self._waiting[at : at + 1] == [order]:
                del self._waiting[at]
                self.figures.cancelled += 1
            for worker in self._workers:
                if worker.order is order:
                    self.figures.cancelled += 1
                    worker.want(0)

    @property
    def waiting(self) -> int:
        """Return how many tasks wait for a process."""
        return len(self._waiting)

    @property
    def thinking(self) -> int:
        """Return how many tasks are being thought about."""
        return sum(worker.order is not None for worker in self._workers)

    def stats(self) -> dict[str, float]:
        """Return the figures for operators."""
        return {
            "waiting": self.waiting,
            "thinking": self.thinking,
            "processes": len(self.pids()),
            "answered": self.figures.answered,
            "failed": self.figures.failed,
            "cancelled": self.figures.cancelled,
            "seconds": round(self.figures.seconds, 3),
            "longest_wait": round(self.figures.waited, 3),
        }

    def pids(self) -> list[int]:
        """Return the processes that run."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.process.pid]

    async def stop(self) -> None:
        """End every process; nobody hears anything any more."""
        with self._lock:
            self.stopping = True
            for order in self._waiting:
                order.cancelled = True
            self._waiting.clear()
            for worker in self._workers:
                worker.want(0)
                if worker.order is not None:
                    worker.order.cancelled = True
            self._lock.notify_all()
        for worker in self._workers:
            await asyncio.to_thread(worker.thread.join)

    # In the threads.

    def take(self, worker: _Worker) -> tuple[_Order, float] | None:
        """Wait for work; return it with the seconds there are for it, or None when all is over."""
        with self._lock:
            worker.order = None
            while not self.stopping:
                at = self._next(worker)
                if at >= 0:
                    found = self._waiting.pop(at)
                    self.figures.waited = max(self.figures.waited, time.monotonic() - found.since)
                    worker.order = found
                    worker.want(found.number)
                    self._homes[found.home] = worker
                    self._homes.move_to_end(found.home)
                    if len(self._homes) > 64 * self._most:
                        self._homes.popitem(last=False)
                    crowd = len(self._waiting) + self.thinking
                    share = found.task.seconds * self._most / max(self._most, crowd)
                    self._lock.notify_all()  # whoever's home was busy may look again
                    return found, max(share, LEAST)
                self._lock.wait()
            return None

    def _next(self, worker: _Worker) -> int:
        """Return which of those that wait is for *worker*, or -1."""
        for at, order in enumerate(self._waiting):
            home = self._homes.get(order.home)
            if home is None or home is worker or home.order is not None:
                return at
        return -1

    def done(self, order: _Order, action: int | None, seconds: float) -> None:
        """Take the answer of a process."""
        with self._lock:
            self.figures.seconds += seconds
            if not order.cancelled:
                self.figures.answered += action is not None
                self.figures.failed += action is None
        order.tell(action)


def _rank(order: _Order) -> tuple[float, int]:
    return order.rank


class _Worker:
    """A process, and the thread here that talks with it."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._spawn = get_context("spawn")
        self.order: _Order | None = None
        self.process: SpawnProcess | None = None
        self._wanted: ctypes.c_longlong | None = None
        """The number of the task that the process is to go on with, in memory that both share."""
        self._pipe: Connection | None = None
        self.thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self.thread.start()

    def want(self, number: int) -> None:
        """Let the process go on with task *number* alone."""
        if self._wanted is not None:
            self._wanted.value = number

    def _run(self) -> None:
        while (found := self._thinkers.take(self)) is not None:
            order, seconds = found
            began = time.monotonic()
            action: int | None = None
            try:
                action = self._ask(order, seconds)
            except Exception as error:  # whatever it was, the next task begins with a new process
                if not self._thinkers.stopping:
                    log.warning("a thinker is lost (%s: %s)", type(error).__name__, error)
                self._end()
            self._thinkers.done(order, action, time.monotonic() - began)
        self._end()

    def _ask(self, order: _Order, seconds: float) -> int | None:
        if self._pipe is None or self.process is None or not self.process.is_alive():
            self._end()
            self._begin()
            self.want(order.number)
        assert self._pipe is not None
        if order.cancelled:
            return None
        self._pipe.send((order.number, order.task, seconds))
        until = time.monotonic() + seconds + HUNG
        while not self._pipe.poll(LOOK):
            if self._thinkers.stopping or time.monotonic() > until:
                raise TimeoutError("no answer")
        action, words = self._pipe.recv()
        if words:
            log.error("match %s seat %d: a thinker failed: %s", order.task.match, order.task.seat, words)
        return action if isinstance(action, int) else None

    def _begin(self) -> None:
        if self._wanted is None:
            self._wanted = RawValue(ctypes.c_longlong, 0)
        ours, theirs = self._spawn.Pipe()
        process = self._spawn.Process(
            target=_think, args=(theirs, self._wanted), name="croupier thinker", daemon=True
        )
        try:
            process.start()
        finally:
            theirs.close()
        self._pipe = ours
        self.process = process

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self.process is not None:
            self.process.join(0.0 if self.order is not None else GOODBYE)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
            self.process = None


def _think(pipe: Connection, wanted: ctypes.c_longlong) -> None:
    """Answer tasks until there is nobody to answer; the life of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then lets this end
    with contextlib.suppress(AttributeError, OSError):  # not everywhere
        os.nice(NICE)
    mind = Mind()
    number = 0

    def unwanted() -> bool:
        return wanted.value != number

    while True:
        try:
            number, task, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        action: int | None = None
        words = ""
        try:
            action = mind.choose(task, seconds, unwanted)
        except Exception as error:  # whatever it was: the table goes on without this answer
            words = f"{type(error).__name__}: {error}"
        try:
            pipe.send((action, words))
        except OSError:
            return


@dataclass(slots=True)
class Aside:
    """A thread of this process that thinks: for a table that has a process almost to itself."""

    _mind: Mind = field(default_factory=Mind)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "thinker"))

    def ask(self, task: Task, answer: Answer) -> Cancel:
        order = _Order(0, task, answer, asyncio.get_running_loop())
        self._pool.submit(self._think, order)

        def cancel() -> None:
            order.cancelled = True

        return cancel

    def _think(self, order: _Order) -> None:
        action: int | None = None
        try:
            if not order.cancelled:
                action = self._mind.choose(order.task, order.task.seconds, lambda: order.cancelled)
        except Exception:
            log.exception("match %s seat %d: a thinker failed", order.task.match, order.task.seat)
        order.tell(action)

    def stop(self) -> None:
        """Wait for the last thought, which its table has cancelled."""
        self._pool.shutdown()
