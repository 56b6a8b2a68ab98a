"""Listening on a port, and the connections accepted there; a peer that has vanished is noticed."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Hashable
from ssl import SSLContext
from typing import Final, Protocol

from croupier.net.limits import BACKLOG

HANDSHAKE_SECONDS: Final = 10.0
"""How long a TLS handshake may take."""
QUIET_SECONDS: Final = 20
"""After this long without a byte the system asks the peer's system whether it is still there."""
ASK_SECONDS: Final = 5
ASK_TIMES: Final = 4
GONE_SECONDS: Final = QUIET_SECONDS + ASK_SECONDS * ASK_TIMES
"""After this long without a sign of life the connection ends."""


class Endable(Hashable, Protocol):
    """A connection that can be ended."""

    def abort(self) -> None:
        """End the connection without sending anything more."""
        ...


class OpenConnections:
    """The connections of one port that have not ended."""

    def __init__(self) -> None:
        self._open: set[Endable] = set()
        self._none = asyncio.Event()
        self._none.set()

    def add(self, connection: Endable) -> None:
        """Add a connection that has begun."""
        self._open.add(connection)
        self._none.clear()

    def discard(self, connection: Endable) -> None:
        """Remove a connection that has ended."""
        self._open.discard(connection)
        if not self._open:
            self._none.set()

    async def end(self, seconds: float) -> None:
        """Give closing connections some time to end, then abort them."""
        try:
            await asyncio.wait_for(self._none.wait(), seconds)
        except TimeoutError:
            for connection in list(self._open):
                connection.abort()


class Doors:
    """A port whose first protocol decides what serves a connection."""

    def __init__(self, protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        self._protocol = protocol
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int, tls: SSLContext | None, reuse_port: bool) -> int:
        """Listen; return the actual port (0 chooses any free one). Raise OSError if that is impossible."""
        self._server = await listen(self._protocol, host, port, tls, reuse_port)
        return int(self._server.sockets[0].getsockname()[1])

    def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def stop(self, seconds: float) -> None:
        """Do nothing: the code that serves the connections ends them."""


async def listen(
    protocol: Callable[[], asyncio.BaseProtocol],
    host: str,
    port: int,
    tls: SSLContext | None,
    reuse_port: bool = False,
) -> asyncio.Server:
    """Listen; raise OSError if that is impossible. Port 0 chooses any free one.

    If *reuse_port*, other processes may listen on the same port.
    """
    server = await asyncio.get_running_loop().create_server(
        protocol,
        host,
        port,
        backlog=BACKLOG,
        reuse_address=True,
        reuse_port=reuse_port or None,
        ssl=tls,
        ssl_handshake_timeout=HANDSHAKE_SECONDS if tls is not None else None,
        start_serving=False,
    )
    for listening in server.sockets:
        watch_peers(listening)
    await server.start_serving()
    return server


def peer_of(transport: asyncio.BaseTransport) -> tuple[str, int]:
    """Return the address of the peer and the descriptor of the connection."""
    name, socket = transport.get_extra_info("peername"), transport.get_extra_info("socket")
    return str(name[0]) if name else "", socket.fileno() if socket is not None else 0


def watch_peers(listening: socket.socket) -> None:
    """Let the system end connections whose peer has vanished; accepted sockets inherit these settings."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        ("TCP_KEEPIDLE", QUIET_SECONDS),
        ("TCP_KEEPINTVL", ASK_SECONDS),
        ("TCP_KEEPCNT", ASK_TIMES),
        ("TCP_USER_TIMEOUT", GONE_SECONDS * 1000),  # unacknowledged data suppresses keepalive probes
    ):
        if hasattr(socket, name):  # not every system has all of them
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
