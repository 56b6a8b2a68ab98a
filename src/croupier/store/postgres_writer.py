"""The task that writes to PostgreSQL.

Requests that arrive while a transaction runs are written together by the next one: under load one commit
serves hundreds of tables. Consecutive appends are one statement and one round trip. It writes only if this
server still has its row in `node` and owns all the tables; otherwise it writes nothing.

Every transaction has a number, which it stores in the row of the server. If the connection is lost, it is
not known whether the last transaction was committed: it is sent again with the same number, and does nothing
if that number has been stored already. So every request is carried out exactly once. After `PATIENCE` seconds
without a connection the waiting requests fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final, TypeAlias, TypeVar

from croupier.core.histogram import Histogram
from croupier.store.address import shown
from croupier.store.api import (
    NotOwner,
    StoreError,
    StoreUnreachable,
    closed_table,
    tell,
    unknown_table,
    wrong_number,
)
from croupier.store.postgres_database import LEASE, Connection, connect, is_lost, is_value, wrong
from croupier.store.sql import MATCH, PLAYER, Append, Request, Row, figures, match_values, on_conflict

log = logging.getLogger(__name__)

T = TypeVar("T")
Work: TypeAlias = Callable[[Connection], Awaitable[None]]

PATIENCE: Final = 10.0
"""Seconds that writes wait for a lost connection."""
PAUSE: Final = 0.1
"""Seconds between two attempts to connect."""
RENEW_SECONDS: Final = 1.0

_ME: Final = (
    f"UPDATE node SET commits = $2, lease_until = clock_timestamp() + interval '{LEASE} s'"
    " WHERE id = $1 AND commits < $2"
)
RENEW: Final = f"{_ME} RETURNING id"
# Without joins: the subquery on thing is one look-up in its index for each table.
APPEND: Final = f"""
WITH mine AS (
    SELECT count(*) AS many FROM unnest($3::text[], $4::bigint[]) AS given (name, epoch)
    WHERE $1 = (SELECT owner FROM thing WHERE kind = 'table' AND name = given.name AND epoch = given.epoch)
), me AS (
    {_ME} AND (SELECT many FROM mine) = cardinality($3) RETURNING id
), lines AS (
    INSERT INTO log (table_key, number, entry)
    SELECT * FROM unnest($5::bigint[], $6::bigint[], $7::text[]) WHERE EXISTS (SELECT FROM me)
), games AS (
    INSERT INTO matches ({MATCH})
    SELECT * FROM unnest($8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[],
        $14::text[], $15::text[], $16::bigint[], $17::bigint[]) WHERE EXISTS (SELECT FROM me)
    {on_conflict("id", MATCH)}
), seats AS (
    INSERT INTO players ({PLAYER})
    SELECT * FROM unnest($18::text[], $19::bigint[], $20::text[], $21::text[], $22::text[], $23::bigint[])
    WHERE EXISTS (SELECT FROM me)
    {on_conflict("match_id, seat", PLAYER)}
)
SELECT id FROM me"""
"""Appends to several tables: all, or none unless this server owns all of them."""
RELEASE: Final = (
    "WITH gone AS (DELETE FROM node WHERE id = $1 RETURNING id)"
    " UPDATE thing SET owner = 0, epoch = epoch + 1 WHERE owner = (SELECT id FROM gone)"
)
"""Removes a server; nobody owns what it owned."""
TABLES: Final = (
    "SELECT id, key, closed, owner, epoch, (SELECT max(number) + 1 FROM log WHERE table_key = key)"
    " FROM tables LEFT JOIN thing ON kind = 'table' AND name = id WHERE id = ANY($1::text[])"
)


@dataclass(slots=True)
class Change(Request):
    """A change of the database that is not an append."""

    work: Work


@dataclass(slots=True)
class _Open:
    """An open table that this server owns."""

    key: int
    epoch: int
    due: int
    """The number of its next entry."""


class Writer:
    """The writing task and its queue."""

    def __init__(self, url: str, node: int, on_lost: Callable[[NotOwner], None]) -> None:
        self.node = node
        self.lost: NotOwner | None = None
        self._url = url
        self._on_lost = on_lost
        self._db: Connection | None = None
        self._waiting: list[Request] = []
        self._open: dict[str, _Open] = {}
        """The open tables that have been written to."""
        self._number = 0
        """The number of the last transaction, whether it was committed or not."""
        self._down_since: float | None = None
        self.renewed = time.monotonic()
        """When the last renewal of the lease that succeeded was sent."""
        self._reported = False
        """True if it was logged that the lease cannot be renewed."""
        self._closing = False
        self._commits = 0
        self._appends = 0
        self._rows = 0
        self._failures = 0
        self._seconds = 0.0
        self.commit_times = Histogram()
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._timer = self._loop.call_later(RENEW_SECONDS, self._tick)
        self._task = self._loop.create_task(self._run(), name="store-writer")

    def submit(self, request: Request) -> None:
        """Queue *request*; requests are carried out in the order in which they were submitted."""
        self._waiting.append(request)
        self._wake.set()

    def forget(self, table: str) -> None:
        """Read the state of *table* again before the next append, because it has changed."""
        self._open.pop(table, None)

    def forget_all(self) -> None:
        """Read the state of every table again before the next append."""
        self._open.clear()

    def stats(self) -> dict[str, float]:
        return figures(
            len(self._waiting),
            self._commits,
            self._appends,
            self._rows,
            self._failures,
            self._seconds,
        )

    async def stop(self) -> None:
        """Write what is queued, and release the database."""
        self._closing = True
        self._wake.set()
        await self._task
        self._timer.cancel()
        with contextlib.suppress(Exception):  # the row stays until the lease expires
            db = await self._connection()
            await db.execute(RELEASE, self.node)
            await db.close(timeout=1.0)
        self._drop()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(RENEW_SECONDS, self._tick)
        self._wake.set()

    # The task

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            for kind, run in groupby(batch, type):
                await self._commit(kind, list(run))
            if time.monotonic() - self.renewed >= RENEW_SECONDS / 2 and self.lost is None:
                await self._renew()

    async def _renew(self) -> None:
        try:
            await self._transact(self._update_lease)
        except Exception as error:
            if not self._reported:
                self._reported = True
                log.error("%s; the lease is not renewed, retrying every %g s", error, RENEW_SECONDS)
        else:
            self._reported = False

    async def _update_lease(self, number: int, db: Connection) -> None:
        if await db.fetchval(RENEW, self.node, number) is None:
            await self._check_done(number, db)

    async def _commit(self, kind: type[Request], run: list[Request]) -> None:
        begun = time.perf_counter()
        before = self._number
        try:
            if self.lost is not None:
                raise self.lost
            if kind is Append:
                await self._append([request for request in run if isinstance(request, Append)])
            else:
                await self._change([request for request in run if isinstance(request, Change)])
        except Exception as error:
            self._open.clear()
            for request in run:
                request.error = wrong(self._url, error)
        else:
            self._seconds = time.perf_counter() - begun
            self.commit_times.add(self._seconds)
            self._commits += self._number > before
        for request in run:
            if request.error is not None:
                self._failures += 1
            elif isinstance(request, Append):
                self._appends += 1
                self._rows += len(request.entries)
            tell(request.done, request.error)

    async def _change(self, requests: list[Change]) -> None:
        await self._transact(partial(self._carry_out, requests))

    async def _carry_out(self, requests: list[Change], number: int, db: Connection) -> None:
        async with db.transaction():
            if await db.fetchval(RENEW, self.node, number) is None:
                await self._check_done(number, db)
                return
            for request in requests:
                request.error = None
                try:
                    async with db.transaction():
                        await request.work(db)
                except Exception as error:
                    if not (isinstance(error, StoreError) or is_value(error)):
                        raise
                    request.error = wrong(self._url, error)

    async def _append(self, requests: list[Append]) -> None:
        """Write *requests*; set the error of each one that cannot be written."""
        try:
            if await self._append_together(requests):
                return
        except Exception as error:
            if not is_value(error):
                raise
            if len(requests) == 1:
                requests[0].error = wrong(self._url, error)
                self.forget(requests[0].table)
                return
        # A value that cannot be stored, or a table that has another owner: write them one by one, so that
        # only the faulty requests and those that depend on them fail.
        for request in requests:
            self.forget(request.table)
        for request in requests:
            request.error = None
            try:
                await self._append([request])
            except Exception as error:
                self._open.clear()
                request.error = wrong(self._url, error)

    async def _append_together(self, requests: list[Append]) -> bool:
        """Write *requests*, except those that do not match their tables; return False, with nothing written,
        if this server no longer owns one of the tables."""
        refused = await self._look_up({one.table for one in requests if one.table not in self._open})
        epochs: dict[str, int] = {}
        lines: list[Row] = []
        matches: dict[str, Row] = {}
        players: dict[Row, Row] = {}
        for request in requests:
            table = self._open.get(request.table)
            if table is None:
                request.error = refused[request.table]
                continue
            if request.first != table.due:
                request.error = wrong_number(request.table, request.first, table.due)
                continue
            epochs[request.table] = table.epoch
            lines += [(table.key, number, entry) for number, entry in enumerate(request.entries, table.due)]
            table.due += len(request.entries)
            for match in request.matches:
                matches[match.id] = match_values(match)
            for row in request.players:
                values = (row.match, row.seat, row.who, row.game, row.ended, row.place)
                players[values[:2]] = values
        if not epochs:
            return True
        arrays = [
            *_columns(epochs.items(), 2),
            *_columns(lines, 3),
            *_columns(matches.values(), 10),
            *_columns(players.values(), 6),
        ]
        return await self._transact(partial(self._insert, arrays))

    async def _insert(self, arrays: Sequence[Sequence[object]], number: int, db: Connection) -> bool:
        """Append, and return True; return False if this server does not own all the tables."""
        if await db.fetchval(APPEND, self.node, number, *arrays) is not None:
            return True
        return await self._check_done(number, db)

    async def _look_up(self, names: set[str]) -> dict[str, StoreError]:
        """Read the state of *names* into the open tables; return the refused ones, each with the reason."""
        if not names:
            return {}

        async def find(db: Connection) -> Any:
            return await db.fetch(TABLES, list(names))

        refused: dict[str, StoreError] = {name: unknown_table(name) for name in names}
        for name, key, closed, owner, epoch, due in await self._repeat(find):
            if closed is not None:
                refused[name] = closed_table(name)
            elif owner != self.node:
                refused[name] = NotOwner(f"table {name} belongs to another server now")
            else:
                self._open[name] = _Open(key, epoch, due or 0)
        return refused

    # Transactions

    async def _transact(self, work: Callable[[int, Connection], Awaitable[T]]) -> T:
        """Carry out *work*, which renews the lease, with the number of a new transaction."""
        self._number += 1
        begun = time.monotonic()
        result = await self._repeat(partial(work, self._number))
        self.renewed = begun
        return result

    async def _repeat(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Carry out *work*; repeat it after a lost connection."""
        while True:
            try:
                result = await work(await self._connection())
            except Exception as error:
                if not is_lost(error):
                    raise
                await self._wait(error)
            else:
                if self._down_since is not None:
                    down = time.monotonic() - self._down_since
                    log.warning("%s: connected again after %.1f s", shown(self._url), down)
                    self._down_since = None
                return result

    async def _wait(self, error: Exception) -> None:
        """Wait before the next attempt to connect; raise StoreUnreachable if it has taken too long."""
        self._drop()
        now = time.monotonic()
        if self._down_since is None:
            self._down_since = now
            words = "%s: connection lost (%s); writes wait up to %g s for it"
            log.warning(words, shown(self._url), str(error) or type(error).__name__, PATIENCE)
        if now - self._down_since >= PATIENCE:
            down = now - self._down_since
            raise StoreUnreachable(f"{wrong(self._url, error)}; no connection for {down:.0f} s") from error
        await asyncio.sleep(PAUSE)

    async def _connection(self) -> Connection:
        if self._db is None or self._db.is_closed():
            self._db = await connect(self._url)
        return self._db

    def _drop(self) -> None:
        if self._db is not None:
            self._db.terminate()
            self._db = None

    async def _check_done(self, number: int, db: Connection) -> bool:
        """Return True if the transaction *number*, which has written nothing now, was committed earlier.

        Raise NotOwner if another server has taken over.
        """
        commits = await db.fetchval("SELECT commits FROM node WHERE id = $1", self.node)
        if commits is None:
            if self.lost is None:
                self.lost = NotOwner(f"{shown(self._url)}: another server has taken over; nothing is written")
                self._on_lost(self.lost)
            raise self.lost
        return bool(commits == number)


def _columns(rows: Iterable[Row], many: int) -> list[list[object]]:
    """Return the columns of *rows*, which have *many* values each, as arrays."""
    found = [list(column) for column in zip(*rows, strict=True)]
    return found or [[] for _ in range(many)]
