"""The store in an SQLite file.

One thread writes (sqlite_writer.py). A few other threads read through read-only connections and see committed
data.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from croupier.store.api import (
    Done,
    MatchRow,
    PlayerRow,
    Store,
    StoreError,
    TableRow,
    is_closed,
    settle,
    taken_table,
    today,
)
from croupier.store.sqlite_file import check_readable, prepare, reader, wrong
from croupier.store.sqlite_writer import MATCH, Append, Change, Close, Request, Row, Work, Writer

READERS: Final = 2

_TABLE: Final = "id, game, config, created, closed"
_LOG: Final = (
    "SELECT entry FROM log WHERE table_key = (SELECT key FROM tables WHERE id = ?)"
    " AND number BETWEEN ? AND ? ORDER BY number"
)
LAST_MATCHES: Final = (
    "SELECT id, coalesce((SELECT max(first) FROM matches WHERE table_id = tables.id), 0)"
    " FROM tables WHERE closed IS NULL ORDER BY key"
)


class SqliteStore(Store):
    """A store in a file; created by `open`. Other parts of the server have their own database tables in the
    same file: they read with `select` and change them with `write`."""

    def __init__(self, path: Path, readers: ThreadPoolExecutor, writer: Writer | None) -> None:
        self._path = path
        self._readers = readers
        self._writer = writer
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._closed = False

    @classmethod
    async def open(cls, path: Path, read_only: bool = False) -> SqliteStore:
        """Open the file at *path*, or raise StoreError with the reason in one line."""
        loop = asyncio.get_running_loop()
        readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        try:
            if read_only:
                await loop.run_in_executor(readers, check_readable, path)
                return cls(path, readers, None)
            lock, connection = await loop.run_in_executor(readers, prepare, path)
        except BaseException:
            readers.shutdown(wait=False)
            raise
        return cls(path, readers, Writer(path, lock, connection, loop))

    # Writing

    async def open_table(self, row: TableRow) -> None:
        def work(db: sqlite3.Connection) -> None:
            values = (row.id, row.game, row.config, row.created, row.closed)
            try:
                db.execute(f"INSERT INTO tables ({_TABLE}) VALUES (?, ?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise taken_table(row.id) from None

        await self.write(work)

    def append_soon(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
        *,
        done: Done,
    ) -> None:
        # Copies, because the caller may change its lists.
        self._submit(Append(done, table_id, first_number, tuple(entries), tuple(matches), tuple(players)))

    async def keep(self, realm: str, name: str, data: str | None) -> None:
        def work(db: sqlite3.Connection) -> None:
            if data is None:
                db.execute("DELETE FROM kept WHERE realm = ? AND name = ?", (realm, name))
            else:
                db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", (realm, name, data, today()))

        await self.write(work)

    async def kept(self, realm: str) -> dict[str, str]:
        rows = await self.select("SELECT name, data FROM kept WHERE realm = ?", realm)
        return {str(name): str(data) for name, data in rows}

    async def use(self, realm: str, names: Iterable[str]) -> None:
        values = [(today(), realm, name) for name in names]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE kept SET used = ? WHERE realm = ? AND name = ?", values)

        await self.write(work)

    async def unused(self, realm: str, since: str) -> list[str]:
        rows = await self.select("SELECT name FROM kept WHERE realm = ? AND used < ?", realm, since)
        return [str(name) for (name,) in rows]

    async def close_table(self, table_id: str, when: str) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(Close(partial(settle, future), table_id, when))
        await future

    async def write(self, work: Work) -> None:
        """Run *work*, which changes the database; return when the change is durable."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(Change(partial(settle, future), work))
        await future

    def _submit(self, request: Request) -> None:
        if self._writer is not None and not self._closed:
            self._writer.submit(request)
            return
        refusal = is_closed() if self._closed else StoreError(f"{self._path}: opened for reading only")
        asyncio.get_running_loop().call_soon(request.done, refusal)

    # Reading

    async def tables(self, open_only: bool = True) -> list[TableRow]:
        where = "WHERE closed IS NULL" if open_only else ""
        rows = await self.select(f"SELECT {_TABLE} FROM tables {where} ORDER BY key")
        return [_table(row) for row in rows]

    async def table(self, table_id: str) -> TableRow | None:
        rows = await self.select(f"SELECT {_TABLE} FROM tables WHERE id = ?", table_id)
        return _table(rows[0]) if rows else None

    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        return _entries(await self.select(_LOG, table_id, first, last if last is not None else sys.maxsize))

    async def last_matches(self) -> dict[str, int]:
        rows = await self.select(LAST_MATCHES)
        return {str(id): int(str(first)) for id, first in rows}

    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        self._check_open()
        wanted = dict(firsts)  # a copy, because the caller may change the original
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read_logs, wanted)

    def _read_logs(self, firsts: dict[str, int]) -> dict[str, list[str] | StoreError]:
        # One query for each table, but one call of the thread for all. This was measured to be faster than a
        # single query, and a damaged page affects one table only.
        found: dict[str, list[str] | StoreError] = {}
        for id, first in firsts.items():
            try:
                found[id] = _entries(self._fetch(_LOG, (id, first, sys.maxsize)))
            except StoreError as error:
                found[id] = error
        return found

    async def matches(
        self, game: str | None = None, ended: bool | None = None, limit: int = 50, before: str | None = None
    ) -> list[MatchRow]:
        where: list[str] = []
        values: list[object] = []
        if game is not None:
            where.append("game = ?")
            values.append(game)
        if ended is not None:
            where.append("ended IS NOT NULL" if ended else "ended IS NULL")
        if before is not None:
            where.append("(started, id) < (SELECT started, id FROM matches WHERE id = ?)")
            values.append(before)
        clause = "WHERE " + " AND ".join(where) if where else ""
        rows = await self.select(
            f"SELECT {MATCH} FROM matches {clause} ORDER BY started DESC, id DESC LIMIT ?",
            *values,
            max(limit, 0),
        )
        return [_match(row) for row in rows]

    async def match(self, match_id: str) -> MatchRow | None:
        rows = await self.select(f"SELECT {MATCH} FROM matches WHERE id = ?", match_id)
        return _match(rows[0]) if rows else None

    async def select(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a query."""
        self._check_open()
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._fetch, sql, values)

    def _fetch(self, sql: str, values: tuple[object, ...]) -> list[Row]:
        try:
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = reader(self._path)
                self._connections.append(connection)
            return connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise wrong(self._path, error) from error

    # Closing

    def _check_open(self) -> None:
        if self._closed:
            raise is_closed()

    def stats(self) -> dict[str, float]:
        return self._writer.stats() if self._writer is not None else dict.fromkeys(Writer.COUNTS, 0)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writer is not None:
            self._writer.hand_over()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._readers.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
        # The writer last: closing the last connection moves the write-ahead log into the file.
        if self._writer is not None:
            self._writer.stop()


def _entries(rows: list[Row]) -> list[str]:
    return [str(entry) for (entry,) in rows]


def _table(row: Row) -> TableRow:
    return TableRow(*row)  # type: ignore[arg-type]  # the columns of _TABLE, as the schema types them


def _match(row: Row) -> MatchRow:
    return MatchRow(*row)  # type: ignore[arg-type]  # the columns of MATCH, as the schema types them
