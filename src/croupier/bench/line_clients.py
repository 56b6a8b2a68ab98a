"""The load of the line protocol: four programs a table on raw TCP connections, all in one process.

`play` plays Coinche against a real server, `echo` plays ping-pong with `bench.line_echo`. Either prints its
result as one line of JSON.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from functools import partial
from typing import cast

import msgspec

from croupier.bench.clients import LIMIT, Pinger, Player, Result, Send, Tally, cpu, memory, quiet, summary
from croupier.bench.echo import SEATS


class Line(asyncio.Protocol):
    """One connection: cuts what comes into lines for its player."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._player.send = cast(asyncio.Transport, transport).write  # uvloop's is no subclass

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        for line in lines:
            self._player.received(line)


class Program:
    """Says and plays what the hints allow, for a number of deals."""

    def __init__(self, tally: Tally, name: str, deals: int) -> None:
        self.send: Send = lambda data: None
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


async def connect(port: int, players: Sequence[Player]) -> list[asyncio.BaseTransport]:
    """Connect each player, one after the other."""
    loop = asyncio.get_running_loop()
    return [(await loop.create_connection(partial(Line, player), "127.0.0.1", port))[0] for player in players]


async def play(port: int, pid: int, tables: int, deals: int) -> Result:
    """Play *deals* deals at each of *tables* tables and return what that took."""
    tally = Tally(tables)
    idle = memory(pid)
    programs = [Program(tally, f"program{number}", deals) for number in range(tables * SEATS)]
    transports = await connect(port, programs)
    await quiet(tally)
    before, frames, size = cpu(pid), tally.frames, tally.bytes
    begun = time.perf_counter()
    for program in programs:
        program.join()
    await asyncio.wait_for(tally.done.wait(), LIMIT)
    result = summary(tally, begun, frames, size, before, pid, idle)
    for transport in transports:
        transport.close()
    return result


async def echo(port: int, pid: int, tables: int, commands: int, rate: float, request: int) -> Result:
    """Let *tables* tables send *commands* lines each, answered by *rate*, and return what that took."""
    tally = Tally(tables)
    idle = memory(pid)
    pingers = [Pinger(tally, rate, commands, b"x" * (request - 1) + b"\n") for _ in range(tables)]
    transports: list[asyncio.BaseTransport] = []
    for number, pinger in enumerate(pingers):
        transports += await connect(port, pinger.sockets)
        for seat, socket in enumerate(pinger.sockets):
            socket.send(b"table%d %d\n" % (number, seat))
    await quiet(tally)
    before = cpu(pid)
    begun = time.perf_counter()
    for pinger in pingers:
        pinger.go()
    await asyncio.wait_for(tally.done.wait(), LIMIT)
    result = summary(tally, begun, 0, 0, before, pid, idle)
    for transport in transports:
        transport.close()
    return result


async def run(how: str, port: str, pid: str, *numbers: str) -> Result:
    if how == "play":
        return await play(int(port), int(pid), int(numbers[0]), int(numbers[1]))
    tables, commands, request = (int(number) for number in numbers[:3])
    return await echo(int(port), int(pid), tables, commands, float(numbers[3]), request)


def main() -> None:
    try:
        import uvloop
    except ImportError:
        result = asyncio.run(run(*sys.argv[1:]))
    else:
        result = uvloop.run(run(*sys.argv[1:]))
    sys.stdout.write(msgspec.json.encode(result).decode() + "\n")


if __name__ == "__main__":
    main()
