"""The store in one SQLite file: one thread writes (sqlite_writer.py).

Readers have read-only connections in a few threads of their own and see what is committed.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from croupier.store.api import (
    MatchRow,
    Store,
    StoreError,
    TableRow,
    is_closed,
    taken_table,
    today,
    unknown_table,
)
from croupier.store.people import PlayerRow
from croupier.store.sqlite_file import look, prepare, reader, wrong
from croupier.store.sqlite_people import Row, SqlitePeople, Work
from croupier.store.sqlite_writer import MATCH, Append, Close, Writer

READERS: Final = 2

_TABLE: Final = "id, game, config, created, closed"


class SqliteStore(SqlitePeople, Store):
    """A store in a file; made by `open`."""

    def __init__(self, path: Path, readers: ThreadPoolExecutor, writer: Writer | None) -> None:
        self._path = path
        self._readers = readers
        self._writer = writer
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._closed = False

    @classmethod
    async def open(cls, path: Path, read_only: bool = False) -> SqliteStore:
        """Open the file at *path*, or raise StoreError with one line that says why not."""
        loop = asyncio.get_running_loop()
        readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        try:
            if read_only:
                await loop.run_in_executor(readers, look, path)
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

        await self._write(work)

    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        # The caller may go on using its lists while this waits.
        await self._write(Append(table_id, first_number, tuple(entries), tuple(matches), tuple(players)))

    async def update_config(self, table_id: str, config: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            if not db.execute("UPDATE tables SET config = ? WHERE id = ?", (config, table_id)).rowcount:
                raise unknown_table(table_id)

        await self._write(work)

    async def keep(self, realm: str, name: str, data: str | None) -> None:
        def work(db: sqlite3.Connection) -> None:
            if data is None:
                db.execute("DELETE FROM kept WHERE realm = ? AND name = ?", (realm, name))
            else:
                db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", (realm, name, data, today()))

        await self._write(work)

    async def kept(self, realm: str) -> dict[str, str]:
        rows = await self._select("SELECT name, data FROM kept WHERE realm = ?", realm)
        return {str(name): str(data) for name, data in rows}

    async def use(self, realm: str, names: Iterable[str]) -> None:
        values = [(today(), realm, name) for name in names]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE kept SET used = ? WHERE realm = ? AND name = ?", values)

        await self._write(work)

    async def unused(self, realm: str, since: str) -> list[str]:
        rows = await self._select("SELECT name FROM kept WHERE realm = ? AND used < ?", realm, since)
        return [str(name) for (name,) in rows]

    async def close_table(self, table_id: str, when: str) -> None:
        await self._write(Close(table_id, when))

    async def _write(self, work: Work | Append | Close) -> None:
        if self._closed:
            raise is_closed()
        if self._writer is None:
            raise StoreError(f"{self._path}: opened for reading only")
        await self._writer.submit(work)

    # Reading

    async def tables(self, open_only: bool = True) -> list[TableRow]:
        where = "WHERE closed IS NULL" if open_only else ""
        rows = await self._select(f"SELECT {_TABLE} FROM tables {where} ORDER BY key")
        return [_table(row) for row in rows]

    async def table(self, table_id: str) -> TableRow | None:
        rows = await self._select(f"SELECT {_TABLE} FROM tables WHERE id = ?", table_id)
        return _table(rows[0]) if rows else None

    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        rows = await self._select(
            "SELECT entry FROM log WHERE table_key = (SELECT key FROM tables WHERE id = ?)"
            " AND number BETWEEN ? AND ? ORDER BY number",
            table_id,
            first,
            last if last is not None else sys.maxsize,
        )
        return [str(entry) for (entry,) in rows]

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
        rows = await self._select(
            f"SELECT {MATCH} FROM matches {clause} ORDER BY started DESC, id DESC LIMIT ?",
            *values,
            max(limit, 0),
        )
        return [_match(row) for row in rows]

    async def match(self, match_id: str) -> MatchRow | None:
        rows = await self._select(f"SELECT {MATCH} FROM matches WHERE id = ?", match_id)
        return _match(rows[0]) if rows else None

    async def _select(self, sql: str, *values: object) -> list[Row]:
        if self._closed:
            raise is_closed()
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

    # Life

    def stats(self) -> dict[str, float]:
        return self._writer.stats() if self._writer is not None else dict.fromkeys(Writer.COUNTS, 0)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._readers.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
        # Last of all the writer: closing the last connection moves the log into the file and removes it.
        if self._writer is not None:
            self._writer.stop()


def _table(row: Row) -> TableRow:
    return TableRow(*row)  # type: ignore[arg-type]  # the columns of _TABLE, as the schema types them


def _match(row: Row) -> MatchRow:
    return MatchRow(*row)  # type: ignore[arg-type]  # the columns of MATCH, as the schema types them
