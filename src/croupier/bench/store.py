"""Durable appends a second: many tables at once through the store, one transaction an append beside it."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path

from croupier.bench.report import Section
from croupier.store import Store, TableRow, open_store

ENTRY = "2 play QS"


async def grouped(path: Path, tables: int, seconds: float) -> dict[str, float]:
    """Return what *tables* tasks reach that each append one entry and wait until it is durable."""
    store = await open_store(path)
    names = [f"table{number}" for number in range(tables)]
    await asyncio.gather(*(store.open_table(TableRow(name, "hearts", "{}", "")) for name in names))
    before = store.stats()
    waits: list[float] = []
    begun = time.perf_counter()
    await asyncio.gather(*(_play(store, name, begun + seconds, waits) for name in names))
    spent = time.perf_counter() - begun
    after = store.stats()
    await store.close()
    commits = after["commits"] - before["commits"]
    cuts = statistics.quantiles(waits, n=100)
    return {
        "appends_per_second": len(waits) / spent,
        "commits_per_second": commits / spent,
        "p50_ms": cuts[49] * 1000,
        "p99_ms": cuts[98] * 1000,
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
    """Return what SQLite itself reaches with a transaction for each entry, equally durable."""
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
    """Measure with files in *folder*, and return what was found."""
    tables, seconds = (25, 0.5) if quick else (250, 3.0)
    ours = asyncio.run(grouped(folder / "grouped.db", tables, seconds))
    single = one_by_one(folder / "single.db", tables, seconds)
    rows = [["durable appends", "appends/s", "commits/s", "p50 ms", "p99 ms", "ratio"]]
    for name, found in ((f"the store, {tables} tables at once", ours), ("SQLite, one by one", single)):
        rows.append(
            [
                name,
                f"{found['appends_per_second']:,.0f}",
                f"{found['commits_per_second']:,.0f}",
                f"{found['p50_ms']:.2f}",
                f"{found['p99_ms']:.2f}",
                f"{found['appends_per_second'] / single['appends_per_second']:.1f}",
            ]
        )
    return Section(
        "Durable appends",
        f"{tables} tables each append one entry and wait until it is on the disk (WAL, synchronous=FULL); "
        "one commit serves all that queued up meanwhile. Beside it the same entries in a transaction each.",
        rows,
    )
