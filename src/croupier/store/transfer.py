"""Copies all rows of a database into another one: between SQLite and PostgreSQL, or between two of a kind.

A copy appears when it is complete: a new SQLite file is renamed, and PostgreSQL gets one transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.store.address import is_postgres, shown
from croupier.store.api import StoreError
from croupier.store.sql import MATCH, PLAYER, TABLE, Row
from croupier.store.sqlite_file import prepare, wrong

if TYPE_CHECKING:
    from croupier.store.postgres_database import Connection

COLUMNS: Final[Mapping[str, str]] = {
    "tables": f"key, {TABLE}",
    "log": "table_key, number, entry",
    "matches": MATCH,
    "players": f"{PLAYER}, rated, mu, sigma",
    "kept": "realm, name, data, used",
    "accounts": "id, key, name, password, created",
    "sessions": "digest, account, created, used, ended",
    "ratings": "game, who, mu, sigma, matches",
}
"""The columns of every database table, each with its key first."""
CHUNK: Final = 2000
"""How many rows are in memory at a time."""


class Side(ABC):
    """One of the two databases, in a transaction."""

    @abstractmethod
    async def count(self, table: str) -> int:
        """Return the number of rows of *table*."""

    @abstractmethod
    def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        """Return the rows of *table*, chunk by chunk, in the order of its key."""

    @abstractmethod
    async def add(self, table: str, rows: Sequence[Row]) -> None:
        """Add *rows* to *table*."""

    async def counts(self) -> dict[str, int]:
        """Return the number of rows of every table."""
        return {table: await self.count(table) for table in COLUMNS}


async def transfer(source: Side, target: Side, progress: Callable[[int], None]) -> dict[str, int]:
    """Copy all rows and return their number by table; raise StoreError if those of the copy differ.

    *progress* is called with the number of rows copied so far.
    """
    expected = await source.counts()
    done = 0
    for table in COLUMNS:
        async for rows in source.rows(table):
            await target.add(table, rows)
            done += len(rows)
            progress(done)
    found = await target.counts()
    for table, many in expected.items():
        if found[table] != many:
            raise StoreError(
                f"{table}: {many} rows to copy, but the copy has {found[table]}; nothing is kept"
            )
    return found


def _selection(table: str) -> str:
    return f"SELECT {COLUMNS[table]} FROM {table} ORDER BY 1, 2"


# SQLite


class SqliteSide(Side):
    """A connection to a file.

    It is used in other threads, by one at a time. A cursor must not be released in one thread while another
    one uses the connection, so each is closed where it is used.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    async def count(self, table: str) -> int:
        return await asyncio.to_thread(self._count, table)

    def _count(self, table: str) -> int:
        with contextlib.closing(self._db.execute(f"SELECT count(*) FROM {table}")) as cursor:
            return int(cursor.fetchone()[0])

    async def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        cursor = await asyncio.to_thread(self._db.execute, _selection(table))
        try:
            while found := await asyncio.to_thread(cursor.fetchmany, CHUNK):
                yield found
        finally:
            cursor.close()

    async def add(self, table: str, rows: Sequence[Row]) -> None:
        await asyncio.to_thread(self._add, table, rows)

    def _add(self, table: str, rows: Sequence[Row]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        sql = f"INSERT INTO {table} ({COLUMNS[table]}) VALUES ({marks})"
        self._db.executemany(sql, rows).close()


@contextlib.asynccontextmanager
async def _sqlite(path: Path) -> AsyncIterator[Side]:
    """Open a file for this process alone, and migrate it."""
    lock, db = await asyncio.to_thread(prepare, path)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield SqliteSide(db)
        await asyncio.to_thread(db.execute, "COMMIT")
    except sqlite3.Error as error:
        raise wrong(path, error) from error
    finally:
        await asyncio.to_thread(db.close)
        lock.close()


@contextlib.asynccontextmanager
async def new_file(path: Path) -> AsyncIterator[Side]:
    """Create a file, which appears at *path* when it is complete."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        async with _sqlite(part) as side:
            yield side
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except OSError as error:
        raise wrong(path, error) from error
    finally:
        for end in ("", ".lock", "-wal", "-shm"):
            part.with_name(part.name + end).unlink(missing_ok=True)


# PostgreSQL


class PostgresSide(Side):
    """A connection to a database."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    async def count(self, table: str) -> int:
        return int(await self._db.fetchval(f"SELECT count(*) FROM {table}"))

    async def rows(self, table: str) -> AsyncIterator[Sequence[Row]]:
        cursor = await self._db.cursor(_selection(table))
        while found := await cursor.fetch(CHUNK):
            yield [tuple(row) for row in found]

    async def add(self, table: str, rows: Sequence[Row]) -> None:
        await self._db.copy_records_to_table(table, records=rows, columns=COLUMNS[table].split(", "))
        if table == "tables":
            await self._db.execute(
                "SELECT setval(pg_get_serial_sequence('tables', 'key'), (SELECT max(key) FROM tables))"
            )


@contextlib.asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[Side]:
    """Open a snapshot of a database; the server may keep running."""
    from croupier.store import postgres_database as database

    async with _connected(url) as db:
        await database.check(db, url, migrate=False)
        async with db.transaction(isolation="repeatable_read", readonly=True):
            yield PostgresSide(db)


@contextlib.asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[Side]:
    """Take over a database, and migrate it."""
    from croupier.store.postgres import PostgresStore

    store = await PostgresStore.open(url)
    try:
        async with _connected(url) as db, db.transaction():
            yield PostgresSide(db)
            if store.lost is not None:
                raise store.lost
    finally:
        await store.close()


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Connection]:
    from croupier.store import postgres_database as database

    try:
        db = await database.connect(url, seconds=None)
        try:
            yield db
        finally:
            await db.close(timeout=1.0)
    except (StoreError, sqlite3.Error):  # sqlite3.Error is about the other database
        raise
    except Exception as error:
        raise database.wrong(url, error) from error


# Both


def old_database(where: str) -> AbstractAsyncContextManager[Side]:
    """Open a database to copy; no server may use it. It is migrated first."""
    if is_postgres(where):
        return _postgres(where)
    if not Path(where).is_file():
        raise StoreError(f"{where}: no such file")
    return _sqlite(Path(where))


def new_database(where: str) -> AbstractAsyncContextManager[Side]:
    """Open an empty PostgreSQL database, or create a file."""
    if is_postgres(where):
        return _empty(where)
    if Path(where).exists():
        raise StoreError(f"{where}: already exists: choose another file")
    return new_file(Path(where))


@contextlib.asynccontextmanager
async def _empty(url: str) -> AsyncIterator[Side]:
    async with _postgres(url) as side:
        for table, many in (await side.counts()).items():
            if many:
                words = f"{many:,} rows in {table}, expected an empty database: choose another one"
                raise StoreError(f"{shown(url)}: {words}")
        yield side
