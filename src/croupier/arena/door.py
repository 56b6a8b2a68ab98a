"""Ports for programs: they accept connections, and find out which program has opened each.

An address and a token can be stolen by another program of the same user. The process at the other end of a
connection cannot: if the system reports it (Linux), a program that connects to a seat of another one is
judged, and processes that belong to no program of the match are refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

from croupier.arena import peers
from croupier.arena.chairs import Chair

HOST: Final = "127.0.0.1"
MOST_OPEN: Final = 16
"""Connections that a program may have open at the same time; further ones are closed at once."""
MOST: Final = 200
"""Connections that a program may open during a match."""
UNKNOWN: Final = -1
"""The caller, if the system does not report which process has connected."""
STRANGER: Final = -2
"""The caller, if its process belongs to no program of the match."""
STARTED: Final = -3
"""The caller at a port for programs from outside, if it is a program that the arena has started."""
BACKLOG: Final = 512
OUT_OF_FILES: Final = 0.05
"""Seconds after a failed accept until the next attempt."""


class Ports:
    """Ports that limit the open connections of each caller."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self._sockets: list[socket.socket] = []
        self._open: dict[asyncio.BaseTransport, int] = {}
        """The open connections, each with its caller."""

    def listen(
        self,
        serve: Callable[[], asyncio.BaseProtocol],
        host: str = HOST,
        port: int = 0,
        chair: Chair | None = None,
    ) -> int:
        """Open a port and return it; it is for the program in *chair*, or for all of them.

        *serve* creates the protocol of a connection. Raise OSError if that is impossible.
        """
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family, backlog=BACKLOG)
        listening.setblocking(False)
        self._sockets.append(listening)
        self._tasks.append(asyncio.get_running_loop().create_task(self._accept(listening, serve, chair)))
        return int(listening.getsockname()[1])

    async def close(self) -> None:
        """Close the ports; connections stay open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listening in self._sockets:
            listening.close()

    async def _accept(
        self, listening: socket.socket, serve: Callable[[], asyncio.BaseProtocol], chair: Chair | None
    ) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(listening)
            except OSError:  # too many open files, or the peer has given up
                await asyncio.sleep(OUT_OF_FILES)
                continue
            caller = self._caller(connection)
            for transport in [one for one in self._open if one.is_closing()]:
                del self._open[transport]
            many = sum(one == caller for one in self._open.values())
            if self._admits(caller, chair) and many < self._most(caller):
                with contextlib.suppress(OSError):
                    transport, _ = await loop.connect_accepted_socket(serve, connection)
                    self._open[transport] = caller
            else:
                connection.close()
                await asyncio.sleep(0)  # let the table run between two of many connections

    def _caller(self, connection: socket.socket) -> int:
        """Return the caller that has opened *connection*."""
        raise NotImplementedError

    def _most(self, caller: int) -> int:
        """Return how many connections *caller* may have open."""
        return MOST_OPEN

    def _admits(self, caller: int, chair: Chair | None) -> bool:
        """Return True if *caller* may use a port of the program in *chair*."""
        raise NotImplementedError


class Door(Ports):
    """The ports of one match, for the programs that were started for it. A caller is a seat."""

    def __init__(self, chairs: Mapping[int, Chair], foul: Callable[[int, str], None]) -> None:
        """*foul* is called with the seat of a program that breaks the rules, and the reason."""
        super().__init__()
        self._chairs = chairs
        self._foul = foul
        self._counts = dict.fromkeys(chairs, 0)

    def owns(self, chair: Chair, transport: asyncio.BaseTransport | None) -> bool:
        """Return True if a connection to the seat of *chair* is its program's; if it is the program of
        another seat, judge that program.
        """
        caller = self._open.get(transport, STRANGER) if transport is not None else STRANGER
        return (caller == STRANGER and chair.secret_key) or self._belongs(caller, chair)

    def _belongs(self, caller: int, chair: Chair) -> bool:
        if caller in (UNKNOWN, chair.seat):
            return True
        if caller == STRANGER:
            chair.strangers += 1
        else:
            self._foul(caller, f"it connected to the seat of {chair.name}")
        return False

    def _caller(self, connection: socket.socket) -> int:
        if not peers.tells():
            return UNKNOWN
        inode = peers.inode(connection)
        for seat, chair in self._chairs.items():
            if inode and chair.program is not None and peers.holds(chair.program.pids(), inode):
                return seat
        return STRANGER

    def _most(self, caller: int) -> int:
        return MOST_OPEN * len(self._chairs) if caller == UNKNOWN else MOST_OPEN

    def _admits(self, caller: int, chair: Chair | None) -> bool:
        if caller in self._counts:
            self._counts[caller] += 1
            if self._counts[caller] > MOST:
                self._foul(caller, f"it opened more than {MOST} connections")
                return False
        return chair is None or self._belongs(caller, chair)


class OutsidePorts(Ports):
    """The port of a program from outside: programs that the arena has started may not use it."""

    def _caller(self, connection: socket.socket) -> int:
        inode = peers.inode(connection) if peers.tells() else 0
        if not inode:  # the program is on another machine
            return UNKNOWN
        from croupier.arena.process import started_by  # not importable on systems that cannot limit processes

        return STARTED if peers.holds(started_by(os.getpid()), inode) else UNKNOWN

    def _admits(self, caller: int, chair: Chair | None) -> bool:
        return caller != STARTED
