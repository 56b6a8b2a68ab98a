"""The bus on NATS: core subjects, which are fast, ordered and not stored.

Each house has its own subjects, named by a digest of its key, so that several houses can share one NATS.

The connection is our own (nats_protocol.py): it passes a message on in the callback that reads it, and sends
one without a task. A forwarded move is two messages; with the library nats-py it cost 1.9 times a local one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, cast
from urllib.parse import SplitResult, urlsplit

import msgspec

from croupier.cluster import nats_protocol
from croupier.cluster.bus import Bus, BusError
from croupier.cluster.messages import EVERYONE
from croupier.cluster.nats_protocol import PING, PONG, BadLine, Line, Reader

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 5.0
PAUSE: Final = 0.25
"""Seconds between two attempts to connect again."""
PING_SECONDS: Final = 1.0
MOST_PINGS: Final = 2
"""If this many pings are unanswered when the next one is due, the connection is lost."""
WAITING: Final = 8 * 1024 * 1024
"""Bytes that may wait for a slow bus; further messages are lost, which the receiver notices."""
PORT: Final = 4222
UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Information(msgspec.Struct):
    """What a server says about itself at the beginning, and when something changes."""

    tls_required: bool = False
    connect_urls: list[str] = []
    """The servers of its cluster, as HOST:PORT."""

    def addresses(self) -> list[tuple[str, int]]:
        """Return the hosts and ports of the servers of its cluster."""
        parts = [urlsplit(f"//{address}") for address in self.connect_urls]
        return [(part.hostname or "", part.port or PORT) for part in parts]


def shown(url: str) -> str:
    """Return *url* without user and password.

    >>> shown("nats://anna:secret@bus.example.org:4222")
    'nats://bus.example.org:4222'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


class NatsBus(Bus):
    """One node's connection to NATS; created by `open`."""

    def __init__(self, url: str, house: str, node: int) -> None:
        """*house* names the subjects."""
        self._url = url
        self._parts = urlsplit(url)
        self._house = house
        self._node = node
        self._connection: _Connection | None = None
        self._own = self._parts.hostname or "", self._parts.port or PORT
        self._addresses = [self._own]
        """Where to connect: the last server first, the others of its cluster after it."""
        self._again: asyncio.Task[None] | None = None
        self._closing = False

    @classmethod
    async def open(cls, url: str, key: str, node: int) -> NatsBus:
        """Connect to NATS at *url*; raise BusError with the cause in one line."""
        try:
            parts = urlsplit(url)
            valid = parts.scheme in ("nats", "tls") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise BusError(f"--nats {url.rpartition('@')[2]}: expected nats://HOST:PORT")
        bus = cls(url, blake2b(key.encode(), digest_size=8).hexdigest(), node)
        try:
            await bus._connect()
        except (OSError, BadLine, TimeoutError) as error:
            raise BusError(f"{shown(url)}: {_cause(error)}") from None
        return bus

    async def _connect(self) -> None:
        """Connect to the first server that answers; raise the error of the last one."""
        for address in list(self._addresses):
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    self._connection = await self._connected_to(*address)
            except (OSError, BadLine, TimeoutError):
                if address == self._addresses[-1]:
                    raise
            else:
                self._addresses = list(dict.fromkeys([address, *self._addresses]))
                return

    async def _connected_to(self, host: str, port: int) -> _Connection:
        connection = _Connection(self._arrived, self._disconnected)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: connection, host, port)
        try:
            await connection.begin(self._parts, host, [self._subject(self._node), self._subject(EVERYONE)])
        except BaseException:
            connection.abort()
            raise
        return connection

    def _subject(self, node: int) -> str:
        return f"croupier.{self._house}.{node or 'all'}"

    @property
    def connected(self) -> bool:
        return self._connection is not None

    def publish(self, node: int, data: bytes) -> None:
        if self._connection is not None:
            self._connection.send(nats_protocol.message(self._subject(node).encode(), data))

    def _arrived(self, data: bytes) -> None:
        self.received(data)

    def _disconnected(self, error: Exception | None) -> None:
        if self._connection is None or self._closing:
            return
        others = self._connection.information.addresses()
        self._addresses = list(dict.fromkeys([self._addresses[0], self._own, *others]))
        self._connection = None
        words = "%s: connection lost (%s); connections to tables of other nodes end, trying again every %g s"
        log.warning(words, shown(self._url), error or "it was closed", PAUSE)
        self._again = asyncio.get_running_loop().create_task(self._reconnect())
        self.lost()

    async def _reconnect(self) -> None:
        while self._connection is None:
            await asyncio.sleep(PAUSE)
            with contextlib.suppress(OSError, BadLine, TimeoutError):
                await self._connect()
        log.warning("%s: connected again", shown(self._url))
        self.restored()

    async def close(self) -> None:
        self._closing = True
        if self._again is not None:
            self._again.cancel()
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


class _Connection(asyncio.Protocol):
    """One connection to a NATS server."""

    def __init__(self, arrived: Callable[[bytes], None], lost: Callable[[Exception | None], None]) -> None:
        self._arrived = arrived
        self._lost = lost
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._reader = Reader()
        self.information = Information()
        self._informed: asyncio.Future[None] = self._loop.create_future()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        """Done when the server has accepted the user and the subscriptions."""
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._pings = 0
        """How many pings have not been answered."""
        self._timer: asyncio.TimerHandle | None = None
        self._error: Exception | None = None

    async def begin(self, url: SplitResult, host: str, subjects: list[str]) -> None:
        """Log in with the user of *url* and subscribe; raise ConnectionError if that is refused."""
        await self._informed
        transport = self._transport
        assert transport is not None, "it is connected"
        if url.scheme == "tls" or self.information.tls_required:
            context = ssl.create_default_context()
            secured = await self._loop.start_tls(transport, self, context, server_hostname=host)
            assert secured is not None, "the connection was not lost"
            self._transport = transport = secured
        transport.write(nats_protocol.hello(url, "croupier", subjects))
        await self._ready
        if self._ended.done():
            raise ConnectionError("the connection was closed")
        self._timer = self._loop.call_later(PING_SECONDS, self._ping)

    def send(self, data: bytes) -> None:
        """Send *data*, unless too much is queued."""
        if self._transport is not None and self._transport.get_write_buffer_size() < WAITING:
            self._transport.write(data)

    async def close(self) -> None:
        """Send the queued data, and end the connection."""
        if self._transport is not None:
            self._transport.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._ended), 2.0)
            self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _ping(self) -> None:
        if self._pings >= MOST_PINGS:
            self._error = TimeoutError("no answer")
            self.abort()
            return
        self._pings += 1
        self.send(PING)
        self._timer = self._loop.call_later(PING_SECONDS, self._ping)

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transports are not subclasses

    def data_received(self, data: bytes) -> None:
        try:
            for item in self._reader.feed(data):
                if isinstance(item, Line):
                    self._process(item)
                else:
                    self._arrived(item)
        except (BadLine, *UNREADABLE) as error:
            self._error = error
            self.abort()

    def _process(self, line: Line) -> None:
        match line.word:
            case "INFO":
                self.information = msgspec.json.decode(line.rest, type=Information)
                if not self._informed.done():
                    self._informed.set_result(None)
            case "PING":
                self.send(PONG)
            case "PONG":
                self._pings = 0
                if not self._ready.done():
                    self._ready.set_result(None)
            case "-ERR":
                self._error = ConnectionError(line.rest.decode("utf-8", "replace").strip("'"))
            case "+OK":
                pass
            case _:
                raise BadLine(f"{line.word[:80]} instead of a line of NATS")

    def connection_lost(self, exc: Exception | None) -> None:
        error = self._error or exc
        if self._timer is not None:
            self._timer.cancel()
        for waiting in (self._informed, self._ready):
            if not waiting.done():
                waiting.set_exception(error or ConnectionError("the connection was closed"))
                waiting.exception()  # perhaps no one awaits the future
        self._ended.set_result(None)
        self._lost(error)


def _cause(error: BaseException) -> str:
    """Return what is wrong, and what to do."""
    words = (str(error).splitlines() or [""])[0] or type(error).__name__
    if "authorization" in words.lower():
        return f"NATS refuses the user ({words}): correct the user or the password"
    return f"cannot be reached ({words}): start nats-server or correct the address"
