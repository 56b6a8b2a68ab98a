"""Connections that one node has accepted and another one serves.

The bytes of the connection travel over the bus. At the node that serves it, a `ForwardedTransport` takes the
place of the socket, so that everything there, from the HTTP parser to the WebSocket, works as for a
connection of its own. The node that accepted it (the *edge*) keeps the socket and TLS, counts the connection,
and ends it if the other node or the bus fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, cast

import msgspec
from aiohttp import web

from croupier.cluster.links import Links, Stream
from croupier.cluster.messages import (
    ABORT,
    CLOSE,
    GONE,
    INPUT,
    INPUT_END,
    OUTPUT,
    OUTPUT_END,
    PAUSE,
    RESUME,
    TAKEN,
)
from croupier.core.refusal import Refusal
from croupier.http import is_upgrade, read_body
from croupier.net.frames import close_frame
from croupier.net.listening import peer_of
from croupier.net.outbox import nothing
from croupier.net.websocket import take_over, upgraded
from croupier.wire.talk import Disconnect

PIECE: Final = 128 * 1024
"""The maximum number of bytes in a frame."""
REPORTED: Final = 16 * 1024
"""The edge reports after this many bytes that the peer has taken them."""
HIGH: Final = 256 * 1024
LOW: Final = 64 * 1024
"""The protocol is asked to pause above HIGH unread bytes, and to continue below LOW."""
MOST_UNREAD: Final = 2 * 1024 * 1024
"""If a peer leaves more than this unread at the edge, its connection ends."""
COME_BACK: Final = Disconnect(1001, "the table moves to another server: connect again")
_BUSY: Final = b'{"key":"busy","words":"the server that has this is not available: try again"}'
_UNAVAILABLE: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\nRetry-After: 1\r\n\r\n%s" % (len(_BUSY), _BUSY)
)
_HOP: Final = {b"connection", b"keep-alive", b"transfer-encoding", b"content-length", b"expect"}
"""Headers of a request that do not apply when it is sent on."""


class Opening(msgspec.Struct):
    """How a node describes a connection that it has accepted."""

    address: str
    secure: bool = False
    """True if the client uses TLS."""
    game: str = ""
    """The game of a line port; empty for HTTP."""
    line: bool = False
    """Use the variant of the protocol for terminals."""


class Elsewhere(Exception):
    """The table or service that a request needs is at another node."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


# The edge.


class Edge(asyncio.Protocol):
    """The socket of a forwarded connection."""

    def __init__(self, transport: asyncio.Transport, lost: Callable[[Edge], None]) -> None:
        """*lost* is called if the other node fails, to tell the peer in the words of the protocol."""
        self._transport = transport
        self._lost = lost
        self._at_end = nothing
        self._taken = 0
        self._congested = False
        self.answered = False
        """True if the peer was sent anything."""
        self.stream: Stream | None = None

    def open(
        self, links: Links, node: int, opening: Opening, first: bytes, at_end: Callable[[], None]
    ) -> None:
        """Open the connection at *node*, with the first bytes of the peer."""
        self._at_end = at_end
        self.stream = links.open(node, msgspec.json.encode(opening), self, monotonic())
        if first:
            self.data_received(first)

    def at_end(self, call: Callable[[], None]) -> None:
        """Call *call* when the connection has ended."""
        self._at_end = call

    def write(self, data: bytes) -> None:
        """Send *data* to the peer."""
        self._transport.write(data)

    def abort(self) -> None:
        """End the connection without sending anything more."""
        self._transport.abort()

    # Called by the event loop.

    def data_received(self, data: bytes) -> None:
        if self.stream is not None:
            for at in range(0, len(data), PIECE):
                self.stream.send(INPUT, data[at : at + PIECE])

    def eof_received(self) -> bool:
        if self.stream is not None:
            self.stream.send(INPUT_END)
        return self._transport.get_extra_info("sslcontext") is None

    def pause_writing(self) -> None:
        self._congested = True

    def resume_writing(self) -> None:
        self._congested = False
        self._report()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.stream is not None:
            self.stream.send(GONE)
            self.stream.end()
            self.stream = None
        at_end, self._at_end = self._at_end, nothing
        at_end()

    # Called by the other node.

    def received(self, kind: int, payload: bytes) -> None:
        match kind:
            case _ if kind == OUTPUT:
                self._send(payload)
            case _ if kind == OUTPUT_END:
                if self._transport.can_write_eof():
                    self._transport.write_eof()
            case _ if kind == PAUSE:
                self._transport.pause_reading()
            case _ if kind == RESUME:
                if not self._transport.is_closing():
                    self._transport.resume_reading()
            case _:
                self._end_stream()
                (self._transport.abort if kind == ABORT else self._transport.close)()

    def _send(self, payload: bytes) -> None:
        self.answered = True
        self._transport.write(payload)
        self._taken += len(payload)
        if not self._congested:
            self._report()
        elif self._transport.get_write_buffer_size() > MOST_UNREAD:
            self.abort()

    def _report(self) -> None:
        """Tell the other node how many bytes the peer has taken."""
        if self._taken >= REPORTED and self.stream is not None:
            self.stream.send(TAKEN, self._taken.to_bytes(8))
            self._taken = 0

    def lost(self, reason: str) -> None:
        self.stream = None
        if not self._transport.is_closing():
            self._lost(self)
            self._transport.close()

    def _end_stream(self) -> None:
        if self.stream is not None:
            self.stream.end()
            self.stream = None


async def forward(request: web.Request, links: Links, node: int) -> web.StreamResponse:
    """Forward *request* to *node*; a connection that does not become a WebSocket ends after the answer."""
    if isinstance(request.transport, ForwardedTransport):
        raise Refusal("busy", "this has just moved to another server: try again", 1.0)
    wants_socket = is_upgrade(request)
    body = b"" if wants_socket else await read_body(request)
    first = _head(request, None if wants_socket else len(body)) + body
    transport = request.transport
    if transport is None or transport.is_closing():
        raise web.HTTPRequestTimeout  # the client has disconnected and does not read this
    opening = Opening(peer_of(transport)[0], request.secure)
    edge = Edge(transport, _come_back if wants_socket else _unavailable)
    edge.open(links, node, opening, first, take_over(request, edge))
    return upgraded()


def _head(request: web.Request, length: int | None) -> bytes:
    """Return the head of *request*, for a body of *length* bytes; None for a WebSocket."""
    lines = [f"{request.method} {request.raw_path} HTTP/1.1".encode("utf-8", "surrogateescape")]
    for name, value in request.raw_headers:
        if length is None or name.lower() not in _HOP:
            lines.append(name + b": " + value)
    if length is not None:
        lines += [b"Connection: close", b"Content-Length: %d" % length]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _come_back(edge: Edge) -> None:
    edge.write(close_frame(COME_BACK) if edge.answered else _UNAVAILABLE)


def _unavailable(edge: Edge) -> None:
    if not edge.answered:
        edge.write(_UNAVAILABLE)


def end_line(edge: Edge) -> None:
    """End a connection of a line protocol; only the other node could send a message in that protocol."""


# The node that serves the connection.


class ForwardedTransport(asyncio.Transport):
    """The transport of a connection that another node has accepted."""

    def __init__(self, stream: Stream, opening: Opening) -> None:
        super().__init__()
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._protocol: asyncio.BaseProtocol | None = None
        self._unread = 0
        self._pausing = False
        """True if the protocol was asked to pause writing."""
        self._paused = False
        """True if the protocol does not read."""
        self._input: list[bytes] = []
        """Input that arrived while the protocol did not read."""
        self._eof = False
        self._closing = False
        # The address is a pair, as that of a socket; only the first part of it is used.
        self._extra = {"peername": (opening.address, 0), "sslcontext": True if opening.secure else None}

    def begin(self, protocol: asyncio.BaseProtocol) -> None:
        """Begin the connection."""
        self._protocol = protocol
        protocol.connection_made(self)

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._extra.get(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        assert self._protocol is not None, "it has begun"
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    # Writing.

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        if self._closing:
            return
        for at in range(0, len(data), PIECE):
            self._stream.send(OUTPUT, bytes(data[at : at + PIECE]))
        self._unread += len(data)
        if self._unread > HIGH and not self._pausing and self._protocol is not None:
            self._pausing = True
            self._protocol.pause_writing()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: the limits are `HIGH` and `LOW`, because the edge reports what was read in steps."""

    def get_write_buffer_size(self) -> int:
        return max(0, self._unread - REPORTED)  # the edge does not report fewer bytes than that

    def can_write_eof(self) -> bool:
        return not self._extra["sslcontext"]

    def write_eof(self) -> None:
        self._stream.send(OUTPUT_END)

    def close(self) -> None:
        self._finish(CLOSE)

    def abort(self) -> None:
        self._finish(ABORT)

    def _finish(self, kind: int) -> None:
        if not self._closing:
            self._stream.send(kind)
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        if self._closing:
            return
        self._closing = True
        self._stream.end()
        self._loop.call_soon(self._tell_end, error)

    def _tell_end(self, error: Exception | None) -> None:
        protocol, self._protocol = self._protocol, None
        if protocol is not None:
            protocol.connection_lost(error)

    # Reading.

    def is_reading(self) -> bool:
        return not self._paused and not self._closing

    def pause_reading(self) -> None:
        if not self._paused:
            self._paused = True
            self._stream.send(PAUSE)

    def resume_reading(self) -> None:
        if self._paused:
            self._paused = False
            self._stream.send(RESUME)
            self._loop.call_soon(self._read_on)

    def _read_on(self) -> None:
        while self._input and self.is_reading():
            self._feed(self._input.pop(0))
        if self._eof and not self._input and self.is_reading():
            self._end_input()

    # Called by the edge.

    def received(self, kind: int, payload: bytes) -> None:
        match kind:
            case _ if kind == INPUT:
                if self._paused or self._input:
                    self._input.append(payload)
                elif not self._closing:
                    self._feed(payload)
            case _ if kind == INPUT_END:
                self._eof = True
                self._read_on()
            case _ if kind == TAKEN:
                self._unread -= int.from_bytes(payload)
                if self._pausing and self._unread < LOW and self._protocol is not None:
                    self._pausing = False
                    self._protocol.resume_writing()
            case _:
                self._end(None)

    def _feed(self, data: bytes) -> None:
        protocol = self._protocol
        if isinstance(protocol, asyncio.BufferedProtocol):
            while data and protocol is self._protocol:
                buffer = memoryview(cast("bytearray", protocol.get_buffer(len(data))))
                size = min(len(buffer), len(data))
                buffer[:size] = data[:size]
                protocol.buffer_updated(size)
                data = data[size:]
        elif isinstance(protocol, asyncio.Protocol):
            protocol.data_received(data)

    def _end_input(self) -> None:
        self._eof = False
        protocol = self._protocol
        if isinstance(protocol, asyncio.Protocol | asyncio.BufferedProtocol) and not protocol.eof_received():
            self.close()

    def lost(self, reason: str) -> None:
        self._end(ConnectionResetError(reason))
