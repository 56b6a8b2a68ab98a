"""Durable storage of tables and matches: entries are stored before they are told."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.store.address import is_postgres
from croupier.store.api import MatchRow, Store, StoreConflict, StoreError, TableRow

__all__ = ["MatchRow", "Store", "StoreConflict", "StoreError", "TableRow", "open_store"]


async def open_store(where: str | Path, read_only: bool = False) -> Store:
    """Open ``memory:``, a ``postgresql://`` database, or the SQLite file at a path, which is created if it is
    missing.

    Only one server at a time may write to a database; other programs use *read_only*, even while the server
    runs.
    """
    if where == "memory:":
        from croupier.store.memory import MemoryStore

        return MemoryStore()
    if is_postgres(where):
        from croupier.store.postgres import PostgresStore

        return await PostgresStore.open(where, read_only)
    # At least two letters, because C:\ is a path.
    if found := re.match(r"([A-Za-z][A-Za-z0-9+]+)://", str(where)):
        raise StoreError(f"store {found[1]}://: expected postgresql://, memory: or the path of a file")
    from croupier.store.sqlite import SqliteStore

    return await SqliteStore.open(Path(where), read_only)
