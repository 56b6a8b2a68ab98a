"""The bounded output queue of a connection: a slow peer does not affect others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from croupier.wire.talk import Disconnect, Frame

CLOSE_SECONDS: Final[float] = 5.0
"""How long a peer may take to read what is left and to answer the close."""


def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Channel:
    """The transport of a connection's frames. Nothing here waits; unread bytes are counted."""

    send: Callable[[Frame], None]
    waiting: Callable[[], int]
    """Return how many bytes the peer has not read yet."""
    close: Callable[[Disconnect], None]
    """Close the connection after everything that was sent."""
    abort: Callable[[], None]
    """End the connection without sending anything more."""
    relieved: Callable[[], None] = nothing
    """Called when reading may continue after a pause because of too much waiting input."""


class Writer:
    """Collects the data of one event loop iteration for a transport: several frames, one system call.

    While the peer does not read, frames wait here as they are, most of them shared with other connections;
    nothing is joined or copied until the peer reads again. The protocol of the transport calls `pause` and
    `resume`.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        transport.set_write_buffer_limits(high=0)  # pause as soon as the peer does not take everything
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._size = 0
        self.paused = False
        """True while the peer has not read everything that was passed to the transport."""

    def write(self, data: bytes) -> None:
        """Send *data* after everything before it; do nothing if the connection is closing."""
        if not self._parts and not self.paused:
            self._loop.call_soon(self._send)
        self._parts.append(data)
        self._size += len(data)

    def waiting(self) -> int:
        """Return how many bytes the peer has not read yet."""
        return self._size + self._transport.get_write_buffer_size()

    def pause(self) -> None:
        """Keep the data until `resume`: the peer has not read everything."""
        self.paused = True

    def resume(self) -> None:
        """Continue sending: the peer has read everything that was passed to the transport."""
        self.paused = False
        self.flush()

    def _send(self) -> None:
        if not self.paused:
            self.flush()

    def flush(self) -> None:
        """Pass the collected data to the transport, even if the peer does not read."""
        parts, self._parts = self._parts, []
        self._size = 0
        if parts and not self._transport.is_closing():
            self._transport.write(parts[0] if len(parts) == 1 else b"".join(parts))


class Outbox:
    """Sends frames, and closes a connection whose peer leaves too much unread."""

    def __init__(self, limit: int, channel: Channel) -> None:
        self._limit = limit
        self._channel = channel
        self._timer: asyncio.TimerHandle | None = None
        self.disconnected = False
        """True once the connection is closing; it ends when the peer has read what was sent."""

    def push(self, frame: Frame) -> bool:
        """Send *frame*; return False if the peer has left too much unread and the connection ends."""
        if self.disconnected:
            return False
        self._channel.send(frame)
        if self._channel.waiting() <= self._limit:
            return True
        self.disconnect(Disconnect(4002, f"more than {self._limit} bytes wait unread"))
        return False

    def disconnect(self, disconnect: Disconnect) -> None:
        """Close the connection after everything sent so far."""
        if self.disconnected:
            return
        self.disconnected = True
        # A peer that does not read will not answer a close frame either.
        self._timer = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._channel.abort)
        self._channel.close(disconnect)

    def stop(self) -> None:
        """Cancel the timeout: the connection has ended."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
