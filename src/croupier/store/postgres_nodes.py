"""The nodes that share a PostgreSQL database, and what each of them owns.

An owner changes in two ways only: the owner gives a thing up itself, after everything it has written; or its
row in `node` is deleted because the lease has expired, and everything it writes afterwards is refused. So no
two nodes ever write to one table at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.store.api import TableRow
from croupier.store.postgres import PostgresStore
from croupier.store.postgres_database import NODES, Connection, Node, check, connect, wrong
from croupier.store.sql import Row

KEY: Final = "SELECT oid::text || ' ' || key FROM croupier, pg_database WHERE datname = current_database()"
LEAST: Final = 20
"""A node takes at least this many tables at a time, if there are as many without an owner."""

# A node whose row is locked is just renewing its lease.
BURY: Final = """
WITH dead AS (
    DELETE FROM node WHERE id IN (
        SELECT id FROM node WHERE lease_until < clock_timestamp() AND id <> $1 FOR UPDATE SKIP LOCKED
    ) RETURNING id
) UPDATE thing SET owner = 0, epoch = epoch + 1 WHERE owner IN (SELECT id FROM dead)"""
SERVICE: Final = """
UPDATE thing SET owner = $1, epoch = epoch + 1
WHERE kind = 'service' AND owner = 0
AND EXISTS (SELECT FROM node WHERE id = $1 AND NOT draining) RETURNING name"""
OWNS_SERVICE: Final = "SELECT count(*) > 0 FROM thing WHERE kind = 'service' AND owner = ?"
# The tables of games with a lobby ($2) live with the lobbies: all of them ($3), or a share of the others.
TAKE: Final = f"""
UPDATE thing SET owner = $1, epoch = epoch + 1 WHERE kind = 'table' AND name IN (
    SELECT name FROM thing JOIN tables ON id = name
    WHERE kind = 'table' AND owner = 0 AND (game = ANY($2)) = $3
    AND EXISTS (SELECT FROM node WHERE id = $1 AND NOT draining)
    LIMIT CASE WHEN NOT $3 THEN greatest({LEAST}, (SELECT count(*) FROM thing WHERE owner = 0)
        / (SELECT count(*) FROM node WHERE NOT draining OR id = $1) + 1) END
    FOR UPDATE OF thing SKIP LOCKED
) RETURNING name"""
OWN: Final = "SELECT name FROM thing WHERE kind = 'table' AND owner = ?"
ROWS: Final = """
SELECT id, game, config, created, closed,
    coalesce((SELECT max(first) FROM matches WHERE table_id = id), 0)
FROM tables WHERE id = ANY(?) AND closed IS NULL ORDER BY key"""


@dataclass(slots=True)
class Claimed:
    """What a node has become the owner of; after a lost answer, everything it owns."""

    service: bool = False
    tables: list[tuple[TableRow, int]] = field(default_factory=list)
    """Each with the number of the entry at which its last match began."""


class Nodes:
    """A node's part of a shared database."""

    def __init__(self, store: PostgresStore, lobby_games: Sequence[str]) -> None:
        """The tables of *lobby_games* live with the lobbies."""
        self._store = store
        self._lobby_games = list(lobby_games)
        self._service = False

    @property
    def id(self) -> int:
        """Return the number of this node."""
        return self._store.writer.node

    @property
    def renewed(self) -> float:
        """Return when the last renewal of the lease that succeeded was sent, by the monotonic clock."""
        return self._store.writer.renewed

    async def key(self) -> str:
        """Return the secret that the nodes share; in a copy of the database it is a different one."""
        return str((await self._store.select(KEY))[0][0])

    async def all(self) -> list[Node]:
        """Return the nodes that share this database."""
        return [Node(*row) for row in await self._store.select(NODES)]  # type: ignore[arg-type]  # as typed

    async def owner(self, kind: str, name: str) -> int | None:
        """Return the node that owns a thing; 0 if none does at the moment, None if there is no such thing."""
        rows = await self._store.select("SELECT owner FROM thing WHERE kind = ? AND name = ?", kind, name)
        return int(str(rows[0][0])) if rows else None

    async def claim(self, replaces: bool) -> Claimed:
        """Take a share of the things without an owner; if this node *replaces* others, also of the things of
        nodes whose lease has expired.
        """
        names: list[str] | None = None
        service = False

        async def work(db: Connection) -> None:
            nonlocal names, service
            if replaces:
                await db.execute(BURY, self.id)
            service = self._service or await db.fetchval(SERVICE, self.id) is not None
            rows = []
            for with_lobby in [True, False] if service else [False]:
                rows += await db.fetch(TAKE, self.id, self._lobby_games, with_lobby)
            names = [str(name) for (name,) in rows]

        await self._store.transact(work)
        if names is None:  # the transaction was committed, but its answer was lost
            return await self.own()
        return await self._claimed(service, names)

    async def own(self) -> Claimed:
        """Return everything that this node owns, when all its writes so far are stored."""

        async def nothing(db: Connection) -> None:
            pass

        await self._store.transact(nothing)
        names = [str(name) for (name,) in await self._store.select(OWN, self.id)]
        service = bool((await self._store.select(OWNS_SERVICE, self.id))[0][0])
        self._service = False
        return await self._claimed(service, names)

    async def _claimed(self, service: bool, names: Sequence[str]) -> Claimed:
        found = Claimed(service and not self._service)
        self._service = service
        for name in names:
            self._store.writer.forget(name)
        if names:
            found.tables = [_table(row) for row in await self._store.select(ROWS, names)]
        return found

    async def begin_draining(self) -> None:
        """Mark this node as draining: it takes nothing new."""

        async def work(db: Connection) -> None:
            await db.execute("UPDATE node SET draining = true WHERE id = $1", self.id)

        await self._store.transact(work)

    async def release(self) -> None:
        """Give up everything, after all that was written."""

        async def work(db: Connection) -> None:
            await db.execute("UPDATE thing SET owner = 0, epoch = epoch + 1 WHERE owner = $1", self.id)

        await self._store.transact(work)
        self._store.writer.forget_all()
        self._service = False


async def drain(url: str, node: int) -> bool:
    """Ask a node of the database at *url* to give up everything; return False if there is no such node."""
    try:
        db = await connect(url)
        try:
            await check(db, url, migrate=False)
            sql = "UPDATE node SET draining = true WHERE id = $1 AND shared RETURNING id"
            return await db.fetchval(sql, node) is not None
        finally:
            await db.close(timeout=1.0)
    except Exception as error:
        raise wrong(url, error) from None


def _table(row: Row) -> tuple[TableRow, int]:
    *table, first = row
    return TableRow(*table), int(str(first))  # type: ignore[arg-type]  # as the schema types them
