"""The store in a PostgreSQL database.

One task writes (postgres_writer.py). Reads use a few other connections and see committed data.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import cache, partial
from itertools import count
from typing import Any, Final

from croupier.store import postgres_writer
from croupier.store.address import shown
from croupier.store.api import (
    NotOwner,
    StoreConflict,
    StoreError,
    StoreUnreachable,
    TableRow,
    is_closed,
    settle,
    taken_table,
    unknown_table,
)
from croupier.store.postgres_database import (
    CONNECT_SECONDS,
    Connection,
    Duplicate,
    check,
    connect,
    is_lost,
    readers,
    take,
    wrong,
)
from croupier.store.postgres_writer import PAUSE, Change, Work, Writer
from croupier.store.sql import TABLE, Row, SqlStore, Statement

READERS: Final = 4
LOGS: Final = (
    "SELECT id, entry FROM unnest($1::text[], $2::bigint[]) AS given (name, begin)"
    " JOIN tables ON id = name"
    " CROSS JOIN LATERAL (SELECT number, entry FROM log WHERE table_key = key AND number >= begin"
    " ORDER BY number) AS line ORDER BY key, number"
)


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database; created by `open`."""

    def __init__(self, url: str, pool: Any, node: int | None) -> None:
        self._writer = Writer(url, node, self._lose) if node is not None else None
        super().__init__(shown(url), self._writer)
        self._url = url
        self._pool = pool

    @classmethod
    async def open(cls, url: str, read_only: bool = False, shared: bool = False) -> PostgresStore:
        """Open the database at *url*, or raise StoreError with the reason in one line.

        If *shared*, several servers may have it open: see `Nodes`.
        """
        try:
            db = await connect(url, seconds=None)
            try:
                node = None
                if read_only:
                    await check(db, url, migrate=False)
                else:
                    node = await take(db, url, shared)
            finally:
                await db.close(timeout=1.0)
            pool = await readers(url, READERS)
        except Exception as error:
            raise wrong(url, error) from None
        return cls(url, pool, node)

    # Writing

    async def open_table(self, row: TableRow) -> None:
        async def work(db: Connection) -> None:
            values = (row.id, row.game, row.config, row.created, row.closed)
            try:
                await db.execute(f"INSERT INTO tables ({TABLE}) VALUES ($1, $2, $3, $4, $5)", *values)
            except Duplicate:
                raise taken_table(row.id) from None
            await db.execute("INSERT INTO thing VALUES ('table', $1, $2, 1)", row.id, self._node())

        await self._write(work)

    async def close_table(self, table_id: str, when: str) -> None:
        async def work(db: Connection) -> None:
            sql = "UPDATE tables SET closed = $1 WHERE id = $2 RETURNING id"
            if await db.fetchval(sql, when, table_id) is None:
                raise unknown_table(table_id)
            owned = "DELETE FROM thing WHERE kind = 'table' AND name = $1 RETURNING owner"
            if await db.fetchval(owned, table_id) not in (self._node(), None):
                raise NotOwner(f"table {table_id} belongs to another server now")
            if self._writer is not None:
                self._writer.forget(table_id)

        await self._write(work)

    async def change(self, *statements: Statement) -> None:
        async def work(db: Connection) -> None:
            try:
                for sql, rows in statements:
                    await db.executemany(numbered(sql), rows)
            except Duplicate as error:
                raise StoreConflict(str(error)) from None

        await self._write(work)

    async def transact(self, work: Work) -> None:
        """Carry out *work* in a transaction that only a server with a lease can commit.

        If the connection is lost and the transaction turns out to be committed, *work* is not repeated.
        """
        await self._write(work)

    @property
    def writer(self) -> Writer:
        """Return the writing task; there is none if the store is read only."""
        assert self._writer is not None, "read only"
        return self._writer

    async def _write(self, work: Work) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(Change(partial(settle, future), work))
        await future

    def _node(self) -> int | None:
        return self._writer.node if self._writer is not None else None

    def _lose(self, error: NotOwner) -> None:
        self.lost = error
        self.on_lost()

    # Reading

    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        found: dict[str, list[str] | StoreError] = {id: [] for id in firsts}
        for id, entry in await self._fetch(LOGS, list(firsts), list(firsts.values())):
            lines = found[str(id)]
            assert isinstance(lines, list)
            lines.append(str(entry))
        return found

    async def select(self, sql: str, *values: object) -> list[Row]:
        return await self._fetch(numbered(sql), *values)

    async def _fetch(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a query; repeat it for some time after a lost connection."""
        self._check_open()
        begun = time.monotonic()
        while True:
            try:
                return [tuple(row) for row in await self._pool.fetch(sql, *values)]
            except Exception as error:
                if self._closed:
                    raise is_closed() from error
                if not is_lost(error):
                    raise wrong(self._url, error) from error
                if time.monotonic() - begun >= postgres_writer.PATIENCE:
                    raise StoreUnreachable(str(wrong(self._url, error))) from error
            await asyncio.sleep(PAUSE)

    # Closing

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writer is not None:
            await self._writer.stop()
        try:
            await asyncio.wait_for(self._pool.close(), CONNECT_SECONDS)
        except TimeoutError:
            self._pool.terminate()


@cache
def numbered(sql: str) -> str:
    """Return *sql* with ``$1``, ``$2``, … in the places of ``?``.

    >>> numbered("SELECT entry FROM log WHERE table_key = ? AND number = ?")
    'SELECT entry FROM log WHERE table_key = $1 AND number = $2'
    """
    parts = sql.split("?")
    numbers = count(1)
    return "".join(f"{part}${next(numbers)}" for part in parts[:-1]) + parts[-1]
