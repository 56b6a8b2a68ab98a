"""Listeners for line protocols: telnet, nc and programs without WebSockets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from ssl import SSLContext
from typing import Final, cast

from croupier.http import counted_as
from croupier.net.limits import ConnectionCount
from croupier.net.listening import OpenConnections, listen, peer_of
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import CLOSE_SECONDS, Channel, Writer, nothing
from croupier.wire.driver import LobbyConversation
from croupier.wire.talk import Disconnect, Frame

log = logging.getLogger(__name__)

LINGER: Final = 0.2
"""For how many seconds after closing a connection what the peer sends is read and ignored."""
_CHUNK: Final = memoryview(bytearray(8 * 1024))
"""The read buffer; its size limits what is read from one connection before others are served.

All connections share it: its content is copied before anything else is read."""


class LineProtocol(asyncio.BufferedProtocol):
    """One connection from its first byte to its end."""

    def __init__(self, listener: Listener, ended: Callable[[], None] = nothing) -> None:
        """*ended* is called when the connection has ended."""
        self._listener = listener
        self._ended = ended
        self._transport: asyncio.Transport | None = None
        self._connection: LobbyConnection | None = None
        self._writer: Writer | None = None
        self._waiting: asyncio.Task[None] | None = None
        """Set while tables are restored after a restart: connections are admitted afterwards."""
        self._early = b""
        """Input from before the connection was admitted: uvloop reads once before it pauses."""
        self._paused = False
        self._eof = False
        self.address = ""
        self.welcome = True
        """False if the server has too many connections."""

    def connection_made(self, made: asyncio.BaseTransport) -> None:
        transport = cast("asyncio.Transport", made)  # uvloop's transports are not subclasses
        self._transport = transport
        self.address, descriptor = peer_of(transport)
        self.welcome = self._listener.connections.enter(self.address, descriptor)
        if self._listener.server.ready:
            self._begin(transport)
        else:
            transport.pause_reading()
            self._waiting = asyncio.get_running_loop().create_task(self._begin_later(transport))

    async def _begin_later(self, transport: asyncio.Transport) -> None:
        await self._listener.server.wait()
        if not transport.is_closing():
            self._begin(transport)
            self.feed(self._early)
            transport.resume_reading()

    def _begin(self, transport: asyncio.Transport) -> None:
        writer = self._writer = Writer(transport)
        conversation = self._listener.converse()

        def send(frame: Frame) -> None:
            # The conversation may change the line ending while earlier lines are queued.
            line = frame if isinstance(frame, str) else frame.decode()
            writer.write((line + conversation.terminator).encode())

        def close(disconnect: Disconnect) -> None:
            writer.flush()
            # Close only our direction while the peer still sends: a full close would reset the connection,
            # and the last lines would be lost.
            if self._eof or transport.is_closing() or not transport.can_write_eof():
                transport.close()
                return
            transport.write_eof()
            loop = asyncio.get_running_loop()
            loop.call_soon(self._lose)  # further input is ignored, and its place becomes free
            loop.call_later(LINGER, transport.close)
            if self._paused:
                self._paused = False
                transport.resume_reading()

        channel = Channel(send, writer.waiting, close, transport.abort, self._relieved)
        self._connection = self._listener.admit(self, conversation, channel)

    def pause_writing(self) -> None:
        if self._writer is not None:
            self._writer.pause()

    def resume_writing(self) -> None:
        if self._writer is not None:
            self._writer.resume()

    def get_buffer(self, sizehint: int) -> memoryview:
        return _CHUNK

    def buffer_updated(self, nbytes: int) -> None:
        self.feed(bytes(_CHUNK[:nbytes]))

    def feed(self, data: bytes) -> None:
        """Process bytes of the peer."""
        connection, transport = self._connection, self._transport
        if connection is None and self._waiting is not None:
            self._early += data
            return
        if connection is None or transport is None or connection.disconnected:
            return  # further input is ignored
        connection.feed(data)
        if connection.full and not self._paused:
            self._paused = True
            transport.pause_reading()

    def _relieved(self) -> None:
        connection, transport = self._connection, self._transport
        if connection is None:
            return
        if transport is None:
            if connection.answered:
                asyncio.get_running_loop().call_soon(self._let_go)
            return
        if self._paused and not connection.full:
            self._paused = False
            if not transport.is_closing():
                transport.resume_reading()
        if self._eof and connection.answered:
            # Not at once: the conversation may be about to send more.
            asyncio.get_running_loop().call_soon(self._finish)

    def eof_received(self) -> bool:
        """Answer what the peer has sent, in at most `CLOSE_SECONDS`; the peer sends nothing more."""
        self._eof = True
        assert self._transport is not None
        if self._transport.get_extra_info("sslcontext") is not None:
            return False  # TLS connections cannot be half closed
        if self._connection is not None and self._connection.disconnected:
            return False  # both sides have closed
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._finish)
        self._relieved()
        return True

    def _lose(self) -> None:
        if self._connection is not None:
            self._connection.lose()

    def _finish(self) -> None:
        connection = self._connection
        if connection is not None and not connection.disconnected:
            connection.lose()
            connection.disconnect(Disconnect(1000, "the peer has closed the connection"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._listener.connections.leave(self.address)
        if self._waiting is not None:
            self._waiting.cancel()
        if exc is not None:
            log.debug("connection lost: %s", exc)
        if self._connection is None or self._connection.answered:
            self._let_go()
        else:  # what the peer sent before is still processed
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._let_go)

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        ended, self._ended = self._ended, nothing
        if connection is not None:
            connection.lose()
            connection.stop()
            self._listener.dismiss(self)
        ended()

    def abort(self) -> None:
        """End the connection without sending anything more."""
        if self._transport is not None:
            self._transport.abort()


class Listener:
    """One port of one protocol."""

    def __init__(
        self,
        server: LobbyServer,
        converse: Callable[[], LobbyConversation],
        connections: ConnectionCount,
        connect: Callable[[LobbyConversation, Channel, LobbyServer, str], LobbyConnection] = LobbyConnection,
    ) -> None:
        """*converse* creates the conversation of a new connection, *connect* the connection itself."""
        self.server = server
        self.connections = connections
        self.converse = converse
        self._connect = connect
        self._server: asyncio.Server | None = None
        self._open = OpenConnections()

    async def start(self, host: str, port: int, tls: SSLContext | None, reuse_port: bool = False) -> int:
        """Listen; return the actual port (0 chooses any free one). Raise OSError if that is impossible."""
        self._server = await listen(lambda: LineProtocol(self), host, port, tls, reuse_port)
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def stop(self, seconds: float = CLOSE_SECONDS) -> None:
        """Give closing connections *seconds* to end, then abort them."""
        await self._open.end(seconds)

    def adopt(self, transport: asyncio.Transport, data: bytes, ended: Callable[[], None]) -> None:
        """Serve a connection that another object has accepted, with *data* already read from it.

        *ended* is called at its end.
        """
        protocol = LineProtocol(self, ended)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        if data:
            protocol.feed(data)

    def admit(
        self, protocol: LineProtocol, conversation: LobbyConversation, channel: Channel
    ) -> LobbyConnection:
        """Admit a connection: greet it, or refuse it if the server is full."""
        self._open.add(protocol)
        connection = self._connect(conversation, channel, self.server, counted_as(protocol.address))
        connection.begin(protocol.welcome)
        return connection

    def dismiss(self, protocol: LineProtocol) -> None:
        """Remove a connection that has ended."""
        self._open.discard(protocol)
