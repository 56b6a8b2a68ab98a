"""Traffic logs: the frames between a program and the server, for the author of the program.

A page generates an id that cannot be guessed, opens the log by following it (/api/log/<id>), and shows
addresses that end in ``?log=<id>``. The frames of connections to such an address are kept for a while, with
tokens and passwords masked; only those who know the id can read them. Nothing is kept for an id that was not
opened, or for a connection without one.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

from croupier.games import names, protocol_of
from croupier.wire.api_messages import TrafficEntry, Way
from croupier.wire.talk import Disconnect, Frame

ENTRIES: Final = 200
LOG_BYTES: Final = 512 * 1024
"""The limit for all frames of one log together."""
FRAME_CHARS: Final = 8 * 1024
"""How much of one frame is kept."""
LOGS: Final = 100
LOGS_BY_ONE: Final = 10
"""How many logs one address may open."""
READERS: Final = 10
"""How many readers one log may have at the same time."""
KEPT_SECONDS: Final = 600.0
"""How many seconds a log is kept without a reader."""

_ID: Final = re.compile(r"[0-9A-Za-z_-]{20,64}")

MASK: Final = "…"

_JSON: Final = re.compile(r'("(?:token|password)"\s*:\s*")(?:[^"\\]|\\.)*')

OPEN: Final = "open"
IN: Final = "in"
OUT: Final = "out"
IGNORED: Final = "ignored"
HANG: Final = "hang"
END: Final = "end"


class TrafficLog:
    """The last frames of the connections that belong to one id."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        """The address from which it was opened."""
        self.followers = 0
        self.connections = 0
        self.expiry: asyncio.TimerHandle | None = None
        """Set while there is no reader: drops the log."""
        self.entries: deque[TrafficEntry] = deque()
        self._size = 0
        self._number = 0
        self._news = asyncio.Event()

    def write(self, connection: int, protocol: str, way: Way, text: str, length: int) -> None:
        """Add an entry; drop the oldest ones to make room for it."""
        self._number += 1
        entry = TrafficEntry(self._number, time.time(), connection, protocol, way, text, length)
        self.entries.append(entry)
        self._size += len(text)
        while len(self.entries) > ENTRIES or self._size > LOG_BYTES:
            self._size -= len(self.entries.popleft().text)
        self._news.set()
        self._news = asyncio.Event()

    def after(self, number: int, chars: int) -> list[TrafficEntry]:
        """Return the first entries after *number* that are still kept: at most *chars* characters and the
        rest of an entry."""
        found: list[TrafficEntry] = []
        for entry in self.entries:
            if entry.number > number and chars > 0:
                found.append(entry)
                chars -= len(entry.text)
        return found

    async def news(self, number: int) -> None:
        """Wait until there is an entry after *number*."""
        while self._number <= number:
            await self._news.wait()


class TrafficLogs:
    """Every traffic log of a server."""

    def __init__(self) -> None:
        self._logs: dict[str, TrafficLog] = {}

    def __len__(self) -> int:
        return len(self._logs)

    def find(self, id: str) -> TrafficLog | None:
        """Return the log *id* if it is open."""
        return self._logs.get(id)

    def follow(self, id: str, address: str = "") -> TrafficLog | None:
        """Return the log *id* for one more reader, opened from *address* if necessary.

        None if there are too many logs, in total or from this address, or too many readers of this one.
        """
        log = self._logs.get(id)
        if log is None:
            own = {id: one for id, one in self._logs.items() if one.address == address}
            if len(own) >= LOGS_BY_ONE and not self._make_room(own):
                return None
            if len(self._logs) >= LOGS and not self._make_room(self._logs):
                return None
            log = self._logs[id] = TrafficLog(address)
        elif log.followers >= READERS:
            return None
        log.followers += 1
        if log.expiry is not None:
            log.expiry.cancel()
            log.expiry = None
        return log

    def leave(self, id: str) -> None:
        """Remove a reader; after the last one the log is kept for a while."""
        log = self._logs[id]
        log.followers -= 1
        if not log.followers:
            log.expiry = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._drop, id)

    def connection(self, id: str, protocol: str) -> ConnectionLog | None:
        """Return the log of a new connection to an address with *id*; None if *id* is malformed."""
        return ConnectionLog(self, id, protocol) if is_id(id) else None

    def _drop(self, id: str) -> None:
        log = self._logs.pop(id)
        if log.expiry is not None:
            log.expiry.cancel()

    def _make_room(self, logs: Mapping[str, TrafficLog]) -> bool:
        """Drop the oldest of *logs* without a reader; return False if all have one."""
        for id, log in logs.items():
            if not log.followers:
                self._drop(id)
                return True
        return False


def is_id(text: str) -> bool:
    """Return True if *text* can be the id of a log: it must be too long to guess."""
    return _ID.fullmatch(text) is not None


class ConnectionLog:
    """The log of one connection; its id may be opened before or after the connection."""

    def __init__(self, logs: TrafficLogs, id: str, protocol: str) -> None:
        self._logs = logs
        self._id = id
        self._protocol = protocol
        self._log: TrafficLog | None = None
        self._connection = 0
        self._find()

    def received(self, data: str | bytes, ignored: bool = False) -> None:
        """Log a frame of the program; *ignored* if the server did not read it."""
        self._frame(IGNORED if ignored else IN, data)

    def sent(self, frame: Frame) -> None:
        """Log a frame of the server."""
        self._frame(OUT, frame)

    def disconnect(self, disconnect: Disconnect) -> None:
        """Log that the server closes the connection."""
        self._write(HANG, disconnect.reason, disconnect.code)

    def end(self, code: int | None) -> None:
        """Log the end of the connection; code 1006 means without a close frame."""
        self._write(END, "", code or 1006)

    def _frame(self, way: Way, data: str | bytes) -> None:
        if self._find() is not None:
            text = data if isinstance(data, str) else data.decode(errors="replace")
            self._write(way, masked(self._protocol, text[:FRAME_CHARS]), len(text))

    def _write(self, way: Way, text: str, length: int) -> None:
        log = self._find()
        if log is not None:
            log.write(self._connection, self._protocol, way, text, length)

    def _find(self) -> TrafficLog | None:
        log = self._logs.find(self._id)
        if log is not self._log:
            self._log = log
            if log is not None:
                log.connections += 1
                self._connection = log.connections
                log.write(self._connection, self._protocol, OPEN, "", 0)
        return log


def masked(protocol: str, text: str) -> str:
    """Return a frame of *protocol* (``house``, or a game's own) with everything secret replaced by `MASK`."""
    patterns = _patterns(protocol)
    if not patterns:
        return _JSON.sub(rf"\1{MASK}", text) if '"token"' in text or '"password"' in text else text
    for pattern in patterns:
        text = pattern.sub(rf"\1{MASK}", text)
    return text


def _patterns(protocol: str) -> Sequence[re.Pattern[str]]:
    published = protocol_of(protocol) if protocol in names() else None
    return published.secrets if published is not None else ()
