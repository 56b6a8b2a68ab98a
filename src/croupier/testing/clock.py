"""Virtual time: an event loop whose clock jumps to the next timer as soon as nothing is left to do.

A test of a 30-second clock takes no time, and it runs the same way on every machine:

    from croupier.testing import clock

    async def test() -> None:
        await asyncio.sleep(30.0)

    clock.run(test())

Everything must happen inside the loop, which cannot know when a thread or another process will be ready.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

START: Final = 1000.0
"""The start of the clock: not 0, which code might interpret as 'no time'."""


class Standstill(RuntimeError):
    """All tasks wait for something that can never happen."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        self._now = START
        self._limit: float | None = None
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self._now

    def run_until(self, when: float) -> None:
        """Process everything that is due until *when*, and set the clock to it."""
        self._limit = when
        try:
            self.run_forever()
        finally:
            self._limit = None

    def idle(self, seconds: float | None) -> None:
        """Advance the clock: nothing is left to do for *seconds*, or (None) without limit."""
        if self._limit is not None and (seconds is None or self._now + seconds > self._limit):
            self._now = max(self._now, self._limit)
            self.stop()
        elif seconds is None:
            raise Standstill("all tasks wait and no timer is set")
        else:
            self._now += seconds


class _Selector(selectors.DefaultSelector):
    """The selector of a loop; this one advances the clock instead of sleeping."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout != 0:
            self._loop.idle(timeout if timeout is None else max(timeout, 0.0))
        return ready


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run *main* in virtual time and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
