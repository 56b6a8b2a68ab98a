"""A WebSocket from its handshake to its end, without a task of its own.

After the handshake the transport belongs to a `WebSocket`, and the library's HTTP connection with its
request, its parser and its coroutines is gone: an open socket costs a few kilobytes, and a frame is processed
in the callback that reads it. The library still parses the frames.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from aiohttp import WebSocketError, WSMessage, WSMsgType, web
from aiohttp._websocket.models import WSMessageTextBytes
from aiohttp._websocket.reader import WebSocketDataQueue, WebSocketReader
from aiohttp.http import WS_KEY

from croupier.core.refusal import Refusal
from croupier.net.frames import PING, close_frame, pong_frame, text_frame
from croupier.net.http_port import HttpConnection
from croupier.net.outbox import Channel, Writer, nothing
from croupier.wire.talk import Disconnect, Frame

if TYPE_CHECKING:
    from croupier.net.forwarding import Edge
    from croupier.net.traffic_log import ConnectionLog

Message: TypeAlias = WSMessage | WSMessageTextBytes

HEARTBEAT: Final = 20.0
"""Seconds between pings."""
MISSED_PINGS: Final = 2
"""How many successive pings may be unanswered."""
LAST_PING_SECONDS: Final = 4.0
"""How many seconds the answer to the last of them may take."""
LATE_SECONDS: Final = 1.0
"""If a timer is late by more than this, the process was paused."""
PART: Final = 4096
"""How many bytes of one connection are parsed at a time: in what arrives at once, there may be thousands of
frames, which take fifty times the memory."""
SHARE: Final = 4
"""How many frames of one connection are processed before the other connections have their turn."""
ABNORMAL: Final = 1006
"""The code of a connection that ended without a close frame."""


class User(Protocol):
    """What uses a WebSocket: a connection to a table or a lobby, or a feed."""

    def received(self, frame: str | bytes) -> None:
        """Process a frame of the peer."""
        ...

    def closed(self) -> None:
        """Answer what the peer has sent before its close frame, then call `WebSocket.finish`."""
        ...

    def lost(self) -> None:
        """Note that the connection has ended."""
        ...


class WebSocket(asyncio.Protocol):
    """One WebSocket. Frames of the peer go to its *user*; `send` and `close` never wait."""

    __slots__ = (
        "__weakref__",
        "_at_end",
        "_behind",
        "_closing",
        "_inbox",
        "_missed",
        "_paused",
        "_ping_timer",
        "_pong",
        "_reader",
        "_scheduled",
        "_transport",
        "_unparsed",
        "_user",
        "_waiter",
        "code",
        "writer",
    )

    def __init__(self, transport: asyncio.Transport, limit: int, pings: bool) -> None:
        """*limit* is the size of a frame that is refused.

        With *pings* the peer has to answer pings. Clients of 2018 do that only while they wait for a frame.
        """
        self.code = ABNORMAL
        """The code in the close frame of the peer."""
        self.writer = Writer(transport)
        self._user: User | None = None
        self._transport = transport
        self._at_end = nothing
        self._inbox = _Inbox()
        self._reader: WebSocketReader | None = WebSocketReader(self._inbox, limit, False, True)
        """None after the peer has closed: what follows is ignored."""
        self._unparsed = b""
        """What has arrived and waits for the turn of this connection."""
        self._behind = False
        """True while something waits for the turn of this connection; nothing is read then."""
        self._scheduled = False
        """True if the loop will call `_work`."""
        self._paused = False
        """True if the user has paused reading: what has arrived waits."""
        self._closing = False
        """True if a close frame has been sent."""
        self._waiter: asyncio.Future[None] | None = None
        self._pong = b""
        """The answer to the last ping, while the peer does not read."""
        self._missed = 0
        self._ping_timer: asyncio.TimerHandle | None = None
        if pings:
            self._ping_timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._ping)

    def at_end(self, call: Callable[[], None]) -> None:
        """Call *call* when the connection has ended."""
        self._at_end = call

    def use(self, user: User) -> None:
        """Set the user of the socket, before the first frame arrives."""
        self._user = user

    async def wait(self) -> None:
        """Wait until the connection has ended; end it if this is cancelled."""
        if self._user is None:
            return
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        except asyncio.CancelledError:
            self.abort()
            raise

    def channel(
        self, traffic: ConnectionLog | None = None, relieved: Callable[[], None] = nothing
    ) -> Channel:
        """Return the channel to the peer; *traffic* logs what is sent."""

        def send(frame: Frame) -> None:
            if traffic is not None:
                traffic.sent(frame)
            self.writer.write(text_frame(frame))

        def close(disconnect: Disconnect) -> None:
            if traffic is not None:
                traffic.disconnect(disconnect)
            self._close(disconnect)

        return Channel(send, self.writer.waiting, close, self.abort, relieved)

    def pause_reading(self) -> None:
        """Read nothing until `resume_reading`."""
        self._paused = True
        if not self._behind:
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        self._paused = False
        if self._behind:
            self._work_soon()
        else:
            self._read_on()

    def _read_on(self) -> None:
        if not self._behind and not self._paused and not self._transport.is_closing():
            self._missed = 0  # nothing was read in the meantime
            self._transport.resume_reading()

    def finish(self) -> None:
        """End the connection after everything sent so far and a close frame."""
        self._close(Disconnect(1000, ""))
        self.writer.flush()
        self._transport.close()

    def abort(self) -> None:
        """End the connection without sending anything more."""
        self._transport.abort()

    def _close(self, disconnect: Disconnect) -> None:
        if not self._closing:
            self._closing = True
            self.writer.write(close_frame(disconnect))

    # Called by the event loop.

    def pause_writing(self) -> None:
        self.writer.pause()

    def resume_writing(self) -> None:
        self.writer.resume()
        if self._pong:
            self.writer.write(self._pong)
            self._pong = b""

    def data_received(self, data: bytes) -> None:
        self._missed = 0
        if self._reader is None:
            return
        self._unparsed = self._unparsed + data if self._unparsed else data
        if not self._behind:
            self._work()

    def _parse(self) -> None:
        """Parse a part of what has arrived; nothing after an error."""
        data, self._unparsed = self._unparsed, b""
        if self._reader is not None and self._inbox.error is None:
            self._reader.feed_data(data[:PART])
            self._unparsed = data[PART:]

    def _work(self) -> None:
        """Process some of what has arrived; continue when other connections had their turn."""
        self._scheduled = False
        if self._paused:
            self._behind = True
            return
        if self._unparsed and not self._inbox:
            self._parse()
        for message in self._inbox.take(SHARE):
            self._process(message)
        if self._inbox or self._unparsed:
            if not self._behind:
                self._behind = True
                if not self._paused:
                    self._transport.pause_reading()
            self._work_soon()
            return
        if self._behind:
            self._behind = False
            self._read_on()
        self._end_if_wrong()

    def _work_soon(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._work)

    def _end_if_wrong(self) -> None:
        """Close the connection if the peer has violated the protocol."""
        error = self._inbox.error
        if error is not None and self._reader is not None:
            self._reader = None
            self.code = error.code if isinstance(error, WebSocketError) else 1002
            self._close(Disconnect(self.code, ""))
            self.finish()

    def _process(self, message: Message) -> None:
        if self._reader is None or self._user is None:
            return
        match message.type:
            case WSMsgType.TEXT | WSMsgType.BINARY:
                self._user.received(message.data)
            case WSMsgType.PING:
                # A bytearray, which compiled code does not take for bytes.
                self._answer_ping(bytes(message.data))
            case WSMsgType.CLOSE:
                self._reader = None
                self.code = message.data or 1000
                self._user.closed()

    def _answer_ping(self, payload: bytes) -> None:
        """Answer a ping; if the peer does not read, only the last ping is answered, later."""
        if self.writer.paused:
            self._pong = pong_frame(payload)
        else:
            self.writer.write(pong_frame(payload))

    def connection_lost(self, exc: Exception | None) -> None:
        while self._inbox or self._unparsed:  # frames that arrived before the end
            for message in self._inbox.take():
                self._process(message)
            self._parse()
        self._reader = None
        if self._ping_timer is not None:
            self._ping_timer.cancel()
            self._ping_timer = None
        user, self._user = self._user, None
        if user is not None:
            user.lost()
        at_end, self._at_end = self._at_end, nothing
        at_end()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _ping(self) -> None:
        loop = asyncio.get_running_loop()
        if self._ping_timer is not None and loop.time() > self._ping_timer.when() + LATE_SECONDS:
            self._missed = 0  # the process was paused, and answers wait in the socket
        if self._missed == MISSED_PINGS:
            self.abort()
        elif not self._transport.is_closing():
            self._missed += 1
            self.writer.write(PING)
            wait = HEARTBEAT if self._missed < MISSED_PINGS else LAST_PING_SECONDS
            self._ping_timer = loop.call_later(wait, self._ping)


class _Inbox(WebSocketDataQueue):
    """The frames that the library's parser has found."""

    __slots__ = ("_messages", "error")

    def __init__(self) -> None:  # the library's queue would allocate buffers that are not needed here
        self._messages: list[Message] = []
        self.error: BaseException | None = None

    def feed_data(self, data: Message, size: int) -> None:
        self._messages.append(data)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        self.error = exc.with_traceback(None)

    def __bool__(self) -> bool:
        return bool(self._messages)

    def take(self, most: int | None = None) -> list[Message]:
        """Return the first frames, *most* at most, and forget them."""
        messages = self._messages
        if most is None or len(messages) <= most:
            self._messages = []
            return messages
        self._messages = messages[most:]
        return messages[:most]


def upgrade(
    request: web.Request, limit: int, pings: bool = True, headers: Mapping[str, str] | None = None
) -> WebSocket:
    """Answer the handshake of *request* and take over its connection: see `WebSocket`.

    *headers* are further headers of the answer.

    Raise Refusal if the handshake is wrong.
    """
    accepted = _accepted(request)
    transport = request.transport
    if transport is None or transport.is_closing():
        raise web.HTTPRequestTimeout  # the client has disconnected and does not read this
    socket = WebSocket(transport, limit, pings)
    socket.at_end(take_over(request, socket))
    lines = [
        "HTTP/1.1 101 Switching Protocols",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Server: croupier",
        f"Sec-WebSocket-Accept: {accepted}",
        *(f"{name}: {value}" for name, value in (headers or {}).items()),
    ]
    transport.write(("\r\n".join(lines) + "\r\n\r\n").encode("ascii"))
    return socket


def take_over(request: web.Request, protocol: WebSocket | Edge) -> Callable[[], None]:
    """Let *protocol* take over the connection of *request*; return what it has to call at its end."""
    handler, transport = request.protocol, request.transport
    assert transport is not None, "it has been checked"
    at_end = handler.hand_over(protocol) if isinstance(handler, HttpConnection) else nothing
    transport.set_protocol(protocol)
    handler.transport = None  # else it would be closed
    handler.connection_lost(None)
    return at_end


def upgraded() -> web.StreamResponse:
    """Return the response of a handler whose connection was taken over; nothing of it is sent."""
    return web.Response(status=101)


def _accepted(request: web.Request) -> str:
    """Return the answer to the key of a handshake."""
    headers = request.headers
    if request.method != "GET" or "upgrade" not in headers.get("Connection", "").lower():
        raise Refusal("bad_request", "expected GET with the header Connection: Upgrade")
    if headers.get("Sec-WebSocket-Version") != "13":
        raise Refusal("bad_request", "expected the header Sec-WebSocket-Version: 13")
    key = headers.get("Sec-WebSocket-Key", "")
    try:
        valid = len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        valid = False
    if not valid:
        raise Refusal("bad_request", "expected 16 bytes in base64 in the header Sec-WebSocket-Key")
    return base64.b64encode(hashlib.sha1(key.encode() + WS_KEY).digest()).decode()
