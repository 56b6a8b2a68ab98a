"""The parts of a server: builds them, connects them and stops them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from ssl import SSLContext
from typing import TYPE_CHECKING, Any, Final, Literal
from zlib import crc32

from aiohttp import web

from croupier.accounts.ratings import Ratings
from croupier.accounts.service import Accounts
from croupier.accounts.store import AccountStore
from croupier.cluster.bus import BusError
from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal, house_refusal
from croupier.games import broken, default_game, has_lobby, names, registry
from croupier.games import game as find_game
from croupier.http import TrustedProxies
from croupier.moderation.service import Moderation
from croupier.net.fair_clock import FairClock
from croupier.net.hosts import Hosts
from croupier.net.limits import ConnectionCount, refusal_limit
from croupier.net.load import Load
from croupier.net.lobby import LobbyServer
from croupier.net.table_list import TableFeed
from croupier.net.traffic_log import TrafficLogs
from croupier.reviews.service import Reviews
from croupier.store import Store, StoreError, open_store
from croupier.store.address import shown
from croupier.store.api import TableRow, report
from croupier.store.sql import SqlStore
from croupier.table.archive import Archive
from croupier.table.bot_pool import BotPool
from croupier.table.complaint import Complaint
from croupier.table.tables import DEFAULT, MOST_TABLES, Tables, clock_text
from croupier.tournaments.service import Tournaments
from croupier.wire import api_messages
from croupier.wire.identity import Identities
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import STOPPING

if TYPE_CHECKING:
    from croupier.net.member import Member
    from croupier.table.shell import Peer, Shell

log = logging.getLogger(__name__)

EXPIRY_SECONDS: Final = 3600.0
"""Seconds between two expiries of inactive users."""
OWN: Final = "croupier"
"""The name under which the server keeps data of its own; the lobbies have theirs."""
ADDRESS_KEY: Final = "address key"


class CannotServe(Exception):
    """The server cannot start; the message is one line with the cause."""


@dataclass(frozen=True, slots=True)
class LinePort:
    """A TCP port of one game's protocol."""

    game: str
    port: int
    """0 chooses any free port."""
    option: str
    """The option of the command line for this port, for messages."""
    must: bool = True
    """If this port cannot be opened, the server does not start."""
    line: bool = False
    """Use the variant of the protocol for terminals."""


@dataclass(slots=True)
class Plan:
    """The configuration of a server."""

    host: str
    port: int
    mode: Literal["serve", "node"]
    """``serve``, or ``node``: the game node, which has no lobbies, accounts and tournaments."""
    store: str | Path
    default: TableSpec
    """The table at the root of the port; a stored table with this name is restored unchanged."""
    ready: Callable[[int, Mapping[LinePort, int]], None]
    """Called with the actual ports when the server is listening."""
    line_ports: Sequence[LinePort] = ()
    tls: SSLContext | None = None
    most_tables: int = MOST_TABLES
    most_connections: int = 10_000
    most_per_address: int = 0
    """How many things of one kind one address or account may have open (docs/tutorial-operator.md); 0: any
    number."""
    most_connections_per_address: int = 0
    """The limit of connections per address; 0 means none."""
    descriptors: int = sys.maxsize
    """How many descriptors the process may use."""
    public_hosts: Sequence[str] = ()
    """Further names under which browsers reach the server."""
    trusted_proxies: TrustedProxies = field(default_factory=TrustedProxies)
    bot_pause: float = 0.0
    """The minimum number of seconds between two decisions at a table where only bots play."""
    quick_match_wait: float = 30.0
    """Seconds after which bots take the free seats of a quick match."""
    bot_processes: int | None = None
    """How many processes run searching bots; None means one fewer than the cores, at least one."""
    operator_token: str = ""
    """The token of the operator's page; empty if there is none."""
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By game: options of the tables that its own protocol opens."""
    nats: str = ""
    """The address of NATS, if several nodes share the store; else empty."""
    reuse_port: bool = False
    """Other processes may listen on the same ports."""


class House:
    """The parts of a running server."""

    def __init__(self, plan: Plan, store: Store, now: Callable[[], float]) -> None:
        """*now* returns the time by which tournaments start."""
        many = plan.bot_processes if plan.bot_processes is not None else max(1, (os.cpu_count() or 1) - 1)
        serves = plan.mode == "serve"
        people = AccountStore(store) if serves and isinstance(store, SqlStore) else None
        self.plan = plan
        self.mode = plan.mode
        self.store = store
        self.identities = Identities()
        self.clock = FairClock()
        self.bot_pool = BotPool(many) if many else None
        self.ratings = Ratings(store, people, clock_text) if people is not None else None
        self.tables = Tables(
            store,
            plan.most_tables,
            plan.most_per_address,
            plan.bot_pause,
            self.bot_pool,
            self.clock.time,
            self.identities,
            self._match_ended,
            self._table_closed,
            _number_by_time if plan.nats else None,
        )
        self.table_feed = TableFeed(self.tables)
        self.tournaments = Tournaments(self.tables, now) if serves else None
        self.accounts: Accounts | None = None
        """None without a database: on the game node, and in memory."""
        if people is not None and self.tournaments is not None:
            self.accounts = Accounts(people, self.identities, self._held, self.tournaments.forget)
        self.moderation = Moderation(self.tables, self.accounts, self.find, self.table_feed.elsewhere)
        self.tables.on_report = self._reported
        self.identities.on_notice = lambda: self.tables.touch_remote(())
        self.reviews = Reviews()
        self.archive = Archive(store)
        self.lobbies: dict[str, LobbyServer] = {}
        """By game; empty at a node that does not have them."""
        self.lobby_games = [name for name in names() if has_lobby(name)] if serves else []
        self.member: Member | None = None
        """The other nodes; None if this server is alone."""
        self.hosts = Hosts(plan.host, plan.public_hosts)
        self.connections = ConnectionCount(
            plan.most_connections, plan.most_connections_per_address, plan.descriptors
        )
        self.refusals = refusal_limit()
        self.traffic = TrafficLogs()
        self.load = Load(self.tables, self.connections)
        self.ports: list[api_messages.LinePort] = []
        """The TCP ports of line protocols, for GET /api/house."""
        self.waiting = 0
        """How many tables were open when the server stopped."""
        self._tasks: list[asyncio.Task[None]] = []
        self._reports: set[asyncio.Task[None]] = set()
        """Reports of players that are being stored."""

    def _match_ended(self) -> None:
        if self.member is not None:
            self.member.match_ended()
        elif self.ratings is not None:
            self.ratings.update()

    def _reported(self, complaint: Complaint, peer: Peer, answer: Callable[[Refusal | None], None]) -> None:
        """Store the report of a player, and answer it."""
        owners = self.identities.owners(peer.conversation.address)
        task = asyncio.get_running_loop().create_task(self._store_report(complaint, owners, answer))
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)

    async def _store_report(
        self, complaint: Complaint, owners: Sequence[str], answer: Callable[[Refusal | None], None]
    ) -> None:
        try:
            await self.moderation.report(complaint, owners)
        except Refusal as refusal:
            answer(refusal)
        except StoreError as error:
            report(log, error, "a report was not stored; the player is told to try again")
            answer(house_refusal("cannot_store"))
        else:
            answer(None)

    def _table_closed(self, game: str, id: str) -> None:
        if game in self.lobbies:
            self.lobbies[game].table_closed(id)

    def _held(self, key: str) -> list[str]:
        """Return the digests of the tokens that reserve the name *key* in lobbies and tournaments."""
        held = [lobby.lobby.holder(key) for lobby in self.lobbies.values()]
        if self.tournaments is not None:
            held.append(self.tournaments.held(key))
        return [digest for digest in held if digest is not None]

    async def start(self) -> None:
        """Read the stored data, open the default table and the lobbies."""
        _report_games()
        self.identities.address_key = await self._address_key()
        if self.accounts is not None:
            await self.accounts.open()
        await self.moderation.load()
        if self.member is not None:
            return  # `Member` tells a node which tables it owns
        # Tables are restored on request and in the background; the default table is always there.
        self.waiting = await self.tables.recover()
        await self.start_services()

    async def start_services(self) -> None:
        """Start the services that only one node has: the default table, lobbies, tournaments, ratings."""
        if self.ratings is not None:
            self.ratings.update()
        if await self._default_is_missing():
            if DEFAULT in self.tables.broken:
                words = "the default table cannot be restored (see above)"
                raise CannotServe(f"{shown(self.plan.store)}: {words}; choose another database")
            await self.tables.open(default_game(), self.plan.default, DEFAULT)
        if self.tournaments is not None:
            for name in self.lobby_games:
                self.lobbies[name] = await self._lobby(name)
            await self.tournaments.load()

    async def _default_is_missing(self) -> bool:
        if self.member is None:
            return await self.tables.find(DEFAULT) is None
        return await self.store.table(DEFAULT) is None

    def stop_services(self, reason: str) -> None:
        """Stop the services that `start_services` has started; another node continues them."""
        lobbies = list(self.lobbies.values())
        self.lobbies.clear()
        for lobby in lobbies:
            lobby.stop(reason)
        if self.tournaments is not None:
            self.tournaments.all.clear()

    async def find(self, id: str) -> Shell | None:
        """Return the shell of a table, or None; raise Elsewhere if another node has it."""
        shell = await self.tables.find(id)
        if shell is None and self.member is not None:
            await self.member.check("table", id)
            shell = await self.tables.find(id)
        return shell

    async def check_service(self) -> None:
        """Raise Elsewhere if another node has the lobbies, tournaments and accounts."""
        if self.member is not None:
            await self.member.check_service()

    async def place(self, game: str) -> None:
        """Raise Elsewhere if a new table of *game* belongs to another node."""
        if self.member is not None:
            await self.member.place(game in self.lobby_games)

    async def _address_key(self) -> bytes:
        """Return the key for digests of addresses, which has to be the same after a restart."""
        kept = (await self.store.kept(OWN)).get(ADDRESS_KEY)
        if kept is None:
            kept = secrets.token_hex(32)
            await self.store.keep(OWN, ADDRESS_KEY, kept)
        return bytes.fromhex(kept)

    def begin_work(self) -> None:
        """Start the background tasks: restoring and closing tables, tournaments, expiry of users."""
        self.tables.start_restoring()
        self.tables.start_sweeping()
        loop = asyncio.get_running_loop()
        work = [self.clock.run(), self.load.run()]
        if self.member is None:
            work += self.service_work()
        self._tasks = [loop.create_task(one) for one in work]

    def service_work(self) -> list[Coroutine[Any, Any, None]]:
        """Return the background tasks of the services that only one node has."""
        return [self._expire(), *([self.tournaments.run()] if self.tournaments is not None else [])]

    async def _lobby(self, name: str) -> LobbyServer:
        kept = await self.store.kept(name)
        try:
            return LobbyServer(
                self.tables, find_game(name), kept, self.plan.options.get(name, {}), self.accounts
            )
        except BadOptions as error:
            raise CannotServe(f"{name}: {error}") from None

    async def _expire(self) -> None:
        """Remove inactive users: when all tables are restored, and then every hour."""
        await self.tables.all_restored()
        while True:
            try:
                if self.accounts is not None:
                    await self.accounts.forget_unused()
                for lobby in self.lobbies.values():
                    await lobby.forget_unused()
            except StoreError as error:
                report(log, error, "expiry of inactive users failed; retrying in an hour")
            await asyncio.sleep(EXPIRY_SECONDS)

    async def announce_stop(self, reason: str = STOPPING) -> None:
        """Stop the background tasks and inform all clients; the tables continue after a restart."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.tables.stop(reason)
        if self.ratings is not None:
            await self.ratings.stop()
        if self.bot_pool is not None:
            await self.bot_pool.stop()
        for lobby in self.lobbies.values():
            lobby.stop(reason)
        await self.reviews.stop()
        self.archive.close()

    async def close(self) -> None:
        """Store remaining data; all connections must have ended."""
        try:
            if self.accounts is not None:
                await self.accounts.note_use()
            for lobby in self.lobbies.values():
                await lobby.note_use()
        except StoreError as error:
            report(log, error, "last-seen times were not stored")
        if self.accounts is not None:
            self.accounts.close()


HOUSE = web.AppKey("house", House)
"""The key by which HTTP handlers find the server."""


def _report_games() -> None:
    """Log the problems of games from installed packages, one line each."""
    for entry in broken():
        log.error("game %s of %s cannot be used: %s", entry.name, entry.source, entry.problem)
    for entry in registry().values():
        if entry.problem:
            log.warning("game %s of %s: %s", entry.name, entry.source, entry.problem)


def _number_by_time(row: TableRow) -> int:
    """Return the number by which a table is listed: the same at every node."""
    created = datetime.fromisoformat(row.created).timestamp()
    return int(created) * 100_000 + crc32(row.id.encode()) % 100_000


@contextlib.asynccontextmanager
async def build(
    plan: Plan, store: Store | None = None, now: Callable[[], float] = time.time
) -> AsyncIterator[House]:
    """Build all parts except the ports; raise CannotServe if that is impossible.

    *store* replaces the store that *plan* names, and is not closed.
    """
    try:
        used = store if store is not None else await _open(plan)
    except StoreError as error:
        raise CannotServe(str(error)) from None
    house = House(plan, used, now)
    try:
        try:
            if plan.nats:
                await _join(house)
            await house.start()
        except (StoreError, BusError) as error:
            raise CannotServe(str(error)) from None
        yield house
    finally:
        await house.announce_stop()
        await house.close()
        if house.member is not None:
            await house.member.stop()
        if store is None:
            await used.close()


async def _open(plan: Plan) -> Store:
    if not plan.nats:
        return await open_store(plan.store)
    from croupier.store.postgres import PostgresStore

    return await PostgresStore.open(str(plan.store), shared=True)


async def _join(house: House) -> None:
    """Make *house* a node of those that share its store."""
    from croupier.net.member import Member

    house.member = await Member.join(house)
