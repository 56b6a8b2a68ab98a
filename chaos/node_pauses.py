"""C2: stop a node with SIGSTOP, or cut one off from the database, from NATS or from both.

Connections are either closed or silent. Data sent on a silent connection arrives after the fault, when other
nodes own the tables. A node that could not renew its lease is replaced. When it comes back it must write
nothing (the journals show this), send no events (a watcher at each of its tables checks this), and end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Sequence
from itertools import cycle, islice

import aiohttp
import msgspec

from chaos.nodes import House, Node, measure
from chaos.outcome import Outcome, Tell
from chaos.real import BROKEN
from croupier.cluster.lease import LEASE
from tests.store.proxy import Cutter

STOPPED = 2 * LEASE
"""Seconds that a fault lasts."""
KINDS = (
    "SIGSTOP",
    "database silent",
    "both closed",
    "NATS silent",
    "both silent",
    "database closed",
    "NATS closed",
)
ENDING = 10.0
"""Seconds in which a node that was replaced has to end."""


def run(faults: int, seed: int, tell: Tell) -> Outcome:
    """Disturb a node *faults* times."""

    async def trouble(house: House) -> None:
        kinds = islice(cycle(KINDS), faults)
        for number, kind in enumerate(kinds):
            node = house.nodes[number % len(house.nodes)]
            tell(f"fault {number + 1} of {faults}: {kind}")
            tables = house.owned()[node.pid]
            async with _watching(node, tables) as told:
                await _disturb(node, kind)
                since = time.monotonic()
                await house.recovered(since)
                if node.pid not in house.owned():
                    house.stale += not await asyncio.to_thread(node.ends, ENDING)
                    house.stale_events += sum(when > since for when in told)
                    tell(f"the node has been replaced; it had {len(tables)} tables")
                    await asyncio.to_thread(node.revive)
            await house.play_on()

    return measure(trouble, min(100, 10 * faults), seed, tell, f"{faults} faults")


@contextlib.asynccontextmanager
async def _watching(node: Node, tables: Sequence[str]) -> AsyncIterator[list[float]]:
    """Watch *tables* at *node*, over connections that are not reopened; yield the times at which events were
    told.
    """
    told: list[float] = []
    async with aiohttp.ClientSession() as session:
        tasks = [asyncio.create_task(_watch(session, f"{node.ws}/house/{id}", told)) for id in tables]
        yield told
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _watch(session: aiohttp.ClientSession, url: str, told: list[float]) -> None:
    with contextlib.suppress(*BROKEN):
        async with session.ws_connect(url, max_msg_size=0) as socket:
            async for frame in socket:
                kind = msgspec.json.decode(frame.data, type=dict[str, object])["type"]
                told += [time.monotonic()] if kind == "event" else []


async def _disturb(node: Node, kind: str) -> None:
    if kind == "SIGSTOP":
        os.kill(node.pid, signal.SIGSTOP)
        await asyncio.sleep(STOPPED)
        os.kill(node.pid, signal.SIGCONT)
        return
    what, way = kind.split()
    proxies = {"database": [node.database], "NATS": [node.nats], "both": [node.database, node.nats]}[what]
    for proxy in proxies:
        (_close if way == "closed" else Cutter.hold)(proxy, True)
    await asyncio.sleep(STOPPED)
    for proxy in proxies:
        (_close if way == "closed" else Cutter.hold)(proxy, False)


def _close(proxy: Cutter, closed: bool) -> None:
    proxy.refuses = closed
    if closed:
        proxy.cut_all()
