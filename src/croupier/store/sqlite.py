"""The store in one SQLite file.

One thread writes, through one connection, which is also the only one that checkpoints (SQLite 3.40 has a
bug that two of them can meet). It takes everything that has queued up while it was busy, commits
that as one transaction, and wakes all who wait for it with one call into the event loop: under load a
commit serves hundreds of tables. Each request has a savepoint of its own, so that one that fails takes
nobody with it. Readers have read-only connections in a few threads of their own and see what is committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.resources
import os
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias, TypeVar

from croupier.store.api import (
    MatchRow,
    Store,
    StoreError,
    TableRow,
    closed_table,
    is_closed,
    taken_table,
    unknown_table,
    wrong_number,
)
from croupier.store.people import PlayerRow
from croupier.store.sqlite_people import Row, SqlitePeople, Work, put_players

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

APPLICATION: Final = 0x43525550
"""Stands in the file's header: this database is ours."""
READERS: Final = 2
CHECKED_BYTES: Final = 64 << 20
"""Files up to this size are read through when they are opened; larger ones would delay the start."""

T = TypeVar("T")

_TABLE: Final = "id, game, config, created, closed"
_MATCH: Final = "id, table_id, game, players, options, started, ended, result, first, last"


class SqliteStore(SqlitePeople, Store):
    """A store in a file; made by `open`."""

    def __init__(self, path: Path, readers: ThreadPoolExecutor, writer: _Writer | None) -> None:
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
                await loop.run_in_executor(readers, _look, path)
                return cls(path, readers, None)
            lock, connection = await loop.run_in_executor(readers, _prepare, path)
        except BaseException:
            readers.shutdown(wait=False)
            raise
        return cls(path, readers, _Writer(path, lock, connection, loop))

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
        await self._write(_Append(table_id, first_number, tuple(entries), tuple(matches), tuple(players)))

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
                db.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", (realm, name, data, _today()))

        await self._write(work)

    async def kept(self, realm: str) -> dict[str, str]:
        rows = await self._select("SELECT name, data FROM kept WHERE realm = ?", realm)
        return {str(name): str(data) for name, data in rows}

    async def use(self, realm: str, names: Iterable[str]) -> None:
        values = [(_today(), realm, name) for name in names]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE kept SET used = ? WHERE realm = ? AND name = ?", values)

        await self._write(work)

    async def unused(self, realm: str, since: str) -> list[str]:
        rows = await self._select("SELECT name FROM kept WHERE realm = ? AND used < ?", realm, since)
        return [str(name) for (name,) in rows]

    async def close_table(self, table_id: str, when: str) -> None:
        await self._write(_Close(table_id, when))

    async def _write(self, work: Work | _Append | _Close) -> None:
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
            f"SELECT {_MATCH} FROM matches {clause} ORDER BY started DESC, id DESC LIMIT ?",
            *values,
            max(limit, 0),
        )
        return [_match(row) for row in rows]

    async def match(self, match_id: str) -> MatchRow | None:
        rows = await self._select(f"SELECT {_MATCH} FROM matches WHERE id = ?", match_id)
        return _match(rows[0]) if rows else None

    async def _select(self, sql: str, *values: object) -> list[Row]:
        if self._closed:
            raise is_closed()
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._fetch, sql, values)

    def _fetch(self, sql: str, values: tuple[object, ...]) -> list[Row]:
        try:
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if connection is None:
                connection = self._local.connection = _reader(self._path)
                self._connections.append(connection)
            return connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _wrong(self._path, error) from error

    # Life

    def stats(self) -> dict[str, float]:
        return self._writer.stats() if self._writer is not None else dict.fromkeys(_Writer.COUNTS, 0)

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


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    first: int
    entries: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    players: tuple[PlayerRow, ...]


@dataclass(frozen=True, slots=True)
class _Close:
    table: str
    when: str


Request: TypeAlias = Work | _Append | _Close


class _Writer:
    """The one thread that writes."""

    COUNTS: Final = ("queue", "commits", "appends", "rows", "failures", "last_commit_seconds")

    def __init__(
        self, path: Path, lock: IO[str], connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._path = path
        self._lock = lock
        self._db = connection
        self._loop = loop
        self._queue: queue.SimpleQueue[tuple[Request, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._open: dict[str, tuple[int, int]] = {}
        """Key and length of the log of each open table written to so far."""
        self._commits = 0
        self._appends = 0
        self._rows = 0
        self._failures = 0
        self._seconds = 0.0
        # A daemon: a process that ends without close() must not hang; what was acknowledged is in the file.
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> asyncio.Future[None]:
        """Queue *request*; the future is done when it is durable. Cancelling it does not take it back."""
        future = self._loop.create_future()
        self._queue.put((request, future))
        return future

    def stats(self) -> dict[str, float]:
        values = (
            self._queue.qsize(),
            self._commits,
            self._appends,
            self._rows,
            self._failures,
            self._seconds,
        )
        return dict(zip(self.COUNTS, values, strict=True))

    def stop(self) -> None:
        """Write what is queued, close the file and release it."""
        self._queue.put(None)
        self._thread.join()
        self._db.close()
        self._lock.close()

    def _run(self) -> None:
        going = True
        while going:
            batch: list[tuple[Request, asyncio.Future[None]]] = []
            item = self._queue.get()
            while item is not None:
                batch.append(item)
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
            going = item is not None
            if batch:
                results = self._commit([request for request, _ in batch])
                futures = [future for _, future in batch]
                # The loop may be gone already if the program is ending; then nobody waits any more.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(_settle, futures, results)

    def _commit(self, requests: list[Request]) -> list[StoreError | None]:
        begun = time.perf_counter()
        results: list[StoreError | None] = []
        appends = rows = 0
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for request in requests:
                result = self._attempt(request)
                results.append(result)
                if result is None and isinstance(request, _Append):
                    appends += 1
                    rows += len(request.entries)
            self._db.execute("COMMIT")
        except Exception as error:
            # Nothing of this batch is in the file; the next one may find room on the disk again.
            self._roll_back()
            self._failures += len(requests)
            return [_wrong(self._path, error) for _ in requests]
        self._seconds = time.perf_counter() - begun
        self._commits += 1
        self._appends += appends
        self._rows += rows
        self._failures += len(results) - results.count(None)
        return results

    def _attempt(self, request: Request) -> StoreError | None:
        """Do *request* or leave no trace of it; what hits all of the batch is raised."""
        self._db.execute("SAVEPOINT request")
        failure: StoreError | None = None
        try:
            if isinstance(request, _Append):
                self._append(request)
            elif isinstance(request, _Close):
                self._close_table(request)
            else:
                request(self._db)
        except StoreError as error:
            failure = error
        except Exception as error:
            # A full disk ends the whole transaction, a value that cannot be bound only this request.
            if not self._db.in_transaction:
                raise
            failure = _wrong(self._path, error)
        if failure is not None:
            self._db.execute("ROLLBACK TO request")
        self._db.execute("RELEASE request")
        return failure

    def _append(self, request: _Append) -> None:
        key, due = self._table(request.table)
        if request.first != due:
            raise wrong_number(request.table, request.first, due)
        self._db.executemany(
            "INSERT INTO log VALUES (?, ?, ?)",
            [(key, number, entry) for number, entry in enumerate(request.entries, due)],
        )
        if request.matches:
            self._db.executemany(
                f"INSERT OR REPLACE INTO matches ({_MATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [_match_values(match) for match in request.matches],
            )
        if request.players:
            put_players(self._db, request.players)
        self._open[request.table] = key, due + len(request.entries)

    def _table(self, table_id: str) -> tuple[int, int]:
        """Return the key of an open table and the number that its next entry gets."""
        if known := self._open.get(table_id):
            return known
        row = self._db.execute("SELECT key, closed FROM tables WHERE id = ?", (table_id,)).fetchone()
        if row is None:
            raise unknown_table(table_id)
        key, closed = row
        if closed is not None:
            raise closed_table(table_id)
        found = self._db.execute("SELECT max(number) + 1 FROM log WHERE table_key = ?", (key,)).fetchone()
        return key, found[0] or 0

    def _close_table(self, request: _Close) -> None:
        values = (request.when, request.table)
        if not self._db.execute("UPDATE tables SET closed = ? WHERE id = ?", values).rowcount:
            raise unknown_table(request.table)
        self._open.pop(request.table, None)

    def _roll_back(self) -> None:
        self._open.clear()
        if self._db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime())


def _settle(futures: list[asyncio.Future[None]], results: list[StoreError | None]) -> None:
    for future, error in zip(futures, results, strict=True):
        if future.done():  # cancelled: nobody waits
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


def _table(row: Row) -> TableRow:
    return TableRow(*row)  # type: ignore[arg-type]  # the columns of _TABLE, as the schema types them


def _match(row: Row) -> MatchRow:
    return MatchRow(*row)  # type: ignore[arg-type]  # the columns of _MATCH, as the schema types them


def _match_values(match: MatchRow) -> Row:
    return (
        match.id,
        match.table,
        match.game,
        match.players,
        match.options,
        match.started,
        match.ended,
        match.result,
        match.first,
        match.last,
    )


# Opening


def _prepare(path: Path) -> tuple[IO[str], sqlite3.Connection]:
    """Return the lock and the writing connection of a file that is ours and up to date."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent}: cannot be made a folder ({error.strerror})") from error
    if path.is_dir():
        raise StoreError(f"{path}: a folder, expected a file")
    lock = _locked(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _check(path, connection, migrate=True)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        lock.close()
        raise _wrong(path, error) from error
    except BaseException:
        lock.close()
        raise
    return lock, connection


def _look(path: Path) -> None:
    """Raise StoreError unless there is a file at *path* that can be read as it is."""
    if not path.is_file():
        raise StoreError(f"{path}: no such file")
    try:
        with contextlib.closing(_reader(path)) as connection:
            _check(path, connection, migrate=False)
    except sqlite3.Error as error:
        raise _wrong(path, error) from error


def copy(source: Path, target: Path) -> None:
    """Copy the database at *source*, which a server may be writing, to a file at *target*.

    Nothing is at *target* until the copy is whole. It is taken in one step: in several, every write of the
    server would make it begin again.
    """
    _look(source)
    if target.exists() and target.samefile(source):
        raise StoreError(f"{target}: the database itself, expected another file")
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        with (
            contextlib.closing(_reader(source)) as reader,
            contextlib.closing(sqlite3.connect(part)) as copied,
        ):
            reader.backup(copied)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise _wrong(target, error) from error


def _reader(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def _check(path: Path, connection: sqlite3.Connection, migrate: bool) -> None:
    """Raise StoreError if the file is somebody else's, damaged, or from a time to come."""
    application = _pragma(connection, "application_id")
    version = _pragma(connection, "user_version")
    empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    newest = len(_scripts())
    if application != APPLICATION and not (empty and migrate):
        raise StoreError(f"{path}: a database of another program: choose another file")
    if version > newest:
        raise StoreError(
            f"{path}: written by a newer croupier (schema {version}, this one knows {newest}):"
            " upgrade croupier or choose another file"
        )
    if version < newest and not migrate:
        raise StoreError(
            f"{path}: written by an older croupier (schema {version}): start the server on it once"
        )
    if path.stat().st_size <= CHECKED_BYTES:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise _damaged(path, " ".join(str(found).split()))


def _migrate(connection: sqlite3.Connection) -> None:
    """Apply the numbered scripts that the file has not seen, each whole or not at all."""
    for number, script in enumerate(_scripts(), 1):
        if number > _pragma(connection, "user_version"):
            connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\n"
                f"PRAGMA application_id = {APPLICATION};\nPRAGMA user_version = {number};\nCOMMIT;"
            )


def _scripts() -> list[str]:
    folder = importlib.resources.files("croupier.store") / "schema"
    files = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return [file.read_text(encoding="utf-8") for file in files]


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _locked(path: Path) -> IO[str]:
    """Return a file held open and locked as long as this process writes to *path*."""
    name = path.with_name(path.name + ".lock")
    try:
        lock = name.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{name}: cannot be written ({error.strerror})") from error
    try:
        lock.seek(0)
        if sys.platform == "win32":
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"{path}: in use by another server: stop that one or choose another file") from None
    return lock


def _wrong(path: Path, error: Exception) -> StoreError:
    """Return what went wrong with the file at *path*, in words an operator can act on."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, str(error))
    if code == sqlite3.SQLITE_FULL:
        return StoreError(f"{path}: the disk is full: make room")
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(f"{path}: the disk cannot be written or read ({error}): make room or look after it")
    if code == sqlite3.SQLITE_READONLY:
        return StoreError(f"{path}: cannot be written: change its permissions or choose another file")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path}: cannot be opened: change its permissions or choose another file")
    if code == sqlite3.SQLITE_BUSY:
        return StoreError(f"{path}: locked by another program: stop that one")
    return StoreError(f"{path}: {type(error).__name__}: {error}")


def _damaged(path: Path, words: str) -> StoreError:
    return StoreError(f"{path}: not a readable database ({words}): restore a copy or choose another file")
