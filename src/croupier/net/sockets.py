"""WebSockets: one connection, one conversation, one place at one table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final

from aiohttp import WSMsgType, web

from croupier.core.contract import WATCHER
from croupier.net.address import address_of
from croupier.net.limits import MESSAGE_BYTES, FrameLimit, RefusalLimit
from croupier.net.link import Carrier, Link
from croupier.net.logbook import Tap
from croupier.net.outbox import CLOSE_SECONDS
from croupier.net.reception import DeskLink, Reception
from croupier.table.runner import Runner
from croupier.wire.desk import DeskConversation
from croupier.wire.talk import Conversation, Hang

log = logging.getLogger(__name__)

DESK_MESSAGE_BYTES: Final = 64 * 1024
"""More than any protocol of a desk takes, so that it can say so itself."""
HEARTBEAT: Final = 20.0
"""Seconds between pings."""
PATIENCE: Final = 2
"""So many pings in a row may go unanswered; the library would wait for half a heartbeat only."""


async def say_goodbye(socket: web.WebSocketResponse, hang: Hang) -> None:
    """Send a close frame; whoever reads from *socket* sees the peer's own, and then it is over.

    The library's `close` would end the connection without waiting for it, and a client that answers a
    moment later takes that for an accident (code 1006).
    """
    reason = hang.reason.encode()[:123].decode(errors="ignore").encode()  # a cut letter is no UTF-8
    await socket.send_frame(hang.code.to_bytes(2, "big") + reason, WSMsgType.CLOSE)


def aborter(request: web.Request) -> Callable[[], None]:
    """Return how to end the connection of *request* without another byte."""

    def abort() -> None:
        if request.transport is not None:
            request.transport.abort()

    return abort


def carrier_of(request: web.Request, socket: web.WebSocketResponse, tap: Tap | None) -> Carrier:
    """Return how frames travel on *socket*."""

    async def close(hang: Hang) -> None:
        if tap is not None:
            tap.hang(hang)
        await say_goodbye(socket, hang)

    return Carrier(socket.send_str if tap is None else _tapped(socket, tap), close, aborter(request))


def _tapped(socket: web.WebSocketResponse, tap: Tap) -> Callable[[str], Coroutine[None, None, None]]:
    async def send(frame: str) -> None:
        tap.sent(frame)  # before it is: the answer must not be noted first
        await socket.send_str(frame)

    return send


class Pulse:
    """Pings a client, and ends the connection of one that answers nothing any more."""

    def __init__(self, socket: web.WebSocketResponse, abort: Callable[[], None]) -> None:
        self._missed = 0
        self._task = asyncio.get_running_loop().create_task(self._beat(socket, abort))

    def felt(self) -> None:
        """Something has come."""
        self._missed = 0

    def stop(self) -> None:
        """The connection has ended."""
        self._task.cancel()

    async def _beat(self, socket: web.WebSocketResponse, abort: Callable[[], None]) -> None:
        with suppress(ConnectionError):
            while True:
                await asyncio.sleep(HEARTBEAT)
                if self._missed == PATIENCE:
                    abort()
                    return
                self._missed += 1
                await socket.ping()


async def converse(
    request: web.Request,
    runner: Runner,
    conversation: Conversation,
    refusals: RefusalLimit,
    tap: Tap | None = None,
) -> web.WebSocketResponse:
    """Serve one WebSocket of a table from its upgrade to its end; *tap* notes what passes on it."""
    # The library refuses what reaches its limit, the protocols what is over it.
    socket = web.WebSocketResponse(
        max_msg_size=MESSAGE_BYTES + 1, compress=False, timeout=CLOSE_SECONDS, autoclose=False
    )
    await socket.prepare(request)
    loop = asyncio.get_running_loop()
    address = address_of(request)
    carrier = carrier_of(request, socket, tap)
    link = Link(conversation, carrier, lambda: refusals.delay(address, loop.time()))
    link.enter(runner)
    limit = FrameLimit()
    impatient: asyncio.TimerHandle | None = None
    if conversation.patience is not None:
        impatient = loop.call_later(conversation.patience, _lose_patience, link)
    log.debug("> table %s: %s connected", runner.table.id, address)
    try:
        link.greet()
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            heard = not link.hung and limit.allows(loop.time(), runner.table.asked(conversation.seat))
            if tap is not None:
                tap.received(message.data, ignored=not heard)
            if link.hung:
                continue  # only its goodbye still counts
            if heard:
                link.receive(message.data)
            elif limit.just_passed():
                link.carry_out(conversation.flooded())
    finally:
        if impatient is not None:
            impatient.cancel()
        await _end(request, link)
        if tap is not None:
            tap.end(socket.close_code)
        log.debug("< table %s: %s gone (%s)", runner.table.id, address, socket.close_code)
    return socket


async def converse_at_desk(
    request: web.Request,
    reception: Reception,
    conversation: DeskConversation,
    tap: Tap | None,
    link_of: Callable[[DeskConversation, Carrier, Reception, str], DeskLink] = DeskLink,
) -> web.WebSocketResponse:
    """Serve one WebSocket of a desk from its upgrade to its end; *tap* notes what passes on it.

    *link_of* gives the connection its place at the reception.
    """
    socket = web.WebSocketResponse(
        max_msg_size=DESK_MESSAGE_BYTES,
        compress=False,
        timeout=CLOSE_SECONDS,
        autoclose=False,
        autoping=False,
    )
    await socket.prepare(request)
    address = address_of(request)
    link = link_of(conversation, carrier_of(request, socket, tap), reception, address)
    pulse = Pulse(socket, aborter(request))
    try:
        link.begin()
        async for message in socket:
            pulse.felt()
            if message.type == WSMsgType.PING:
                await socket.pong(message.data)
            if message.type in (WSMsgType.PING, WSMsgType.PONG):
                continue
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            if tap is not None:
                tap.received(message.data, ignored=link.hung)
            if not link.hung:
                link.receive(message.data)
                await link.room()
                pulse.felt()  # nothing was read meanwhile
        await link.settle()
    finally:
        pulse.stop()
        await _end(request, link)
        if tap is not None:
            tap.end(socket.close_code)
    return socket


async def _end(request: web.Request, link: Link) -> None:
    link.lose()
    await link.stop()
    if link.hung and request.transport is not None:
        request.transport.close()  # both have said goodbye; the library would say it once more


def _lose_patience(link: Link) -> None:
    if link.conversation.seat == WATCHER:
        link.hang(Hang(1008, "nobody joined on this connection"))
