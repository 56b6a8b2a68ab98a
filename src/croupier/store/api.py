"""What a store promises: what `append` has returned from is there after a crash, in order and whole."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from croupier.store.people import PeopleStore, PlayerRow


class StoreError(Exception):
    """The store could not do it: where, what is wrong, what would do."""


class StoreConflict(StoreError):
    """The caller's picture of the store is not the store's: nothing was written."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table; *config* is JSON text that only the table reads."""

    id: str
    game: str
    config: str
    created: str
    closed: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match and where its entries lie in the log of its table: from *first* to *last*, both included."""

    id: str
    table: str
    game: str
    players: str
    """JSON list of names."""
    options: str
    """JSON object."""
    started: str
    ended: str | None
    result: str | None
    """JSON list of scores."""
    first: int
    last: int | None


class Store(PeopleStore):
    """Tables, their logs, the matches in them, what desks remember, and people.

    Every method may be called by many tasks at once.
    """

    @abstractmethod
    async def open_table(self, row: TableRow) -> None:
        """Add a table with an empty log; StoreConflict if its id is taken."""

    @abstractmethod
    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        """Add *entries* to the log of an open table and put *matches* and *players* (new or changed), all or
        nothing.

        Returns when they are durable. The first entry gets *first_number*, which must be the length of the
        log: if it is not, StoreConflict says so and nothing is written.
        """

    @abstractmethod
    async def update_config(self, table_id: str, config: str) -> None:
        """Replace the config of a table."""

    @abstractmethod
    async def close_table(self, table_id: str, when: str) -> None:
        """Mark a table as closed; its log stays and takes no more entries."""

    @abstractmethod
    async def tables(self, open_only: bool = True) -> list[TableRow]:
        """Return the tables in the order they were opened."""

    @abstractmethod
    async def table(self, table_id: str) -> TableRow | None:
        """Return the table, None if there is none."""

    @abstractmethod
    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        """Return the entries from *first* to *last* (both included; None is the end)."""

    @abstractmethod
    async def matches(
        self, game: str | None = None, ended: bool | None = None, limit: int = 50, before: str | None = None
    ) -> list[MatchRow]:
        """Return matches, newest first, that started before the one with the id *before* (for paging)."""

    @abstractmethod
    async def match(self, match_id: str) -> MatchRow | None:
        """Return the match, None if there is none."""

    @abstractmethod
    async def keep(self, realm: str, name: str, data: str | None) -> None:
        """Put *data* under *name* in *realm*, or forget it (None). Returns when that is durable."""

    @abstractmethod
    async def kept(self, realm: str) -> dict[str, str]:
        """Return all that is kept in *realm*, by name."""

    @abstractmethod
    async def use(self, realm: str, names: Iterable[str]) -> None:
        """Write down that these things in *realm* are of use today; keeping them does so, too."""

    @abstractmethod
    async def unused(self, realm: str, since: str) -> list[str]:
        """Return the names of what was kept in *realm* and not used since that day (ISO 8601)."""

    @abstractmethod
    def stats(self) -> dict[str, float]:
        """Return numbers for operators: queue, commits, appends, rows, failures, last_commit_seconds."""

    @abstractmethod
    async def close(self) -> None:
        """Write what is queued, then let go of everything; closing twice does no harm."""


def today() -> str:
    """Return the day, by which things are noted as of use."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def unknown_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is not in the store")


def closed_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is closed: its log takes no more entries")


def taken_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is in the store already")


def wrong_number(table_id: str, found: int, due: int) -> StoreConflict:
    return StoreConflict(f"table {table_id}: entry {found} offered, {due} is due")


def taken_name(name: str) -> StoreConflict:
    return StoreConflict(f"name {name!r}: an account has it already")


def is_closed() -> StoreError:
    return StoreError("the store is closed")
