"""Durable appends per second: many tables through the stores, compared with one transaction per append."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path

from benchmarks.report import Section
from croupier.store import Store, StoreError, TableRow, open_store
from croupier.testing.postgres import PostgresServer

ENTRY = "2 play QS"


class Appending:
    """A table that appends one entry, and the next one as soon as it is durable, until the time is up."""

    def __init__(self, store: Store, name: str, until: float, waits: list[float]) -> None:
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._store = store
        self._name = name
        self._until = until
        self._waits = waits
        self._number = 0
        self._begun = time.perf_counter()
        store.append_soon(name, 0, [ENTRY], done=self._done)

    def _done(self, error: StoreError | None) -> None:
        if error is not None:
            self.finished.set_exception(error)
            return
        now = time.perf_counter()
        self._waits.append(now - self._begun)
        self._number += 1
        self._begun = now
        if now < self._until:
            self._store.append_soon(self._name, self._number, [ENTRY], done=self._done)
        else:
            self.finished.set_result(None)


async def grouped(where: str | Path, tables: int, seconds: float, awaited: bool) -> dict[str, float]:
    """Return the rate of *tables* tables that each append one entry and wait until it is durable.

    With *awaited* each is a task; otherwise the store calls back, as it does at the tables of a server.
    """
    store = await open_store(where)
    names = [f"table{number}" for number in range(tables)]
    await asyncio.gather(*(store.open_table(TableRow(name, "hearts", "{}", "")) for name in names))
    before = store.stats()
    waits: list[float] = []
    begun, used = time.perf_counter(), time.thread_time()
    if awaited:
        await asyncio.gather(*(_play(store, name, begun + seconds, waits) for name in names))
    else:
        await asyncio.gather(*(Appending(store, name, begun + seconds, waits).finished for name in names))
    used = time.thread_time() - used
    spent = time.perf_counter() - begun
    after = store.stats()
    await store.close()
    cuts = statistics.quantiles(waits, n=100)
    return {
        "appends_per_second": len(waits) / spent,
        "commits_per_second": (after["commits"] - before["commits"]) / spent,
        "p50_ms": cuts[49] * 1000,
        "p99_ms": cuts[98] * 1000,
        "loop_us": used / len(waits) * 1e6,
    }


async def _play(store: Store, name: str, until: float, waits: list[float]) -> None:
    number = 0
    begun = time.perf_counter()
    while begun < until:
        await store.append(name, number, [ENTRY])
        number += 1
        done = time.perf_counter()
        waits.append(done - begun)
        begun = done


def one_by_one(path: Path, tables: int, seconds: float) -> dict[str, float]:
    """Return the rate of SQLite itself with one transaction per entry, equally durable."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE log (t INTEGER, n INTEGER, entry TEXT, PRIMARY KEY (t, n)) WITHOUT ROWID")
    waits: list[float] = []
    begun = last = time.perf_counter()
    while last - begun < seconds:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO log VALUES (?, ?, ?)", (len(waits) % tables, len(waits) // tables, ENTRY))
        db.execute("COMMIT")
        now = time.perf_counter()
        waits.append(now - last)
        last = now
    db.close()
    cuts = statistics.quantiles(waits, n=100)
    rate = len(waits) / (last - begun)
    return {
        "appends_per_second": rate,
        "commits_per_second": rate,
        "p50_ms": cuts[49] * 1000,
        "p99_ms": cuts[98] * 1000,
    }


def section(folder: Path, quick: bool) -> Section:
    """Measure with databases in *folder* or beside it, and return the section of the report."""
    tables, seconds = (25, 0.5) if quick else (250, 3.0)
    single = one_by_one(folder / "single.db", tables, seconds)
    found = _both("SQLite", folder / "called.db", folder / "awaited.db", tables, seconds)
    notes = ["loop µs: CPU time of the event loop's thread for one append, including that of the benchmark"]
    try:
        postgres = PostgresServer(parent=folder.parent)
    except (FileNotFoundError, RuntimeError) as error:
        notes.append(f"PostgreSQL was not measured: {str(error).splitlines()[0]}")
    else:
        try:
            found += _both("PostgreSQL", postgres.new(), postgres.new(), tables, seconds)
        finally:
            postgres.remove()
    rows = [["durable appends", "appends/s", "commits/s", "p50 ms", "p99 ms", "loop µs", "ratio"]]
    for name, one in [*found, ("SQLite, one by one", single)]:
        loop = one.get("loop_us")
        rows.append(
            [
                name,
                f"{one['appends_per_second']:,.0f}",
                f"{one['commits_per_second']:,.0f}",
                f"{one['p50_ms']:.2f}",
                f"{one['p99_ms']:.2f}",
                f"{loop:.2f}" if loop is not None else "",
                f"{one['appends_per_second'] / single['appends_per_second']:.1f}",
            ]
        )
    return Section(
        "Durable appends",
        f"{tables} tables each append one entry and wait until it is on the disk (SQLite with WAL and "
        "synchronous=FULL; PostgreSQL on the same machine, with its default settings); one commit writes "
        "everything queued in the meantime. Compared with the same entries in one transaction each.",
        rows,
        notes,
    )


def _both(
    kind: str, first: str | Path, second: str | Path, tables: int, seconds: float
) -> list[tuple[str, dict[str, float]]]:
    """Measure a store on two new databases, with callbacks and with tasks."""
    called = asyncio.run(grouped(first, tables, seconds, awaited=False))
    awaited = asyncio.run(grouped(second, tables, seconds, awaited=True))
    return [(f"{kind}, {tables} tables at once", called), (f"{kind}, {tables} tasks that await", awaited)]
