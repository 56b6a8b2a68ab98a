"""G5: stalled readers. Each costs at most its queue, is disconnected, and delays nobody.

At an idle table stalled readers would stay connected; there they send pings and do not read the answers.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from random import Random
from typing import Final

import aiohttp

from benchmarks.report import Figure
from chaos.bystander import Bystander
from chaos.hostile import memory
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.players import HousePlayer
from chaos.real import Gate, Link, server
from chaos.virtual import NO_PAUSES
from tests.integration.servers import Server
from tests.net.rig import PING, PONG, RawSocket

QUIET: Final = 2.0
LIMIT: Final = 300.0
"""Seconds in which all stalled readers have to be disconnected."""
PINGING: Final = 10
"""How many clients send pings and read no answers."""
PINGS: Final = 64_000 * (b"\x89\xfd\0\0\0\0" + 125 * b"x")
"""8 MB of pings: the system keeps up to 4 MB of the answers."""


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Let *many* watchers of a busy table stop reading."""
    with server() as (one, _), Bystander(one.http) as bystander:
        time.sleep(QUIET)
        begun = time.time()
        left, seen, most = asyncio.run(_stall(one, many, seed, tell))
        unread = asyncio.run(_ping(one))
        before, meanwhile = (0.0, begun), (begun, time.time())
    quiet, during = bystander.p99(before), bystander.p99(meanwhile)
    return Outcome(
        f"{many:,} stalled readers",
        [
            none_of("stalled readers that were not disconnected", left),
            some_of("most stalled readers at the same time", seen),
            bystander.answered(before, meanwhile),
        ],
        [
            Figure("memory of a stalled reader", most / many / 1024, 256, "KB"),
            Figure("memory of a client with unread answers to pings", unread / PINGING / 1024, 256, "KB"),
            Figure("bystander p99, more than before", max(0.0, during - quiet), 100, "ms"),
        ],
        [f"bystander p99 {quiet:.1f} ms before, {during:.1f} ms during"],
    )


async def _stall(one: Server, many: int, seed: int, tell: Tell) -> tuple[int, int, int]:
    """Return how many readers were never disconnected, the maximum that was connected at the same time, and
    the added memory.
    """
    wish = {**NO_PAUSES["hearts"], "pick_card_timeout": 600_000}
    id = await asyncio.to_thread(
        partial(one.new_table, seats=["open"] * 4, table_options=wish, auto_cycle=True)
    )
    assert one.process is not None
    pid = one.process.pid
    gate = Gate()
    chance = Random(f"stalled {seed}")
    async with aiohttp.ClientSession() as session:
        links = [
            Link(HousePlayer(f"p{seat}", chance, seat), f"{one.ws}/house/{id}", gate) for seat in range(4)
        ]
        tasks = [asyncio.create_task(link.run(session)) for link in links]
        await gate.wait_for(20, LIMIT)
        before = memory(pid)
        stalled = [await _watcher(one.port, id) for _ in range(many)]
        most, seen = before, 0
        end = time.monotonic() + LIMIT
        while (left := await _watching(session, one, id)) and time.monotonic() < end:
            most, seen = max(most, memory(pid)), max(seen, left)
            tell(f"{left} of {many} are still connected")
            await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for reader in stalled:
        reader.writer.transport.abort()
    return left, seen, most - before


async def _ping(one: Server) -> int:
    """Let clients send pings and read no answers; return how much memory was added."""
    assert one.process is not None
    id = await asyncio.to_thread(one.new_table)
    await _ping_and_read(one.port, id)  # answered pings need memory on the server, too
    before = memory(one.process.pid)
    clients = [await _watcher(one.port, id) for _ in range(PINGING)]
    for client in clients:
        client.writer.write(PINGS)
    await _ping_and_read(one.port, id)  # by then the server has read as many pings of the other clients
    added = memory(one.process.pid) - before
    for client in clients:
        client.writer.transport.abort()
    return added


async def _ping_and_read(port: int, id: str) -> None:
    client = await RawSocket.open(port, f"/house/{id}", 0, {})
    client.writer.write(PINGS)
    client.send(b"last", PING)
    while await client.receive() != (PONG, b"last"):
        pass
    client.writer.transport.abort()


async def _watcher(port: int, id: str) -> RawSocket:
    """Return a watcher who asks for everything and reads nothing."""
    reader = await RawSocket.open(port, f"/house/{id}", 4096, {})
    reader.send({"type": "watch", "views": "all", "words": True})
    reader.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport that reads, too
    return reader


async def _watching(session: aiohttp.ClientSession, one: Server, id: str) -> int:
    """Return how many watchers the table has."""
    async with session.get(f"{one.http}/api/tables") as answer:
        rows = await answer.json()
    return next(int(row["watchers"]) for row in rows if row["id"] == id)
