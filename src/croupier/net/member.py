"""A server as one of several nodes of a house.

Every table has one node that owns it. One node has the *service*: the lobbies with their tables, tournaments,
accounts and ratings. What arrives at another node is forwarded (forwarding.py).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, cast

import msgspec

from croupier.cluster.lease import LEASE
from croupier.cluster.links import Links, Stream, User
from croupier.cluster.node import ClusterNode, News
from croupier.core.refusal import Refusal
from croupier.moderation.rows import Person
from croupier.net.forwarding import COME_BACK, Edge, Elsewhere, ForwardedTransport, Opening, end_line
from croupier.net.listening import peer_of
from croupier.net.tcp import Listener
from croupier.store.api import StoreError, report
from croupier.store.postgres import PostgresStore
from croupier.store.postgres_database import Node
from croupier.store.postgres_nodes import Claimed, Nodes

if TYPE_CHECKING:
    from croupier.net.house import House, LinePort

log = logging.getLogger(__name__)

MOVING_SECONDS: Final = 6.0
"""How long a request waits for a table that has no owner: a dead node is replaced within five seconds."""
POLL: Final = 0.1
ANNOUNCE_SECONDS: Final = 0.2
ROWS: Final = 200
"""The maximum number of rows in an announcement."""
WAITING_SECONDS: Final = 1.0
MOST_WAITING: Final = 1000
"""The maximum number of people in lobbies that are announced."""
REFRESH_SECONDS: Final = 30.0
"""Seconds between two readings of accounts and sessions, in case an announcement was lost."""
CROWDED: Final = 100
"""A new table goes to another node if that has half as many tables, and this many fewer."""


class _Row(msgspec.Struct):
    id: str


class Member:
    """The part of a server that communicates with the other nodes; created by `join`."""

    def __init__(self, house: House, nodes: Nodes) -> None:
        self._house = house
        self._nodes = nodes
        self.node: ClusterNode | None = None
        self.all: list[Node] = []
        """The nodes of the house, this one included."""
        self.serving = False
        """True if this node has the service."""
        self.draining = False
        self.http: Callable[[], asyncio.Protocol] | None = None
        """Creates the connections of the HTTP port."""
        self._listeners: dict[tuple[str, bool], Listener] = {}
        self._told_waiting: list[Person] | None = None
        """The people in the lobbies here, as the other nodes know them; None to tell them again."""
        self._tasks: list[asyncio.Task[None]] = []
        self._service_tasks: list[asyncio.Task[None]] = []
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def join(cls, house: House) -> Member:
        """Make *house* a node; raise BusError or StoreError if that is impossible."""
        from croupier.cluster.nats_bus import NatsBus

        nodes = Nodes(cast("PostgresStore", house.store), house.lobby_games)
        key = await nodes.key()
        member = cls(house, nodes)
        bus = await NatsBus.open(house.plan.nats, key, nodes.id)
        member.node = ClusterNode(nodes, bus, key, member)
        return member

    @property
    def id(self) -> int:
        return self._nodes.id

    @property
    def links(self) -> Links:
        assert self.node is not None, "it has joined"
        return self.node.links

    @property
    def reachable(self) -> bool:
        """Return True while messages reach the other nodes."""
        return self.node is not None and self.node.connected

    @property
    def acting(self) -> bool:
        """Return False while the lease cannot be renewed."""
        return self.node is not None and self.node.acting

    @property
    def forged(self) -> int:
        """Return how many messages on the bus were forged or sent again."""
        return self.node.forged if self.node is not None else 0

    async def start(self, http: Callable[[], asyncio.Protocol]) -> None:
        """Take over everything without an owner, and again regularly; *http* creates connections of the HTTP
        port.
        """
        assert self.node is not None, "it has joined"
        self.http = http
        self._house.tables.news = set()
        self._house.identities.told = lambda change: self.tell(News(sessions=[change]))
        await self.node.claim()
        self.node.start()
        work = [self._announce(), self._announce_waiting(), self._refresh()]
        self._tasks = [self._loop.create_task(one) for one in work]

    async def stop(self) -> None:
        """Leave the house; everything has been given up."""
        await _cancel([*self._tasks, *self._service_tasks])
        self._house.identities.told = None
        if self.node is not None:
            await self.node.stop()

    def tell(self, news: News) -> None:
        """Announce something to the other nodes."""
        if self.node is not None:
            self.node.tell(news)

    # Which node has a table or a service.

    async def check(self, kind: str, name: str) -> None:
        """Raise Elsewhere if another node has this thing; wait if none has it at the moment.

        Return if this node has it, or if there is no such thing.
        """
        until = self._loop.time() + MOVING_SECONDS
        while True:
            if not self.acting:
                raise _no_database()
            try:
                async with asyncio.timeout(LEASE):
                    owner = await self._nodes.owner(kind, name)
            except TimeoutError:
                raise _no_database() from None
            if owner is None or (owner == self.id and self._has(kind, name)):
                return
            if owner != self.id and any(node.id == owner and node.lease > 0 for node in self.all):
                raise Elsewhere(owner)
            if self._loop.time() >= until:
                raise Refusal("busy", "this moves to another server: try again", 1.0)
            await asyncio.sleep(POLL)

    def _has(self, kind: str, name: str) -> bool:
        return self.serving if kind == "service" else self._house.tables.has(name)

    async def check_service(self) -> None:
        """Raise Elsewhere if another node has the service; wait if none has it at the moment."""
        if not self.serving:
            await self.check("service", "main")

    async def place(self, with_lobby: bool) -> None:
        """Raise Elsewhere if a new table belongs to another node: to the one with the service if its game has
        a lobby, else to one with clearly fewer tables."""
        if with_lobby:
            await self.check_service()
            return
        others = [node for node in self.all if node.id != self.id and node.lease > 0 and not node.draining]
        least = min(others, key=lambda node: node.tables, default=None)
        own = len(self._house.tables.shells)
        if least is not None and (self.draining or own > 2 * least.tables + CROWDED):
            raise Elsewhere(least.id)
        if self.draining:
            raise Refusal("busy", "this server is about to stop: try again later", 1.0)

    @property
    def service(self) -> int | None:
        """Return the node with the service."""
        return next((node.id for node in self.all if node.service and node.lease > 0), None)

    # Called by the node.

    async def adopt(self, claimed: Claimed) -> None:
        if claimed.tables:
            log.info("node %d has %d more tables", self.id, len(claimed.tables))
        self._house.tables.adopt(claimed.tables)
        if claimed.service and not self.serving:
            log.info("node %d has the lobbies, tournaments and accounts now", self.id)
            if self._house.accounts is not None:
                await self._house.accounts.refresh()
            await self._house.start_services()
            self.serving = True
            self._service_tasks = [self._loop.create_task(one) for one in self._house.service_work()]

    def suspend(self) -> None:
        self._let_go(COME_BACK.reason)
        self.links.drop_all("the node may not act")

    def _let_go(self, reason: str) -> None:
        """Stop serving everything; its journals are intact."""
        self.serving = False
        for task in self._service_tasks:
            task.cancel()
        self._service_tasks = []
        self._house.tables.let_go(reason)
        self._house.stop_services(reason)
        self._listeners.clear()

    async def drain(self) -> None:
        """Give up everything; other nodes take it over at once."""
        if self.draining:
            return
        self.draining = True
        log.info("node %d gives up its tables", self.id)
        await self._nodes.begin_draining()
        self._let_go(COME_BACK.reason)
        await self._nodes.release()
        self.tell(News(free=True))
        log.info("node %d has nothing left", self.id)

    def nodes_changed(self, nodes: list[Node]) -> None:
        here = {node.id for node in nodes}
        for gone in [id for id in self._house.table_feed.remote if id not in here]:
            self._house.table_feed.hear(gone, {}, (), all=True)
        waiting = self._house.moderation.waiting_elsewhere
        for gone in waiting.keys() - here:
            del waiting[gone]
        self.all = nodes

    def told(self, sender: int, news: News) -> None:
        if news.changed or news.closed or news.all:
            rows = {msgspec.json.decode(row, type=_Row).id: bytes(row) for row in news.changed}
            self._house.table_feed.hear(sender, rows, news.closed, news.all)
        for change in news.sessions:
            self._house.identities.repeat(change)
        if news.waiting is not None:
            people = [msgspec.json.decode(one, type=Person) for one in news.waiting]
            self._house.moderation.waiting_elsewhere[sender] = people
        if news.who:
            self._announce_all()
            self._told_waiting = None
        if news.result and self.serving and self._house.ratings is not None:
            self._house.ratings.update()

    def match_ended(self) -> None:
        """Have the match rated, on this node or another one."""
        if self.serving and self._house.ratings is not None:
            self._house.ratings.update()
        else:
            self.tell(News(result=True))

    def accept(self, stream: Stream, payload: bytes) -> User | None:
        opening = msgspec.json.decode(payload, type=Opening)
        if not self.acting:
            return None
        transport = ForwardedTransport(stream, opening)
        if opening.game:
            listener = self.listener(opening.game, opening.line)
            if listener is None:
                return None
            self._loop.call_soon(listener.adopt, transport, b"", lambda: None)
        elif self.http is None:
            return None
        else:
            transport.begin(self.http())
        return transport

    # Line ports.

    def listener(self, game: str, line: bool) -> Listener | None:
        """Return what serves connections of a line protocol; None if this node does not have the lobbies."""
        lobby = self._house.lobbies.get(game)
        if lobby is None:
            return None
        found = self._listeners.get((game, line))
        if found is None:
            converse = partial(lobby.converse, line=line)
            found = self._listeners[game, line] = Listener(lobby, converse, self._house.connections)
        return found

    def line_door(self, port: LinePort) -> LineDoor:
        """Return the protocol of a new connection at a line port."""
        return LineDoor(self, port.game, port.line)

    def forward_line(self, transport: asyncio.Transport, game: str, line: bool) -> None:
        """Let the node with the lobbies serve a connection of a line protocol."""
        address, descriptor = peer_of(transport)
        connections, service = self._house.connections, self.service
        welcome = connections.enter(address, descriptor)
        edge = Edge(transport, end_line)
        transport.set_protocol(edge)
        secure = transport.get_extra_info("sslcontext") is not None
        opening = Opening(address, secure, game, line)
        if service is None or service == self.id or not welcome or not self.reachable:
            edge.at_end(partial(connections.leave, address))
            transport.close()
        else:
            edge.open(self.links, service, opening, b"", partial(connections.leave, address))

    # Announcements.

    async def _announce(self) -> None:
        tables, feed = self._house.tables, self._house.table_feed
        while True:
            seen = tables.changes
            news, tables.news = tables.news, set()
            if news:
                found = feed.own(news)
                self._tell_rows([row for row in found.values() if row is not None], all=False)
                closed = [id for id, row in found.items() if row is None]
                if closed:
                    self.tell(News(closed=closed))
            await tables.changed(seen)
            await asyncio.sleep(ANNOUNCE_SECONDS)

    def _announce_all(self) -> None:
        rows = self._house.table_feed.own(self._house.tables.shells).values()
        self._tell_rows([row for row in rows if row is not None], all=True)

    def _tell_rows(self, rows: list[bytes], all: bool) -> None:
        """Announce rows in parts; if they are *all*, the first part is marked."""
        for at in range(0, max(len(rows), 1 if all else 0), ROWS):
            part = [msgspec.Raw(row) for row in rows[at : at + ROWS]]
            self.tell(News(changed=part, all=all and at == 0))

    async def _announce_waiting(self) -> None:
        """Tell the other nodes who is in the lobbies here, for the operator who asks one of them."""
        while True:
            people = list(islice(self._house.moderation.waiting(), MOST_WAITING))
            if people != self._told_waiting:
                self._told_waiting = people
                self.tell(News(waiting=[msgspec.Raw(msgspec.json.encode(one)) for one in people]))
            await asyncio.sleep(WAITING_SECONDS)

    async def _refresh(self) -> None:
        """Read accounts, sessions, bans and mutes from time to time; every second while announcements do not
        arrive."""
        accounts = self._house.accounts
        while accounts is not None:
            await asyncio.sleep(REFRESH_SECONDS if self.reachable else 1.0)
            self._told_waiting = None
            try:
                await self._house.moderation.load()
                if not self.serving:
                    await accounts.note_use()
                    await accounts.refresh()
            except StoreError as error:
                report(log, error, "reading the accounts again failed; retrying in %g s", REFRESH_SECONDS)


class LineDoor(asyncio.Protocol):
    """A new connection at a line port: it goes to the lobby here, or to the node that has it."""

    def __init__(self, member: Member, game: str, line: bool) -> None:
        self._member = member
        self._game = game
        self._line = line

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        made = cast("asyncio.Transport", transport)  # uvloop's transports are not subclasses
        listener = self._member.listener(self._game, self._line)
        if listener is not None:
            listener.adopt(made, b"", lambda: None)
        else:
            self._member.forward_line(made, self._game, self._line)


def _no_database() -> Refusal:
    return Refusal("busy", "this server cannot reach its database: try again", 1.0)


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
