"""What the stores in databases have in common: the SQL that SQLite and PostgreSQL both understand.

It is plain SQL without a library in between. Both databases understand the same statements, except for the
few on the path of a move, which are written for each of them. The types of the columns and the way to add an
entry differ, so each database has its own schema.
"""

from __future__ import annotations

import asyncio
import importlib.resources
import sys
from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from croupier.core.histogram import Histogram
from croupier.store.api import (
    PRIVATE,
    Done,
    MatchRow,
    PlayerRow,
    Store,
    StoreError,
    TableRow,
    is_closed,
    tell,
    today,
)

Row: TypeAlias = tuple[object, ...]
Statement: TypeAlias = tuple[str, Sequence[Row]]
"""A statement and the values for each time it is carried out; every ``?`` stands for a value."""

TABLE: Final = "id, game, config, created, closed"
"""The columns of a table."""
MATCH: Final = "id, table_id, game, players, options, started, ended, result, first, last"
"""The columns of a match."""
PLAYER: Final = "match_id, seat, who, game, ended, place"
NOT_PRIVATE: Final = (
    f"NOT EXISTS (SELECT 1 FROM tables WHERE tables.id = matches.table_id AND config LIKE '%{PRIVATE}%')"
)
"""The condition for a row of *matches* whose table is not private."""
LOG: Final = (
    "SELECT entry FROM log WHERE table_key = (SELECT key FROM tables WHERE id = ?)"
    " AND number BETWEEN ? AND ? ORDER BY number"
)
REPORTS: Final = 16
"""How many requests are reported in one iteration of the event loop."""
LAST_MATCHES: Final = (
    "SELECT id, coalesce((SELECT max(first) FROM matches WHERE table_id = tables.id), 0)"
    " FROM tables WHERE closed IS NULL ORDER BY key"
)


@dataclass(slots=True)
class Request:
    """A request to write; *done* is called in the event loop when it is durable or has failed."""

    done: Done
    error: StoreError | None = field(default=None, init=False)


@dataclass(slots=True)
class Append(Request):
    table: str
    first: int
    entries: tuple[str, ...]
    matches: tuple[MatchRow, ...]
    players: tuple[PlayerRow, ...]


class Reports:
    """Reports carried out requests to their callers, in order, a few in each iteration of the event loop.

    One commit serves hundreds of tables. The first ones send their frames before the next ones are told, so
    the frames of all tables are not in memory at the same time.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Request] = deque()

    def add(self, requests: Iterable[Request]) -> None:
        """Report *requests* after all earlier ones."""
        begin = not self._waiting
        self._waiting.extend(requests)
        if begin:
            self._report_some()

    def finish(self) -> None:
        """Report everything that still waits."""
        while self._waiting:
            self._report()

    def _report_some(self) -> None:
        for _ in range(min(REPORTS, len(self._waiting))):
            self._report()
        if self._waiting:
            self._loop.call_soon(self._report_some)

    def _report(self) -> None:
        request = self._waiting.popleft()
        tell(request.done, request.error)


class Writer(Protocol):
    """The part of a store that writes."""

    commit_times: Histogram

    def submit(self, request: Request, /) -> None:
        """Queue *request*; requests are carried out in the order in which they were submitted."""
        ...

    def stats(self) -> dict[str, float]: ...


class SqlStore(Store):
    """A store in a database. Other parts of the server have their own database tables in it: they read with
    `select` and change them with `change`."""

    def __init__(self, name: str, writer: Writer | None) -> None:
        """*name* is the name of the database in messages; without *writer* it is opened for reading only."""
        self._name = name
        self._writes = writer
        self.commit_times = writer.commit_times if writer is not None else None
        self._closed = False

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

    def _submit(self, request: Request) -> None:
        if self._writes is not None and not self._closed:
            self._writes.submit(request)
            return
        refusal = is_closed() if self._closed else StoreError(f"{self._name}: opened for reading only")
        asyncio.get_running_loop().call_soon(request.done, refusal)

    def _check_open(self) -> None:
        if self._closed:
            raise is_closed()

    def stats(self) -> dict[str, float]:
        return self._writes.stats() if self._writes is not None else figures(0, 0, 0, 0, 0, 0)

    @abstractmethod
    async def select(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a query."""

    @abstractmethod
    async def change(self, *statements: Statement) -> None:
        """Carry out *statements*, all or none; return when the change is durable.

        Raise StoreConflict if a row with the same key exists.
        """

    async def tables(self, open_only: bool = True) -> list[TableRow]:
        where = "WHERE closed IS NULL" if open_only else ""
        rows = await self.select(f"SELECT {TABLE} FROM tables {where} ORDER BY key")
        return [_table(row) for row in rows]

    async def table(self, table_id: str) -> TableRow | None:
        rows = await self.select(f"SELECT {TABLE} FROM tables WHERE id = ?", table_id)
        return _table(rows[0]) if rows else None

    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        return entries_of(await self.select(LOG, table_id, first, last if last is not None else sys.maxsize))

    async def last_matches(self) -> dict[str, int]:
        rows = await self.select(LAST_MATCHES)
        return {str(id): int(str(first)) for id, first in rows}

    async def matches(
        self,
        game: str | None = None,
        ended: bool | None = None,
        limit: int = 50,
        before: str | None = None,
        listed: bool = False,
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
        if listed:
            where.append(NOT_PRIVATE)
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

    async def keep(self, realm: str, name: str, data: str | None) -> None:
        if data is None:
            await self.change(("DELETE FROM kept WHERE realm = ? AND name = ?", [(realm, name)]))
        else:
            await self.change((_KEEP, [(realm, name, data, today())]))

    async def forget(self, realm: str, names: Sequence[str]) -> None:
        rows = [(realm, name) for name in names]
        await self.change(("DELETE FROM kept WHERE realm = ? AND name = ?", rows))

    async def kept(self, realm: str) -> dict[str, str]:
        rows = await self.select("SELECT name, data FROM kept WHERE realm = ?", realm)
        return {str(name): str(data) for name, data in rows}

    async def use(self, realm: str, names: Iterable[str]) -> None:
        rows = [(today(), realm, name) for name in names]
        await self.change(("UPDATE kept SET used = ? WHERE realm = ? AND name = ?", rows))

    async def unused(self, realm: str, since: str) -> list[str]:
        rows = await self.select("SELECT name FROM kept WHERE realm = ? AND used < ?", realm, since)
        return [str(name) for (name,) in rows]


def figures(
    queue: int, commits: int, appends: int, rows: int, failures: int, last_commit_seconds: float
) -> dict[str, float]:
    """Return the figures of `Store.stats`."""
    return {
        "queue": queue,
        "commits": commits,
        "appends": appends,
        "rows": rows,
        "failures": failures,
        "last_commit_seconds": last_commit_seconds,
    }


def scripts(folder: str) -> list[str]:
    """Return the numbered scripts in *folder*, each of which raises the version of the schema by one."""
    files = [
        file
        for file in (importlib.resources.files("croupier.store") / folder).iterdir()
        if file.name.endswith(".sql")
    ]
    return [file.read_text(encoding="utf-8") for file in sorted(files, key=lambda file: file.name)]


def put(table: str, key: str, columns: str) -> str:
    """Return the statement that adds a row with *columns*, or replaces them in the row with the same *key*.

    >>> put("kept", "realm, name", "realm, name, data")
    'INSERT INTO kept (realm, name, data) VALUES (?, ?, ?)\
 ON CONFLICT (realm, name) DO UPDATE SET data = excluded.data'
    """
    names = columns.split(", ")
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) {on_conflict(key, columns)}"


def on_conflict(key: str, columns: str) -> str:
    """Return the end of an INSERT that replaces *columns* in a row with the same *key*."""
    changed = [name for name in columns.split(", ") if name not in key.split(", ")]
    return f"ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in changed)}"


_KEEP: Final = put("kept", "realm, name", "realm, name, data, used")


def entries_of(rows: list[Row]) -> list[str]:
    """Return the entries of a log, one from each of *rows*."""
    return [str(entry) for (entry,) in rows]


def match_values(match: MatchRow) -> Row:
    """Return the values of the columns `MATCH`."""
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


def _table(row: Row) -> TableRow:
    return TableRow(*row)  # type: ignore[arg-type]  # the columns of TABLE, as the schema types them


def _match(row: Row) -> MatchRow:
    return MatchRow(*row)  # type: ignore[arg-type]  # the columns of MATCH, as the schema types them
