"""Durable appends a second: many tables at once through the store, and one transaction an append beside it.

python benchmarks/store.py [--tables 250] [--seconds 3] [--folder DIR]
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

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
        "appends_per_commit": len(waits) / commits,
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


def one_by_one(path: Path, tables: int, seconds: float) -> float:
    """Return how many transactions of one entry each SQLite itself commits a second, equally durable."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE log (t INTEGER, n INTEGER, entry TEXT, PRIMARY KEY (t, n)) WITHOUT ROWID")
    count = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO log VALUES (?, ?, ?)", (count % tables, count // tables, ENTRY))
        db.execute("COMMIT")
        count += 1
    rate = count / (time.perf_counter() - begun)
    db.close()
    return rate


def measure(folder: Path, tables: int = 250, seconds: float = 3.0) -> dict[str, float]:
    """Return the numbers of both, and their ratio."""
    result = asyncio.run(grouped(folder / "grouped.db", tables, seconds))
    result["one_by_one_per_second"] = one_by_one(folder / "single.db", tables, seconds)
    result["ratio"] = result["appends_per_second"] / result["one_by_one_per_second"]
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--folder", type=Path, help="where the files are made (a folder of the system's)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for name, value in measure(Path(folder), arguments.tables, arguments.seconds).items():
            print(f"{name:24} {value:12,.1f}")


if __name__ == "__main__":
    main()
