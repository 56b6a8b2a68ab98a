"""`croupier serve --workers N`: starts and watches N nodes on this machine, all on the same ports.

Each worker is the same command with the variable `CROUPIER_WORKER` set to the process id of the supervisor. A
worker that ends is started again; one that ends again and again is reported and not started again. A worker
stops when its supervisor has ended, however that ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

log = logging.getLogger(__name__)

VARIABLE: Final = "CROUPIER_WORKER"
ENDS: Final = 5
WINDOW: Final = 30.0
"""A worker that ends `ENDS` times within this many seconds is not started again."""
PAUSE: Final = 1.0
"""Seconds before a worker is started again."""
STOP_SECONDS: Final = 15.0


def is_worker() -> bool:
    """Return True in the process of a worker."""
    return VARIABLE in os.environ


def stop_with_supervisor() -> None:
    """Stop this worker when its supervisor ends, even if that has already happened."""
    from croupier.arena.supervisor import die_with

    die_with(int(os.environ[VARIABLE]), signal.SIGTERM)


def command() -> list[str]:
    """Return the command line of this process, for its workers."""
    return [sys.executable, "-m", "croupier", *sys.argv[1:]]


class Workers:
    """The workers of one supervisor."""

    def __init__(self, many: int, command: Sequence[str], ready: Callable[[str], None]) -> None:
        """*ready* is called with every line that the first worker prints at its first start."""
        self._many = many
        self._command = command
        self._ready = ready
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._stopping = asyncio.Event()

    async def run(self) -> bool:
        """Run until SIGTERM or SIGINT; return False if no worker runs any more."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(sign, self.stop)
        outcomes = await asyncio.gather(*(self._watch(number) for number in range(1, self._many + 1)))
        return self._stopping.is_set() or any(outcomes)

    def stop(self) -> None:
        """Ask all workers to stop; each hands its tables over."""
        self._stopping.set()
        for process in self._running.values():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()

    async def _watch(self, number: int) -> bool:
        """Keep one worker running until the end; return False if it ended too often."""
        loop = asyncio.get_running_loop()
        ends: deque[float] = deque(maxlen=ENDS)
        while not self._stopping.is_set():
            status = await self._run_once(number, first=not ends)
            if self._stopping.is_set():
                break
            ends.append(loop.time())
            if len(ends) == ENDS and ends[-1] - ends[0] < WINDOW:
                words = "worker %d ended %d times within %.0f s (status %d); it is not started again"
                log.error(words, number, ENDS, WINDOW, status)
                return False
            log.warning("worker %d ended with status %d; it is started again", number, status)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), PAUSE)
        return True

    async def _run_once(self, number: int, first: bool) -> int:
        """Run a worker until it ends; return its exit status."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, VARIABLE: str(os.getpid())},
        )
        self._running[number] = process
        try:
            if self._stopping.is_set():
                process.terminate()
            assert process.stdout is not None
            while line := await process.stdout.readline():
                if number == 1 and first:
                    self._ready(line.decode().rstrip())
            return await self._ended(process)
        finally:
            del self._running[number]
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def _ended(self, process: asyncio.subprocess.Process) -> int:
        try:
            return await asyncio.wait_for(process.wait(), STOP_SECONDS)
        except TimeoutError:
            process.kill()
            return await process.wait()
