"""What programs and the server say to each other, kept for the author who wants to read it.

A page makes up an id that nobody can guess, opens it here by following it (/api/log/<id>), and shows
addresses that end in ``?log=<id>``. What passes on connections to such an address is kept for a while, tokens
and passwords covered; only who knows the id sees it. An id that nobody has opened keeps nothing, a connection
without one neither.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from typing import Final

import msgspec
from aiohttp import web

from croupier.net.veil import veiled
from croupier.wire.talk import Hang

ENTRIES: Final = 200
LOG_BYTES: Final = 512 * 1024
"""All frames of one log together."""
FRAME_CHARS: Final = 8 * 1024
"""What is kept of one frame."""
LOGS: Final = 100
KEPT_SECONDS: Final = 600.0
"""How long a log stays that nobody follows any more."""

_ID: Final = re.compile(r"[0-9A-Za-z_-]{20,64}")

OPEN: Final = "open"
IN: Final = "in"
OUT: Final = "out"
IGNORED: Final = "ignored"
HANG: Final = "hang"
END: Final = "end"


class Entry(msgspec.Struct, frozen=True):
    """One thing that happened on a connection."""

    number: int
    at: float
    """Seconds since 1970."""
    connection: int
    """Counts the connections of this log from 1."""
    protocol: str
    """``house``, or the game whose own protocol it is."""
    way: str
    """``open``; ``in`` from the program, ``out`` to it, ``ignored`` (came in vain); ``hang`` where the server
    ends the connection; ``end``."""
    text: str
    """The frame, or its beginning; why a connection ends."""
    length: int
    """Characters of the whole frame; of ``hang`` and ``end`` the close code."""


class Log:
    """The last frames of the connections that belong to one id."""

    def __init__(self) -> None:
        self.followers = 0
        self.connections = 0
        self.farewell: asyncio.TimerHandle | None = None
        """Set while nobody follows: the log is about to be dropped."""
        self.entries: deque[Entry] = deque()
        self._size = 0
        self._number = 0
        self._news = asyncio.Event()

    def write(self, connection: int, protocol: str, way: str, text: str, length: int) -> None:
        """Keep one entry; the oldest make room for it."""
        self._number += 1
        entry = Entry(self._number, time.time(), connection, protocol, way, text, length)
        self.entries.append(entry)
        self._size += len(text)
        while len(self.entries) > ENTRIES or self._size > LOG_BYTES:
            self._size -= len(self.entries.popleft().text)
        self._news.set()
        self._news = asyncio.Event()

    def after(self, number: int) -> list[Entry]:
        """Return what is kept of the entries after *number*."""
        return [entry for entry in self.entries if entry.number > number]

    async def news(self, number: int) -> None:
        """Wait until there is an entry after *number*."""
        while self._number <= number:
            await self._news.wait()


class Logbook:
    """Every log of a server."""

    def __init__(self) -> None:
        self._logs: dict[str, Log] = {}

    def __len__(self) -> int:
        return len(self._logs)

    def find(self, id: str) -> Log | None:
        """Return the log *id*, if somebody has opened it."""
        return self._logs.get(id)

    def follow(self, id: str) -> Log | None:
        """Return the log *id* for one more reader, new if need be; None when there are too many."""
        log = self._logs.get(id)
        if log is None:
            if len(self._logs) >= LOGS and not self._make_room():
                return None
            log = self._logs[id] = Log()
        log.followers += 1
        if log.farewell is not None:
            log.farewell.cancel()
            log.farewell = None
        return log

    def leave(self, id: str) -> None:
        """One reader is gone; after the last one the log is kept for a while."""
        log = self._logs[id]
        log.followers -= 1
        if not log.followers:
            log.farewell = asyncio.get_running_loop().call_later(KEPT_SECONDS, self._drop, id)

    def tap(self, id: str, protocol: str) -> Tap | None:
        """Return where a new connection to an address with *id* is noted; None where that is no id."""
        return Tap(self, id, protocol) if is_id(id) else None

    def _drop(self, id: str) -> None:
        log = self._logs.pop(id)
        if log.farewell is not None:
            log.farewell.cancel()

    def _make_room(self) -> bool:
        for id, log in self._logs.items():
            if not log.followers:
                self._drop(id)
                return True
        return False


BOOK = web.AppKey("logbook", Logbook)


def is_id(text: str) -> bool:
    """Say whether *text* can be the id of a log: long enough that nobody guesses it."""
    return _ID.fullmatch(text) is not None


class Tap:
    """One connection whose author may be reading; the log may also be opened after it."""

    def __init__(self, book: Logbook, id: str, protocol: str) -> None:
        self._book = book
        self._id = id
        self._protocol = protocol
        self._log: Log | None = None
        self._connection = 0
        self._find()

    def received(self, data: str | bytes, ignored: bool = False) -> None:
        """Note a frame of the program; *ignored* if the server did not read it."""
        self._frame(
            IGNORED if ignored else IN, data if isinstance(data, str) else data.decode(errors="replace")
        )

    def sent(self, frame: str) -> None:
        """Note a frame of the server."""
        self._frame(OUT, frame)

    def hang(self, hang: Hang) -> None:
        """The server ends the connection."""
        self._write(HANG, hang.reason, hang.code)

    def end(self, code: int | None) -> None:
        """The connection has ended; 1006 means without a goodbye."""
        self._write(END, "", code or 1006)

    def _frame(self, way: str, text: str) -> None:
        if self._find() is not None:
            self._write(way, veiled(self._protocol, text[:FRAME_CHARS]), len(text))

    def _write(self, way: str, text: str, length: int) -> None:
        log = self._find()
        if log is not None:
            log.write(self._connection, self._protocol, way, text, length)

    def _find(self) -> Log | None:
        log = self._book.find(self._id)
        if log is not self._log:
            self._log = log
            if log is not None:
                log.connections += 1
                self._connection = log.connections
                log.write(self._connection, self._protocol, OPEN, "", 0)
        return log
