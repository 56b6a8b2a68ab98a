"""One node of a house: renews, claims, beats, and passes messages on.

Its `Host` decides what the node serves.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from time import monotonic
from typing import Any, Final, Protocol

import msgspec

from croupier.cluster.bus import Bus
from croupier.cluster.lease import Lease
from croupier.cluster.links import BEAT_SECONDS, Links, Stream, User
from croupier.cluster.messages import EVERYONE, TELL, BadBatch, Batch, Frame, read, write
from croupier.store.api import NotOwner, StoreError, StoreUnavailable
from croupier.store.postgres_database import Node as NodeRow
from croupier.store.postgres_nodes import Claimed, Nodes

log = logging.getLogger(__name__)

CLAIM_SECONDS: Final = 0.5
AFTER_LEASE: Final = 0.02
"""Seconds after the end of a lease at which its node is replaced."""
WATCH_SECONDS: Final = 0.25
BATCH_BYTES: Final = 256 * 1024
"""The maximum size of the frames in a batch, in bytes; NATS accepts messages of up to 1 MiB."""


class News(msgspec.Struct, omit_defaults=True):
    """An announcement of a node to all others."""

    changed: list[msgspec.Raw] = []
    """Rows of the list of tables."""
    closed: list[str] = []
    """Tables that are no longer at this node."""
    all: bool = False
    """The rows are all tables of this node."""
    who: bool = False
    """Every node is asked for all its tables."""
    free: bool = False
    """Something has no owner: nodes should claim it now."""
    result: bool = False
    """A match with an account among its players has ended."""
    sessions: list[list[str]] = []
    """Changes of accounts and sessions: see `Identities.told`."""
    waiting: list[msgspec.Raw] | None = None
    """The people in the lobbies of this node."""


class Host(Protocol):
    """What a node serves."""

    async def adopt(self, claimed: Claimed) -> None:
        """Serve what the node has become the owner of."""
        ...

    def suspend(self) -> None:
        """Stop serving: the lease cannot be renewed, and may end."""
        ...

    def accept(self, stream: Stream, payload: bytes) -> User | None:
        """Return the user of a connection that another node has accepted, or None to refuse it."""
        ...

    def told(self, sender: int, news: News) -> None:
        """Process an announcement."""
        ...

    def nodes_changed(self, nodes: list[NodeRow]) -> None:
        """Note which nodes exist."""
        ...

    async def drain(self) -> None:
        """Give up everything, by order of an operator."""
        ...


class ClusterNode:
    """The part of a server that makes it a node."""

    def __init__(self, nodes: Nodes, bus: Bus, key: str, host: Host) -> None:
        self.nodes = nodes
        self.id = nodes.id
        self.acting = True
        """True if the node may serve what it owns."""
        self.others: list[NodeRow] = []
        self.forged = 0
        """How many messages on the bus were not of this house, or announcements that were sent again."""
        self._repeated = False
        """True if an announcement was sent again."""
        self._announced = 0
        """The number of this node's last announcement."""
        self._heard: dict[int, int] = {}
        """By node: the highest number of an announcement that was heard. Each run of a node has its own id,
        so nothing is removed."""
        self._bus = bus
        self._key = key.encode()[:64]
        self._host = host
        self._lease = Lease(nodes.renewed)
        self._out: dict[int, list[Frame]] = {}
        self._sizes: dict[int, int] = {}
        self._flushing = False
        self._claim_now = asyncio.Event()
        self._own_all = False
        """True after a suspension: the things that the node still owns have to be restored."""
        self._loop = asyncio.get_running_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._drain: asyncio.Task[None] | None = None
        self.links = Links(self._post, host.accept)
        bus.received = self._received
        bus.lost = self._cut_off
        bus.restored = self._restored

    def start(self) -> None:
        """Start the tasks."""
        work: list[Coroutine[Any, Any, None]] = [self._claim(), self._watch(), self._beat()]
        self._tasks = [self._loop.create_task(one) for one in work]
        self.tell(News(who=True))

    async def stop(self) -> None:
        """Stop the tasks and leave the bus."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.links.drop_all("the node stops")
        self._flush()
        await self._bus.close()

    @property
    def connected(self) -> bool:
        """Return True while the bus can be reached."""
        return self._bus.connected

    # Membership

    async def claim(self) -> None:
        """Take over what has no owner, once."""
        now = monotonic()
        if not self._lease.acts(now):
            return
        if self._own_all:
            await self._host.adopt(await self.nodes.own())
            self._own_all = False
        await self._host.adopt(await self.nodes.claim(self._lease.may_replace(now)))

    async def _claim(self) -> None:
        while True:
            try:
                await self.claim()
                await self._look()
            except (NotOwner, StoreUnavailable):
                pass  # the store reports it
            except StoreError as error:
                log.error("taking over tables failed: %s; retrying in %g s", error, CLAIM_SECONDS)
            try:
                await asyncio.wait_for(self._claim_now.wait(), self._pause())
            except TimeoutError:
                continue
            self._claim_now.clear()

    def _pause(self) -> float:
        """Return the seconds until the next attempt: until the first lease of another node ends, if that is
        soon."""
        ends = (node.lease for node in self.others if node.lease > 0)
        return min(CLAIM_SECONDS, AFTER_LEASE + min(ends, default=CLAIM_SECONDS))

    async def _look(self) -> None:
        """Note which nodes exist; end the connections with those that are gone."""
        found = await self.nodes.all()
        here = {node.id for node in found}
        for node in self.others:
            if node.id not in here:
                self.links.drop(node.id, "the node is gone")
        self.others = [node for node in found if node.id != self.id]
        self._host.nodes_changed(found)
        if self._drain is None and any(node.id == self.id and node.draining for node in found):
            self._drain = self._loop.create_task(self._host.drain())

    async def _watch(self) -> None:
        while True:
            self._lease.renewed(self.nodes.renewed)
            acting = self._lease.acts(monotonic())
            if self.acting and not acting:
                log.error("the lease could not be renewed in time; connections end until it is renewed")
                self._host.suspend()
            elif acting and not self.acting:
                log.warning("the lease is renewed; everything that the node owns is restored")
                self._own_all = True
                self._claim_now.set()
            self.acting = acting
            await asyncio.sleep(WATCH_SECONDS)

    # Messages

    async def _beat(self) -> None:
        while True:
            self.links.tick(monotonic())
            await asyncio.sleep(BEAT_SECONDS)

    def tell(self, news: News) -> None:
        """Announce something to all other nodes."""
        self._announced += 1
        self._post(EVERYONE, Frame(TELL, 0, self._announced, msgspec.json.encode(news)))

    def _post(self, node: int, frame: Frame) -> None:
        size = self._sizes.get(node, 0) + len(frame.payload)
        if size > BATCH_BYTES and self._out.get(node):
            self._send(node)
            size = len(frame.payload)
        self._out.setdefault(node, []).append(frame)
        self._sizes[node] = size
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        for node in list(self._out):
            self._send(node)

    def _send(self, node: int) -> None:
        frames = self._out.pop(node, [])
        self._sizes.pop(node, None)
        self._bus.publish(node, write(self._key, Batch(self.id, node, frames)))

    def _received(self, data: bytes) -> None:
        try:
            batch = read(self._key, data)
        except BadBatch as error:
            self.forged += 1
            if self.forged == 1:
                log.warning("%s was ignored; further ones are only counted", error)
            return
        if batch.sender == self.id or batch.receiver not in (self.id, EVERYONE):
            return
        now = monotonic()
        for frame in batch.frames:
            if frame.kind == TELL:
                self._hear(batch.sender, frame.number, frame.payload)
            else:
                self.links.receive(batch.sender, frame, now)

    def _hear(self, sender: int, number: int, payload: bytes) -> None:
        """Process an announcement once: a session that has ended must not begin again."""
        if number <= self._heard.get(sender, 0):
            self.forged += 1
            if not self._repeated:
                self._repeated = True
                log.warning(
                    "an announcement of node %d was sent again and is ignored; further ones are only counted",
                    sender,
                )
            return
        self._heard[sender] = number
        try:
            news = msgspec.json.decode(payload, type=News)
        except msgspec.DecodeError as error:
            log.warning("an announcement of node %d was not understood and is ignored: %s", sender, error)
            return
        if news.free:
            self._claim_now.set()
        self._host.told(sender, news)

    def _cut_off(self) -> None:
        """End the forwarded connections: their messages are lost."""
        self.links.drop_all("the bus cannot be reached")

    def _restored(self) -> None:
        """Ask for what was announced while the bus was unavailable."""
        self.tell(News(who=True))
