"""The load: all clients in one process, over picows if it is installed, otherwise over aiohttp.

`play` lets programs play Hearts on a real server, `echo` exchanges frames with `bench.echo`. The job is the
only argument and the result the only line printed, both as JSON.
"""

from __future__ import annotations

import asyncio
import gc
import math
import sys
import time
from collections.abc import Callable, Coroutine
from functools import partial
from urllib.parse import urlsplit

import aiohttp
import msgspec

from benchmarks.connections import AT_ONCE, LIBRARY, Connections, gathered
from benchmarks.echo import SEATS, frames_of
from benchmarks.pace import Schedule, Turns, ahead, keep
from benchmarks.programs import HouseProgram, Program, Send, TrendProgram, Watcher, unconnected
from benchmarks.tally import Measured, Result, Tally, memory

LIMIT = 600.0
"""The timeout in seconds for steps that normally take an instant."""
WARM_SECONDS = 2.0
"""How long an open loop runs before measuring starts."""


class Play(msgspec.Struct, tag="play", frozen=True):
    """Programs at the tables of a real server."""

    url: str
    pid: int
    tables: int
    protocol: str = "hearts"
    """Also ``house``."""
    deals: int = 4
    """Deals in the game of each table."""
    rate: float = 0.0
    """Moves per second at all tables together, at fixed times; 0 plays at full speed, to the end."""
    seconds: float = 0.0
    """How long to measure at a rate."""
    watchers: int = 0
    """Watchers per table, over the house protocol."""
    through: str = ""
    """The address of another node, to which the programs connect."""


class Echo(msgspec.Struct, tag="echo", frozen=True):
    """Frames exchanged with a server that knows no game."""

    url: str
    pid: int
    tables: int
    moves: int
    """Moves of each table."""
    frames_per_move: float
    sent_bytes: int
    rate: float = 0.0
    """Moves per second at all tables together, at fixed times; 0 sends the next one at once."""
    seconds: float = 0.0
    """How long to measure at a rate."""


# Hearts


async def play(job: Play) -> Result:
    """Play a game at each table and return the measurements."""
    tally = Tally(job.tables * SEATS)
    idle = memory(job.pid)
    turns = [Turns() if job.rate else None for _ in range(job.tables)]
    kind = HouseProgram if job.protocol == "house" else TrendProgram
    seats: list[list[Program]] = [[kind(tally, seat + 1, t) for t in turns] for seat in range(SEATS)]
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        Connections(session) as connections,
    ):
        tables = await _open_tables(session, job)
        for table in tables:
            await connections.open((table["house"], Watcher(tally)) for _ in range(job.watchers))
        own = "house" if job.protocol == "house" else "protocol"
        for programs in seats:
            await connections.open(zip((table[own] for table in tables), programs, strict=True))
        for programs in seats[:-1]:
            for program in programs:
                program.join()
        await settled(tally)
        if job.rate:
            return await _at_a_rate(job, tally, idle, seats[-1], [t for t in turns if t is not None])
        measured = Measured(tally, job.pid, idle)
        for program in seats[-1]:  # all tables are complete and start at the same time
            program.join()
        await asyncio.wait_for(tally.done.wait(), LIMIT)
        return measured.result(LIBRARY)


async def _open_tables(session: aiohttp.ClientSession, job: Play) -> list[dict[str, str]]:
    given = {
        "game": "hearts",
        "seats": ["open"] * SEATS,
        "options": {"deals": job.deals, "match_games": 1},
        "table_options": {
            "command_interval": 0,
            "round_interval": 0,
            "deal_interval": 0,
            "pass_cards_timeout": 600_000,
            "expose_cards_timeout": 600_000,
            "pick_card_timeout": 600_000,
        },
    }

    async def one() -> dict[str, str]:
        async with session.post(f"{job.url}/api/tables", json=given) as response:
            response.raise_for_status()
            found: dict[str, str] = await response.json()
        if not job.through:
            return found
        here, there = urlsplit(job.url).netloc, urlsplit(job.through).netloc
        return {name: str(url).replace(here, there) for name, url in found.items()}

    return await gathered(one() for _ in range(job.tables))


async def _at_a_rate(
    job: Play, tally: Tally, idle: int | None, last: list[Program], turns: list[Turns]
) -> Result:
    """Let the *last* program of each table start it, then measure an open loop."""
    for begin in range(0, len(turns), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        for program in last[some]:
            program.join()
        await until(partial(_all_wait, turns[some]))
    each = math.ceil(job.rate * (WARM_SECONDS + job.seconds) / len(turns))
    for number, turn in enumerate(turns):
        for _ in range(ahead(number, each)):
            turn.due(time.perf_counter())
    await until(partial(_all_wait, turns))
    await settled(tally)
    return await _open_loop(job, tally, idle, turns)


async def _open_loop(job: Play | Echo, tally: Tally, idle: int | None, turns: list[Turns]) -> Result:
    """Let moves become due at the rate of *job*, first to warm up, then to measure."""
    await keep(Schedule(time.perf_counter(), job.rate, len(turns), round(job.rate * WARM_SECONDS)), turns)
    await until(lambda: tally.moves == len(tally.waits))
    measured = Measured(tally, job.pid, idle)
    moves = round(job.rate * job.seconds)
    late = await keep(Schedule(time.perf_counter(), job.rate, len(turns), moves), turns)
    await until(lambda: len(tally.waits) == moves)
    return measured.result(LIBRARY, late)


def _all_wait(turns: list[Turns]) -> bool:
    return all(turn.waiting() for turn in turns)


async def until(so: Callable[[], bool]) -> None:
    """Wait until *so* returns True."""
    end = time.perf_counter() + LIMIT
    while not so():
        if time.perf_counter() > end:
            raise TimeoutError("some moves were never answered")
        await asyncio.sleep(0.01)


async def settled(tally: Tally) -> None:
    """Wait until no more frames arrive, and collect garbage, so that it does not count as a delay of the
    server."""
    seen = -1
    while seen != tally.frames:
        seen = tally.frames
        await asyncio.sleep(0.3)
    gc.collect()
    gc.freeze()
    gc.disable()


# Echo


class Pinger:
    """A table of four sockets that take turns: the next one sends after all frames of a move have arrived."""

    def __init__(
        self, tally: Tally, rate: float, moves: int, request: bytes, turns: Turns | None = None
    ) -> None:
        self.sockets = [_Socket(self) for _ in range(SEATS)]
        self.turns = turns
        self._tally = tally
        self._rate = rate
        self._moves = moves
        self._request = request
        self._move = 0
        self._waiting = 0
        self._since = 0.0

    def go(self, since: float | None = None) -> None:
        """Send the next move, which was due at *since*, or now."""
        self._waiting = frames_of(self._move, self._rate)
        self._tally.moves += 1
        self._tally.sent += len(self._request)
        self._since = time.perf_counter() if since is None else since
        self.sockets[self._move % SEATS].send(self._request)

    def received(self, data: bytes) -> None:
        self._tally.frames += 1
        self._tally.bytes += len(data)
        self._waiting -= 1
        if self._waiting:
            return
        self._tally.moved(self._since)
        self._move += 1
        if self.turns is not None:
            self.turns.asked(self.go)
        elif self._move < self._moves:
            self.go()
        else:
            for _ in range(SEATS):
                self._tally.leave()


class _Socket:
    def __init__(self, table: Pinger) -> None:
        self.send: Send = unconnected
        self._table = table

    def received(self, data: bytes) -> None:
        self._table.received(data)


async def echo(job: Echo) -> Result:
    """Let every table make its moves and return the measurements."""
    tally = Tally(job.tables * SEATS)
    idle = memory(job.pid)
    request = b"x" * job.sent_bytes
    turns = [Turns() if job.rate else None for _ in range(job.tables)]
    pingers = [Pinger(tally, job.frames_per_move, job.moves, request, one) for one in turns]
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        Connections(session) as connections,
    ):
        await connections.open(
            (f"{job.url}/{number}/{seat}", socket)
            for number, pinger in enumerate(pingers)
            for seat, socket in enumerate(pinger.sockets)
        )
        await settled(tally)
        if job.rate:
            due = [turn for turn in turns if turn is not None]
            for pinger, turn in zip(pingers, due, strict=True):
                turn.asked(pinger.go)
            return await _open_loop(job, tally, idle, due)
        measured = Measured(tally, job.pid, idle)
        for pinger in pingers:
            pinger.go()
        await asyncio.wait_for(tally.done.wait(), LIMIT)
        return measured.result(LIBRARY)


def main(run: Callable[[bytes], Coroutine[None, None, Result]]) -> None:
    """Run the job of the command line with *run*, on uvloop if it is installed, and print the result."""
    job = run(sys.argv[1].encode())
    try:
        import uvloop
    except ImportError:
        found = asyncio.run(job)
    else:
        found = uvloop.run(job)
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")


async def run(text: bytes) -> Result:
    job: Play | Echo = msgspec.json.decode(text, type=Play | Echo)
    return await (echo(job) if isinstance(job, Echo) else play(job))


if __name__ == "__main__":
    main(run)
