"""What waits to be sent on one connection: bounded, so that a slow peer hurts only itself."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Final

from croupier.wire.talk import Hang

CLOSE_SECONDS: Final[float] = 5.0
"""How long a peer may take to read what is left and to agree that the connection ends."""


class Outbox:
    """A queue of frames and the task that sends them. `push` never waits."""

    def __init__(
        self,
        limit: int,
        send: Callable[[str], Coroutine[None, None, None]],
        close: Callable[[Hang], Coroutine[None, None, None]],
        abort: Callable[[], None],
    ) -> None:
        """*close* says goodbye; *abort* ends the connection, and whatever waits for it, at once."""
        self._limit = limit
        self._send = send
        self._close = close
        self._abort = abort
        self._frames: deque[tuple[str, int]] = deque()
        self._size = 0
        self._hang: Hang | None = None
        self._bell = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._task = self._loop.create_task(self._pump())

    @property
    def hung(self) -> bool:
        """Say whether the connection ends when what is queued has been sent."""
        return self._hang is not None

    def push(self, frame: str) -> bool:
        """Queue *frame*; False when the peer has let too much pile up and the connection ends."""
        if self._hang is not None:
            return False
        size = len(frame) if frame.isascii() else len(frame.encode())
        self._frames.append((frame, size))
        self._size += size
        self._bell.set()
        if self._size > self._limit:
            self._frames.clear()
            hang = self._end(Hang(4002, f"more than {self._limit} bytes wait unread"))
            self._task.cancel()  # it may be stuck in a send that will never end
            self._task = self._loop.create_task(self._close(hang))
            return False
        return True

    def hang(self, hang: Hang) -> None:
        """Close the connection when everything queued so far has been sent."""
        if self._hang is None:
            self._end(hang)
            self._bell.set()

    def _end(self, hang: Hang) -> Hang:
        self._hang = hang
        # A peer that does not read does not answer a close either.
        self._timer = self._loop.call_later(CLOSE_SECONDS, self._abort)
        return hang

    async def sent(self) -> None:
        """Wait until the connection that was hung is closed."""
        await asyncio.wait([self._task])

    async def stop(self) -> None:
        """End the task: the connection has ended."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._timer is not None:
            self._timer.cancel()

    async def _pump(self) -> None:
        try:
            while True:
                while self._frames:
                    frame, size = self._frames.popleft()
                    await self._send(frame)
                    self._size -= size
                if self._hang is not None:
                    await self._close(self._hang)
                    return
                self._bell.clear()
                await self._bell.wait()
        except ConnectionError:
            return  # the reader of this connection sees the same end and reports it
