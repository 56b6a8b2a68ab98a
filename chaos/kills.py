"""G1: kill -9 under load on every protocol. Nothing acknowledged is lost, doubled or torn.

Programs play every game over its own protocol, on WebSockets and line ports, and over the house protocol. The
server is killed again and again, each time after a random number of acknowledged decisions, and started on
the same data. At the end every journal is replayed and compared with the events that the players were told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final

import aiohttp
import msgspec

from chaos.judge import Judged, Stored, judge
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.players import Player
from chaos.real import ALL_CASES, Gate, LineLink, Link, line_ports, open_tables, rules_of, server
from croupier.games import game
from croupier.store import open_store
from croupier.table import journal
from tests.integration.servers import Server

TABLES: Final = 500
SEVERAL: Final = 20
"""With at least this many kills there are `TABLES` tables, else one of each game over each protocol."""
PATIENCE: Final = 120.0
"""Seconds to wait for acknowledgements before a kill; a restarted server has to work again within this time.
"""


def run(kills: int, seed: int, tell: Tell) -> Outcome:
    """Kill a server *kills* times."""
    tables = TABLES if kills >= SEVERAL else len(ALL_CASES)
    chance = Random(f"kills {seed}")
    ports = line_ports()
    options = [word for name, port in ports.items() for word in (f"--{name}-port", str(port))]
    with server(*options) as (one, folder):
        links, idle = asyncio.run(_load(one, ports, tables, kills, chance, tell))
        stopped = one.stop()
        log = one.log
        players = {link.player.name: link.player for link in links}
        found = asyncio.run(compare(folder / "data" / "croupier.db", players))
    spoken = {_protocol(link) for link in links if link.player.acknowledged}
    silent = len({_protocol(link) for link in links} - spoken)
    return Outcome(
        f"{kills} kills, {tables} tables, {found.acknowledged:,} decisions acknowledged",
        [
            none_of("decisions lost", found.lost),
            none_of("decisions twice", found.twice),
            none_of("journals torn", found.torn),
            none_of("events missed or different", found.gaps),
            none_of("restarts after which nothing was acknowledged", idle),
            none_of("lines in the log", len(log.splitlines()) + (stopped != 0)),
            none_of("protocols without an acknowledged decision", silent),
            some_of("decisions acknowledged", found.acknowledged, 10 * kills),
            some_of("events compared", found.events),
        ],
        notes=[log[:2000]] if log else [],
    )


def _protocol(link: Link) -> tuple[type[Player], int]:
    """Return the key of a protocol: the kind of player and the port for lines, 0 for WebSockets."""
    return type(link.player), link.port if isinstance(link, LineLink) else 0


async def _load(
    one: Server, ports: Mapping[str, int], tables: int, kills: int, chance: Random, tell: Tell
) -> tuple[list[Link], int]:
    """Play and kill; return the players, and how often no decision was acknowledged before a kill."""
    gate = Gate()
    links = await asyncio.to_thread(open_tables, one, ports, gate, tables, chance)
    idle = 0
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        tasks: list[asyncio.Task[None]] = []
        for table in links:
            tasks += [asyncio.create_task(link.run(session)) for link in table]
            await asyncio.sleep(0.02)
        for number in range(kills):
            idle += not await gate.wait_for(chance.randint(2, 12) * tables, PATIENCE)
            tell(f"kill {number + 1} of {kills} after {gate.acknowledged:,} decisions")
            gate.up.clear()
            one.kill()
            await asyncio.to_thread(one.start)
            gate.up.set()
        idle += not await gate.wait_for(2 * tables, PATIENCE)
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError) and outcome is not None:
                raise outcome
    return [link for table in links for link in table], idle


async def compare(path: Path | str, players: dict[str, Player]) -> Judged:
    """Compare all journals with the events that the players were told."""
    store = await open_store(path, read_only=True)
    stored = [
        Stored(
            game(row.game),
            rules_of(row.game, msgspec.json.decode(row.config)),
            journal.decode_all(await store.log(row.id)),
        )
        for row in await store.tables(open_only=False)  # in the order in which they were opened
    ]
    await store.close()
    return judge(stored, list(players.values()))
