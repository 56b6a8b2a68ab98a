"""Virtual time: an event loop whose clock jumps to the next timer as soon as nothing is left to do.

A test of a thirty-second clock takes no time, and it takes the same course on every machine:

    from croupier.testing import clock

    async def test() -> None:
        await asyncio.sleep(30.0)

    clock.run(test())

Everything must happen inside the loop: it cannot know what a thread or another process is about to do.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

START: Final = 1000.0
"""What the clock shows first: not 0, which code might take for 'no time'."""


class Standstill(RuntimeError):
    """Every task waits for something that can never happen."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time."""

    def __init__(self) -> None:
        self._now = START
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self._now

    def jump(self, seconds: float) -> None:
        """Move the clock."""
        self._now += seconds


class _Selector(selectors.DefaultSelector):
    """Where a loop sleeps; this one moves the clock instead."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise Standstill("every task waits and no timer is set: nothing can happen any more")
        self._loop.jump(max(timeout, 0.0))
        return ready


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run *main* in virtual time and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
