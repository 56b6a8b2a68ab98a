"""G11: soak. After hours of matches, reconnects and requests the server holds no more objects than at the
start.

Four players at a time meet at Coinche tables, play a while and quit, so that their tables close; others
watch, break their connections and ask the HTTP API. When all have left, there must be as many tasks,
descriptors and objects as after the warm-up.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

import aiohttp
import msgspec

from benchmarks.report import Figure
from chaos.observed import VARIABLE, Counts
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.players import CoinchePlayer
from chaos.real import BROKEN, Gate, server
from tests.integration.servers import Server

GROUPS: Final = 4
"""How many tables are in use at the same time."""
STAY: Final = 2.0
"""Seconds for which a group of players stays."""
SETTLE: Final = 15.0
PHASE: Final = 20.0
"""Seconds after which all leave, and the memory is measured."""
SLACK: Final = 1000
"""How many objects caches may add; a table that is not freed has several hundred."""
BLOCKS: Final = 5000
"""How many blocks of memory caches may add."""
SHORTEST: Final = 600
"""A slope is measured in runs of at least this many seconds."""


def run(seconds: int, seed: int, tell: Tell) -> Outcome:
    """Keep the server busy for *seconds*."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "counts"
        os.environ[VARIABLE] = str(path)
        try:
            with server(module="chaos.observed") as (one, _):
                return asyncio.run(_soak(one, path, seconds, Random(f"soak {seed}"), tell))
        finally:
            del os.environ[VARIABLE]


async def _soak(one: Server, path: Path, seconds: int, chance: Random, tell: Tell) -> Outcome:
    gate = Gate()
    await _busy(one, gate, max(2.0, seconds / 10), chance)  # warm-up
    before = await _settled(path, None)
    samples: list[tuple[float, int]] = []
    begun = time.monotonic()
    while (spent := time.monotonic() - begun) < seconds:
        await _busy(one, gate, min(PHASE, seconds - spent), chance)
        counts = await _counts(path)
        samples.append((time.monotonic() - begun, counts.memory))
        tell(f"{spent:.0f} of {seconds} s, {counts.memory >> 20} MB, {counts.objects:,} objects")
    after = await _settled(path, before)
    return Outcome(
        f"{seconds:,} s, {gate.acknowledged:,} decisions",
        [
            none_of("tasks more than before", max(0, after.tasks - before.tasks)),
            none_of("descriptors more than before", max(0, after.descriptors - before.descriptors)),
            Figure("objects more than before", max(0, after.objects - before.objects), SLACK),
            Figure("blocks of memory more than before", max(0, after.blocks - before.blocks), BLOCKS),
            some_of("decisions", gate.acknowledged),
        ],
        [
            *(
                [Figure("growth of memory in an hour", _slope(samples), 1, "MB")]
                if seconds >= SHORTEST
                else []
            ),
            Figure("memory afterwards, more than before", 100 * (after.memory / before.memory - 1), 10, "%"),
        ],
        [f"before: {before}", f"after: {after}"],
    )


async def _busy(one: Server, gate: Gate, seconds: float, chance: Random) -> None:
    """Play, watch, break connections and send requests for a while; then let all leave."""
    end = time.monotonic() + seconds
    async with aiohttp.ClientSession() as session:
        groups = [_group(one, session, gate, end, Random(chance.random())) for _ in range(GROUPS)]
        await asyncio.gather(*groups, _visitor(one, session, end))


async def _group(one: Server, session: aiohttp.ClientSession, gate: Gate, end: float, chance: Random) -> None:
    while time.monotonic() < end:
        # Names are remembered, so there are not too many of them.
        names = [f"soak{number}" for number in chance.sample(range(1_000), 4)]
        until = min(end, time.monotonic() + STAY)
        await asyncio.gather(
            *(_member(one, session, gate, until, CoinchePlayer(name, chance)) for name in names)
        )


async def _member(
    one: Server, session: aiohttp.ClientSession, gate: Gate, until: float, player: CoinchePlayer
) -> None:
    """Play until a given time, then quit: the table closes when the last player has quit."""
    with contextlib.suppress(*BROKEN):
        async with session.ws_connect(f"{one.ws}/coinche") as socket:
            for message in player.hello():
                await socket.send_str(message)
            while (left := until - time.monotonic()) > 0:
                with contextlib.suppress(TimeoutError):
                    frame = await socket.receive(left)
                    if frame.type != aiohttp.WSMsgType.TEXT:
                        return
                    player.hear(frame.data)
                    for message in player.answer():
                        gate.acknowledge(1)
                        await socket.send_str(message)
            for message in player.goodbye():
                await socket.send_str(message)
            async with asyncio.timeout(5.0):
                async for _ in socket:
                    pass


async def _visitor(one: Server, session: aiohttp.ClientSession, end: float) -> None:
    """Watch briefly, request lists, and break connections."""
    while time.monotonic() < end:
        with contextlib.suppress(*BROKEN):
            async with session.ws_connect(f"{one.ws}/house/default") as socket:
                await socket.send_str('{"type":"watch"}')
                await socket.receive(5.0)
            async with session.get(f"{one.http}/api/tables") as answer:
                await answer.read()
        await asyncio.sleep(0.05)


async def _counts(path: Path) -> Counts:
    """Return the server's current counts."""
    return await asyncio.to_thread(_ask_counts, path)


def _ask_counts(path: Path) -> Counts:
    path.unlink(missing_ok=True)
    while not path.exists():
        time.sleep(0.05)
    return msgspec.json.decode(path.read_bytes(), type=Counts)


async def _settled(path: Path, before: Counts | None) -> Counts:
    """Return the server's counts when all players have left; wait a while for connections that are being
    closed.
    """
    end = time.monotonic() + SETTLE
    found = await _counts(path)
    while time.monotonic() < end:
        await asyncio.sleep(0.5)
        last, found = found, await _counts(path)
        if before is None and (last.tasks, last.descriptors) == (found.tasks, found.descriptors):
            return found
        if before is not None and found.tasks <= before.tasks and found.descriptors <= before.descriptors:
            return found
    return found


def _slope(samples: list[tuple[float, int]]) -> float:
    """Return the slope of the memory in the second half, in MB per hour.

    It is the median of the slopes between all pairs of samples: single outliers do not change it.
    """
    half = samples[len(samples) // 2 :]
    slopes = [(after - before) / (end - begin) for (begin, before), (end, after) in combinations(half, 2)]
    return median(slopes) * 3600 / (1 << 20)
