"""The thread that writes to the database.

It is the only thread that writes, and its connection is the only one that checkpoints (SQLite 3.40 has a bug
that two checkpointing connections can trigger). Requests submitted during one iteration of the event loop are
passed to the thread together. The thread takes all requests that were queued while it was busy, commits them
as one transaction and reports back with one call to the event loop: under load one commit serves hundreds of
tables.

The log entries of a batch are inserted with as few statements as possible: Python releases the interpreter
lock for every step of a statement and has to acquire it again, which takes long while the event loop is busy.
If one statement is enough for the whole batch, it is a transaction of its own.
If a request of the batch fails, the transaction is rolled back and repeated with a savepoint for each
request, so that only the faulty requests fail.

If nothing can be written, for example because the disk is full, every request fails at once; the thread tries
again every second, and logs one line when that begins and one when it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import IO, Final, TypeAlias, TypeGuard

from croupier.core.histogram import Histogram
from croupier.store.api import (
    MatchRow,
    PlayerRow,
    StoreConflict,
    StoreError,
    StoreUnavailable,
    closed_table,
    unknown_table,
    wrong_number,
)
from croupier.store.sql import MATCH, PLAYER, Append, Reports, Request, figures, match_values
from croupier.store.sqlite_file import wrong

log = logging.getLogger(__name__)

Work: TypeAlias = Callable[[sqlite3.Connection], None]

ROWS: Final = 256
"""The maximum number of log entries in one statement, with three values each; old versions of SQLite allow
999 values."""

AGAIN_SECONDS: Final = 1.0
"""How long to wait between two attempts to write while nothing can be written."""


@dataclass(slots=True)
class Close(Request):
    table: str
    when: str


@dataclass(slots=True)
class Change(Request):
    """Any other change of the database."""

    work: Work


class Writer:
    """The writing thread and its queue."""

    def __init__(
        self, path: Path, lock: IO[str], connection: sqlite3.Connection, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._path = path
        self._lock = lock
        self._db = connection
        self._loop = loop
        self._tick: list[Request] = []
        """The requests that have not been passed to the thread yet."""
        self._queue: queue.SimpleQueue[list[Request] | None] = queue.SimpleQueue()
        self._open: dict[str, tuple[int, int]] = {}
        """The key and the length of the log of each open table that has been written to."""
        self._submitted = 0
        self._taken = 0
        self._commits = 0
        self._appends = 0
        self._rows = 0
        self._failures = 0
        self._seconds = 0.0
        self.commit_times = Histogram()
        self.reports = Reports(loop)
        self.failing = False
        """True while nothing can be written."""
        # A daemon, so that a process that ends without close() does not hang; confirmed data is in the file.
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        """Queue *request*; requests are carried out in the order in which they were submitted."""
        if not self._tick:
            self._loop.call_soon(self.hand_over)
        self._tick.append(request)
        self._submitted += 1

    def hand_over(self) -> None:
        """Pass the submitted requests to the thread."""
        if self._tick:
            self._queue.put(self._tick)
            self._tick = []

    def stats(self) -> dict[str, float]:
        return figures(
            self._submitted - self._taken,
            self._commits,
            self._appends,
            self._rows,
            self._failures,
            self._seconds,
        )

    def stop(self) -> None:
        """Write what was passed to the thread, close the file and release the lock."""
        self._queue.put(None)
        self._thread.join()
        self._db.close()
        self._lock.close()

    # The thread

    def _run(self) -> None:
        going = True
        while going:
            batch: list[Request] = []
            try:
                item = self._queue.get(timeout=AGAIN_SECONDS if self.failing else None)
            except queue.Empty:
                self._try_again()
                continue
            while item is not None:
                batch += item
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
            going = item is not None
            if batch:
                self._taken += len(batch)
                self._commit(batch)
                # When the program ends, the loop may already be closed; then no callback is needed.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self.reports.add, batch)

    def _commit(self, batch: list[Request]) -> None:
        begun = time.perf_counter()
        changes = self._db.total_changes
        try:
            self._write(batch)
        except Exception as error:
            # Nothing of this batch is in the file; the next batch may succeed, for example after a full disk.
            self._roll_back()
            for request in batch:
                request.error = StoreUnavailable(str(wrong(self._path, error)))
        else:
            self._seconds = time.perf_counter() - begun
            self.commit_times.add(self._seconds)
            self._commits += 1
        failure = next((one.error for one in batch if isinstance(one.error, StoreUnavailable)), None)
        if failure is not None:
            self._fail(failure)
        elif self.failing and self._db.total_changes > changes:
            self._recover()
        for request in batch:
            if request.error is not None:
                self._failures += 1
            elif isinstance(request, Append):
                self._appends += 1
                self._rows += len(request.entries)

    def _fail(self, error: StoreUnavailable) -> None:
        if not self.failing:
            self.failing = True
            log.error("%s; no move is accepted until a write succeeds, trying again every second", error)

    def _try_again(self) -> None:
        """Write without changing anything, to find out whether writing works."""
        try:
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            self._db.execute(f"PRAGMA user_version = {version}")
        except sqlite3.Error:
            self._roll_back()
        else:
            self._recover()

    def _recover(self) -> None:
        self.failing = False
        log.warning("%s: can be written again", self._path)

    def _write(self, batch: list[Request]) -> None:
        try:
            self._transact(batch, together=True)
        except Exception:
            self._roll_back()
            for request in batch:
                request.error = None
            self._transact(batch, together=False)

    def _transact(self, batch: list[Request], together: bool) -> None:
        """Carry out *batch*; with *together*, combine consecutive appends."""
        if together and _is_one_statement(batch):
            self._append(batch)
            return
        self._db.execute("BEGIN IMMEDIATE")
        for kind, run in groupby(batch, type):
            if kind is Append and together:
                self._append([request for request in run if isinstance(request, Append)])
            else:
                for request in run:
                    self._attempt(request)
        self._db.execute("COMMIT")

    def _attempt(self, request: Request) -> None:
        """Carry out *request*, or undo it and set its error; raise errors that affect the whole batch."""
        self._db.execute("SAVEPOINT request")
        try:
            if isinstance(request, Append):
                self._append([request])
            elif isinstance(request, Close):
                self._close_table(request)
            elif isinstance(request, Change):
                request.work(self._db)
        except Exception as error:
            # A full disk ends the whole transaction; a value that cannot be bound affects only this request.
            if not self._db.in_transaction:
                raise
            request.error = error if isinstance(error, StoreError) else wrong(self._path, error)
            self._db.execute("ROLLBACK TO request")
            if isinstance(request, Append):
                self._open.pop(request.table, None)
        self._db.execute("RELEASE request")

    def _append(self, requests: Sequence[Append]) -> None:
        """Write *requests*; set the error of each one that does not match its table."""
        values: list[object] = []
        matches: list[MatchRow] = []
        players: list[PlayerRow] = []
        for request in requests:
            try:
                key, due = self._table(request.table)
                if request.first != due:
                    raise wrong_number(request.table, request.first, due)
            except StoreConflict as error:
                request.error = error
                continue
            for number, entry in enumerate(request.entries, due):
                values += (key, number, entry)
            matches += request.matches
            players += request.players
            self._open[request.table] = key, due + len(request.entries)
        self._insert(values)
        if matches:
            self._db.executemany(
                f"INSERT OR REPLACE INTO matches ({MATCH}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [match_values(match) for match in matches],
            )
        if players:
            self._db.executemany(
                f"INSERT OR REPLACE INTO players ({PLAYER}) VALUES (?, ?, ?, ?, ?, ?)",
                [(row.match, row.seat, row.who, row.game, row.ended, row.place) for row in players],
            )

    def _insert(self, values: Sequence[object]) -> None:
        """Insert log entries, three *values* each."""
        for start in range(0, len(values), 3 * ROWS):
            part = [*values[start : start + 3 * ROWS]]
            rows = len(part) // 3
            size = 1 << (rows - 1).bit_length()
            statement = _insertion(size, self._db.in_transaction)
            self._db.execute(statement, part + [None] * 3 * (size - rows))

    def _table(self, table_id: str) -> tuple[int, int]:
        """Return the key of an open table and the number of its next entry."""
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


def _is_one_statement(batch: Sequence[Request]) -> TypeGuard[Sequence[Append]]:
    """Return True if *batch* has nothing but a few log entries."""
    rows = 0
    for request in batch:
        if not isinstance(request, Append) or request.matches or request.players:
            return False
        rows += len(request.entries)
    return rows <= ROWS


@cache
def _insertion(size: int, in_transaction: bool) -> str:
    """Return the statement for up to *size* log entries; rows of NULL are skipped.

    Sizes are powers of two, so that a few statements are enough for all batches and stay prepared. With OR
    FAIL SQLite does not copy pages to be able to undo this statement; a failure undoes the whole transaction.
    A statement outside a transaction undoes itself.
    """
    rows = ", ".join(["(?, ?, ?)"] * size)
    conflict = "FAIL" if in_transaction else "ABORT"
    return f"INSERT OR {conflict} INTO log SELECT * FROM (VALUES {rows}) WHERE column1 IS NOT NULL"
