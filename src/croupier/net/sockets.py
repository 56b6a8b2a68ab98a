"""The users of WebSockets: each connection is one conversation, at a table or in a lobby."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from aiohttp import web

from croupier.core.contract import WATCHER
from croupier.http import address_of
from croupier.net.connection import Connection
from croupier.net.limits import MESSAGE_BYTES, REFUSAL_DELAY
from croupier.net.lobby import LobbyServer
from croupier.net.lobby_connection import LobbyConnection
from croupier.net.outbox import CLOSE_SECONDS, Channel
from croupier.net.traffic_log import ConnectionLog
from croupier.net.websocket import WebSocket, upgrade
from croupier.table.shell import Shell
from croupier.wire.driver import LobbyConversation
from croupier.wire.talk import Conversation, Disconnect, TableInfo
from croupier.wire.token_bucket import MessageLimit, TokenBuckets

log = logging.getLogger(__name__)

LOBBY_MESSAGE_BYTES: Final = 64 * 1024
"""More than any lobby protocol accepts, so that the protocol itself answers a frame that is too long."""
NOTICE: Final = "Croupier-Notice"
"""The header of an upgrade to a WebSocket at a table where a player could know the cards."""


def converse(
    request: web.Request,
    shell: Shell,
    conversation: Conversation,
    refusals: TokenBuckets,
    traffic: ConnectionLog | None = None,
    pings: bool = False,
) -> WebSocket:
    """Answer the handshake of *request* and begin a conversation at a table; *traffic* logs its frames."""
    # The library refuses a frame that reaches its limit, the protocols one that exceeds it.
    notices = _notices(shell.table)
    headers = {NOTICE: ", ".join(notices)} if notices else {}
    socket = upgrade(request, MESSAGE_BYTES + 1, pings, headers)
    TableUser(socket, shell, conversation, address_of(request), refusals, traffic).begin()
    return socket


class TableUser:
    """A connection that starts at a table."""

    __slots__ = ("_address", "_connection", "_limit", "_loop", "_socket", "_table", "_traffic", "_unjoined")

    def __init__(
        self,
        socket: WebSocket,
        shell: Shell,
        conversation: Conversation,
        address: str,
        refusals: TokenBuckets,
        traffic: ConnectionLog | None,
    ) -> None:
        self._socket = socket
        self._table = shell.table
        self._address = address
        self._traffic = traffic
        self._loop = asyncio.get_running_loop()
        self._limit = MessageLimit(step=1.0)
        refused = partial(_refusal_delay, refusals, address)
        conversation.address = address
        self._connection = Connection(
            conversation, socket.channel(traffic), shell.clock, shell.table.identities, refused
        )
        self._connection.enter(shell)
        self._unjoined: asyncio.TimerHandle | None = None
        if conversation.join_seconds is not None:
            self._unjoined = self._loop.call_later(
                conversation.join_seconds, _close_unjoined, self._connection
            )

    def begin(self) -> None:
        """Greet the peer."""
        log.debug("> table %s: %s connected", self._table.id, self._address)
        self._socket.use(self)
        self._connection.greet()

    def received(self, frame: str | bytes) -> None:
        connection, limit = self._connection, self._limit
        asked = self._table.asked(connection.conversation.seat)
        heard = not connection.disconnected and limit.allows(self._loop.time(), asked)
        if self._traffic is not None:
            self._traffic.received(frame, ignored=not heard)
        if connection.disconnected:
            return  # of further frames only the close frame matters
        if heard:
            connection.receive(frame)
        elif limit.refused == 1:
            connection.carry_out(connection.conversation.flooded())

    def closed(self) -> None:
        self._socket.finish()

    def lost(self) -> None:
        if self._unjoined is not None:
            self._unjoined.cancel()
        self._connection.lose()
        self._connection.stop()
        code = self._socket.code
        if self._traffic is not None:
            self._traffic.end(code)
        log.debug("< table %s: %s disconnected (%d)", self._table.id, self._address, code)


async def converse_in_lobby(
    request: web.Request,
    server: LobbyServer,
    token: str,
    traffic: ConnectionLog | None,
    connect: Callable[[LobbyConversation, Channel, LobbyServer, str], LobbyConnection] = LobbyConnection,
) -> WebSocket:
    """Answer the handshake of *request* and begin a conversation in a lobby; *traffic* logs its frames.

    *token* is that in the address, and *connect* creates the connection. After a wrong handshake there is no
    conversation: its end would never be noticed.
    """
    await server.wait()
    socket = upgrade(request, LOBBY_MESSAGE_BYTES)
    user = LobbyUser(socket, traffic)
    channel = socket.channel(traffic, user.relieved)
    user.begin(connect(server.converse(token=token), channel, server, address_of(request)))
    return socket


class LobbyUser:
    """A connection that starts in a lobby: reading pauses while its conversation has to wait."""

    def __init__(self, socket: WebSocket, traffic: ConnectionLog | None) -> None:
        self._socket = socket
        self._traffic = traffic
        self._connection: LobbyConnection | None = None
        self._frames: deque[str | bytes] = deque()
        """Frames that have arrived and wait."""
        self._paused = False
        self._closed = False
        """True if the peer has sent its close frame."""
        self._lost = False

    def begin(self, connection: LobbyConnection) -> None:
        """Greet the peer."""
        self._connection = connection
        self._socket.use(self)
        connection.begin()

    def received(self, frame: str | bytes) -> None:
        self._frames.append(frame)
        self._read()

    def _read(self) -> None:
        """Process waiting frames until the conversation accepts no more."""
        connection = self._connection
        while connection is not None and self._frames and not connection.full:
            frame = self._frames.popleft()
            if self._traffic is not None:
                self._traffic.received(frame, ignored=connection.disconnected)
            if not connection.disconnected:
                connection.receive(frame)
        if self._frames and not self._paused and not self._lost:
            self._paused = True
            self._socket.pause_reading()

    def relieved(self) -> None:
        """Go on reading, or end the connection: the conversation may have answered everything."""
        if self._frames or self._closed or self._lost:
            # Not at once: the conversation may be about to send more.
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        connection = self._connection
        if connection is None:
            return
        self._read()
        if self._frames:
            return
        if self._paused and not self._lost:
            self._paused = False
            self._socket.resume_reading()
        if self._closed and connection.answered:
            self._finish()
        if self._lost and connection.answered:
            self._let_go()

    def closed(self) -> None:
        self._closed = True
        self._go_on()
        if self._connection is not None and not self._connection.answered:
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._finish)

    def _finish(self) -> None:
        if self._connection is not None and not self._lost:
            self._connection.lose()
            self._socket.finish()

    def lost(self) -> None:
        self._lost = True
        self._go_on()
        if self._connection is not None:  # what the peer sent before is still processed
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._let_go)

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.lose()
            connection.stop()
            if self._traffic is not None:
                self._traffic.end(self._socket.code)


def _refusal_delay(refusals: TokenBuckets, address: str) -> float:
    """Count a refused join; return the delay of the answer in seconds."""
    return 0.0 if refusals.take(address, asyncio.get_running_loop().time()) else REFUSAL_DELAY


def _notices(info: TableInfo) -> list[str]:
    """Return headers with what a player should know before taking a seat, for protocols that have no message
    for it.
    """
    found = ["fixed-deal"] if info.fixed_deal else []
    return [*found, "watch-open"] if info.watch_open else found


def _close_unjoined(connection: Connection) -> None:
    if connection.conversation.seat == WATCHER:
        connection.disconnect(Disconnect(1008, "nobody joined on this connection"))
