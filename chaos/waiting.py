"""What a busy machine adds to the times that a goal measures: processes wait for a processor."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from benchmarks.report import Figure

LIMIT: Final = 30.0
"""Percent; above it, times say more about the machine than about the server."""


class Waiting:
    """The main thread of a process, from now on or from its start."""

    def __init__(self, pid: int, from_start: bool = False) -> None:
        self._path = Path(f"/proc/{pid}/schedstat")
        self._before = (0.0, 0.0) if from_start else self._times()

    def figure(self) -> Figure:
        """Return the share of the time until now, without that in which it had nothing to do, in which it got
        no processor; it is not reached if the system does not report it."""
        before, after = self._before, self._times()
        share = None
        if before is not None and after is not None:
            ran, waited = after[0] - before[0], after[1] - before[1]
            share = 100 * waited / max(ran + waited, 1.0)
        return Figure("work of the server that waited for a processor", share, LIMIT, "%")

    def _times(self) -> tuple[float, float] | None:
        """Return how long the thread has run and waited, in nanoseconds, if the system reports it."""
        try:
            ran, waited, _ = self._path.read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return None
        return float(ran), float(waited)


SLEEP: Final = 0.01
MOST_DELAY: Final = 25.0
"""Milliseconds."""


class Delay:
    """How much too late a task of this process is woken at most, from its `run` to its end."""

    def __init__(self) -> None:
        self._most = 0.0

    async def run(self) -> None:
        """Sleep and measure until it is cancelled."""
        while True:
            due = time.monotonic() + SLEEP
            await asyncio.sleep(SLEEP)
            self._most = max(self._most, time.monotonic() - due)

    def figure(self) -> Figure:
        """Return the largest delay so far."""
        return Figure(
            "largest delay of a clock in the clients themselves", 1000 * self._most, MOST_DELAY, "ms"
        )
