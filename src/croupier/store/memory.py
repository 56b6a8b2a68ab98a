"""A store in memory, for tests, arenas and servers without a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from croupier.store.api import (
    PRIVATE,
    Done,
    MatchRow,
    PlayerRow,
    Store,
    StoreError,
    TableRow,
    closed_table,
    is_closed,
    settle,
    taken_table,
    tell,
    today,
    unknown_table,
    wrong_number,
)


class MemoryStore(Store):
    """Keeps everything in dictionaries, except players: without a database there are no accounts."""

    def __init__(self) -> None:
        self._tables: dict[str, TableRow] = {}
        self._logs: dict[str, list[str]] = {}
        self._matches: dict[str, MatchRow] = {}
        self._kept: dict[str, dict[str, str]] = {}
        self._used: dict[tuple[str, str], str] = {}
        self._queue: list[tuple[Callable[[], None], Done]] = []
        self._closed = False
        self._commits = 0
        self._appends = 0
        self._rows = 0
        self._failures = 0

    # Writing: carried out in the next iteration of the event loop, never at once, as with a real disk.

    async def open_table(self, row: TableRow) -> None:
        await self._write(partial(self._open_table, row))

    def _open_table(self, row: TableRow) -> None:
        if row.id in self._tables:
            raise taken_table(row.id)
        self._tables[row.id] = row
        self._logs[row.id] = []

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
        rows = tuple(entries), tuple(matches), tuple(players)
        self._submit(partial(self._append, table_id, first_number, *rows), done)

    def _append(
        self,
        table_id: str,
        first_number: int,
        entries: tuple[str, ...],
        matches: tuple[MatchRow, ...],
        players: tuple[PlayerRow, ...],
    ) -> None:
        table = self._known(table_id)
        log = self._logs[table_id]
        if table.closed is not None:
            raise closed_table(table_id)
        if first_number != len(log):
            raise wrong_number(table_id, first_number, len(log))
        log += entries
        for match in matches:
            self._matches[match.id] = match
        self._appends += 1
        self._rows += len(entries)

    async def close_table(self, table_id: str, when: str) -> None:
        await self._write(partial(self._close_table, table_id, when))

    def _close_table(self, table_id: str, when: str) -> None:
        self._tables[table_id] = replace(self._known(table_id), closed=when)

    async def _write(self, work: Callable[[], None]) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(work, partial(settle, future))
        await future

    def _submit(self, work: Callable[[], None], done: Done) -> None:
        if self._closed:
            asyncio.get_running_loop().call_soon(done, is_closed())
            return
        if not self._queue:
            self._commit_soon()
        self._queue.append((work, done))

    def _commit_soon(self) -> None:
        asyncio.get_running_loop().call_soon(self._commit)

    def _commit(self) -> None:
        batch, self._queue = self._queue, []
        results = [(done, self._attempt(work)) for work, done in batch]
        self._commits += bool(batch)
        for done, error in results:
            tell(done, error)

    def _attempt(self, work: Callable[[], None]) -> StoreError | None:
        try:
            work()
        except StoreError as error:
            self._failures += 1
            return error
        return None

    # Reading

    async def tables(self, open_only: bool = True) -> list[TableRow]:
        self._check_open()
        return [row for row in self._tables.values() if row.closed is None or not open_only]

    async def table(self, table_id: str) -> TableRow | None:
        self._check_open()
        return self._tables.get(table_id)

    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        self._check_open()
        return self._logs.get(table_id, [])[max(first, 0) : None if last is None else max(last + 1, 0)]

    async def last_matches(self) -> dict[str, int]:
        firsts = {row.id: 0 for row in await self.tables()}
        for match in self._matches.values():
            if match.table in firsts:
                firsts[match.table] = max(firsts[match.table], match.first)
        return firsts

    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        return {id: await self.log(id, first) for id, first in firsts.items()}

    async def matches(
        self,
        game: str | None = None,
        ended: bool | None = None,
        limit: int = 50,
        before: str | None = None,
        listed: bool = False,
    ) -> list[MatchRow]:
        self._check_open()
        found = [
            row
            for row in self._matches.values()
            if (game is None or row.game == game) and (ended is None or (row.ended is not None) == ended)
        ]
        if before is not None:
            edge = self._matches.get(before)
            found = [row for row in found if edge and (row.started, row.id) < (edge.started, edge.id)]
        if listed:
            found = [row for row in found if not self._is_private(row.table)]
        return sorted(found, key=lambda row: (row.started, row.id), reverse=True)[: max(limit, 0)]

    def _is_private(self, table: str) -> bool:
        return table in self._tables and PRIVATE in self._tables[table].config

    async def match(self, match_id: str) -> MatchRow | None:
        self._check_open()
        return self._matches.get(match_id)

    async def keep(self, realm: str, name: str, data: str | None) -> None:
        self._check_open()
        names = self._kept.setdefault(realm, {})
        if data is None:
            names.pop(name, None)
        else:
            names[name] = data
            self._used[realm, name] = today()
        self._commits += 1

    async def forget(self, realm: str, names: Sequence[str]) -> None:
        for name in names:
            await self.keep(realm, name, None)

    async def kept(self, realm: str) -> dict[str, str]:
        self._check_open()
        return dict(self._kept.get(realm, {}))

    async def use(self, realm: str, names: Iterable[str]) -> None:
        self._check_open()
        for name in names:
            self._used[realm, name] = today()

    async def unused(self, realm: str, since: str) -> list[str]:
        self._check_open()
        return [name for name in self._kept.get(realm, {}) if self._used[realm, name] < since]

    def stats(self) -> dict[str, float]:
        return {
            "queue": len(self._queue),
            "commits": self._commits,
            "appends": self._appends,
            "rows": self._rows,
            "failures": self._failures,
            "last_commit_seconds": 0.0,
        }

    async def close(self) -> None:
        self._closed = True
        self._commit()

    def _check_open(self) -> None:
        if self._closed:
            raise is_closed()

    def _known(self, table_id: str) -> TableRow:
        if table_id not in self._tables:
            raise unknown_table(table_id)
        return self._tables[table_id]
