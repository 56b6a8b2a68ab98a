"""WebSockets: one connection, one conversation, one place at one table."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from aiohttp import WSMsgType, web

from croupier.core.contract import WATCHER
from croupier.net.limits import MESSAGE_BYTES, FrameLimit, RefusalLimit
from croupier.net.outbox import CLOSE_SECONDS, Outbox
from croupier.table.runner import Runner
from croupier.wire.talk import Conversation, Hang, Output, Send

log = logging.getLogger(__name__)


class SocketPeer:
    """A WebSocket as a table sees it."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        conversation: Conversation,
        refused: Callable[[], float],
        cut: Callable[[SocketPeer], None],
        abort: Callable[[], None],
    ) -> None:
        """*cut* is called when the peer has let too much pile up."""
        self.conversation = conversation
        self._socket = socket
        self._refused = refused
        self._cut = cut
        self._outbox = Outbox(conversation.outbox_limit, self._send, self._close, abort)
        self._loop = asyncio.get_running_loop()

    def send(self, frame: str) -> None:
        if not self._outbox.push(frame):
            self._cut(self)

    def refuse(self, frame: str) -> None:
        delay = self._refused()
        if delay:
            self._loop.call_later(delay, self.send, frame)
        else:
            self.send(frame)

    def hang(self, hang: Hang) -> None:
        self._outbox.hang(hang)

    @property
    def hung(self) -> bool:
        """Say whether this side has ended the conversation."""
        return self._outbox.hung

    async def stop(self) -> None:
        """End the task that sends."""
        await self._outbox.stop()

    async def _send(self, frame: str) -> None:
        await self._socket.send_str(frame)

    async def _close(self, hang: Hang) -> None:
        await say_goodbye(self._socket, hang)


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


async def converse(
    request: web.Request, runner: Runner, conversation: Conversation, refusals: RefusalLimit
) -> web.WebSocketResponse:
    """Serve one WebSocket from its upgrade to its end."""
    # The library refuses what reaches its limit, the protocols what is over it.
    socket = web.WebSocketResponse(
        max_msg_size=MESSAGE_BYTES + 1, compress=False, timeout=CLOSE_SECONDS, autoclose=False
    )
    await socket.prepare(request)
    loop = asyncio.get_running_loop()
    address = request.remote or ""
    peer = SocketPeer(
        socket,
        conversation,
        lambda: refusals.delay(address, loop.time()),
        runner.detach,
        aborter(request),
    )
    runner.attach(peer)
    limit = FrameLimit()
    impatient: asyncio.TimerHandle | None = None
    if conversation.patience is not None:
        impatient = loop.call_later(conversation.patience, _lose_patience, peer)
    log.debug("> table %s: %s connected", runner.table.id, address)
    try:
        _carry_out(peer, runner, conversation.greet(loop.time()))
        async for message in socket:
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                break
            if peer.hung:
                continue  # only its goodbye still counts
            if limit.allows(loop.time(), runner.table.asked(conversation.seat)):
                _carry_out(peer, runner, conversation.receive(message.data, loop.time()))
            elif limit.just_passed():
                _carry_out(peer, runner, conversation.flooded())
    finally:
        if impatient is not None:
            impatient.cancel()
        runner.detach(peer)
        await peer.stop()
        if peer.hung and request.transport is not None:
            request.transport.close()  # both have said goodbye; the library would say it once more
        log.debug("< table %s: %s gone (%s)", runner.table.id, address, socket.close_code)
    return socket


def _carry_out(peer: SocketPeer, runner: Runner, outputs: list[Output]) -> None:
    for output in outputs:
        match output:
            case Send(frame):
                peer.send(frame)
            case Hang():
                peer.hang(output)
            case request:
                runner.post(peer, request)


def _lose_patience(peer: SocketPeer) -> None:
    if peer.conversation.seat == WATCHER:
        peer.hang(Hang(1008, "nobody joined on this connection"))
