"""A line server without a game, to measure the limit of bare asyncio.

The first line of a connection gives its table and seat. Every other line is answered with as many lines of a
given size as a command costs the real server, spread over the table's four connections.
"""

from __future__ import annotations

import asyncio
from typing import cast

from benchmarks.echo import SEATS, frames_of, main, stopped


class Table:
    """Four connections and the number of commands so far."""

    def __init__(self) -> None:
        self.transports: dict[int, asyncio.Transport] = {}
        self.commands = 0


class Echo(asyncio.Protocol):
    """One connection."""

    def __init__(self, tables: dict[bytes, Table], rate: float, line: bytes) -> None:
        self._tables = tables
        self._rate = rate
        self._line = line
        self._rest = b""
        self._table: Table | None = None
        self._seat = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # transports of uvloop are not a subclass

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._table is None:
                name, seat = line.split()
                self._seat = int(seat)
                self._table = self._tables.setdefault(name, Table())
                self._table.transports[self._seat] = self._transport
                continue
            for i in range(frames_of(self._table.commands, self._rate)):
                self._table.transports[(self._seat + 1 + i) % SEATS].write(self._line)
            self._table.commands += 1


async def run(rate: float, size: int) -> None:
    """Answer until SIGTERM; the port is the first line printed."""
    tables: dict[bytes, Table] = {}
    line = b"x" * size + b"\r\n"
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Echo(tables, rate, line), "127.0.0.1", 0)
    await stopped(server.sockets[0].getsockname()[1])
    server.close()


if __name__ == "__main__":
    main(run)
