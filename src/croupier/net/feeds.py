"""Feeds: WebSockets that only send, until the reader leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from aiohttp import web

from croupier.net.outbox import Channel, Outbox
from croupier.net.websocket import WebSocket, upgrade, upgraded

DRAINED: Final = 64 * 1024
"""With this many unread bytes a reader has read almost everything."""
DRAINING: Final = 0.05
"""Seconds between two checks whether a reader has done so."""
MESSAGE_BYTES: Final = 1024
"""The maximum size of a frame from a reader, in bytes."""


class Reader:
    """The user of the socket: what the reader sends is ignored."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    def received(self, frame: str | bytes) -> None:
        """Ignore it."""

    def closed(self) -> None:
        self._socket.finish()

    def lost(self) -> None:
        """There is nothing to do: `serve_feed` waits for the end."""


async def drained(channel: Channel) -> None:
    """Let others work, then wait until the reader has read almost everything."""
    await asyncio.sleep(0)
    while channel.waiting() > DRAINED:  # noqa: ASYNC110  # the channel does not report it
        await asyncio.sleep(DRAINING)


async def serve_feed(
    request: web.Request, backlog: int, send: Callable[[Outbox, Channel], Coroutine[Any, Any, None]]
) -> web.StreamResponse:
    """Run *send* until the connection ends; disconnect a reader with more than *backlog* unread bytes."""
    socket = upgrade(request, MESSAGE_BYTES)
    socket.use(Reader(socket))
    channel = socket.channel()
    outbox = Outbox(backlog, channel)
    sending = asyncio.get_running_loop().create_task(send(outbox, channel))
    try:
        await socket.wait()
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        outbox.stop()
    return upgraded()
