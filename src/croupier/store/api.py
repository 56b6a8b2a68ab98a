"""The interface of a store: a confirmed append survives a crash, complete and in order."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from croupier.core.histogram import Histogram

PRIVATE: Final = '"private":true'
"""A part of the JSON configuration of every table whose matches are not listed. It cannot be in a string:
there its quotes have backslashes.
"""


class StoreError(Exception):
    """The store failed; the message says where, what is wrong and what to do."""


class StoreConflict(StoreError):
    """The request does not match the contents of the store; nothing was written."""


class StoreUnavailable(StoreError):
    """Nothing can be written at the moment, for example because the disk is full.

    The store logs when this begins and when it ends; the consequences in between are not logged.
    """


class StoreUnreachable(StoreUnavailable):
    """The database did not answer for too long; a later request may succeed.

    A refused append may still have been written: the log of the table shows it.
    """


class NotOwner(StoreError):
    """Another server owns the table or the whole store now; nothing was written."""


def report(log: logging.Logger, error: StoreError, words: str, *values: object) -> None:
    """Log the consequences of *error*, unless the store itself reports it."""
    level = logging.DEBUG if isinstance(error, StoreUnavailable) else logging.ERROR
    log.log(level, f"{words}: %s", *values, error)


Done: TypeAlias = Callable[[StoreError | None], None]
"""Called with None when a write is durable, or with the reason when it has failed."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table; *config* is JSON text that the store does not interpret."""

    id: str
    game: str
    config: str
    created: str
    closed: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match; its entries in the log of its table are *first* to *last*, both included."""

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


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One seat of a match in which an account plays."""

    match: str
    seat: int
    who: str
    """The id of an account, ``bot <strength>``, or empty for a guest."""
    game: str
    ended: str | None = None
    place: int | None = None
    """The rank, 1 for the best, equal for a tie. None while the match runs, or if it was aborted."""


class Store(ABC):
    """Tables, their logs, their matches, and data of lobbies and tournaments.

    Several tasks may call any method at the same time.
    """

    lost: NotOwner | None = None
    """Why the whole store now belongs to another server; then nothing can be written any more. None if it
    does not.
    """
    commit_times: Histogram | None = None
    """How long commits took; None for a store without commits."""
    on_lost: Callable[[], None] = staticmethod(lambda: None)
    """Called in the event loop when `lost` has been set."""

    @property
    def failing(self) -> bool:
        """Return True while nothing can be written (`StoreUnavailable`)."""
        return False

    @abstractmethod
    async def open_table(self, row: TableRow) -> None:
        """Add a table with an empty log; raise StoreConflict if its id is taken."""

    @abstractmethod
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
        """Add *entries* to the log of an open table and write *matches* and *players* (new or changed), all
        or nothing.

        Never waits and never raises: the event loop calls *done* later, with None when everything is durable
        or with the reason why nothing was written. The calls of *done* are in the order of the appends,
        except that a closed store may refuse an append before it has confirmed earlier ones.

        The first entry gets *first_number*, which must be the length of the log after all earlier appends;
        otherwise *done* gets a StoreConflict.
        """

    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        """Append like `append_soon`; return when the entries are durable, or raise StoreError.

        Cancelling this does not undo the append.
        """
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.append_soon(table_id, first_number, entries, matches, players, done=partial(settle, future))
        await future

    @abstractmethod
    async def close_table(self, table_id: str, when: str) -> None:
        """Mark a table as closed; its log is kept and accepts no more entries."""

    @abstractmethod
    async def tables(self, open_only: bool = True) -> list[TableRow]:
        """Return the tables in the order in which they were opened."""

    @abstractmethod
    async def table(self, table_id: str) -> TableRow | None:
        """Return the table, or None."""

    @abstractmethod
    async def log(self, table_id: str, first: int = 0, last: int | None = None) -> list[str]:
        """Return the entries from *first* to *last* (both included; None is the end)."""

    @abstractmethod
    async def last_matches(self) -> dict[str, int]:
        """Return the number of the entry at which the last match of each open table began (0 if none has), in
        the order in which the tables were opened."""

    @abstractmethod
    async def logs(self, firsts: Mapping[str, int]) -> dict[str, list[str] | StoreError]:
        """Return the entries of several tables, each from its number in *firsts* to the end.

        For a log that cannot be read, return the error in its place. All entries are in memory at once, so
        request at most a few hundred tables at a time.
        """

    @abstractmethod
    async def matches(
        self,
        game: str | None = None,
        ended: bool | None = None,
        limit: int = 50,
        before: str | None = None,
        listed: bool = False,
    ) -> list[MatchRow]:
        """Return matches, newest first, that started before the one with the id *before* (for paging).

        If *listed*, omit those of private tables.
        """

    @abstractmethod
    async def match(self, match_id: str) -> MatchRow | None:
        """Return the match, or None."""

    @abstractmethod
    async def keep(self, realm: str, name: str, data: str | None) -> None:
        """Store *data* under *name* in *realm*, or delete it (None). Return when that is durable."""

    @abstractmethod
    async def forget(self, realm: str, names: Sequence[str]) -> None:
        """Delete the data stored under *names* in *realm*, in one transaction."""

    @abstractmethod
    async def kept(self, realm: str) -> dict[str, str]:
        """Return all data in *realm*, by name."""

    @abstractmethod
    async def use(self, realm: str, names: Iterable[str]) -> None:
        """Set the last day of use of *names* in *realm* to today; `keep` does so, too."""

    @abstractmethod
    async def unused(self, realm: str, since: str) -> list[str]:
        """Return the names in *realm* that were last used before the day *since* (ISO 8601)."""

    @abstractmethod
    def stats(self) -> dict[str, float]:
        """Return figures for operators: queue, commits, appends, rows, failures, last_commit_seconds."""

    @abstractmethod
    async def close(self) -> None:
        """Write what is queued, then release all resources; may be called twice."""


def settle(future: asyncio.Future[None], error: StoreError | None) -> None:
    """Complete the *future* of a write; used as `Done`."""
    if future.done():  # cancelled
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def tell(done: Done, error: StoreError | None) -> None:
    """Call *done*; pass an exception to the event loop's handler, so that the next one is called, too."""
    try:
        done(error)
    except Exception as failure:
        context = {"message": f"the callback of a write failed: {done!r}", "exception": failure}
        asyncio.get_running_loop().call_exception_handler(context)


def today() -> str:
    """Return today's date in UTC (ISO 8601)."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def unknown_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is not in the store")


def closed_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is closed: its log accepts no more entries")


def taken_table(table_id: str) -> StoreConflict:
    return StoreConflict(f"table {table_id} is already in the store")


def wrong_number(table_id: str, found: int, due: int) -> StoreConflict:
    return StoreConflict(f"table {table_id}: entry {found} given, expected {due}")


def is_closed() -> StoreError:
    return StoreError("the store is closed")
