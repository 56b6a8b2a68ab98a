"""The clock of all tables: it stops while the process cannot read what players send.

After the process was stopped (a suspended laptop, SIGSTOP) or its event loop was blocked, deadlines have
passed although the answers arrived in time and wait in the sockets. Such a pause is not charged to any
player: the first reading of the clock after it shows nearly the same time as the last one before it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import monotonic
from typing import Final

log = logging.getLogger(__name__)

BEAT: Final = 0.05
"""Seconds between two readings by `run`."""
PAUSE: Final = 0.15
"""If the clock was not read for longer than this, the process was paused."""
STALL: Final = 0.25
"""Pauses longer than this are logged."""


class FairClock:
    """A clock that omits pauses of the process; see the module docstring."""

    def __init__(self, read: Callable[[], float] = monotonic) -> None:
        self._read = read
        self._seen = read()
        self._lost = 0.0
        self._watching = False

    def time(self) -> float:
        """Return the time of the tables in seconds."""
        real = self._read()
        gap = real - self._seen
        self._seen = real
        if gap > PAUSE:
            self._lost += gap - BEAT
            if gap > STALL and self._watching:
                log.warning("the process paused for %.2f s; no player's clock is charged for it", gap)
        return real - self._lost

    async def run(self) -> None:
        """Read the clock regularly, so that pauses are detected; from now on they are logged."""
        self.time()
        self._watching = True
        while True:
            await asyncio.sleep(BEAT)
            self.time()
