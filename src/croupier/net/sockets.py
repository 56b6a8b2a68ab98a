"""WebSockets: each connection is one conversation, at a table or in a lobby."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from aiohttp import WSMsgType, web

from croupier.core.contract import WATCHER
from croupier.http import address_of
from croupier.net.connection import Connection
from croupier.net.frames import close_frame, text_frame
from croupier.net.limits import MESSAGE_BYTES, REFUSAL_DELAY
from croupier.net.lobby import LobbyConnection, LobbyServer
from croupier.net.outbox import CLOSE_SECONDS, Channel, Writer
from croupier.net.traffic_log import ConnectionLog
from croupier.table.shell import Shell
from croupier.wire.driver import LobbyConversation
from croupier.wire.talk import Conversation, Frame, Hang
from croupier.wire.token_bucket import MessageLimit, TokenBuckets

log = logging.getLogger(__name__)

LOBBY_MESSAGE_BYTES: Final = 64 * 1024
"""More than any lobby protocol accepts, so that the protocol itself answers a frame that is too long."""
HEARTBEAT: Final = 20.0
"""Seconds between pings."""
MISSED_PINGS: Final = 2
"""How many successive pings may be unanswered; the library would wait only half a heartbeat."""


def channel_of(request: web.Request, traffic: ConnectionLog | None = None) -> Channel:
    """Return the channel of the WebSocket of *request*, which has been prepared.

    Closing sends one frame; the peer answers with its own close frame, which the reader of the socket
    receives. The library's `close` would end the connection without waiting for that, and a client that
    answers a moment later would report an abnormal closure (code 1006).
    """
    if request.transport is None:
        raise ConnectionResetError("the connection ended while it was being prepared")
    writer = Writer(request.transport)

    def send(frame: Frame) -> None:
        if traffic is not None:
            traffic.sent(frame)
        writer.write(text_frame(frame))

    def close(hang: Hang) -> None:
        if traffic is not None:
            traffic.hang(hang)
        writer.write(close_frame(hang))

    return Channel(send, writer.waiting, close, request.transport.abort)


class Heartbeat:
    """Pings a client, and ends the connection if it no longer answers."""

    def __init__(self, socket: web.WebSocketResponse, abort: Callable[[], None]) -> None:
        self._missed = 0
        self._task = asyncio.get_running_loop().create_task(self._ping(socket, abort))

    def received(self) -> None:
        """Note that data has arrived."""
        self._missed = 0

    def stop(self) -> None:
        """Stop pinging: the connection has ended."""
        self._task.cancel()

    async def _ping(self, socket: web.WebSocketResponse, abort: Callable[[], None]) -> None:
        with suppress(ConnectionError):
            while True:
                await asyncio.sleep(HEARTBEAT)
                if self._missed == MISSED_PINGS:
                    abort()
                    return
                self._missed += 1
                await socket.ping()


async def converse(
    request: web.Request,
    shell: Shell,
    conversation: Conversation,
    refusals: TokenBuckets,
    traffic: ConnectionLog | None = None,
) -> web.WebSocketResponse:
    """Serve one WebSocket of a table from its upgrade to its end; *traffic* logs its frames."""
    # The library refuses a frame that reaches its limit, the protocols one that exceeds it.
    socket = web.WebSocketResponse(
        max_msg_size=MESSAGE_BYTES + 1, compress=False, timeout=CLOSE_SECONDS, autoclose=False
    )
    await socket.prepare(request)
    loop = asyncio.get_running_loop()
    address = address_of(request)
    channel = channel_of(request, traffic)

    def refused() -> float:
        return 0.0 if refusals.take(address, loop.time()) else REFUSAL_DELAY

    connection = Connection(conversation, channel, shell.clock, refused)
    connection.enter(shell)
    limit = MessageLimit(step=1.0)
    unjoined: asyncio.TimerHandle | None = None
    if conversation.patience is not None:
        unjoined = loop.call_later(conversation.patience, _close_unjoined, connection)
    log.debug("> table %s: %s connected", shell.table.id, address)
    try:
        connection.greet()
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            heard = not connection.hung and limit.allows(loop.time(), shell.table.asked(conversation.seat))
            if traffic is not None:
                traffic.received(message.data, ignored=not heard)
            if connection.hung:
                continue  # only its close frame still matters
            if heard:
                connection.receive(message.data)
            elif limit.refused == 1:
                connection.carry_out(conversation.flooded())
    finally:
        if unjoined is not None:
            unjoined.cancel()
        _end(request, connection)
        if traffic is not None:
            traffic.end(socket.close_code)
        log.debug("< table %s: %s disconnected (%s)", shell.table.id, address, socket.close_code)
    return socket


async def converse_in_lobby(
    request: web.Request,
    server: LobbyServer,
    conversation: LobbyConversation,
    traffic: ConnectionLog | None,
    connect: Callable[[LobbyConversation, Channel, LobbyServer, str], LobbyConnection] = LobbyConnection,
) -> web.WebSocketResponse:
    """Serve one WebSocket of a lobby from its upgrade to its end; *traffic* logs its frames.

    *connect* creates the connection.
    """
    socket = web.WebSocketResponse(
        max_msg_size=LOBBY_MESSAGE_BYTES,
        compress=False,
        timeout=CLOSE_SECONDS,
        autoclose=False,
        autoping=False,
    )
    await socket.prepare(request)
    await server.wait()
    address = address_of(request)
    channel = channel_of(request, traffic)
    connection = connect(conversation, channel, server, address)
    heartbeat = Heartbeat(socket, channel.abort)
    try:
        connection.begin()
        async for message in socket:
            heartbeat.received()
            if message.type == WSMsgType.PING:
                await socket.pong(message.data)
            if message.type in (WSMsgType.PING, WSMsgType.PONG):
                continue
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            if traffic is not None:
                traffic.received(message.data, ignored=connection.hung)
            if not connection.hung:
                connection.receive(message.data)
                await connection.room()
                heartbeat.received()  # nothing was read in the meantime
        await connection.settle()
    finally:
        heartbeat.stop()
        _end(request, connection)
        if traffic is not None:
            traffic.end(socket.close_code)
    return socket


def _end(request: web.Request, connection: Connection) -> None:
    connection.lose()
    connection.stop()
    if connection.hung and request.transport is not None:
        request.transport.close()  # both sides have sent a close frame; the library would send another


def _close_unjoined(connection: Connection) -> None:
    if connection.conversation.seat == WATCHER:
        connection.hang(Hang(1008, "nobody joined on this connection"))
