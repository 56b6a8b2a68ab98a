"""The load of the line protocol: four programs per table on raw TCP connections, all in one process.

`play` plays Coinche against a real server, `echo` exchanges lines with `bench.line_echo`. Jobs and results
are those of `bench.clients`, with the port instead of an address.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import Final, cast

import msgspec

from benchmarks.clients import LIMIT, Echo, Pinger, Play, main, settled
from benchmarks.echo import SEATS
from benchmarks.programs import Player, Send, unconnected
from benchmarks.tally import Measured, Result, Tally, memory

LIBRARY: Final = "asyncio"


class Line(asyncio.Protocol):
    """One connection: splits received data into lines for its player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._player.send = cast(
            asyncio.Transport, transport
        ).write  # transports of uvloop are not a subclass

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        for line in lines:
            self._player.received(line)


class Program:
    """Calls and plays according to the hints, for a number of deals."""

    def __init__(self, tally: Tally, name: str, deals: int) -> None:
        self.send: Send = unconnected
        self._tally = tally
        self._name = name
        self._deals = deals
        self._since = 0.0

    def join(self) -> None:
        self.send(b"NAME %s\r\n" % self._name.encode())

    def received(self, line: bytes) -> None:
        tally = self._tally
        tally.frames += 1
        tally.bytes += len(line)
        code = line[:3]
        if code == b"200":
            if self._since:
                tally.moved(self._since)
                self._since = 0.0
        elif code == b"334" and self._deals:
            cards = line[line.index(b"[") + 1 : line.index(b"]")].split(b", ")
            self._do(b"PLAY %s\r\n" % cards[tally.moves % len(cards)])
        elif code == b"326" and self._deals:
            self._do(b"CONTRACT 80 Hearts\r\n" if line.startswith(b"326 80 ") else b"PASS\r\n")
        elif code == b"340":
            self._deals -= 1
            if not self._deals:
                tally.leave()
        elif code[:1] in b"45":
            tally.errors += 1

    def _do(self, command: bytes) -> None:
        self._tally.moves += 1
        self._tally.sent += len(command)
        self._since = time.perf_counter()
        self.send(command)


async def connect(port: str, players: Sequence[Player]) -> list[asyncio.BaseTransport]:
    """Connect each player, one after another."""
    loop = asyncio.get_running_loop()
    return [
        (await loop.create_connection(partial(Line, player), "127.0.0.1", int(port)))[0] for player in players
    ]


async def play(job: Play) -> Result:
    """Play the deals at each table and return the measurements."""
    tally = Tally(job.tables * SEATS)
    idle = memory(job.pid)
    programs = [Program(tally, f"program{number}", job.deals) for number in range(job.tables * SEATS)]
    transports = await connect(job.url, programs)
    await settled(tally)
    measured = Measured(tally, job.pid, idle)
    for program in programs:
        program.join()
    await asyncio.wait_for(tally.done.wait(), LIMIT)
    result = measured.result(LIBRARY)
    for transport in transports:
        transport.close()
    return result


async def echo(job: Echo) -> Result:
    """Let every table send its lines and return the measurements."""
    tally = Tally(job.tables * SEATS)
    idle = memory(job.pid)
    line = b"x" * (job.sent_bytes - 1) + b"\n"
    pingers = [Pinger(tally, job.frames_per_move, job.moves, line) for _ in range(job.tables)]
    transports: list[asyncio.BaseTransport] = []
    for number, pinger in enumerate(pingers):
        transports += await connect(job.url, pinger.sockets)
        for seat, socket in enumerate(pinger.sockets):
            socket.send(b"table%d %d\n" % (number, seat))
    await settled(tally)
    measured = Measured(tally, job.pid, idle)
    for pinger in pingers:
        pinger.go()
    await asyncio.wait_for(tally.done.wait(), LIMIT)
    result = measured.result(LIBRARY)
    for transport in transports:
        transport.close()
    return result


async def run(text: bytes) -> Result:
    job: Play | Echo = msgspec.json.decode(text, type=Play | Echo)
    return await (echo(job) if isinstance(job, Echo) else play(job))


if __name__ == "__main__":
    main(run)
