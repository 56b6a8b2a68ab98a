"""A store that forgets: for tests, and for servers that need no yesterday."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from croupier.store.api import (
    MatchRow,
    Store,
    TableRow,
    closed_table,
    is_closed,
    taken_table,
    today,
    unknown_table,
    wrong_number,
)
from croupier.store.memory_people import MemoryPeople
from croupier.store.people import PlayerRow


class MemoryStore(MemoryPeople, Store):
    """Everything in dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        self._tables: dict[str, TableRow] = {}
        self._logs: dict[str, list[str]] = {}
        self._matches: dict[str, MatchRow] = {}
        self._kept: dict[str, dict[str, str]] = {}
        self._used: dict[tuple[str, str], str] = {}
        self._closed = False
        self._commits = 0
        self._appends = 0
        self._rows = 0
        self._failures = 0

    async def open_table(self, row: TableRow) -> None:
        self._check_open()
        if row.id in self._tables:
            self._failures += 1
            raise taken_table(row.id)
        self._tables[row.id] = row
        self._logs[row.id] = []
        self._commits += 1

    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        self._check_open()
        table = self._known(table_id)
        log = self._logs[table_id]
        if table.closed is not None:
            self._failures += 1
            raise closed_table(table_id)
        if first_number != len(log):
            self._failures += 1
            raise wrong_number(table_id, first_number, len(log))
        log += entries
        for match in matches:
            self._matches[match.id] = match
        self._put_players(players)
        self._commits += 1
        self._appends += 1
        self._rows += len(entries)

    async def update_config(self, table_id: str, config: str) -> None:
        self._check_open()
        self._tables[table_id] = replace(self._known(table_id), config=config)
        self._commits += 1

    async def close_table(self, table_id: str, when: str) -> None:
        self._check_open()
        self._tables[table_id] = replace(self._known(table_id), closed=when)
        self._commits += 1

    async def tables(self, open_only: bool = True) -> list[TableRow]:
        self._check_open()
        return [row for row in self._tables.values() if row.closed is None or not open_only]

    async def table(self, table_id: str) -> TableRow | None:
        self._check_open()
        return self._tables.get(table_id)

    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        self._check_open()
        return self._logs.get(table_id, [])[max(first, 0) : None if last is None else max(last + 1, 0)]

    async def matches(
        self, game: str | None = None, ended: bool | None = None, limit: int = 50, before: str | None = None
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
        return sorted(found, key=lambda row: (row.started, row.id), reverse=True)[: max(limit, 0)]

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
            "queue": 0,
            "commits": self._commits,
            "appends": self._appends,
            "rows": self._rows,
            "failures": self._failures,
            "last_commit_seconds": 0.0,
        }

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise is_closed()

    def _known(self, table_id: str) -> TableRow:
        if table_id not in self._tables:
            self._failures += 1
            raise unknown_table(table_id)
        return self._tables[table_id]
