"""The store in an SQLite file.

One thread writes (sqlite_writer.py). A few other threads read through read-only connections and see committed
data.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

from croupier.store.api import (
    StoreConflict,
    StoreError,
    TableRow,
    settle,
    taken_table,
)
from croupier.store.sql import LOG, TABLE, Row, SqlStore, Statement, entries_of
from croupier.store.sqlite_file import check_readable, prepare, reader, wrong
from croupier.store.sqlite_writer import Change, Close, Work, Writer

READERS: Final = 2


class SqliteStore(SqlStore):
    """A store in a file; created by `open`."""

    def __init__(self, path: Path, readers: ThreadPoolExecutor, writer: Writer | None) -> None:
        super().__init__(str(path), writer)
        self._path = path
        self._readers = readers
        self._writer = writer
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []

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

    @property
    def failing(self) -> bool:
        return self._writer is not None and self._writer.failing

    # Writing

    async def open_table(self, row: TableRow) -> None:
        def work(db: sqlite3.Connection) -> None:
            values = (row.id, row.game, row.config, row.created, row.closed)
            try:
                db.execute(f"INSERT INTO tables ({TABLE}) VALUES (?, ?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise taken_table(row.id) from None

        await self.write(work)

    async def close_table(self, table_id: str, when: str) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(Close(partial(settle, future), table_id, when))
        await future

    async def change(self, *statements: Statement) -> None:
        def work(db: sqlite3.Connection) -> None:
            try:
                for sql, rows in statements:
                    db.executemany(sql, rows)
            except sqlite3.IntegrityError as error:
                raise StoreConflict(str(error)) from None

        await self.write(work)

    async def write(self, work: Work) -> None:
        """Run *work*, which changes the database; return when the change is durable."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(Change(partial(settle, future), work))
        await future

    # Reading

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
                found[id] = entries_of(self._fetch(LOG, (id, first, sys.maxsize)))
            except StoreError as error:
                found[id] = error
        return found

    async def select(self, sql: str, *values: object) -> list[Row]:
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

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writer is not None:
            self._writer.hand_over()
        await asyncio.to_thread(self._close)
        if self._writer is not None:
            self._writer.reports.finish()

    def _close(self) -> None:
        self._readers.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
        # The writer last: closing the last connection moves the write-ahead log into the file.
        if self._writer is not None:
            self._writer.stop()
