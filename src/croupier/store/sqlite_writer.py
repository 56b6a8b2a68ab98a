"""The one thread that writes, through one connection, which is also the only one that checkpoints.

(SQLite 3.40 has a bug that two of them can meet.) It takes everything that has queued up while it was busy,
commits that as one transaction, and wakes all who wait for it with one call into the event loop: under load a
commit serves hundreds of tables. Each request has a savepoint of its own, so that one that fails takes
nobody with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, TypeAlias

from croupier.store.api import MatchRow, StoreError, closed_table, unknown_table, wrong_number
from croupier.store.people import PlayerRow
from croupier.store.sqlite_file import wrong
from croupier.store.sqlite_people import Row, Work, put_players

MATCH: Final = "id, table_id, game, players, options, started, ended, result, first, last"
"""The columns of a match."""


@dataclass(frozen=True, slots=True)
class Append:
    table: str
    first: int
    entries: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    players: tuple[PlayerRow, ...]


@dataclass(frozen=True, slots=True)
class Close:
    table: str
    when: str


Request: TypeAlias = Work | Append | Close


class Writer:
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
                if result is None and isinstance(request, Append):
                    appends += 1
                    rows += len(request.entries)
            self._db.execute("COMMIT")
        except Exception as error:
            # Nothing of this batch is in the file; the next one may find room on the disk again.
            self._roll_back()
            self._failures += len(requests)
            return [wrong(self._path, error) for _ in requests]
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
            if isinstance(request, Append):
                self._append(request)
            elif isinstance(request, Close):
                self._close_table(request)
            else:
                request(self._db)
        except StoreError as error:
            failure = error
        except Exception as error:
            # A full disk ends the whole transaction, a value that cannot be bound only this request.
            if not self._db.in_transaction:
                raise
            failure = wrong(self._path, error)
        if failure is not None:
            self._db.execute("ROLLBACK TO request")
        self._db.execute("RELEASE request")
        return failure

    def _append(self, request: Append) -> None:
        key, due = self._table(request.table)
        if request.first != due:
            raise wrong_number(request.table, request.first, due)
        self._db.executemany(
            "INSERT INTO log VALUES (?, ?, ?)",
            [(key, number, entry) for number, entry in enumerate(request.entries, due)],
        )
        if request.matches:
            self._db.executemany(
                f"INSERT OR REPLACE INTO matches ({MATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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

    def _close_table(self, request: Close) -> None:
        values = (request.when, request.table)
        if not self._db.execute("UPDATE tables SET closed = ? WHERE id = ?", values).rowcount:
            raise unknown_table(request.table)
        self._open.pop(request.table, None)

    def _roll_back(self) -> None:
        self._open.clear()
        if self._db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")


def _settle(futures: list[asyncio.Future[None]], results: list[StoreError | None]) -> None:
    for future, error in zip(futures, results, strict=True):
        if future.done():  # cancelled: nobody waits
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


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
