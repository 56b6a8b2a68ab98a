"""The connections of the HTTP port: counted, with time limits; what a peer sends is never logged.

The library waits without limit for a header and for a reader. Here the first request has to arrive within
`HEADER_SECONDS`, the next one within `IDLE_SECONDS`, and a peer has to take some of an answer every
`STALL_SECONDS`; `croupier.http` limits the time of a body. WebSockets have limits of their own.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from functools import partial
from typing import TYPE_CHECKING, Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from croupier.core.refusal import Refusal
from croupier.http import refused
from croupier.net.limits import ConnectionCount, Tally
from croupier.net.listening import Endable, OpenConnections, peer_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

log = logging.getLogger(__name__)

HEADER_SECONDS: Final = 15.0
IDLE_SECONDS: Final = 75.0
STALL_SECONDS: Final = 30.0
LINGER_SECONDS: Final = 5.0
"""How many seconds the unneeded rest of a body is read."""
_MALFORMED: Final = (HttpProcessingError, web.RequestPayloadError)
_FULL: Final = b'{"key":"full","words":"the server has too many connections: try again later"}'
_REFUSED: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\nRetry-After: 10\r\n\r\n%s" % (len(_FULL), _FULL)
)


def set_common_headers(response: web.StreamResponse) -> None:
    """Set the headers that every response has."""
    response.headers["Server"] = "croupier"
    response.headers["X-Content-Type-Options"] = "nosniff"


class HttpRunner(web.AppRunner):
    """Runs an application on the connections of this module."""

    def __init__(self, app: web.Application, connections: ConnectionCount, shutdown_timeout: float) -> None:
        super().__init__(app, access_log=None, shutdown_timeout=shutdown_timeout)
        self._connections = connections

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        return HttpPort(made, self._connections)


class HttpPort(web.Server):
    """Creates the connections of the port."""

    def __init__(self, server: web.Server, connections: ConnectionCount) -> None:
        """*server* has the application."""
        super().__init__(server.request_handler, request_factory=server.request_factory)
        self.counted = connections
        self.sockets = OpenConnections()
        """The WebSockets."""
        self.malformed = Tally(_report_malformed)

    def __call__(self) -> HttpConnection:
        return HttpConnection(self, self._loop)

    def end_socket(self, socket: Endable, address: str) -> None:
        """Note that a WebSocket has ended."""
        self.sockets.discard(socket)
        self.counted.leave(address)

    async def shutdown(self, timeout: float | None = None) -> None:  # noqa: ASYNC109  # the library's name
        # The library waits for *timeout* twice.
        await asyncio.gather(self.sockets.end(2 * (timeout or 0.0)), super().shutdown(timeout))

    def pre_shutdown(self) -> None:
        self.malformed.stop()
        super().pre_shutdown()


def _report_malformed(count: int) -> None:
    log.warning("%d malformed HTTP requests refused", count)


class HttpConnection(web.RequestHandler):
    """One connection from its first byte to its end."""

    def __init__(self, port: HttpPort, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            port,
            loop=loop,
            access_log=None,  # type: ignore[arg-type]  # the library accepts None, its annotation does not
            keepalive_timeout=IDLE_SECONDS,
            lingering_time=LINGER_SECONDS,
            auto_decompress=False,  # a small body could unpack to gigabytes
        )
        self._port = port
        self._address = ""
        self._taken_over = False
        """True if the connection has become a WebSocket, which is counted until its own end."""
        self._timer: asyncio.TimerHandle | None = None
        """Ends the connection if the peer sends no request, or reads no answer."""

    @property
    def idle(self) -> bool:
        """Return True if no request is being answered."""
        return not self._request_in_progress

    @property
    def hasty(self) -> bool:
        """Return True if the peer has asked for a WebSocket and sent more before it got the answer."""
        return bool(self._message_tail)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._address, descriptor = peer_of(transport)
        if self._port.counted.enter(self._address, descriptor, self):
            self._timer = self._loop.call_later(HEADER_SECONDS, self._check_header)
        elif self.transport is not None:
            self.transport.write(_REFUSED)
            self.force_close()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._stop_timer()
        self._port.counted.settle(self)
        if not self._taken_over:
            self._port.counted.leave(self._address)
        super().connection_lost(exc)

    def hand_over(self, socket: Endable) -> Callable[[], None]:
        """Let *socket* take over the connection; return what it has to call at its end."""
        self._taken_over = True
        self._port.sockets.add(socket)
        return partial(self._port.end_socket, socket, self._address)

    def _check_header(self) -> None:
        if not self._request_count:
            self.evict()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_timer()
        self._timer = self._loop.call_later(STALL_SECONDS, self.evict)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_timer()

    def evict(self) -> None:
        """End the connection at once."""
        if self.transport is not None:
            self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def finish_response(
        self, request: web.BaseRequest, resp: web.StreamResponse, start_time: float | None
    ) -> tuple[web.StreamResponse, bool]:
        try:
            return await super().finish_response(request, resp, start_time)
        except RuntimeError:
            # asyncio sends no file to a peer that has left, and raises this.
            if self.transport is None or self.transport.is_closing():
                return resp, True
            raise

    # Errors: the messages of exceptions may quote the peer, so only their types are logged.

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        self._log(exc)
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun")
        if status < 500:
            response = refused(Refusal("bad_request", "expected an HTTP request"))
        else:
            response = refused(
                Refusal("failed", "the server could not answer because of an error of its own")
            )
        response.force_close()
        set_common_headers(response)
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        self._log(kw.get("exc_info"))

    def _log(self, exc: BaseException | None) -> None:
        if isinstance(exc, _MALFORMED):
            self._port.malformed.add()
        elif exc is not None:
            where = "".join(traceback.format_tb(exc.__traceback__))
            log.error(
                "a request failed with %s; the client got an error\nTraceback (most recent call last):\n%s",
                type(exc).__name__,
                where,
            )
        if exc is not None:
            exc.__traceback__ = None  # its frames have the exception: they would keep each other alive
