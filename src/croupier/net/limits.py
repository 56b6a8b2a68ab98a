"""Limits: connections, refused joins, bytes per frame, log lines."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from typing import Final, Protocol

from croupier.http import counted_as
from croupier.wire.token_bucket import TokenBuckets

REFUSALS: Final = 3
REFUSAL_WINDOW: Final = 10.0
REFUSAL_DELAY: Final = 1.0
MESSAGE_BYTES: Final = 16 * 1024
BACKLOG: Final = 100
"""How many connections may wait on a port; all of them are accepted at once."""
RESERVE: Final = 60 + BACKLOG
"""Descriptors that connections leave to the database, files, processes and new connections."""
QUIET_SECONDS: Final = 60.0
"""The minimum number of seconds between two log lines of a `Tally`."""


class Visitor(Protocol):
    """An HTTP connection that has not become a WebSocket."""

    @property
    def idle(self) -> bool:
        """Return True if no request of it is being answered."""
        ...

    def evict(self) -> None:
        """End the connection, because its place is needed."""
        ...


class ConnectionCount:
    """Counts the accepted sockets of a server, in total and per address.

    If there are too many, the oldest idle HTTP connection makes room: neither silent connections nor those
    that a browser keeps in reserve can shut out players.
    """

    def __init__(self, most: int, per_address: int = 0, descriptors: int = sys.maxsize) -> None:
        """*per_address* does not apply to this machine, where a proxy may run; 0 means no limit.

        *descriptors* is the limit of the process; the last `RESERVE` are not used for connections.
        """
        self.count = 0
        self._most = most
        self._per_address = per_address
        self._highest = descriptors - RESERVE
        self._addresses: Counter[str] = Counter()
        self._visitors: dict[Visitor, str] = {}
        """The HTTP connections that are not WebSockets, with their addresses, oldest first."""

    def enter(self, address: str, descriptor: int = 0, visitor: Visitor | None = None) -> bool:
        """Count a socket; return False if there are too many and it has to be closed at once."""
        group = group_of(address)
        self.count += 1
        self._addresses[group] += 1
        if group and 0 < self._per_address < self._addresses[group]:
            welcome = self._make_room(group)
        elif self.count > self._most or descriptor >= self._highest:
            welcome = self._make_room(None)
        else:
            welcome = True
        if visitor is not None and welcome:
            self._visitors[visitor] = group
        return welcome

    def settle(self, visitor: Visitor) -> None:
        """Note that *visitor* has become a WebSocket, or has ended."""
        self._visitors.pop(visitor, None)

    def leave(self, address: str) -> None:
        """Count the end of a socket."""
        self.count -= 1
        group = group_of(address)
        self._addresses[group] -= 1
        if not self._addresses[group]:
            del self._addresses[group]

    def _make_room(self, group: str | None) -> bool:
        """End the oldest idle HTTP connection, of *group* if one is given; return False if there is none."""
        for visitor, its_group in self._visitors.items():
            if visitor.idle and group in (None, its_group):
                del self._visitors[visitor]
                visitor.evict()
                return True
        return False


def group_of(address: str) -> str:
    """Return what is counted as one address; empty for this machine."""
    found = counted_as(address.partition("%")[0])
    return "" if found == "::1" or found.startswith("127.") else found


class Tally:
    """Reports how often something happened: the first time at once, then at most once a minute."""

    def __init__(self, report: Callable[[int], None]) -> None:
        """*report* is called with the number of times since the last report."""
        self._report = report
        self._count = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self) -> None:
        """Count one more occurrence."""
        self._count += 1
        if self._timer is None:
            self._tell()

    def stop(self) -> None:
        """Report the occurrences that have not been reported yet."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._count:
            self._report(self._count)
            self._count = 0

    def _tell(self) -> None:
        self._timer = None
        if self._count:
            self._report(self._count)
            self._count = 0
            self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._tell)


def refusal_limit() -> TokenBuckets:
    """Return the limit of refused joins per address: beyond it answers are delayed by REFUSAL_DELAY seconds.

    Clients of 2018 reconnect at once and without limit when their connection is closed. The rate delays
    every refusal after the third within REFUSAL_WINDOW seconds.
    """
    return TokenBuckets(REFUSALS, 1 / REFUSAL_WINDOW)
