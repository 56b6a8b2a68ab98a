"""Listeners for protocols of lines: telnet, nc and programs without a WebSocket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from ssl import SSLContext
from typing import Final

from croupier.net.limits import Crowd
from croupier.net.link import Carrier
from croupier.net.outbox import CLOSE_SECONDS
from croupier.net.reception import DeskLink, Reception
from croupier.wire.desk import DeskConversation
from croupier.wire.talk import Hang

log = logging.getLogger(__name__)

CHUNK: Final = 8 * 1024
"""So many bytes of one connection at most are dealt with before others have their turn."""


class LineLink(DeskLink):
    """A connection whose frames are lines; how they end may change while earlier ones still wait."""

    def send(self, frame: str) -> None:
        super().send(frame + self.desk_side.terminator)


class Listener:
    """One port of one protocol."""

    def __init__(
        self,
        reception: Reception,
        converse: Callable[[], DeskConversation],
        crowd: Crowd,
        link: Callable[[DeskConversation, Carrier, Reception, str], LineLink] = LineLink,
    ) -> None:
        """*converse* makes the wire of a new connection, *link* its place at the reception."""
        self._reception = reception
        self._crowd = crowd
        self._converse = converse
        self._link = link
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int, tls: SSLContext | None) -> int:
        """Listen; return the port, which 0 leaves open. OSError says why it cannot be."""
        self._server = await asyncio.start_server(self.serve, host, port, reuse_address=True, ssl=tls)
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()

    async def stop(self) -> None:
        """Let connections that have been told to end do so, for a moment; then end them."""
        if self._connections:
            await asyncio.wait(self._connections, timeout=CLOSE_SECONDS)
        for task in self._connections:
            task.cancel()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection from its first byte to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        name = writer.get_extra_info("peername")
        address = str(name[0]) if name else ""
        conversation = self._converse()

        async def send(line: str) -> None:
            writer.write(line.encode())
            await writer.drain()

        async def close(hang: Hang) -> None:
            writer.close()

        carrier = Carrier(send, close, writer.transport.abort)
        link = self._link(conversation, carrier, self._reception, address)
        try:
            link.begin(self._crowd.enter())
            try:
                while data := await reader.read(CHUNK):
                    if link.hung:
                        continue  # what it still says does not count
                    link.feed(data)
                    await link.room()
            except OSError as error:
                log.debug("%s gone: %s", address, error)
            await link.settle()
            link.lose()
            await link.finish()  # it may have ended only its own side
        finally:
            self._crowd.leave()
            link.lose()
            await link.stop()
            writer.close()
