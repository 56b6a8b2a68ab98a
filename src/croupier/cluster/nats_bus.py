"""The bus on NATS: core subjects, which are fast, ordered and not stored.

Each house has its own subjects, named by a digest of its key, so that several houses can share one NATS.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from croupier.cluster.bus import Bus, BusError
from croupier.cluster.messages import EVERYONE

try:
    import nats
    from nats import errors
except ModuleNotFoundError:
    raise BusError("--nats needs the package nats-py: run pip install 'croupier[cluster]'") from None

if TYPE_CHECKING:
    from nats.aio.msg import Msg

log = logging.getLogger(__name__)

CONNECT_SECONDS: Final = 5
PAUSE: Final = 0.25
"""Seconds between two attempts to connect again."""
WAITING: Final = 8 * 1024 * 1024
"""Bytes that may wait for a slow bus; further messages are lost, which the receiver notices."""


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
        self._house = house
        self._node = node
        self._client: Any = None  # its annotations are incomplete
        self._waiting: list[tuple[str, bytes]] = []
        self._size = 0
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._down = False

    @classmethod
    async def open(cls, url: str, key: str, node: int) -> NatsBus:
        """Connect to NATS at *url*; raise BusError with the cause in one line."""
        bus = cls(url, blake2b(key.encode(), digest_size=8).hexdigest(), node)
        if urlsplit(url).scheme not in ("nats", "tls") or not urlsplit(url).hostname:
            raise BusError(f"--nats {url.rpartition('@')[2]}: expected nats://HOST:PORT")
        # The first connection is made without retries, so that a wrong address is an error at once.
        try:
            await asyncio.wait_for(_try(url), CONNECT_SECONDS)
        except (OSError, errors.Error, TimeoutError, ValueError, ssl.SSLError) as error:
            raise BusError(f"{shown(url)}: {_cause(error)}") from None
        await bus._connect()
        return bus

    async def _connect(self) -> None:
        self._client = await nats.connect(
            self._url,
            connect_timeout=CONNECT_SECONDS,
            max_reconnect_attempts=-1,
            reconnect_time_wait=PAUSE,
            ping_interval=1,
            max_outstanding_pings=2,
            error_cb=self._error,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
            pending_size=WAITING,
            flush_timeout=CONNECT_SECONDS,
            no_echo=True,
        )
        for subject in (self._subject(self._node), self._subject(EVERYONE)):
            await self._client.subscribe(subject, cb=self._arrived, pending_msgs_limit=65536)
        self._task = asyncio.get_running_loop().create_task(self._send())

    def _subject(self, node: int) -> str:
        return f"croupier.{self._house}.{node or 'all'}"

    @property
    def connected(self) -> bool:
        return bool(self._client.is_connected)

    def publish(self, node: int, data: bytes) -> None:
        if self._size < WAITING and not self._down:
            self._waiting.append((self._subject(node), data))
            self._size += len(data)
            self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting, self._size = self._waiting, [], 0
            for subject, data in waiting:
                with contextlib.suppress(errors.Error, OSError):  # the receiver notices a lost message
                    await self._client.publish(subject, data)

    async def _arrived(self, message: Msg) -> None:
        self.received(message.data)

    async def _error(self, error: Exception) -> None:
        log.debug("%s: %s", shown(self._url), _cause(error))

    async def _disconnected(self) -> None:
        if not self._down:
            self._down = True
            words = "%s: connection lost; connections to tables of other nodes end, trying again every %g s"
            log.warning(words, shown(self._url), PAUSE)
            self.lost()

    async def _reconnected(self) -> None:
        self._down = False
        log.warning("%s: connected again", shown(self._url))
        self.restored()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._down = True  # so that it is not reported
        with contextlib.suppress(errors.Error, OSError, TimeoutError):
            for subject, data in self._waiting:
                await self._client.publish(subject, data)
            await asyncio.wait_for(self._client.flush(1), 2.0)
        with contextlib.suppress(errors.Error, OSError):
            await self._client.close()


async def _try(url: str) -> None:
    client = await nats.connect(
        url,
        connect_timeout=CONNECT_SECONDS,
        allow_reconnect=False,
        error_cb=_ignore,
        max_reconnect_attempts=1,
    )
    await client.close()


async def _ignore(error: Exception) -> None:
    pass


def _cause(error: BaseException) -> str:
    """Return what is wrong, and what to do."""
    words = (str(error).splitlines() or [""])[0] or type(error).__name__
    if "authorization" in words.lower():
        return f"NATS refuses the user ({words}): correct the user or the password"
    return f"cannot be reached ({words}): start nats-server or correct the address"
