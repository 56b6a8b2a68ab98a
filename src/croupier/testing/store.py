"""A store in memory that can be slow or fail, for tests of code that depends on a store."""

from __future__ import annotations

import asyncio

from croupier.store import MatchRow, StoreError
from croupier.store.api import PlayerRow
from croupier.store.memory import MemoryStore
from croupier.table import journal


class FaultyStore(MemoryStore):
    """A memory store whose commits take time, wait until they are released, or fail."""

    def __init__(self, delay: float = 0.0) -> None:
        """*delay* is the time of a commit in seconds; a test may change it at any time."""
        super().__init__()
        self.delay = delay
        self.failed: list[tuple[str, ...]] = []
        """The entries of the appends that failed."""
        self._held = False
        self._fail_after: dict[str, int] = {}

    def length(self, table_id: str) -> int:
        """Return the number of entries in the log of a table."""
        return len(self._logs[table_id])

    def journal(self, table_id: str) -> list[journal.AnyEntry]:
        """Return the log of a table, parsed."""
        return journal.decode_all(self._logs[table_id])

    def hold(self) -> None:
        """Commit nothing until `release`."""
        self._held = True

    def release(self) -> None:
        """Commit everything that was held, and continue."""
        self._held = False
        if self._queue:
            self._commit_soon()

    def fail_append(self, table_id: str, after: int = 0) -> None:
        """Make one append to a table fail, as on a full disk: the next one, or the one *after* that many."""
        self._fail_after[table_id] = after

    def crash(self) -> None:
        """Lose everything that has not been committed."""
        self._queue.clear()

    def _commit_soon(self) -> None:
        if self.delay:
            asyncio.get_running_loop().call_later(self.delay, self._commit)
        else:
            super()._commit_soon()

    def _commit(self) -> None:
        if not self._held:
            super()._commit()

    def _append(
        self,
        table_id: str,
        first_number: int,
        entries: tuple[str, ...],
        matches: tuple[MatchRow, ...],
        players: tuple[PlayerRow, ...],
    ) -> None:
        if table_id in self._fail_after:
            self._fail_after[table_id] -= 1
            if self._fail_after[table_id] < 0:
                del self._fail_after[table_id]
                self.failed.append(entries)
                raise StoreError("disk full")
        super()._append(table_id, first_number, entries, matches, players)
