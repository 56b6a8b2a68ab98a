"""What waits to be sent on one connection: bounded, so that a slow peer hurts only itself."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine

from croupier.wire.talk import Hang


class Outbox:
    """A queue of frames and the task that sends them. `push` never waits."""

    def __init__(
        self,
        limit: int,
        send: Callable[[str], Coroutine[None, None, None]],
        close: Callable[[Hang], Coroutine[None, None, None]],
    ) -> None:
        self._limit = limit
        self._send = send
        self._close = close
        self._frames: deque[str] = deque()
        self._size = 0
        self._hang: Hang | None = None
        self._bell = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._pump())

    def push(self, frame: str) -> bool:
        """Queue *frame*; False when the peer has let too much pile up and the connection ends."""
        if self._hang is not None:
            return False
        self._frames.append(frame)
        self._size += len(frame)
        self._bell.set()
        if self._size > self._limit:
            self._frames.clear()
            self._hang = Hang(4002, f"more than {self._limit} bytes wait unread")
            self._task.cancel()  # it may be stuck in a send that will never end
            self._task = asyncio.get_running_loop().create_task(self._close(self._hang))
            return False
        return True

    def hang(self, hang: Hang) -> None:
        """Close the connection when everything queued so far has been sent."""
        if self._hang is None:
            self._hang = hang
            self._bell.set()

    async def stop(self) -> None:
        """End the task; what is still queued is not sent."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _pump(self) -> None:
        try:
            while True:
                while self._frames:
                    frame = self._frames.popleft()
                    await self._send(frame)
                    self._size -= len(frame)
                if self._hang is not None:
                    await self._close(self._hang)
                    return
                self._bell.clear()
                await self._bell.wait()
        except ConnectionError:
            return  # the reader of this connection sees the same end and reports it
