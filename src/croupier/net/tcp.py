"""Listeners for protocols of lines: telnet, nc and programs without a WebSocket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from croupier.net.link import Carrier
from croupier.net.reception import DeskLink, Reception
from croupier.wire.desk import DeskConversation
from croupier.wire.talk import Hang

log = logging.getLogger(__name__)

CHUNK: Final = 16 * 1024


class Listener:
    """One port of one protocol."""

    def __init__(self, reception: Reception, converse: Callable[[], DeskConversation]) -> None:
        """*converse* makes the wire of a new connection."""
        self._reception = reception
        self._converse = converse
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; return the port, which 0 leaves open. OSError says why it cannot be."""
        self._server = await asyncio.start_server(self._serve, host, port, reuse_address=True)
        return int(self._server.sockets[0].getsockname()[1])

    def stop(self) -> None:
        """Listen no more; connections end by themselves."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = writer.get_extra_info("peername")
        address = str(name[0]) if name else ""
        if self._reception.full(address):
            writer.close()
            return
        conversation = self._converse()

        async def send(frame: str) -> None:
            writer.write((frame + conversation.terminator).encode())
            await writer.drain()

        async def close(hang: Hang) -> None:
            writer.close()

        link = DeskLink(conversation, Carrier(send, close, writer.transport.abort), self._reception, address)
        try:
            link.greet()
            while data := await reader.read(CHUNK):
                if link.hung:
                    continue  # what it still says does not count
                link.feed(data)
                await link.room()
        except OSError as error:
            log.debug("%s gone: %s", address, error)
        finally:
            link.lose()
            await link.stop()
            writer.close()
