"""Three real nodes on PostgreSQL and NATS, and players over every protocol who connect to any node."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, TypeAlias, cast

import aiohttp

from benchmarks.report import Figure
from chaos.endings import CASES
from chaos.kills import compare
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.players import Player
from chaos.real import BROKEN, GLASS, NO_LIMITS, NO_LINE_PORTS, Gate, Link, open_tables
from croupier.testing.nats import NatsServer
from croupier.testing.postgres import QUICK, PostgresServer
from tests.integration.servers import Server
from tests.store.proxy import Cutter

MANY: Final = 3
THINKING: Final = 0.1
"""The minimum number of seconds for a player's decision, so that no match ends during the test."""
FULL: Final = 100
"""This many tables have a player in every seat, the others one player and bots: the players run on the same
machine and could not keep up with more."""
RATE: Final = 200
"""Moves per second at all tables together: with many tables, players take longer."""
SILENCE: Final = 4.0
"""Seconds without a frame after which a player connects again."""
PATIENCE: Final = 40.0
"""Seconds to wait for acknowledgements; the limits of the goals are shorter. A table that was restored waits
up to 15 s for its players."""
SERVICE: Final = 5.0
"""Within this many seconds every table has to accept a move again."""


class Node(Server):
    """One node, with a proxy in front of its database and its NATS."""

    module: ClassVar = "croupier"
    """The program; tests replace it with a faulty one."""

    def __init__(self, log: Path, database: Cutter, nats: Cutter, name: str) -> None:
        address = f"postgresql://owner@127.0.0.1:{database.port}/{name}"
        options = ("--database", address, "--nats", f"nats://127.0.0.1:{nats.port}", "--log-level", "error")
        super().__init__(
            log, "serve", "--port", "0", *options, *NO_LINE_PORTS, *GLASS, *NO_LIMITS, "--bot-processes", "0"
        )
        self.database = database
        self.nats = nats

    def command(self) -> list[str]:
        python, flag, _, *rest = super().command()
        return [python, flag, self.module, *rest]

    @property
    def pid(self) -> int:
        """Return the number of the running process."""
        assert self.process is not None, "it runs"
        return self.process.pid

    def ends(self, seconds: float) -> bool:
        """Wait until the process ends by itself; return False if it keeps running."""
        assert self.process is not None, "it was started"
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        return self.process.poll() is not None

    def revive(self) -> None:
        """Start it again."""
        self.kill()
        self.start()


@dataclass
class House:
    """The nodes, their database and bus, and the measurements of the players."""

    postgres: PostgresServer
    nats: NatsServer
    nodes: list[Node]
    chance: Random
    tell: Tell
    gate: Gate = field(default_factory=Gate)
    links: list[list[Roamer]] = field(default_factory=list)
    late: int = 0
    """How often a table accepted no move within `PATIENCE`."""
    pauses: list[float] = field(default_factory=list)
    """Seconds without a move at each table after each fault."""
    hurried: set[Roamer] = field(default_factory=set)
    """Players at tables that have not accepted a move since one of their connections ended."""
    stale: int = 0
    """How many nodes kept running after they had been replaced."""
    stale_events: int = 0
    """How many events were told by nodes that had been replaced."""

    def owned(self) -> dict[int, list[str]]:
        """Return the tables of each node, by the number of its process."""
        rows = self.postgres.sql(
            "SELECT node.name, thing.name FROM node LEFT JOIN thing ON owner = id AND kind = 'table'", "house"
        )
        found: dict[int, list[str]] = {}
        for line in rows.splitlines():
            name, _, table = line.partition("|")
            tables = found.setdefault(int(name.rpartition(" ")[2]), [])
            if table:
                tables.append(table)
        return found

    def thinking(self, player: Roamer) -> float:
        """Return how many seconds *player* takes for an answer."""
        return THINKING if player in self.hurried else max(THINKING, len(self.links) / RATE)

    async def recovered(self, since: float) -> None:
        """Wait until every table whose match is not over has accepted another move; *since* is when the fault
        began."""
        ended = time.monotonic()
        until = ended + PATIENCE
        left = [table for table in self.links if not _over(table)]
        self.hurried.update(link for table in left for link in table)
        while left and time.monotonic() < until:
            for table in list(left):
                if max(link.last for link in table) > ended:
                    self.pauses.append(_pause(table, since, ended))
                    left.remove(table)
                elif _over(table):
                    left.remove(table)
            await asyncio.sleep(0.02)
        self.late += len(left)
        for table in left:
            self.tell(f"no move at {table[0].url or table[0].player.table}, {type(table[0].player).__name__}")
        self.tell(f"recovered after {max(self.pauses, default=0.0):.1f} s at most, {len(left)} tables not")

    async def play_on(self) -> bool:
        """Wait for some more moves; return False if there are none."""
        return await self.gate.wait_for(3 * len(self.links), PATIENCE)


class Roamer(Link):
    """A player who connects to any node, and to another one when that fails."""

    def __init__(self, link: Link, house: House) -> None:
        super().__init__(link.player, link.url, link.gate)
        self.house = house
        self.table: list[Roamer] = [self]
        self.times: list[float] = []
        """When answers were accepted."""

    @property
    def last(self) -> float:
        """Return when the last answer was accepted."""
        return self.times[-1] if self.times else 0.0

    @property
    def over(self) -> bool:
        return self.player.over

    async def run(self, session: aiohttp.ClientSession) -> None:
        while not self.player.over:  # otherwise a lobby would seat the player at another table
            with contextlib.suppress(*BROKEN):
                await self._play(session)
            self.house.hurried.update(self.table)
            await asyncio.sleep(self.house.chance.uniform(0.02, 0.2))

    async def _play(self, session: aiohttp.ClientSession) -> None:
        """Play over one connection until it ends or a message is refused: the node that has the table may not
        have noticed the end of the previous connection yet.
        """
        node = self.house.chance.choice(self.house.nodes)
        refused = len(self.player.refused)
        async with session.ws_connect(node.ws + self.url, max_msg_size=0) as socket:
            for message in self.player.hello():
                await socket.send_str(message)
            while (frame := await socket.receive(SILENCE)).type is aiohttp.WSMsgType.TEXT:
                for message in self._hear(frame.data):
                    await socket.send_str(message)
                for message in self.player.answer():
                    await asyncio.sleep(self.house.thinking(self))
                    await socket.send_str(message)
                if len(self.player.refused) > refused:
                    return

    def _hear(self, frame: str) -> list[str]:
        before = self.player.accepted
        replies = super()._hear(frame)
        if self.player.accepted > before:
            self.times.append(time.monotonic())
            self.house.hurried.difference_update(self.table)
        return replies


def _over(table: list[Roamer]) -> bool:
    """Return True if the match is over; a player who was away at its end is not told."""
    return any(link.over for link in table)


def _pause(table: list[Roamer], since: float, ended: float) -> float:
    """Return the longest time without a move, from *since* to the first move after *ended*."""
    longest, before = 0.0, since
    for when in sorted(when for link in table for when in link.times if when > since):
        longest, before = max(longest, when - before), when
        if when > ended:
            break
    return longest


class _Anywhere:
    """Opens tables at any node; its addresses are paths."""

    ws = ""

    def __init__(self, nodes: list[Node], chance: Random) -> None:
        self._nodes = nodes
        self._chance = chance

    def new_table(self, **wish: Any) -> str:
        return self._chance.choice(self._nodes).new_table(**wish)


Trouble: TypeAlias = Callable[[House], Awaitable[None]]


def measure(
    trouble: Trouble, tables: int, seed: int, tell: Tell, size: str, limit: float = SERVICE
) -> Outcome:
    """Play at *tables* tables during *trouble*; compare the journals with the events that the players were
    told.
    """
    return asyncio.run(_measure(trouble, tables, Random(f"nodes {seed}"), tell, size, limit))


async def _measure(
    trouble: Trouble, tables: int, chance: Random, tell: Tell, size: str, limit: float
) -> Outcome:
    async with _house(chance, tell) as house:
        players, idle = await _load(house, tables, trouble)
        logs = [node.log for node in house.nodes]
        for node in house.nodes:
            node.kill()
        found = await compare(house.postgres.url("house"), players)
    spoken = {type(player) for player in players.values() if player.acknowledged}
    silent = len({type(player) for player in players.values()} - spoken)
    worst = max(house.pauses, default=0.0)
    return Outcome(
        f"{size}, {tables} tables, {found.acknowledged:,} decisions acknowledged",
        [
            none_of("decisions lost", found.lost),
            none_of("decisions twice", found.twice),
            none_of("journals torn", found.torn),
            none_of("matches aborted", found.aborted),
            none_of("events missed or different", found.gaps),
            none_of("replaced nodes that went on", house.stale),
            none_of("events told by replaced nodes", house.stale_events),
            none_of("tables that did not go on", house.late),
            none_of("times nothing was acknowledged", idle),
            none_of("protocols without an acknowledged decision", silent),
            some_of("decisions acknowledged", found.acknowledged, tables),
        ],
        [Figure("longest time without a move", worst, limit, "s")],
        [
            f"{len(house.pauses):,} pauses, of which the median is {_median(house.pauses):.1f} s",
            *_errors(logs),
        ],
    )


def _errors(logs: list[str]) -> list[str]:
    """Return the kinds of lines that nodes have logged, with their number."""
    lines = [line.partition("] ")[2].partition(":")[0][:80] for log in logs for line in log.splitlines()]
    return [f"{lines.count(line)} × {line}" for line in sorted(set(lines)) if line][:10]


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2] if values else 0.0


@contextlib.asynccontextmanager
async def _house(chance: Random, tell: Tell) -> AsyncIterator[House]:
    postgres, nats = await asyncio.to_thread(PostgresServer, *QUICK), await asyncio.to_thread(NatsServer)
    nodes: list[Node] = []
    try:
        postgres.sql("CREATE DATABASE house TEMPLATE template0")
        async with contextlib.AsyncExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-nodes-")))
            for number in range(MANY):
                database = await stack.enter_async_context(Cutter(postgres.port))
                bus = await stack.enter_async_context(Cutter(nats.port))
                nodes.append(Node(folder / f"log{number}", database, bus, "house"))
                await asyncio.to_thread(nodes[-1].start)
            try:
                yield House(postgres, nats, nodes, chance, tell)
            finally:
                for node in nodes:
                    node.kill()
    finally:
        nats.end()
        postgres.remove()


async def _load(house: House, tables: int, trouble: Trouble) -> tuple[dict[str, Player], int]:
    """Play during the trouble; return the players by name, and how often no decision was acknowledged."""
    anywhere = cast("Server", _Anywhere(house.nodes, house.chance))
    links = await asyncio.to_thread(open_tables, anywhere, {}, house.gate, tables, house.chance, CASES, FULL)
    house.links = [[Roamer(link, house) for link in table] for table in links]
    for table in house.links:
        for link in table:
            link.table = table
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tasks: list[asyncio.Task[None]] = []
        for table in house.links:
            tasks += [asyncio.create_task(link.run(session)) for link in table]
            await asyncio.sleep(0.1)  # so that a lobby does not mix the tables
        idle = int(not await house.play_on())
        await trouble(house)
        idle += not await house.play_on()
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError) and outcome is not None:
                raise outcome
    return {link.player.name: link.player for table in house.links for link in table}, idle
