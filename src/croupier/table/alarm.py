"""A timer of the event loop that is cheap to reset."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    """Calls *ring* at a given time of *clock*.

    If a timer with an earlier time is already running, it is kept: *ring* then finds nothing to do and sets
    the alarm again. So a deadline that moves with every action does not create a timer each time.
    """

    def __init__(self, clock: Callable[[], float], ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None
        self._at = 0.0

    def set(self, when: float | None) -> None:
        """Call *ring* at *when* at the latest; None sets no limit."""
        if when is None:
            return
        if self._timer is not None:
            if self._at <= when:
                return
            self._timer.cancel()
        self._at = when
        delay = max(0.0, when - self._clock())
        self._timer = asyncio.get_running_loop().call_later(delay, self._call)

    def stop(self) -> None:
        """Cancel the timer and drop the reference to the callback."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._ring = _nothing

    def _call(self) -> None:
        self._timer = None
        self._ring()


def _nothing() -> None:
    """Do nothing."""
