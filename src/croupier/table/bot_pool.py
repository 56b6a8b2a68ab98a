"""The bot pool: processes in which searching bots run, so that a search blocks no table.

A thread for each process sends it tasks, one at a time. The task with the earliest
deadline comes first, so that no task waits for long and tables with people come before tables of bots; but a
seat's next task goes to the process that already has the match in memory, if that process is free. Processes
are started when there is work, at most *most* of them and with low priority. One that dies or hangs is
replaced, and its task fails (the table then uses the heuristic). If there are more tasks than processes, the
time of each task is reduced in proportion.
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

from croupier.table.bot_task import BotTask
from croupier.table.bot_worker import BotWorker

log = logging.getLogger(__name__)

NICE: Final = 19
HUNG: Final = 10.0
"""Seconds after the deadline of its task at which a process that has not answered is replaced."""
POLL: Final = 0.25
"""Seconds between two checks that an answer is still needed."""
EXIT: Final = 2.0
"""Seconds a process gets to exit before it is killed."""
LEAST: Final = 0.02
"""The minimum number of seconds for a task, independent of the load."""
WAITED: Final = 0.001
"""A search that had to wait this many seconds for the processor leaves it to the others for `REST` seconds.
"""
REST: Final = 0.01
"""How many seconds it leaves the processor to the others."""

Answer: TypeAlias = Callable[[int | None], None]
Cancel: TypeAlias = Callable[[], None]


class BotRunner(Protocol):
    """Chooses actions for tasks: the pool, or a thread."""

    def ask(self, task: BotTask, answer: Answer) -> Cancel:
        """Start a search for *task*. Later, in the running event loop, call *answer* with the action, or with
        None if the search failed. Return a function that cancels the search; then *answer* is not called."""
        ...


@dataclass(slots=True, eq=False)
class _Order:
    """A task and the callback for its answer."""

    number: int
    task: BotTask
    answer: Answer
    loop: asyncio.AbstractEventLoop
    since: float = field(default_factory=time.monotonic)
    cancelled: bool = False

    @property
    def rank(self) -> tuple[float, int]:
        """Return its deadline and its number."""
        return self.since + self.task.seconds, self.number

    @property
    def home(self) -> tuple[str, int]:
        return self.task.match, self.task.seat

    def tell(self, action: int | None) -> None:
        """Pass the answer to the event loop that asked, if it is still running."""
        if not self.cancelled:
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._tell, action)

    def _tell(self, action: int | None) -> None:
        if not self.cancelled:
            self.answer(action)


@dataclass(slots=True)
class Figures:
    """Counters of the pool."""

    answered: int = 0
    failed: int = 0
    cancelled: int = 0
    seconds: float = 0.0
    """The total time of all tasks in all processes."""
    waited: float = 0.0
    """The longest time that a task has waited for a process."""


class BotPool:
    """Runs tasks in at most *most* processes (see the module docstring)."""

    def __init__(self, most: int) -> None:
        self.figures = Figures()
        self._most = most
        self._lock = threading.Condition()
        self._waiting: list[_Order] = []
        """Sorted by rank."""
        self._workers: list[_Worker] = []
        self._homes: OrderedDict[tuple[str, int], _Worker] = OrderedDict()
        self._numbers = 0
        self.stopping = False

    def ask(self, task: BotTask, answer: Answer) -> Cancel:
        with self._lock:
            self._numbers += 1
            order = _Order(self._numbers, task, answer, asyncio.get_running_loop())
            insort(self._waiting, order, key=_rank)
            idle = len(self._workers) - self.searching
            if len(self._workers) < self._most and len(self._waiting) > idle:
                with contextlib.suppress(RuntimeError):  # no thread available: the tables use the heuristic
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
        """Return the number of tasks that wait for a process."""
        return len(self._waiting)

    @property
    def searching(self) -> int:
        """Return the number of tasks that are being searched."""
        return sum(worker.order is not None for worker in self._workers)

    def stats(self) -> dict[str, float]:
        """Return the figures for operators."""
        return {
            "waiting": self.waiting,
            "searching": self.searching,
            "processes": len(self.pids()),
            "answered": self.figures.answered,
            "failed": self.figures.failed,
            "cancelled": self.figures.cancelled,
            "seconds": round(self.figures.seconds, 3),
            "longest_wait": round(self.figures.waited, 3),
        }

    def pids(self) -> list[int]:
        """Return the ids of the running processes."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.process.pid]

    async def stop(self) -> None:
        """End every process; no more answers are given."""
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
        """Wait for a task; return it and its time in seconds, or None if the pool is stopping."""
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
                    crowd = len(self._waiting) + self.searching
                    share = found.task.seconds * self._most / max(self._most, crowd)
                    self._lock.notify_all()  # tasks whose process was busy may be taken now
                    return found, max(share, LEAST)
                self._lock.wait()
            return None

    def _next(self, worker: _Worker) -> int:
        """Return the index of the waiting task for *worker*, or -1."""
        for at, order in enumerate(self._waiting):
            home = self._homes.get(order.home)
            if home is None or home is worker or home.order is not None:
                return at
        return -1

    def done(self, order: _Order, action: int | None, seconds: float) -> None:
        """Count the answer of a process and pass it on."""
        with self._lock:
            self.figures.seconds += seconds
            if not order.cancelled:
                self.figures.answered += action is not None
                self.figures.failed += action is None
        order.tell(action)


def _rank(order: _Order) -> tuple[float, int]:
    return order.rank


class _Worker:
    """A process, and the thread that communicates with it."""

    def __init__(self, bot_pool: BotPool) -> None:
        self._bot_pool = bot_pool
        self._spawn = get_context("spawn")
        self.order: _Order | None = None
        self.process: SpawnProcess | None = None
        self._wanted: ctypes.c_longlong | None = None
        """The number of the task that the process should work on, in shared memory."""
        self._pipe: Connection | None = None
        self.thread = threading.Thread(target=self._run, name="bot pool", daemon=True)
        self.thread.start()

    def want(self, number: int) -> None:
        """Make the process stop any task other than *number*."""
        if self._wanted is not None:
            self._wanted.value = number

    def _run(self) -> None:
        while (found := self._bot_pool.take(self)) is not None:
            order, seconds = found
            began = time.monotonic()
            action: int | None = None
            try:
                action = self._ask(order, seconds)
            except Exception as error:  # after any error the next task gets a new process
                if not self._bot_pool.stopping:
                    log.warning(
                        "match %s seat %d: process of the bot pool failed: %s: %s; "
                        "the heuristic decides and the next task starts a new process",
                        order.task.match,
                        order.task.seat,
                        type(error).__name__,
                        error,
                    )
                self._end()
            self._bot_pool.done(order, action, time.monotonic() - began)
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
        while not self._pipe.poll(POLL):
            if self._bot_pool.stopping or time.monotonic() > until:
                raise TimeoutError(f"no answer {HUNG:g} s after the deadline")
        action, words = self._pipe.recv()
        if words:
            log.error(
                "match %s seat %d: search failed: %s; the heuristic decides",
                order.task.match,
                order.task.seat,
                words,
            )
        return action if isinstance(action, int) else None

    def _begin(self) -> None:
        if self._wanted is None:
            self._wanted = RawValue(ctypes.c_longlong, 0)
        ours, theirs = self._spawn.Pipe()
        process = self._spawn.Process(
            target=_search, args=(theirs, self._wanted), name="croupier bot", daemon=True
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
            self.process.join(0.0 if self.order is not None else EXIT)
            if self.process.is_alive():
                self.process.kill()
                self.process.join()
            self.process = None


class Throttle:
    """Lets a search rest while other processes need the processor.

    Even at the lowest priority a search costs the others something each time it gets a moment of a busy
    processor: the slowest moves of other tables took up to twice as long.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        """*used* returns the processor time of the search so far."""
        self._clock = clock
        self._used = used
        self._rest = rest
        self._waited = clock() - used()

    def pause(self) -> None:
        """Rest if the search had to wait for the processor since the last call."""
        waited = self._clock() - self._used()
        if waited - self._waited > WAITED:
            self._rest(REST)
            waited = self._clock() - self._used()
        self._waited = waited


def _search(pipe: Connection, wanted: ctypes.c_longlong) -> None:
    """Answer tasks until the pipe is closed: the main function of a process of the pool."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C the server stops and closes the pipe
    with contextlib.suppress(AttributeError, OSError):  # not available on every system
        os.nice(NICE)
    with contextlib.suppress(AttributeError, OSError):
        # Linux preempts an SCHED_IDLE process at once; a nice one may use up its time slice first.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    worker = BotWorker()
    throttle = Throttle()
    number = 0

    def unwanted() -> bool:
        throttle.pause()
        return wanted.value != number

    while True:
        try:
            number, task, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        throttle = Throttle()
        action: int | None = None
        words = ""
        try:
            action = worker.choose(task, seconds, unwanted)
        except Exception as error:  # after any error the table continues without this answer
            words = f"{type(error).__name__}: {error}"
        try:
            pipe.send((action, words))
        except OSError:
            return


@dataclass(slots=True)
class BotThread:
    """Runs searches in a thread of this process, for a process with a single table."""

    _worker: BotWorker = field(default_factory=BotWorker)
    _pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "bot"))

    def ask(self, task: BotTask, answer: Answer) -> Cancel:
        order = _Order(0, task, answer, asyncio.get_running_loop())
        self._pool.submit(self._search, order)

        def cancel() -> None:
            order.cancelled = True

        return cancel

    def _search(self, order: _Order) -> None:
        action: int | None = None
        try:
            if not order.cancelled:
                action = self._worker.choose(order.task, order.task.seconds, lambda: order.cancelled)
        except Exception:
            log.exception(
                "match %s seat %d: search failed; the heuristic decides", order.task.match, order.task.seat
            )
        order.tell(action)

    def stop(self) -> None:
        """Wait for the end of the last search; its table has already cancelled it."""
        self._pool.shutdown()
